// Two letters beside each line, a hash of its text: an edit names lines by number and letters, and is refused where the
// letters of the file as it is now differ. No memory of what was shown.

import { anchorLetters, pairs } from "../../../packages/text/src/anchors.ts";
import type { Case } from "../cases.ts";
import { type FileText, parseFile, renderFile } from "../file-text.ts";
import { placesOf } from "../intended-changes.ts";
import type { TextRules } from "../rule-set.ts";
import { replaced } from "./line-numbers.ts";

interface Anchor {
  readonly line: number;
  readonly letters: string;
}

interface HashEdit {
  /** Undefined: before the first line. */
  readonly first: Anchor | undefined;
  /** Undefined: an insertion behind `first`. */
  readonly last: Anchor | undefined;
  readonly lines: readonly string[];
}

export const lineHashes: TextRules<readonly HashEdit[]> = {
  name: "two-letter line hashes",
  about:
    "First and last line of a range are checked by two letters against the file as it is; lines between are not.",
  source: "the hashline format of oh-my-pi, without its cache of what was read",
  write(one) {
    if (one.slip !== "none" && one.slip !== "off by one") return undefined;
    return editsOf(one, one.seen, one.slip === "off by one" ? 1 : 0);
  },
  apply(content, edits) {
    let file = parseFile(content);
    const stale = edits
      .flatMap(({ first, last }) => [first, last])
      .find((anchor) => anchor !== undefined && !fits(file, anchor));
    if (stale !== undefined) return { kind: "refused", message: around(file, stale) };
    for (const { first, last, lines } of edits.toReversed()) {
      const at = last === undefined ? (first?.line ?? 0) : (first?.line ?? 1) - 1;
      const removed = first === undefined || last === undefined ? 0 : last.line - first.line + 1;
      file = replaced(file, at, removed, lines);
    }
    return { kind: "applied", content: renderFile(file) };
  },
  /** The message shows two lines around; where the wanted line is among them, the edit can be written anew. */
  rewrite(one, message) {
    const shown = new Map<string, Anchor>();
    for (const [, line = "", letters = "", text = ""] of message.matchAll(/^[* ](\d+)([a-z]{2})\|(.*)$/gm)) {
      shown.set(text, { line: Number(line), letters });
    }
    const edits = editsOf(one, one.seen, 0);
    const fresh = edits?.map((edit, index) => {
      const place = placesOf(one)[index];
      const wanted = place?.removed[0] ?? one.seen.lines[(place?.at ?? 0) - 1]?.text;
      const found = wanted === undefined ? undefined : shown.get(wanted);
      if (found === undefined || edit.first === undefined) return undefined;
      const last = edit.last === undefined ? undefined : shown.get(place?.removed.at(-1) ?? "");
      return edit.last !== undefined && last === undefined ? undefined : { ...edit, first: found, last };
    });
    return fresh === undefined || fresh.includes(undefined) ? undefined : fresh.flatMap((edit) => edit ?? []);
  },
};

function editsOf(one: Case, file: FileText, shift: number): HashEdit[] | undefined {
  const anchorAt = (index: number): Anchor | undefined => {
    const text = file.lines[index]?.text;
    if (text === undefined) return undefined;
    // Off by one is a line number read from the line beside, its letters from the right one.
    return { line: index + 1 + shift, letters: anchorLetters(text, index + 1) || (pairs[0] ?? "") };
  };
  return placesOf(one).map(({ at, removed, added }) => {
    if (removed.length === 0) return { first: anchorAt(at - 1), last: undefined, lines: added };
    return { first: anchorAt(at), last: anchorAt(at + removed.length - 1), lines: added };
  });
}

function fits(file: FileText, { line, letters }: Anchor): boolean {
  const text = file.lines[line - 1]?.text;
  return text !== undefined && anchorLetters(text, line) === letters;
}

function around(file: FileText, { line }: Anchor): string {
  const shown: string[] = [`Line ${line} is another one than expected. These stand there now:`];
  for (let at = Math.max(1, line - 2); at <= Math.min(file.lines.length, line + 2); at += 1) {
    const text = file.lines[at - 1]?.text ?? "";
    shown.push(`${at === line ? "*" : " "}${at}${anchorLetters(text, at)}|${text}`);
  }
  return shown.join("\n");
}
