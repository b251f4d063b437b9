import assert from "node:assert/strict";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { temporaryFolder } from "@stet/testkit/temporary";
import { must, refused } from "@stet/testkit/workspace";
import { VectorStore, type VectorStoreOptions, vectorKey } from "./vector-store.ts";

function unit(at: number, dimensions = 512): Float32Array {
  const vector = new Float32Array(dimensions);
  vector[at % dimensions] = 1;
  return vector;
}

function opened(t: TestContext, path: string, options?: VectorStoreOptions): VectorStore {
  const store = must(VectorStore.open(path, options));
  t.after(() => store.close());
  return store;
}

const keyOf = (number: number) => vectorKey("model", `passage ${number}`);

test("a vector is there again after a restart, and for another process at once", (t) => {
  const path = join(temporaryFolder(t), "vectors.sqlite");
  const one = opened(t, path);
  const other = opened(t, path);
  one.put([[keyOf(1), unit(3)]]);
  assert.deepEqual(other.get([keyOf(1), keyOf(2)]), new Map([[keyOf(1), unit(3)]]));
  one.close();
  other.close();
  assert.deepEqual(
    opened(t, path)
      .get([keyOf(1)])
      .get(keyOf(1)),
    unit(3),
  );
});

test("the same words have another key for another model", () => {
  assert.notEqual(vectorKey("a", "words"), vectorKey("b", "words"));
  assert.notEqual(vectorKey("a", "words"), vectorKey("a", "word"));
});

test("in the place of a file that is no database a new one is begun", (t) => {
  const folder = temporaryFolder(t, {
    "vectors.sqlite": "this is not a database, and longer than a header".repeat(99),
  });
  const store = opened(t, join(folder, "vectors.sqlite"));
  store.put([[keyOf(1), unit(1)]]);
  assert.equal(store.get([keyOf(1)]).size, 1);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.includes("damaged")),
    [],
  );
});

test("a file that is damaged while it is used costs its vectors, nothing else", (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, "vectors.sqlite");
  const first = opened(t, path);
  first.put(Array.from({ length: 200 }, (_, number) => [keyOf(number), unit(number)] as const));
  first.close();
  const store = opened(t, path);
  const { size } = statSync(path);
  writeFileSync(path, Buffer.alloc(size - 4096, 7), { flag: "r+" });
  for (let round = 0; round < 3; round += 1)
    store.get(Array.from({ length: 200 }, (_, number) => keyOf(number)));
  store.put([[keyOf(1), unit(1)]]);
  store.put([[keyOf(2), unit(2)]]);
  assert.deepEqual(store.get([keyOf(2)]).get(keyOf(2)), unit(2));
  assert.equal(store.get([keyOf(3)]).size, 0);
});

test("what is stored but is no vector is not returned", (t) => {
  const store = opened(t, join(temporaryFolder(t), "vectors.sqlite"));
  store.put([[keyOf(1), new Float32Array(512)]]);
  assert.equal(store.get([keyOf(1)]).size, 0);
});

test("beyond the limit, what was not used for the longest time goes", (t) => {
  let now = Date.UTC(2030, 0, 1);
  const limit = 2_000_000;
  const store = opened(t, join(temporaryFolder(t), "vectors.sqlite"), { limit, now: () => now });
  const keys = Array.from({ length: 1200 }, (_, number) => keyOf(number));
  store.put(keys.map((key, number) => [key, unit(number)] as const));
  now += 3 * 86_400_000;
  const used = keys.slice(0, 100);
  assert.equal(store.get(used).size, 100);
  let rounds = 0;
  while (store.collectSome()) rounds += 1;
  assert.ok(rounds > 0 && rounds < 100);
  assert.equal(store.get(used).size, 100);
  const left = store.get(keys).size;
  assert.ok(left > 100 && left * 2048 < limit, `${left} are left`);
  assert.equal(store.collectSome(), false);
});

test("a folder that does not exist is a fault that says where", (t) => {
  const fault = refused(VectorStore.open(join(temporaryFolder(t), "none", "vectors.sqlite")));
  assert.equal(fault.error, "not_permitted");
  assert.match(fault.message, /vectors\.sqlite/);
});
