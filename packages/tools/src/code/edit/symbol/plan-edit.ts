// One edit of a symbol as edits of lines.
//
// A symbol that has its lines to itself is edited as lines: what is beside it keeps its bytes, and blank lines between
// neighbours are what they were. What is put behind a symbol and then deleted leaves the file as it was. A symbol that
// shares a line with other code can be replaced and deleted within the line.

import type { Text } from "@codemirror/state";
import { Fault } from "@stet/protocol/fault";
import type { LineEdit } from "@stet/text/edits";
import { countLines, lineContent } from "@stet/text/lines";
import { contentOf } from "../../../locate/followed-edits.ts";
import type { Language } from "../../structure/languages.ts";
import { enclosing, type SymbolItem } from "../../structure/symbols.ts";
import { isMistakenAt } from "../../structure/syntax.ts";
import { indentAt, ownUnit } from "./indentation.ts";
import { planBody } from "./plan-body.ts";
import { characterEdit, placed, type SymbolFile } from "./symbol-file.ts";

export const symbolOps = ["replace", "replace_body", "insert_before", "insert_after", "delete"] as const;

export type SymbolOp = (typeof symbolOps)[number];

export async function planSymbolEdit(
  file: SymbolFile,
  item: SymbolItem,
  op: SymbolOp,
  content: string | undefined,
): Promise<LineEdit[] | Fault> {
  if (op === "delete") {
    if (content !== undefined && content !== "") return notForDelete();
    return (await unclearEnd(file, item)) ?? planDelete(file, item);
  }
  if (content === undefined) return contentRequired(op, item);
  if (op === "replace_body") return planBody(file, item, content);
  if (content.trim() === "") return contentRequired(op, item);
  if (op !== "replace") return planInsert(file, item, op, content);
  return (await unclearEnd(file, item)) ?? planReplace(file, item, content);
}

/** What stands behind an item on its last line. */
function tailOf(text: Text, item: SymbolItem): string {
  return text.sliceString(item.end, text.line(item.to).to).replace(/\r$/, "");
}

const comment = String.raw`(?://.*|#.*|/\*.*\*/)?`;
const ownTail = new RegExp(`^\\s*[,;]*\\s*${comment}\\s*$`);

function startsLine(text: Text, item: SymbolItem): boolean {
  return text.sliceString(text.lineAt(item.start).from, item.start).trim() === "";
}

function endsLine(text: Text, item: SymbolItem): boolean {
  return ownTail.test(tailOf(text, item));
}

/** Where the parser makes no sense of what shares a line with a symbol, that may well be the rest of it. */
async function unclearEnd(
  { path, text, language }: SymbolFile,
  item: SymbolItem,
): Promise<Fault | undefined> {
  const { to: end } = text.line(item.to);
  if (language === undefined || endsLine(text, item)) return undefined;
  if (!(await isMistakenAt(language, text.toString(), item.end, end))) return undefined;
  return new Fault(
    "invalid_arguments",
    `Where ${item.path} ends in line ${item.to} of ${path} cannot be told, because what follows there is not understood. Nothing was changed.`,
    "Replace what holds it, or use write to give the file its whole content.",
    { symbol: item.path, line: item.to },
  );
}

async function planReplace(file: SymbolFile, item: SymbolItem, content: string): Promise<LineEdit[] | Fault> {
  const { text } = file;
  // A comment that the new content does not bring along stays.
  const ownStart = beginsWithComment(content, file.language) ? item.start : item.codeStart;
  const start = withFront(text, ownStart, content);
  const first = text.lineAt(start).number;
  const own = ownUnit(text.sliceString(text.line(first).from, item.end));
  const indent = indentAt(text, text.lineAt(item.headStart).number);
  const lines = await placed({ ...file, unit: own ?? file.unit }, item, content, indent);
  const last = lines.pop() ?? "";
  if ((start === ownStart && !startsLine(text, item)) || !endsLine(text, item)) {
    const whole = [...lines, last].join("\n").trim().replace(/[,;]$/, "");
    const keepsMark = /^\s*[,;]/.test(tailOf(text, item)) ? whole : [...lines, last].join("\n").trim();
    return [characterEdit(text, start, item.end, keepsMark)];
  }
  lines.push(withTail(last, tailOf(text, item), item.isListed));
  return [{ op: "replace", from: first, to: item.to, content: contentOf(lines) }];
}

