// Sessions found by what a person remembers of them: words of the title, of what was first asked, of anything that was said,
// the id, the folder or the path. Every word must be found somewhere. A word also fits where its letters stand in order
// and close together, so that a mistyped or shortened one is found; those come after exact ones.

import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { isFault } from "@stet/protocol/fault";
import { attempt } from "@stet/protocol/system-fault";
import { asEntry, parseLine } from "./entry-line.ts";
import { contentText } from "./entry-text.ts";
import type { SessionInfo } from "./session-listing.ts";

/** Of each file, from its end: what was said last is remembered best. */
const maxFileBytes = 2 * 1024 * 1024;
/** Characters of all texts that are kept for the next search. */
const maxKeptCharacters = 32 * 1024 * 1024;
const readAtOnce = 20;

interface KnownText {
  readonly modified: number;
  readonly text: string;
}

export class SessionSearch {
  /** The messages of sessions by their paths, the least recently used first. */
  readonly #texts = new Map<string, KnownText>();
  #characters = 0;

  /** The best first, then the latest. Without words: as they came. */
  async find(sessions: readonly SessionInfo[], query: string): Promise<readonly SessionInfo[]> {
    const words = query
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== "");
    if (words.length === 0) return sessions;
    const found: { readonly info: SessionInfo; readonly score: number }[] = [];
    for (const [index, info] of sessions.entries()) {
      const score = scoreOf(info, words, () => this.#messages(info));
      if (score > 0) found.push({ info, score });
      if (index % readAtOnce === 0) await setImmediate();
    }
    return found
      .sort((one, other) => other.score - one.score || other.info.modified - one.info.modified)
      .map(({ info }) => info);
  }

  #messages({ path, modified }: SessionInfo): string {
    const known = this.#texts.get(path);
    this.#texts.delete(path);
    if (known?.modified === modified) {
      this.#texts.set(path, known);
      return known.text;
    }
    const text = messagesIn(path);
    this.#characters += text.length - (known?.text.length ?? 0);
    this.#texts.set(path, { modified, text });
    for (const [oldest, { text: dropped }] of this.#texts) {
      if (this.#characters <= maxKeptCharacters) break;
      this.#texts.delete(oldest);
      this.#characters -= dropped.length;
    }
    return text;
  }
}

/** 0 where one of the words is nowhere. */
function scoreOf(info: SessionInfo, words: readonly string[], messages: () => string): number {
  const title = (info.title ?? "").toLowerCase();
  const first = info.firstMessage.toLowerCase();
  const places = `${info.cwd}\n${info.path}`.toLowerCase();
  let score = 0;
  for (const word of words) {
    const own =
      (info.id.startsWith(word) ? 100 : 0) ||
      (title.includes(word) ? 80 : 0) ||
      (first.includes(word) ? 60 : 0) ||
      (places.includes(word) ? 40 : 0) ||
      (messages().includes(word) ? 30 : 0) ||
      (isNear(title, word) ? 10 : 0) ||
      (isNear(first, word) || isNear(places, word) ? 5 : 0);
    if (own === 0) return 0;
    score += own;
  }
  return score;
}

/** Whether the letters of a word stand in a text in this order, within about twice its length. */
export function isNear(text: string, word: string): boolean {
  const widest = word.length * 2;
  for (let start = text.indexOf(word[0] ?? ""); start >= 0; start = text.indexOf(word[0] ?? "", start + 1)) {
    let at = start;
    let count = 1;
    while (count < word.length && at - start < widest) {
      at += 1;
      if (text[at] === word[count]) count += 1;
      if (at >= text.length) break;
    }
    if (count === word.length && word.length > 1) return true;
  }
  return false;
}

/** What the person and the model said, in small letters. */
function messagesIn(path: string): string {
  const text = attempt("read", path, () => endOf(path));
  if (isFault(text)) return "";
  // Parsing what cannot be a message would take most of the time.
  const lines = text.split("\n").filter((line) => /"role":"(?:user|assistant)"/.test(line));
  const said = lines.flatMap((line) => {
    const record = parseLine(line);
    const entry = record === undefined ? undefined : asEntry(record);
    return entry?.type === "message" ? contentText(entry.message.content) : [];
  });
  return said.join("\n").toLowerCase();
}

function endOf(path: string): string {
  const descriptor = openSync(path, "r");
  try {
    const buffer = Buffer.allocUnsafe(maxFileBytes);
    const { size } = fstatSync(descriptor);
    const count = readSync(descriptor, buffer, 0, buffer.length, Math.max(0, size - maxFileBytes));
    return buffer.toString("utf8", 0, count);
  } finally {
    closeSync(descriptor);
  }
}
