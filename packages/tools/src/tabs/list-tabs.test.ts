import assert from "node:assert/strict";
import { test } from "node:test";
import { TabsFixture } from "@stet/testkit/tabs-fixture";
import type { TabInfo } from "@stet/workspace/tabs/tabs";

test("tabs are listed with exactly the documented fields", async (t) => {
  const fixture = await TabsFixture.open(t, { "story.md": "one\ntwo\n", "notes/data.json": "{}" });
  const [story, data] = fixture.tabs;
  assert.deepEqual(await fixture.call("list_tabs"), {
    tabs: [
      {
        tab_id: story,
        title: "story.md",
        path: "story.md",
        file_type: "markdown",
        version: "1",
        is_active: true,
        is_dirty: false,
        size_chars: 8,
        line_count: 2,
      },
      {
        tab_id: data,
        title: "data.json",
        path: "notes/data.json",
        file_type: "json",
        version: "1",
        is_active: false,
        is_dirty: false,
        size_chars: 2,
        line_count: 1,
      },
    ],
    active_tab_id: story,
  });
});

test("more tabs than fit one answer are told as a number, and the active one is among those shown", async (t) => {
  const names = Array.from({ length: 400 }, (_, at) => [`file-${at}.md`, ""]);
  const fixture = await TabsFixture.open(t, Object.fromEntries(names));
  const last = fixture.tabs.at(-1);
  fixture.workspace.tabs.activate(String(last));
  const { tabs, active_tab_id, note } = await fixture.call("list_tabs");
  const shown = tabs as readonly TabInfo[];
  assert.equal(active_tab_id, last);
  assert.ok(shown.length < 400 && shown.some((tab) => tab.tab_id === last));
  assert.match(String(note), /of 400 tabs/);
});
