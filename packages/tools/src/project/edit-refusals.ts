// What a model is told when its lines cannot be edited: the lines as they are now, with their numbers and their hash. What a
// refusal shows counts as shown, so the same edit with the right numbers or with that hash lands.

import type { Text } from "@codemirror/state";
import { Fault } from "@stet/protocol/fault";
import { hashLines } from "@stet/text/hash";
import { countLines, lineContent } from "@stet/text/lines";
import { excerptOf } from "../locate/excerpt.ts";
import type { Sight } from "../sight/sight.ts";
import type { ProjectFile } from "./project-file.ts";

/** Counted lines, 1-based and inclusive. */
export interface AimedLines {
  readonly from: number;
  readonly to: number;
}

/** A call, and what it is about. */
export interface EditCall {
  readonly sight: Sight;
  readonly file: ProjectFile;
  readonly edit: {
    readonly file_path: string;
    readonly start_line: number;
    readonly end_line?: number | undefined;
    readonly expected_hash?: string | undefined;
  };
}

/** Lines with the hash are looked for so far away, and so many of them are told. */
const nearby = 200;
const maxPlaces = 3;
/** Lines that go are told in one piece up to so many characters, beside the rows. */
const maxCurrent = 8000;

export function linesOutside(call: EditCall): Fault {
  const { start_line, end_line = start_line } = call.edit;
  const total = countLines(call.file.history.text);
  const range = start_line === end_line ? `line ${start_line}` : `lines ${start_line}-${end_line}`;
  const reason =
    start_line > end_line
      ? `The range ${start_line}-${end_line} ends before it starts.`
      : `${call.edit.file_path} has no ${range}: it has ${total} lines.`;
  const near = Math.max(1, Math.min(start_line, total));
  return new Fault(
    "invalid_line_range",
    `${reason} Nothing was changed.`,
    `Use the numbers that details.around shows. To add lines at the end, insert at line ${total + 1}.`,
    {
      requested_start: start_line,
      requested_end: end_line,
      document_lines: total,
      around: around(call, [{ from: near, to: near }]),
    },
  );
}

/** The lines that the model was shown are not there any more as they were. */
export function linesChanged(call: EditCall): Fault {
  const { start_line, end_line = start_line } = call.edit;
  const from = call.sight.nearest(call.file, start_line);
  const lines = withinText(call.file.history.text, { from, to: from + end_line - start_line });
  return new Fault(
    "conflict",
    `${named(call.edit, "is", "are")} not as shown to you, but changed since. Nothing was changed.`,
    "Look at details.around, and repeat the edit with the numbers there if it is still what you mean.",
    { ...current(call, lines), around: around(call, [lines]) },
  );
}

/** Nothing is changed unseen, unless the call confirms it. */
export function linesNotShown(call: EditCall, lines: AimedLines): Fault {
  return new Fault(
    "partly_read",
    `${named(call.edit, "was", "were")} not shown to you whole and in the present state. Nothing was changed.`,
    "details.around shows the lines. If they are what you mean, repeat the edit with their numbers and with expected_hash set to details.current_hash.",
    { ...current(call, lines), around: around(call, [lines]) },
  );
}

/** The hash is of other lines than these. */
export function otherHash(call: EditCall, lines: AimedLines): Fault {
  const { expected_hash = "" } = call.edit;
  const { text } = call.file.history;
  const count = lines.to - lines.from;
  const places = placesWith(text, lines.from, count, expected_hash);
  const [nearest, ...others] = places;
  const where = places.map((at) => (count === 0 ? `${at}` : `${at}-${at + count}`)).join(", ");
  const found =
    nearest === undefined || others.length > 0
      ? {}
      : { found_at: { start_line: nearest, end_line: nearest + count } };
  return new Fault(
    "conflict",
    `${named(call.edit, "is", "are")} not what the hash says: changed since, or another range.` +
      (nearest === undefined ? "" : ` Lines with that hash are now at ${where}.`),
    nearest === undefined
      ? "Look at details.current, and repeat the edit with details.current_hash if that is what you mean to change."
      : "Look at details.around, and repeat the edit where the lines are that you mean.",
    {
      ...found,
      ...current(call, lines),
      around: around(call, [lines, ...places.map((from) => ({ from, to: from + count }))]),
    },
  );
}

/** Most of a file goes at once. */
export function mostOfFile(call: EditCall, fault: Fault, lines: AimedLines): Fault {
  return new Fault(
    "large_deletion",
    `${fault.message} Nothing was changed.`,
    "If that is meant, repeat the edit with expected_hash set to details.current_hash. Otherwise check the line range.",
    { ...fault.details, ...current(call, lines) },
  );
}

/** The lines as the subject of a sentence, with the verb for one or for several. */
function named(
  { file_path, start_line, end_line = start_line }: EditCall["edit"],
  one: string,
  several: string,
): string {
  return start_line === end_line
    ? `Line ${start_line} of ${file_path} ${one}`
    : `Lines ${start_line}-${end_line} of ${file_path} ${several}`;
}

/** The lines themselves, where they are few, and what confirms an edit of them. */
function current({ sight, file }: EditCall, { from, to }: AimedLines): Record<string, unknown> {
  const { text } = file.history;
  const lines: string[] = [];
  let length = 0;
  for (let line = from; line <= to && length <= maxCurrent; line += 1) {
    const content = lineContent(text, line - 1);
    length += content.length + 1;
    lines.push(content);
  }
  const isShown = length <= maxCurrent;
  if (isShown) sight.show(file, from, to);
  const shown = isShown ? { current: lines.join("\n") } : {};
  return { start_line: from, end_line: to, ...shown, current_hash: hashLines(text, from, to) };
}

function around({ sight, file }: EditCall, spans: readonly AimedLines[]): string {
  const rows = excerptOf(sight, file, spans);
  return rows.map(({ line, content, isWhole }) => `${line}|${content}${isWhole ? "" : "…"}`).join("\n");
}

function withinText(text: Text, { from, to }: AimedLines): AimedLines {
  const total = countLines(text);
  const first = Math.max(1, Math.min(from, total));
  return { from: first, to: Math.max(first, Math.min(to, total)) };
}

function placesWith(text: Text, start: number, count: number, hash: string): number[] {
  const total = countLines(text);
  const found: number[] = [];
  const take = (at: number) => {
    const isThere = at >= 1 && at + count <= total;
    if (found.length < maxPlaces && isThere && hashLines(text, at, at + count) === hash) found.push(at);
  };
  take(start);
  for (let distance = 1; distance <= nearby; distance += 1) {
    take(start - distance);
    take(start + distance);
  }
  return found;
}
