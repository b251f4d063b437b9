// Line edits as the two ways of writing them that the practice model knows of toolset code's `edit`. All edits refer to the
// file as it was read.
//
//   hashline   ops by anchors: ≔A..B replaces or deletes, «A inserts before, »EOF at the end. The tool takes lines of a
//              payload away that repeat the neighbours of their place, as copied by mistake. Where they are meant, each
//              line is an op of its own, which is taken as it is
//   replace    quotations of whole lines, each grown until it stands at one place only, and joined where they overlap

import type { CodeState } from "./code-state.ts";
import { altered, bottomUp, editedAll, firstLine } from "./edits.ts";
import { type Fields, Obstacle, type Steps } from "./steps.ts";
import type { EditOptions, LineEdit, Reading } from "./toolset.ts";

export function* editFile(
  state: CodeState,
  reading: Reading,
  edits: readonly LineEdit[],
  options: EditOptions,
): Steps<Obstacle | undefined> {
  const values = valuesOf(state, reading, edits);
  if (values instanceof Obstacle) return values;
  const text = yield* state.ask("edit", options.thought, values);
  if (text instanceof Obstacle) return refused(text);
  const at = text.indexOf("\nWarnings:\n");
  if (at < 0) return undefined;
  const [warning = ""] = text.slice(at + "\nWarnings:\n".length).split("\n", 1);
  return new Obstacle(altered, `The edit was made, but not quite as I meant it: ${warning}`);
}

/** What does not fit any more is a file that has moved on; the lines around it are for the model only. */
function refused({ code, sentence }: Obstacle): Obstacle {
  const isMoved = /^(?:stale_anchor|invalid_line_range|no_match|ambiguous_match)$/.test(code);
  return isMoved
    ? new Obstacle("stale_anchor", sentence.split("\n", 1)[0] ?? sentence)
    : new Obstacle(code, sentence);
}

function valuesOf(state: CodeState, reading: Reading, edits: readonly LineEdit[]): Fields | Obstacle {
  const { path, lines } = reading;
  const secret = edits.find((edit) => replacedBy(edit, lines).some((line) => line.includes("[redacted:")));
  if (secret !== undefined) {
    return new Obstacle(
      "not_readable",
      `Line ${firstLine(secret)} of ${path} holds a secret that I am not shown, so I leave the file as it is.`,
    );
  }
  if (state.mode === "hashline") {
    const input = hashlineInput(path, lines, state.anchors.get(path) ?? [], edits);
    return input instanceof Obstacle ? input : { input };
  }
  if (state.mode === "replace") return { path, edits: quotations(lines, edits) };
  return new Obstacle(
    "not_offered",
    "The tool edit is set to a mode that I do not know: the practice model edits in the modes hashline and replace only. Choose one of them with the setting edit.mode.",
  );
}

/** The lines whose text an edit takes over. */
function replacedBy(edit: LineEdit, lines: readonly string[]): readonly string[] {
  return edit.operation === "replace" ? lines.slice(edit.first - 1, edit.last) : [];
}

function hashlineInput(
  path: string,
  lines: readonly string[],
  anchors: readonly string[],
  edits: readonly LineEdit[],
): string | Obstacle {
  const rows = [`§${path}`];
  for (const edit of bottomUp(edits).reverse()) {
    const payload = edit.operation === "delete" ? [] : edit.text.split("\n");
    const mark = payload.find(isMark);
    if (mark !== undefined) {
      return new Obstacle(
        "invalid_patch",
        `I cannot write the line “${mark.slice(0, 40)}”: for the tool edit it would be an instruction. I left ${path} as it is.`,
      );
    }
    const ops = opsOf(edit, lines, anchors, payload);
    if (ops === undefined) {
      return new Obstacle(
        "not_readable",
        `The lines of ${path} are shown without anchors, so it cannot be edited by lines. I left it as it is.`,
      );
    }
    rows.push(...ops);
  }
  return `${rows.join("\n")}\n`;
}

/** Undefined where a line has no anchor. */
function opsOf(
  edit: LineEdit,
  lines: readonly string[],
  anchors: readonly string[],
  payload: readonly string[],
): readonly string[] | undefined {
  const anchorOf = (line: number) => anchors[line - 1] || undefined;
  if (edit.operation === "insert") {
    const { before } = edit;
    const end = lines.length === 0 ? "»BOF" : "»EOF";
    const anchor = anchorOf(before);
    const op = before > lines.length ? end : anchor === undefined ? undefined : `«${anchor}`;
    if (op === undefined) return undefined;
    return isRepeating(payload, lines, before - 1, before)
      ? payload.flatMap((line) => [op, line])
      : [op, ...payload];
  }
  const [first, last] = [anchorOf(edit.first), anchorOf(edit.last)];
  if (first === undefined || last === undefined) return undefined;
  const range = edit.first === edit.last ? `≔${first}` : `≔${first}..${last}`;
  if (!isRepeating(payload, lines, edit.first - 1, edit.last + 1)) return [range, ...payload];
  const [line = "", ...rest] = payload;
  return [range, line, ...rest.flatMap((other) => [`»${last}`, other])];
}

