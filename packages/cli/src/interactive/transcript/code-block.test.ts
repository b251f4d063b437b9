import assert from "node:assert/strict";
import { test } from "node:test";
import { stripAnsi } from "@stet/tui/text/ansi";
import { codeRows } from "./code-block.ts";
import { codeParser, codeParserRevision, loadCodeParser, onCodeParser } from "./code-parsers.ts";
import { StreamedMarkdown } from "./markdown.ts";
import { colouredTheme } from "./test-theme.ts";
import { Tokenizer } from "./tokenizer.ts";

const theme = colouredTheme();

function tokens(language: string, ...lines: string[]): string[] {
  const tokenizer = new Tokenizer(language);
  return lines.flatMap((line) =>
    tokenizer
      .line(line)
      .flatMap(({ text, token }) => (token === undefined ? [] : `${token.slice(6)} ${text}`)),
  );
}

test("languages without a parser have colours for comments, strings, numbers and words", () => {
  assert.deepEqual(tokens("shell", 'for f in *.md; do echo "$f" # all', "done"), [
    "Keyword for",
    "Keyword in",
    "Operator *",
    "Operator .",
    "Punctuation ;",
    "Keyword do",
    "Keyword echo",
    'String "$f"',
    "Comment # all",
    "Keyword done",
  ]);
  assert.deepEqual(tokens("sql", "SELECT 'it''s', 12 -- why"), [
    "Keyword SELECT",
    "String 'it'",
    "String 's'",
    "Punctuation ,",
    "Number 12",
    "Comment -- why",
  ]);
  assert.deepEqual(tokens("kotlin", "fun a() = 1 /* open", "still */ val b"), [
    "Keyword fun",
    "Function a",
    "Punctuation ()",
    "Operator =",
    "Number 1",
    "Comment /* open",
    "Comment still */",
    "Keyword val",
  ]);
  assert.deepEqual(tokens("swift", "let s = Set(1)"), [
    "Keyword let",
    "Operator =",
    "Function Set",
    "Punctuation (",
    "Number 1",
    "Punctuation )",
  ]);
});

test("a parser is loaded when its language is met, and colours the same rows", async () => {
  // A language that no other test of this process has met.
  const code = ["let a: Foo = bar(1", " + /* c", " d */ 12);"];
  const before = codeRows(code, "rs", theme, 40);
  const revision = codeParserRevision();
  let told = 0;
  const end = onCodeParser(() => {
    told += 1;
  });
  // The one that was met is on its way already.
  while (codeParser("rust") === undefined) await new Promise((done) => setTimeout(done, 5));
  end();
  assert.deepEqual([codeParserRevision(), told], [revision + 1, 1]);
  const after = codeRows(code, "rs", theme, 40);
  assert.deepEqual(after.map(stripAnsi), before.map(stripAnsi));
  assert.equal(after[2]?.includes(theme.fg("syntaxComment", "/* c")), true);
});

test("code that is whole looks as it did while it was written, but for its colours", async () => {
  for (const language of [
    "javascript",
    "python",
    "rust",
    "go",
    "c",
    "java",
    "php",
    "json",
    "css",
    "html",
    "yaml",
    "markdown",
  ])
    await loadCodeParser(language);
  for (const word of [
    "ts",
    "py",
    "rs",
    "go",
    "cpp",
    "java",
    "php",
    "json",
    "css",
    "html",
    "yaml",
    "md",
    "unknown",
  ]) {
    const text = `\`\`\`${word}\na = "b" # c\n\n  { "x": 1 }\n// long ${"words ".repeat(20)}\n\`\`\`\n`;
    const stream = new StreamedMarkdown(theme);
    stream.update(text.slice(0, -4), true);
    const open = stream.rows(40).map(stripAnsi);
    stream.update(text, true);
    assert.deepEqual(stream.rows(40).map(stripAnsi), open, word);
  }
});
