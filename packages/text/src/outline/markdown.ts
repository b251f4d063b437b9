// The headings of a Markdown document. Only blocks are parsed for the whole document; inline markup is parsed in
// titles alone, because looking for emphasis in a paragraph of megabytes takes more than linear time.
//
// A heading inside a quotation or a list item belongs to that block and divides nothing.

import type { Text } from "@codemirror/state";
import type { MarkdownParser } from "@lezer/markdown";
import type { Outline } from "./outline.ts";
import { nested, type SectionHeading, sectionsOf } from "./sections.ts";
import { displayTitle } from "./titles.ts";

const inlineParsers = "Escape Entity InlineCode HTMLTag Emphasis HardBreak Link Image LinkEnd Autolink".split(
  " ",
);

/** Marks whose characters are no part of what a reader sees. */
const marks = new Set(
  "HeaderMark EmphasisMark CodeMark LinkMark StrikethroughMark HTMLTag Comment ProcessingInstruction".split(
    " ",
  ),
);

/** Hundreds of lists or quotations inside each other, for which the parser takes quadratic time. */
const absurdNesting = /^[ \t>*+\-\d.)]{300,}/gm;

interface Parsers {
  readonly blocks: MarkdownParser;
  readonly titles: MarkdownParser;
}

let loaded: Parsers | undefined;

async function parsers(): Promise<Parsers> {
  if (loaded === undefined) {
    const { parser, Strikethrough } = await import("@lezer/markdown");
    loaded = {
      blocks: parser.configure({ remove: inlineParsers }),
      titles: parser.configure([Strikethrough]),
    };
  }
  return loaded;
}

export async function outlineOfMarkdown(text: Text, maxDepth: number): Promise<Outline> {
  const { blocks, titles } = await parsers();
  const from = frontMatterEnd(text);
  // A "\r" in the text is no line break of this document (see document.ts).
  const content = text
    .sliceString(from)
    .replaceAll("\r", " ")
    .replace(/^\ufeff/, " ")
    .replace(absurdNesting, (marks) => " ".repeat(marks.length));
  const cursor = blocks.parse(content).cursor();
  const headings: SectionHeading[] = [];
  for (let found = cursor.firstChild(); found; found = cursor.nextSibling()) {
    const level = /^(?:ATX|Setext)Heading(\d)$/.exec(cursor.name)?.[1];
    if (level === undefined) continue;
    const line = text.lineAt(from + cursor.from).number - 1;
    const source = content.slice(cursor.from, Math.min(cursor.to, cursor.from + 1_000));
    headings.push({ level: Number(level), line, title: () => plainTitle(titles, source) });
  }
  return nested({ detection_method: "headings" }, sectionsOf(headings), maxDepth);
}

/** Where the document begins behind a block of metadata at its very top; 0 where there is none. */
function frontMatterEnd(text: Text): number {
  const fence = text.line(1).text.slice(0, 20).replace("\ufeff", "").trimEnd();
  if ((fence !== "---" && fence !== "+++") || text.lines < 3) return 0;
  // A rule and not metadata: metadata begin on the next line.
  if (text.line(2).text.trim() === "") return 0;
  let position = text.line(2).from;
  for (const line of text.iterLines(2)) {
    position += line.length + 1;
    if (line.length > 200) continue;
    const end = line.trimEnd();
    if (end === fence || (fence === "---" && end === "...")) return Math.min(position, text.length);
  }
  return 0;
}

/** The text of a heading as a reader sees it. */
function plainTitle(parser: MarkdownParser, source: string): string {
  const parts: string[] = [];
  let at = 0;
  const skipTo = (from: number, to: number, instead = "") => {
    if (from < at) return;
    parts.push(source.slice(at, from), instead);
    at = to;
  };
  parser.parse(source).iterate({
    enter({ name, from, to, node }) {
      if (name === "Escape") skipTo(from, from + 1);
      else if (name === "Entity") skipTo(from, to, entity(source.slice(from, to)));
      else if (marks.has(name)) skipTo(from, to);
      // The address of an autolink is its visible text; that of a link is not.
      else if (/^(?:URL|LinkTitle|LinkLabel)$/.test(name) && /^(?:Link|Image)$/.test(node.parent?.name ?? ""))
        skipTo(from, to);
      return true;
    },
  });
  parts.push(source.slice(at));
  return displayTitle(parts.join(""));
}

const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&nbsp;": " ",
};

function entity(source: string): string {
  const code = /^&#(x?)([0-9a-f]{1,6});$/i.exec(source);
  if (code === null) return entities[source] ?? source;
  const point = Number.parseInt(code[2] ?? "", code[1] === "" ? 10 : 16);
  return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : source;
}
