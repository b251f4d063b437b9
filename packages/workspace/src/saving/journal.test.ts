import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type Fault, isFault } from "@stet/protocol/fault";
import { sample } from "@stet/testkit/depth";
import { layOut, recover, save, scenarioFiles } from "@stet/testkit/journal-crash-child";
import { temporaryFolder } from "@stet/testkit/temporary";

const child = join(import.meta.dirname, "../../../testkit/src/journal-crash-child.ts");
const theirs = "someone else's words";

/** The number of no step: the child comes to its end. */
const never = -1;

/** Thrown by a step: everything after it does not happen, as in a crash. */
class Crash extends Error {}

/** Checks what must hold after every save and recovery, and tells which of the two states the files are in.
 * `meddled` is the file that someone else wrote meanwhile. */
function stateOf(folder: string, isLarge: boolean, meddled?: string): "old" | "new" {
  const root = join(folder, "root");
  const states = new Set<string>();
  for (const { path, before, after, mode } of scenarioFiles(isLarge)) {
    const file = join(root, path);
    const found = existsSync(file) ? readFileSync(file) : null;
    if (found !== null) assert.equal(statSync(file).mode & 0o7777, mode, `${path} has another mode`);
    if (path === meddled) assert.equal(found?.toString(), theirs, "someone else's change was lost");
    else if (isSame(found, after)) states.add("new");
    else if (isSame(found, before)) states.add("old");
    else assert.fail(`${path} is neither old nor new`);
  }
  assert.equal(states.size, 1, "some files are old and some are new");
  const state = states.has("new") ? "new" : "old";

  const names = readdirSync(root, { recursive: true, encoding: "utf8" });
  assert.deepEqual(
    names.filter((name) => name.includes(".stet")),
    [],
    "temporary files are left",
  );
  assert.equal(existsSync(join(root, "fresh")), state === "new", "the new folder belongs to the new state");
  if (existsSync(join(folder, "journal"))) assert.deepEqual(readdirSync(join(folder, "journal")), []);
  assert.ok(lstatSync(join(root, "link.md")).isSymbolicLink(), "the link was replaced by a file");
  const hard = statSync(join(root, "hard.txt"));
  assert.equal(hard.ino, statSync(join(root, "docs/other-name.txt")).ino, "the hard link is broken");
  assert.equal(hard.nlink, 2);
  if (process.geteuid?.() === 0)
    assert.equal(statSync(join(root, "script.sh")).uid, 1234, "the owner changed");
  return state;
}

function isSame(found: Uint8Array | null, bytes: Uint8Array | null): boolean {
  return found === null || bytes === null ? found === bytes : Buffer.compare(found, bytes) === 0;
}

function settled<T>(result: T | Fault): T {
  assert.ok(!isFault(result), isFault(result) ? result.message : "");
  return result;
}

/** Dies at the step with this number. Returns the steps before it, and whether the end was reached instead. */
function runChild(
  task: "save" | "recover",
  folder: string,
  last: number,
): { steps: string[]; isDone: boolean } {
  const result = spawnSync(process.execPath, [child, task, folder, String(last)], { encoding: "utf8" });
  assert.ok(result.signal === "SIGKILL" || result.status === 0, result.stderr);
  return { steps: result.stdout.split("\n").filter((line) => line !== ""), isDone: result.status === 0 };
}

/** Crashes this side of the process boundary: at the step with this number or name. Returns the steps before it,
 * with "end" as the last one when there was no crash. */
async function crashAt(last: number | string, run: (step: (name: string) => void) => Promise<unknown>) {
  const steps: string[] = [];
  try {
    const result = await run((name) => {
      if (steps.length === last || name === last) throw new Crash();
      steps.push(name);
    });
    assert.ok(!isFault(result) || result.error === "external_change", String(result));
    steps.push("end");
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
  }
  return steps;
}

