// verify: the paper against what it was when the turn began, line by line. Only the places that were edited are compared,
// so the cost follows the edits and not the paper.

import type { ChangeSet, Text } from "@codemirror/state";
import { type Fault, isFault } from "@stet/protocol/fault";
import { diffLines, type LineDiff } from "@stet/text/diff";
import { type Change, changesSince } from "@stet/text/history";
import { lineContent, rawLines, splicesOf } from "@stet/text/lines";
import { cut } from "./cut.ts";
import type { Paper } from "./paper.ts";

export interface ChangedPlace {
  /** As the paper is now. */
  readonly lineNumber: number;
  readonly removed: number;
  readonly added: number;
}

export interface Verified {
  /** Lines that begin with "- ", "+ " or two spaces; a summary where they are many. */
  readonly diff: string;
  readonly added: number;
  readonly removed: number;
  readonly status: "ok";
  readonly changed: boolean;
  /** Where the paper differs; the first of them. */
  readonly places: readonly ChangedPlace[];
  /** Someone else changed the paper since the turn began. */
  readonly byOthers: boolean;
  readonly rev: number;
}

const maxDiffLines = 10;
/** Changed lines of a summary, at its beginning and at its end. */
const summaryLines = 3;
const lineChars = 500;

export function verify(paper: Paper): Verified | Fault {
  const history = paper.history();
  if (isFault(history)) return history;
  const { snapshot, context } = paper;
  const since = changesSince(history, snapshot.revision);
  const isKnown = !isFault(since) && (since[0]?.before ?? history.text) === snapshot.text;
  const changes = isKnown ? since : undefined;
  const compared = new Comparison(snapshot.text, history.text, changes);
  const { diffs } = compared;
  return {
    diff: compared.tell(),
    added: compared.added,
    removed: compared.removed,
    status: "ok",
    changed: diffs.length > 0,
    places: diffs.slice(0, maxDiffLines).map(({ newAt, removed, added }) => {
      return { lineNumber: newAt + 1, removed, added };
    }),
    byOthers: changes?.some(({ turn }) => turn !== context.turn.id) ?? false,
    rev: history.revision,
  };
}

class Comparison {
  readonly diffs: readonly LineDiff[];
  readonly added: number;
  readonly removed: number;
  private readonly before: Text;
  private readonly after: Text;

  constructor(before: Text, after: Text, changes: readonly Change[] | undefined) {
    this.before = before;
    this.after = after;
    this.diffs = before === after ? [] : differences(before, after, changes);
    this.added = this.diffs.reduce((sum, { added }) => sum + added, 0);
    this.removed = this.diffs.reduce((sum, { removed }) => sum + removed, 0);
  }

  tell(): string {
    const { added, removed } = this;
    if (added + removed === 0) return "";
    const unchanged = (this.before.length === 0 ? 0 : this.before.lines) - removed;
    if (unchanged + added + removed <= maxDiffLines) return this.wholeDiff();
    if (added + removed <= maxDiffLines)
      return this.diffs.flatMap((diff) => [...this.linesOf(diff)]).join("\n");
    const first = this.take(this.diffs, (diff) => this.linesOf(diff));
    const last = this.take(this.diffs.toReversed(), (diff) => this.linesOf(diff, true)).reverse();
    const left = added + removed - first.length - last.length;
    const counts = `${counted(added)} added, ${removed} removed`;
    return [counts, ...first, `… ${counted(left)} more …`, ...last].join("\n");
  }

  private wholeDiff(): string {
    const lines: string[] = [];
    let at = 0;
    const keepUntil = (end: number) => {
      for (; at < end; at += 1) lines.push(marked("  ", this.before, at));
    };
    for (const diff of this.diffs) {
      keepUntil(diff.at);
      lines.push(...this.linesOf(diff));
      at = diff.at + diff.removed;
    }
    keepUntil(this.before.length === 0 ? 0 : this.before.lines);
    return lines.join("\n");
  }

  /** The changed lines of one place, removed before added; or the other way round, the last line first. */
  private *linesOf({ at, removed, newAt, added }: LineDiff, isReversed = false): Generator<string> {
    const count = removed + added;
    for (let index = 0; index < count; index += 1) {
      const line = isReversed ? count - 1 - index : index;
      if (line < removed) yield marked("- ", this.before, at + line);
      else yield marked("+ ", this.after, newAt + line - removed);
    }
  }

  private take(diffs: readonly LineDiff[], linesOf: (diff: LineDiff) => Iterable<string>): string[] {
    const taken: string[] = [];
    for (const diff of diffs) {
      for (const line of linesOf(diff)) {
        if (taken.length === summaryLines) return taken;
        taken.push(line);
      }
    }
    return taken;
  }
}

function marked(mark: string, text: Text, index: number): string {
  return mark + cut(lineContent(text, index), lineChars);
}

function counted(lines: number): string {
  return lines === 1 ? "1 line" : `${lines} lines`;
}

/** Where the edits were made, each place as small as it can be; without the edits, the whole texts are compared. */
function differences(before: Text, after: Text, changes: readonly Change[] | undefined): LineDiff[] {
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
