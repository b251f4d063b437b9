import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Editor } from "@stet/tui/editor/editor";
import type { KeyInput } from "@stet/tui/input/input";
import { VimKeys } from "./vim-keys.ts";

/** `<esc>` and the like are keys, everything else is typed. */
function editing(text: string, keys: string): { text: string; shown: string; label: string; vim: VimKeys } {
  const editor = new Editor({ screenRows: () => 40 });
  const vim = new VimKeys(editor);
  editor.render(80);
  editor.setText(text);
  press(editor, vim, `<escape>gg0${keys}`);
  const { line, column } = editor.cursor;
  const shown = editor.text
    .split("\n")
    .map((row, index) => (index === line ? `${row.slice(0, column)}|${row.slice(column)}` : row))
    .join("\n");
  return { text: editor.text, shown, label: vim.label, vim };
}

function press(editor: Editor, vim: VimKeys, keys: string): void {
  for (const [whole, name] of keys.matchAll(/<([a-z+]+)>|[\s\S]/gu)) {
    const key: KeyInput = {
      kind: "key",
      id: name ?? (whole === " " ? "space" : whole),
      text: name === undefined ? whole : undefined,
      isRelease: false,
    };
    if (!vim.handle(key)) editor.handleInput(key);
  }
}

describe("vim's keys in the prompt", () => {
  it("move, delete, change and put", () => {
    assert.equal(editing("one two three", "wdw").shown, "one |three");
    assert.equal(editing("one two three", "wcwTWO<escape>").shown, "one TW|O three");
    assert.equal(editing("one two", "xp").shown, "n|oe two");
    assert.equal(editing("a (b c) d", "fbci(x<escape>").text, "a (x) d");
    assert.equal(editing("one\ntwo\nthree", "ddp").text, "two\none\nthree");
    assert.equal(editing("one\ntwo", "jA!<escape>").text, "one\ntwo!");
    assert.equal(editing("one", "onext<escape>Ofirst<escape>").text, "one\nfirst\nnext");
    assert.equal(editing("one two", "$r?").text, "one tw?");
  });

  it("take counts and repeat the last change with what was typed in it", () => {
    assert.equal(editing("a b c d e", "2dw").text, "c d e");
    assert.equal(editing("x", "3iab<escape>").text, "abababx");
    assert.equal(editing("one two three", "cwX<escape>w.").text, "X X three");
    assert.equal(editing("one two three", "dw..").text, "");
  });

  it("undo with u and redo with Ctrl-R", () => {
    assert.equal(editing("one two", "dwu").text, "one two");
    assert.equal(editing("one two", "dwu<ctrl+r>").text, "two");
  });

  it("show the mode and what there is of a command; Esc drops it and is then left to others", () => {
    assert.equal(editing("one", "").label, "NORMAL");
    assert.equal(editing("one", "2d").label, "NORMAL 2d");
    assert.equal(editing("one", "i").label, "INSERT");
    const { vim } = editing("one", "2d");
    const escapeKey: KeyInput = { kind: "key", id: "escape", text: undefined, isRelease: false };
    assert.equal(vim.handle(escapeKey), true);
    assert.equal(vim.label, "NORMAL");
    assert.equal(vim.handle(escapeKey), false);
  });

  it("change nothing for what is no command, and never type in normal mode", () => {
    for (const keys of ["v", "V", ":", "/", "Q", "zz", "gX", "dX", '"!', "éüß", "@a", "qa"])
      assert.equal(editing("one two", keys).text, "one two", keys);
    assert.equal(editing("one two", "éß:%").text, "one two");
  });

  it("keep to whole characters", () => {
    assert.equal(editing("👨‍👩‍👧‍👦e\u0301x", "lx").text.includes("\ufffd"), false);
    assert.equal(editing("中文字", "lx").text, "中字");
  });
});
