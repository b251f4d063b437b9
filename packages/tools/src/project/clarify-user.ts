import { defineTool, type Tool } from "@stet/agent/tool";
import * as z from "zod";
import { cut } from "../call-words.ts";
import { prompt } from "../prompt.ts";
import type { ProjectContext } from "./project-toolset.ts";

export function clarifyUser({ ask }: ProjectContext): Tool {
  return defineTool({
    name: "clarify_user",
    description: prompt(import.meta.url, "clarify_user"),
    traits: ["asks", "exclusive"],
    words: ({ question }) => `Ask you: ${cut(question)}`,
    schema: z.object({
      question: z.string().min(1).describe("One question"),
      options: z
        .array(z.string())
        .max(8)
        .optional()
        .describe("Answers to choose from; the person may give another one"),
    }),
    async execute({ question, options = [] }, { signal, callId }) {
      const answer = await ask({ kind: "clarification", text: question, options }, signal, callId);
      return { content: { answer }, details: { question, options, answer } };
    },
  });
}
