// Changes one setting in the person's own configuration file. Everything else in the file stays as it is, in its order; the new
// file replaces the old one at once. A project's file is never written.

import { Fault, isFault } from "@stet/protocol/fault";
import * as z from "zod";
import { changeConfig } from "./change-config.ts";
import { isSettingName, type SettingName, settingsSchema, userConfigFile } from "./configuration.ts";

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
  const changed = changeConfig(environment, (content) => {
    const { [name]: _, ...others } = content;
    return value === null ? others : { ...content, [name]: value };
  });
  return isFault(changed) ? changed : name;
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
