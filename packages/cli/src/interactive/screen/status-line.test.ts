// The status line at every width: what matters most stays, and no row is wider than the screen.

import assert from "node:assert/strict";
import { test } from "node:test";
import { stripAnsi } from "@stet/tui/text/ansi";
import { cellWidth } from "@stet/tui/text/width";
import { fixedTheme } from "../theme/fixed-theme.ts";
import { type Status, StatusLine, shortFolder } from "./status-line.ts";

const status: Status = {
  model: "provider/model\u001b[2J",
  thinking: "high",
  folder: "/home/somebody/work/project",
  branch: "main",
  changes: 2,
  use: {
    cost_usd: 0.25,
    cost_known: true,
    input: 10,
    output: 5,
    context_tokens: 500,
    context_window: 1000,
  },
  permission: "ask",
  toolset: "code",
  title: "",
  queued: 1,
  openHunks: 3,
  isAttached: true,
  background: { running: 2, waiting: 1 },
};
const line = new StatusLine(fixedTheme({ colours: "none", isPlain: true }), status);
const at = (width: number) => stripAnsi(line.render(width).at(-1) ?? "");

test("everything is told where there is room, and nothing in it steers the terminal", () => {
  const row = at(200);
  for (const word of [
    "high",
    "ask",
    "main *2",
    "50 %",
    "$0.25",
    "3 hunks to review",
    "1 queued",
    "2 in background",
    "1 not told",
    "attached",
  ])
    assert.ok(row.includes(word), `${word} in ${row}`);
  assert.ok(!line.render(160).join("").includes("\u001b[2J"));
});

test("the row fits at every width, and the model is the last to go", () => {
  for (let width = 1; width <= 160; width += 1)
    for (const row of line.render(width)) assert.ok(cellWidth(row) <= width, `${width}: ${row}`);
  assert.match(at(40), /provider\/model/);
  assert.doesNotMatch(at(40), /attached/);
});

test("a folder is shown from home, by its last parts", () => {
  assert.equal(shortFolder("/home/a/work", "/home/a"), "~/work");
  assert.equal(shortFolder("/home/a", "/home/a"), "~");
  assert.equal(shortFolder("/home/ab", "/home/a"), "/home/ab");
  assert.equal(shortFolder("/one/two/three/four/five", "/home/a"), "…/three/four/five");
});
