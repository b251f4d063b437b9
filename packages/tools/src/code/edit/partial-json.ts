// JSON that is cut off: what is there of a tool's arguments while the model still writes them.
//
//   a string    its text so far; a half escape or half a surrogate pair at the cut is left out
//   an array    the items so far, the last one perhaps cut off
//   an object   the fields so far, the last one perhaps cut off; a field without a value is left out
//   the rest    numbers, true, false and null, only once something stands behind them
//
// Text that is no JSON ends what is read, as a cut would. Nothing here throws, and nesting has a limit.

import type { JSONScanner } from "jsonc-parser";

export type PartialJson =
  | { readonly kind: "string"; readonly text: string; readonly isWhole: boolean }
  | { readonly kind: "array"; readonly items: readonly PartialJson[]; readonly isWhole: boolean }
  | { readonly kind: "object"; readonly fields: ReadonlyMap<string, PartialJson>; readonly isWhole: boolean }
  | { readonly kind: "plain"; readonly value: number | boolean | null; readonly isWhole: true };

const maxDepth = 32;

/** The scanner's numbers for them, whose enum exists for the compiler alone. */
const token = { openBrace: 1, closeBrace: 2, openBracket: 3, closeBracket: 4, comma: 5, colon: 6 } as const;
const literal = { null: 7, true: 8, false: 9, string: 10, number: 11 } as const;

export async function readPartialJson(text: string): Promise<PartialJson | undefined> {
  const { createScanner } = await import("jsonc-parser");
  const scanner = createScanner(text, true);
  scanner.scan();
  return valueAt(scanner, text.length, 0);
}

export function fieldOf(value: PartialJson | undefined, name: string): PartialJson | undefined {
  return value?.kind === "object" ? value.fields.get(name) : undefined;
}

/** The text of a string field that is closed. */
export function wholeText(value: PartialJson | undefined): string | undefined {
  return value?.kind === "string" && value.isWhole ? value.text : undefined;
}

/** The value that begins with the scanner's token; undefined where nothing can be told of it yet. */
function valueAt(scanner: JSONScanner, length: number, depth: number): PartialJson | undefined {
  const kind: number = scanner.getToken();
  if (kind === literal.string) return stringAt(scanner);
  if (kind === token.openBracket && depth < maxDepth) {
    const items: PartialJson[] = [];
    const isWhole = readList(scanner, token.closeBracket, () => {
      const item = valueAt(scanner, length, depth + 1);
      if (item !== undefined) items.push(item);
      return item?.isWhole === true;
    });
    return { kind: "array", items, isWhole };
  }
  if (kind === token.openBrace && depth < maxDepth) {
    const fields = new Map<string, PartialJson>();
    const isWhole = readList(scanner, token.closeBrace, () => {
      const isName = Number(scanner.getToken()) === literal.string;
      const name = isName ? stringAt(scanner) : undefined;
      if (name?.isWhole !== true || Number(scanner.scan()) !== token.colon) return false;
      scanner.scan();
      const value = valueAt(scanner, length, depth + 1);
      if (value !== undefined) fields.set(name.text, value);
      return value?.isWhole === true;
    });
    return { kind: "object", fields, isWhole };
  }
  // Of a number that the text ends with, more digits may come.
  if (scanner.getPosition() >= length) return undefined;
  if (kind === literal.null) return { kind: "plain", value: null, isWhole: true };
  if (kind === literal.true || kind === literal.false)
    return { kind: "plain", value: kind === literal.true, isWhole: true };
  const value = kind === literal.number ? Number(scanner.getTokenValue()) : Number.NaN;
  return Number.isNaN(value) ? undefined : { kind: "plain", value, isWhole: true };
}

/** Reads what stands between commas, up to the closing mark; whether that came. */
function readList(scanner: JSONScanner, close: number, readOne: () => boolean): boolean {
  if (Number(scanner.scan()) === close) return true;
  while (readOne()) {
    const next: number = scanner.scan();
    if (next === close) return true;
    if (next !== token.comma) return false;
    scanner.scan();
  }
  return false;
}

function stringAt(scanner: JSONScanner): PartialJson & { readonly kind: "string" } {
  const text = scanner.getTokenValue();
  const isWhole = Number(scanner.getTokenError()) === 0;
  return { kind: "string", text: isWhole ? text : text.replace(/[\ud800-\udbff]$/, ""), isWhole };
}
