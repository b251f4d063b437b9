import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseKey } from "./keys.ts";

/** What is sent, the key's id, and what it types. */
const table: readonly (readonly [string, string, string?])[] = [
  ["a", "a", "a"],
  ["A", "shift+a", "A"],
  ["é", "é", "é"],
  ["É", "shift+é", "É"],
  ["!", "!", "!"],
  ["😀", "😀", "😀"],
  [" ", "space", " "],
  ["\r", "enter"],
  ["\n", "ctrl+j"],
  ["\t", "tab"],
  ["\u007f", "backspace"],
  ["\b", "backspace"],
  ["\u0003", "ctrl+c"],
  ["\u0000", "ctrl+space"],
  ["\u001f", "ctrl+_"],
  ["\u001c", "ctrl+\\"],
  ["\u001b", "escape"],
  ["\u001bb", "alt+b"],
  ["\u001bB", "shift+alt+b"],
  ["\u001b\r", "alt+enter"],
  ["\u001b\u007f", "alt+backspace"],
  ["\u001b\u0003", "alt+ctrl+c"],
  ["\u001b[", "alt+["],
  ["\u001bé", "alt+é"],
  ["\u001b😀", "alt+😀"],
  ["\u001b[A", "up"],
  ["\u001bOA", "up"],
  ["\u001b[H", "home"],
  ["\u001bOF", "end"],
  ["\u001b[1~", "home"],
  ["\u001b[8~", "end"],
  ["\u001b[3~", "delete"],
  ["\u001b[5~", "pageUp"],
  ["\u001b[Z", "shift+tab"],
  ["\u001b[1;2A", "shift+up"],
  ["\u001b[1;3D", "alt+left"],
  ["\u001b[1;5C", "ctrl+right"],
  ["\u001b[1;8B", "shift+alt+ctrl+down"],
  ["\u001b[3;5~", "ctrl+delete"],
  ["\u001bOP", "f1"],
  ["\u001b[15~", "f5"],
  ["\u001b[24;2~", "shift+f12"],
  ["\u001b[1;5P", "ctrl+f1"],
  ["\u001b[[C", "f3"],
  ["\u001bOM", "enter"],
  ["\u001bOk", "+", "+"],
  ["\u001b[a", "shift+up"],
  ["\u001bOd", "ctrl+left"],
  ["\u001b[3^", "ctrl+delete"],
  ["\u001b[5$", "shift+pageUp"],
  ["\u001b[6@", "shift+ctrl+pageDown"],
  ["\u001b\u001b[A", "alt+up"],
  ["\u001b\u001bOc", "alt+ctrl+right"],
  ["\u001b[27;2;13~", "shift+enter"],
  ["\u001b[27;5;99~", "ctrl+c"],
  ["\u001b[27;6;67~", "shift+ctrl+c"],
  ["\u001b[27;2;65~", "shift+a", "A"],
  ["\u001b[27;2;33~", "!", "!"],
  ["\u001b[13;2u", "shift+enter"],
  ["\u001b[27u", "escape"],
  ["\u001b[9;2u", "shift+tab"],
  ["\u001b[127;5u", "ctrl+backspace"],
  ["\u001b[32;5u", "ctrl+space"],
  ["\u001b[99;5u", "ctrl+c"],
  ["\u001b[97;2u", "shift+a", "A"],
  ["\u001b[97;65u", "a", "A"],
  ["\u001b[97;66u", "shift+a", "a"],
  ["\u001b[99;133u", "ctrl+c"],
  ["\u001b[49:33;2u", "!", "!"],
  ["\u001b[45:95;6u", "ctrl+_"],
  ["\u001b[97;;229u", "a", "å"],
  ["\u001b[1089::99;5u", "ctrl+c"],
  ["\u001b[1089::99u", "с", "с"],
  ["\u001b[106::99;5u", "ctrl+j"],
  ["\u001b[59::122;5u", "ctrl+;"],
  ["\u001b[57376u", "f13"],
  ["\u001b[57399u", "0", "0"],
  ["\u001b[57414u", "enter"],
  ["\u001b[57417;5u", "ctrl+left"],
  ["\u001b[1;1:2A", "up"],
  ["\u001b[3;5:1~", "ctrl+delete"],
];

for (const [sequence, id, text] of table) {
  test(`${JSON.stringify(sequence)} is ${id}`, () => {
    assert.deepEqual(parseKey(sequence), { kind: "key", id, text, isRelease: false });
  });
}

test("a key that is let go is a release", () => {
  assert.deepEqual(parseKey("\u001b[97;1:3u"), { kind: "key", id: "a", text: "a", isRelease: true });
  assert.equal(parseKey("\u001b[1;1:3A")?.isRelease, true);
  assert.equal(parseKey("\u001b[3;1:3~")?.isRelease, true);
});

test("modifiers alone, media keys, super and unknown sequences are no keys", () => {
  const others = [
    "\u001b[57441u",
    "\u001b[57428u",
    "\u001b[99;9u",
    "\u001b[99~",
    "\u001b[1;5y",
    "\u001b[?1u",
    "\u001bO",
    "\u001b[u",
  ];
  for (const sequence of others.filter((sequence) => sequence.length > 2)) {
    assert.equal(parseKey(sequence), undefined, JSON.stringify(sequence));
  }
  assert.equal(parseKey("\u001b[1114112u"), undefined);
  assert.equal(parseKey("\u001b[55296;5u"), undefined);
  assert.equal(parseKey(""), undefined);
});

test("no sequence throws", () => {
  const parts = fc.constantFrom(
    "\u001b",
    "[",
    "O",
    "?",
    ";",
    ":",
    "~",
    "u",
    "A",
    "27",
    "1",
    "99999999999",
    "-",
    "é",
    "\ud83d",
    " ",
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 12 }), (sequence) => {
      const key = parseKey(sequence.join(""));
      assert.ok(key === undefined || key.id !== "");
    }),
    { numRuns: 2000 },
  );
});
