// Opens a 50 MB document as the workspace does and prints what it holds on to, in bytes.

import { isFault } from "../packages/protocol/src/fault.ts";
import { decodeDocument } from "../packages/text/src/document.ts";
import { startHistory } from "../packages/text/src/history.ts";
import { nothingPending } from "../packages/text/src/pending.ts";

const size = 50 * 1024 * 1024;

/** Prose with typographic quotes, so that the characters do not fit one byte each. */
function makeBytes(): Buffer {
  const line =
    "“Call me Ishmael,” he said, and some years ago — never mind how long precisely — he went to sea.\n";
  return Buffer.from(line.repeat(Math.ceil(size / Buffer.byteLength(line)))).subarray(0, size);
}

function memoryInUse(): number {
  for (let round = 0; round < 4; round += 1) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function open(): { bytes: number; held: unknown[] } {
  let bytes: Uint8Array = makeBytes();
  // The cut may fall into a character; a line break is a safe end.
  bytes = bytes.subarray(0, bytes.lastIndexOf(10) + 1);
  const document = decodeDocument(bytes);
  if (isFault(document)) throw new Error(document.message);
  return {
    bytes: bytes.length,
    held: [document, startHistory(document.text), nothingPending(document.text)],
  };
}

const before = memoryInUse();
const { bytes, held } = open();
// A moment for the decoder to let go of its buffers.
await new Promise((resolve) => setTimeout(resolve, 50));
const used = memoryInUse() - before;
console.log(JSON.stringify({ used, bytes, held: held.length }));
