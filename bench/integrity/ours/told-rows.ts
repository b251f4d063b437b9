// What a refusal shows of the file as it is now: rows such as ` 41|text`, `*41th|text`, in its message and its details.

import * as z from "zod";
import type { ShownLine } from "./shown-lines.ts";

const fault = z.object({ error: z.string(), message: z.string(), details: z.record(z.string(), z.unknown()) });

export type Told = z.infer<typeof fault>;

/** Undefined where the answer is no refusal. */
export function toldIn(answer: string): Told | undefined {
  try {
    const parsed = fault.safeParse(JSON.parse(answer));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** Rows end in this where they were cut. */
const cut = "…";

export class ToldRows {
  private readonly rows = new Map<number, ShownLine>();

  constructor(told: Told) {
    for (const text of [...told.message.split("\n"), ...strings(told.details.current)]) {
      const match = /^[* +]?(\d+)([a-z]{2})?\|(.*)$/s.exec(text);
      if (match === null) continue;
      const [, number = "", letters = "", line = ""] = match;
      if (line.length >= 200 && line.endsWith(cut)) continue;
      this.rows.set(Number(number) - 1, { text: line, anchor: `${number}${letters}` });
    }
  }

  get size(): number {
    return this.rows.size;
  }

  at(line: number): ShownLine | undefined {
    return this.rows.get(line);
  }

  /** Where these lines stand, 0-based; undefined where they are not shown, or at several places. */
  find(block: readonly string[]): number | undefined {
    const places = [...this.rows.keys()].filter((at) =>
      block.every((text, offset) => this.rows.get(at + offset)?.text === text),
    );
    return block.length > 0 && places.length === 1 ? places[0] : undefined;
  }
}

function strings(value: unknown): string[] {
  if (typeof value === "string") return value.split("\n");
  return Array.isArray(value) ? value.flatMap(strings) : [];
}
