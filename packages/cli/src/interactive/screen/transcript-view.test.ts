import assert from "node:assert/strict";
import { test } from "node:test";
import type { Item } from "@stet/client/items";
import { stripAnsi } from "@stet/tui/text/ansi";
import { Transcript } from "@stet/tui/transcript/transcript";
import { heldItems, SettledItems } from "../connection/settled-items.ts";
import { plainTheme } from "../transcript/test-theme.ts";
import { TranscriptView } from "./transcript-view.ts";

const said = (number: number): Item => ({
  kind: "assistant",
  key: `message-${number}`,
  text: `Message ${number}.`,
  isStreaming: false,
});

test("a conversation that goes on after its oldest items were dropped shows each message once", () => {
  const transcript = new Transcript();
  const view = new TranscriptView(transcript, plainTheme(), "shown");
  const settled = new SettledItems();
  const update = () => view.update({ generation: 1, settled, live: [], tail: [] });
  const count = Math.ceil(heldItems * 1.3);
  update();
  for (let number = 0; number < count; number += 100) {
    settled.add(Array.from({ length: 100 }, (_, index) => said(number + index)));
    update();
  }
  assert.ok(settled.dropped > 0 && settled.items.length <= 1.2 * heldItems);
  const rows = transcript
    .render(80)
    .map(stripAnsi)
    .filter((row) => row.trim() !== "");
  const expected = Array.from({ length: count }, (_, number) => `Message ${number}.`);
  assert.deepEqual(
    rows.map((row) => row.trim()),
    expected.slice(-rows.length),
  );
  assert.ok(rows.length >= 100);
});
