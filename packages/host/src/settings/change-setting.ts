// Changes one setting in the person's own configuration file. Everything else in the file stays as it is, in its order; the new
// file replaces the old one at once. A file that cannot be used is left alone. A project's file is never written.

import { readFileSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import { Fault, isFault } from "@stet/protocol/fault";
import { isRecord } from "@stet/protocol/json-record";
import { attempt } from "@stet/protocol/system-fault";
import { makeDurableFolder, replaceFile, writeAll } from "@stet/storage/durable-file";
import * as z from "zod";
import {
  isSettingName,
  readConfigFile,
  type SettingName,
  settingsSchema,
  userConfigFile,
} from "./configuration.ts";

/** Keys and addresses: they are never shown, so that nobody could change them without losing some. */
const onlyInFile: readonly SettingName[] = ["providers"];

/** `null` removes the setting: its default holds again. */
export function changeSetting(
  environment: NodeJS.ProcessEnv,
  name: string,
  value: unknown,
): SettingName | Fault {
  const path = userConfigFile(environment);
  if (!isSettingName(name)) return unknown(name);
  if (onlyInFile.includes(name)) return inFile(name, path);
  const fault = value === null ? undefined : misfit(name, value);
  if (fault !== undefined) return fault;
  const content = readConfigFile(path);
  if (isFault(content)) return content;
  if (!isRecord(content)) return noObject(path);
  const { [name]: _, ...others } = content;
  const changed = value === null ? others : { ...content, [name]: value };
  const written = attempt("write", path, () => write(path, changed));
  return isFault(written) ? written : name;
}

function misfit(name: SettingName, value: unknown): Fault | undefined {
  const parsed = settingsSchema().shape[name].safeParse(value);
  if (parsed.success) return undefined;
  return new Fault(
    "invalid_arguments",
    `The setting ${name} cannot be ${JSON.stringify(value).slice(0, 200)}: ${z.prettifyError(parsed.error)}`,
    "Give it another value, or null for its default.",
    { name },
  );
}

function write(path: string, content: Readonly<Record<string, unknown>>): void {
  makeDurableFolder(dirname(path));
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

function unknown(name: string): Fault {
  return new Fault(
    "invalid_arguments",
    `There is no setting ${JSON.stringify(name.slice(0, 100))}.`,
    "List the settings for their names.",
    { name },
  );
}

function inFile(name: SettingName, path: string): Fault {
  return new Fault(
    "invalid_arguments",
    `The setting ${name} holds keys and addresses and is only changed in its file.`,
    `Edit ${path}.`,
    { name, path },
  );
}

function noObject(path: string): Fault {
  return new Fault(
    "invalid_arguments",
    `The configuration ${path} cannot be used: it is not a JSON object.`,
    "Correct the file, or move it aside.",
    { path },
  );
}
