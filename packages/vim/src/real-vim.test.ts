// What real vim (9.0, -u NONE, shiftwidth=4, expandtab) made of texts and keys, recorded in cases/real-vim.json: the text, the
// cursor and the unnamed register. Where vim does nothing but beep, a call is refused here, so such keys are not among them.
//
//   [text, line, column, keys, first changed line, lines removed, lines there instead, line, column, register]

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { keysOf } from "./keys.ts";
import { runKeys } from "./normal.ts";
import { Vim } from "./state.ts";

type Recorded = [number, number, number, string, number, number, string[], number, number, string];

const recorded: { texts: string[][]; cases: Recorded[] } = JSON.parse(
  readFileSync(new URL("./cases/real-vim.json", import.meta.url), "utf8"),
);

test("keys do something else than in vim", () => {
  assert.ok(recorded.cases.length > 1500);
  for (const [index, line, col, keys, at, removed, added, toLine, toCol, register] of recorded.cases) {
    const lines = recorded.texts[index] ?? [];
    const vim = new Vim(lines, "    ");
    vim.moveTo({ line, col });
    vim.feed(keysOf(keys));
    const fault = runKeys(vim);
    const label = `${JSON.stringify(keys)} at ${line},${col} of ${JSON.stringify(lines)}`;
    assert.equal(fault, undefined, label);
    assert.deepEqual(vim.buffer.lines, lines.toSpliced(at, removed, ...added), label);
    assert.deepEqual(vim.cursor, { line: toLine, col: toCol }, label);
    assert.equal(vim.registers.get(undefined)?.text ?? "", register, label);
  }
});

test("undoing everything does not bring the text back", () => {
  for (const [index, line, col, keys] of recorded.cases) {
    const lines = recorded.texts[index] ?? [];
    const vim = new Vim(lines, "    ");
    vim.moveTo({ line, col });
    vim.feed(keysOf(keys));
    runKeys(vim);
    const after = [...vim.buffer.lines];
    let steps = 0;
    while (vim.buffer.undo() !== undefined) steps += 1;
    assert.deepEqual(vim.buffer.lines, lines, keys);
    for (let step = 0; step < steps; step += 1) vim.buffer.redo();
    if (!/u|<C-r>/.test(keys)) assert.deepEqual(vim.buffer.lines, after, keys);
  }
});
