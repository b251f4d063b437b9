import assert from "node:assert/strict";
import { test } from "node:test";
import { TabsFixture } from "@stet/testkit/tabs-fixture";
import { must } from "@stet/testkit/workspace";

test("a document that was read whole is written whole", async (t) => {
  const fixture = await TabsFixture.open(t, { "a.txt": "one\ntwo\nthree\n" });
  await fixture.call("read_document");
  assert.deepEqual(await fixture.call("write_document", { version: "1", content: "1\n2\n" }), {
    tab_id: fixture.tabs[0],
    version: "2",
    status: "success",
    lines_affected: { previous: 3, current: 2 },
  });
  assert.equal(fixture.text(), "1\n2\n");
  const again = await fixture.call("write_document", { version: "2", content: "" });
  assert.deepEqual(again.lines_affected, { previous: 2, current: 0 });
  assert.equal(fixture.text(), "");
});

test("thousands of unread places are told as a few ranges", async (t) => {
  const fixture = await TabsFixture.open(t, { "a.txt": "x\n".repeat(200) });
  for (let line = 1; line < 200; line += 2) {
    await fixture.call("read_document", { start_line: line, end_line: line });
  }
  const refused = await fixture.call("write_document", { version: "1", content: "all" });
  const details = refused.details as { unread_ranges: unknown[]; unread_lines: number };
  assert.equal(details.unread_lines, 100);
  assert.equal(details.unread_ranges.length, 20);
  assert.match(String(refused.message), /and 80 more ranges/);
});

test("a document that was created in this turn may be edited and written without reading it", async (t) => {
  const fixture = await TabsFixture.open(t, { "a.txt": "one\n" });
  const created = await fixture.call("create_document", {
    title: "new",
    file_type: "md",
    content: "# New\n\ntext\n",
  });
  const { tab_id } = created;
  assert.deepEqual(created, { tab_id, title: "new.md", version: "1", status: "created" });
  const edited = await fixture.call("insert_lines", { tab_id, version: "1", after_line: 2, content: "more" });
  assert.equal(edited.version, "2");
  const written = await fixture.call("write_document", { tab_id, version: "2", content: "# Newer\n" });
  assert.deepEqual(written.lines_affected, { previous: 4, current: 1 });
  const { active_tab_id } = await fixture.call("list_tabs");
  assert.equal(active_tab_id, fixture.tabs[0]);
});

test("what a turn created is gone with the turn", async (t) => {
  const fixture = await TabsFixture.open(t, { "a.txt": "one\n" });
  await fixture.call("create_document", { title: "new.md", content: "text" });
  fixture.turn.discard();
  assert.deepEqual(
    fixture.workspace.tabs.list().map(({ title }) => title),
    ["a.txt"],
  );
  const turn = must(fixture.workspace.beginLockedTurn());
  assert.equal(must(fixture.workspace.tabs.createIn(turn, { title: "new.md" })).version, "1");
});
