// The keys of a YAML file, from its concrete syntax: tokens with positions, before anything is resolved, so an alias
// is only a name. Several documents in one file are one level more.
//
// The parser takes about a second a megabyte. A file longer than `mostParsed` is read by its indentation instead.

import type { Text } from "@codemirror/state";
import type { CST } from "yaml";
import type { Outline } from "./outline.ts";
import { type Detection, LevelCounts, nested, type Section, type SectionKey } from "./sections.ts";
import { displayTitle } from "./titles.ts";
import { sectionsByIndentation } from "./yaml-lines.ts";

const mostParsed = 200_000;

type Yaml = typeof import("yaml");

/** The keys of a file in order, each before what is in it; undefined where only its lines can be guessed. */
export async function keysOfYaml(text: Text, maxDepth: number): Promise<SectionKey[] | undefined> {
  const parsed = await parse(text, maxDepth);
  return parsed instanceof Collector && !parsed.isBroken ? parsed.keys : undefined;
}

export async function outlineOfYaml(text: Text, maxDepth: number): Promise<Outline> {
  const parsed = await parse(text, maxDepth);
  if (!(parsed instanceof Collector)) return parsed;
  const found: Detection = parsed.isBroken
    ? { detection_method: "keys", detection_confidence: "low", note: brokenNote }
    : { detection_method: "keys" };
  return nested(found, parsed.sections, maxDepth, parsed.counts.total);
}

async function parse(text: Text, maxDepth: number): Promise<Collector | Outline> {
  if (text.length > mostParsed) return byIndentation(text, maxDepth, "medium", "The file is large");
  const yaml = await import("yaml");
  const source = text
    .toString()
    .replaceAll("\r", " ")
    .replace(/^\ufeff/, " ");
  let tokens: CST.Token[];
  try {
    tokens = [...new yaml.Parser().parse(source)];
  } catch {
    return byIndentation(text, maxDepth, "low", "The document is not valid YAML");
  }
  const broken = isBroken(yaml, tokens);
  if (broken) {
    const guessed = byIndentation(text, maxDepth, "low", "The document is not valid YAML");
    if (guessed.outline.length > 0) return guessed;
  }
  const collector = new Collector(yaml, text, source, maxDepth);
  collector.isBroken = broken;
  const filled = tokens
    .filter((token) => token.type === "document")
    .filter(({ value }) => value !== undefined);
  if (filled.length > 1) collector.takeDocuments(filled);
  else if (filled[0]?.value !== undefined) collector.takeMembers(filled[0].value, 1);
  return collector;
}

const brokenNote =
  "The document is not valid YAML. These are the keys that could be found; their ends may be wrong.";

function byIndentation(text: Text, maxDepth: number, confidence: "medium" | "low", reason: string): Outline {
  const note = `${reason}, so its keys were found by their indentation alone.`;
  return nested(
    { detection_method: "keys", detection_confidence: confidence, note },
    sectionsByIndentation(text, maxDepth),
    maxDepth,
  );
}

/** Composing finds what the syntax alone allows: bad indentation, missing quotes. It resolves no alias. */
function isBroken(yaml: Yaml, tokens: readonly CST.Token[]): boolean {
  try {
    for (const document of new yaml.Composer({ uniqueKeys: false }).compose(tokens)) {
      if (document.errors.length > 0) return true;
    }
    return false;
  } catch {
    // Too deeply nested for the composer, which calls itself.
    return true;
  }
}

type Member = {
  start: CST.SourceToken[];
  key?: CST.Token | null;
  sep?: CST.SourceToken[];
  value?: CST.Token;
};

class Collector {
  readonly sections: Section[] = [];
  readonly keys: SectionKey[] = [];
  isBroken = false;
  readonly counts = new LevelCounts();
  readonly #yaml: Yaml;
  readonly #text: Text;
  readonly #source: string;
  readonly #maxDepth: number;
  readonly #lastLine: number;

  constructor(yaml: Yaml, text: Text, source: string, maxDepth: number) {
    this.#yaml = yaml;
    this.#text = text;
    this.#source = source;
    this.#maxDepth = maxDepth;
    this.#lastLine = this.#lineOf(source.trimEnd().length);
  }

