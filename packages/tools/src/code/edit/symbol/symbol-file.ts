// What edits of symbols are planned on, and how they become edits of lines.

import type { Text } from "@codemirror/state";
import type { LineEdit } from "@stet/text/edits";
import { lineContent } from "@stet/text/lines";
import { indentOf } from "../../../locate/indentation.ts";
import type { Language } from "../../structure/languages.ts";
import type { SymbolItem } from "../../structure/symbols.ts";
import { contentLines, indented } from "./indentation.ts";

export interface SymbolFile {
  readonly path: string;
  readonly text: Text;
  readonly language: Language | undefined;
  readonly symbols: readonly SymbolItem[];
  readonly unit: string;
}

/** Content as lines at the place's indentation; prose is taken as it is. */
export function placed(
  file: SymbolFile,
  item: SymbolItem,
  content: string,
  indent: string,
): Promise<string[]> {
  if (item.kind !== "section") {
    const lines = contentLines(content);
    return standsThere(file, item, lines[0] ?? "")
      ? Promise.resolve(lines)
      : indented(content, indent, file.unit, file.language);
  }
  return Promise.resolve(content.replace(/^(?:[ \t]*\r?\n)+|\s+$/g, "").split(/\r\n|\r|\n/));
}

/** Whether a line that is indented stands so in the symbol: it was copied, and is where it belongs. */
function standsThere({ text }: SymbolFile, { from, to }: SymbolItem, line: string): boolean {
  if (indentOf(line) === "") return false;
  for (let at = from; at <= to; at += 1) if (lineContent(text, at - 1) === line) return true;
  return false;
}

/** Characters `[from, to)` replaced, as an edit of the lines that they are in. */
export function characterEdit(text: Text, from: number, to: number, insert: string): LineEdit {
  const first = text.lineAt(from);
  const last = text.lineAt(to);
  const whole = text.sliceString(first.from, from) + insert + text.sliceString(to, last.to);
  return { op: "replace", from: first.number, to: last.number, content: `${whole}\n` };
}
