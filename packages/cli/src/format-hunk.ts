// A hunk as a person reads it: removed and added lines with their numbers, the unchanged lines around them, and in prose the
// words that differ picked out.

import { isFault } from "@stet/protocol/fault";
import { visibleName } from "@stet/protocol/visible";
import { diffWords } from "@stet/text/words";
import type { FileReview, ReviewHunk } from "@stet/workspace/review/review";
import type { Workspace } from "@stet/workspace/workspace";
import type { Terminal } from "./terminal.ts";

const maxShownLines = 40;
const contextLines = 3;

/** The unchanged lines before and after a hunk, as they are now. */
interface Around {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export function nameOf(file: FileReview): string {
  return file.path ?? file.title;
}

/** A file in one line: how much is open in it, and under which ids. */
export function summariseHunks(terminal: Terminal, file: FileReview): string {
  const count = (side: "added" | "removed") => file.hunks.reduce((sum, hunk) => sum + hunk[side].length, 0);
  const size = `+${count("added")} \u2212${count("removed")}`;
  const ids = file.hunks.map(({ id }) => id).join(" ");
  return `${terminal.style("bold", visibleName(nameOf(file)))}  ${size}  ${terminal.style("dim", ids)}`;
}

export function formatHunk(
  terminal: Terminal,
  workspace: Workspace,
  file: FileReview,
  hunk: ReviewHunk,
): string {
  const { before, after } = around(workspace, file, hunk);
  const last = Math.max(
    hunk.oldStart + hunk.removed.length,
    hunk.newStart + hunk.added.length + after.length,
  );
  const width = String(last).length;
  const number = (line: number) => String(line).padStart(width);
  const context = (line: string, at: number) => terminal.style("dim", `  ${number(at)} ${line}`);
  const lines = before.map((line, index) => context(line, hunk.newStart - before.length + index));
  if (hunk.removed.length === hunk.added.length) {
    for (const [index, removed] of hunk.removed.entries()) {
      const [old, now] = changedLine(terminal, removed, hunk.added[index] ?? "");
      lines.push(`${terminal.style("red", `- ${number(hunk.oldStart + index)} `)}${old}`);
      lines.push(`${terminal.style("green", `+ ${number(hunk.newStart + index)} `)}${now}`);
    }
  } else {
    for (const [index, line] of hunk.removed.entries())
      lines.push(terminal.style("red", `- ${number(hunk.oldStart + index)} ${line}`));
    for (const [index, line] of hunk.added.entries())
      lines.push(terminal.style("green", `+ ${number(hunk.newStart + index)} ${line}`));
  }
  const hidden = lines.length - maxShownLines;
  if (hidden > 0) lines.splice(maxShownLines, hidden, terminal.style("dim", `  … ${hidden} more lines`));
  lines.push(...after.map((line, index) => context(line, hunk.newStart + hunk.added.length + index)));
  const title = `${terminal.style("bold", hunk.id)}  ${visibleName(nameOf(file))}:${hunk.newStart}${markOf(hunk)}`;
  return `${[title, ...lines].join("\n")}\n`;
}

function around(workspace: Workspace, file: FileReview, hunk: ReviewHunk): Around {
  const state = workspace.documents.state(file.document);
  if (isFault(state)) return { before: [], after: [] };
  const { current } = state.pending;
  // Lines of another hunk are shown with that one.
  const all = workspace.review.file(file.document) ?? file;
  const taken = all.hunks.filter(({ id }) => id !== hunk.id);
  const isFree = (line: number) =>
    taken.every(({ newStart, added }) => line < newStart || line >= newStart + added.length);
  const linesFrom = (first: number, step: 1 | -1) => {
    const found: string[] = [];
    for (let line = first; found.length < contextLines && line >= 1 && line <= current.lines; line += step) {
      if (!isFree(line)) break;
      found.push(current.line(line).text);
    }
    return found;
  };
  const after = linesFrom(hunk.newStart + hunk.added.length, 1);
  // The empty rest behind the last line break is no line.
  if (after.at(-1) === "" && hunk.newStart + hunk.added.length + after.length > current.lines) after.pop();
  return { before: linesFrom(hunk.newStart - 1, -1).reverse(), after };
}

function markOf(hunk: ReviewHunk): string {
  const marks = [
    hunk.origins.includes("user") ? "you changed it, too" : "",
    hunk.oversized ? "oversized" : "",
  ].filter((mark) => mark !== "");
  return marks.length === 0 ? "" : `  (${marks.join(", ")})`;
}

function changedLine(terminal: Terminal, removed: string, added: string): [string, string] {
  const words = diffWords(removed, added);
  const side = (kind: "removed" | "added", colour: "red" | "green") =>
    words
      .filter((word) => word.kind === "same" || word.kind === kind)
      .map((word) =>
        word.kind === "same"
          ? terminal.style(colour, word.text)
          : terminal.style([colour, "inverse"], word.text),
      )
      .join("");
  return [side("removed", "red"), side("added", "green")];
}
