// /init: a turn that writes AGENTS.md, which every later turn is given.

import { filledPrompt } from "@stet/agent/prompt-file";
import type { App } from "../app.ts";

export async function init(argument: string, app: App): Promise<void> {
  const prompt = filledPrompt("write-agents-file.md");
  const fault = await app.conversation.send(argument === "" ? prompt : `${prompt}\n\n${argument}`);
  if (fault !== undefined) app.tellFault(fault);
}
