import assert from "node:assert/strict";
import { test } from "node:test";
import { TabsFixture } from "@stet/testkit/tabs-fixture";

const book = "# One\n\ntext\n\n## Inner\n\ntext\n\n### Deep\n\n#### Deeper\n\n# Two\n\ntext\n";

test("sections come with their lines and the version", async (t) => {
  const fixture = await TabsFixture.open(t, { "book.md": book });
  const answer = await fixture.call("get_outline", { max_depth: 2 });
  assert.deepEqual(
    { ...answer, outline: undefined },
    {
      tab_id: fixture.tabs[0],
      version: "1",
      file_type: "markdown",
      detection_method: "headings",
      outline: undefined,
    },
  );
  const [one, two] = answer.outline as { title: string; line_start: number; children?: unknown[] }[];
  assert.deepEqual([one?.title, one?.line_start, one?.children?.length], ["One", 0, 1]);
  assert.deepEqual([two?.title, two?.line_start], ["Two", 12]);
});

test("an outline of thousands of sections stays within one answer", async (t) => {
  const section = (number: number) => `# Chapter ${number}\n\n${"## A part of it\n\ntext\n\n".repeat(10)}`;
  const text = Array.from({ length: 300 }, (_, number) => section(number)).join("");
  const fixture = await TabsFixture.open(t, {
    "long.md": text,
    "longer.md": "# The same heading\n\ntext\n\n".repeat(5000),
  });
  const pruned = await fixture.call("get_outline");
  const chapters = pruned.outline as { children?: unknown[] }[];
  assert.equal(chapters.length, 300);
  assert.ok(chapters.every(({ children }) => children === undefined));
  assert.match(String(pruned.note), /left out/);
  const cut = await fixture.call("get_outline", { tab_id: fixture.tabs[1] });
  const sections = cut.outline as unknown[];
  assert.ok(sections.length > 200 && sections.length < 5000);
  assert.match(String(cut.note), /left out/);
});
