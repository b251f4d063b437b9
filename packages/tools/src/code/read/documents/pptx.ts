// The slides of a presentation in their order, with their notes, as Markdown.

import { posix } from "node:path";
import { officeParts, partText } from "./document-parts.ts";
import { markdownTable } from "./markdown-table.ts";
import { descendants, parseXml, type XmlElement } from "./xml-tree.ts";

type Parts = ReadonlyMap<string, Uint8Array>;

export async function pptxMarkdown(bytes: Uint8Array): Promise<string> {
  const parts = await officeParts(bytes);
  const main = "ppt/presentation.xml";
  const text = partText(parts, main);
  if (text === undefined) throw new Error("it has no presentation part");
  const places = relations(parts, main);
  const slides = descendants(parseXml(text), "p:sldId").flatMap(({ attributes }) => {
    const place = places.get(attributes["r:id"] ?? "");
    return place === undefined ? [] : [place.path];
  });
  if (slides.length === 0) return "(no slides)";
  return slides.map((path, index) => slideMarkdown(parts, path, index + 1)).join("\n\n");
}

interface Relation {
  readonly path: string;
  readonly type: string;
}

/** What a part refers to, by id. */
function relations(parts: Parts, path: string): Map<string, Relation> {
  const text = partText(parts, posix.join(posix.dirname(path), "_rels", `${posix.basename(path)}.rels`));
  const found = new Map<string, Relation>();
  for (const { attributes } of text === undefined ? [] : descendants(parseXml(text), "Relationship")) {
    const { Id = "", Target = "", Type = "", TargetMode } = attributes;
    if (TargetMode === "External") continue;
    const target = Target.startsWith("/") ? Target.slice(1) : posix.join(posix.dirname(path), Target);
    found.set(Id, { path: target, type: Type });
  }
  return found;
}

function slideMarkdown(parts: Parts, path: string, number: number): string {
  const text = partText(parts, path);
  if (text === undefined) return `## Slide ${number}\n\n(missing in the file)`;
  const slide = parseXml(text);
  const title = descendants(slide, "p:sp").find((shape) => /^(?:ctrT|t)itle$/.test(placeholder(shape)));
  const heading = title === undefined ? "" : paragraphs(title).join(" ");
  const lines = [`## Slide ${number}${heading === "" ? "" : `: ${heading}`}`, ...contents(slide, title)];
  const notes = [...relations(parts, path).values()].find(({ type }) => type.endsWith("/notesSlide"));
  const said = notes === undefined ? "" : notesText(parts, notes.path);
  if (said !== "") lines.push(`Notes: ${said}`);
  return lines.join("\n\n");
}

/** Shapes and tables in the order of the slide. */
function contents(element: XmlElement, title: XmlElement | undefined): string[] {
  return element.children.flatMap((child) => {
    if (typeof child === "string" || child === title) return [];
    if (child.name === "p:sp") {
      if (/^(?:sldNum|dt|ftr)$/.test(placeholder(child))) return [];
      const text = paragraphs(child).join("\n");
      return text === "" ? [] : [text];
    }
    if (child.name !== "a:tbl") return contents(child, title);
    const rows = descendants(child, "a:tr").map((row) =>
      descendants(row, "a:tc").map((cell) => paragraphs(cell).join("\n")),
    );
    return [markdownTable(rows)];
  });
}

function notesText(parts: Parts, path: string): string {
  const text = partText(parts, path);
  if (text === undefined) return "";
  const bodies = descendants(parseXml(text), "p:sp").filter((shape) => placeholder(shape) === "body");
  return bodies.flatMap(paragraphs).join("\n");
}

/** What a shape stands for: "title", "body", …; empty where it is only a shape. */
function placeholder(shape: XmlElement): string {
  const [mark] = descendants(shape, "p:ph");
  return mark === undefined ? "" : (mark.attributes.type ?? "body");
}

function paragraphs(element: XmlElement): string[] {
  return descendants(element, "a:p")
    .map((paragraph) => {
      const level = Number(descendants(paragraph, "a:pPr")[0]?.attributes.lvl ?? 0);
      return `${"  ".repeat(Math.min(level, 8) || 0)}${runs(paragraph)}`.trimEnd();
    })
    .filter((line) => line !== "");
}

function runs(element: XmlElement): string {
  return element.children
    .map((child) => {
      if (typeof child === "string") return element.name === "a:t" ? child : "";
      return child.name === "a:br" ? " " : runs(child);
    })
    .join("");
}
