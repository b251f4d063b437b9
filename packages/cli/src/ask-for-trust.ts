// Asks once whether a folder that wants to configure something may do so. Where nobody can answer, it may not.

import { isTrusted, setTrusted, trustMeaning, wasAsked } from "@stet/host/settings/trust";
import type { CommandContext } from "./command.ts";
import { wantsTrust } from "./wants-trust.ts";

export async function askForTrust(
  folder: string,
  { terminal, environment }: CommandContext,
): Promise<boolean> {
  if (isTrusted(folder, environment)) return true;
  if (!wantsTrust(folder) || wasAsked(folder, environment)) return false;
  const person = terminal.person();
  if (person === undefined) return false;
  person.show(`${folder} has settings or agents of its own. ${trustMeaning}\nTrust this folder? (y/n) `);
  const answer = (await person.keys.key()) === "y";
  person.show("\n");
  setTrusted(folder, answer, environment);
  return answer;
}
