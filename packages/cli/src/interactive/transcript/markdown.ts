// Markdown that is still being written, as rows.
//
//   text = [ blocks that have ended ][ the block that is open ]
//            drawn once, never again    drawn for each frame
//
// A block has ended where a whole line behind it shows that it has: what comes later cannot change it. Inside a block that is
// open, the whole lines of its code and the items before its last one have ended, too. A block that is longer than `maxOpen`
// is cut there, so what a frame costs does not follow the length of the text. Rows of what has ended never change while the
// text only grows (`settledRows` counts them); whether it came in one piece or in many makes no difference to them.

import type { SyntaxNode } from "@lezer/common";
import { GFM, parser } from "@lezer/markdown";
import type { Theme } from "../theme/theme.ts";
import { CodeLines, codeBottom, codeRows, codeTop, wholeCodeRows } from "./code-block.ts";
import {
  drawBlock,
  infoOf,
  isApart,
  itemRows,
  listNumberOf,
  type MarkdownDrawing,
} from "./markdown-blocks.ts";
import { measuredRows, TableDrawing } from "./markdown-table.ts";
import { withClosedMarks } from "./open-marks.ts";
import { cleanText, fitted } from "./rows.ts";

const markdown = parser.configure(GFM);

/** A paragraph, a list item or a quote of more characters is drawn in parts. */
const maxOpen = 4000;

export function renderMarkdown(text: string, width: number, theme: Theme): string[] {
  const stream = new StreamedMarkdown(theme);
  stream.update(text, false);
  return [...stream.rows(width)];
}

/** The table that is open, and whose first rows are drawn. */
interface OpenTable {
  /** The lines of its head. */
  readonly head: string;
  readonly drawing: TableDrawing;
}

/** The fence that is open. */
interface OpenFence {
  readonly info: string;
  readonly lines: CodeLines;
  /** What was read of it, and where its rows begin. */
  readonly code: string[];
  readonly start: number;
  /** How far its lines are indented at most. */
  readonly indent: number;
  readonly close: RegExp;
}

export class StreamedMarkdown {
  readonly #theme: Theme;
  /** Rows above the first one, where there is one. */
  readonly #above: readonly string[];
  #text = "";
  #isOpen = true;
  #width = 0;
  /** How much of the text was read: whole lines. */
  #read = 0;
  /** Of that, what is not settled; clean. */
  #pending = "";
  #settled: string[] = [];
  #fence: OpenFence | undefined;
  #table: OpenTable | undefined;
  /** Of the list whose earlier items are settled, the number of the next item; null in one without numbers. */
  #list: number | null | undefined;
  /** The kind of the last settled block; undefined before the first. */
  #last: string | undefined;
  #rows: readonly string[] | undefined;

  constructor(theme: Theme, above: readonly string[] = []) {
    this.#theme = theme;
    this.#above = above;
  }

  get text(): string {
    return this.#text;
  }

