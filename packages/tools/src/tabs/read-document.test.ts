import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { testData } from "@stet/testkit/data";
import { TabsFixture } from "@stet/testkit/tabs-fixture";
import { loadTokenCounter } from "../count-tokens.ts";
import { defaultTokenBudget } from "./tabs-context.ts";

interface Read {
  readonly content: string;
  readonly lines: { readonly start: number; readonly end: number; readonly total: number };
  readonly tokens: { readonly returned: number; readonly total_estimate: number };
  readonly has_more: boolean;
  readonly continuation_hint?: string;
  readonly note?: string;
}

async function read(fixture: TabsFixture, input: Record<string, unknown> = {}): Promise<Read> {
  return (await fixture.call("read_document", input)) as unknown as Read;
}

test("an answer has exactly the documented fields", async (t) => {
  const fixture = await TabsFixture.open(t, { "story.md": "one\ntwo\nthree\n" });
  assert.deepEqual(await fixture.call("read_document", { start_line: 1, end_line: 1 }), {
    tab_id: fixture.tabs[0],
    version: "1",
    content: "two",
    lines: { start: 1, end: 1, total: 3 },
    tokens: { returned: 1, total_estimate: 6 },
    has_more: true,
    continuation_hint: "Call read_document with start_line=2 to continue",
  });
  assert.deepEqual(await fixture.call("read_document", { tab_id: fixture.tabs[0] }), {
    tab_id: fixture.tabs[0],
    version: "1",
    content: "one\ntwo\nthree",
    lines: { start: 0, end: 2, total: 3 },
    tokens: { returned: 5, total_estimate: 5 },
    has_more: false,
  });
});

test("a whole novel is read by following the hints, each answer within the budget", async (t) => {
  const path = testData(t, "books/moby-dick.txt");
  if (path === undefined) return;
  const book = readFileSync(path, "utf8");
  const fixture = await TabsFixture.open(t, { "moby.txt": book });
  const count = await loadTokenCounter();
  const parts: string[] = [];
  let tokens = 0;
  let estimate = 0;
  for (let next: number | undefined = 0; next !== undefined; ) {
    const {
      content,
      lines,
      tokens: told,
      has_more,
      continuation_hint,
    } = await read(fixture, { start_line: next });
    assert.equal(lines.start, next);
    const counted = count(content);
    assert.ok(counted <= defaultTokenBudget.initialRead);
    assert.ok(Math.abs(counted - told.returned) <= 0.01 * counted + 2, `${counted}, told ${told.returned}`);
    parts.push(content);
    tokens += told.returned;
    estimate = told.total_estimate;
    assert.equal(has_more, lines.end < lines.total - 1);
    const hinted = /start_line=(\d+) to continue$/.exec(continuation_hint ?? "")?.[1];
    assert.equal(hinted === undefined, !has_more);
    next = hinted === undefined ? undefined : Number(hinted);
  }
  assert.ok(parts.length > 40 && parts.length < 70, `${parts.length} answers`);
  const expected = book.replace("\ufeff", "").replaceAll("\r\n", "\n").replace(/\n$/, "");
  assert.ok(parts.join("\n") === expected, "what was read is not the book");
  assert.ok(Math.abs(estimate - tokens) < 0.1 * tokens, `estimated ${estimate}, are ${tokens}`);
});

test("a range that is too large is answered as far as it fits", async (t) => {
  const fixture = await TabsFixture.open(t, { "long.txt": "some words in a line\n".repeat(5000) });
  const { lines, has_more, continuation_hint } = await read(fixture, { start_line: 100, end_line: 4000 });
  assert.ok(lines.end > 500 && lines.end < 4000, `ends at ${lines.end}`);
  assert.ok(has_more);
  assert.match(continuation_hint ?? "", new RegExp(`start_line=${lines.end + 1} `));
});

test("a line that is longer than the budget is cut, and reading goes on behind it", async (t) => {
  const fixture = await TabsFixture.open(t, { "lines.txt": `before\n${"word ".repeat(20_000)}\nbehind\n` });
  const first = await read(fixture);
  assert.deepEqual(first.lines, { start: 0, end: 0, total: 3 });
  const cut = await read(fixture, { start_line: 1 });
  assert.deepEqual(cut.lines, { start: 1, end: 1, total: 3 });
  assert.ok(cut.tokens.returned <= defaultTokenBudget.initialRead);
  assert.match(
    cut.note ?? "",
    /^Line 1 has 100000 characters.*only the first \d+ are shown.*search_document/,
  );
  assert.match(cut.continuation_hint ?? "", /start_line=2 /);
  const last = await read(fixture, { start_line: 2 });
  assert.equal(last.content, "behind");
  const refused = await fixture.call("write_document", { version: "1", content: "all" });
  assert.equal(refused.error, "partly_read");
  assert.deepEqual((refused.details as { unread_ranges: unknown }).unread_ranges, [
    { start_line: 1, end_line: 1 },
  ]);
});

test("few tokens may be many bytes: the answer still fits", async (t) => {
  const fixture = await TabsFixture.open(t, { "wide.txt": `${" ".repeat(1000)}\n`.repeat(500) });
  const { content, lines } = await read(fixture);
  assert.ok(content.length > 20_000 && content.length < 50_000);
  assert.ok(lines.end < 49);
});

test("line ends are not part of what is read", async (t) => {
  const fixture = await TabsFixture.open(t, {
    "mixed.txt": "one\r\ntwo\nthree\r\n",
    "dos.txt": "a\r\nb\r\n",
  });
  assert.equal((await read(fixture)).content, "one\ntwo\nthree");
  assert.equal((await read(fixture, { tab_id: fixture.tabs[1] })).content, "a\nb");
});

test("what is staged is what is read, with its version", async (t) => {
  const fixture = await TabsFixture.open(t, { "a.txt": "one\n" });
  await fixture.call("insert_lines", { version: "1", after_line: 0, content: "two" });
  const answer = await fixture.call("read_document");
  assert.equal(answer.content, "one\ntwo");
  assert.equal(answer.version, "2");
  const { tabs } = (await fixture.call("list_tabs")) as {
    tabs?: readonly { version: string; line_count: number }[];
  };
  assert.deepEqual(
    tabs?.map(({ version, line_count }) => [version, line_count]),
    [["2", 2]],
  );
});
