import assert from "node:assert/strict";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { type OutlineItem, outlineOf } from "./outline.ts";

function listed(items: readonly OutlineItem[]): string[] {
  return items.flatMap((item) => [
    `${"#".repeat(item.level)} ${item.title} ${item.line_start}-${item.line_end ?? ""}`,
    ...listed(item.children ?? []),
  ]);
}

async function headings(lines: readonly string[], maxDepth?: number): Promise<string[]> {
  const outline = await outlineOf(
    Text.of([...lines]),
    "markdown",
    maxDepth === undefined ? {} : { maxDepth },
  );
  return listed(outline.outline);
}

test("headings of both forms, with their sections", async () => {
  const lines = [
    "# One",
    "",
    "text",
    "## Two ##",
    "Three",
    "more",
    "---",
    "",
    "Four",
    "===",
    "#### Five",
    "### Six",
  ];
  assert.deepEqual(await headings(lines), [
    "# One 0-7",
    "## Two 3-3",
    "## Three more 4-7",
    "# Four 8-",
    "### Six 11-",
  ]);
  assert.deepEqual((await headings(lines, 4)).slice(-2), ["#### Five 10-10", "### Six 11-"]);
});

test("code, comments, quotations and lists hold no headings", async () => {
  const lines = [
    "```",
    "# a",
    "```",
    "~~~md",
    "# b",
    "~~~",
    "",
    "    # c",
    "",
    "<!--",
    "# d",
    "-->",
    "",
    "> # e",
    "",
    "- # f",
    "",
    "# Real",
  ];
  assert.deepEqual(await headings(lines), ["# Real 17-"]);
});

test("an open fence reaches to the end", async () => {
  assert.deepEqual(await headings(["# a", "```", "# b"]), ["# a 0-"]);
});

test("front matter is no heading, and neither are its comments", async () => {
  assert.deepEqual(await headings(["---", "title: x", "# comment", "---", "# Real"]), ["# Real 4-"]);
  assert.deepEqual(await headings(["---", "title: x", "...", "# Real"]), ["# Real 3-"]);
  assert.deepEqual(await headings(["\ufeff---", "a: b", "---", "", "# Real"]), ["# Real 4-"]);
});

test("a rule at the top is not front matter", async () => {
  assert.deepEqual(await headings(["---", "", "# Real", "", "---"]), ["# Real 2-"]);
  assert.deepEqual(await headings(["---", "# Real"]), ["# Real 1-"]);
});

test("a title is what a reader sees", async () => {
  for (const [source, title] of [
    ["# A *b* __c__ `d` ~~e~~", "A b c d e"],
    ["# [link](http://x.y 'z') and ![image](p.png)", "link and image"],
    ["# [link][ref] <http://a.b>", "link http://a.b"],
    ["# Q &amp; A \\# 1 &#65;", "Q & A # 1 A"],
    ["# a <b>bold</b> <!-- note --> word", "a bold word"],
    ["# snake_case and 2 * 3", "snake_case and 2 * 3"],
    ["# end \r", "end"],
    ["#", ""],
  ] as const) {
    assert.deepEqual(await headings([source]), [`# ${title} 0-`]);
  }
});
