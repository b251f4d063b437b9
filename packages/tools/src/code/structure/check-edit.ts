// What an edit makes of a file: its symbols then, and whether it is still written as its language wants it.
//
// In a long file only the symbols of the outermost level that the edit touches are parsed again, on their own. A part that
// is sound on its own, between parts that are unchanged, is sound; the rest of the symbols only move. Where that part is
// not sound, or the edit is not inside such symbols, the whole file decides.

import type { Text } from "@codemirror/state";
import { countLines, type Splice } from "@stet/text/lines";
import { symbolsIn } from "./code-symbols.ts";
import { languageOf, loadParser } from "./languages.ts";
import { keepSymbols, knownSymbols, type SymbolItem, symbolsOf } from "./symbols.ts";
import { problemIn, type SyntaxProblem, soundnessOf } from "./syntax.ts";

export interface CheckedEdit {
  readonly symbols: readonly SymbolItem[];
  /** A mistake that the file did not have before. */
  readonly problem: SyntaxProblem | undefined;
  /** The symbols around the edit, as they were and as they were found again; all others have only moved. */
  readonly around: { readonly before: readonly SymbolItem[]; readonly after: readonly SymbolItem[] };
}

/** Counted lines, inclusive. */
interface Lines {
  readonly from: number;
  readonly to: number;
}

/** Shorter files are parsed whole. */
const minWindowed = 400;

export async function checkEdit(
  path: string,
  before: Text,
  after: Text,
  splices: readonly Splice[],
): Promise<CheckedEdit> {
  const carried = await carry(path, before, after, splices);
  if (carried !== undefined) {
    keepSymbols(path, after, carried.symbols);
    return carried;
  }
  const now = await soundnessOf(path, after.toString());
  const was = now.level === 0 ? now : await soundnessOf(path, before.toString());
  const symbols = await symbolsOf(path, after);
  return {
    symbols,
    problem: now.level > was.level ? now.problem : undefined,
    around: { before: await symbolsOf(path, before), after: symbols },
  };
}

/** Undefined where the whole file has to be parsed. */
async function carry(
  path: string,
  before: Text,
  after: Text,
  splices: readonly Splice[],
): Promise<CheckedEdit | undefined> {
  const language = languageOf(path);
  const known = knownSymbols(path, before);
  if (language === undefined || known === undefined || countLines(before) < minWindowed) return undefined;
  const windows = windowsOf(before, known, splices, language === "python");
  if (windows === undefined) return undefined;
  const parser = await loadParser();
  if (!parser.has(language)) return undefined;
  const hasImports = known.some(({ kind }) => kind === "imports");
  const symbols: SymbolItem[] = [];
  const around = { before: [] as SymbolItem[], after: [] as SymbolItem[] };
  let lines = 0;
  let characters = 0;
  let next = 0;
  for (const { from, to } of windows) {
    next = takeUntil(known, next, from, (item) => symbols.push(moved(item, lines, characters)));
    const shift = shiftWithin(splices, from, to);
    const start = before.line(from).from + characters;
    const end = after.line(to + lines + shift).to;
    // A line break in front tells that this is not the start of a file.
    const margin = from > 1 ? 1 : 0;
    const source = "\n".repeat(margin) + after.sliceString(start, end);
    const root = parser.parse(language, source);
    const count = around.after.length;
    if (source.trim() !== "" && problemIn(root) !== undefined) return undefined;
    for (const item of symbolsIn(root, source, language)) {
      if (item.kind !== "imports") around.after.push(moved(item, from + lines - 1 - margin, start - margin));
      else if (!hasImports) return undefined;
    }
    symbols.push(...around.after.slice(count));
    next = takeUntil(known, next, to + 1, (item) => around.before.push(item));
    lines += shift;
    characters = end - before.line(to).to;
  }
  takeUntil(known, next, Number.POSITIVE_INFINITY, (item) => symbols.push(moved(item, lines, characters)));
  return { symbols, problem: undefined, around };
}

/** Goes on to the first symbol that begins at a line or behind it. */
function takeUntil(
  symbols: readonly SymbolItem[],
  start: number,
  line: number,
  take: (item: SymbolItem) => void,
): number {
  let index = start;
  for (let item = symbols[index]; item !== undefined && item.from < line; item = symbols[index]) {
    take(item);
    index += 1;
  }
  return index;
}

/** By how many lines the splices within a window make it longer. */
function shiftWithin(splices: readonly Splice[], from: number, to: number): number {
  return splices
    .filter(({ at }) => at >= from - 1 && at <= to)
    .reduce((sum, { removed, lines }) => sum + lines.length - removed, 0);
}

/**
 * Whole symbols of the outermost level around the splices, in order and with a line between them; undefined where a splice
 * lies in none.
 */
function windowsOf(
  text: Text,
  symbols: readonly SymbolItem[],
  splices: readonly Splice[],
  isIndentMeant: boolean,
): Lines[] | undefined {
  const windows: { from: number; to: number }[] = [];
  const roots = outermost(symbols);
  for (const { at, removed } of splices) {
    // An insertion beside a symbol is one at its edge; so are the blank lines that go with it.
    const first = at + 1;
    const last = at + removed;
    const touched = roots.filter((item) => item.from <= Math.max(first, last + 1) && item.to >= first - 1);
    const covers = touched.some((item) => item.from <= last + 1 && item.to >= last);
    if (!covers || !touched.every((item) => startsLine(text, item, isIndentMeant))) return undefined;
    const from = Math.min(first, ...touched.map((item) => item.from));
    const to = Math.max(last, ...touched.map((item) => item.to));
    const previous = windows.at(-1);
    if (previous !== undefined && from <= previous.to + 1) previous.to = Math.max(previous.to, to);
    else windows.push({ from, to });
  }
  // Which imports are the block of imports, only the whole file tells.
  const imports = symbols.find(({ kind }) => kind === "imports");
  const [first] = windows;
  if (first === undefined || (imports !== undefined && imports.to >= first.from)) return undefined;
  // What lies partly inside would be cut in two.
  const isCut = ({ from, to }: Lines) =>
    roots.some((item) => (item.from < from && item.to >= from) || (item.from <= to && item.to > to));
  return windows.some(isCut) ? undefined : windows;
}

function startsLine(text: Text, { start }: SymbolItem, isIndentMeant: boolean): boolean {
  const before = text.sliceString(text.lineAt(start).from, start);
  return isIndentMeant ? before === "" : before.trim() === "";
}

function outermost(symbols: readonly SymbolItem[]): SymbolItem[] {
  const roots: SymbolItem[] = [];
  for (const item of symbols) if (item.start >= (roots.at(-1)?.end ?? 0)) roots.push(item);
  return roots;
}

function moved(item: SymbolItem, lines: number, characters: number): SymbolItem {
  if (lines === 0 && characters === 0) return item;
  const { name, kind, path, aliases, isListed, body } = item;
  // Written out, because this happens to every symbol behind an edit.
  return {
    name,
    kind,
    path,
    aliases,
    start: item.start + characters,
    codeStart: item.codeStart + characters,
    headStart: item.headStart + characters,
    end: item.end + characters,
    from: item.from + lines,
    to: item.to + lines,
    body: body && {
      start: body.start + characters,
      end: body.end + characters,
      isBraced: body.isBraced,
    },
    isListed,
  };
}
