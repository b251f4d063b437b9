import assert from "node:assert/strict";
import { test } from "node:test";
import type { Item } from "@stet/client/items";
import { stripAnsi } from "@stet/tui/text/ansi";
import { cellWidth } from "@stet/tui/text/width";
import fc from "fast-check";
import { ConversationBlocks } from "./blocks.ts";
import { renderMarkdown } from "./markdown.ts";
import { linkTarget } from "./markdown-inline.ts";
import { colouredTheme, steering } from "./test-theme.ts";

const theme = colouredTheme();

const pieces = [
  "\u001b[2J",
  "\u001b]8;;https://evil.example\u001b\\",
  "\u001b]0;title\u0007",
  "\u009b31m",
  "\u0000",
  "\b\b",
  "\r",
  "\r\n",
  "\n",
  "\t",
  "\u202e",
  "\u2066",
  "\u200b",
  "\ud800",
  "日本",
  "👩‍👩‍👧",
  "e\u0301",
  "**",
  "`",
  "[a](https://x.y/\u001b[2J)",
  "<http://a.b\u009b>",
  "&#27;",
  "&#x9b;",
  "| a | b |\n|---|---|\n| \u001b[7m | 2 |\n",
  "+++ b/\u001b[31m\n@@ -1 +1 @@\n-\u001b[1m\n+\u001b[2m x\n",
  "words ",
  "\n```ts\n日本\n",
];
const text = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((all) => all.join(""));

const items: fc.Arbitrary<Item> = fc.tuple(text, text, text, fc.boolean()).chain(([one, two, three, isOne]) =>
  fc.constantFrom<Item>(
    { kind: "user", key: "k", text: one, entry: null, siblings: 1 },
    { kind: "assistant", key: "k", text: one, isStreaming: isOne },
    { kind: "thinking", key: "k", text: one, isStreaming: isOne },
    { kind: "model", key: "k", model: one, reason: two },
    { kind: "retry", key: "k", reason: one, delayMs: 1, attempt: undefined },
    { kind: "stop", key: "k", text: one },
    { kind: "summary", key: "k", text: one },
    { kind: "compacted", key: "k", by: one, before: 1, after: 1 },
    {
      kind: "error",
      key: "k",
      message: one,
      suggestion: two,
      isStopped: isOne,
      isKept: isOne,
      instruction: "",
      retries: 0,
    },
    {
      kind: "question",
      key: "k",
      questionId: null,
      asked: { kind: "clarification", text: one, options: [two] },
      answer: three,
    },
    {
      kind: "tool",
      key: "k",
      callId: "c",
      tool: one,
      traits: isOne ? ["reads"] : ["edits"],
      words: one,
      arguments: { [two]: three },
      status: isOne ? "failed" : "running",
      durationMs: 1,
      progress: two,
      preview: isOne ? "" : three,
      subagents: 1,
      result: three,
      reason: two,
      diff: isOne ? "" : three,
      command: undefined,
      todo: isOne ? [{ name: one, tasks: [{ content: two, status: "pending" }] }] : undefined,
    },
    {
      kind: "tool",
      key: "k",
      callId: "c",
      tool: one,
      traits: ["runs"],
      words: one,
      arguments: undefined,
      status: "ok",
      durationMs: 1,
      progress: "",
      preview: "",
      subagents: 0,
      result: three,
      reason: "",
      diff: isOne ? two : "",
      command: isOne ? undefined : { exitCode: 1, timedOut: false, output: three, hiddenLines: 3 },
      todo: isOne ? [{ name: one, tasks: [{ content: two, status: "pending" }] }] : undefined,
    },
  ),
);

test("whatever a text contains, nothing but our own sequences reaches a row, and no row is too wide", () => {
  fc.assert(
    fc.property(items, fc.integer({ min: 1, max: 50 }), (item, width) => {
      const blocks = new ConversationBlocks(theme, { thinking: "shown" });
      blocks.update([item]);
      for (const block of blocks.blocks())
        for (const row of [...block.render(width), ...block.expanded(width)]) {
          assert.doesNotMatch(stripAnsi(row), steering);
          for (const [, target = ""] of row.matchAll(/\p{Cc}\]8;;([^\p{Cc}]*)\p{Cc}\\/gu))
            assert.match(target, /^(?:|https?:\/\/[!-~]+|mailto:[!-~]+)$/);
        }
      for (const row of blocks.blocks().flatMap((block) => block.render(width)))
        assert.ok(cellWidth(row) <= width, JSON.stringify(row));
    }),
    { numRuns: 400 },
  );
});

test("only addresses that a browser or a mail program opens are hyperlinks", () => {
  assert.equal(linkTarget("https://example.com/ü"), "https://example.com/%C3%BC");
  assert.equal(linkTarget("www.example.com"), "https://www.example.com/");
  assert.equal(linkTarget("a@example.com"), "mailto:a@example.com");
  for (const url of [
    "javascript:alert(1)",
    "file:///etc/passwd",
    "ssh://x",
    "x-man-page://1",
    "/relative",
    "https://",
  ])
    assert.equal(linkTarget(url), undefined, url);
});

test("a line of 100,000 characters, a table of 500 columns and deep nesting are drawn, not waited for", () => {
  const long = "x".repeat(100_000);
  const cells = Array.from({ length: 500 }, (_, at) => `c${at}`).join("|");
  const table = `|${cells}|\n|${"---|".repeat(500)}\n|${cells}|\n`;
  for (const text of [
    long,
    `${long}\n`.repeat(5),
    `\`\`\`ts\n${long}\n\`\`\``,
    `- ${long}`,
    `# ${long}`,
    table,
    ">".repeat(5000),
    `${"- ".repeat(3000)}x`,
    "*".repeat(20_000),
    "[".repeat(20_000),
    "`".repeat(20_001),
    `${"a*".repeat(20_000)}`,
    "<".repeat(20_000),
  ])
    for (const width of [1, 40]) {
      const rows = renderMarkdown(text, width, theme);
      assert.ok(rows.length > 0);
      assert.ok(rows.every((row) => cellWidth(row) <= width || width === 1));
    }
});
