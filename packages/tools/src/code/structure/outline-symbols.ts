// Sections of Markdown, and keys of JSON and YAML, as symbols. Sections are whole lines. A key begins and ends within its
// lines, which it may share with its neighbours and with what holds it.

import type { Text } from "@codemirror/state";
import { countLines, lineContent } from "@stet/text/lines";
import { keysOfJson } from "@stet/text/outline/json";
import { type OutlineItem, outlineOf } from "@stet/text/outline/outline";
import type { SectionKey } from "@stet/text/outline/sections";
import { keysOfYaml } from "@stet/text/outline/yaml";
import type { BodyRange, SymbolItem } from "./symbols.ts";

export type OutlineType = "markdown" | "json" | "yaml";

const byExtension: Readonly<Record<string, OutlineType>> = {
  md: "markdown",
  markdown: "markdown",
  json: "json",
  jsonc: "json",
  yaml: "yaml",
  yml: "yaml",
};

const maxDepth = 16;

export function outlineTypeOf(path: string): OutlineType | undefined {
  const extension = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase();
  return extension !== undefined && Object.hasOwn(byExtension, extension)
    ? byExtension[extension]
    : undefined;
}

export async function outlineSymbols(type: OutlineType, text: Text): Promise<SymbolItem[]> {
  const keys = type === "markdown" ? undefined : await keysOf(type, text);
  if (keys !== undefined) return keySymbols(type, text, keys);
  const { outline } = await outlineOf(text, type, { maxDepth });
  const items: SymbolItem[] = [];
  const total = countLines(text);
  const take = (list: readonly OutlineItem[], parent: string | undefined): void => {
    for (const item of list) {
      const first = item.line_start;
      const last = lastFilled(text, first, Math.min(item.line_end ?? total - 1, total - 1));
      const path = pathOf(type, parent, item.title);
      items.push(wholeLines(type, text, path, item.title, first, last));
      take(item.children ?? [], path);
    }
  };
  take(outline, undefined);
  return items;
}

function keysOf(type: "json" | "yaml", text: Text): Promise<readonly SectionKey[] | undefined> {
  return type === "json" ? keysOfJson(text, maxDepth) : keysOfYaml(text, maxDepth);
}

function keySymbols(type: OutlineType, text: Text, keys: readonly SectionKey[]): SymbolItem[] {
  const holders: { readonly level: number; readonly path: string }[] = [];
  return keys.map(({ title, level, from: start, to, isListed }) => {
    while ((holders.at(-1)?.level ?? 0) >= level) holders.pop();
    const path = pathOf(type, holders.at(-1)?.path, title);
    holders.push({ level, path });
    const end = Math.max(start, to ?? text.line(Math.max(1, countLines(text))).to);
    return {
      name: title,
      kind: "key" as const,
      path,
      aliases: [],
      from: text.lineAt(start).number,
      to: text.lineAt(end).number,
      start,
      codeStart: start,
      headStart: start,
      end,
      body: undefined,
      isListed,
    };
  });
}

/** The last line with something on it. */
function lastFilled(text: Text, first: number, last: number): number {
  let line = last;
  while (line > first && lineContent(text, line).trim() === "") line -= 1;
  return line;
}

function pathOf(type: OutlineType, parent: string | undefined, title: string): string {
  if (parent === undefined) return title;
  if (type === "markdown") return `${parent} > ${title}`;
  return title.startsWith("[") ? `${parent}${title}` : `${parent}.${title}`;
}

/** Of Markdown, and of YAML that is broken or too long: JSON is always read by its keys. */
function wholeLines(
  type: OutlineType,
  text: Text,
  path: string,
  name: string,
  first: number,
  last: number,
): SymbolItem {
  const line = text.line(first + 1);
  const start = line.from + (line.text.length - line.text.trimStart().length);
  const end = text.line(last + 1).from + text.line(last + 1).text.trimEnd().length;
  return {
    name,
    kind: type === "markdown" ? "section" : "key",
    path,
    aliases: [],
    from: first + 1,
    to: last + 1,
    start,
    codeStart: start,
    headStart: start,
    end,
    body: type === "markdown" ? sectionBody(text, first, last) : undefined,
    isListed: false,
  };
}

/** What follows the heading; undefined where nothing does. */
function sectionBody(text: Text, first: number, last: number): BodyRange | undefined {
  const isUnderlined = !/^\s{0,3}#/.test(lineContent(text, first));
  const begin = first + (isUnderlined ? 2 : 1);
  let line = begin;
  while (line <= last && lineContent(text, line).trim() === "") line += 1;
  if (line > last) return undefined;
  return { start: text.line(line + 1).from, end: text.line(last + 1).to, isBraced: false };
}
