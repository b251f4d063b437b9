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

test("a window without room for all three starts with the text and one thing beside it", () => {
  const fitted = (width: number, hasBeenHere: boolean) => {
    const layout = new Layout();
    layout.fit(width, hasBeenHere);
    return [layout.state.left, layout.state.isAgentOpen];
  };
  assert.deepEqual(fitted(1280, true), ["files", true]);
  assert.deepEqual(fitted(1024, true), [null, true]);
  assert.deepEqual(fitted(1024, false), ["files", true]);
  assert.deepEqual(fitted(800, true), ["files", false]);
});
