// Two laws. What was written last is what is read, whatever else was written in between. And no bytes, however damaged, make
// anything else of an archive than an answer or a refusal.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { test } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import { openCodeFixture } from "@stet/testkit/code-fixture";
import { runs } from "@stet/testkit/depth";
import fc from "fast-check";
import { unzipSync, zipSync } from "fflate";
import { pack } from "tar-stream";
import { read } from "../../read/read.ts";
import { write } from "../write.ts";

const name = fc.constantFrom("a.txt", "b/c.txt", "b/d/é.txt", `long/${"n".repeat(150)}.txt`, "z");
const content = fc.oneof(fc.string({ unit: "grapheme" }), fc.constant("x".repeat(3000)));

test("what was written last into an archive is what is read from it", async (t) => {
  const { call, place } = await openCodeFixture(t, [read, write]);
  let count = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("zip", "tar", "tgz"),
      fc.array(fc.tuple(name, content), { minLength: 1, maxLength: 6 }),
      async (kind, writes) => {
        count += 1;
        const archive = `${count}.${kind}`;
        const expected = new Map<string, string>();
        for (const [entry, text] of writes) {
          const answer = await call("write", { path: `${archive}:${entry}`, content: text });
          assert.equal(answer.error, undefined, answer.text);
          expected.set(entry, text);
        }
        const bytes = readFileSync(place.path(archive));
        const found =
          kind === "zip" ? unzipSync(bytes) : await untar(kind === "tar" ? bytes : gunzipSync(bytes));
        assert.deepEqual(Object.keys(found).sort(), [...expected.keys()].sort());
        for (const [entry, text] of expected) {
          assert.equal(Buffer.from(found[entry] ?? []).toString(), Buffer.from(text).toString());
        }
      },
    ),
    { numRuns: 40 },
  );
});

async function untar(bytes: Buffer): Promise<Record<string, Uint8Array>> {
  const { extract } = await import("tar-stream");
  const stream = extract();
  stream.end(bytes);
  const found: Record<string, Uint8Array> = {};
  for await (const entry of stream) found[entry.header.name] = await buffer(entry);
  return found;
}

test("no damage to an archive leads to anything but an answer or a refusal", async (t) => {
  const stream = pack();
  stream.entry({ name: "a.txt" }, "hello ".repeat(50));
  stream.entry({ name: `deep/${"n".repeat(200)}.txt` }, "long");
  stream.finalize();
  const tar = await buffer(stream);
  const files = {
    zip: Buffer.from(zipSync({ "a.txt": Buffer.from("hello ".repeat(50)), "b/c.txt": Buffer.from("x") })),
    tar,
    tgz: gzipSync(tar),
  };
  const { call, place } = await openCodeFixture(t, [read, write]);
  const damage = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("zip", "tar", "tgz"),
      damage,
      fc.option(fc.nat()),
      async (kind, hits, cut) => {
        const bytes = Buffer.from(files[kind]);
        for (const [at, byte] of hits) bytes[at % bytes.length] = byte;
        writeFileSync(place.path(`x.${kind}`), cut === null ? bytes : bytes.subarray(0, cut % bytes.length));
        for (const path of [`x.${kind}`, `x.${kind}:a.txt`]) {
          const answer = await call("read", { path });
          assert.notEqual(answer.error, "tool_failed", answer.text);
        }
        const answer = await call("write", { path: `x.${kind}:new.txt`, content: "new" });
        assert.notEqual(answer.error, "tool_failed", answer.text);
        if (answer.error !== undefined) return;
        assert.match((await call("read", { path: `x.${kind}:new.txt` })).text, /new/);
      },
    ),
    { numRuns: runs(300) },
  );
});
