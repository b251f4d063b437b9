// A hunk as lines: the unchanged ones around it, then what was removed and added, with numbers and the words that differ. How
// they are drawn is for whoever shows them.

import type { FileReview, OpenTurn, ReviewHunk } from "@stet/protocol/api/review";
import { diffWords, type WordChange } from "@stet/text/words";

/** A hunk and the file that it is in. */
export interface HunkInFile {
  readonly file: FileReview;
  readonly hunk: ReviewHunk;
}

export interface HunkLine {
  readonly kind: "context" | "removed" | "added";
  /** Of a removed line, in the text before. */
  readonly number: number;
  readonly text: string;
  /** The line in pieces, of which those that are not `same` differ; undefined where the whole line does. */
  readonly words?: readonly WordChange[];
}

export interface HunkLines {
  readonly before: readonly HunkLine[];
  readonly changed: readonly HunkLine[];
  readonly after: readonly HunkLine[];
}

/** Above this many characters, words are not compared. */
const maxCompared = 20_000;

export function nameOf(file: FileReview): string {
  return file.file_path ?? file.title;
}

export function hunksIn(files: readonly FileReview[]): HunkInFile[] {
  return files.flatMap((file) => file.hunks.map((hunk) => ({ file, hunk })));
}

/** The agents that made turns, by turn. Turns of the session's own agent are not in it. */
export type TurnAgentNames = ReadonlyMap<string, string>;

export function agentsOf(turns: readonly Pick<OpenTurn, "turn" | "agent">[]): TurnAgentNames {
  return new Map(turns.flatMap(({ turn, agent }) => (agent === undefined ? [] : [[turn, agent] as const])));
}

/** Whose changes these are, in words; empty where they are the session's own agent's alone. */
export function makersOf(hunks: readonly Pick<ReviewHunk, "turns">[], agents: TurnAgentNames): string {
  const names = new Set(hunks.flatMap(({ turns }) => turns.map((turn) => agents.get(turn) ?? "")));
  const sent = [...names].filter((name) => name !== "").sort();
  if (sent.length === 0) return "";
  return `by ${[...(names.has("") ? ["the agent itself"] : []), ...sent].join(", ")}`;
}

/** `text`: the lines of the document now; empty where they are not known. */
export function hunkLines(
  { file, hunk }: HunkInFile,
  text: readonly string[],
  contextLines: number,
): HunkLines {
  const { new_start: start, added } = hunk;
  const { before, after } = around(text, file, hunk, contextLines);
  const context = (line: string, number: number): HunkLine => ({ kind: "context", number, text: line });
  return {
    before: before.map((line, index) => context(line, start - before.length + index)),
    changed: changedLines(hunk),
    after: after.map((line, index) => context(line, start + added.length + index)),
  };
}

/** Equally many lines stand beside each other; otherwise the removed ones come first. */
export function changedLines({
  removed,
  added,
  old_start: oldStart,
  new_start: newStart,
}: Pick<ReviewHunk, "removed" | "added" | "old_start" | "new_start">): HunkLine[] {
  const old = (index: number) => ({ kind: "removed" as const, number: oldStart + index });
  const now = (index: number) => ({ kind: "added" as const, number: newStart + index });
  if (removed.length === added.length)
    return removed.flatMap((text, index) => {
      const [before, after] = wordsOf([text], [added[index] ?? ""]);
      return [
        { ...old(index), text, ...before[0] },
        { ...now(index), text: added[index] ?? "", ...after[0] },
      ];
    });
  const [before, after] = wordsOf(removed, added);
  return [
    ...removed.map((text, index) => ({ ...old(index), text, ...before[index] })),
    ...added.map((text, index) => ({ ...now(index), text, ...after[index] })),
  ];
}

type LineWords = { readonly words?: readonly WordChange[] };

/** The words of each line on both sides. Where most is new, marks on nearly everything would say nothing. */
function wordsOf(removed: readonly string[], added: readonly string[]): [LineWords[], LineWords[]] {
  const [before, after] = [removed.join("\n"), added.join("\n")];
  if (before === "" || after === "" || before.length + after.length > maxCompared) return [[], []];
  const words = diffWords(before, after);
  const stayed = inkOf(words.flatMap(({ kind, text }) => (kind === "same" ? text : [])).join(""));
  if (stayed === 0 || stayed * 2 < Math.min(inkOf(before), inkOf(after))) return [[], []];
  const side = (kind: "removed" | "added") =>
    splitLines(words.filter((word) => word.kind === "same" || word.kind === kind));
  return [side("removed"), side("added")];
}

/** How many characters are no white space. */
function inkOf(text: string): number {
  return text.replaceAll(/\s+/g, "").length;
}

function splitLines(words: readonly WordChange[]): LineWords[] {
  const lines: WordChange[][] = [[]];
  for (const { kind, text } of words)
    for (const [index, part] of text.split("\n").entries()) {
      if (index > 0) lines.push([]);
      if (part !== "") lines.at(-1)?.push({ kind, text: part });
    }
  return lines.map((line) => ({ words: line }));
}

/** The unchanged lines before and after a hunk. Lines of another hunk are shown with that one. */
function around(text: readonly string[], { hunks }: FileReview, hunk: ReviewHunk, count: number) {
  const others = hunks.filter((other) => other.hunk_id !== hunk.hunk_id);
  const isFree = (line: number) =>
    others.every(({ new_start: start, added }) => line < start || line >= start + added.length);
  const linesFrom = (first: number, step: 1 | -1) => {
    const found: string[] = [];
    for (let line = first; found.length < count && line >= 1 && line <= text.length; line += step) {
      if (!isFree(line)) break;
      found.push(text[line - 1] ?? "");
    }
    return found;
  };
  const end = hunk.new_start + hunk.added.length;
  const after = linesFrom(end, 1);
  // The empty rest behind the last line break is no line.
  if (after.at(-1) === "" && end + after.length > text.length) after.pop();
  return { before: linesFrom(hunk.new_start - 1, -1).reverse(), after };
}
