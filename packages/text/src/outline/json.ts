// The keys of a JSON document, with comments and trailing commas tolerated. Read token by token with a stack of its
// own: a parser that calls itself would end at ten thousand brackets, and broken JSON still has keys to show.

import type { Text } from "@codemirror/state";
import type { SyntaxKind } from "jsonc-parser";
import type { Outline } from "./outline.ts";
import { type Detection, LevelCounts, nested, type Section, type SectionKey } from "./sections.ts";
import { displayTitle } from "./titles.ts";

interface Item {
  readonly title: string;
  readonly level: number;
  readonly from: number;
  /** The offset behind its value; undefined while the value goes on. */
  to: number | undefined;
}

interface Frame {
  readonly isArray: boolean;
  /** How many values an array has so far. */
  count: number;
  /** What an object expects next. */
  expects: "key" | "colon" | "value" | "comma";
  /** The member that is being read, where it is one of those listed. */
  item: Item | undefined;
}

/** The kinds of tokens; the package declares them as a const enum, which has no values to import. */
const kinds = {
  openBrace: 1,
  closeBrace: 2,
  openBracket: 3,
  closeBracket: 4,
  comma: 5,
  colon: 6,
  string: 10,
  unknown: 16,
  end: 17,
} satisfies Record<string, SyntaxKind>;

/** The keys of a document in order, each before what is in it. */
export async function keysOfJson(text: Text, maxDepth: number): Promise<SectionKey[]> {
  const { items } = await readKeys(text, maxDepth);
  return items.map(({ title, level, from, to }) => {
    return { title: displayTitle(title) || '""', level, from, to, isListed: true };
  });
}

async function readKeys(text: Text, maxDepth: number): Promise<Reader> {
  const { createScanner } = await import("jsonc-parser");
  const reader = new Reader(maxDepth);
  const scanner = createScanner(text.toString().replace(/^\ufeff/, " "), true);
  for (;;) {
    const kind = scanner.scan();
    const from = scanner.getTokenOffset();
    if (kind === kinds.end) break;
    reader.take(kind, from, from + scanner.getTokenLength(), () => scanner.getTokenValue());
    if (scanner.getTokenError() !== 0) reader.isBroken = true;
  }
  reader.finish();
  return reader;
}

export async function outlineOfJson(text: Text, maxDepth: number): Promise<Outline> {
  const reader = await readKeys(text, maxDepth);
  const sections = reader.items.map((item): Section => {
    return {
      title: displayTitle(item.title) || '""',
      level: item.level,
      start: text.lineAt(item.from).number - 1,
      end: item.to === undefined ? null : text.lineAt(item.to).number - 1,
    };
  });
  const found: Detection = reader.isBroken
    ? {
        detection_method: "keys",
        detection_confidence: "low",
        note: "The document is not valid JSON. These are the keys that could be found; their ends may be wrong.",
      }
    : { detection_method: "keys" };
  return nested(found, sections, maxDepth, reader.counts.total);
}

class Reader {
  readonly items: Item[] = [];
  isBroken = false;
  readonly counts = new LevelCounts();
  readonly #maxDepth: number;
  readonly #stack: Frame[] = [];
  #open = { array: 0, object: 0 };
  #values = 0;

  constructor(maxDepth: number) {
    this.#maxDepth = maxDepth;
  }

  take(kind: number, from: number, to: number, value: () => string): void {
    const frame = this.#stack.at(-1);
    switch (kind) {
      case kinds.comma:
        if (frame === undefined) this.isBroken = true;
        else if (!frame.isArray) {
          if (frame.expects !== "comma") this.isBroken = true;
          this.#end(from);
          frame.expects = "key";
        }
        return;
      case kinds.colon:
        if (frame?.expects !== "colon") this.isBroken = true;
        else frame.expects = "value";
        return;
      case kinds.closeBrace:
      case kinds.closeBracket:
        this.#close(kind === kinds.closeBracket, from, to);
        return;
      case kinds.openBrace:
      case kinds.openBracket:
        this.#begin(from);
        this.#push(kind === kinds.openBracket);
        return;
      default:
        if (kind === kinds.unknown) this.isBroken = true;
        if (frame !== undefined && !frame.isArray && frame.expects !== "value")
          this.#key(frame, kind, from, value);
        else {
          this.#begin(from);
          this.#end(to);
        }
    }
  }

  finish(): void {
    if (this.#stack.length > 0) this.isBroken = true;
  }

  #key(frame: Frame, kind: number, from: number, value: () => string): void {
    if (frame.expects !== "key" || kind !== kinds.string) this.isBroken = true;
    if (frame.item !== undefined) frame.item.to ??= from;
    frame.item = this.#add(from, () =>
      kind === kinds.string ? value() : value().replace(/^['"]|['"]$/g, ""),
    );
    frame.expects = "colon";
  }

  #begin(from: number): void {
    const frame = this.#stack.at(-1);
    if (frame === undefined) {
      this.#values += 1;
      if (this.#values > 1) this.isBroken = true;
    } else if (frame.isArray) {
      const index = frame.count;
      frame.item = this.#add(from, () => `[${index}]`);
      frame.count += 1;
    } else if (frame.expects !== "value") {
      this.isBroken = true;
      if (frame.expects !== "colon") frame.item = this.#add(from, () => "(no key)");
    }
  }

  #end(to: number): void {
    const frame = this.#stack.at(-1);
    if (frame === undefined) return;
    if (frame.item !== undefined) frame.item.to = to;
    frame.item = undefined;
    frame.expects = "comma";
  }

  #push(isArray: boolean): void {
    this.#open[isArray ? "array" : "object"] += 1;
    this.#stack.push({ isArray, count: 0, expects: isArray ? "comma" : "key", item: undefined });
  }

  /** A bracket that fits none that is open is passed over; one that fits an outer one closes those inside too. */
  #close(isArray: boolean, from: number, to: number): void {
    const kind = isArray ? "array" : "object";
    if (this.#open[kind] === 0) {
      this.isBroken = true;
      return;
    }
    for (let frame = this.#stack.pop(); frame !== undefined; frame = this.#stack.pop()) {
      this.#open[frame.isArray ? "array" : "object"] -= 1;
      if (!frame.isArray && (frame.expects === "colon" || frame.expects === "value")) this.isBroken = true;
      if (frame.item !== undefined) frame.item.to ??= from;
      if (frame.isArray === isArray) break;
      this.isBroken = true;
      this.#end(from);
    }
    this.#end(to);
  }

  #add(from: number, title: () => string): Item | undefined {
    const level = this.#stack.length;
    if (level > this.#maxDepth || !this.counts.add(level)) return undefined;
    const item: Item = { title: title(), level, from, to: undefined };
    this.items.push(item);
    return item;
  }
}
