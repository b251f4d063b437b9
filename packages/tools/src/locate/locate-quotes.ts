// Replacements of quoted texts as edits of lines.
//
// A text must stand at exactly one place of what the model was shown, or is meant for all of them. Then that place is meant,
// and what changes is followed from there through everything that happened since; a copy that someone made elsewhere, or a
// neighbour that changed, does no harm. No two quotes may meet.

import { isFault } from "@stet/protocol/fault";
import type { LineEdit } from "@stet/text/edits";
import type { SeenDocument, Sight } from "../sight/sight.ts";
import { followedText, type LineRange } from "./followed-edits.ts";
import { lineEdits, type Replacement } from "./line-replacements.ts";
import { changedSince, isMiss, type Miss } from "./miss.ts";
import { type QuotePlace, quotePlaces } from "./quote.ts";
import { reworded } from "./reworded.ts";
import { type Bases, type Basis, basesOf, rawSource, type SourceText } from "./source-text.ts";
import { absent, atSeveral, onlyNow, rowsAt, type TextWords, textMiss, unlikeTheFile } from "./text-miss.ts";

export interface Quote {
  readonly old: string;
  readonly fresh: string;
  /** Every place is meant. */
  readonly isForAll: boolean;
  readonly words: TextWords;
}

export interface QuotesAim {
  readonly quotes: readonly Quote[];
  /** Whether any difference is forgiven (tolerance.ts). */
  readonly isTolerant: boolean;
}

/** Edits of lines of one revision. */
export interface LocatedEdits {
  readonly revision: number;
  readonly edits: readonly LineEdit[];
}

/** In the order in which they have to be made. */
export function locateQuotes(
  sight: Sight,
  document: SeenDocument,
  { quotes, isTolerant }: QuotesAim,
): LocatedEdits[] | Miss {
  const { path, history } = document;
  const bases = basesOf(sight, document, rawSource);
  const replacements = new Map<Basis, Replacement[]>();
  for (const [index, quote] of quotes.entries()) {
    const found = placesOf(bases, quote, isTolerant);
    if (isMiss(found)) return found;
    const { basis, places } = found;
    const made = replacementsOf(basis.source, quote, places, index);
    if (isMiss(made)) return made;
    replacements.set(basis, [...(replacements.get(basis) ?? []), ...made]);
  }
  const located: LocatedEdits[] = [];
  // What was found in an older revision first: the newest one is that of the text before the call.
  for (const [basis, list] of [...replacements].sort(([one], [other]) => one.revision - other.revision)) {
    list.sort((one, other) => one.from - other.from || one.to - other.to);
    const meeting = meetingMiss(basis.source, list, quotes);
    if (meeting !== undefined) return meeting;
    const edits = lineEdits(history, basis, list);
    if (isFault(edits)) return changedSince(path, edits);
    const after = followedText(history, basis.revision, edits);
    if (isFault(after)) return changedSince(path, after);
    if (edits.length > 0) located.push({ revision: basis.revision, edits });
  }
  return located;
}

interface FoundQuote {
  readonly basis: Basis;
  readonly places: readonly QuotePlace[];
}

function placesOf(
  { newest, likely }: Bases,
  { old, isForAll, words }: Quote,
  isTolerant: boolean,
): FoundQuote | Miss {
  const candidates = isForAll ? [newest] : likely;
  const now = () => quotePlaces(newest.source, old, isTolerant);
  const rows = ({ from, to }: QuotePlace) => rowsOf(newest.source, from, to);
  const found = firstFit(candidates, old, isTolerant);
  if (found === undefined) {
    const [chance] = candidates.includes(newest) ? [] : now();
    if (chance !== undefined) return onlyNow(words, rows(chance));
    return absent(words, newest.source, old.replace(/\n$/, "").split("\n"));
  }
  if (isForAll || found.places.length === 1) return found;
  const left = found.basis === newest ? found.places : now();
  const [only] = left;
  if (only === undefined) return absent(words, newest.source, old.replace(/\n$/, "").split("\n"));
  return left.length > 1
    ? atSeveral(words, left.map(rows))
    : wasAtSeveral(words, found.places.length, rows(only));
}

/** The first revision in which the text stands exactly; where there is none, in which it stands with other white space. */
function firstFit(candidates: readonly Basis[], old: string, isTolerant: boolean): FoundQuote | undefined {
  const exact = candidates.find(({ source }) => source.content.includes(old));
  for (const basis of exact === undefined ? candidates : [exact]) {
    const places = quotePlaces(basis.source, old, isTolerant);
    if (places.length > 0) return { basis, places };
  }
  return undefined;
}

function rowsOf(source: SourceText, from: number, to: number): LineRange {
  return rowsAt(source.lineAt(from), source.lineAt(Math.max(from, to - 1)));
}

