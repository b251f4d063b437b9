// Laws of symbol edits, over every symbol of every language.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Text } from "@codemirror/state";
import { samples } from "@stet/testkit/symbol-samples";
import { must } from "@stet/testkit/workspace";
import { decodeDocument, encodeDocument } from "@stet/text/document";
import { type LineEdit, planEdits } from "@stet/text/edits";
import { changeOf } from "@stet/text/lines";
import fc from "fast-check";
import { checkEdit } from "../../structure/check-edit.ts";
import { languageOf } from "../../structure/languages.ts";
import { type SymbolItem, symbolsOf } from "../../structure/symbols.ts";
import { soundnessOf } from "../../structure/syntax.ts";
import { indentUnit } from "./indentation.ts";
import { planSymbolEdit, type SymbolOp } from "./plan-edit.ts";

async function edited(
  path: string,
  text: Text,
  item: SymbolItem,
  op: SymbolOp,
  content?: string,
): Promise<Text> {
  const language = languageOf(path);
  const symbols = await symbolsOf(path, text);
  const file = { path, text, language, symbols, unit: indentUnit(text, language) };
  const edits = must(await planSymbolEdit(file, item, op, content));
  return changeOf(text, must(planEdits(text, edits))).apply(text);
}

const forms: readonly ((source: string) => string)[] = [
  (source) => source,
  (source) => source.trimEnd(),
  (source) => `\ufeff${source.replaceAll("\n", "\r\n")}`,
  (source) => source.replaceAll("\n", "\n\n"),
  (source) => source.replaceAll(/\n\n+/g, "\n"),
  (source) => source.replace("\n", "\r\n"),
];

function* documents() {
  for (const { path, source } of samples) {
    for (const form of forms) {
      const document = must(decodeDocument(new TextEncoder().encode(form(source))));
      yield { path, ...document };
    }
  }
}

const wholeText = (text: Text, item: SymbolItem) =>
  text.sliceString(text.line(item.from).from, text.line(item.to).to);
const ownText = (text: Text, item: SymbolItem) => text.sliceString(item.start, item.end);
const hasOwnLines = (text: Text, item: SymbolItem, symbols: readonly SymbolItem[]) =>
  text.sliceString(text.line(item.from).from, item.start).trim() === "" &&
  /^\s*[,;]*\s*$/.test(text.sliceString(item.end, text.line(item.to).to)) &&
  !symbols.some((other) => other.path === item.path && other !== item && other.from === item.from);

test("a symbol that is replaced by itself leaves the file as it was", async () => {
  for (const { path, text } of documents()) {
    const symbols = await symbolsOf(path, text);
    for (const item of symbols) {
      if (path.endsWith(".json") && item.path.includes("[")) continue;
      const contents = [ownText(text, item)];
      if (hasOwnLines(text, item, symbols)) contents.push(wholeText(text, item));
      for (const content of contents) {
        const after = await edited(path, text, item, "replace", content);
        assert.equal(after.toString(), text.toString(), `${path} ${item.path}`);
      }
    }
  }
});

test("a body that is replaced by itself leaves the file as it was", async () => {
  for (const { path, text } of documents()) {
    for (const item of await symbolsOf(path, text)) {
      const { body } = item;
      if (body === undefined) continue;
      const content = text.sliceString(body.start, body.end);
      if (!content.includes("\n") || /^\s*\{[\s\S]*\}\s*$/.test(content)) continue;
      const lines = content.replace(/^[ \t\r]*\n/, "").replace(/\n[ \t]*$/, "");
      // Blank lines at the edges of a body are tidied away.
      if (
        lines
          .split("\n")
          .some((line, index, all) => line.trim() === "" && (index === 0 || index === all.length - 1))
      )
        continue;
      const indent = body.isBraced ? "" : text.sliceString(text.lineAt(body.start).from, body.start);
      const after = await edited(path, text, item, "replace_body", indent + lines);
      assert.equal(after.toString(), text.toString(), `${path} ${item.path}\n${lines}`);
    }
  }
});

/** Something new that can stand beside a symbol. */
function newcomer(path: string, item: SymbolItem): string | undefined {
  if (path.endsWith(".md")) return `${"#".repeat(item.path.split(" > ").length)} Newcomer\n\ntext`;
  if (path.endsWith(".json")) return '"Newcomer": {\n  "x": 1\n}';
  if (path.endsWith(".yaml")) return item.name.startsWith("[") ? undefined : "Newcomer:\n  x: 1";
  if (path.endsWith(".css")) return ".Newcomer {\n  x: y;\n}";
  if (path.endsWith(".c")) return item.kind === "field" ? undefined : "int Newcomer(void) {\n  return 1;\n}";
  if (path.endsWith(".py")) return "def Newcomer(self):\n    return 1";
  if (path.endsWith(".go")) return item.path.includes(".") ? undefined : "func Newcomer() {\n\treturn\n}";
  if (path.endsWith(".rs")) return item.kind === "field" ? undefined : "fn Newcomer() {\n    x\n}";
  if (path.endsWith(".java")) return item.kind === "field" ? undefined : "void Newcomer() {\n    return;\n}";
  if (item.kind === "method" || item.kind === "field") return "Newcomer() {\n  return 1;\n}";
  return "function Newcomer() {\n  return 1;\n}";
}

