// Random keys and pastes, at any width: what holds of the editor after each of them.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { cursorMarker } from "../component.ts";
import { cellWidth } from "../text/width.ts";
import { clusterFloor } from "./clusters.ts";
import { Editor } from "./editor.ts";
import { editorActions } from "./editor-keys.ts";

const keys = Object.values(editorActions)
  .flatMap((action): readonly string[] => action.keys)
  .filter((key) => key !== "enter");
const pieces = [
  "word",
  " ",
  "\n",
  "\t",
  "中文",
  "e\u0301",
  "👨‍👩‍👧‍👦",
  "🇩🇪🇫🇷",
  "\u001b[31m",
  "\u200b",
  "\ud83d",
  "\r\n",
  "\u202e",
];

const operation = fc.oneof(
  fc.constantFrom(...keys).map((key) => ({ kind: "key" as const, key })),
  fc.constantFrom(...pieces, "a", "b").map((text) => ({ kind: "type" as const, text })),
  fc
    .array(fc.constantFrom(...pieces), { maxLength: 12 })
    .map((parts) => ({ kind: "paste" as const, text: parts.join("") })),
  fc
    .constantFrom("[Picture #1]", "[Pasted text #2, 120 lines]")
    .map((label) => ({ kind: "chip" as const, label })),
  fc.integer({ min: 1, max: 40 }).map((width) => ({ kind: "resize" as const, width })),
);

describe("the editor, whatever is pressed", () => {
  it("keeps the cursor between characters and in view, its rows within the width, and can take everything back", () => {
    fc.assert(
      fc.property(
        fc.array(operation, { maxLength: 60 }),
        fc.integer({ min: 1, max: 30 }),
        (operations, screenRows) => {
          const editor = new Editor({ screenRows: () => screenRows });
          editor.isFocused = true;
          editor.history.set(["an older\nprompt", "the oldest"]);
          let width = 20;
          for (const operation of operations) {
            if (operation.kind === "resize") width = operation.width;
            else if (operation.kind === "chip") editor.content.insertChip(operation.label);
            else if (operation.kind === "paste") editor.handleInput({ kind: "paste", text: operation.text });
            else if (operation.kind === "type")
              editor.handleInput({ kind: "key", id: operation.text, text: operation.text, isRelease: false });
            else editor.handleInput({ kind: "key", id: operation.key, text: undefined, isRelease: false });
            check(editor, width, screenRows);
          }
          const text = editor.text;
          let undone = 0;
          for (let before = "…"; before !== editor.text; undone++) {
            before = editor.text;
            editor.perform("editor.undo");
          }
          for (let index = 0; index < 200; index++) editor.perform("editor.undo");
          assert.equal(editor.text, "");
          for (let index = 0; index < 200 + undone; index++) editor.perform("editor.redo");
          // What was undone among the operations and not done again stays away.
          if (
            !operations.some(
              (one) => one.kind === "key" && editorActions["editor.undo"].keys.some((key) => key === one.key),
            )
          )
            assert.equal(editor.text, text);
          check(editor, width, screenRows);
        },
      ),
      { numRuns: 150 },
    );
  });
});

function check(editor: Editor, width: number, screenRows: number): void {
  const { line, column } = editor.cursor;
  const text = editor.content.buffer.line(line);
  assert.ok(line < editor.content.buffer.lines.length && column <= text.length);
  assert.equal(clusterFloor(text, column), column, JSON.stringify({ text, column }));
  assert.equal(editor.content.buffer.lines.join("\n"), editor.text);
  assert.ok(!editor.text.includes("\r"));
  const rows = editor.render(width);
  assert.ok(rows.length <= Math.max(1, screenRows / 2), `${rows.length} rows of ${screenRows}`);
  assert.equal(rows.join("").split(cursorMarker).length, 2, "the cursor is in view");
  for (const row of rows) {
    assert.ok(cellWidth(row) <= width, JSON.stringify({ row, width }));
    assert.doesNotMatch(row.replace(cursorMarker, ""), /[\p{Cc}\u202a-\u202e\ud800-\udfff]/u);
  }
}
