import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cursorMarker } from "../component.ts";
import { cellWidth } from "../text/width.ts";
import { fuzzyFilter } from "./fuzzy.ts";
import { SelectList } from "./select-list.ts";

const towns = ["Aachen", "Berlin", "Bonn", "Dresden", "Emden", "Erfurt", "Essen", "Fulda"];

function listOf(maxRows = 6, labels: readonly string[] = towns): SelectList<string> {
  const list = new SelectList({
    items: labels.map((label) => ({ value: label, label, detail: `the town ${label}` })),
    maxRows: () => maxRows,
  });
  list.isFocused = true;
  return list;
}

function press(list: SelectList<string>, ...keys: string[]): void {
  for (const key of keys) {
    const text = [...key].length === 1 ? key : undefined;
    list.handleInput({ kind: "key", id: key, text, isRelease: false });
  }
}

const selectedRow = (list: SelectList<string>) => list.render(40).find((row) => row.startsWith(">"));

describe("a list", () => {
  it("shows the selected row whichever way it was reached", () => {
    const list = listOf();
    const keys = ["up", "up", "pageUp", "down", "pageDown", "pageDown", "down", "down", "home", "end", "up"];
    for (const key of keys) {
      press(list, key);
      assert.match(selectedRow(list) ?? "", new RegExp(`^> ${list.selectedItem?.label} +the town`), key);
      assert.equal(list.render(40).length, 6);
    }
    assert.equal(list.selectedItem?.label, "Essen");
    assert.match(list.render(40).at(-1) ?? "", /7 of 8/);
  });

  it("is searched by typing; Esc clears the search and only then closes", () => {
    const list = listOf();
    let closed = 0;
    list.onCancel = () => closed++;
    press(list, "e", "s");
    assert.equal(list.selectedItem?.label, "Essen");
    press(list, "escape");
    assert.equal(list.query, "");
    assert.equal(closed, 0);
    press(list, "x", "q");
    assert.match(list.render(40).join("\n"), /Nothing fits/);
    press(list, "enter", "ctrl+u", "escape");
    assert.equal(closed, 1);
  });

  it("keeps the selected item when the items change under it", () => {
    const list = listOf();
    press(list, "down", "down");
    list.setItems(["Ulm", ...towns].map((label) => ({ value: label, label })));
    assert.equal(list.selectedItem?.label, "Bonn");
    list.setItems([]);
    assert.equal(list.selectedItem, undefined);
    assert.match(list.render(40).join("\n"), /nothing to choose from/);
    press(list, "up", "down", "pageDown", "end", "enter");
  });

  it("is never wider than its width, with wide labels and in one cell", () => {
    const list = listOf(5, ["中文中文中文中文中文中文", "👨‍👩‍👧‍👦".repeat(30), "plain"]);
    for (let width = 1; width < 60; width++)
      for (const row of list.render(width))
        assert.ok(cellWidth(row.replace(cursorMarker, "")) <= width, `${width}: ${row}`);
  });
});

describe("fuzzy search", () => {
  const paths = [
    "packages/web/src/editor-tab.ts",
    "packages/tui/src/editor/editor.ts",
    "docs/editor.md",
    "packages/tui/src/edit-or.ts",
    "e/d/i/t/o/r/x.ts",
  ];

  it("prefers names over folders, whole words over scattered letters, and all words must fit", () => {
    const [first] = fuzzyFilter(paths, "editor", (path) => path);
    assert.equal(first, "docs/editor.md");
    assert.deepEqual(
      fuzzyFilter(paths, "tui editor", (path) => path)[0],
      "packages/tui/src/editor/editor.ts",
    );
    assert.equal(fuzzyFilter(paths, "editor", (path) => path).at(-1), "e/d/i/t/o/r/x.ts");
    assert.deepEqual(
      fuzzyFilter(paths, "zebra", (path) => path),
      [],
    );
  });
});
