import assert from "node:assert/strict";
import { test } from "node:test";
import { TabsFixture } from "@stet/testkit/tabs-fixture";

const story = "John met Johnny.\nNobody knew john.\n\nJohn, said John, is John.\n";

test("an answer has exactly the documented fields, and each match its line before and after", async (t) => {
  const fixture = await TabsFixture.open(t, { "story.md": story });
  const request = { version: "1", find: "John", replace: "James", whole_word: true };
  const preview = [
    { line: 0, before: "John met Johnny.", after: "James met Johnny." },
    ...Array.from({ length: 3 }, () => ({
      line: 3,
      before: "John, said John, is John.",
      after: "James, said James, is James.",
    })),
  ];
  const common = { tab_id: fixture.tabs[0], matches_found: 4, preview };
  const previewed = await fixture.call("find_and_replace", { ...request, preview: true });
  assert.deepEqual(previewed, { ...common, version: "1", status: "preview", replacements_made: 0 });
  assert.equal(fixture.text(), story);
  const done = await fixture.call("find_and_replace", request);
  assert.deepEqual(done, { ...common, version: "2", status: "success", replacements_made: 4 });
  assert.equal(fixture.text(), "James met Johnny.\nNobody knew john.\n\nJames, said James, is James.\n");
});

test("every option narrows or widens what is replaced", async (t) => {
  const cases: [Record<string, unknown>, string, number][] = [
    [{ case_sensitive: false }, "X met Xny.\nNobody knew X.\n\nX, said X, is X.\n", 6],
    [{ max_replacements: 2 }, "X met Xny.\nNobody knew john.\n\nJohn, said John, is John.\n", 5],
    [
      { scope: { start_line: 1, end_line: 3 } },
      "John met Johnny.\nNobody knew john.\n\nX, said X, is X.\n",
      3,
    ],
    [
      { scope: { start_line: 0, end_line: 0 } },
      "X met Xny.\nNobody knew john.\n\nJohn, said John, is John.\n",
      2,
    ],
  ];
  for (const [options, expected, found] of cases) {
    const fixture = await TabsFixture.open(t, { "story.md": story });
    const done = await fixture.call("find_and_replace", {
      version: "1",
      find: "John",
      replace: "X",
      ...options,
    });
    assert.equal(fixture.text(), expected);
    assert.equal(done.matches_found, found);
  }
});

test("a regular expression may refer to its groups, and reach over lines", async (t) => {
  const fixture = await TabsFixture.open(t, { "story.md": story });
  const one = { version: "1", find: "(\\w+) met (\\w+)", replace: "$2 met $1", is_regex: true };
  const swapped = await fixture.call("find_and_replace", one);
  assert.deepEqual(swapped.preview, [{ line: 0, before: "John met Johnny.", after: "Johnny met John." }]);
  const over = { version: "2", find: "john\\.\\n\\n", replace: "him. ", is_regex: true };
  const joined = await fixture.call("find_and_replace", over);
  assert.deepEqual(joined.preview, [
    {
      line: 1,
      before: "Nobody knew john.\n\nJohn, said John, is John.",
      after: "Nobody knew him. John, said John, is John.",
    },
  ]);
  assert.equal(fixture.text(), "Johnny met John.\nNobody knew him. John, said John, is John.\n");
});

test("of many matches 20 are shown and all are counted and replaced", async (t) => {
  const fixture = await TabsFixture.open(t, { "many.txt": "x marks the spot\n".repeat(50) });
  const previewed = await fixture.call("find_and_replace", {
    version: "1",
    find: "x ",
    replace: "y ",
    preview: true,
  });
  assert.equal(previewed.preview_truncated, true);
  assert.equal((previewed.preview as unknown[]).length, 20);
  assert.equal(previewed.matches_found, 50);
  const some = { version: "1", find: "x ", replace: "y ", max_replacements: 20 };
  const done = await fixture.call("find_and_replace", some);
  assert.equal(done.preview_truncated, undefined);
  assert.equal(done.replacements_made, 20);
  const rest = await fixture.call("find_and_replace", { version: "2", find: "x ", replace: "y " });
  assert.equal(rest.replacements_made, 30);
  assert.equal(fixture.text(), "y marks the spot\n".repeat(50));
});

