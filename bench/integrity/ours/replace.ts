// Edits by quoting, as a writer makes them who copies the text from what was read, and enough of it to be at one place only.

import { replaceEdit } from "../../../packages/tools/src/code/edit/replace/replace-edit.ts";
import type { Case } from "../cases.ts";
import {
  type IntendedChange,
  isOfAnotherPlace,
  occurrences,
  placesOf,
  type Quoted,
} from "../intended-changes.ts";
import { carelessly, type WrittenEdit } from "../slips.ts";
import type { CodeFormat, Input } from "./code-format.ts";
import { wantedFor } from "./hashline.ts";
import { refusalIn, ToldRows } from "./refusal-rows.ts";

export const replace: CodeFormat = {
  name: "stet code: replace",
  about:
    "The old text is looked for in what the model was shown, with other white space or typography if it must, and followed " +
    "from there. One that stands only in what others wrote since is shown before it is taken.",
  mode: "replace",
  tool: replaceEdit,
  needs: (one) => quotesOf(one)?.map(({ at, old }) => [at, at + old.length - 1]),
  write({ one, path }) {
    const quotes = quotesOf(one);
    if (quotes === undefined) return undefined;
    const careless = quotes.map((quote) => carelessly(quote, one.slip));
    // A slip needs one place that has room for it; the others are written well.
    if (careless.every((written) => written === undefined)) return undefined;
    if (careless.some((written) => written !== undefined && isOfAnotherPlace(one, written.old)))
      return undefined;
    return inputOf(
      path,
      quotes.map((quote, index) => ({ ...quote, ...careless[index] })),
    );
  },
  rewrite({ one, path }, answer) {
    const refusal = refusalIn(answer);
    const quotes = quotesOf(one);
    if (refusal === undefined || quotes === undefined) return undefined;
    if (refusal.error === "invalid_arguments" || /abbreviated/.test(refusal.message))
      return inputOf(path, quotes);
    const rows = new ToldRows(refusal);
    let isFresh = false;
    const shown = placesFromRows(rows, one, (place, index) => contextOf(quotes[index], place));
    const fresh = placesOf(one).map((_, index) => {
      const careful = quotes[index];
      const quote = careful !== undefined && isShown(rows, careful) ? careful : shown[index];
      isFresh ||= quote !== undefined;
      return quote ?? quotes[index];
    });
    // Who is told that a quote stands at many places, or only something like it at others, copies it again from what was seen.
    return isFresh || ["ambiguous_match", "no_match"].includes(refusal.error)
      ? inputOf(
          path,
          fresh.flatMap((quote) => quote ?? []),
        )
      : undefined;
  },
};

const mostContext = 25;

/** A block for each place that is at one place of the seen text only, also as a part of lines. */
export function quotesOf(one: Case): Quoted[] | undefined {
  const lines = one.seen.lines.map(({ text }) => text);
  const bare = lines.map((line) => line.trim());
  const whole = `${lines.join("\n")}\n`;
  const quotes: Quoted[] = [];
  for (const place of placesOf(one)) {
    const quote = quoteOf(lines, bare, whole, place);
    if (quote === undefined) return undefined;
    quotes.push(quote);
  }
  // Blocks that meet would have to be one.
  const meets = quotes.some((quote, index) => {
    const before = quotes[index - 1];
    return before !== undefined && before.at + before.old.length > quote.at;
  });
  return meets ? undefined : quotes;
}

function quoteOf(
  lines: readonly string[],
  bare: readonly string[],
  whole: string,
  { at, removed, added }: IntendedChange,
): Quoted | undefined {
  for (let context = removed.length === 0 ? 1 : 0; context <= mostContext; context += 1) {
    const from = Math.max(0, at - context);
    const to = Math.min(lines.length, at + removed.length + context);
    const old = lines.slice(from, to);
    const replacement = [...lines.slice(from, at), ...added, ...lines.slice(at + removed.length, to)];
    // What becomes nothing at all takes its line break along, which the last line may not have.
    if (replacement.length === 0 && to === lines.length) continue;
    // A blank line at the end of a text cannot be told from the end of the line before.
    if (old.at(-1)?.trim() === "" && to < lines.length) continue;
    // A quote of brackets only, or one that stands elsewhere with other indentation, is not clear.
    if (!old.some((line) => /[\p{L}\p{N}]/u.test(line))) continue;
    const text = textOf(old, replacement);
    if (whole.indexOf(text) === whole.lastIndexOf(text) && standsOnce(bare, old))
      return { old, replacement, at: from };
  }
  return undefined;
}

function standsOnce(bare: readonly string[], old: readonly string[]): boolean {
  if (old.length === 1) return true;
  return (
    occurrences(
      bare,
      old.map((line) => line.trim()),
    ) === 1
  );
}

function textOf(old: readonly string[], replacement: readonly string[]): string {
  return old.join("\n") + (replacement.length === 0 ? "\n" : "");
}

function inputOf(path: string, quotes: readonly WrittenEdit[]): Input {
  const edits = quotes.map(({ old, replacement }) => ({
    old_text: textOf(old, replacement),
    new_text: replacement.join("\n"),
  }));
  return { path, edits };
}

/** Whether a refusal shows a careful quote as it was meant. */
function isShown(rows: ToldRows, { old, at }: Quoted): boolean {
  return rows.find({ block: old, before: [], after: [], seenAt: at, isOnly: true }) !== undefined;
}

const toldContext = 3;

/** How many lines around a place a careful quote has. */
function contextOf(quote: Quoted | undefined, { at, removed }: IntendedChange): number {
  if (quote === undefined) return 0;
  return Math.max(at - quote.at, quote.at + quote.old.length - at - removed.length);
}

/** The places as the refusal shows them, with what is shown around; undefined for those that it does not show. */
export function placesFromRows(
  rows: ToldRows,
  one: Case,
  contextFor: (place: IntendedChange, index: number) => number,
): (Quoted | undefined)[] {
  const places = placesOf(one);
  const found = rows.findAll(places.map((place) => wantedFor(one, place)));
  return places.map((place, index) => {
    if (place.removed.length === 0 && place.at === 0) return startFromRows(rows, place);
    const at = found[index];
    const context = Math.max(toldContext, contextFor(place, index));
    return at === undefined ? undefined : fromRows(rows, wantedFor(one, place).block, place, at, context);
  });
}

function fromRows(
  rows: ToldRows,
  named: readonly string[],
  place: IntendedChange,
  at: number,
  context: number,
): Quoted {
  let from = at;
  while (at - from < context && rows.text(from - 1) !== undefined) from -= 1;
  let to = at + named.length;
  while (to - at - named.length < context && rows.text(to) !== undefined) to += 1;
  const texts = (start: number, end: number) =>
    Array.from({ length: end - start }, (_, offset) => rows.text(start + offset) ?? "");
  const above = texts(from, at);
  const below = texts(at + named.length, to);
  const kept = place.removed.length > 0 ? [] : named;
  return {
    at: from,
    old: [...above, ...named, ...below],
    replacement: [...above, ...kept, ...place.added, ...below],
  };
}

/** The first lines of the file, as the refusal shows them. */
function startFromRows(rows: ToldRows, { added }: IntendedChange): Quoted | undefined {
  const old: string[] = [];
  for (let line = 0; line < toldContext; line += 1) {
    const text = rows.text(line);
    if (text === undefined) break;
    old.push(text);
  }
  return old.length === 0 ? undefined : { at: 0, old, replacement: [...added, ...old] };
}
