// What a model is told when its lines cannot be edited: the lines as they are now, with their numbers and their hash. What a
// refusal shows counts as shown, so the same edit with the right numbers or with that hash lands.

import { Fault } from "@stet/protocol/fault";
import { hashLines } from "@stet/text/hash";
import { countLines, lineContent } from "@stet/text/lines";
import { excerptOf } from "../locate/excerpt.ts";
import type { LineRange } from "../locate/followed-edits.ts";
import type { LinesMiss } from "../locate/locate-lines.ts";
import type { Sight } from "../sight/sight.ts";
import type { ProjectFile } from "./project-file.ts";

/** A call, and what it is about. */
export interface EditCall {
  readonly sight: Sight;
  readonly file: ProjectFile;
  readonly edit: {
    readonly file_path: string;
    readonly start_line: number;
    readonly end_line?: number | undefined;
  };
}

/** Lines that go are told in one piece up to so many characters, beside the rows. */
const maxCurrent = 8000;

export function refused(call: EditCall, miss: LinesMiss): Fault {
  const { file_path: path, start_line: start, end_line: end = start } = call.edit;
  const isOne = start === end;
  const named = isOne ? `Line ${start} of ${path}` : `Lines ${start}-${end} of ${path}`;
  const [is, was] = isOne ? ["is", "was"] : ["are", "were"];
  const total = countLines(call.file.history.text);
  const [lines] = miss.places;
  const shown = { ...current(call, lines), around: around(call, miss.places) };
  switch (miss.reason) {
    case "outside":
      return new Fault(
        miss.code,
        (start > end
          ? `The range ${start}-${end} ends before it starts.`
          : `${path} has no ${isOne ? `line ${start}` : `lines ${start}-${end}`}: it has ${total} lines.`) +
          " Nothing was changed.",
        `Use the numbers that details.around shows. To add lines at the end, insert at line ${total + 1}.`,
        { requested_start: start, requested_end: end, document_lines: total, around: shown.around },
      );
    case "unseen":
      return new Fault(
        miss.code,
        `${named} ${was} not shown to you whole and in the present state. Nothing was changed.`,
        "details.around shows the lines. If they are what you mean, repeat the edit with their numbers and with expected_hash set to details.current_hash.",
        shown,
      );
    case "other hash": {
      const [nearest, ...others] = miss.places.slice(1);
      const found = nearest && { found_at: { start_line: nearest.from, end_line: nearest.to } };
      const where = miss.places.slice(1).map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`));
      return new Fault(
        miss.code,
        `${named} ${is} not what the hash says: changed since, or another range.` +
          (nearest === undefined ? "" : ` Lines with that hash are now at ${where.join(", ")}.`),
        nearest === undefined
          ? "Look at details.current, and repeat the edit with details.current_hash if that is what you mean to change."
          : "Look at details.around, and repeat the edit where the lines are that you mean.",
        { ...(others.length > 0 ? {} : found), ...shown },
      );
    }
    default:
      return new Fault(
        miss.code,
        `${named} ${is} not as shown to you, but changed since. Nothing was changed.`,
        "Look at details.around, and repeat the edit with the numbers there if it is still what you mean.",
        shown,
      );
  }
}

/** Most of a file goes at once. */
export function mostOfFile(call: EditCall, fault: Fault, lines: LineRange): Fault {
  return new Fault(
    "large_deletion",
    `${fault.message} Nothing was changed.`,
    "If that is meant, repeat the edit with expected_hash set to details.current_hash. Otherwise check the line range.",
    { ...fault.details, ...current(call, lines) },
  );
}

/** The lines themselves, where they are few, and what confirms an edit of them. */
function current({ sight, file }: EditCall, lines: LineRange | undefined): Record<string, unknown> {
  const { text } = file.history;
  if (lines === undefined || countLines(text) === 0) return {};
  const { from, to } = lines;
  let whole = "";
  for (let line = from; line <= to && whole.length <= maxCurrent; line += 1)
    whole += `${lineContent(text, line - 1)}\n`;
  const isShown = whole.length <= maxCurrent;
  if (isShown) sight.show(file, from, to);
  const shown = isShown ? { current: whole.slice(0, -1) } : {};
  return { start_line: from, end_line: to, ...shown, current_hash: hashLines(text, from, to) };
}

function around({ sight, file }: EditCall, places: readonly LineRange[]): string {
  const rows = excerptOf(sight, file, places);
  return rows.map(({ line, content, isWhole }) => `${line}|${content}${isWhole ? "" : "…"}`).join("\n");
}
