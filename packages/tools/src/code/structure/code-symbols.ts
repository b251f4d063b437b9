// The symbols of a source: one pass over the tree finds them, their comments and the imports; nesting follows from where
// they lie.
//
// A symbol's lines include what belongs to it in front: comments and attributes without a blank line between, decorators,
// `export`. A comment behind other code on its line belongs to that code; a licence at the top belongs to the file.

import type { Rule } from "@ast-grep/napi";
import type { Language, Node, Parser } from "./languages.ts";
import { shapesOf } from "./shapes.ts";
import type { Shapes, SymbolShape } from "./symbol-shapes.ts";
import type { BodyRange, SymbolItem } from "./symbols.ts";

interface Extent {
  readonly start: number;
  readonly end: number;
}

interface Lead extends Extent {
  readonly isComment: boolean;
}

interface Found extends Extent {
  readonly shape: SymbolShape;
  /** As the source says it, with dots where it is more than a name. */
  readonly fullName: string;
  readonly scope: string | undefined;
  readonly body: BodyRange | undefined;
  readonly isListed: boolean;
}

/** The symbols of a source in order, enclosing ones before what they enclose. */
export function codeSymbols(parser: Parser, language: Language, source: string): SymbolItem[] {
  return parser.has(language) ? symbolsIn(parser.parse(language, source), source, language) : [];
}

/** The same, in the tree of a source. */
export function symbolsIn(root: Node, source: string, language: Language): SymbolItem[] {
  const shapes = shapesOf[language];
  if (shapes === undefined) return [];
  const leads: Lead[] = [];
  const imports: Extent[] = [];
  const found: Found[] = [];
  for (const node of root.findAll({ rule: ruleOf(shapes) })) {
    const kind = String(node.kind());
    const shape = shapes.symbols[kind];
    if (shape !== undefined) {
      const item = foundOf(node, shape, shapes, source);
      if (item !== undefined) found.push(item);
      if (kind !== "export_statement") continue;
    }
    if (shapes.imports.includes(kind)) imports.push(extentOf(node, source));
    else if (shapes.attributes.includes(kind)) leads.push({ ...extentOf(node, source), isComment: false });
    else if (shapes.comments.includes(kind)) leads.push({ ...extentOf(node, source), isComment: true });
  }
  // What encloses something begins before it, or ends behind it.
  found.sort((one, other) => one.start - other.start || other.end - one.end);
  leads.sort((one, other) => one.start - other.start);
  const lines = new LineStarts(source);
  const items = nestedItems(found, leads, source, lines);
  const block = importBlock(imports, items, source, lines);
  if (block !== undefined) items.push(block);
  return items.sort((one, other) => one.start - other.start || other.end - one.end);
}

const rules = new WeakMap<Shapes, Rule>();

function ruleOf(shapes: Shapes): Rule {
  const known = rules.get(shapes);
  if (known !== undefined) return known;
  const plain = [...shapes.comments, ...shapes.attributes, ...shapes.imports].map((kind) => ({ kind }));
  const symbols = Object.entries(shapes.symbols).map(([kind, { where }]) => ({ ...where, kind }));
  const rule = { any: [...plain, ...symbols] };
  rules.set(shapes, rule);
  return rule;
}

/** Without the line break that some grammars count as part of a comment. */
function extentOf(node: Node, source: string): Extent {
  const { start, end } = node.range();
  let last = end.index;
  while (last > start.index && /[\r\n]/.test(source.charAt(last - 1))) last -= 1;
  return { start: start.index, end: last };
}

