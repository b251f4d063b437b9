// Asks once whether a folder that wants to configure something may do so. Where nobody can answer, it may not.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { isTrusted, setTrusted, trustMeaning, wasAsked } from "@stet/host/settings/trust";
import type { CommandContext } from "./command.ts";

export async function askForTrust(
  folder: string,
  { terminal, environment }: CommandContext,
): Promise<boolean> {
  if (isTrusted(folder, environment)) return true;
  const wantsSomething = existsSync(join(folder, ".stet", "config.json"));
  if (!wantsSomething || wasAsked(folder, environment)) return false;
  const person = terminal.person();
  if (person === undefined) return false;
  person.show(`${folder} has settings of its own. ${trustMeaning}\nTrust this folder? (y/n) `);
  const answer = (await person.keys.key()) === "y";
  person.show("\n");
  setTrusted(folder, answer, environment);
  return answer;
}