/** What a quote does at its places. */
function replacementsOf(
  source: SourceText,
  { old, fresh, words }: Quote,
  places: readonly QuotePlace[],
  index: number,
): Replacement[] | Miss {
  const made: Replacement[] = [];
  let reached = 0;
  for (const { from: start, to: end, how, reindent } of places) {
    if (start < reached) continue;
    const trailing = how === "exact" ? trailingSpace(source, end, old, fresh) : undefined;
    const to = end + (trailing?.taken ?? 0);
    reached = to;
    const from = how === "exact" ? withIndent(source, start, old, fresh) : start;
    if (from === undefined) return withoutIndent(words, source.lineAt(start));
    if (joinsLines(source, to, old, fresh)) return joined(words, source.lineAt(to));
    const there = source.content.slice(from, to);
    const insert = trailing === undefined ? reworded(there, old, fresh, reindent) : trailing.fresh;
    if (insert === undefined) {
      const line = source.lineAt(from);
      return unlikeTheFile(words, rowsAt(line, line + there.split("\n").length - 1));
    }
    made.push({ from, to, insert, index });
  }
  return made;
}

/** Whether the line behind a text of whole lines would go on in the last line of the new one. Who means that quotes both. */
function joinsLines({ content }: SourceText, to: number, old: string, fresh: string): boolean {
  if (!old.endsWith("\n") || fresh === "" || fresh.endsWith("\n")) return false;
  return /[^\n]/.test(content[to] ?? "\n");
}

/**
 * Where a text really begins that was quoted without the indentation of its only line. A line that goes as a whole takes its
 * indentation along. Undefined where new lines would come without any, which may be meant or not.
 */
function withIndent(source: SourceText, from: number, old: string, fresh: string): number | undefined {
  const start = source.start(source.lineAt(from));
  const indent = source.content.slice(start, from);
  const bare = old.replace(/\n$/, "");
  if (indent === "" || indent.trim() !== "" || /^\s/.test(old) || bare.includes("\n")) return from;
  if (fresh === "") return old === bare ? from : start;
  const [, ...more] = fresh.split("\n");
  return more.every((line) => line.trim() === "" || line.startsWith(indent)) ? from : undefined;
}

/**
 * White space that is left at the end of the last quoted line: how much of it the edit takes, and the new text with it. It
 * belongs to that line. New text that ends in some brings its own; where whole lines become several, it stays behind the quoted
 * line if that is among them, and does not move on to the last one.
 */
function trailingSpace(
  source: SourceText,
  to: number,
  old: string,
  fresh: string,
): { readonly taken: number; readonly fresh: string } {
  const rest = /^[ \t]+(?=\n|$)/.exec(source.content.slice(to, to + 1000))?.[0] ?? "";
  if (/[ \t]$/.test(fresh)) return { taken: rest.length, fresh };
  const start = source.start(source.lineAt(to));
  const last = old.slice(old.lastIndexOf("\n") + 1);
  const isWholeLine = last.trim() !== "" && source.content.slice(start, to).trim() === last.trim();
  const lines = fresh.split("\n");
  if (rest === "" || !isWholeLine || lines.length === 1 || lines.at(-1) === last) return { taken: 0, fresh };
  const same = lines.lastIndexOf(last);
  const moved = lines.map((line, index) => (index === same ? line + rest : line));
  return { taken: rest.length, fresh: moved.join("\n") };
}

/** It was at several places when the model quoted it; which of them is left cannot be known. */
function wasAtSeveral(words: TextWords, total: number, place: LineRange): Miss {
  return textMiss(
    words,
    "ambiguous_match",
    `was at ${total} places of ${words.path} when you saw it, and is only in line ${place.from} now.`,
    "If that is the place, repeat the edit with more lines around it; otherwise read the file again.",
    [rowsAt(place.from - 1)],
    { lines: [place.from], total },
  );
}

function joined(words: TextWords, line: number): Miss {
  return textMiss(
    words,
    "invalid_arguments",
    `ends with a line break and new_text does not, so line ${line + 1} of ${words.path} would go on in its last line.`,
    "End both with a line break, or neither. To join the lines, quote that line, too.",
    [rowsAt(line)],
  );
}

/** Lines would come behind one that was quoted without its indentation, and have none. */
function withoutIndent(words: TextWords, line: number): Miss {
  return textMiss(
    words,
    "no_match",
    `begins behind the indentation of line ${line + 1} of ${words.path}, and new_text has lines with less.`,
    "Quote whole lines, and write every line of both texts with its full indentation.",
    [rowsAt(line)],
  );
}

function meetingMiss(
  source: SourceText,
  sorted: readonly Replacement[],
  quotes: readonly Quote[],
): Miss | undefined {
  for (const [at, one] of sorted.entries()) {
    const previous = sorted[at - 1];
    const words = quotes[previous?.index ?? 0]?.words;
    if (previous === undefined || words === undefined || previous.to <= one.from) continue;
    const line = source.lineAt(one.from) + 1;
    return {
      code: "invalid_arguments",
      what: `edits[${previous.index}] and edits[${one.index}] overlap in line ${line} of ${words.path}.`,
      suggestion:
        "Join them into one edit; every old_text is looked for in the file as it is before the call.",
      facts: { line },
    };
  }
  return undefined;
}
