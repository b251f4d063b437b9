// The envelope of an event of a log. Cursors order the log, and a reader goes on after the last one that it has seen.

import * as z from "zod";

export function event<const Type extends string, Data extends z.ZodType>(type: Type, data: Data) {
  return z.object({
    cursor: z.number().int().positive(),
    ts: z.iso.datetime().describe("UTC"),
    agent: z.string().describe("The agent that it belongs to: main, or a child's id"),
    type: z.literal(type),
    data,
  });
}