  takeDocuments(documents: readonly CST.Document[]): void {
    for (const [index, document] of documents.entries()) {
      const next = documents[index + 1];
      const start = this.#lineOf(document.offset);
      const end = next === undefined ? null : Math.max(start, this.#lineOf(next.offset) - 1);
      const to = trimmedEnd(this.#source, document.offset, next?.offset ?? this.#source.length);
      const range = { from: document.offset, to, isListed: false };
      if (!this.#add(`Document ${index + 1}`, 1, start, end, range)) continue;
      if (document.value !== undefined) this.takeMembers(document.value, 2, end);
    }
  }

  /** `within` is the last line of what holds the collection. */
  takeMembers(collection: CST.Token, level: number, within: number | null = null): void {
    if (level > this.#maxDepth || !("items" in collection)) return;
    const isSequence =
      collection.type === "block-seq" ||
      (collection.type === "flow-collection" && collection.start.type === "flow-seq-start");
    let index = 0;
    for (const member of collection.items as Member[]) {
      const from = memberStart(member);
      if (from === undefined) continue;
      const isPair = !isSequence && (member.key !== undefined || member.sep !== undefined);
      const title = isPair || !isSequence ? this.#keyTitle(member.key ?? member.value) : `[${index}]`;
      index += 1;
      const behind = trimmedEnd(this.#source, from, memberEnd(member) ?? from);
      const to = this.#lineOf(behind);
      const reaches = to >= this.#lastLine && collection.type !== "flow-collection" ? null : to;
      // In broken YAML a value can seem to go on behind its bracket.
      const end = within === null ? reaches : Math.min(within, to);
      const start = this.#lineOf(from);
      if (end !== null && end < start) continue;
      const isListed = collection.type === "flow-collection";
      if (!this.#add(title, level, start, end, { from, to: behind, isListed })) continue;
      if (member.value !== undefined) this.takeMembers(member.value, level + 1, end);
    }
  }

  #add(
    title: string,
    level: number,
    start: number,
    end: number | null,
    range: Pick<SectionKey, "from" | "to" | "isListed">,
  ): boolean {
    if (!this.counts.add(level)) return false;
    this.sections.push({ title, level, start, end });
    this.keys.push({ title, level, ...range });
    return true;
  }

  #keyTitle(key: CST.Token | null | undefined): string {
    if (key === undefined || key === null) return "(no key)";
    const scalar = this.#yaml.CST.isScalar(key)
      ? this.#yaml.CST.resolveAsScalar(key, true, () => undefined)?.value
      : undefined;
    if (scalar !== undefined) return displayTitle(scalar) || '""';
    return displayTitle(this.#source.slice(key.offset, Math.min(tokenEnd(key), key.offset + 300)));
  }

  #lineOf(offset: number): number {
    return this.#text.lineAt(Math.min(offset, this.#text.length)).number - 1;
  }
}

function memberStart({ start, key, sep, value }: Member): number | undefined {
  const mark = start.find(
    ({ type }) => type !== "space" && type !== "newline" && type !== "comment" && type !== "comma",
  );
  return mark?.offset ?? key?.offset ?? sep?.[0]?.offset ?? value?.offset;
}

function memberEnd({ start, key, sep, value }: Member): number | undefined {
  if (value !== undefined) return tokenEnd(value);
  const mark =
    (sep ?? []).findLast(({ type }) => type === "map-value-ind") ?? (key ? undefined : start.at(-1));
  if (mark !== undefined) return mark.offset + mark.source.length;
  return key ? tokenEnd(key) : undefined;
}

/** Behind the last character of a token, followed down to its last descendant. */
function tokenEnd(token: CST.Token): number {
  for (let at = token; ; ) {
    if (at.type === "flow-collection") {
      const bracket = at.end.findLast(({ type }) => type === "flow-map-end" || type === "flow-seq-end");
      if (bracket !== undefined) return bracket.offset + bracket.source.length;
    }
    if (at.type === "block-scalar") return blockScalarEnd(at);
    if (!("items" in at)) return at.offset + ("source" in at ? at.source.length : 0);
    const last = (at.items as Member[]).findLast(
      (member) => member.value !== undefined || member.sep !== undefined || member.key,
    );
    if (last?.value === undefined) return (last && memberEnd(last)) ?? at.offset;
    at = last.value;
  }
}

function blockScalarEnd(token: CST.BlockScalar): number {
  let end = token.offset;
  for (const prop of token.props) if ("source" in prop) end = prop.offset + prop.source.length;
  return end + token.source.length;
}

/** The end without the line breaks and spaces before it; those of a block scalar belong to its value. */
function trimmedEnd(source: string, from: number, to: number): number {
  let end = to;
  while (end > from && /\s/.test(source.charAt(end - 1))) end -= 1;
  return end;
}