  /** How many of the rows that were drawn last will not change while the text only grows. */
  get settledRows(): number {
    if (!this.#isOpen) return this.#rows?.length ?? 0;
    return this.#settled.length === 0 ? 0 : this.#above.length + this.#settled.length;
  }

  update(text: string, isOpen: boolean): void {
    if (text === this.#text && isOpen === this.#isOpen) return;
    if (!text.startsWith(this.#text)) this.#begin();
    this.#text = text;
    this.#isOpen = isOpen;
    this.#rows = undefined;
  }

  rows(width: number): readonly string[] {
    if (width !== this.#width) {
      this.#begin();
      this.#width = width;
    }
    this.#rows ??= this.#draw();
    return this.#rows;
  }

  #begin(): void {
    this.#read = 0;
    this.#pending = "";
    this.#settled = [];
    this.#fence = undefined;
    this.#table = undefined;
    this.#list = undefined;
    this.#last = undefined;
    this.#rows = undefined;
  }

  #draw(): readonly string[] {
    const end = this.#text.lastIndexOf("\n") + 1;
    if (end > this.#read) {
      this.#pending += cleanText(this.#text.slice(this.#read, end));
      this.#read = end;
      this.#settle();
    }
    const rest = this.#text.slice(this.#read);
    // The picture of a carriage return is no part of a line that may still end with a line feed.
    const line = cleanText(this.#isOpen ? rest.replace(/\r$/, "") : rest);
    const tail = this.#fence === undefined ? this.#tail(this.#pending + line) : this.#openFence(line);
    return this.#settled.length + tail.length === 0 ? [] : this.#above.concat(this.#settled, tail);
  }

  /** Draws what has ended by now. */
  #settle(): void {
    for (let isCut = true; isCut; ) {
      isCut = false;
      if (this.#fence !== undefined && !this.#readFence()) return;
      if (this.#table !== undefined && !this.#readTable(this.#table)) return;
      const source = this.#pending;
      const blocks = childrenOf(markdown.parse(source).topNode);
      let done = 0;
      for (const [index, block] of blocks.entries()) {
        const hasEnded = index < blocks.length - 1 || isEnded(block, source);
        if (isFence(block) && !hasEnded) {
          this.#beginFence(block, source.slice(done, block.from), source);
          isCut = true;
          done = source.length;
          break;
        }
        const cut = this.#cut(block, source, hasEnded);
        if (cut === undefined) {
          if (!hasEnded) break;
          this.#push(block.name, source.slice(done, block.from), this.#rowsOf(block, source));
          this.#list = undefined;
          done = block.to;
          continue;
        }
        this.#push(block.name, source.slice(done, block.from), cut.rows);
        this.#last = `${block.name}…`;
        this.#list = cut.list;
        this.#table = cut.table;
        done = cut.end;
        isCut = cut.end < source.length;
        break;
      }
      // The line break that ends a block is kept: an empty line behind it separates it from the next one.
      if (this.#fence === undefined) this.#pending = source.slice(done).replace(/^(?:[ \t]*\n){3,}/, "\n\n");
    }
  }

  /**
   * Where a block can be drawn in part before it has ended, or is too long to be drawn in one: the rows and the end of that
   * part. Items of a list are parts of their own whether or not it has ended.
   */
  #cut(block: SyntaxNode, source: string, hasEnded: boolean) {
    const drawing = this.#drawing(source);
    const items = block.getChildren("ListItem");
    const last = items.at(-1);
    if (items.length > 1 && last !== undefined && (!hasEnded || last.to - last.from > maxOpen)) {
      const first = this.#list === undefined ? (listNumberOf(block, source) ?? null) : this.#list;
      const rows: string[] = [];
      for (const [index, item] of items.slice(0, -1).entries()) {
        rows.push(...itemRows(item, first === null ? undefined : first + index, drawing));
        const next = items[index + 1];
        if (next !== undefined && isApart(source.slice(item.to, next.from))) rows.push("");
      }
      const end = lineStart(source, last.from);
      return { rows, end, list: first === null ? null : first + items.length - 1, table: undefined };
    }
    const lines = block.name === "Table" ? block.getChildren("TableRow") : [];
    const rest = lines[measuredRows];
    if (rest !== undefined && !hasEnded) {
      const table = new TableDrawing(block, source, this.#theme, this.#width);
      const rows = [...table.head(), ...table.rows(lines.slice(0, measuredRows), source)];
      const head = source.slice(block.from, lines[0]?.from ?? block.to);
      return { rows, end: rest.from, list: undefined, table: { head, drawing: table } };
    }
    if (block.to - block.from <= maxOpen || isFence(block) || items.length > 1 || lines.length > 0)
      return undefined;
    const end = source.indexOf("\n", block.from + maxOpen);
    if (end < 0 || end + 1 >= block.to) return undefined;
    const part = source.slice(block.from, end + 1);
    const rows = childrenOf(markdown.parse(part).topNode).flatMap((child) => this.#rowsOf(child, part));
    return { rows, end: end + 1, list: undefined, table: undefined };
  }

  #rowsOf(block: SyntaxNode, source: string): string[] {
    if (isFence(block)) return this.#fenceRows(block, source);
    return drawBlock(block, { ...this.#drawing(source), listNumber: this.#list ?? undefined });
  }

  #drawing(source: string): MarkdownDrawing {
    return { source, theme: this.#theme, width: this.#width, depth: 0 };
  }

  #push(kind: string, before: string, rows: readonly string[]): void {
    if (this.#isSeparate(kind, before)) this.#settled.push("");
    this.#pushRows(rows);
    this.#last = kind;
  }

  #pushRows(rows: readonly string[]): void {
    for (const row of fitted(rows, this.#width)) this.#settled.push(row);
  }

  /** Whether an empty row stands before a block of this kind: always, but between a paragraph and a list that follows at once. */
  #isSeparate(kind: string, before: string): boolean {
    if (this.#last === undefined || this.#last === `${kind}…`) return false;
    return !(this.#last === "Paragraph" && kind.endsWith("List") && !isApart(before));
  }

  #tail(open: string): string[] {
    if (open.trim() === "") return [];
    const [settled, last, list, table] = [this.#settled, this.#last, this.#list, this.#table];
    this.#settled = [];
    const source = (table?.head ?? "") + (this.#isOpen ? withClosedMarks(open) : open);
    let end = 0;
    for (const block of childrenOf(markdown.parse(source).topNode)) {
      const isGoingOn = table !== undefined && end === 0 && block.name === "Table";
      const rows = isGoingOn
        ? table.drawing.rows(block.getChildren("TableRow"), source)
        : this.#rowsOf(block, source);
      this.#push(block.name, source.slice(end, block.from), rows);
      this.#list = undefined;
      end = block.to;
    }
    const rows = this.#settled;
    [this.#settled, this.#last, this.#list] = [settled, last, list];
    return rows;
  }

  /** Draws whole lines of a table whose columns are known; true where it has ended. */
  #readTable({ head, drawing }: OpenTable): boolean {
    const source = head + this.#pending;
    const [table, next] = childrenOf(markdown.parse(source).topNode);
    if (table === undefined) return true;
    this.#pushRows(drawing.rows(table.getChildren("TableRow"), source));
    const hasEnded = next !== undefined || isEnded(table, source);
    // The line break behind the last row is read with it; where the table has ended, the empty line is needed.
    const end = hasEnded ? table.to : source.length;
    this.#pending = source.slice(Math.max(end, head.length));
    if (hasEnded) {
      this.#table = undefined;
      this.#last = "Table";
    }
    return hasEnded;
  }

  /** A fence that is closed, line by line as if it had been open. */
  #fenceRows(block: SyntaxNode, source: string): string[] {
    const info = infoOf(block, source);
    const indent = block.from - lineStart(source, block.from);
    const [, ...lines] = source.slice(block.from, block.to).split("\n");
    if (block.getChildren("CodeMark").length > 1) lines.pop();
    const code = lines.map((line) => outdented(line, indent));
    return codeRows(code, info, this.#theme, this.#width);
  }

  #beginFence(block: SyntaxNode, before: string, source: string): void {
    const mark = block.firstChild;
    const fence = mark === null ? "```" : source.slice(mark.from, mark.to);
    const info = infoOf(block, source);
    this.#push("FencedCode", before, [codeTop(info, this.#theme, this.#width)]);
    this.#fence = {
      info,
      code: [],
      start: this.#settled.length,
      lines: new CodeLines(info, this.#theme),
      indent: block.from - lineStart(source, block.from),
      close: new RegExp(`^ {0,3}${fence[0] === "~" ? "~" : "`"}{${fence.length},}[ \\t]*$`),
    };
    this.#list = undefined;
    const first = source.indexOf("\n", block.from);
    this.#pending = first < 0 ? "" : source.slice(first + 1);
  }

  /** Reads whole lines of code; true where the fence was closed. */
  #readFence(): boolean {
    const fence = this.#fence;
    if (fence === undefined) return true;
    let at = 0;
    for (let end = this.#pending.indexOf("\n", at); end >= 0; end = this.#pending.indexOf("\n", at)) {
      const line = this.#pending.slice(at, end);
      at = end + 1;
      if (fence.close.test(line)) {
        this.#endFence(fence);
        this.#pending = this.#pending.slice(at);
        return true;
      }
      const code = outdented(line, fence.indent);
      fence.code.push(code);
      this.#pushRows(fence.lines.rows(code, this.#width));
    }
    this.#pending = this.#pending.slice(at);
    return false;
  }

  /** Code that is whole has the colours of its parser: the same rows otherwise. */
  #endFence({ code, info, start }: OpenFence): void {
    const rows = wholeCodeRows(code, info, this.#theme, this.#width);
    this.#settled.length = start;
    this.#pushRows(rows);
    this.#settled.push(codeBottom(this.#theme, this.#width));
    this.#fence = undefined;
  }

  /** The code that is being written: its last line, and the border below. */
  #openFence(line: string): string[] {
    const fence = this.#fence;
    if (fence === undefined) return [];
    const isClose = fence.close.test(line) || (this.#isOpen && /^ {0,3}[`~]+$/.test(line));
    const rows =
      line === "" || isClose ? [] : fence.lines.rows(outdented(line, fence.indent), this.#width, false);
    return [...fitted(rows, this.#width), codeBottom(this.#theme, this.#width)];
  }
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child);
  return children;
}

function isFence(block: SyntaxNode): boolean {
  return block.name === "FencedCode";
}

/** Whether the last block of whole lines has ended, too. */
function isEnded(block: SyntaxNode, source: string): boolean {
  if (/^(?:ATXHeading|SetextHeading|HorizontalRule)/.test(block.name)) return true;
  if (block.name === "FencedCode") return block.getChildren("CodeMark").length > 1;
  if (!["Paragraph", "Table", "Blockquote", "LinkReference"].includes(block.name)) return false;
  return /^[ \t]*\n[ \t]*\n/.test(source.slice(block.to));
}

function lineStart(source: string, at: number): number {
  return source.lastIndexOf("\n", at - 1) + 1;
}

function outdented(line: string, indent: number): string {
  let from = 0;
  while (from < indent && line[from] === " ") from += 1;
  return line.slice(from);
}
