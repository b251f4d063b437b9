// Errors of the operating system as faults. Only this file maps errno codes to fault codes;
// anything that is not an errno error is a bug and keeps flying.

import { Fault, type FaultCode } from "./fault.ts";

interface Reason {
  error: FaultCode;
  because: string;
  suggestion: string;
}

const full: Reason = {
  error: "disk_full",
  because: "the disk is full",
  suggestion: "Free some space and try again; nothing needs to be repaired.",
};
const refused: Reason = {
  error: "not_permitted",
  because: "the system does not allow it",
  suggestion: "Check the permissions of the file and of its folder, and whether the disk is read-only.",
};
const missing: Reason = {
  error: "file_not_found",
  because: "it does not exist",
  suggestion: "Check the name, or list the folder to see what is there.",
};
const tooLong: Reason = {
  error: "invalid_path",
  because: "its name is longer than a file system takes",
  suggestion: "Use a shorter name.",
};
const throughFile: Reason = {
  error: "invalid_path",
  because: "a part of its path that should be a folder is none",
  suggestion: "Check the path, or list the folder to see what is there.",
};
const circle: Reason = {
  error: "invalid_path",
  because: "its symbolic links lead in a circle",
  suggestion: "Name the file that is meant, or correct the links.",
};

const reasons: Readonly<Record<string, Reason>> = {
  ENOSPC: full,
  EDQUOT: full,
  EACCES: refused,
  EPERM: refused,
  EROFS: refused,
  ENOENT: missing,
  ENAMETOOLONG: tooLong,
  ENOTDIR: throughFile,
  ELOOP: circle,
};

/** The code of an errno error ("ENOENT"), or undefined when the value is anything else. */
export function errnoCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("errno" in error) || !("code" in error)) return undefined;
  return typeof error.errno === "number" && typeof error.code === "string" ? error.code : undefined;
}

/** `doing` completes the sentence "`path` could not be …". Throws what is not an errno error. */
export function systemFault(error: unknown, doing: string, path: string): Fault {
  const code = errnoCode(error);
  if (code === undefined) throw error;
  const reason = reasons[code] ?? {
    error: "io_failed",
    because: `the system reported ${code}`,
    suggestion: "Try again; if it happens again, check the disk.",
  };
  const message = `${path} could not be ${doing}: ${reason.because}.`;
  return new Fault(reason.error, message, reason.suggestion, { path, code });
}

/** Runs system calls and returns what they return, or their refusal as a fault. */
export function attempt<T>(doing: string, path: string, action: () => T): T | Fault {
  try {
    return action();
  } catch (error) {
    return systemFault(error, doing, path);
  }
}
