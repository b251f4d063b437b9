import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "@stet/protocol/fault";
import { FileIndex, type ListFiles } from "./file-index.ts";

const files = Array.from(
  { length: 100_000 },
  (_, index) => `packages/mod-${index % 500}/src/part-${index}.ts`,
);
const never = new AbortController().signal;

function indexOf(listed: Awaited<ReturnType<ListFiles>>, options?: { sliceMs: number }) {
  let count = 0;
  const list = async () => {
    count++;
    return listed;
  };
  return { index: new FileIndex(list, options), asked: () => count };
}

test("one of 100,000 files is found by a few letters, and listed once for many keys", async () => {
  const { index, asked } = indexOf(files);
  assert.equal((await index.search("part-4242", 50, never))?.[0], "packages/mod-242/src/part-4242.ts");
  assert.deepEqual(await index.search("", 50, never), ["packages/"]);
  assert.equal((await index.search("packages/mod-7/src/", 1000, never))?.length, 200);
  assert.equal((await index.search("mod-42", 50, never))?.[0], "packages/mod-42/", "folders come first");
  assert.deepEqual(await index.search("zebra", 50, never), []);
  assert.equal(asked(), 1);
});

test("a search over 100,000 files lets keys through, and ends when another one is wanted", async () => {
  // However fast the machine is: a slice is over at each look at the clock.
  const { index } = indexOf(files, { sliceMs: 0 });
  await index.search("a", 50, never);
  const search = new AbortController();
  let keys = 0;
  const press = () => {
    keys++;
    if (keys === 2) search.abort();
    else setImmediate(press);
  };
  setImmediate(press);
  assert.equal(await index.search("prt-9", 50, search.signal), undefined);
  assert.equal(keys, 2);
});

test("a folder that cannot be listed completes nothing and is not waited for", async () => {
  const { index } = indexOf(new Fault("search_failed", "It failed.", ""));
  assert.deepEqual(await index.search("a", 50, never), []);
  assert.equal(index.isListed, true);
});
