// What a refusal shows of the file as it is now: rows such as ` 41|text`, `*41th|text`, in its message and its details.

import * as z from "zod";
import type { ShownLine } from "./shown-lines.ts";

const fault = z.object({
  error: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.unknown()),
});

export type BenchRefusal = z.infer<typeof fault>;

/** Undefined where the answer is no refusal. */
export function refusalIn(answer: string): BenchRefusal | undefined {
  try {
    const parsed = fault.safeParse(JSON.parse(answer));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** Long rows end in this where they were cut. */
const cut = /^(.{150,})…$/s;
/** How far away the rows are in which neighbours are looked for. */
const reach = 6;
/** What it counts against a place that it is not where the lines were seen, nor near. */
const elsewhere = 1.5;
const farAway = 12;
/** What it counts for that no other lines of the file were the same. */
const onlyOne = 3;
/** What the number that was seen counts for, beside neighbours. */
const sameNumber = 2.5;

/** Lines to look for, and what was seen around them. */
export interface WantedRow {
  readonly block: readonly string[];
  /** Up to the line before, in order. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Where they stood, 0-based. */
  readonly seenAt: number;
  /** Whether they stood nowhere else. */
  readonly isOnly: boolean;
}

export class ToldRows {
  readonly #rows = new Map<number, ShownLine>();

  constructor(refusal: BenchRefusal) {
    for (const text of [
      ...refusal.message.split("\n"),
      ...strings(refusal.details.current),
      ...strings(refusal.details.around),
    ]) {
      const match = /^[* +]?(\d+)([a-z]{2})?\|(.*)$/s.exec(text);
      if (match === null) continue;
      const [, number = "", letters = "", line = ""] = match;
      this.#rows.set(Number(number) - 1, { text: line, anchor: `${number}${letters}` });
    }
  }

  /** Lines that are told without numbers, from a 0-based one on. */
  add(first: number, lines: readonly string[]): void {
    for (const [index, text] of lines.entries()) this.#rows.set(first + index, { text, anchor: "" });
  }

  /** Undefined where it is not shown. */
  anchor(line: number): string | undefined {
    return this.#rows.get(line)?.anchor;
  }

  /** Undefined where it is not shown whole. */
  text(line: number): string | undefined {
    const text = this.#rows.get(line)?.text;
    return text === undefined || cut.test(text) ? undefined : text;
  }

  /** Where these lines stand, 0-based; undefined where that is not shown, or not clear. */
  find(wanted: WantedRow): number | undefined {
    return this.findAll([wanted])[0];
  }

  /** The same for several places, of which no two are the same one. */
  findAll(all: readonly WantedRow[]): (number | undefined)[] {
    const found = all.map((wanted) => this.#best(wanted));
    return found.map((one, index) => {
      const isTaken = found.some((other, at) => {
        return at !== index && other?.at === one?.at && (other?.score ?? 0) >= (one?.score ?? 0);
      });
      return isTaken ? undefined : one?.at;
    });
  }

  /** Of several places the one with the right neighbours. One with more wrong neighbours than right ones is another place. */
  #best({ block, before, after, seenAt, isOnly }: WantedRow): { at: number; score: number } | undefined {
    if (block.length === 0) return undefined;
    let best: { at: number; score: number } | undefined;
    let isTie = false;
    for (const at of this.#rows.keys()) {
      if (!block.every((text, offset) => this.#agrees(at + offset, text))) continue;
      const score =
        (at === seenAt ? sameNumber : 0) +
        (isOnly ? onlyOne : 0) -
        (Math.abs(at - seenAt) > farAway ? elsewhere : 0) +
        this.#neighbours(at, -1, before.toReversed()) +
        this.#neighbours(at + block.length - 1, 1, after);
      if (score <= 0 || score < (best?.score ?? 0)) continue;
      isTie = score === best?.score;
      best = { at, score };
    }
    return isTie ? undefined : best;
  }

  /**
   * How well the rows on one side are those that were seen there, nearest first. Someone may have written between them, and a
   * formatter indented them otherwise. Words weigh more than brackets and blank lines, and a wrong neighbour more than a right
   * one.
   */
  #neighbours(from: number, step: -1 | 1, seen: readonly string[]): number {
    let score = 0;
    let reached = from;
    for (const text of seen) {
      if (!this.#rows.has(reached + step)) break;
      const weight = hasWords(text) ? 1 : 0.5;
      let at = reached + step;
      while (this.#rows.has(at) && Math.abs(at - from) <= reach && !this.#isAlike(at, text)) at += step;
      const isThere = this.#rows.has(at) && Math.abs(at - from) <= reach;
      if (isThere) reached = at;
      score += isThere ? weight : -2 * weight;
    }
    return score;
  }

  #isAlike(line: number, text: string): boolean {
    return this.#agrees(line, text) || this.#rows.get(line)?.text.trim() === text.trim();
  }

  #agrees(line: number, text: string): boolean {
    const visibleText = this.#rows.get(line)?.text;
    if (visibleText === undefined || visibleText === text) return visibleText !== undefined;
    const start = cut.exec(visibleText)?.[1];
    return start !== undefined && text.startsWith(start);
  }
}

function strings(value: unknown): string[] {
  if (typeof value === "string") return value.split("\n");
  return Array.isArray(value) ? value.flatMap(strings) : [];
}

function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}
