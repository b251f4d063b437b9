import assert from "node:assert/strict";
import { test } from "node:test";
import { EditorState, Text } from "@codemirror/state";
import { lineEnds, mixesLineEnds } from "./line-ends.ts";

function typed(
  before: readonly string[],
  from: number,
  to: number,
  insert: string,
): readonly [string, number] {
  const doc = Text.of([...before]);
  const state = EditorState.create({ doc, extensions: lineEnds(mixesLineEnds(doc.toString())) });
  const change = { from, to, insert: Text.of(insert.split("\n")) };
  const spec = { changes: change, selection: { anchor: from + insert.length }, userEvent: "input.type" };
  const after = state.update(spec).state;
  return [after.doc.toString(), after.selection.main.head];
}

const mixed = ["one\r", "two", ""];

test("a letter typed at the end of a line that ends in CRLF stands before its end", () => {
  assert.deepEqual(typed(mixed, 4, 4, "x"), ["onex\r\ntwo\n", 4]);
});

test("a line that ends in CRLF becomes two that do", () => {
  assert.deepEqual(typed(mixed, 4, 4, "\n"), ["one\r\n\r\ntwo\n", 5]);
  assert.deepEqual(typed(mixed, 1, 1, "\n"), ["o\r\nne\r\ntwo\n", 3]);
  // The editor's Enter also takes the blanks behind the cursor, which a return is one of.
  assert.deepEqual(typed(mixed, 3, 4, "\n"), ["one\r\n\r\ntwo\n", 5]);
});

test("other lines, and files that do not mix their ends, are left alone", () => {
  assert.deepEqual(typed(mixed, 8, 8, "\n"), ["one\r\ntwo\n\n", 9]);
  assert.deepEqual(typed(["one", "two"], 3, 3, "x"), ["onex\ntwo", 4]);
});
