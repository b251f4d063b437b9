// Replacements of text as edits of lines.
//
// A model quotes what it was shown, so that is where a text is looked for (meant-revisions.ts). Where it stands at one place,
// that place is meant, and what changes is followed from there through everything that happened since; a copy that someone
// made elsewhere, or a neighbour that changed, does no harm. A text that is only in what nobody has shown fits there by chance:
// it is shown, and taken when it comes again. It must stand at exactly one place, or is meant for all of them; no two edits
// may meet.

import { Fault, isFault } from "@stet/protocol/fault";
import type { LineEdit } from "@stet/text/edits";
import { type History, textAt } from "@stet/text/history";
import { isPlaceholder } from "../../../locate/abbreviated.ts";
import type { Refuse } from "../../../locate/miss.ts";
import { reworded } from "../../../locate/reworded.ts";
import { noChange } from "../edit-faults.ts";
import { type FoundPlace, findPlaces, lineOf, type PlainText, plainText } from "./find-places.ts";
import { lineEdits, type Replacement } from "./line-replacements.ts";
import {
  ambiguous,
  joined,
  nameOf,
  noMatch,
  notAsShown,
  unlikeTheFile,
  wasAmbiguous,
  withoutIndent,
} from "./match-faults.ts";

export interface TextEdit {
  readonly old_text: string;
  readonly new_text: string;
  readonly all?: boolean | undefined;
}

/** What the edits are made on. */
export interface Ground {
  readonly path: string;
  readonly history: History;
  /** The revisions that the model can have meant, the likeliest first. */
  readonly meant: readonly number[];
  readonly isTolerant: boolean;
  readonly refuse: Refuse;
}

/** Edits of lines of one revision. */
export interface PlannedEdits {
  readonly revision: number;
  readonly edits: readonly LineEdit[];
}

/** How many revisions are looked into. */
const maxRevisions = 9;

/** A revision of the file, and what is replaced in it. */
interface Basis {
  readonly revision: number;
  readonly file: PlainText;
  readonly replacements: Replacement[];
}

/** In the order in which they have to be made. */
export function planReplacements(ground: Ground, edits: readonly TextEdit[]): PlannedEdits[] | Fault {
  const bases = basesOf(ground);
  for (const index of edits.keys()) {
    const fault = place(ground, bases, edits, index);
    if (fault !== undefined) return fault;
  }
  const planned: PlannedEdits[] = [];
  // What was found in an older revision first: the newest one is that of the text before the call.
  for (const { revision, file, replacements } of bases.all) {
    replacements.sort((one, other) => one.from - other.from || one.to - other.to);
    const meeting = meetingFault(ground.path, file, replacements);
    if (meeting !== undefined) return meeting;
    const found = lineEdits(ground, revision, file, replacements);
    if (isFault(found)) return found;
    if (found.length > 0) planned.push({ revision, edits: found });
  }
  return planned.length === 0 ? noChange(ground.path) : planned;
}

interface Bases {
  readonly newest: Basis;
  /** Those that can be meant, the likeliest first. */
  readonly meant: readonly Basis[];
  /** All of them, the newest last. */
  readonly all: readonly Basis[];
}

function basesOf({ history, meant }: Ground): Bases {
  const newest: Basis = { revision: history.revision, file: plainText(history.text), replacements: [] };
  const bases = meant.slice(0, maxRevisions).flatMap((revision): Basis[] => {
    if (revision === newest.revision) return [newest];
    const text = textAt(history, revision);
    return isFault(text) ? [] : [{ revision, file: plainText(text), replacements: [] }];
  });
  const older = bases.filter((basis) => basis !== newest);
  older.sort((one, other) => one.revision - other.revision);
  return { newest, meant: bases.length > 0 ? bases : [newest], all: [...older, newest] };
}

/** Finds where an edit belongs, and notes what it does there. */
function place(
  { path, isTolerant, refuse }: Ground,
  { newest, meant }: Bases,
  edits: readonly TextEdit[],
  index: number,
): Fault | undefined {
  const edit = edits[index];
  if (edit === undefined) return undefined;
  const name = nameOf(index, edits.length);
  const { file } = newest;
  const old = plainBreaks(file, edit.old_text);
  const fresh = plainBreaks(file, edit.new_text);
  if (old === "") return emptyOld(path, name, file);
  const candidates = edit.all === true ? [newest] : meant;
  const found = findIn(candidates, old, isTolerant);
  if (found === undefined) {
    const [chance] = candidates.includes(newest) ? [] : findPlaces(file, old, isTolerant);
    if (chance === undefined) return refuse(noMatch(path, name, file, old));
    return refuse(notAsShown(path, name, lineOf(file, chance.from), lineOf(file, chance.to - 1)));
  }
  const { basis, places } = found;
  if (edit.all !== true && places.length > 1) {
    const now = basis === newest ? places : findPlaces(file, old, isTolerant);
    const [left] = now;
    if (left === undefined) return refuse(noMatch(path, name, file, old));
    if (now.length > 1) return refuse(ambiguous(path, name, file, now));
    return refuse(wasAmbiguous(path, name, places.length, lineOf(file, left.from)));
  }
  const placeholder = fresh.split("\n").find(isPlaceholder);
  if (placeholder !== undefined && !old.includes(placeholder.trim())) return leavesOut(name, placeholder);
  let reached = 0;
  for (const { from: start, to: end, kind, reindent } of places) {
    if (start < reached) continue;
    const trailing = kind === "exact" ? trailingSpace(basis.file, end, old, fresh) : undefined;
    const to = end + (trailing?.taken ?? 0);
    reached = to;
    const from = kind === "exact" ? withIndent(basis.file, start, old, fresh) : start;
    if (from === undefined) return refuse(withoutIndent(path, name, lineOf(basis.file, start)));
    const there = basis.file.content.slice(from, to);
    if (joinsLines(basis.file, to, old, fresh)) return refuse(joined(path, name, lineOf(basis.file, to)));
    const insert = trailing !== undefined ? trailing.fresh : reworded(there, old, fresh, reindent);
    if (insert === undefined) return refuse(unlikeTheFile(path, name, lineOf(basis.file, from), there));
    basis.replacements.push({ from, to, insert, index });
  }
  return undefined;
}

