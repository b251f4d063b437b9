// A hunk as a person reads it: removed and added lines with their numbers, the unchanged lines around them, and in prose the
// words that differ picked out.

import type { FileReview, ReviewHunk } from "@stet/protocol/api/review";
import { isFault } from "@stet/protocol/fault";
import { visibleName } from "@stet/protocol/visible";
import { diffWords } from "@stet/text/words";
import type { Terminal } from "./terminal.ts";
import type { CommandApi } from "./with-folder.ts";

const maxShownLines = 40;
const contextLines = 3;

/** A hunk and the file that it is in. */
export interface HunkInFile {
  readonly file: FileReview;
  readonly hunk: ReviewHunk;
}

export function nameOf(file: FileReview): string {
  return file.file_path ?? file.title;
}

export function hunksIn(files: readonly FileReview[]): HunkInFile[] {
  return files.flatMap((file) => file.hunks.map((hunk) => ({ file, hunk })));
}

/** A file in one line: how much is open in it, and under which ids. */
export function summariseHunks(terminal: Terminal, file: FileReview): string {
  const count = (side: "added" | "removed") => file.hunks.reduce((sum, hunk) => sum + hunk[side].length, 0);
  const size = `+${count("added")} \u2212${count("removed")}`;
  const ids = file.hunks.map((hunk) => hunk.hunk_id).join(" ");
  return `${terminal.style("bold", visibleName(nameOf(file)))}  ${size}  ${terminal.style("dim", ids)}`;
}

/** Each with the lines around it, as they are now. */
export async function formatHunks(
  terminal: Terminal,
  api: CommandApi,
  hunks: readonly HunkInFile[],
): Promise<string[]> {
  const texts = new Map<number, readonly string[]>();
  for (const { document } of new Set(hunks.map(({ file }) => file))) {
    const found = await api.call("getDocument", { params: { document } });
    // Without its text, a hunk is shown alone.
    texts.set(document, isFault(found) ? [] : found.text.split("\n"));
  }
  return hunks.map((one) => formatHunk(terminal, one, texts.get(one.file.document) ?? []));
}

function formatHunk(terminal: Terminal, { file, hunk }: HunkInFile, text: readonly string[]): string {
  const { old_start: oldStart, new_start: newStart, removed, added } = hunk;
  const { before, after } = around(text, file, hunk);
  const last = Math.max(oldStart + removed.length, newStart + added.length + after.length);
  const width = String(last).length;
  const number = (line: number) => String(line).padStart(width);
  const context = (line: string, at: number) => terminal.style("dim", `  ${number(at)} ${line}`);
  const lines = before.map((line, index) => context(line, newStart - before.length + index));
  if (removed.length === added.length) {
    for (const [index, line] of removed.entries()) {
      const [old, now] = changedLine(terminal, line, added[index] ?? "");
      lines.push(`${terminal.style("red", `- ${number(oldStart + index)} `)}${old}`);
      lines.push(`${terminal.style("green", `+ ${number(newStart + index)} `)}${now}`);
    }
  } else {
    for (const [index, line] of removed.entries())
      lines.push(terminal.style("red", `- ${number(oldStart + index)} ${line}`));
    for (const [index, line] of added.entries())
      lines.push(terminal.style("green", `+ ${number(newStart + index)} ${line}`));
  }
  const hidden = lines.length - maxShownLines;
  if (hidden > 0) lines.splice(maxShownLines, hidden, terminal.style("dim", `  … ${hidden} more lines`));
  lines.push(...after.map((line, index) => context(line, newStart + added.length + index)));
  const title = `${terminal.style("bold", hunk.hunk_id)}  ${visibleName(nameOf(file))}:${newStart}${markOf(hunk)}`;
  return `${[title, ...lines].join("\n")}\n`;
}

/** The unchanged lines before and after a hunk. Lines of another hunk are shown with that one. */
function around(text: readonly string[], { hunks }: FileReview, hunk: ReviewHunk) {
  const others = hunks.filter((other) => other.hunk_id !== hunk.hunk_id);
  const isFree = (line: number) =>
    others.every(({ new_start: start, added }) => line < start || line >= start + added.length);
  const linesFrom = (first: number, step: 1 | -1) => {
    const found: string[] = [];
    for (let line = first; found.length < contextLines && line >= 1 && line <= text.length; line += step) {
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

function markOf(hunk: ReviewHunk): string {
  const marks = [
    hunk.origins.includes("user") ? "you changed it, too" : "",
    hunk.oversized_hunk ? "oversized" : "",
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
