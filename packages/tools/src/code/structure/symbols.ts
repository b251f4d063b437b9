// Symbols: what a file consists of, by name. Functions, classes and their members in code, sections in Markdown, keys in
// JSON and YAML.
//
// What was found is kept as long as the text is, so that reading a file and then editing it looks for symbols once. After
// an edit (carry-symbols.ts) only the part around it is looked at again.

import type { Text } from "@codemirror/state";
import { codeSymbols } from "./code-symbols.ts";
import { type Language, languageOf, loadParser } from "./languages.ts";
import { outlineSymbols, outlineTypeOf } from "./outline-symbols.ts";
import type { SymbolKind } from "./symbol-shapes.ts";

/** Characters `[start, end)`. */
export interface BodyRange {
  readonly start: number;
  readonly end: number;
  /** Whether it stands between brackets, which are not part of it. */
  readonly isBraced: boolean;
}

export interface SymbolItem {
  readonly name: string;
  readonly kind: SymbolKind;
  /** `Class.method`, `a.b[0].c`, `Heading > Sub`. */
  readonly path: string;
  /** Other ways to say it, such as `impl Display for Point.fmt`. */
  readonly aliases: readonly string[];
  /** Counted lines, 1-based and inclusive, with comments, attributes, decorators and `export`. */
  readonly from: number;
  readonly to: number;
  /** Characters `[start, end)` of the same. */
  readonly start: number;
  readonly end: number;
  /** Where it begins without the comments in front of it. */
  readonly codeStart: number;
  /** Where it begins without attributes that are no part of its own node. */
  readonly headStart: number;
  readonly body: BodyRange | undefined;
  /** Whether a comma stands between it and the next. */
  readonly isListed: boolean;
}

/** The longest text whose symbols are looked for, in characters. */
export const maxSymbolText = 4 * 1024 * 1024;

interface Kept {
  readonly type: string;
  readonly symbols: readonly SymbolItem[];
}

const kept = new WeakMap<Text, Kept>();

/** Whether files of this name have symbols at all. */
export function hasSymbols(path: string): boolean {
  return symbolType(path) !== undefined;
}

function symbolType(path: string): Language | "markdown" | "json" | "yaml" | undefined {
  const language = languageOf(path);
  return language === "html" ? undefined : (language ?? outlineTypeOf(path));
}

/** In order, enclosing ones before what they enclose; none where the file's language is not known. */
export async function symbolsOf(path: string, text: Text): Promise<readonly SymbolItem[]> {
  const type = symbolType(path);
  if (type === undefined || text.length > maxSymbolText) return [];
  const known = kept.get(text);
  if (known?.type === type) return known.symbols;
  const symbols =
    type === "markdown" || type === "json" || type === "yaml"
      ? await outlineSymbols(type, text)
      : codeSymbols(await loadParser(), type, text.toString());
  kept.set(text, { type, symbols });
  return symbols;
}

/** The symbols of a text that are known already. */
export function knownSymbols(path: string, text: Text): readonly SymbolItem[] | undefined {
  const known = kept.get(text);
  return known !== undefined && known.type === symbolType(path) ? known.symbols : undefined;
}

/** Keeps what is known of a text in another way. */
export function keepSymbols(path: string, text: Text, symbols: readonly SymbolItem[]): void {
  const type = symbolType(path);
  if (type !== undefined) kept.set(text, { type, symbols });
}

/** The innermost symbol around another one. */
export function enclosing(symbols: readonly SymbolItem[], item: SymbolItem): SymbolItem | undefined {
  const index = symbols.indexOf(item);
  return symbols.slice(0, index).findLast((other) => other.end >= item.end);
}