function foundOf(node: Node, shape: SymbolShape, shapes: Shapes, source: string): Found | undefined {
  const fullName = (shape.name === undefined ? node.field("name")?.text() : shape.name(node))?.replace(
    /^(["'`])(.*)\1$/s,
    "$2",
  );
  if (fullName === undefined || fullName === "" || fullName.length > 300) return undefined;
  // Destructuring binds several names; none of them is a place of its own.
  if (shape.as === "constant" && /[\s{[(,]/.test(fullName)) return undefined;
  const body = shape.body === undefined ? node.field("body") : shape.body(node);
  return {
    ...extentOf(wrapped(node, shapes), source),
    shape,
    fullName: fullName.replace(/\s+/g, " "),
    scope: shape.scope?.(node),
    body: body === null ? undefined : bodyRange(body, source, shapes),
    isListed: typeof shape.isListed === "function" ? shape.isListed(node) : (shape.isListed ?? false),
  };
}

/** The node with what is around it and part of it. */
function wrapped(node: Node, shapes: Shapes): Node {
  if (shapes.wrappers.length + shapes.lists.length === 0) return node;
  let at = node;
  for (let parent = at.parent(); parent !== null; parent = at.parent()) {
    const kind = String(parent.kind());
    const isWrapper = shapes.wrappers.includes(kind);
    if (!isWrapper && !(shapes.lists.includes(kind) && isOnlyMember(parent, at))) break;
    at = parent;
  }
  return at;
}

function isOnlyMember(list: Node, member: Node): boolean {
  const children = list.children();
  if (children.some((child) => child.kind() === "(")) return false;
  return children.filter((child) => child.kind() === member.kind()).length === 1;
}

const closers: Readonly<Record<string, string>> = { "{": "}", "[": "]", "(": ")" };

function bodyRange(node: Node, source: string, { isIndented }: Shapes): BodyRange | undefined {
  const { start, end } = extentOf(node, source);
  if (isIndented && node.kind() === "block") return { start, end, isBraced: false };
  const open = /^(?:interface\s*)?([{[(])/.exec(source.slice(start, start + 40));
  const opener = open?.[1];
  if (opener === undefined || closers[opener] !== source.charAt(end - 1)) return undefined;
  return { start: start + (open?.[0].length ?? 1), end: end - 1, isBraced: true };
}

function nestedItems(
  found: readonly Found[],
  leads: readonly Lead[],
  source: string,
  lines: LineStarts,
): SymbolItem[] {
  const items: SymbolItem[] = [];
  const open: { end: number; path: string; alias: string | undefined }[] = [];
  for (const item of found) {
    while ((open.at(-1)?.end ?? Number.POSITIVE_INFINITY) <= item.start) open.pop();
    const parent = open.at(-1);
    const { shape, fullName, scope } = item;
    const hasParts = shape.as === "function" || shape.as === "method";
    const name = hasParts ? (fullName.split(".").at(-1) ?? fullName) : fullName;
    const separator = shape.as === "rule" ? " > " : ".";
    const path = parent === undefined ? fullName : `${parent.path}${separator}${fullName}`;
    const alias = parent?.alias === undefined ? undefined : `${parent.alias}.${fullName}`;
    const inside = parent === undefined ? scope : scope && `${parent.path}.${scope}`;
    const { start, codeStart } = withLeads(item, leads, source);
    items.push({
      name,
      kind:
        shape.as === "constant" && item.body?.isBraced && isFunction(source, item) ? "function" : shape.as,
      path,
      aliases: alias === undefined ? [] : [alias],
      start,
      codeStart,
      headStart: item.start,
      end: item.end,
      from: lines.lineAt(start),
      to: lines.lineAt(item.end),
      body: item.body,
      isListed: item.isListed,
    });
    open.push({
      end: item.end,
      path: inside ?? path,
      alias: inside === undefined ? alias : path,
    });
  }
  return items;
}

/** `const f = () => {` and `const f = function () {`. */
function isFunction(source: string, { body, start }: Found): boolean {
  return body !== undefined && /=>\s*\{$|\bfunction\b[^=]*\{$/.test(source.slice(start, body.start));
}

/** Where an item begins with its comments and attributes, and where without the comments in front of all. */
function withLeads(
  item: Extent,
  leads: readonly Lead[],
  source: string,
): { start: number; codeStart: number } {
  let start = item.start;
  let codeStart = item.start;
  for (let index = lastBefore(leads, item.start); index >= 0; index -= 1) {
    const lead = leads[index];
    if (lead === undefined || lead.end > start) continue;
    const between = source.slice(lead.end, start);
    if (!/^[ \t\r]*\n?[ \t]*$/.test(between)) break;
    if (lead.isComment && (!startsLine(source, lead.start) || belongsToFile(source, lead))) break;
    start = lead.start;
    if (!lead.isComment) codeStart = start;
  }
  return { start, codeStart };
}

/** The index of the last extent that begins before an offset. */
function lastBefore(extents: readonly Extent[], offset: number): number {
  let low = 0;
  let high = extents.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((extents[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

export function startsLine(source: string, offset: number): boolean {
  const before = source.slice(source.lastIndexOf("\n", offset - 1) + 1, offset);
  return before.trim() === "";
}

function belongsToFile(source: string, { start, end }: Extent): boolean {
  if (source.startsWith("//!", start) || source.startsWith("#!", start)) return true;
  return start === 0 && /copyright|licen[cs]e/i.test(source.slice(start, Math.min(end, 2000)));
}

/** All imports at the top of a source, as one symbol. */
function importBlock(
  imports: readonly Extent[],
  items: readonly SymbolItem[],
  source: string,
  lines: LineStarts,
): SymbolItem | undefined {
  const top = imports.filter(({ start }) => source.charAt(start - 1) === "\n" || start === 0);
  const [first] = top;
  if (first === undefined) return undefined;
  const nextItem = items.find((item) => item.start >= first.start)?.start ?? Number.POSITIVE_INFINITY;
  const last = top.findLast(({ start }) => start < nextItem);
  const end = last?.end ?? first.end;
  if (items.some((item) => item.start < first.start && item.end > first.start)) return undefined;
  return {
    name: "imports",
    kind: "imports",
    path: "imports",
    aliases: [],
    start: first.start,
    codeStart: first.start,
    headStart: first.start,
    end,
    from: lines.lineAt(first.start),
    to: lines.lineAt(end),
    body: undefined,
    isListed: false,
  };
}

/** Counted lines, from 1, of offsets. */
export class LineStarts {
  readonly #starts: number[] = [0];

  constructor(source: string) {
    for (let at = source.indexOf("\n"); at >= 0; at = source.indexOf("\n", at + 1)) this.#starts.push(at + 1);
  }

  lineAt(offset: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
