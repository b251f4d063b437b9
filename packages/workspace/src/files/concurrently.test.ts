import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { concurrently, diskWaits } from "./concurrently.ts";

test("every item is handled once, never more than the limit at a time", async () => {
  const seen: number[] = [];
  let running = 0;
  let most = 0;
  const items = Array.from({ length: 20 }, (_, index) => index);
  const result = await concurrently(items, 3, async (item) => {
    running += 1;
    most = Math.max(most, running);
    await setTimeout(item % 3);
    seen.push(item);
    running -= 1;
    return undefined;
  });
  assert.equal(result, undefined);
  assert.equal(most, 3);
  assert.deepEqual(
    seen.sort((a, b) => a - b),
    items,
  );
});

test("the first result ends it, after what was started has ended", async () => {
  const ended: number[] = [];
  const result = await concurrently([0, 1, 2, 3, 4, 5], 2, async (item) => {
    await setTimeout(item === 0 ? 30 : 1);
    ended.push(item);
    return item === 1 ? "stop" : undefined;
  });
  assert.equal(result, "stop");
  assert.deepEqual(ended, [1, 0]);
});

test("an exception is thrown only after what was started has ended", async () => {
  const ended: number[] = [];
  const run = concurrently([0, 1, 2, 3], 2, async (item) => {
    if (item === 1) throw new Error("a bug");
    await setTimeout(20);
    ended.push(item);
    return undefined;
  });
  await assert.rejects(run, /a bug/);
  assert.deepEqual(ended, [0]);
});

test("nothing to do is done at once", async () => {
  assert.equal(await concurrently([], 4, async () => "never"), undefined);
});

test("the thread pool is grown before it is first used, and children do not inherit its size", {
  skip: process.platform !== "linux" && "threads are counted in /proc",
}, () => {
  const script = `
      import { readdirSync } from "node:fs";
      import { growThreadPool } from ${JSON.stringify(import.meta.resolve("./concurrently.ts"))};
      const before = readdirSync("/proc/self/task").length;
      growThreadPool();
      console.log(readdirSync("/proc/self/task").length - before, process.env.UV_THREADPOOL_SIZE);`;
  const run = (environment: NodeJS.ProcessEnv) =>
    execFileSync(process.execPath, ["--input-type=module", "--eval", script], {
      encoding: "utf8",
      env: environment,
    });
  const { UV_THREADPOOL_SIZE: _, ...environment } = process.env;
  assert.equal(run(environment), `${diskWaits} undefined\n`);
  assert.equal(run({ ...environment, UV_THREADPOOL_SIZE: "2" }), "0 2\n");
});
