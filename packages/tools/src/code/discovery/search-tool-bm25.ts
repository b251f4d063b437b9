// Finds tools that are not offered yet, and offers them from the next request on. So the first request stays small.

import { defineTool, type Tool } from "@stet/agent/tool";
import { Fault } from "@stet/protocol/fault";
import type { Message } from "@stet/protocol/message";
import * as z from "zod";
import { wordScores } from "../../bm25.ts";
import { quoted } from "../../call-words.ts";
import { prompt } from "../../prompt.ts";
import type { CodeContext } from "../code-context.ts";

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
      const found = named.length > 0 ? named : ranked(shelf.hidden, query).slice(0, limit);
      if (found.length === 0 && known.length === 0) return nothing(query, shelf);
      shelf.offer(found.map(({ name }) => name));
      const lines = found.map(({ name, description }) => `${name}: ${description.split("\n")[0]}`);
      for (const { name } of known) lines.push(`${name} can be called already.`);
      const note = found.length > 0 ? ["These can be called from your next message on:"] : [];
      return { content: [...note, ...lines].join("\n"), details: { offered: found.map(({ name }) => name) } };
    },
  });
}

/** Tools that share a word with the query, the best first. A name counts three times. */
export function ranked<T extends Pick<Tool, "name" | "description">>(
  tools: readonly T[],
  query: string,
): T[] {
  const texts = tools.map(({ name, description }) => wordsOf(`${name} ${name} ${name} ${description}`));
  const scores = wordScores(texts, wordsOf(query));
  const scored = tools.map((tool, index) => ({ tool, score: scores[index] ?? 0 }));
  const fitting = scored.filter(({ score }) => score > 0).sort((one, other) => other.score - one.score);
  return fitting.map(({ tool }) => tool);
}

/** Lower case, `_` and capitals split, a plural or `-ing` cut off. */
function wordsOf(text: string): string[] {
  const spaced = text.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return (spaced.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => {
    return word.length > 3 ? word.replace(/(?:ing|ed|es|s)$/, "") : word;
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