test("what is put behind a symbol and deleted again leaves the bytes as they were", async () => {
  let count = 0;
  for (const { path, text, format } of documents()) {
    const symbols = await symbolsOf(path, text);
    for (const item of symbols) {
      const content = newcomer(path, item);
      if (content === undefined || !hasOwnLines(text, item, symbols) || /\[/.test(item.path)) continue;
      // In front of an underlined heading there has to be a blank line, and it stays.
      if (item.kind === "section" && item.to < text.lines && text.line(item.to + 1).text === "D") continue;
      const between = await edited(path, text, item, "insert_after", content);
      if ((await soundnessOf(path, between.toString())).level > 0) continue;
      const added = (await symbolsOf(path, between)).find(
        ({ name }) => name === "Newcomer" || name === ".Newcomer",
      );
      if (added === undefined) continue;
      const after = await edited(path, between, added, "delete");
      assert.deepEqual(
        encodeDocument({ text: after, format }),
        encodeDocument({ text, format }),
        `${path} ${item.path}\n${between.toString()}`,
      );
      count += 1;
    }
  }
  assert.ok(count > 300, `only ${count}`);
});

test("symbols that are carried over several edits at once are those that a new search finds", async () => {
  const { source } = samples[0] ?? { source: "" };
  const parts = Array.from({ length: 12 }, (_, number) =>
    source.replaceAll(/\b(\w+)\b(?= ?[({:=])/g, `$1_${number}`),
  );
  const path = "a.ts";
  const language = languageOf(path);
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({ at: fc.nat(), op: fc.constantFrom<SymbolOp>("insert_after", "insert_before", "delete") }),
        {
          minLength: 2,
          maxLength: 5,
        },
      ),
      async (wanted) => {
        const text = must(decodeDocument(new TextEncoder().encode(parts.join("\n")))).text;
        const symbols = await symbolsOf(path, text);
        const file = { path, text, language, symbols, unit: indentUnit(text, language) };
        const edits: LineEdit[] = [];
        for (const { at, op } of wanted) {
          const item = must(symbols[at % symbols.length]);
          const planned = await planSymbolEdit(
            file,
            item,
            op,
            op === "delete" ? undefined : newcomer(path, item),
          );
          if (Array.isArray(planned)) edits.push(...planned);
        }
        const splices = planEdits(text, edits);
        if (!Array.isArray(splices)) return;
        const after = changeOf(text, splices).apply(text);
        const checked = await checkEdit(path, text, after, splices);
        if (checked.problem !== undefined) return;
        const again = must(decodeDocument(new TextEncoder().encode(after.toString()))).text;
        assert.equal(JSON.stringify(checked.symbols), JSON.stringify(await symbolsOf(path, again)));
      },
    ),
    { numRuns: 30 },
  );
});

test("symbols that are carried over an edit are those that a new search finds", async () => {
  for (const { path, source } of samples) {
    if (languageOf(path) === undefined) continue;
    const parts = [0, 1, 2, 3].map((number) => source.replaceAll(/\b(\w+)\b(?= ?[({:=])/g, `$1_${number}`));
    const filler = path.endsWith(".py") ? "# x\n" : path.endsWith(".css") ? "/* x */\n" : "// x\n";
    const { text } = must(
      decodeDocument(new TextEncoder().encode(`${parts.join("\n")}\n${filler.repeat(400)}`)),
    );
    for (const item of await symbolsOf(path, text)) {
      for (const [op, content] of [
        ["insert_after", newcomer(path, item)],
        ["delete", undefined],
      ] as const) {
        if (op === "insert_after" && content === undefined) continue;
        const language = languageOf(path);
        const symbols = await symbolsOf(path, text);
        const file = { path, text, language, symbols, unit: indentUnit(text, language) };
        const edits = await planSymbolEdit(file, item, op, content);
        if (!Array.isArray(edits)) continue;
        const splices = must(planEdits(text, edits));
        const after = changeOf(text, splices).apply(text);
        const checked = await checkEdit(path, text, after, splices);
        const again = must(decodeDocument(new TextEncoder().encode(after.toString())));
        const found = await symbolsOf(path, again.text);
        assert.equal(
          JSON.stringify(checked.symbols, undefined, 1),
          JSON.stringify(found, undefined, 1),
          `${path} ${op} ${item.path}`,
        );
      }
    }
  }
});
