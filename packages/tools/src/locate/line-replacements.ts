// Replaced characters as the smallest edits of lines.
//
// A line that is in the old and in the new text is not part of the edit, so it may have changed since. Where equal lines
// stand side by side, it cannot be told which of them comes or goes: then all of them have to be as they were shown.

import type { Text } from "@codemirror/state";
import type { Fault } from "@stet/protocol/fault";
import type { LineEdit } from "@stet/text/edits";
import type { History } from "@stet/text/history";
import { countLines, lineContent } from "@stet/text/lines";
import { contentOf, type LineRange, replacedLines, unclear } from "./followed-edits.ts";
import type { Basis, SourceText } from "./source-text.ts";

/** Characters `[from, to)` of the content, and what goes there instead. */
export interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
  /** Which edit of the call. */
  readonly index: number;
}

/** Edits of the lines of a revision; refused where what they mean there has changed since. */
export function lineEdits(
  history: History,
  { revision, text, source }: Basis,
  sorted: readonly Replacement[],
): LineEdit[] | Fault {
  const edits: LineEdit[] = [];
  const counted = countLines(text);
  for (const { first, last, lines } of blocksOf(source, sorted)) {
    // Behind a final line break stands an empty raw line, which is no line: it must stay, and none may come.
    const isAtEnd = last === text.lines - 1;
    const isPhantom = last === counted;
    const keepsEnd = !isAtEnd || (lines.at(-1) === "") === isPhantom;
    if (!keepsEnd) return [{ op: "set", content: replaced(source, sorted) }];
    const fresh = isPhantom ? lines.slice(0, -1) : lines;
    const block = { from: first + 1, to: isPhantom ? last : last + 1 };
    const quoted = withBlank(text, block);
    for (const edit of replacedLines(text, block.from, block.to, fresh)) {
      const fault =
        revision === history.revision ? undefined : unclear(history, revision, text, quoted, edit);
      if (fault !== undefined) return fault;
      edits.push(revision === history.revision ? edit : heldByQuote(text, block, edit));
    }
  }
  return edits;
}

/** A quote that ends in a line break behind a blank line may end in that line, or in the next one, if that is blank, too. */
function withBlank(text: Text, { from, to }: LineRange): LineRange {
  const isBlank = (line: number) => line <= countLines(text) && lineContent(text, line - 1) === "";
  return { from, to: isBlank(to) && isBlank(to + 1) ? to + 1 : to };
}

/** Lines that come before the first quoted one belong to that one, and not to the one above, which was not quoted. */
function heldByQuote(text: Text, block: LineRange, edit: LineEdit): LineEdit {
  if (edit.op !== "insert" || edit.after !== block.from - 1 || edit.after === 0) return edit;
  const { from } = block;
  const content = edit.content + contentOf([lineContent(text, from - 1)]);
  return from > block.to ? edit : { op: "replace", from, to: from, content };
}

/** Whole raw lines, 0-based and inclusive, that replacements touch, and what they become. */
interface Block {
  readonly first: number;
  readonly last: number;
  readonly lines: readonly string[];
}

function blocksOf(source: SourceText, sorted: readonly Replacement[]): Block[] {
  const groups: { first: number; last: number; list: Replacement[] }[] = [];
  for (const one of sorted) {
    const first = source.lineAt(one.from);
    const last = source.lineAt(isWholeLines(source, one) ? one.to - 1 : one.to);
    const group = groups.at(-1);
    if (group !== undefined && first <= group.last) {
      group.last = Math.max(group.last, last);
      group.list.push(one);
    } else groups.push({ first, last, list: [one] });
  }
  return groups.map(({ first, last, list }) => {
    const end = source.end(last);
    const to = Math.max(end, list.at(-1)?.to ?? end);
    const lines = replaced(source, list, source.start(first), to).split("\n");
    // With the line break of its last line goes the empty piece behind that.
    return { first, last, lines: to > end ? lines.slice(0, -1) : lines };
  });
}

/** From the start of a line to the start of another: the lines themselves, and nothing of what follows them. */
function isWholeLines(source: SourceText, { from, to, insert }: Replacement): boolean {
  if (from === to || to >= source.content.length) return false;
  const isStart = (position: number) => source.start(source.lineAt(position)) === position;
  return isStart(from) && isStart(to) && (insert === "" || insert.endsWith("\n"));
}

function replaced(
  { content }: SourceText,
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
