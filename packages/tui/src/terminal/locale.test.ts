import assert from "node:assert/strict";
import { test } from "node:test";
import { cellWidth } from "../text/width.ts";
import { asciiSigns, isAsciiOnly } from "./locale.ts";

test("a terminal without UTF-8 gets our signs as ASCII of the same width, and the words of others as they are", () => {
  const row = "Renames “Tobias” … 3 hunks · → notes/café ─│├└";
  assert.equal(asciiSigns(row), 'Renames "Tobias" ~ 3 hunks | > notes/café -||`');
  assert.equal(cellWidth(asciiSigns(row)), cellWidth(row));
  assert.equal(asciiSigns("\u001b[38;2;1;2;3mplain\u001b[39m"), "\u001b[38;2;1;2;3mplain\u001b[39m");
});

test("only a locale that names another encoding, or C, counts as one without UTF-8", () => {
  for (const one of [{ LANG: "C" }, { LANG: "de_DE.ISO-8859-1" }, { LC_ALL: "POSIX", LANG: "en_US.UTF-8" }])
    assert.equal(isAsciiOnly(one), true);
  for (const one of [{ LANG: "C.UTF-8" }, { LANG: "en_US.utf8" }, {}, { LC_ALL: "", LANG: "C.UTF-8" }])
    assert.equal(isAsciiOnly(one), false);
});
