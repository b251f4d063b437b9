// A unified diff as a person reads it: the file's name, then its lines with their numbers.

import type { Terminal } from "./terminal.ts";

const maxShownLines = 200;

export function formatDiff(terminal: Terminal, diff: string, maxLines = maxShownLines): string {
  const rows = rowsOf(terminal, diff);
  const hidden = rows.length - maxLines;
  const shown = hidden > 0 ? rows.slice(0, maxLines) : rows;
  if (hidden > 0) shown.push(terminal.style("dim", `    … ${hidden} more lines`));
  return shown.join("\n");
}

/** How much a diff adds and removes. */
export function diffSize(diff: string): string {
  const lines = diff.split("\n");
  const count = (mark: string) =>
    lines.filter((line) => line.startsWith(mark) && !line.startsWith(mark.repeat(3))).length;
  return `+${count("+")} \u2212${count("-")}`;
}

function rowsOf(terminal: Terminal, diff: string): string[] {
  const rows: string[] = [];
  const ends = [...diff.matchAll(/^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))?/gm)].flatMap(
    ([, old, removed = "1", now, added = "1"]) => [
      Number(old) + Number(removed),
      Number(now) + Number(added),
    ],
  );
  const width = String(Math.max(0, ...ends) - 1).length;
  const place = (line: number) => String(line).padStart(width);
  let [old, now] = [0, 0];
  let isFirstHunk = true;
  for (const line of diff.replace(/\n$/, "").split("\n")) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(line);
    if (line.startsWith("--- ")) continue;
    if (line.startsWith("+++ ")) {
      rows.push(terminal.style("bold", `    ${line.slice(4).replace(/^b\//, "")}`));
      isFirstHunk = true;
    } else if (hunk !== null) {
      if (!isFirstHunk) rows.push(terminal.style("dim", "    …"));
      isFirstHunk = false;
      [old, now] = [Number(hunk[1]), Number(hunk[2])];
    } else if (line.startsWith("-")) {
      rows.push(terminal.style("red", `    - ${place(old)} ${line.slice(1)}`));
      old += 1;
    } else if (line.startsWith("+")) {
      rows.push(terminal.style("green", `    + ${place(now)} ${line.slice(1)}`));
      now += 1;
    } else if (line.startsWith("\\"))
      rows.push(terminal.style("dim", `      ${" ".repeat(width)} (no newline at the end)`));
    else if (line === "…")
      rows.push(terminal.style("dim", "    … the beginning is longer than is shown here"));
    else {
      rows.push(terminal.style("dim", `      ${place(now)} ${line.slice(1)}`));
      old += 1;
      now += 1;
    }
  }
  return rows;
}
