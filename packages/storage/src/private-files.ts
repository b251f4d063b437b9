// Files and folders of Stet's own: only the account that they belong to may read them.
//
// The mode is given where a file is created, so there is no moment at which it is wider. The process's umask is left alone: it
// belongs to the person, and holds for the files of the workspace and for what commands create.

import { chmodSync, closeSync, type Mode, mkdirSync, openSync, statSync, writeFileSync } from "node:fs";

export const privateFile = 0o600;
export const privateFolder = 0o700;
/** What the group and everybody else may do. */
const others = 0o077;

/** Creates a folder and those above it that are missing. Returns the outermost one that was created. */
export function makePrivateFolder(path: string): string | undefined {
  return mkdirSync(path, { recursive: true, mode: privateFolder });
}

/** Creates an empty file. False where there is a file of this name. */
export function createPrivateFile(path: string): boolean {
  try {
    closeSync(openSync(path, "wx", privateFile));
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/** `flag` as in `open`: "w" replaces what is there, "wx" refuses to, "a" adds to it. */
export function writePrivateFile(
  path: string,
  content: string | Uint8Array,
  flag: "w" | "wx" | "a" = "w",
): void {
  writeFileSync(path, content, { flag, mode: privateFile });
}

/** Takes away what a file or folder of ours allows to others. Returns whether it allowed anything; nothing where it is missing. */
export function narrow(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || (stats.mode & others) === 0 || process.platform === "win32") return false;
  const mode: Mode = stats.isDirectory() ? privateFolder : privateFile;
  chmodSync(path, mode);
  return true;
}
