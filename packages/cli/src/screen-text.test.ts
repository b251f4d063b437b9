import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { clearLine, exitTo, styled } from "./screen-text.ts";

function written(...texts: string[]): string {
  let all = "";
  const exit = exitTo((text) => {
    all += text;
  }, "reading");
  for (const text of texts) exit(text);
  return all;
}

test("styles and movements come out as codes, and nothing else does", () => {
  assert.equal(written(styled("bold", "name")), "\u001b[1mname\u001b[22m");
  assert.equal(written(styled(["red", "inverse"], "x")), "\u001b[31;7mx\u001b[39;27m");
  assert.equal(written(`${clearLine()}0 of 2`), "\r\u001b[2K0 of 2");
  assert.equal(written(styled("bold", "a\u001b[2Jb")), "\u001b[1ma␛[2Jb\u001b[22m");
});

test("a mark cannot be forged, nor copied from what was printed", () => {
  const mark = styled("bold", "");
  const zeros = mark.replaceAll(/[0-9a-f]{32}/g, "0".repeat(32));

  for (const text of [zeros, "\u001b<clear>", "\u001b[1m"]) assert.doesNotMatch(written(text), /\p{Cc}/u);
  assert.doesNotMatch(written(mark), /[0-9a-f]{32}/, "the number never leaves");
});

test("text in pieces is shown as it is in one", () => {
  const text = "می\u200cخواهم 👩🏽\u200d🚒 ❤\ufe0f x\u200by \u001b[2J\u202e";
  for (const size of [1, 2, 3, 5]) {
    const letters = [...text];
    const pieces = letters.flatMap((_, at) => (at % size === 0 ? letters.slice(at, at + size).join("") : []));
    assert.equal(written(...pieces), written(text), `pieces of ${size}`);
  }
});

test("whatever is printed, no control but a line feed and a tab comes out", () => {
  const piece = fc.string({
    unit: fc.integer({ min: 0, max: 0x2fff }).map((code) => String.fromCodePoint(code)),
  });
  fc.assert(
    fc.property(
      fc.array(piece),
      (pieces) => !/[[\p{Cc}\u202a-\u202e\u2066-\u2069]--[\n\t]]/v.test(written(...pieces)),
    ),
  );
});
