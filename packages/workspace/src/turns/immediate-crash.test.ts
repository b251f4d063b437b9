import assert from "node:assert/strict";
import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type ChildReport, killEverywhere, runKilledChild } from "@stet/testkit/killed-child";
import { assertLaw } from "@stet/testkit/law";
import { temporaryFolder } from "@stet/testkit/temporary";
import { must } from "@stet/testkit/workspace";
import { Workspace } from "../workspace.ts";

const child = join(import.meta.dirname, "../../../testkit/src/immediate-crash-child.ts");
const names = ["changed.txt", "gone.sh", "folder/made.txt"] as const;
const old = ["one\ntwo\nthree\n", "\ufeffecho\r\n", null];
const written = ["one\nchanged by the agent\nthree\n", null, "made by the agent\n"];

interface Crash extends ChildReport {
  readonly root: string;
  readonly data: string;
}

async function crashAt(t: TestContext, step: number): Promise<Crash> {
  const folder = temporaryFolder(t, { "root/changed.txt": old[0] ?? "", "root/gone.sh": old[1] ?? "" });
  const [root, data] = [join(folder, "root"), join(folder, "data")];
  chmodSync(join(root, "gone.sh"), 0o750);
  return { root, data, ...(await runKilledChild(child, [root, data, String(step)])) };
}

function onDisk(root: string): (string | null)[] {
  return names.map((name) => (existsSync(join(root, name)) ? readFileSync(join(root, name), "utf8") : null));
}

function isOneOf(found: readonly unknown[], states: readonly (readonly unknown[])[]): boolean {
  return states.some((state) => JSON.stringify(state) === JSON.stringify(found));
}

/** After a kill at any step the group is whole on disk and in the ledger, and can still be taken back. */
async function checkAfter({ root, data, done }: Crash): Promise<void> {
  const workspace = must(await Workspace.open(root, { dataFolder: data }));
  const disk = onDisk(root);
  assert.ok(isOneOf(disk, [old, written]), `neither old nor new: ${JSON.stringify(disk)}`);
  if (done.includes("write") && !done.includes("reject") && !done.includes("commit"))
    assert.deepEqual(disk, written, "a finished write stays");
  if (done.includes("reject")) assert.deepEqual(disk, old, "what was rejected is gone from disk");
  const stray = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.includes(".stet"),
  );
  assert.deepEqual(stray, [], "no temporary file is left");

  const states = names.map((name) => workspace.ledger.state(workspace.documents.rowAt(name)?.id ?? 0));
  for (const [index, state] of states.entries()) {
    if (state === undefined) continue;
    assertLaw(state.pending);
    assert.equal(state.saved?.text.toString() ?? null, disk[index]?.replace(/^\ufeff|\r/g, "") ?? null);
  }
  const isEntered = states.map((state) => state !== undefined && state.pending.pieces.length > 0);
  assert.equal(new Set(isEntered).size, 1, "a write is in the ledger as a whole");
  const ids = states.flatMap((state) => state?.id ?? []);
  must(await workspace.settle(ids));
  const isOpen = workspace.review.openDocuments().length > 0;
  assert.deepEqual(onDisk(root), isOpen ? written : old, "the disk follows");
  if (isOpen) must(await workspace.decide(() => workspace.review.reject("everything")));
  assert.deepEqual(onDisk(root), old);
  assert.equal(statSync(join(root, "gone.sh")).mode & 0o777, 0o750);
  workspace.close();
}

test("a process killed while a turn changes, removes and makes files leaves all of it or nothing", async (t) => {
  const steps = await killEverywhere(t, (step) => crashAt(t, step), checkAfter);
  assert.ok(steps > 60, `there are many steps to be killed at: ${steps}`);
});
