// verify: the paper against what it was when the turn began, line by line. Only the places that were edited are compared,
// so the cost follows the edits and not the paper.

import type { ChangeSet, Text } from "@codemirror/state";
import { defineTool, type Tool } from "@stet/agent/tool";
import { cutTextCounted } from "@stet/protocol/cut-text";
import { isFault } from "@stet/protocol/fault";
import { diffLines, type LineDiff } from "@stet/text/diff";
import { type Change, changesSince } from "@stet/text/history";
import { lineContent, rawLines, splicesOf } from "@stet/text/lines";
import * as z from "zod";
import { prompt } from "../prompt.ts";
import type { Paper } from "./paper.ts";
import { outcome } from "./paper-events.ts";

const maxDiffLines = 10;
/** Changed lines of a summary, at its beginning and at its end. */
const summaryLines = 3;
const lineChars = 500;

export function verify(paper: Paper): Tool {
  return defineTool({
    name: "verify",
    description: prompt(import.meta.url, "verify"),
    traits: ["reads", "exclusive"],
    words: () => "Check the result",
    schema: z.strictObject({}),
    async execute() {
      const history = paper.history();
      if (isFault(history)) return history;
      const { snapshot, context } = paper;
      const since = changesSince(history, snapshot.revision);
      const isKnown = !isFault(since) && (since[0]?.before ?? history.text) === snapshot.text;
      const changes = isKnown ? since : undefined;
      const diffs = differences(snapshot.text, history.text, changes);
      const added = diffs.reduce((sum, diff) => sum + diff.added, 0);
      const removed = diffs.reduce((sum, diff) => sum + diff.removed, 0);
      const diff = diffText(snapshot.text, history.text, diffs, { added, removed });
      const byOthers = changes?.some(({ turn }) => turn !== context.turn.id) ?? false;
      paper.show(history, []);
      return outcome(
        {
          success: true,
          diff,
          changes: { added, removed },
          changed: diffs.length > 0,
          places: diffs.slice(0, maxDiffLines).map(({ newAt, removed, added }) => {
            return { lineNumber: newAt + 1, removed, added };
          }),
          rev: history.revision,
          ...(byOthers ? { note: "Some of this was changed by the person while the turn went on." } : {}),
        },
        { type: "verify.result", data: { diff, added, removed, status: "ok" } },
      );
    },
  });
}

/** Lines that begin with "- ", "+ " or two spaces; a summary where they are many. */
function diffText(
  before: Text,
  after: Text,
  diffs: readonly LineDiff[],
  { added, removed }: { readonly added: number; readonly removed: number },
): string {
  const count = added + removed;
  const kept = (before.length === 0 ? 0 : before.lines) - removed;
  if (count === 0) return "";
  if (count > maxDiffLines) {
    const first = changedLines(before, after, diffs).take(summaryLines);
    const last = [...changedLines(before, after, diffs.slice(-summaryLines).map(endOf))].slice(-summaryLines);
    const counts = `${counted(added)} added, ${removed} removed`;
    return [counts, ...first, `… ${counted(count - 2 * summaryLines)} more …`, ...last].join("\n");
  }
  if (kept + count > maxDiffLines) return [...changedLines(before, after, diffs)].join("\n");
  const lines: string[] = [];
  let at = 0;
  for (const diff of [...diffs, { at: kept + removed, removed: 0, newAt: 0, added: 0 }]) {
    for (; at < diff.at; at += 1) lines.push(marked("  ", before, at));
    lines.push(...changedLines(before, after, [diff]));
    at += diff.removed;
  }
  return lines.join("\n");
}

/** The changed lines, of each place those removed before those added. */
function* changedLines(before: Text, after: Text, diffs: readonly LineDiff[]): Generator<string> {
  for (const { at, removed, newAt, added } of diffs) {
    for (let line = at; line < at + removed; line += 1) yield marked("- ", before, line);
    for (let line = newAt; line < newAt + added; line += 1) yield marked("+ ", after, line);
  }
}

/** As much of a place, from its end, as a summary shows. */
function endOf(diff: LineDiff): LineDiff {
  const added = Math.min(diff.added, summaryLines);
  const removed = Math.min(diff.removed, summaryLines - added);
  return { at: diff.at + diff.removed - removed, removed, newAt: diff.newAt + diff.added - added, added };
}

function marked(mark: string, text: Text, index: number): string {
  return mark + cutTextCounted(lineContent(text, index), lineChars);
}

function counted(lines: number): string {
  return lines === 1 ? "1 line" : `${lines} lines`;
}

/** Where the edits were made, each place as small as it can be; without the edits, the whole texts are compared. */
function differences(before: Text, after: Text, changes: readonly Change[] | undefined): LineDiff[] {
  if (before === after) return [];
  const all = changes?.reduce<ChangeSet | undefined>(
    (sum, { change }) => sum?.compose(change) ?? change,
    undefined,
  );
  const splices =
    all === undefined
      ? [{ at: 0, removed: before.lines, lines: rawLines(after, 0, after.lines) }]
      : splicesOf(before, after, all);
  let shift = 0;
  return splices.flatMap(({ at, removed, lines }) => {
    const newAt = at + shift;
    shift += lines.length - removed;
    // An empty paper has one empty line to write on, but nothing that could be removed.
    const old = before.length === 0 ? [] : rawLines(before, at, at + removed);
    const fresh = after.length === 0 ? [] : lines;
    return diffLines(old, fresh).map((diff) => ({ ...diff, at: diff.at + at, newAt: diff.newAt + newAt }));
  });
}
