// The inline part of Markdown: emphasis, code, links. A paragraph becomes lines: a line break that was written is kept, because
// models write lists and addresses that way. A link is a hyperlink only where its address is one that a browser or a mail
// program opens, and the address is always visible: what one reads is where one goes.

import type { SyntaxNode } from "@lezer/common";
import { visible } from "@stet/protocol/visible";
import type { Emphasis, Theme } from "../theme/theme.ts";
import { paint, type Style } from "./rows.ts";

/** Marks that say how text is drawn, and are not drawn themselves. */
const marks = new Set([
  "EmphasisMark",
  "StrikethroughMark",
  "CodeMark",
  "HeaderMark",
  "QuoteMark",
  "LinkMark",
  "TaskMarker",
]);

const emphases: Readonly<Record<string, Emphasis>> = {
  Emphasis: "italic",
  StrongEmphasis: "bold",
  Strikethrough: "strikethrough",
};

export class InlineText {
  readonly #source: string;
  readonly #theme: Theme;
  readonly #lines: string[] = [""];
  /** Whether nothing but white space was written in the last line. */
  #isLineStart = true;
  /** Of the hyperlink that is open; empty where none is. */
  #target = "";

  constructor(source: string, theme: Theme) {
    this.#source = source;
    this.#theme = theme;
  }

  /** The node's text, as lines. */
  lines(node: SyntaxNode, style: Style): string[] {
    this.#inside(node, node.from, node.to, style);
    return this.#lines.map((line) => line.trimEnd());
  }

  #inside(node: SyntaxNode, from: number, to: number, style: Style): void {
    let at = from;
    for (let child = node.firstChild; child !== null; child = child.nextSibling) {
      if (child.to <= from || child.from >= to) continue;
      this.#write(this.#source.slice(at, child.from), style);
      this.#node(child, style);
      at = child.to;
    }
    this.#write(this.#source.slice(at, to), style);
  }

  #node(node: SyntaxNode, style: Style): void {
    const { name, from, to } = node;
    const emphasis = emphases[name];
    if (marks.has(name)) return;
    if (emphasis !== undefined)
      this.#inside(node, from, to, { ...style, emphasis: [...(style.emphasis ?? []), emphasis] });
    else if (name === "InlineCode") this.#code(node, style);
    else if (name === "Link" || name === "Image" || name === "Autolink" || name === "URL")
      this.#link(node, style);
    else if (name === "HardBreak") this.#break();
    else if (name === "Escape") this.#write(this.#source.slice(from + 1, to), style);
    else if (name === "Entity") this.#write(decoded(this.#source.slice(from, to)), style);
    else if (name === "HTMLTag" && /^<br\s*\/?>$/i.test(this.#source.slice(from, to))) this.#break();
    else this.#inside(node, from, to, style);
  }

  #code(node: SyntaxNode, style: Style): void {
    const first = node.firstChild;
    const last = node.lastChild;
    const text = this.#source.slice(first?.to ?? node.from, last?.from ?? node.to);
    // One space on each side is for code that begins or ends with a backtick.
    const inner = /^ (?=.*[^ ]).* $/s.test(text) ? text.slice(1, -1) : text;
    this.#write(inner, { ...style, colour: "mdCode" });
  }

  #link(node: SyntaxNode, style: Style): void {
    const isBare = node.name === "URL";
    const urlNode = isBare ? node : node.getChild("URL");
    const marksOf = isBare ? [] : node.getChildren("LinkMark");
    const [open, close] = marksOf;
    if (urlNode === null || (!isBare && (open === undefined || close === undefined))) {
      // A reference: what it refers to may be anywhere.
      this.#write(this.#source.slice(node.from, node.to), style);
      return;
    }
    const url = this.#source.slice(urlNode.from, urlNode.to).replace(/^<|>$/g, "");
    // A theme without emphasis is for a terminal that knows no sequences.
    const target = this.#theme.emphasis("bold", "x") === "x" ? undefined : linkTarget(url);
    const linkStyle: Style = {
      ...style,
      colour: "mdLink",
      emphasis: [...(style.emphasis ?? []), "underline"],
    };
    const isNamed = node.name === "Link" || node.name === "Image";
    const label =
      isNamed && open !== undefined && close !== undefined ? this.#source.slice(open.to, close.from) : url;
    const isAddress = label.trim() === url || label.trim() === "";
    this.#open(target);
    if (isNamed && !isAddress && open !== undefined && close !== undefined)
      this.#inside(node, open.to, close.from, linkStyle);
    else this.#write(url, linkStyle);
    this.#open(target === undefined ? undefined : "");
    if (!isAddress) this.#write(` (${url})`, { ...style, colour: "mdLinkUrl" });
  }

  /** Begins or ends a hyperlink. It never goes over a line's end. */
  #open(target: string | undefined): void {
    if (target === undefined) return;
    this.#lines[this.#lines.length - 1] += hyperlink(target);
    this.#target = target;
  }

  #write(text: string, style: Style): void {
    for (const [index, part] of text.split("\n").entries()) {
      if (index > 0) this.#break();
      const piece = this.#isLineStart ? part.trimStart() : part;
      if (piece === "") continue;
      this.#lines[this.#lines.length - 1] += paint(this.#theme, style, piece);
      this.#isLineStart = false;
    }
  }

  #break(): void {
    const target = this.#target;
    if (target !== "") this.#lines[this.#lines.length - 1] += hyperlink("");
    this.#lines.push(target === "" ? "" : hyperlink(target));
    this.#isLineStart = true;
  }
}

function hyperlink(target: string): string {
  return `\u001b]8;;${target}\u001b\\`;
}

/** The address as a terminal may open it; undefined where it may not. */
export function linkTarget(url: string): string | undefined {
  const given = /^www\./i.test(url)
    ? `https://${url}`
    : /^[^\s@:/]+@[^\s@:/]+$/.test(url)
      ? `mailto:${url}`
      : url;
  if (!/^(?:https?|mailto):/i.test(given) || given.length > 2000 || !URL.canParse(given)) return undefined;
  const { href } = new URL(given);
  return /^[\u0021-\u007e]+$/.test(href) ? href : undefined;
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  copy: "©",
  hellip: "…",
  mdash: "—",
  ndash: "–",
  rarr: "→",
  larr: "←",
  times: "×",
};

/** What an entity stands for may steer a terminal as well as what was written. */
function decoded(entity: string): string {
  const [, base = "", digits = ""] = /^&#(x?)([0-9a-f]+);$/i.exec(entity) ?? [];
  if (digits !== "") {
    const code = Number.parseInt(digits, base === "" ? 10 : 16);
    const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return isCharacter ? visible(String.fromCodePoint(code)).replace(/[\n\t]/g, " ") : "\ufffd";
  }
  return entities[entity.slice(1, -1)] ?? entity;
}
