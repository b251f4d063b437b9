import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cursorMarker } from "../component.ts";
import { cellWidth } from "../text/width.ts";
import { Editor } from "./editor.ts";

function editorOf(screenRows = 40): Editor {
  const editor = new Editor({ screenRows: () => screenRows });
  editor.isFocused = true;
  editor.render(80);
  return editor;
}

/** Each word is a key; a quoted one is typed character by character. */
function press(editor: Editor, ...keys: string[]): void {
  for (const key of keys) {
    if (key.startsWith('"'))
      for (const character of key.slice(1, -1))
        editor.handleInput({ kind: "key", id: character, text: character, isRelease: false });
    else editor.handleInput({ kind: "key", id: key, text: undefined, isRelease: false });
  }
}

/** The text with a bar where the cursor is. */
function shown(editor: Editor): string {
  const { line, column } = editor.cursor;
  return editor.text
    .split("\n")
    .map((text, index) => (index === line ? `${text.slice(0, column)}|${text.slice(column)}` : text))
    .join("\n");
}

describe("the editor's keys", () => {
  it("moves over a family, an accent and a flag as one character each, and deletes them whole", () => {
    const editor = editorOf();
    editor.insert("a👨‍👩‍👧‍👦e\u0301🇩🇪中");
    press(editor, "left", "left", "left");
    assert.equal(shown(editor), "a👨‍👩‍👧‍👦|e\u0301🇩🇪中");
    press(editor, "backspace");
    assert.equal(shown(editor), "a|e\u0301🇩🇪中");
    press(editor, "delete", "right");
    assert.equal(shown(editor), "a🇩🇪|中");
  });

  it("moves by words over the ends of lines", () => {
    const editor = editorOf();
    editor.insert("let foo_bar = naïve(x);\nnext");
    press(editor, "alt+b", "alt+b");
    assert.equal(shown(editor), "let foo_bar = naïve(|x);\nnext");
    press(editor, "alt+b", "alt+b");
    assert.equal(shown(editor), "let |foo_bar = naïve(x);\nnext");
    press(editor, "ctrl+right", "end", "ctrl+right");
    assert.equal(shown(editor), "let foo_bar = naïve(x);\nnext|");
  });

  it("keeps the column over a short line", () => {
    const editor = editorOf();
    editor.insert("long enough\nab\nalso long enough");
    press(editor, "up", "up");
    assert.equal(shown(editor), "long enough|\nab\nalso long enough");
    press(editor, "ctrl+a", "right", "right", "right", "right", "down", "down");
    assert.equal(shown(editor), "long enough\nab\nalso| long enough");
  });

  it("moves up and down by the rows that are seen, not by lines", () => {
    const editor = editorOf();
    editor.insert("one two three four");
    editor.render(10);
    press(editor, "up");
    assert.equal(shown(editor), "one two thre|e four");
  });

  it("begins a line with Shift-Enter, Alt-Enter, Ctrl-J and behind a backslash; Enter sends", () => {
    const editor = editorOf();
    const sent: string[] = [];
    editor.onSubmit = (text) => {
      sent.push(text);
      editor.clear();
    };
    press(
      editor,
      '"a"',
      "shift+enter",
      '"b"',
      "alt+enter",
      '"c"',
      "ctrl+j",
      '"d\\"',
      "enter",
      '"e"',
      "enter",
    );
    assert.deepEqual(sent, ["a\nb\nc\nd\ne"]);
    assert.equal(editor.text, "");
  });

  it("joins kills that follow one another, and yanks earlier ones with Alt-Y", () => {
    const editor = editorOf();
    editor.insert("one two three");
    press(editor, "ctrl+w", "ctrl+w");
    assert.equal(editor.text, "one ");
    press(editor, "ctrl+u", "ctrl+y");
    assert.equal(editor.text, "one two three", "three kills are one entry");
    press(editor, "alt+b", "ctrl+k", '"x"', "home", "alt+d", "ctrl+y");
    assert.equal(editor.text, "one two x");
    press(editor, "alt+y");
    assert.equal(editor.text, "three two x");
    press(editor, "alt+y", "left", "alt+y");
    assert.equal(editor.text, "one two three two x", "Alt-Y after a move does nothing");
  });

  it("kills the line end where nothing else is left of the line", () => {
    const editor = editorOf();
    editor.insert("ab\ncd");
    press(editor, "up", "end", "ctrl+k");
    assert.equal(shown(editor), "ab|cd");
    press(editor, "ctrl+y", "ctrl+u");
    assert.equal(shown(editor), "ab|cd");
  });

  it("undoes typing word by word, and redoes it", () => {
    const editor = editorOf();
    press(editor, '"one two three"');
    press(editor, "ctrl+_");
    assert.equal(shown(editor), "one two |");
    press(editor, "ctrl+_", "alt+z");
    assert.equal(shown(editor), "one two |");
    press(editor, "ctrl+_", "ctrl+_", "ctrl+_");
    assert.equal(editor.text, "");
    press(editor, "alt+z", "alt+z", "alt+z", "alt+z");
    assert.equal(editor.text, "one two three");
    press(editor, "ctrl+_", '"x"', "alt+z");
    assert.equal(editor.text, "one two x", "a new change ends what can be redone");
  });

  it("undoes a kill, a paste of lines and a replaced text to exactly what was there", () => {
    const editor = editorOf();
    editor.insert("first\nsecond");
    press(editor, "up", "ctrl+k");
    editor.handleInput({ kind: "paste", text: "x\r\ny\rz" });
    assert.equal(editor.text, "firstx\ny\nzsecond");
    editor.setText("other");
    press(editor, "ctrl+_", "ctrl+_", "ctrl+_");
    assert.equal(editor.text, "first\nsecond");
  });

  it("goes through what was sent and comes back to the draft", () => {
    const editor = editorOf();
    editor.history.set(["newest", "older\nof two lines", "oldest"]);
    press(editor, '"draft"', "up");
    assert.equal(editor.text, "newest");
    press(editor, "up", "up");
    assert.equal(editor.text, "oldest");
    press(editor, "up");
    assert.equal(editor.text, "oldest");
    press(editor, "down");
    assert.equal(shown(editor), "older\nof two lines|");
    press(editor, "down", "down", "down");
    assert.equal(editor.text, "draft");
  });

  it("keeps an entry that was changed as a draft", () => {
    const editor = editorOf();
    editor.history.set(["newest", "older"]);
    press(editor, "up", '"!"', "up", "down");
    assert.equal(editor.text, "newest!");
  });

  it("leaves keys to others that it does not know, and Ctrl-D while it is empty", () => {
    const editor = editorOf();
    const key = (id: string) => editor.handleInput({ kind: "key", id, text: undefined, isRelease: false });
    assert.equal(key("ctrl+d"), false);
    assert.equal(key("escape"), false);
    assert.equal(key("f5"), false);
    press(editor, '"ab"', "home");
    assert.equal(key("ctrl+d"), true);
    assert.equal(editor.text, "b");
  });
});

