import assert from "node:assert/strict";
import { test } from "node:test";
import { runs } from "@stet/testkit/depth";
import fc from "fast-check";
import { fold, foldWithPlaces } from "./fold.ts";

const letters = fc.constantFrom(
  "a",
  "Ử",
  "ử".normalize("NFD"),
  "Đ",
  "ß",
  "ﬁ",
  "Ａ",
  "İ",
  "Σ",
  "ς",
  "\n",
  " ",
  "한".normalize("NFD"),
  "が",
  "’",
  "😀",
  "\u0301",
  "\u00ad",
);

test("accents count when typed and not when loose", () => {
  assert.equal(fold("SỬA", "typed"), "sửa");
  assert.equal(fold("sửa".normalize("NFD"), "typed"), "sửa");
  assert.equal(fold("Sửa Đường Straße ﬁn ＡＢ “x”", "loose"), 'sua duong strasse fin ab "x"');
  assert.equal(fold("が한", "loose"), "が한", "in these scripts marks make the letter");
});

test("a folded letter leads back to the letter it comes from", () => {
  const property = fc.property(
    fc.array(letters, { maxLength: 20 }),
    fc.constantFrom("typed" as const, "loose" as const),
    (parts, folding) => {
      const content = parts.join("");
      const folded = foldWithPlaces(content, folding);
      let end = 0;
      for (let offset = 0; offset < folded.text.length; offset += 1) {
        const from = folded.start(offset);
        const to = folded.end(offset + 1);
        assert.ok(from < to && to >= end && to <= content.length);
        assert.ok(fold(content.slice(from, to), folding).includes(folded.text.charAt(offset)));
        end = to;
      }
    },
  );
  fc.assert(property, { numRuns: runs(500) });
});
