// What an agent that was sent is told, beside the words of its toolset.

import { filledPrompt } from "@stet/agent/prompt-file";
import type { ChildRequest } from "@stet/tools/agents/delegation";
import type { ChildAgent } from "./child-agent.ts";

export function sentSystem(child: ChildAgent, request: ChildRequest, hasFolder: boolean): string {
  const where = hasFolder
    ? "You work in a folder of your own, a copy of the person's: your commands may write there. What you changed is brought back when you end."
    : "Others may work on the same files. What you edit is staged until you end: commands do not see it, and they only read.";
  const { description, context } = request;
  return filledPrompt("child-system.md", {
    description,
    where,
    prompt: child.definition.prompt,
    context: context === undefined ? "" : `\n\nWhat you have to know:\n${context}`,
  });
}
