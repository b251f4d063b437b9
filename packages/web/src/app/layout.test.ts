import assert from "node:assert/strict";
import { test } from "node:test";
import { Layout } from "./layout.ts";

test("what is asked for is what a narrow window shows", () => {
  const layout = new Layout();
  assert.equal(layout.state.pane, "editor");
  layout.set({ left: "review" });
  assert.equal(layout.state.pane, "panel");
  layout.set({ isAgentOpen: true });
  assert.equal(layout.state.pane, "agent");
  layout.set({ pane: "editor" });
  layout.set({ left: "review" });
  assert.equal(layout.state.pane, "panel");
  layout.togglePanel("review");
  assert.deepEqual([layout.state.left, layout.state.pane], [null, "editor"]);
});

test("a window without room starts without the agent over the text", () => {
  const layout = new Layout();
  layout.fit(1280);
  assert.equal(layout.state.isAgentOpen, true);
  layout.fit(800);
  assert.equal(layout.state.isAgentOpen, false);
});