test("long lines, matches and replacements are shown in part", async (t) => {
  const line = `${"left ".repeat(100)}HERE${" right".repeat(100)}`;
  const fixture = await TabsFixture.open(t, { "long.txt": `${line}\n` });
  const replace = "new ".repeat(50_000);
  const done = await fixture.call("find_and_replace", { version: "1", find: "HERE", replace });
  const [shown] = done.preview as { before: string; after: string }[];
  assert.match(shown?.before ?? "", /^\.\.\.(left )+HERE( right)+ r?i?g?\.\.\.$/);
  assert.match(shown?.after ?? "", /^\.\.\.(left )+(new )+\.\.\.( right)+ r?i?g?\.\.\.$/);
  assert.ok((shown?.after.length ?? 0) < 1000);
  assert.equal(fixture.text(), `${line.replace("HERE", replace)}\n`);
});

test("replacing keeps known lines known and unknown ones unknown", async (t) => {
  const fixture = await TabsFixture.open(t, { "a.txt": "John\nJohn\nJohn\n" });
  await fixture.call("read_document", { start_line: 0, end_line: 1 });
  await fixture.call("find_and_replace", { version: "1", find: "John", replace: "James" });
  const refused = await fixture.call("write_document", { version: "2", content: "all" });
  assert.deepEqual((refused.details as { unread_ranges: unknown }).unread_ranges, [
    { start_line: 2, end_line: 2 },
  ]);
});

test("line ends of a mixed file are neither shown nor lost", async (t) => {
  const fixture = await TabsFixture.open(t, { "mixed.txt": "John\r\nother\nJohn\r\n" });
  const done = await fixture.call("find_and_replace", { version: "1", find: "John", replace: "James" });
  assert.deepEqual(done.preview, [
    { line: 0, before: "John", after: "James" },
    { line: 2, before: "John", after: "James" },
  ]);
  assert.equal(fixture.text(), "James\r\nother\nJames\r\n");
});

test("a preview shows what an empty match at an end or on a blank line becomes", async (t) => {
  const fixture = await TabsFixture.open(t, { "a.txt": "one\r\n\r\ntwo\r\n" });
  const request = { version: "1", replace: ".", is_regex: true, preview: true };
  const ends = await fixture.call("find_and_replace", { ...request, find: "$" });
  assert.deepEqual(ends.preview, [
    { line: 0, before: "one", after: "one." },
    { line: 1, before: "", after: "." },
    { line: 2, before: "two", after: "two." },
  ]);
  const starts = await fixture.call("find_and_replace", { ...request, find: "^" });
  assert.deepEqual(starts.preview, [
    { line: 0, before: "one", after: ".one" },
    { line: 1, before: "", after: "." },
    { line: 2, before: "two", after: ".two" },
  ]);
  const none = await fixture.call("find_and_replace", { ...request, find: "x+" });
  assert.deepEqual([none.status, none.matches_found], ["preview", 0]);
});

test("an expression for any character reaches over line ends; another one says how it would", async (t) => {
  const fixture = await TabsFixture.open(t, {
    "a.md": "<!-- a\nb\nc -->\n\nBEGIN\n  x\n  middle\nEND  \n\n\nlast\n",
  });
  const request = { version: "1", replace: "", is_regex: true, preview: true };
  const any = await fixture.call("find_and_replace", { ...request, find: "<!--[\\s\\S]*?-->" });
  assert.equal(any.matches_found, 1);
  const spaces = await fixture.call("find_and_replace", { ...request, find: "BEGIN\\s+x\\s+middle" });
  assert.equal(spaces.matches_found, 0);
  assert.match(
    String(spaces.note),
    /1 match if the expression may reach over line ends \(\(\?s\) in front of it\)/,
  );
  const told = await fixture.call("find_and_replace", { ...request, find: "(?s)BEGIN\\s+x\\s+middle" });
  assert.equal(told.matches_found, 1);
  const trailing = await fixture.call("find_and_replace", { ...request, find: "\\s+$" });
  assert.deepEqual([trailing.matches_found, (trailing.preview as unknown[]).length], [1, 1]);
});

test("the note on what would match speaks of one or of several", async (t) => {
  const fixture = await TabsFixture.open(t, { "a.txt": "one\ntwo two\n" });
  const request = { version: "1", find: "two", replace: "x", scope: { start_line: 0, end_line: 0 } };
  const { note } = await fixture.call("find_and_replace", request);
  assert.match(String(note), /There are 2 matches outside of the scope/);
});
