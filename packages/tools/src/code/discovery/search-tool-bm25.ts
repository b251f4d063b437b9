// Finds tools that are not offered yet, and offers them from the next request on. So the first request stays small.

import { defineTool } from "@stet/agent/tool";
import { Fault } from "@stet/protocol/fault";
import type { Message } from "@stet/protocol/message";
import * as z from "zod";
import { quoted } from "../../call-words.ts";
import { prompt } from "../../prompt.ts";
import type { CodeContext } from "../code-context.ts";
import { rank } from "./bm25.ts";

const defaultLimit = 3;
const maxLimit = 10;

/** Told of the tools that are hidden when the toolset is opened, by name. */
export function searchToolBm25({ shelf }: Pick<CodeContext, "shelf">, hidden: readonly string[]) {
  return defineTool({
    name: "search_tool_bm25",
    description: prompt(import.meta.url, "search_tool_bm25").replace("{names}", hidden.join(", ")),
    traits: ["exclusive"],
    words: ({ query }) => `Look for a tool: ${quoted(query)}`,
    schema: z.object({
      query: z.string().min(1).describe("a name, or what it should do"),
      limit: z.number().int().min(1).max(maxLimit).optional().describe(`${defaultLimit} unless given`),
    }),
    async execute({ query, limit = defaultLimit }) {
      const words = query.toLowerCase().split(/[^a-z0-9_]+/);
      const named = shelf.hidden.filter(({ name }) => words.includes(name));
      const known = shelf.offered.filter(({ name }) => words.includes(name));
      const ranked = rank(shelf.hidden, ({ name, description }) => ({ name, text: description }), query);
      const found = named.length > 0 ? named : ranked.slice(0, limit).map(({ item }) => item);
      if (found.length === 0 && known.length === 0) return nothing(query, shelf);
      shelf.offer(found.map(({ name }) => name));
      const lines = found.map(({ name, description }) => `${name}: ${description.split("\n")[0]}`);
      for (const { name } of known) lines.push(`${name} can be called already.`);
      const note = found.length > 0 ? ["These can be called from your next message on:"] : [];
      return { content: [...note, ...lines].join("\n"), details: { offered: found.map(({ name }) => name) } };
    },
  });
}

/** The tools that a conversation has used or found: they are offered from its next turn's first request on. */
export function toolsFound(messages: readonly Message[]): string[] {
  return messages.flatMap((message) => {
    if (message.role !== "toolResult") return [];
    const parsed = foundTools.safeParse(message.details);
    return message.toolName === "search_tool_bm25" && parsed.success
      ? parsed.data.offered
      : [message.toolName];
  });
}

const foundTools = z.object({ offered: z.array(z.string()) });

/** Where a model calls a tool that it has not looked up. */
export function notFoundYet(name: string, { hidden }: CodeContext["shelf"]): Fault | undefined {
  if (!hidden.some((tool) => tool.name === name)) return undefined;
  return new Fault(
    "unknown_tool",
    `${name} is not offered yet.`,
    `Call search_tool_bm25 with the query ${JSON.stringify(name)} first; ${name} can be called from your next message on.`,
    { name },
  );
}

function nothing(query: string, { hidden }: CodeContext["shelf"]): Fault {
  const names = hidden.map(({ name }) => name).join(", ");
  return new Fault(
    "no_match",
    `No tool fits ${JSON.stringify(query.slice(0, 100))}.`,
    names === "" ? "All tools are offered already." : `These are left: ${names}.`,
    { query },
  );
}
