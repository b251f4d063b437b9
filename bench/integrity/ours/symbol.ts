// Edits by the names of symbols: the innermost symbol around all that is meant is written anew. What changes no whole symbol
// cannot be said.

import { Text } from "@codemirror/state";
import { diffTexts } from "../../../packages/text/src/diff.ts";
import { symbolEdit } from "../../../packages/tools/src/code/edit/symbol/symbol-edit.ts";
import { checkEdit } from "../../../packages/tools/src/code/structure/check-edit.ts";
import { type SymbolItem, symbolsOf } from "../../../packages/tools/src/code/structure/symbols.ts";
import type { Case } from "../cases.ts";
import type { FileText } from "../file-text.ts";
import { placesOf } from "../intended-changes.ts";
import type { CodeFormat, Input } from "./code-format.ts";
import { refusalIn } from "./refusal-rows.ts";

export const symbol: CodeFormat = {
  name: "stet code: symbol",
  about:
    "A whole function, class, section or key is replaced by its name; refused where it is not what was shown, or where the " +
    "result would not be well-formed.",
  mode: "symbol",
  tool: symbolEdit,
  async adapt(one) {
    if (one.slip !== "none") return undefined;
    const item = await symbolFor(one);
    if (item === undefined || !(await isWellFormed(one, item))) return undefined;
    const { expected } = one;
    if (expected.kind === "refused") return one;
    const file = withAnyOfEqual(one, item, expected.file);
    // Who writes the whole symbol anew says something about all of its lines.
    const kind = isSameIn(one, item) ? expected.kind : "either";
    return { ...one, expected: { kind, file } };
  },
  needs: () => [],
  async write({ one, path }) {
    const item = await symbolFor(one);
    if (item === undefined) return undefined;
    const lines = edited(one);
    const grown = lines.length - one.seen.lines.length;
    return inputOf(path, item, lines.slice(item.from - 1, item.to + grown), await occurrenceOf(one, item));
  },
  /** Not the rules but the edit is in the way: what it leads to is no code, or declares something else. */
  isUnsayable: (answer) => /would break|does not declare|would take in|shares line/.test(answer),
  async rewrite({ one, path }, answer) {
    const told = refusalIn(answer);
    const item = await symbolFor(one);
    const current = told?.details.current;
    if (item === undefined || typeof current !== "string") return undefined;
    const lines = current.split(/\r?\n/);
    const [place, ...more] = placesOf(one);
    const first = place?.removed[0] === undefined ? -1 : lines.indexOf(place.removed[0]);
    if (place === undefined || more.length > 0 || first < 0) return undefined;
    lines.splice(first, place.removed.length, ...place.added);
    return inputOf(path, item, lines, await occurrenceOf(one, item));
  },
};

/** Who writes a symbol anew cannot say which of its equal lines stays, so none of them is known by its line end. */
function withAnyOfEqual({ seen }: Case, { from, to }: SymbolItem, file: FileText): FileText {
  const counts = new Map<string, number>();
  const inside = seen.lines.slice(from - 1, to);
  for (const { text } of inside) counts.set(text, (counts.get(text) ?? 0) + 1);
  const equal = new Set(inside.filter(({ text }) => (counts.get(text) ?? 0) > 1).map(({ id }) => id));
  const lines = file.lines.map((line) => (equal.has(line.id) ? { ...line, id: -1 - line.id } : line));
  return { ...file, lines };
}

function symbolsIn(one: Case): Promise<readonly SymbolItem[]> {
  return symbolsOf(one.source.name, textOf(one));
}

const texts = new WeakMap<Case["seen"], Text>();

/** The same value for the same file: symbols are looked for once. */
function textOf({ seen }: Case): Text {
  let text = texts.get(seen);
  if (text === undefined) {
    text = joined(
      seen,
      seen.lines.map((line) => line.text),
    );
    texts.set(seen, text);
  }
  return text;
}

/** Lines as a text that ends as the file does. */
function joined({ lines }: FileText, texts: readonly string[]): Text {
  const isOpen = lines.at(-1)?.end === "";
  return Text.of(isOpen ? texts : [...texts, ""]);
}

/** The innermost symbol that holds all lines that the edit names, and where an insertion is not at its end. */
async function symbolFor(one: Case): Promise<SymbolItem | undefined> {
  const places = placesOf(one);
  const symbols = await symbolsIn(one);
  return symbols.findLast(({ from, to, kind }) => {
    return (
      kind !== "imports" &&
      places.every(({ at, removed }) => {
        // Lines that come before the first or behind the last one of a symbol are not part of it.
        return removed.length > 0 ? at + 1 >= from && at + removed.length <= to : at >= from && at < to;
      })
    );
  });
}

/**
 * Whether the edit leads to something that the language knows, and to a symbol that begins with something and ends as it did:
 * marks at its end, blank lines around it and a comment above it are the tool's business.
 */
async function isWellFormed(one: Case, item: SymbolItem): Promise<boolean> {
  const lines = edited(one);
  if (lines[item.from - 1]?.trim() === "") return false;
  if (placesOf(one).some(({ at, removed }) => at + removed.length >= item.to)) return false;
  // A comment above a symbol stays where what comes in its place has none.
  if (placesOf(one).some(({ at, removed, added }) => at + 1 === item.from && removed.length > added.length))
    return false;
  const before = textOf(one);
  const after = joined(one.seen, lines);
  const { problem } = await checkEdit(one.source.name, before, after, diffTexts(before, after));
  return problem === undefined;
}

async function occurrenceOf(one: Case, item: SymbolItem): Promise<number | undefined> {
  const same = (await symbolsIn(one)).filter(({ path }) => path === item.path);
  return same.length > 1 ? same.indexOf(item) + 1 : undefined;
}

/** The lines of the seen file after the edit. */
function edited(one: Case): string[] {
  const result = one.seen.lines.map(({ text }) => text);
  for (const { at, removed, added } of placesOf(one).toReversed())
    result.splice(at, removed.length, ...added);
  return result;
}

function inputOf(
  path: string,
  item: SymbolItem,
  lines: readonly string[],
  occurrence: number | undefined,
): Input {
  const content = lines.join("\n");
  const which = occurrence === undefined ? {} : { occurrence };
  const rename = content.includes(item.name) ? {} : { rename: true };
  return { path, edits: [{ op: "replace", symbol: item.path, content, ...which, ...rename }] };
}

/** Whether all lines of the symbol are as they were, one behind the other. */
function isSameIn({ seen, now }: Case, { from, to }: SymbolItem): boolean {
  const own = seen.lines.slice(from - 1, to);
  const start = now.lines.findIndex(({ id }) => id === own[0]?.id);
  return own.every((line, index) => {
    const found = now.lines[start + index];
    return found?.id === line.id && found.text === line.text;
  });
}