/** Whether the tool may take a line of the payload for a copy of its neighbours. */
function isRepeating(payload: readonly string[], lines: readonly string[], before: number, behind: number) {
  const neighbours = [lines[before - 1], lines[behind - 1]];
  return payload.length > 1 && neighbours.some((line) => line !== undefined && payload.includes(line));
}

/** Whether a line of a payload would be read as an op, as the beginning of a file, or as an end. */
function isMark(line: string): boolean {
  if (line.startsWith("≔") || /^\*\*\* (?:Abort|End Patch)$/.test(line.trim())) return true;
  if (/^[»«]\s*(?:\d|[a-z]{2}\s*$|[BE]OF\s*$|$)/i.test(line)) return true;
  if (!line.startsWith("§")) return false;
  const rest = line.slice(1).trim();
  return !/\s/.test(rest) || /^[A-Za-z]\w*(?:#\w+)?$/.test(rest.slice(rest.lastIndexOf(".") + 1));
}

interface Quotation {
  readonly old_text: string;
  readonly new_text: string;
}

/** Lines that are quoted, from 1, with the edits that are made in them. */
interface Span {
  readonly first: number;
  last: number;
  readonly edits: LineEdit[];
}

export function quotations(lines: readonly string[], edits: readonly LineEdit[]): readonly Quotation[] {
  if (lines.length === 0) {
    const text = edits.map((edit) => (edit.operation === "delete" ? "" : `${edit.text}\n`)).join("");
    return [{ old_text: "", new_text: text }];
  }
  const whole = lines.join("\n");
  const spans: Span[] = [];
  for (const edit of bottomUp(edits).reverse()) {
    const span = spanOf(edit, lines.length);
    const previous = spans.at(-1);
    // What lies in lines that are quoted already needs no quotation of its own.
    if (previous !== undefined && span.first <= previous.last) {
      previous.last = Math.max(previous.last, span.last);
      previous.edits.push(edit);
    } else addSpan(spans, grown(lines, whole, span));
  }
  return spans.map(({ first, last, edits: inside }) => {
    const quoted = lines.slice(first - 1, last);
    const moved = inside.map((edit) => movedUp(edit, first - 1));
    return { old_text: quoted.join("\n"), new_text: editedAll(quoted, moved).join("\n") };
  });
}

/** A span that was grown may reach back over others. */
function addSpan(spans: Span[], span: Span): void {
  let whole = span;
  for (let last = spans.at(-1); last !== undefined && whole.first <= last.last; last = spans.at(-1)) {
    whole = joined(last, whole);
    spans.pop();
  }
  spans.push(whole);
}

function joined(one: Span, other: Span): Span {
  return {
    first: Math.min(one.first, other.first),
    last: Math.max(one.last, other.last),
    edits: [...one.edits, ...other.edits],
  };
}

function spanOf(edit: LineEdit, total: number): Span {
  if (edit.operation === "insert") {
    const line = Math.min(edit.before, total);
    return { first: line, last: line, edits: [edit] };
  }
  if (edit.operation === "replace") return { first: edit.first, last: edit.last, edits: [edit] };
  // With a line that stays, so that no empty line is left where the others were.
  const isFirst = edit.first === 1;
  const last = isFirst ? Math.min(edit.last + 1, total) : edit.last;
  return { first: isFirst ? 1 : edit.first - 1, last, edits: [edit] };
}

/** With lines around it until it stands at one place only; each time twice as many, for texts that repeat themselves. */
function grown(lines: readonly string[], whole: string, span: Span): Span {
  let { first, last } = span;
  const isAlone = () => {
    const quote = lines.slice(first - 1, last).join("\n");
    return quote.trim() !== "" && whole.indexOf(quote) === whole.lastIndexOf(quote);
  };
  const isAll = () => first === 1 && last === lines.length;
  for (let by = 1; !isAll() && !isAlone(); by *= 2) {
    last = Math.min(lines.length, last + by);
    if (!isAlone()) first = Math.max(1, first - by);
  }
  return { first, last, edits: span.edits };
}

function movedUp(edit: LineEdit, by: number): LineEdit {
  if (edit.operation === "insert") return { ...edit, before: edit.before - by };
  return { ...edit, first: edit.first - by, last: edit.last - by };
}
