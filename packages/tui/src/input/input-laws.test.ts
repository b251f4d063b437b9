// Whatever a person types while a terminal answers, in whatever fragments: every key arrives, once and in order, and nothing else.

import assert from "node:assert/strict";
import { test } from "node:test";
import { runs } from "@stet/testkit/depth";
import fc from "fast-check";
import { InputBuffer } from "./input-buffer.ts";
import { parseKey } from "./keys.ts";
import { parseReport } from "./reports.ts";

function read(bytes: Uint8Array, cuts: readonly number[]): { keys: string[]; reports: number } {
  const keys: string[] = [];
  let reports = 0;
  const buffer = new InputBuffer({
    onSequence: (sequence) => {
      if (parseReport(sequence) !== undefined) reports += 1;
      else keys.push(parseKey(sequence)?.id ?? "unknown");
    },
    onPaste: (text) => keys.push(`paste ${text}`),
  });
  buffer.expectsReply = true;
  let from = 0;
  for (const cut of [...cuts].sort((one, other) => one - other)) {
    const at = Math.min(bytes.length, Math.max(from, cut));
    buffer.push(bytes.subarray(from, at));
    from = at;
  }
  buffer.push(bytes.subarray(from));
  buffer.clear();
  return { keys, reports };
}

const keys: readonly (readonly [string, string])[] = [
  ["a", "a"],
  ["漢", "漢"],
  ["😀", "😀"],
  ["\r", "enter"],
  ["\u0003", "ctrl+c"],
  ["\u001b[A", "up"],
  ["\u001bOP", "f1"],
  ["\u001bx", "alt+x"],
  ["\u001b[1;5C", "ctrl+right"],
  ["\u001b[3~", "delete"],
  ["\u001b[97;6u", "shift+ctrl+a"],
  ["\u001b[27;2;13~", "shift+enter"],
  ["\u001b[200~a\u001b[Ab\r\n\u001b[201~", "paste a\u001b[Ab\r\n"],
];
const answers = [
  "\u001b[?62;4;22c",
  "\u001b[?0u",
  "\u001b[?2026;2$y",
  "\u001b]11;rgb:1111/2222/3333\u001b\\",
  "\u001b]99;i=stet-probe:p=?;a=focus\u0007",
  "\u001b_Gi=2147483647;OK\u001b\\",
  "\u001b[6;20;10t",
  "\u001b[48;24;80;480;800t",
  "\u001b[?997;1n",
  "\u001b[I",
  "\u001bP>|kitty(0.40.0)\u001b\\",
];

test("keys between answers arrive, whatever the fragments", () => {
  const piece = fc.oneof(
    fc.constantFrom(...keys).map(([bytes, id]) => ({ bytes, id })),
    fc.constantFrom(...answers).map((bytes) => ({ bytes, id: undefined })),
  );
  const property = fc.property(
    fc.array(piece, { maxLength: 30 }),
    fc.array(fc.nat(400), { maxLength: 40 }),
    (pieces, cuts) => {
      const result = read(Buffer.from(pieces.map(({ bytes }) => bytes).join("")), cuts);
      const expected = pieces.flatMap(({ id }) => (id === undefined ? [] : [id]));
      assert.deepEqual(result, { keys: expected, reports: pieces.length - expected.length });
    },
  );
  fc.assert(property, { numRuns: runs(4000) });
});

test("random bytes throw nothing, and a key behind them arrives", () => {
  const property = fc.property(
    fc.uint8Array({ maxLength: 200 }),
    fc.array(fc.nat(200), { maxLength: 10 }),
    (noise, cuts) => {
      // A control string or a paste that the noise began is ended first.
      const end = Buffer.from("\u001b[201~\u001b\\\u001b[B");
      assert.equal(read(Buffer.concat([noise, end]), cuts).keys.at(-1), "down");
    },
  );
  fc.assert(property, { numRuns: runs(4000) });
});
