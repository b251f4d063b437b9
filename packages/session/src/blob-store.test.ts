import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { runs } from "@stet/testkit/depth";
import { answered, must, newSession, openSession, resulted } from "@stet/testkit/sample-session";
import { temporaryFolder } from "@stet/testkit/temporary";
import fastCheck from "fast-check";
import { BlobStore } from "./blob-store.ts";
import { buildContext } from "./session-context.ts";

const image = {
  type: "image" as const,
  data: Buffer.alloc(3000, 7).toString("base64"),
  mimeType: "image/png",
};

test("large images and texts are kept beside the session, once, and come back", (t) => {
  const folder = temporaryFolder(t);
  const blobs = new BlobStore(join(folder, "blobs"));
  const path = join(folder, "session.jsonl");
  const session = newSession(path, blobs);
  const long = "long ".repeat(200_000);
  must(session.appendMessage({ role: "user", content: [image], timestamp: 1 }));
  must(session.appendMessage(answered("seen")));
  must(session.appendMessage({ ...resulted("1", long), details: { image } }));
  const raw = readFileSync(path, "utf8");
  assert.ok(raw.length < 5000);
  assert.match(raw, /"data":"blob:sha256:[0-9a-f]{64}"/);
  assert.equal(readdirSync(blobs.folder).length, 2);
  const { messages } = buildContext(openSession(path, blobs));
  assert.deepEqual(messages[0]?.content, [image]);
  assert.deepEqual(messages[2]?.content, [{ type: "text", text: long }]);
});

test("small images stay in the session", (t) => {
  const blobs = new BlobStore(join(temporaryFolder(t), "blobs"));
  const small = { type: "image", data: "A".repeat(1020), mimeType: "image/png" };
  assert.deepEqual(blobs.externalise(small), small);
  assert.equal(existsSync(blobs.folder), false);
});

test("a content that is gone or damaged leaves a notice and a report, not an image that no model takes", (t) => {
  const folder = temporaryFolder(t);
  const blobs = new BlobStore(join(folder, "blobs"));
  const path = join(folder, "session.jsonl");
  const session = newSession(path, blobs);
  must(session.appendMessage({ role: "user", content: [image], timestamp: 1 }));
  must(session.appendMessage(answered("seen")));
  const [name = ""] = readdirSync(blobs.folder);
  writeFileSync(join(blobs.folder, name), "something else");
  const reopened = openSession(path, blobs);
  assert.deepEqual(buildContext(reopened).messages[0]?.content, [
    { type: "text", text: "[This content is no longer stored.]" },
  ]);
  assert.equal(reopened.damage[0]?.line, 2);
  rmSync(join(blobs.folder, name));
  assert.equal(blobs.resolve({ ...image, data: `blob:sha256:${name}` }).missing.length, 1);
  blobs.put(Buffer.from(image.data, "base64"));
  assert.deepEqual(blobs.resolve({ ...image, data: `blob:sha256:${name}` }).value, image);
});

test("fields that only matter during a stream are not kept", (t) => {
  const blobs = new BlobStore(join(temporaryFolder(t), "blobs"));
  assert.deepEqual(blobs.externalise({ a: [{ partialJson: "{", b: 1, jsonlEvents: [] }] }), {
    a: [{ b: 1 }],
  });
});

test("what is stored and resolved is what it was, whatever it looks like", (t) => {
  const blobs = new BlobStore(join(temporaryFolder(t), "blobs"));
  const hash = "0".repeat(64);
  const tricky = fastCheck.constantFrom(
    `blob:sha256:${hash}`,
    `blob:text:sha256:${hash}`,
    "A".repeat(2001),
    "B".repeat(1100),
  );
  const leaf = fastCheck.oneof(
    fastCheck.string({ unit: "binary" }),
    fastCheck.double({ noNaN: true }),
    fastCheck.constant(null),
    tricky,
  );
  const record = fastCheck.dictionary(
    fastCheck.constantFrom("data", "type", "__proto__", "text"),
    fastCheck.oneof(leaf, fastCheck.constant("image")),
  );
  const value = fastCheck.array(fastCheck.oneof(leaf, record, fastCheck.array(record)));
  fastCheck.assert(
    fastCheck.property(value, (original) => {
      const text = JSON.stringify(original);
      const stored = JSON.parse(JSON.stringify(must(blobs.externalise(JSON.parse(text)))));
      assert.deepEqual(blobs.resolve(stored), { value: JSON.parse(text), missing: [] });
    }),
    { numRuns: runs(200) },
  );
});

test("blobs that nothing refers to are collected, new ones are not", (t) => {
  const blobs = new BlobStore(join(temporaryFolder(t), "blobs"));
  const used = blobs.put(Buffer.from("used"));
  const unused = blobs.put(Buffer.from("unused"));
  assert.equal(blobs.collect([`… blob:sha256:${used} …`]), 0, "both are new");
  assert.equal(blobs.collect([`… blob:sha256:${used} …`], 0), 1);
  assert.equal(blobs.get(unused), undefined);
  assert.equal(blobs.get(used)?.toString(), "used");
});