test("a process killed at any step leaves, after recovery, all files old or all new", async (t) => {
  const folder = join(temporaryFolder(t), "case");
  const stepsUntil = async (last: number) => {
    layOut(folder, true);
    const { steps, isDone } = runChild("save", folder, last);
    assert.equal(isDone, last === never);
    settled(await recover(folder, () => undefined));
    // Marked ready is what decides; at the very step of marking the crash comes before the mark.
    assert.equal(
      stateOf(folder, true),
      steps.includes("ready") ? "new" : "old",
      `killed after ${steps.at(-1)}`,
    );
    return steps;
  };
  const all = await stepsUntil(never);
  assert.ok(all.length > 40 && all.includes("ready"));
  for (const last of sample(t, [...all.keys()], 10)) await stepsUntil(last);
});

test("recovery killed at any of its steps is completed by the next one", async (t) => {
  const folder = join(temporaryFolder(t), "case");
  for (const name of ["temp-folder-sync", "copy:3:262144"]) {
    const stepsUntil = async (last: number) => {
      layOut(folder, true);
      await crashAt(name, (step) => save(folder, true, step));
      const { steps, isDone } = runChild("recover", folder, last);
      assert.equal(isDone, last === never);
      settled(await recover(folder, () => undefined));
      const expected = name === "temp-folder-sync" ? "old" : "new";
      assert.equal(stateOf(folder, true), expected, `saving died at ${name}, recovery at its step ${last}`);
      return steps;
    };
    const all = await stepsUntil(never);
    for (const last of sample(t, [...all.keys()], 5)) await stepsUntil(last);
  }
});

test("a crash of a save, then every crash of its recovery: old or new, nothing left behind", async (t) => {
  const folder = join(temporaryFolder(t), "case");
  layOut(folder, false);
  const all = await crashAt(never, (step) => save(folder, false, step));
  assert.ok(all.length > 30, `only ${all.length} steps`);
  for (const last of sample(t, [...all.keys()], 4)) {
    for (let then = 0, isRecovered = false; !isRecovered; then += 1) {
      layOut(folder, false);
      const steps = await crashAt(last, (step) => save(folder, false, step));
      isRecovered = (await crashAt(then, (step) => recover(folder, step))).includes("end");
      settled(await recover(folder, () => undefined));
      assert.equal(
        stateOf(folder, false),
        steps.includes("ready") ? "new" : "old",
        `${steps.at(-1)}, ${then}`,
      );
    }
  }
});

test("someone who writes into the group while it is saved keeps every word, whatever crashes when", (t) => {
  return meddleWith(t, "link.md", "rename:2");
});

test("someone who writes into a file that is being removed keeps it, whatever crashes when", (t) => {
  return meddleWith(t, "docs/gone.md", "rename:5");
});

async function meddleWith(t: TestContext, meddled: string, moment: string): Promise<void> {
  const folder = join(temporaryFolder(t), "case");
  const meddle = (name: string) => {
    if (name === moment) writeFileSync(join(folder, "root", meddled), theirs);
  };
  layOut(folder, false);
  const untouched = await crashAt(moment, (step) => save(folder, false, step));
  const saveUntil = (last: number) => {
    layOut(folder, false);
    return crashAt(last, (step) =>
      save(folder, false, (name) => {
        step(name);
        meddle(name);
      }),
    );
  };
  const all = await saveUntil(never);
  assert.ok(all.includes(moment) && all.length > untouched.length);
  for (const last of sample(t, [...all.keys()].slice(untouched.length), 4)) {
    for (let then = 0, isRecovered = false; !isRecovered; then += 1) {
      const steps = await saveUntil(last);
      isRecovered = (await crashAt(then, (step) => recover(folder, step))).includes("end");
      settled(await recover(folder, () => undefined));
      const isMeddled = steps.includes(moment);
      const state = stateOf(folder, false, isMeddled ? meddled : undefined);
      const isForward = steps.includes("ready") && !steps.includes("back");
      assert.equal(state, isForward ? "new" : "old", `${steps.at(-1)}, ${then}`);
    }
  }
}
