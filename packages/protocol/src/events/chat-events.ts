// The events of the chat API: a projection of a turn of toolset paper, derived in `tools/paper/paper-events.ts`. A stream of
// them has no cursors; it begins at the beginning and ends after `chat.final`.

import * as z from "zod";

const count = z.number().int().nonnegative();
const line = z.object({ lineNumber: z.number().int(), text: z.string() });
const storedSearch = z.object({ key: z.string(), query: z.string(), lineCount: count });
const found = { query: z.string(), totalMatches: count, keyword: z.string() };

function chatEventOf<const Type extends string, Data extends z.ZodType>(type: Type, data: Data) {
  return z.object({ type: z.literal(type), data });
}

const chatEvents = [
  chatEventOf(
    "agent.thought",
    z.object({ thought: z.string() }).describe("One piece of what the model writes or thinks"),
  ),
  chatEventOf(
    "search.result",
    z.union([
      z.object({ type: z.literal("paper"), lines: z.array(line.extend({ snippet: z.string() })), ...found }),
      z.object({
        type: z.enum(["chat", "tools"]),
        cards: z.array(z.object({ id: z.string(), role: z.string(), text: z.string(), score: z.number() })),
        ...found,
      }),
    ]),
  ),
  chatEventOf("search.kept", storedSearch),
  chatEventOf("search.retrieved", storedSearch),
  chatEventOf("search.cleared", z.object({ key: z.string() })),
  chatEventOf(
    "context.retrieved",
    z.object({
      lineNumber: z
        .number()
        .int()
        .nullable()
        .describe("The line that was asked for; null where only ranges were"),
      context: z.array(line),
      totalLines: count.describe("Of the paper"),
    }),
  ),
  chatEventOf(
    "paper.applied",
    z.object({
      op: z.enum(["write_append", "write_replace_line", "set_text", "clear_all"]),
      lineNumber: z.number().int().optional().describe("Only of write_replace_line"),
      appended: count.optional().describe("Only of write_append: how many characters came"),
      oldTextLen: count,
      newTextLen: count,
      newRev: z.number().int(),
      timestamp: z.number(),
    }),
  ),
  chatEventOf(
    "paper.state",
    z.object({
      text: z.string().nullable().describe("Null for a very long paper: read the document then"),
      rev: z.number().int(),
      cols: count,
      rows: count,
    }),
  ),
  chatEventOf(
    "verify.result",
    z.object({ diff: z.string(), added: count, removed: count, status: z.literal("ok") }),
  ),
  chatEventOf(
    "chat.final",
    z.object({ text: z.string() }).describe("The answer, or why there is none. The last event"),
  ),
] as const;

export const chatEvent = z.discriminatedUnion("type", chatEvents);
export type ChatEvent = z.output<typeof chatEvent>;
