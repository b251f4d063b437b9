import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { visible, visibleJson, visibleName } from "./visible.ts";

const steers = /[[\p{Cc}\u202a-\u202e\u2066-\u2069]--[\n\t]]/v;
const anything = fc.string({
  unit: fc.integer({ min: 0, max: 0xe0fff }).map((code) => String.fromCodePoint(code)),
});

test("what steers a terminal is visible, however much else is", () => {
  for (const how of ["steering", "reading", "everything"] as const) {
    assert.equal(visible("a\u001b]52;c;eA==\u0007b\u009b2Jc\u007f", how), "a␛]52;c;eA==␇b⟨U+009B⟩2Jc␡");
    assert.equal(
      visible("live\u202eevil\u202c \u2066x\u2069", how),
      "live⟨U+202E⟩evil⟨U+202C⟩ ⟨U+2066⟩x⟨U+2069⟩",
    );
    assert.equal(visible("one\r\ntwo\tthree\rfour", how), "one\ntwo\tthree␍four");
    fc.assert(fc.property(anything, (text) => !steers.test(visible(text, how))));
  }
});

test("what cannot be seen is visible to a reader, and stays where writing needs it", () => {
  assert.equal(
    visible("pass\u200bword so\u00adft \ufeffx \u200e\u200f"),
    "pass⟨U+200B⟩word so⟨U+00AD⟩ft ⟨U+FEFF⟩x ⟨U+200E⟩⟨U+200F⟩",
  );
  assert.equal(visible("a\u{e0041}\u{e007f} x\ufe0f\ufe01"), "a⟨U+E0041⟩⟨U+E007F⟩ x⟨U+FE0F⟩⟨U+FE01⟩");
  assert.equal(visible("rm\u200d \u3164x\u2028"), "rm⟨U+200D⟩ ⟨U+3164⟩x⟨U+2028⟩");
  const needed = ["👨‍👩‍👧‍👦", "👩🏽‍🚒", "❤️", "1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "می‌خواهم", "ක්‍ර", "क्‍ष", "葛󠄀"];
  for (const text of needed) assert.equal(visible(text), text);
  for (const text of needed) assert.notEqual(visible(text, "everything"), text);
});

test("ordinary text of any script is itself", () => {
  const texts = [
    "Größe, naïve Ærø",
    "Ελληνικά русский עברית العربية",
    "日本語 한국어 ไทย",
    "“—…” ¿€ 1½ 🎉",
    "a\n\tb\n",
  ];
  for (const text of texts)
    for (const how of ["steering", "reading", "everything"] as const) assert.equal(visible(text, how), text);
});

test("a name stands on one line", () => {
  assert.equal(visibleName("a\nstet: all is well\t\u200d.md"), "a␊stet: all is well␉⟨U+200D⟩.md");
});

test("JSON with everything escaped is the same value, and shows nothing that acts or hides", () => {
  fc.assert(
    fc.property(anything, (text) => {
      const json = visibleJson(JSON.stringify({ [text]: [text] }));
      assert.deepEqual(JSON.parse(json), { [text]: [text] });
      assert.equal(visible(json, "everything"), json);
    }),
  );
});
