import assert from "node:assert/strict";
import { test } from "node:test";
import { stripAnsi } from "@stet/tui/text/ansi";
import { cellWidth } from "@stet/tui/text/width";
import fc from "fast-check";
import { renderMarkdown, StreamedMarkdown } from "./markdown.ts";
import { colouredTheme, plainTheme, steering } from "./test-theme.ts";

const coloured = colouredTheme();
const plain = plainTheme();

const lines = fc.constantFrom(
  "",
  "# Heading",
  "Some *words* and `code` here",
  "**bold** [link](https://example.com)",
  "- item",
  "- [x] task",
  "  - nested",
  "  more of it",
  "1. first",
  "2. second",
  "   ```js",
  "```ts",
  "```",
  "~~~",
  "    indented",
  "> quote",
  "> - in a quote",
  "| a | b |",
  "|---|--:|",
  "| 1 | 2 |",
  "---",
  "===",
  "<div>",
  "const a = `x",
  "/* open",
  "\tTab \u001b[31m \u202e",
  "wörter 日本語 👩‍👩‍👧 and more words that make a line long enough to wrap around the edge",
);

const documents = fc.array(lines, { maxLength: 24 }).map((all) => all.join("\n"));

test("a text that comes in pieces looks as if it had come at once, and rows that have ended never change", () => {
  fc.assert(
    fc.property(
      documents,
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 30 }),
      (text, width, step) => {
        const stream = new StreamedMarkdown(plain);
        let settled: readonly string[] = [];
        for (let end = step; end < text.length + step; end += step) {
          stream.update(text.slice(0, end), end < text.length);
          const rows = stream.rows(width);
          assert.deepEqual(rows.slice(0, settled.length), settled, JSON.stringify(text.slice(0, end)));
          settled = rows.slice(0, stream.settledRows);
        }
        assert.deepEqual(text === "" ? [] : [...stream.rows(width)], renderMarkdown(text, width, plain));
      },
    ),
    { numRuns: 150 },
  );
});

test("no row is wider than the screen, and nothing but our own sequences reaches it", () => {
  fc.assert(
    fc.property(documents, fc.integer({ min: 2, max: 40 }), (text, width) => {
      for (const row of renderMarkdown(text, width, coloured)) {
        assert.ok(cellWidth(row) <= width, JSON.stringify(row));
        assert.doesNotMatch(stripAnsi(row), steering);
      }
    }),
    { numRuns: 150 },
  );
});
