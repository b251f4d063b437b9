// Lines that stand for others: `…`, `// ... existing code ...`, `<!-- rest unchanged -->`.
//
// Who writes such a line in the place of many means that they stay, and a tool that takes the line as it is deletes them.
// So an edit that takes more lines away than it brings, and brings such a line that was not there, is refused. A line of that
// kind that is really meant can still be put there by an edit that only inserts it.

import { Fault } from "@stet/protocol/fault";
import type { History } from "@stet/text/history";
import { rawLines, withoutReturn } from "@stet/text/lines";

const ellipsis = /\.\.\.|…/;
const leftOut =
  /\b(?:rest|remaining|existing|unchanged|omitted|truncated|as before|same as|other (?:code|methods|functions|lines))\b/i;
const inComment = /^\s*(?:\/\/|#|\/\*|\*|--|<!--|;|%|\{\/\*)/;
/** Three dots are a statement of Python, and end a document of YAML. */
const hasDots = /\.(?:pyi?|ya?ml)$/i;

/** A line that stands for others. `path` tells what the three dots mean there. */
export function isAbbreviated(line: string, path = ""): boolean {
  const text = line.trim();
  if (text === "...") return !hasDots.test(path);
  if (/^(?:…|\[(?:\.\.\.|…)\])$/.test(text)) return true;
  if (isPlaceholder(line)) return true;
  if (/^(?:\.\.\.|…).*\b(?:unchanged|omitted)\b.*(?:\.\.\.|…)$/i.test(text)) return true;
  return /^(?:\/\/|#|\/\*|\*|--|<!--|;|%|\{\/\*)\s*(?:\.\.\.|…)\s*(?:\*\/|-->|\*\/\})?$/.test(text);
}

/** A comment that says that lines were left out. */
export function isPlaceholder(line: string): boolean {
  return inComment.test(line) && leftOut.test(line) && (ellipsis.test(line) || /\bunchanged\b/i.test(line));
}

/** The line for which an edit that takes these lines away and brings those has to be refused. */
export function abbreviationIn(
  path: string,
  removed: readonly string[],
  added: readonly string[],
): string | undefined {
  if (removed.length <= added.length) return undefined;
  const known = new Set(removed.map((line) => line.trim()));
  return added.find((line) => isAbbreviated(line, path) && !known.has(line.trim()));
}

/** A refusal where the newest change of a history has left lines out. */
export function abbreviatedChange(path: string, history: History): Fault | undefined {
  const change = history.changes.at(-1);
  for (const { at, removed, lines } of change?.splices ?? []) {
    if (change === undefined || removed <= lines.length) continue;
    const old = rawLines(change.before, at, at + removed).map(withoutReturn);
    const line = abbreviationIn(path, old, lines.map(withoutReturn));
    if (line !== undefined) return leavesOut(path, line, removed);
  }
  return undefined;
}

function leavesOut(path: string, line: string, removed: number): Fault {
  return new Fault(
    "invalid_arguments",
    `The edit of ${path} leaves lines out: ${JSON.stringify(line.trim().slice(0, 120))} would stand in the place of ` +
      `${removed} lines. Nothing was changed.`,
    "Write every line in full, or change only the lines that differ. If that line itself is meant, delete the others and insert it in a second edit.",
    { path, line: line.trim().slice(0, 120) },
  );
}
