import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { Fault } from "@stet/protocol/fault";
import { Random } from "@stet/testkit/random";
import { temporaryFolder } from "@stet/testkit/temporary";
import {
  agentEdits,
  must,
  openBoth,
  personEdits,
  refused,
  TestWorkspace,
  textOf,
} from "@stet/testkit/workspace";
import { Ledger } from "./ledger.ts";
import type { Mirror } from "./mirror.ts";

function recorder() {
  const changes: Uint8Array[] = [];
  let fault: Fault | undefined;
  const mirror: Mirror = {
    refusal: () => fault,
    committed: (set) => void changes.push(set),
    settled: async () => fault,
  };
  const refuse = (given: Fault | undefined) => {
    fault = given;
  };
  return { mirror, changes, refuse };
}

const busy = new Fault("workspace_busy", "Someone else writes.", "Wait.");

test("a copy that the changes are applied to is the same ledger", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": "one\ntwo\nthree", "b.txt": "b" });
  const { mirror, changes } = recorder();
  const path = join(place.folder, "mirrored.sqlite");
  const workspace = await place.open({ mirror, ledgerPath: path });
  const start = join(place.folder, "copy.sqlite");
  workspace.workingCopy().copyTo(start);
  const [a, b] = openBoth(workspace);
  const random = new Random(3);
  for (let step = 0; step < 60; step += 1) {
    const content = `line ${step}`;
    const document = random.chance(0.5) ? a : b;
    const choice = random.below(10);
    if (choice < 4) agentEdits(workspace, [[document, { op: "append", content }]]);
    else if (choice < 7) personEdits(workspace, document, { op: "insert", after: 0, content });
    else if (choice === 7) workspace.review.reject("everything");
    else workspace.review.accept("everything");
    if (random.chance(0.2)) must(await workspace.saving.save([a, b]));
  }
  workspace.collect({ ttlHours: 0, keptTurns: 1 });
  const copy = new DatabaseSync(start);
  for (const set of changes) assert.equal(copy.applyChangeset(set), true);
  copy.close();
  const ledger = must(Ledger.open(start));
  const original = must(Ledger.open(path));
  t.after(() => {
    ledger.close();
    original.close();
  });
  for (const table of [
    "documents",
    "entries",
    "snapshots",
    "turns",
    "checkpoints",
    "open_reviews",
    "unsaved",
    "tabs",
  ]) {
    const rows = (database: Ledger["database"]) =>
      database
        .all(`SELECT * FROM ${table}`)
        .map((row) => JSON.stringify(row))
        .sort();
    assert.deepEqual(rows(ledger.database), rows(original.database), table);
  }
  for (const document of [a, b]) {
    assert.equal(ledger.state(document)?.pending.current.toString(), textOf(workspace, document));
  }
});

test("where the mirror refuses, nothing is written, and a save does not reach the disk", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": "one" });
  const { mirror, changes, refuse } = recorder();
  const workspace = await place.open({ mirror });
  const { id } = must(workspace.documents.open("a.txt"));
  personEdits(workspace, id, { op: "set", content: "two" });
  const told = changes.length;
  refuse(busy);
  const { revision } = must(workspace.documents.state(id)).history;
  const edit = { revision, policy: { kind: "strict" }, edits: [{ op: "clear" }], origin: "user" } as const;
  assert.equal(refused(workspace.documents.edit(id, edit)), busy);
  assert.equal(refused(await workspace.saving.save([id])), busy);
  assert.equal(changes.length, told);
  refuse(undefined);
  assert.equal(textOf(workspace, id), "two");
  assert.equal(must(await workspace.saving.save([id])).length, 1);
});

test("a transaction that is taken back, or changes nothing, is not told", async (t) => {
  const { mirror, changes } = recorder();
  const ledger = must(Ledger.open(join(temporaryFolder(t), "ledger.sqlite"), undefined, undefined, mirror));
  t.after(() => ledger.close());
  const add = () => ledger.database.run("INSERT INTO meta (key, value) VALUES ('k', 'v')");
  ledger.write(() => {
    add();
    return busy;
  });
  ledger.write(() => true);
  assert.equal(changes.length, 0);
  assert.throws(add, /only be changed in a transaction/);
  must(ledger.write(() => add()));
  assert.equal(changes.length, 1);
});

test("after the content was replaced, nothing of before is remembered", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": "one" });
  const path = join(place.folder, "mirrored.sqlite");
  const workspace = await place.open({ ledgerPath: path });
  const { id } = must(workspace.documents.open("a.txt"));
  personEdits(workspace, id, { op: "set", content: "two" });
  const image = join(place.folder, "image.sqlite");
  workspace.workingCopy().copyTo(image);
  personEdits(workspace, id, { op: "set", content: "three" });
  const other = new DatabaseSync(path);
  other.prepare("ATTACH ? AS image").run(image);
  for (const table of ["entries", "snapshots", "documents", "unsaved"])
    other.exec(`DELETE FROM main.${table}; INSERT INTO main.${table} SELECT * FROM image.${table}`);
  other.close();
  workspace.ledger.reset();
  assert.equal(textOf(workspace, id), "two");
  personEdits(workspace, id, { op: "append", content: "more" });
  assert.equal(textOf(workspace, id), "two\nmore");
});
