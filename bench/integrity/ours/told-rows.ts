// What a refusal shows of the file as it is now: rows such as ` 41|text`, `*41th|text`, in its message and its details.

import * as z from "zod";
import type { ShownLine } from "./shown-lines.ts";

const fault = z.object({
  error: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.unknown()),
});

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

/** Long rows end in this where they were cut. */
const cut = /^(.{150,})…$/s;
/** Rows around a place that are compared with what was seen around it. */
const context = 3;
/** What the number that was seen counts for, beside neighbours. */
const sameNumber = 2.5;

/** Lines to look for, and what was seen around them. */
export interface Wanted {
  readonly block: readonly string[];
  /** Up to the line before, in order. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Where they stood, 0-based. */
  readonly seenAt: number;
}

export class ToldRows {
  private readonly rows = new Map<number, ShownLine>();

  constructor(told: Told) {
    for (const text of [...told.message.split("\n"), ...strings(told.details.current)]) {
      const match = /^[* +]?(\d+)([a-z]{2})?\|(.*)$/s.exec(text);
      if (match === null) continue;
      const [, number = "", letters = "", line = ""] = match;
      this.rows.set(Number(number) - 1, { text: line, anchor: `${number}${letters}` });
    }
  }

  /** Lines that are told without numbers, from a 0-based one on. */
  add(first: number, lines: readonly string[]): void {
    for (const [index, text] of lines.entries()) this.rows.set(first + index, { text, anchor: "" });
  }

  /** Undefined where it is not shown. */
  anchor(line: number): string | undefined {
    return this.rows.get(line)?.anchor;
  }

  /** Undefined where it is not shown whole. */
  text(line: number): string | undefined {
    const text = this.rows.get(line)?.text;
    return text === undefined || cut.test(text) ? undefined : text;
  }

  /** Where these lines stand, 0-based: of several places the one with most of the right neighbours. */
  find({ block, before, after, seenAt }: Wanted): number | undefined {
    if (block.length === 0) return undefined;
    let best: number | undefined;
    let [bestScore, isTie] = [-1, false];
    for (const at of this.rows.keys()) {
      if (!block.every((text, offset) => this.agrees(at + offset, text))) continue;
      let score = at === seenAt ? sameNumber : 0;
      for (let offset = 1; offset <= context; offset += 1) {
        const above = before.at(-offset);
        const below = after[offset - 1];
        if (above !== undefined && this.agrees(at - offset, above)) score += 1;
        if (below !== undefined && this.agrees(at + block.length + offset - 1, below)) score += 1;
      }
      isTie = score === bestScore;
      if (score > bestScore) [best, bestScore] = [at, score];
    }
    return isTie ? undefined : best;
  }

  private agrees(line: number, text: string): boolean {
    const shown = this.rows.get(line)?.text;
    if (shown === undefined || shown === text) return shown !== undefined;
    const start = cut.exec(shown)?.[1];
    return start !== undefined && text.startsWith(start);
  }
}

function strings(value: unknown): string[] {
  if (typeof value === "string") return value.split("\n");
  return Array.isArray(value) ? value.flatMap(strings) : [];
}
