// Replacing what is inside of a symbol: between its brackets, below its first line, or under its heading.

import { Fault } from "@stet/protocol/fault";
import type { LineEdit } from "@stet/text/edits";
import { lineContent } from "@stet/text/lines";
import { contentOf } from "../../../locate/followed-edits.ts";
import type { BodyRange, SymbolItem } from "../../structure/symbols.ts";
import { indentAt } from "./indentation.ts";
import { characterEdit, placed, type SymbolFile } from "./symbol-file.ts";

export async function planBody(
  file: SymbolFile,
  item: SymbolItem,
  content: string,
): Promise<LineEdit[] | Fault> {
  const { body } = item;
  if (body === undefined) return item.kind === "section" ? underHeading(file, item, content) : noBody(item);
  if (body.isBraced && /^\s*\{[\s\S]*\}\s*$/.test(content)) return withoutBraces(item);
  return body.isBraced ? braced(file, item, body, content) : block(file, item, body, content);
}

async function underHeading(file: SymbolFile, item: SymbolItem, content: string): Promise<LineEdit[]> {
  const lines = await placed(file, item, content, "");
  return [{ op: "insert", after: item.to, content: contentOf(["", ...lines]) }];
}

async function braced(
  file: SymbolFile,
  item: SymbolItem,
  body: BodyRange,
  content: string,
): Promise<LineEdit[]> {
  const { text, unit } = file;
  const opener = text.lineAt(body.start);
  const closer = text.lineAt(body.end);
  const outer = indentAt(text, text.lineAt(item.headStart).number);
  const first = opener.number + 1;
  const last = closer.number - 1;
  const inner = first <= last ? innerIndent(file, first, last) : undefined;
  const lines = content.trim() === "" ? [] : await placed(file, item, content, inner ?? outer + unit);
  const isOpen = text.sliceString(body.start, opener.to).trim() === "";
  const isClosed = text.sliceString(closer.from, body.end).trim() === "";
  if (isOpen && isClosed && first <= last) {
    return [{ op: "replace", from: first, to: last, content: contentOf(lines) }];
  }
  if (isOpen && isClosed && closer.number > opener.number) {
    return [{ op: "insert", after: opener.number, content: contentOf(lines) }];
  }
  const inside = lines.length === 0 ? "" : `\n${contentOf(lines)}${outer}`;
  return [characterEdit(text, body.start, body.end, inside)];
}

/** The indentation of the first line with something on it. */
function innerIndent({ text }: SymbolFile, first: number, last: number): string | undefined {
  for (let line = first; line <= last; line += 1) {
    if (lineContent(text, line - 1).trim() !== "") return indentAt(text, line);
  }
  return undefined;
}

async function block(
  file: SymbolFile,
  item: SymbolItem,
  body: BodyRange,
  content: string,
): Promise<LineEdit[] | Fault> {
  const { text, unit } = file;
  if (content.trim() === "" && item.kind !== "section") return emptyBlock(item);
  const first = text.lineAt(body.start);
  const last = text.lineAt(body.end);
  if (text.sliceString(first.from, body.start).trim() === "") {
    const lines =
      content.trim() === "" ? [] : await placed(file, item, content, indentAt(text, first.number));
    return [{ op: "replace", from: first.number, to: last.number, content: contentOf(lines) }];
  }
  const lines = await placed(file, item, content, indentAt(text, first.number) + unit);
  const before = text.sliceString(first.from, body.start).trimEnd().length;
  return [characterEdit(text, first.from + before, body.end, `\n${lines.join("\n")}`)];
}

function noBody(item: SymbolItem): Fault {
  return new Fault(
    "invalid_arguments",
    `${item.path} (${item.kind}) has no body that could be replaced on its own.`,
    "Use replace with the whole symbol.",
    { symbol: item.path },
  );
}

function withoutBraces(item: SymbolItem): Fault {
  return new Fault(
    "invalid_arguments",
    `The content for the body of ${item.path} has braces around it; they stay, so they would stand there twice.`,
    "Give only what is between the braces.",
    { symbol: item.path },
  );
}

function emptyBlock(item: SymbolItem): Fault {
  return new Fault("content_required", `The body of ${item.path} cannot be empty.`, "Give at least pass.", {
    symbol: item.path,
  });
}
