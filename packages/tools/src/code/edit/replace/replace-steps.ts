// Replacements of text as the step that changes their file.
//
// All edits are looked for in the file as it is now, none in what another one leaves. Each must stand at exactly one place,
// or is meant for all of them; no two may meet. What changes is written as the smallest line edits.

import type { Text } from "@codemirror/state";
import { Fault, isFault } from "@stet/protocol/fault";
import type { LineEdit } from "@stet/text/edits";
import { type History, textAt } from "@stet/text/history";
import { countLines } from "@stet/text/lines";
import { noChange } from "../edit-faults.ts";
import { replacedLines } from "../replaced-lines.ts";
import { findPlaces, lineOf, type PlainText, plainText } from "./find-places.ts";
import { ambiguous, isPlaceholder, nameOf, noMatch, wasAmbiguous } from "./match-faults.ts";
import { reworded } from "./reworded.ts";

export interface TextEdit {
  readonly old_text: string;
  readonly new_text: string;
  readonly all?: boolean | undefined;
}

/** What the edits are made on. */
export interface Ground {
  readonly path: string;
  readonly history: History;
  /** The revision that the model was shown; the newest where the file was never shown. */
  readonly shown: number;
  readonly isTolerant: boolean;
}

/** Characters `[from, to)` of the content, and what goes there instead. */
interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
  /** Which edit of the call. */
  readonly index: number;
}

export function planReplacements(ground: Ground, edits: readonly TextEdit[]): LineEdit[] | Fault {
  const { text } = ground.history;
  const file = plainText(text);
  const replacements: Replacement[] = [];
  for (const index of edits.keys()) {
    const found = replacementsOf(ground, file, edits, index);
    if (isFault(found)) return found;
    replacements.push(...found);
  }
  replacements.sort((one, other) => one.from - other.from || one.to - other.to);
  const meeting = meetingFault(ground.path, file, replacements);
  if (meeting !== undefined) return meeting;
  const planned = lineEdits(text, file, replacements);
  return planned.length === 0 ? noChange(ground.path) : planned;
}

function replacementsOf(
  ground: Ground,
  file: PlainText,
  edits: readonly TextEdit[],
  index: number,
): Replacement[] | Fault {
  const { path, isTolerant } = ground;
  const edit = edits[index];
  if (edit === undefined) return [];
  const name = nameOf(index, edits.length);
  const old = plainBreaks(file, edit.old_text);
  const fresh = plainBreaks(file, edit.new_text);
  if (old === "") return emptyOld(path, name, file);
  const places = findPlaces(file, old, isTolerant);
  const [first] = places;
  if (first === undefined) return noMatch(path, name, file, old);
  if (edit.all !== true) {
    if (places.length > 1) return ambiguous(path, name, file, places);
    const before = placesWhenShown(ground, old);
    if (before > 1) return wasAmbiguous(path, name, before, lineOf(file, first.from) + 1);
  }
  const placeholder = fresh.split("\n").find(isPlaceholder);
  if (placeholder !== undefined && !old.includes(placeholder.trim())) return abbreviated(name, placeholder);
  let reached = 0;
  return places.flatMap(({ from, to, kind, reindent }) => {
    if (from < reached) return [];
    reached = to;
    const insert = kind === "exact" ? fresh : reworded(file.content.slice(from, to), old, fresh, reindent);
    return [{ from, to, insert, index }];
  });
}

/** Line ends never count, except a lone "\r" where the file has such inside of its lines. */
function plainBreaks(file: PlainText, text: string): string {
  const plain = text.replaceAll("\r\n", "\n");
  return plain.includes("\r") && !file.content.includes("\r") ? plain.replaceAll("\r", "\n") : plain;
}

/** At how many places the text was when the model saw the file. */
function placesWhenShown({ history, shown, isTolerant }: Ground, old: string): number {
  if (shown === history.revision) return 1;
  const text = textAt(history, shown);
  return isFault(text) ? 1 : findPlaces(plainText(text), old, isTolerant).length;
}

function emptyOld(path: string, name: string, file: PlainText): Fault {
  return new Fault(
    "content_required",
    `${name} is empty, but ${path} has ${file.lines.length} lines. Nothing was changed.`,
    "Quote the text to replace. To insert, quote a line beside the place and repeat it in new_text.",
    { path },
  );
}

function abbreviated(name: string, line: string): Fault {
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

function lineEdits(text: Text, file: PlainText, sorted: readonly Replacement[]): LineEdit[] {
  const edits: LineEdit[] = [];
  const counted = countLines(text);
  for (const { first, last, lines } of blocksOf(file, sorted)) {
    // Behind a final line break stands an empty raw line, which is no line: it must stay, and none may come.
    const isAtEnd = last === text.lines - 1;
    const isPhantom = last === counted;
    const keepsEnd = !isAtEnd || (lines.at(-1) === "") === isPhantom;
    if (!keepsEnd) return [{ op: "set", content: replaced(file, sorted) }];
    const fresh = isPhantom ? lines.slice(0, -1) : lines;
    edits.push(...replacedLines(text, first + 1, isPhantom ? last : last + 1, fresh));
  }
  return edits;
}

/** Whole raw lines, 0-based and inclusive, that replacements touch, and what they become. */
interface Block {
  readonly first: number;
  readonly last: number;
  readonly lines: readonly string[];
}

function blocksOf(file: PlainText, sorted: readonly Replacement[]): Block[] {
  const groups: { first: number; last: number; list: Replacement[] }[] = [];
  for (const one of sorted) {
    const first = lineOf(file, one.from);
    const last = lineOf(file, one.to);
    const group = groups.at(-1);
    if (group !== undefined && first <= group.last) {
      group.last = Math.max(group.last, last);
      group.list.push(one);
    } else groups.push({ first, last, list: [one] });
  }
  return groups.map(({ first, last, list }) => {
    const from = file.starts[first] ?? 0;
    const to = (file.starts[last] ?? 0) + (file.lines[last] ?? "").length;
    return { first, last, lines: replaced(file, list, from, to).split("\n") };
  });
}

function replaced(
  { content }: PlainText,
  sorted: readonly Replacement[],
  from = 0,
  to = content.length,
): string {
  let result = "";
  let at = from;
  for (const one of sorted) {
    result += content.slice(at, one.from) + one.insert;
    at = one.to;
  }
  return result + content.slice(at, to);
}
