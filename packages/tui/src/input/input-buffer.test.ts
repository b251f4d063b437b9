import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { InputBuffer, type InputTimes } from "./input-buffer.ts";

const times: InputTimes = { escapeMs: 5, sequenceMs: 20, pasteMs: 20 };

function collect(limits = times): { buffer: InputBuffer; pieces: string[] } {
  const pieces: string[] = [];
  const buffer = new InputBuffer(
    { onSequence: (sequence) => pieces.push(sequence), onPaste: (text) => pieces.push(`paste:${text}`) },
    limits,
  );
  return { buffer, pieces };
}

const stream =
  "aé漢😀\r\u0003\u001b[A\u001b[1;5C\u001bOP\u001bx\u001b[97;5:3u\u001b[[A\u001b]11;rgb:0/0/0\u001b\\" +
  "\u001b_Gi=1;OK\u001b\\\u001bP>|x\u0007\u001b[?62;4c\u001b[200~two\r\nlines \u001b[31m\u001b[201~z\u001b\u001b[B";
const whole = [
  "a",
  "é",
  "漢",
  "😀",
  "\r",
  "\u0003",
  "\u001b[A",
  "\u001b[1;5C",
  "\u001bOP",
  "\u001bx",
  "\u001b[97;5:3u",
  "\u001b[[A",
  "\u001b]11;rgb:0/0/0\u001b\\",
  "\u001b_Gi=1;OK\u001b\\",
  "\u001bP>|x\u0007",
  "\u001b[?62;4c",
  "paste:two\r\nlines \u001b[31m",
  "z",
  "\u001b\u001b[B",
];

test("input is the same in one piece, byte by byte, and cut anywhere", () => {
  const bytes = Buffer.from(stream);
  const once = collect();
  once.buffer.push(bytes);
  assert.deepEqual(once.pieces, whole);

  const single = collect();
  for (const byte of bytes) single.buffer.push(Uint8Array.of(byte));
  assert.deepEqual(single.pieces, whole);

  for (let cut = 1; cut < bytes.length; cut++) {
    const parts = collect();
    parts.buffer.push(bytes.subarray(0, cut));
    parts.buffer.push(bytes.subarray(cut));
    assert.deepEqual(parts.pieces, whole, `cut at ${cut}`);
    parts.buffer.clear();
  }
});

test("malformed UTF-8 becomes U+FFFD and swallows nothing behind it", () => {
  const { buffer, pieces } = collect();
  buffer.push(Uint8Array.of(0x61, 0xff, 0xe6, 0xbc, 0x62, 0xc3, 0x1b, 0x5b, 0x41, 0x80, 0x63));
  assert.deepEqual(pieces, ["a", "\ufffd", "\ufffd", "b", "\ufffd", "\u001b[A", "\ufffd", "c"]);
});

test("Escape alone is a key after a moment; Escape twice is two", async () => {
  const { buffer, pieces } = collect();
  buffer.push(Buffer.from("\u001b"));
  assert.deepEqual(pieces, []);
  await delay(40);
  buffer.push(Buffer.from("\u001b\u001b"));
  await delay(40);
  buffer.push(Buffer.from("\u001b\u001bx"));
  assert.deepEqual(pieces, ["\u001b", "\u001b", "\u001b", "\u001b", "\u001bx"]);
});

test("Alt and a bracket are a key after a moment; half of a longer sequence is none", async () => {
  const { buffer, pieces } = collect();
  buffer.push(Buffer.from("\u001b["));
  await delay(40);
  buffer.push(Buffer.from("\u001b[1;5"));
  await delay(60);
  buffer.push(Buffer.from("x"));
  assert.deepEqual(pieces, ["\u001b[", "x"]);
});

test("an answer that has begun waits for its end while one is expected", async () => {
  const { buffer, pieces } = collect();
  buffer.expectsReply = true;
  for (const part of ["\u001b", "[?6", "2;4", "c", "\u001b]11;rgb:", "0/0/0", "\u001b", "\\"]) {
    buffer.push(Buffer.from(part));
    await delay(part === "\u001b" ? 1 : 50);
  }
  assert.deepEqual(pieces, ["\u001b[?62;4c", "\u001b]11;rgb:0/0/0\u001b\\"]);
});

test("a sequence is abandoned when another begins, or when it is too long; keys behind it arrive", () => {
  const { buffer, pieces } = collect();
  buffer.expectsReply = true;
  buffer.push(Buffer.from("\u001b[?62;\u001b[A"));
  buffer.push(Buffer.from(`\u001b[?${"1".repeat(300)}`));
  buffer.push(Buffer.from("\u001b]11;never\u001b[B"));
  assert.equal(pieces[0], "\u001b[A");
  assert.equal(pieces.at(-1), "\u001b[B");
  assert.ok(pieces.slice(1, -1).every((piece) => piece === "1"));
});

test("a paste of 5 MB arrives whole, in any fragments; one that never ends is over after a while", async () => {
  const text = "0123456789 äöü\n".repeat(340_000);
  const { buffer, pieces } = collect();
  const bytes = Buffer.from(`\u001b[200~${text}\u001b[201~`);
  for (let at = 0; at < bytes.length; at += 1021) buffer.push(bytes.subarray(at, at + 1021));
  assert.equal(pieces.length, 1);
  assert.ok(pieces[0] === `paste:${text}`);
  buffer.push(Buffer.from("\u001b[200~cut off\u001b[20"));
  await delay(60);
  assert.deepEqual(pieces.slice(1), ["paste:cut off\u001b[20"]);
});
