// A hunk as a person reads it: removed and added lines with their numbers, the unchanged lines around them, and in prose the
// words that differ picked out.

import type { FileReview, ReviewHunk } from "@stet/protocol/api/review";
import { isFault } from "@stet/protocol/fault";
import { visibleName } from "@stet/protocol/visible";
import {
  type HunkInFile,
  type HunkLine,
  hunkLines,
  makersOf,
  nameOf,
  type TurnAgentNames,
} from "./hunk-lines.ts";
import type { Terminal } from "./terminal.ts";
import type { CommandApi } from "./with-folder.ts";

const maxShownLines = 40;
const contextLines = 3;

const nobody: TurnAgentNames = new Map();

/** A file in one line: how much is open in it, under which ids, and whose it is where agents were sent. */
export function summariseHunks(terminal: Terminal, file: FileReview, agents = nobody): string {
  const count = (side: "added" | "removed") => file.hunks.reduce((sum, hunk) => sum + hunk[side].length, 0);
  const size = `+${count("added")} \u2212${count("removed")}`;
  const ids = file.hunks.map((hunk) => hunk.hunk_id).join(" ");
  return `${terminal.style("bold", visibleName(nameOf(file)))}  ${size}  ${terminal.style("dim", ids)}${inBrackets([makersOf(file.hunks, agents)])}`;
}

/** Each with the lines around it, as they are now. */
export async function formatHunks(
  terminal: Terminal,
  api: CommandApi,
  hunks: readonly HunkInFile[],
  agents = nobody,
): Promise<string[]> {
  const texts = new Map<number, readonly string[]>();
  for (const { document } of new Set(hunks.map(({ file }) => file))) {
    const found = await api.call("getDocument", { params: { document } });
    // Without its text, a hunk is shown alone.
    texts.set(document, isFault(found) ? [] : found.text.split("\n"));
  }
  return hunks.map((one) => {
    const mark = markOf(one.hunk, makersOf([one.hunk], agents));
    return formatHunk(terminal, one, texts.get(one.file.document) ?? [], mark);
  });
}

function formatHunk(terminal: Terminal, one: HunkInFile, text: readonly string[], mark: string): string {
  const { file, hunk } = one;
  const { before, changed, after } = hunkLines(one, text, contextLines);
  const width = String(Math.max(...[...before, ...changed, ...after].map(({ number }) => number), 0)).length;
  const format = (line: HunkLine) => formatLine(terminal, line, String(line.number).padStart(width));
  const lines = [...before, ...changed].map(format);
  const hidden = lines.length - maxShownLines;
  if (hidden > 0) lines.splice(maxShownLines, hidden, terminal.style("dim", `  … ${hidden} more lines`));
  lines.push(...after.map(format));
  const title = `${terminal.style("bold", hunk.hunk_id)}  ${visibleName(nameOf(file))}:${hunk.new_start}${mark}`;
  return `${[title, ...lines].join("\n")}\n`;
}

function formatLine(terminal: Terminal, { kind, text, words }: HunkLine, number: string): string {
  if (kind === "context") return terminal.style("dim", `  ${number} ${text}`);
  const [sign, colour] = kind === "removed" ? (["-", "red"] as const) : (["+", "green"] as const);
  if (words === undefined) return terminal.style(colour, `${sign} ${number} ${text}`);
  const line = words.map((word) =>
    terminal.style(word.kind === "same" ? colour : [colour, "inverse"], word.text),
  );
  return `${terminal.style(colour, `${sign} ${number} `)}${line.join("")}`;
}

function markOf(hunk: ReviewHunk, makers: string): string {
  return inBrackets([
    makers,
    hunk.origins.includes("user") ? "you changed it, too" : "",
    hunk.oversized_hunk ? "oversized" : "",
  ]);
}

function inBrackets(marks: readonly string[]): string {
  const given = marks.filter((mark) => mark !== "");
  return given.length === 0 ? "" : `  (${given.join(", ")})`;
}
