// How often a save and a turn wait for the disk: once for each file, and seven times for the group. Being fast by leaving out a sync would break what a power cut must not take.

import assert from "node:assert/strict";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { type TestContext, test } from "node:test";

let synced = 0;
const { fsync, fsyncSync } = fs;
const countedSync = (descriptor: number, done: fs.NoParamCallback) => {
  synced += 1;
  fsync(descriptor, done);
};
fs.fsync = Object.assign(countedSync, { __promisify__: fsync.__promisify__ });
fs.fsyncSync = (descriptor: number) => {
  synced += 1;
  fsyncSync(descriptor);
};
syncBuiltinESMExports();
// After that: the journal takes the functions when it is loaded.
const { must, personEdits, TestWorkspace } = await import("@stet/testkit/workspace");

/** What an action has synced of files and folders, and how many transactions it took in the ledger. */
async function counted(steps: readonly string[], action: () => Promise<unknown>) {
  const [syncs, commits] = [synced, commitsIn(steps)];
  await action();
  return { syncs: synced - syncs, commits: commitsIn(steps) - commits };
}

function commitsIn(steps: readonly string[]): number {
  return steps.filter((step) => step === "ledger commit").length;
}

async function openCounted(t: TestContext, count: number) {
  const names = Array.from({ length: count }, (_, index) => `file-${index}.txt`);
  const place = new TestWorkspace(t, Object.fromEntries(names.map((name) => [name, "one\n"])));
  const steps: string[] = [];
  const workspace = await place.open({ step: (name) => void steps.push(name) });
  const documents = names.map((name) => must(workspace.documents.open(name)).id);
  return { workspace, documents, steps };
}

for (const [count, syncs] of [
  [1, 8],
  [10, 17],
] as const) {
  test(`a save of ${count} files syncs its record, every file, and their folders`, async (t) => {
    const { workspace, documents, steps } = await openCounted(t, count);
    for (const document of documents) personEdits(workspace, document, { op: "append", content: "two" });
    const saved = await counted(steps, async () => must(await workspace.saving.save(documents)));
    assert.deepEqual(saved, { syncs, commits: 4 });
  });

  test(`a turn that writes ${count} files at once syncs as much as a save of them`, async (t) => {
    const { workspace, documents, steps } = await openCounted(t, count);
    const turn = workspace.beginTurn({ summary: "counted", isImmediate: true });
    for (const document of documents) {
      const { revision } = must(turn.read(document));
      const edits = [{ op: "append", content: "two" } as const];
      must(turn.edit(document, { revision, policy: { kind: "rebase" }, edits }));
    }
    const written = await counted(steps, async () => must(await workspace.commitTurn(turn)));
    assert.deepEqual(written, { syncs, commits: 6 });
  });
}
