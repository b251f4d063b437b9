// Asks once whether a folder that wants to configure something may do so. Where nobody can answer, it may not.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { isTrusted, setTrusted, trustMeaning, wasAsked } from "@stet/server/settings/trust";
import type { CommandContext } from "./command.ts";

export async function askForTrust(
  folder: string,
  { terminal, environment }: CommandContext,
): Promise<boolean> {
  if (isTrusted(folder, environment)) return true;
  const wantsSomething = existsSync(join(folder, ".stet", "config.json"));
  if (!wantsSomething || wasAsked(folder, environment) || !terminal.isInteractive) return false;
  const { readKey } = await import("./read-key.ts");
  terminal.note(`${folder} has settings of its own. ${trustMeaning}\nTrust this folder? (y/n) `);
  const answer = (await readKey(terminal.keys)) === "y";
  terminal.note("\n");
  setTrusted(folder, answer, environment);
  return answer;
}
