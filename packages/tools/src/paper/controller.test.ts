import assert from "node:assert/strict";
import { test } from "node:test";
import { PaperDesk } from "@stet/testkit/paper-desk";
import { must } from "@stet/testkit/workspace";
import { Controller, handlers } from "./controller.ts";
import { Paper } from "./paper.ts";

const call = { batch: "1", signal: new AbortController().signal };

test("twelve actions, by their names", () => {
  assert.deepEqual(Object.keys(handlers), [
    "search_paper",
    "search_chat",
    "search_tools",
    "get_context_lines",
    "keep_search",
    "retrieve_search",
    "get_kept_searches",
    "clear_kept_search",
    "clear_all_kept_searches",
    "edit",
    "verify",
    "close",
  ]);
});

test("fourteen tools, each exclusive, each parameter described", async (t) => {
  const { toolset } = await PaperDesk.open(t, "");
  assert.equal(toolset.name, "paper");
  assert.deepEqual(
    toolset.tools.map(({ name }) => name),
    [
      "search_paper",
      "search_chat",
      "search_tools",
      "get_context_lines",
      "keep_search",
      "retrieve_search",
      "get_kept_searches",
      "clear_kept_search",
      "clear_all_kept_searches",
      "write_append",
      "write_replace_line",
      "set_text",
      "clear_all",
      "verify",
    ],
  );
  for (const tool of toolset.tools) {
    assert.ok(tool.traits.includes("exclusive"));
    assert.ok(tool.description.length > 30, tool.name);
  }
});

test("what a handler returns is wrapped once, as output or as error", async (t) => {
  const { turn, document } = await PaperDesk.open(t, "one\ntwo");
  const paper = new Paper({ turn, document, messages: () => [] }, () => []);
  const controller = new Controller(paper);
  const plain = must(await handlers.search_paper(paper, { query: "one" }, call));
  assert.deepEqual(await controller.execute("search_paper", { query: "one" }, call), {
    ok: true,
    output: plain,
  });
  const edited = await controller.execute("edit", { edit_op: "write_append", text: "!" }, call);
  assert.deepEqual(edited, {
    ok: true,
    output: { paper_rev: 2, changed: true, oldTextLen: 7, newTextLen: 8, rows: 2 },
  });
  const refused = await controller.execute("retrieve_search", { key: "none" }, call);
  assert.ok(!refused.ok && refused.error.error === "no_match");
  const stale = { edit_op: "clear_all", expected_rev: 1 } as const;
  const mismatch = await controller.execute("edit", stale, call);
  assert.ok(!mismatch.ok && mismatch.error.error === "version_mismatch");
});

test("a closed paper refuses everything", async (t) => {
  const { turn, document } = await PaperDesk.open(t, "one");
  const controller = new Controller(new Paper({ turn, document, messages: () => [] }, () => []));
  assert.deepEqual(await controller.execute("close", {}, call), { ok: true, output: { closed: true } });
  const after = await controller.execute("verify", {}, call);
  assert.ok(!after.ok && after.error.error === "turn_closed");
});
