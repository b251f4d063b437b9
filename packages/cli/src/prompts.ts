// What the person has asked before, in any session, to be found again.

import { join } from "node:path";
import { type Fault, ignoreFault, isFault } from "@stet/protocol/fault";
import { redactionFor } from "@stet/protocol/redact";
import { PromptHistory } from "@stet/session/prompt-history";
import { dataFolder } from "@stet/workspace/files/state-folder";
import type { CommandContext } from "./command.ts";

function openPrompts({ environment }: CommandContext): PromptHistory | Fault {
  return PromptHistory.open(join(dataFolder(environment), "prompts.sqlite"));
}

/** A prompt that cannot be stored is no reason to disturb the turn. */
export function rememberPrompt(prompt: string, folder: string, context: CommandContext): void {
  const history = openPrompts(context);
  if (isFault(history)) return;
  ignoreFault(history.add(redactionFor(context.environment)(prompt), folder));
  history.close();
}

/** The newest prompts, or those with the given words. */
export function showPrompts(words: string, limit: number, context: CommandContext): string[] | Fault {
  const history = openPrompts(context);
  if (isFault(history)) return history;
  const found = words === "" ? history.recent(limit) : history.search(words, limit);
  history.close();
  return isFault(found) ? found : found.map(({ prompt }) => prompt.split("\n")[0] ?? "");
}
