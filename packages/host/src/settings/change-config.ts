// Changes the person's own configuration file by read, change and replace, under a lock: two processes that change it at the same
// moment both keep what they wrote. A file that cannot be used is left alone.

import { readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { Fault, isFault } from "@stet/protocol/fault";
import { isRecord, type JsonRecord } from "@stet/protocol/json-record";
import { attempt } from "@stet/protocol/system-fault";
import { whileFileLocked } from "@stet/session/append-lock";
import { makeDurableFolder, replaceFile, writeAll } from "@stet/storage/durable-file";
import { readConfigFile, userConfigFile } from "./configuration.ts";

/** `change` gets what is in the file now, and returns what shall be. */
export function changeConfig(
  environment: NodeJS.ProcessEnv,
  change: (content: JsonRecord) => JsonRecord,
): Fault | undefined {
  const path = userConfigFile(environment);
  const folder = dirname(path);
  const made = attempt("written", path, () => makeDurableFolder(folder));
  if (isFault(made)) return made;
  return whileFileLocked(join(folder, ".config.lock"), () => {
    const content = readConfigFile(path);
    if (isFault(content)) return content;
    if (!isRecord(content)) return noObject(path);
    const written = attempt("written", path, () => write(path, change(content)));
    return isFault(written) ? written : undefined;
  });
}

function write(path: string, content: JsonRecord): void {
  const before = readIfThere(path);
  // A file that is a link is kept where it leads, with other people's ways of storing it.
  const target = before === undefined ? path : realpathSync(path);
  const indent = /^[{]\s*\n([ \t]+)"/.exec(before ?? "")?.[1] ?? "  ";
  const text = `${JSON.stringify(content, undefined, indent)}\n`;
  replaceFile(target, `${target}.${process.pid}.new`, (file) => writeAll(file, Buffer.from(text)));
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

function noObject(path: string): Fault {
  return new Fault(
    "invalid_arguments",
    `The configuration ${path} cannot be used: it is not a JSON object.`,
    "Correct the file, or move it aside.",
    { path },
  );
}
