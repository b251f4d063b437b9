// Markdown's blocks as rows: paragraphs, headings, lists, quotes, code, tables, rules. Blank rows between the parts of a list or
// a quote are where blank lines were written, and numbers and bullets are drawn item by item: nothing that comes later in the
// document changes a row of a block that has ended.

import type { SyntaxNode } from "@lezer/common";
import { cellWidth } from "@stet/tui/text/width";
import type { Theme } from "../theme/theme.ts";
import { codeRows } from "./code-block.ts";
import { InlineText } from "./markdown-inline.ts";
import { tableRows } from "./markdown-table.ts";
import { behind, type Style, wrapLines } from "./rows.ts";

/** Deeper than this, Markdown is drawn as it was written. */
const maxDepth = 24;

export interface MarkdownDrawing {
  readonly source: string;
  readonly theme: Theme;
  readonly width: number;
  readonly depth: number;
  /** The number of the first item, where the list began before this source does. */
  readonly listNumber?: number | undefined;
}

export function drawBlock(node: SyntaxNode, drawing: MarkdownDrawing): string[] {
  const { source, theme, width, depth } = drawing;
  if (depth > maxDepth) return wrapLines(source.slice(node.from, node.to).split("\n"), width);
  const heading = /^(?:ATX|Setext)Heading(\d)$/.exec(node.name);
  if (heading !== null) return headingRows(node, Number(heading[1]), drawing);
  switch (node.name) {
    case "BulletList":
    case "OrderedList":
      return listRows(node, drawing);
    case "Blockquote": {
      const sign = `${theme.fg("mdQuoteBorder", theme.symbol("quote"))} `;
      return behind(sign, sign, width, (room) => childRows(node, { ...drawing, width: room }));
    }
    case "FencedCode":
    case "CodeBlock":
      return codeRows(codeLines(node, source), infoOf(node, source), theme, width);
    case "Table":
      return tableRows(node, source, theme, width);
    case "HorizontalRule":
      return [theme.fg("mdHr", theme.symbol("line").repeat(Math.max(1, width)))];
    case "HTMLBlock":
    case "CommentBlock":
    case "ProcessingInstructionBlock":
    case "LinkReference":
      return wrapLines(
        source
          .slice(node.from, node.to)
          .split("\n")
          .map((line) => theme.fg("muted", line)),
        width,
      );
    default:
      return textRows(node, styleAt(node), drawing);
  }
}

/** Text in a quote is muted. */
function styleAt(node: SyntaxNode): Style {
  for (let parent = node.parent; parent !== null; parent = parent.parent)
    if (parent.name === "Blockquote") return { colour: "mdQuote", emphasis: ["italic"] };
  return {};
}

function textRows(node: SyntaxNode, style: Style, { source, theme, width }: MarkdownDrawing): string[] {
  return wrapLines(new InlineText(source, theme).lines(node, style), width);
}

function headingRows(node: SyntaxNode, level: number, drawing: MarkdownDrawing): string[] {
  const emphasis = level === 1 ? (["bold", "underline"] as const) : (["bold"] as const);
  return textRows(node, { colour: "mdHeading", emphasis }, drawing).map((row) => row.trimStart());
}

function childRows(node: SyntaxNode, drawing: MarkdownDrawing): string[] {
  const rows: string[] = [];
  let end: number | undefined;
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.name.endsWith("Mark")) continue;
    if (end !== undefined && isApart(drawing.source.slice(end, child.from))) rows.push("");
    rows.push(...drawBlock(child, { ...drawing, depth: drawing.depth + 1, listNumber: undefined }));
    end = child.to;
  }
  return rows;
}

/** Whether an empty line lies between two blocks. */
export function isApart(between: string): boolean {
  return /\n[ \t>]*\n/.test(between);
}

export function listNumberOf(list: SyntaxNode, source: string): number | undefined {
  if (list.name !== "OrderedList") return undefined;
  const mark = list.firstChild?.getChild("ListMark");
  const digits = mark == null ? "" : source.slice(mark.from, mark.to - 1);
  return /^\d+$/.test(digits) ? Number(digits) : 1;
}

function listRows(node: SyntaxNode, drawing: MarkdownDrawing): string[] {
  const { source, listNumber = listNumberOf(node, source) } = drawing;
  const rows: string[] = [];
  let end: number | undefined;
  let index = 0;
  for (const item of node.getChildren("ListItem")) {
    if (end !== undefined && isApart(source.slice(end, item.from))) rows.push("");
    rows.push(...itemRows(item, listNumber === undefined ? undefined : listNumber + index, drawing));
    end = item.to;
    index += 1;
  }
  return rows;
}

export function itemRows(item: SyntaxNode, number: number | undefined, drawing: MarkdownDrawing): string[] {
  const { source, theme, width } = drawing;
  const task = item.getChild("Task")?.getChild("TaskMarker");
  const isDone = task != null && /x/i.test(source.slice(task.from, task.to));
  const mark =
    task != null
      ? theme.fg(isDone ? "success" : "mdListBullet", theme.symbol(isDone ? "checked" : "unchecked"))
      : theme.fg("mdListBullet", number === undefined ? theme.symbol("bullet") : `${number}.`);
  const sign = `${mark} `;
  return behind(sign, " ".repeat(cellWidth(sign)), width, (room) =>
    childRows(item, { ...drawing, width: room }),
  );
}

/** The code without its fences; lezer leaves out the indentation of the list or the quote that it stands in. */
function codeLines(node: SyntaxNode, source: string): string[] {
  const parts = node.getChildren("CodeText");
  if (parts.length === 0) return [];
  return parts
    .map(({ from, to }) => source.slice(from, to))
    .join("")
    .split("\n");
}

export function infoOf(node: SyntaxNode, source: string): string {
  const info = node.getChild("CodeInfo");
  return info === null ? "" : source.slice(info.from, info.to);
}