/** The first basis in which the text stands exactly; where there is none, in which it stands with other white space. */
function findIn(
  candidates: readonly Basis[],
  old: string,
  isTolerant: boolean,
): { readonly basis: Basis; readonly places: readonly FoundPlace[] } | undefined {
  const exact = candidates.find(({ file }) => file.content.includes(old));
  for (const basis of exact === undefined ? candidates : [exact]) {
    const places = findPlaces(basis.file, old, isTolerant);
    if (places.length > 0) return { basis, places };
  }
  return undefined;
}

/** Whether the line behind a text of whole lines would go on in the last line of the new one. Who means that quotes both. */
function joinsLines({ content }: PlainText, to: number, old: string, fresh: string): boolean {
  if (!old.endsWith("\n") || fresh === "" || fresh.endsWith("\n")) return false;
  return /[^\n]/.test(content[to] ?? "\n");
}

/**
 * Where a text really begins that was quoted without the indentation of its only line. A line that goes as a whole takes its
 * indentation along. Undefined where new lines would come without any, which may be meant or not.
 */
function withIndent(file: PlainText, from: number, old: string, fresh: string): number | undefined {
  const start = file.starts[lineOf(file, from)] ?? 0;
  const indent = file.content.slice(start, from);
  const quoted = old.replace(/\n$/, "");
  if (indent === "" || indent.trim() !== "" || /^\s/.test(old) || quoted.includes("\n")) return from;
  if (fresh === "") return old === quoted ? from : start;
  const [, ...more] = fresh.split("\n");
  return more.every((line) => line.trim() === "" || line.startsWith(indent)) ? from : undefined;
}

/**
 * White space that is left at the end of the last quoted line: how much of it the edit takes, and the new text with it. It
 * belongs to that line. New text that ends in some brings its own; where whole lines become several, it stays behind the quoted
 * line if that is among them, and does not move on to the last one.
 */
function trailingSpace(
  file: PlainText,
  to: number,
  old: string,
  fresh: string,
): { readonly taken: number; readonly fresh: string } {
  const rest = /^[ \t]+(?=\n|$)/.exec(file.content.slice(to, to + 1000))?.[0] ?? "";
  if (/[ \t]$/.test(fresh)) return { taken: rest.length, fresh };
  const start = file.starts[lineOf(file, to)] ?? 0;
  const quoted = old.slice(old.lastIndexOf("\n") + 1);
  const isWholeLine = quoted.trim() !== "" && file.content.slice(start, to).trim() === quoted.trim();
  const lines = fresh.split("\n");
  if (rest === "" || !isWholeLine || lines.length === 1 || lines.at(-1) === quoted)
    return { taken: 0, fresh };
  const same = lines.lastIndexOf(quoted);
  const moved = lines.map((line, index) => (index === same ? line + rest : line));
  return { taken: rest.length, fresh: moved.join("\n") };
}

/** Line ends never count, except a lone "\r" where the file has such inside of its lines. */
function plainBreaks(file: PlainText, text: string): string {
  const plain = text.replaceAll("\r\n", "\n");
  return plain.includes("\r") && !file.content.includes("\r") ? plain.replaceAll("\r", "\n") : plain;
}

function emptyOld(path: string, name: string, file: PlainText): Fault {
  return new Fault(
    "content_required",
    `${name} is empty, but ${path} has ${file.lines.length} lines. Nothing was changed.`,
    "Quote the text to replace. To insert, quote a line beside the place and repeat it in new_text.",
    { path },
  );
}

function leavesOut(name: string, line: string): Fault {
  return new Fault(
    "invalid_arguments",
    `The new_text for ${name} leaves lines out: ${JSON.stringify(line.trim().slice(0, 120))}. Nothing was changed.`,
    "Write every line in full: what is not in new_text is deleted. Quote less in old_text to write less.",
  );
}

function meetingFault(path: string, file: PlainText, sorted: readonly Replacement[]): Fault | undefined {
  for (const [at, one] of sorted.entries()) {
    const previous = sorted[at - 1];
    if (previous === undefined || previous.to <= one.from) continue;
    const line = lineOf(file, one.from) + 1;
    return new Fault(
      "invalid_arguments",
      `edits[${previous.index}] and edits[${one.index}] overlap in line ${line} of ${path}. Nothing was changed.`,
      "Join them into one edit; every old_text is looked for in the file as it is before the call.",
      { path, line },
    );
  }
  return undefined;
}