describe("the editor's chips", () => {
  it("is one unit for the cursor, drawn as its label, and comes back with undo", () => {
    const editor = editorOf();
    press(editor, '"see "');
    const chip = editor.content.insertChip("[Pasted text #1, 120 lines]");
    press(editor, '" ok"', "alt+b", "alt+b");
    assert.match(editor.render(80).join("\n"), /see .*\[Pasted text #1, 120 lines\] ok/);
    press(editor, "delete");
    assert.equal(editor.text, "see  ok");
    press(editor, "ctrl+_");
    assert.equal(editor.text, `see ${chip} ok`);
  });

  it("cannot be forged by text that contains its character", () => {
    const editor = editorOf();
    const chip = editor.content.insertChip("[Picture #1]");
    editor.handleInput({ kind: "paste", text: `before ${chip}` });
    assert.equal(editor.text, `${chip}before \ufffd`);
  });
});

describe("the editor's rows", () => {
  const rowsOf = (editor: Editor, width: number) =>
    editor.render(width).map((row) => row.replace(cursorMarker, "|"));

  it("wraps at words, cuts long ones, and puts the cursor behind a full row", () => {
    const editor = editorOf();
    editor.insert("hello brave new world");
    assert.deepEqual(rowsOf(editor, 12).slice(1, -1), ["hello brave", "new world|"]);
    editor.setText("abcdefghijklmnop");
    assert.deepEqual(rowsOf(editor, 9).slice(1, -1), ["abcdefgh", "ijklmnop|"]);
    press(editor, '" "');
    assert.deepEqual(rowsOf(editor, 9).slice(1, -1), ["abcdefgh", "ijklmnop", "|"]);
  });

  it("has a title and a colour that are given, and never more than its width", () => {
    const editor = editorOf();
    editor.border({
      title: "bash",
      rightTitle: "NORMAL",
      colour: (text) => `\u001b[31m${text}\u001b[39m`,
      prefix: "> ",
    });
    const [top = ""] = editor.render(30);
    assert.match(top, /bash.*NORMAL/);
    for (let width = 1; width < 40; width++)
      for (const row of editor.render(width))
        assert.ok(cellWidth(row) <= width, `${width}: ${JSON.stringify(row)}`);
  });

  it("is at most half of the screen high and keeps the cursor in view", () => {
    const editor = editorOf(20);
    editor.insert(Array.from({ length: 100 }, (_, index) => `line ${index + 1}`).join("\n"));
    assert.equal(rowsOf(editor, 40).length, 10);
    assert.match(rowsOf(editor, 40).at(-2) ?? "", /line 100\|/);
    press(editor, "pageUp");
    assert.match(rowsOf(editor, 40).join("\n"), /line 92\|/);
    press(editor, "ctrl+home");
    assert.match(rowsOf(editor, 40)[1] ?? "", /\|line 1/);
    assert.match(rowsOf(editor, 40).at(-1) ?? "", /line 1 of 100/);
  });

  it("draws in a terminal of one cell, whatever is written", () => {
    const editor = editorOf(1);
    for (const text of ["", "中", "👨‍👩‍👧‍👦", "\t", "\u001b", "a\nb\nc"]) {
      editor.setText(text);
      const rows = editor.render(1);
      assert.equal(rows.length, 1);
      assert.ok(cellWidth(rows[0] ?? "") <= 1, JSON.stringify(rows));
    }
    assert.doesNotThrow(() => editor.render(0));
  });

  it("shows control characters as pictures and reordering ones as numbers", () => {
    const editor = editorOf();
    editor.handleInput({ kind: "paste", text: "a\u001b[31mred\u0007\u009b2J\u202ex\u200b\ud800\u007f" });
    const [, row = ""] = rowsOf(editor, 80);
    assert.equal(row, "a␛[31mred␇⟨U+009B⟩2J⟨U+202E⟩x⟨U+200B⟩\ufffd␡|");
  });
});

describe("a text of 5 MB", () => {
  const texts = {
    "of many lines": "0123456789 abcde\n".repeat(310_000),
    "in one line": "lorem ipsum ".repeat(440_000),
  };
  for (const [name, text] of Object.entries(texts)) {
    it(`${name} can be pasted, edited at both ends and undone, and is drawn as far as it is seen`, () => {
      const editor = editorOf(20);
      editor.handleInput({ kind: "paste", text });
      press(editor, '" end"');
      assert.equal(editor.render(60).length, 10);
      assert.match(editor.render(60).join("\n"), / end/);
      press(editor, "pageUp", "ctrl+home", '"start "', "ctrl+j");
      press(editor, "up");
      assert.match(editor.render(60)[1] ?? "", /^.*start $/);
      assert.equal(editor.text.length, text.length + " end".length + "start \n".length);
      press(editor, "ctrl+_", "ctrl+_", "ctrl+_", "ctrl+_");
      assert.equal(editor.text.length, text.length);
      press(editor, "ctrl+_");
      assert.equal(editor.text, "");
    });
  }

  it("made of one endless cluster is drawn, too", () => {
    const editor = editorOf(20);
    editor.insert(`a${"\u0301".repeat(200_000)}b`);
    for (const row of editor.render(30)) assert.ok(cellWidth(row) <= 30);
    press(editor, "left", "left", "backspace", "ctrl+home", "right", "delete");
    editor.render(30);
  });
});
