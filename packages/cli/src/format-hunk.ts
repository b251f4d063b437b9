// A hunk as a person reads it: removed and added lines, with the words that differ picked out in prose.

import { diffWords } from "@stet/text/words";
import type { ReviewHunk } from "@stet/workspace/review";
import { printable, type Terminal } from "./terminal.ts";

const maxShownLines = 40;

export function formatHunk(terminal: Terminal, hunk: ReviewHunk, path: string): string {
  const lines = [`${terminal.style("bold", hunk.id)}  ${path}:${hunk.newStart}${markOf(hunk)}`];
  if (hunk.removed.length === hunk.added.length) {
    for (const [index, removed] of hunk.removed.entries())
      lines.push(...changedLine(terminal, removed, hunk.added[index] ?? ""));
  } else {
    for (const line of hunk.removed) lines.push(terminal.style("red", `- ${printable(line)}`));
    for (const line of hunk.added) lines.push(terminal.style("green", `+ ${printable(line)}`));
  }
  const hidden = lines.length - 1 - maxShownLines;
  if (hidden > 0) lines.splice(maxShownLines + 1, hidden, terminal.style("dim", `  … ${hidden} more lines`));
  return `${lines.join("\n")}\n`;
}

function markOf(hunk: ReviewHunk): string {
  const marks = [
    hunk.origins.includes("user") ? "you changed it, too" : "",
    hunk.oversized ? "oversized" : "",
  ].filter((mark) => mark !== "");
  return marks.length === 0 ? "" : `  (${marks.join(", ")})`;
}

function changedLine(terminal: Terminal, removed: string, added: string): string[] {
  const words = diffWords(removed, added);
  const side = (kind: "removed" | "added", colour: "red" | "green") =>
    words
      .filter((word) => word.kind === "same" || word.kind === kind)
      .map((word) =>
        word.kind === "same"
          ? terminal.style(colour, printable(word.text))
          : terminal.style([colour, "inverse"], printable(word.text)),
      )
      .join("");
  return [
    `${terminal.style("red", "- ")}${side("removed", "red")}`,
    `${terminal.style("green", "+ ")}${side("added", "green")}`,
  ];
}