/** Where the content begins, which may bring what stands in front of the symbol on its line: `inline`, `static`. */
function withFront(text: Text, start: number, content: string): number {
  const { from } = text.lineAt(start);
  const front = text.sliceString(from, start);
  if (front.trim() === "" || !content.trimStart().startsWith(front.trim())) return start;
  return from + front.length - front.trimStart().length;
}

/** The last line with the comma, semicolon and comment that the old one had, where it has none. */
function withTail(line: string, tail: string, isListed: boolean): string {
  const bare = line.trimEnd();
  const [, mark = "", rest = ""] = /^(\s*[,;]+)?(.*)$/s.exec(tail) ?? [];
  if (isListed && mark.trim() === "" && bare.endsWith(",")) return bare.slice(0, -1) + rest.trimEnd();
  if (tail.trim() === "" || bare.endsWith(tail.trim())) return line;
  return bare.endsWith(mark.trim()) ? bare + rest : bare + tail;
}

function beginsWithComment(content: string, language: Language | undefined): boolean {
  const start = content.trimStart();
  return language === "python" ? start.startsWith("#") : /^(?:\/\/|\/\*)/.test(start);
}

async function planInsert(
  file: SymbolFile,
  item: SymbolItem,
  op: "insert_before" | "insert_after",
  content: string,
): Promise<LineEdit[] | Fault> {
  const { text } = file;
  const isBefore = op === "insert_before";
  if (isBefore ? !startsLine(text, item) : !endsLine(text, item)) {
    return item.kind === "key" && item.isListed
      ? [insertInLine(text, item, isBefore, content)]
      : sharedLine(file, item);
  }
  const lines = await placed(file, item, content, ownIndent(text, item));
  const isLong = lines.length > 1 && !item.isListed;
  const edits: LineEdit[] = [];
  if (item.isListed) {
    const hasComma = isBefore || hasTrailingComma(lineContent(text, item.to - 1));
    lines.push(comma(lines.pop() ?? "", hasComma));
    if (!hasComma) {
      const line = comma(lineContent(text, item.to - 1), true);
      edits.push({ op: "replace", from: item.to, to: item.to, content: contentOf([line]) });
    }
  }
  const joinsImports = item.kind === "imports" && /^(?:import|from|use|#include)\b/.test(lines[0] ?? "");
  const gap = joinsImports ? 0 : Math.max(gapFor(file, item, isBefore), isLong ? 1 : 0);
  const blank = new Array<string>(gap).fill("");
  const behind = wouldJoin(file, item) ? [""] : [];
  edits.push(
    isBefore
      ? { op: "insert", after: item.from - 1, content: contentOf([...lines, ...blank]) }
      : { op: "insert", after: item.to, content: contentOf([...blank, ...lines, ...behind]) },
  );
  return edits;
}

/** Beside an entry of a list that shares its line: with the comma between them. */
function insertInLine(text: Text, item: SymbolItem, isBefore: boolean, content: string): LineEdit {
  const entry = content.trim().replace(/^,\s*|\s*,$/g, "");
  return isBefore
    ? characterEdit(text, item.start, item.start, `${entry}, `)
    : characterEdit(text, item.end, item.end, `, ${entry}`);
}

/** Where a neighbour begins: behind `- ` the first key of an entry is indented as the others are. */
function ownIndent(text: Text, item: SymbolItem): string {
  const { from } = text.line(item.from);
  const front = text.sliceString(from, item.start);
  return item.kind === "key" && /^[ \t]*(?:- +)+$/.test(front)
    ? front.replaceAll("-", " ")
    : indentAt(text, item.from);
}

/** A paragraph in front of an underlined heading becomes part of it. */
function wouldJoin({ text }: SymbolFile, { kind, to }: SymbolItem): boolean {
  if (kind !== "section" || to >= countLines(text)) return false;
  return !/^\s*(?:#|$)/.test(lineContent(text, to));
}

/** How many blank lines neighbours have between them here. */
function gapFor(file: SymbolFile, item: SymbolItem, isBefore: boolean): number {
  const around = surroundings(file, item);
  const before = around.isFirst ? undefined : around.blankBefore;
  const after = around.isLast ? undefined : around.blankAfter;
  const gap = isBefore ? (before ?? after) : (after ?? before);
  const isAlone = item.to > item.from && !item.isListed ? 1 : 0;
  return Math.min(2, gap ?? isAlone);
}

interface Surroundings {
  readonly blankBefore: number;
  readonly blankAfter: number;
  /** Nothing is in front of it in what holds it. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

function surroundings({ text, symbols }: SymbolFile, item: SymbolItem): Surroundings {
  const total = countLines(text);
  const isBlank = (line: number) => lineContent(text, line - 1).trim() === "";
  let above = item.from - 1;
  while (above >= 1 && isBlank(above)) above -= 1;
  let below = item.to + 1;
  while (below <= total && isBlank(below)) below += 1;
  const holder = enclosing(symbols, item)?.body;
  const opener = holder === undefined ? 0 : text.lineAt(holder.start).number - (holder.isBraced ? 0 : 1);
  const closer =
    holder === undefined ? total + 1 : text.lineAt(holder.end).number + (holder.isBraced ? 0 : 1);
  const opensList = item.isListed && /[{[(]$/.test(above < 1 ? "" : lineContent(text, above - 1).trimEnd());
  const closesList = item.isListed && /^\s*[}\])]/.test(below > total ? "" : lineContent(text, below - 1));
  return {
    blankBefore: item.from - 1 - above,
    blankAfter: below - 1 - item.to,
    isFirst: above <= opener || opensList,
    isLast: below >= closer || closesList,
  };
}

function planDelete(file: SymbolFile, item: SymbolItem): LineEdit[] {
  const { text } = file;
  if (!startsLine(text, item) || !endsLine(text, item)) return [deleteInLine(text, item)];
  const { blankBefore, blankAfter, isFirst, isLast } = surroundings(file, item);
  const from = isFirst ? item.from : item.from - blankBefore;
  const to = isFirst && !isLast ? item.to + blankAfter : item.to;
  const edits: LineEdit[] = [{ op: "delete", from, to }];
  const hasComma = hasTrailingComma(lineContent(text, item.to - 1));
  if (item.isListed && isLast && !isFirst && !hasComma) {
    // The one in front is the last now.
    const line = item.from - blankBefore - 1;
    const bare = comma(lineContent(text, line - 1), false);
    edits.unshift({ op: "replace", from: line, to: line, content: contentOf([bare]) });
  }
  return edits;
}

/** White space that a list may have between two entries. */
const longestGap = 1000;

/** With the comma and the space behind it, or the comma before it where it is the last of a list. */
function deleteInLine(text: Text, item: SymbolItem): LineEdit {
  const behind = /^\s*[,;]?[ \t]*/.exec(text.sliceString(item.end, text.lineAt(item.end).to))?.[0] ?? "";
  const before = item.isListed ? Math.max(0, item.start - longestGap) : text.lineAt(item.start).from;
  const front = /,\s*$/.exec(text.sliceString(before, item.start))?.[0] ?? "";
  if (!behind.includes(",") && front !== "")
    return characterEdit(text, item.start - front.length, item.end, "");
  return characterEdit(text, item.start, item.end + (/[,;]/.test(behind) ? behind.length : 0), "");
}

const trailingComma = /,(\s*(?:\/\/.*|\/\*.*\*\/)?\s*)$/;

function hasTrailingComma(line: string): boolean {
  return trailingComma.test(line);
}

function comma(line: string, isWanted: boolean): string {
  if (hasTrailingComma(line) === isWanted) return line;
  if (!isWanted) return line.replace(trailingComma, "$1");
  return line.replace(/(\s*(?:\/\/[^"'`]*|\/\*[^"'`]*\*\/)?\s*)$/, ",$1");
}

function sharedLine({ path }: SymbolFile, item: SymbolItem): Fault {
  return new Fault(
    "invalid_arguments",
    `${item.path} shares line ${item.to} of ${path} with other code, so nothing can be put beside it as lines.`,
    "Replace what holds it instead.",
    { symbol: item.path, line: item.to },
  );
}

function contentRequired(op: SymbolOp, item: SymbolItem): Fault {
  return new Fault(
    "content_required",
    `${op} of ${item.path} needs content.`,
    "Give the code; to remove the symbol use delete.",
    { symbol: item.path },
  );
}

function notForDelete(): Fault {
  return new Fault("invalid_arguments", "delete takes no content.", "Use replace to put other code there.");
}
