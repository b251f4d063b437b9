import assert from "node:assert/strict";
import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { openCodeFixture } from "@stet/testkit/code-fixture";
import { read } from "./read.ts";

const megabyte = 1024 ** 2;

/** Writes lines of 64 bytes with their numbers until the file is that large; returns how many there are. */
function writeNumbered(path: string, bytes: number, lineEnd = "\n"): number {
  const descriptor = openSync(path, "w");
  let line = 0;
  for (let written = 0; written < bytes; ) {
    const lines: string[] = [];
    for (let count = 0; count < 16_384; count += 1) {
      line += 1;
      lines.push(`line ${line} `.padEnd(64 - lineEnd.length, "ü.").slice(0, 50) + lineEnd);
    }
    written += writeSync(descriptor, lines.join(""));
  }
  closeSync(descriptor);
  return line;
}

test("the end of a file of 50 MB is found by its line number, with little memory", async (t) => {
  const fixture = await openCodeFixture(t, [read]);
  const total = writeNumbered(join(fixture.place.root, "big.log"), 50 * megabyte);
  const before = process.memoryUsage().rss;
  const answer = await fixture.call("read", { path: `big.log:${total - 2}` });
  const lines = answer.text.split("\n");
  for (const [index, line] of [total - 3, total - 2, total - 1, total].entries()) {
    assert.ok(lines[index]?.startsWith(`${line}|line ${line} `), lines[index]);
  }
  assert.match(answer.text, /too large for write.*edit changes lines that search shows/);
  assert.ok(process.memoryUsage().rss - before < 60 * megabyte);
  assert.equal(fixture.workspace.documents.rowAt("big.log"), undefined, "it must not become a document");
});

test("ranges, raw, hints and lines behind the end are as in every other file", async (t) => {
  const fixture = await openCodeFixture(t, [read], { settings: { readLimit: 100 } });
  const total = writeNumbered(join(fixture.place.root, "big.log"), 9 * megabyte, "\r\n");
  const start = await fixture.call("read", { path: "big.log" });
  assert.match(start.text, /^1\|line 1 /);
  assert.match(start.text, /Shown: lines 1-100. Read big.log:101 to go on/);
  assert.doesNotMatch(start.text, /\r/);
  const middle = await fixture.call("read", { path: "big.log:70000-70001:raw" });
  assert.match(middle.text, /^line 70000 [^\n]*\nline 70001 [^\n]*\n\[big/);
  const last = await fixture.call("read", { path: `big.log:${total}-${total + 9}` });
  assert.match(last.text, new RegExp(`^${total - 1}\\|.*\n${total}\\|`));
  assert.doesNotMatch(last.text, /to go on/);
  const behind = await fixture.call("read", { path: `big.log:${total + 1}` });
  assert.equal(behind.error, undefined);
  assert.match(
    behind.text,
    new RegExp(`has ${total} lines. Use :1 to read from the start, or :${total} for`),
  );
});

test("every line has the number that a plain count gives it, whatever the borders of buffers", async (t) => {
  const fixture = await openCodeFixture(t, [read]);
  const lines: string[] = [];
  let bytes = 0;
  for (let line = 1; bytes < 9 * megabyte; line += 1) {
    const content = `${line}:${"x".repeat((line * 7919) % 300)}`;
    bytes += content.length + 1;
    lines.push(content);
  }
  const descriptor = openSync(join(fixture.place.root, "big.txt"), "w");
  // No line break at the end.
  writeSync(descriptor, lines.join("\n"));
  closeSync(descriptor);
  for (const line of [1, 2, 6900, 6901, 30_000, 55_555, lines.length - 1, lines.length]) {
    const answer = await fixture.call("read", { path: `big.txt:${line}+1:raw` });
    assert.equal(answer.text.split("\n")[0], lines[line - 1]);
  }
  const behind = await fixture.call("read", { path: `big.txt:${lines.length + 5}` });
  assert.match(behind.text, new RegExp(`has ${lines.length} lines`));
});

test("one line of 20 MB is cut, and does not fill the memory or the answer", async (t) => {
  const fixture = await openCodeFixture(t, [read]);
  const descriptor = openSync(join(fixture.place.root, "one.json"), "w");
  for (let part = 0; part < 20; part += 1) writeSync(descriptor, "ä".repeat(megabyte / 2));
  writeSync(descriptor, "\nlast\n");
  closeSync(descriptor);
  const answer = await fixture.call("read", { path: "one.json" });
  assert.ok(answer.text.length < 4000);
  assert.match(answer.text, /Line 1 is cut after 2000 of/);
  assert.match(answer.text, /^2\|last$/m);
  assert.ok(!answer.text.includes("\ufffd"));
});

test("a large file of zeros, or in another encoding, is refused as what it seems to be", async (t) => {
  const fixture = await openCodeFixture(t, [read]);
  const sparse = openSync(join(fixture.place.root, "disk.img"), "w");
  ftruncateSync(sparse, 50 * megabyte);
  closeSync(sparse);
  const latin = openSync(join(fixture.place.root, "latin.txt"), "w");
  writeSync(latin, Buffer.from("caf\xe9\n".repeat(2 * megabyte), "latin1"));
  closeSync(latin);
  const zeros = await fixture.call("read", { path: "disk.img" });
  assert.equal(zeros.error, "not_readable");
  assert.match(zeros.text, /binary data/);
  const other = await fixture.call("read", { path: "latin.txt:1000-1001" });
  assert.equal(other.error, "not_readable");
  assert.match(other.text, /Latin-1/);
});

test("a large file is left alone as soon as the person stops the turn", async (t) => {
  const fixture = await openCodeFixture(t, [read]);
  writeNumbered(join(fixture.place.root, "big.log"), 30 * megabyte);
  const stop = new AbortController();
  const answer = fixture.call("read", { path: "big.log:99999999" }, stop.signal);
  setTimeout(() => stop.abort(), 2);
  assert.equal((await answer).error, "aborted");
});
