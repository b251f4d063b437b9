import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import { temporaryFolder } from "@stet/testkit/temporary";
import { whileLocked } from "./append-lock.ts";

test("one that holds the lock and stands still makes others give up; once it is killed they go on", async (t) => {
  const folder = temporaryFolder(t);
  const module = JSON.stringify(join(import.meta.dirname, "append-lock.ts"));
  const wait = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)";
  const code = `import { writeSync } from "node:fs"; import { whileLocked } from ${module};
    whileLocked(${JSON.stringify(folder)}, () => { writeSync(1, "held"); ${wait}; });`;
  const holder = spawn(process.execPath, [
    "--disable-warning=ExperimentalWarning",
    "--input-type=module",
    "-e",
    code,
  ]);
  t.after(() => holder.kill("SIGKILL"));
  await once(holder.stdout, "data");
  const refused = whileLocked(folder, () => "got it", 50);
  assert.ok(isFault(refused));
  assert.equal(refused.error, "session_busy");
  holder.kill("SIGKILL");
  await once(holder, "close");
  assert.equal(
    whileLocked(folder, () => "got it", 50),
    "got it",
  );
});

test("the lock writes nothing, and works in a folder that was made anew", (t) => {
  const folder = join(temporaryFolder(t), "sessions");
  for (let round = 0; round < 2; round += 1) {
    mkdirSync(folder);
    assert.equal(
      whileLocked(folder, () => 1),
      1,
    );
    assert.deepEqual(readdirSync(folder), [".sessions.lock"]);
    assert.equal(statSync(join(folder, ".sessions.lock")).size, 0);
    rmSync(folder, { recursive: true });
  }
  assert.ok(isFault(whileLocked(folder, () => 1)));
});

test("the lock is let go when the action throws", (t) => {
  const folder = temporaryFolder(t);
  assert.throws(() =>
    whileLocked(folder, () => {
      throw new Error("a bug");
    }),
  );
  assert.equal(
    whileLocked(folder, () => 1),
    1,
  );
});
