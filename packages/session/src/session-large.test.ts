import assert from "node:assert/strict";
import { closeSync, openSync, statSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import { answered, must, openSession, said, sampleHeader } from "@stet/testkit/sample-session";
import { temporaryFolder } from "@stet/testkit/temporary";
import { formatEntry } from "./entry-line.ts";
import { buildContext } from "./session-context.ts";

const count = 100_000;
const timestamp = "2026-02-16T10:20:30.000Z";

function idOf(number: number): string {
  return number.toString(16).padStart(8, "0");
}

/** A conversation of 200 MB, with a compaction shortly before its end: no model takes so much at once. */
function writeLargeSession(path: string): void {
  const descriptor = openSync(path, "w");
  writeSync(descriptor, `${JSON.stringify(sampleHeader())}\n`);
  const text = 'A line of a "tool result" with some escapes.\n'.repeat(42);
  let batch: string[] = [];
  for (let number = 0; number < count; number += 1) {
    const base = { id: idOf(number), parentId: number === 0 ? null : idOf(number - 1), timestamp };
    const isCompaction = number === count - 200;
    const message = number % 2 === 0 ? said(text) : answered(text);
    batch.push(
      isCompaction
        ? formatEntry({
            type: "compaction",
            ...base,
            summary: "before",
            firstKeptEntryId: idOf(number - 100),
            tokensBefore: 9,
          })
        : formatEntry({ type: "message", ...base, message }),
    );
    if (batch.length < 2000) continue;
    writeSync(descriptor, `${batch.join("\n")}\n`);
    batch = [];
  }
  closeSync(descriptor);
}

test("100,000 entries open and give their context", (t) => {
  const path = join(temporaryFolder(t), "large.jsonl");
  writeLargeSession(path);
  const megabytes = Math.round(statSync(path).size / 1e6);
  const start = performance.now();
  const session = openSession(path);
  const opened = performance.now();
  const context = buildContext(session);
  const built = performance.now();
  const times = `opened in ${Math.round(opened - start)} ms, context in ${Math.round(built - opened)} ms`;
  t.diagnostic(`${megabytes} MB: ${times}`);
  assert.deepEqual(session.damage, []);
  assert.equal(session.log.index.slots.length, count);
  assert.equal(context.messages.length, 1 + 100 + 199);
  assert.ok(!isFault(session.entry(idOf(count / 2))));
  const entry = must(session.appendMessage(said("still fast")));
  assert.equal(entry.parentId, idOf(count - 1));
  assert.equal(session.children(null).length, 1);
  assert.equal(session.tree().length, 1);
});

test("damage inside a line of a large session is reported when the entry is read", (t) => {
  const path = join(temporaryFolder(t), "large.jsonl");
  const padding = "x".repeat(1_000_000);
  const lines = [JSON.stringify(sampleHeader())];
  for (let number = 0; number < 6; number += 1) {
    const base = { id: idOf(number), parentId: number === 0 ? null : idOf(number - 1), timestamp };
    lines.push(formatEntry({ type: "message", ...base, message: answered(padding) }));
  }
  lines[3] = lines[3]?.replace(/xxx"/, 'xx""') ?? "";
  writeFileSync(path, `${lines.join("\n")}\n`);
  const session = openSession(path);
  assert.equal(buildContext(session).unreadable.length, 1);
  assert.equal(session.damage[0]?.line, 4);
});
