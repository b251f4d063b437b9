// Where the operators' log goes: `STET_LOG=stderr`, or `STET_LOG=/path/of/a/file`. `STET_LOG_LEVEL` is the least level that
// is written (error, warn, info, debug; info unless given). A line is one JSON object.
//
// Secrets of the environment, and whatever looks like a key, are taken out of every line. A file belongs to the person alone;
// at its limit it is moved to `FILE.1`, over the one from before. A log that cannot be written is given up without a word:
// it must not stop what it tells of.

import { renameSync, statSync } from "node:fs";
import { cutText } from "@stet/protocol/cut-text";
import { Fault } from "@stet/protocol/fault";
import { redactor, secretsOf } from "@stet/protocol/redact";
import { type LogLevel, type LogSink, logLevels } from "./operator-log.ts";
import { writePrivateFile } from "./private-files.ts";

const maxFileBytes = 10 * 1024 ** 2;
/** A longer value is cut: a line is read by people and by programs with limits of their own. */
const maxValue = 4000;

/** The sink that the environment asks for. `stderr` writes a line there. */
export function logSinkFor(
  environment: NodeJS.ProcessEnv,
  stderr: (line: string) => void,
  now: () => Date = () => new Date(),
): LogSink | Fault {
  const { STET_LOG: target = "", STET_LOG_LEVEL: least = "info" } = environment;
  const level = logLevels.find((name) => name === least);
  if (level === undefined) return unknownLevel(least);
  const redact = redactor(secretsOf(environment));
  const write = target === "stderr" ? stderr : fileWriter(target);
  return (at, what, fields) => {
    if (rank(at) > rank(level)) return;
    const entry = JSON.stringify({ level: at, time: now().toISOString(), what, ...fields }, cut);
    write(`${redact(entry)}\n`);
  };
}

function rank(level: LogLevel): number {
  return logLevels.indexOf(level);
}

function cut(_name: string, value: unknown): unknown {
  return typeof value === "string" ? cutText(value, maxValue) : value;
}

function fileWriter(path: string): (line: string) => void {
  let size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return (line) => {
    try {
      if (size > maxFileBytes) {
        renameSync(path, `${path}.1`);
        size = 0;
      }
      writePrivateFile(path, line, "a");
      size += Buffer.byteLength(line);
    } catch {
      // A full disk, or a folder that is gone: see above.
    }
  };
}

function unknownLevel(level: string): Fault {
  return new Fault(
    "invalid_arguments",
    `STET_LOG_LEVEL is ${JSON.stringify(level)}, which is no level of the log.`,
    `Use one of ${logLevels.join(", ")}.`,
  );
}
