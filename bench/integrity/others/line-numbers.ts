// Plain line numbers: lines from–to are replaced by new ones, whatever stands there.

import { type FileText, parseFile, renderFile, spliceFile, usualEnd } from "../file-text.ts";
import { placesOf } from "../intended-changes.ts";
import type { TextRules } from "../rule-set.ts";

interface LineEdit {
  /** 1-based, both ends included; `to` is `from - 1` for an insertion before `from`. */
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

export const lineNumbers: TextRules<readonly LineEdit[]> = {
  name: "line numbers",
  about: "Lines from–to are replaced, counted in the file as it is; nothing says what should stand there.",
  source: "the `start_line`/`end_line` form of many edit tools, such as SWE-agent's `edit n:m` command",
  write(one) {
    if (one.slip !== "none" && one.slip !== "off by one") return undefined;
    const shift = one.slip === "off by one" ? 1 : 0;
    return placesOf(one).map(({ at, removed, added }) => {
      return { from: at + 1 + shift, to: at + removed.length + shift, lines: added };
    });
  },
  apply(content, edits) {
    let file = parseFile(content);
    const total = file.lines.length;
    for (const { from, to, lines } of edits.toReversed()) {
      if (from < 1 || from > total + 1 || to > total) {
        return {
          kind: "refused",
          message: `Lines ${from}-${to} are out of range: the file has ${total} lines.`,
        };
      }
      file = replaced(file, from - 1, to - from + 1, lines);
    }
    return { kind: "applied", content: renderFile(file) };
  },
};

export function replaced(file: FileText, at: number, removed: number, lines: readonly string[]): FileText {
  const end = usualEnd(file);
  return spliceFile(
    file,
    at,
    removed,
    lines.map((text) => ({ id: 0, text, end })),
  );
}
