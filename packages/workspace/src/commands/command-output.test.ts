import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@stet/testkit/temporary";
import { CommandOutput, maxSpilledBytes, removeSpill, tailOf } from "./command-output.ts";

test("a short output is told whole, and nothing is written to disk", (t) => {
  const path = join(temporaryFolder(t), "spill");
  const output = new CommandOutput(() => path);
  output.add(Buffer.from("one\ntwo"));
  const { text, isTruncated, totalLines, totalBytes, spill } = output.end();
  assert.deepEqual([text, isTruncated, totalLines, totalBytes, spill], ["one\ntwo", false, 2, 7, undefined]);
  assert.equal(existsSync(path), false);
});

test("a character whose bytes arrive in two pieces is one character, and broken bytes are shown as such", (t) => {
  const output = new CommandOutput(() => join(temporaryFolder(t), "spill"));
  const bytes = Buffer.from("日本🙂");
  for (const byte of bytes) output.add(Buffer.from([byte]));
  output.add(Buffer.from([0x0a, 0xff, 0xfe, 0x41, 0xe6]));
  assert.equal(output.end().text, "日本🙂\n\uFFFD\uFFFDA\uFFFD");
});

test("of a long output the end is told, and the file has all of it", (t) => {
  const path = join(temporaryFolder(t), "spill");
  const output = new CommandOutput(() => path);
  const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index}\n`);
  for (const line of lines) output.add(Buffer.from(line));
  const { text, totalLines, spill, isTruncated } = output.end();
  assert.ok(isTruncated);
  assert.equal(text, lines.slice(-3000).join(""));
  assert.equal(totalLines, 20_000);
  assert.equal(spill?.isComplete, true);
  assert.equal(readFileSync(path, "utf8"), lines.join(""));
  removeSpill(spill);
  assert.equal(existsSync(path), false);
});

test("an output just over the limit is complete in its file", (t) => {
  const path = join(temporaryFolder(t), "spill");
  const output = new CommandOutput(() => path);
  const whole = `${"x".repeat(99)}\n`.repeat(600);
  output.add(Buffer.from(whole));
  assert.ok(output.end().text.length <= 50 * 1024);
  assert.equal(readFileSync(path, "utf8"), whole);
});

test("a flood fills neither memory nor disk, and says that not all of it was kept", (t) => {
  const path = join(temporaryFolder(t), "spill");
  const output = new CommandOutput(() => path);
  const chunk = Buffer.from("y\n".repeat(32 * 1024));
  const rounds = Math.ceil((maxSpilledBytes * 1.5) / chunk.length);
  const before = process.memoryUsage().rss;
  for (let round = 0; round < rounds; round += 1) output.add(chunk);
  const grown = process.memoryUsage().rss - before;
  const { spill, totalBytes, totalLines } = output.end();
  assert.equal(spill?.isComplete, false);
  assert.equal(statSync(path).size, maxSpilledBytes);
  assert.equal(totalBytes, rounds * chunk.length);
  assert.equal(totalLines, totalBytes / 2);
  assert.ok(grown < 150 * 1024 ** 2, `${grown} bytes more`);
});

test("an output that cannot be written to disk is told as far as it is known", (t) => {
  const output = new CommandOutput(() => join(temporaryFolder(t), "missing", "spill"));
  output.add(Buffer.from("line\n".repeat(100_000)));
  const { text, isTruncated, spill } = output.end();
  assert.ok(text.endsWith("line\n"));
  assert.deepEqual([isTruncated, spill], [true, undefined]);
});

test("the last lines of a text fit their limits, and a huge line is told by its end", () => {
  assert.equal(tailOf("a\nb\nc\n", { bytes: 100, lines: 2 }), "b\nc\n");
  assert.equal(tailOf("aaaa\nbb\n", { bytes: 4, lines: 9 }), "bb\n");
  assert.equal(tailOf("", { bytes: 4, lines: 9 }), "");
  assert.equal(tailOf("ééééé", { bytes: 5, lines: 9 }), "éé");
  assert.equal(tailOf("\n\n\n", { bytes: 100, lines: 2 }), "\n\n");
});

test("an output that begins with an empty line is shown as a whole", () => {
  const bounds = { bytes: 1000, lines: 100 };
  for (const text of ["\nhi\nthere\n", "\n", "\n\n", "\r\nx", "hi"]) assert.equal(tailOf(text, bounds), text);
});
