import assert from "node:assert/strict";
import {
  existsSync,
  globSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import { onNotice } from "@stet/storage/notices";
import {
  agentEdits,
  ledgerRows,
  must,
  openTwins,
  refused,
  TestWorkspace,
  textOf,
} from "@stet/testkit/workspace";
import { Workspace } from "../workspace.ts";
import { backUpLedger, listBackups } from "./ledger-backup.ts";
import { ledgerProblems, repairLedger } from "./ledger-repair.ts";

const song = "one\ntwo\nthree\n";

function ledgerOf(place: TestWorkspace): string {
  return join(place.dataFolder, globSync("projects/*/ledger.sqlite", { cwd: place.dataFolder })[0] ?? "");
}

function tryOpen(place: TestWorkspace, dataFolder: string = place.dataFolder) {
  return Workspace.open(place.root, { dataFolder });
}

/** A document with an open hunk. */
async function edited(place: TestWorkspace, content: string) {
  const workspace = await place.open();
  const { id } = must(workspace.documents.open("a.txt"));
  agentEdits(workspace, [[id, { op: "append", content }]]);
  workspace.close();
  return id;
}

test("an emptied ledger is refused with its path, and a repair brings the newest backup back", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": song });
  const id = await edited(place, "four");
  const path = ledgerOf(place);
  assert.ok(await backUpLedger(path));
  await edited(place, "five");
  truncateSync(path, 0);
  const fault = refused(await tryOpen(place));
  assert.equal(fault.error, "ledger_damaged");
  assert.ok(fault.message.includes(path) && /is empty, although it held \d+ entries/.test(fault.message));
  assert.match(fault.suggestion, /stet doctor --repair/);
  assert.equal(ledgerProblems(path).isRepairable, true);
  const repair = must(repairLedger(path));
  assert.match(repair.sources.join(), /the backup of /);
  assert.equal(repair.hasGaps, true, "what came after the backup is gone, and that is said");
  assert.equal(statSync(repair.aside).size, 0, "the damaged file is kept");
  const workspace = await place.open();
  assert.equal(textOf(workspace, id), `${song}four\n`);
  assert.equal(must(workspace.review.file(id)).hunks.length, 1);
  assert.equal(readFileSync(place.path("a.txt"), "utf8"), song);
  assert.deepEqual(ledgerProblems(path).problems, []);
});

test("an emptied ledger whose log is still there is brought back from that", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": song });
  const workspace = await place.open();
  const { id } = must(workspace.documents.open("a.txt"));
  agentEdits(workspace, [[id, { op: "append", content: "four" }]]);
  const path = ledgerOf(place);
  const log = readFileSync(`${path}-wal`);
  workspace.close();
  truncateSync(path, 0);
  writeFileSync(`${path}-wal`, log);
  assert.match(must(repairLedger(path)).sources.join(), /rows of the damaged file/);
  assert.equal(textOf(await place.open(), id), `${song}four\n`);
});

test("two ledgers that were exchanged are told apart, and a repair of each finds its own", async (t) => {
  const [one, other] = [new TestWorkspace(t, { "a.txt": song }), new TestWorkspace(t, { "a.txt": song })];
  const ids = [await edited(one, "eins")];
  const second = must(await tryOpen(other, one.dataFolder));
  ids.push(must(second.documents.open("a.txt")).id);
  agentEdits(second, [[ids[1] ?? 0, { op: "append", content: "zwei" }]]);
  second.close();
  const [first = "", last = ""] = globSync("projects/*/ledger.sqlite", { cwd: one.dataFolder }).map((name) =>
    join(one.dataFolder, name),
  );
  renameSync(first, `${first}.x`);
  renameSync(last, first);
  renameSync(`${first}.x`, last);
  for (const place of [one, other])
    assert.match(
      refused(await tryOpen(place, one.dataFolder)).message,
      /is another ledger than the one that was here/,
    );
  for (const path of [first, last]) must(repairLedger(path));
  for (const [index, place] of [one, other].entries()) {
    const workspace = must(await tryOpen(place, one.dataFolder));
    assert.equal(textOf(workspace, ids[index] ?? 0), `${song}${["eins", "zwei"][index]}\n`);
    workspace.close();
  }
});

test("a ledger whose newest entries are gone is used, and that is told", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": song });
  const id = await edited(place, "four");
  const path = ledgerOf(place);
  const older = readFileSync(path);
  await edited(place, "five");
  writeFileSync(path, older);
  const told: string[] = [];
  t.after(onNotice((notice) => told.push(notice.message)));
  const workspace = await place.open();
  assert.match(told.join(), /is older than it was: its last \d+ entries are gone/);
  assert.ok(told[0]?.includes(path));
  assert.equal(textOf(workspace, id), `${song}four\n`);
});

test("backups are bounded, and one of a damaged ledger does not take the place of a good one", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": song });
  await edited(place, "four");
  const path = ledgerOf(place);
  for (let day = 1; day <= 5; day += 1) {
    assert.ok(await backUpLedger(path, new Date(Date.UTC(2026, 0, day))));
    const [newest] = listBackups(path);
    assert.ok(newest !== undefined && (statSync(newest.path).mode & 0o077) === 0);
  }
  const kept = listBackups(path);
  assert.equal(kept.length, 3);
  const bytes = readFileSync(path);
  bytes.fill(0xff, 4096, 3 * 4096);
  writeFileSync(path, bytes);
  assert.equal(await backUpLedger(path), undefined);
  assert.deepEqual(listBackups(path), kept);
  assert.deepEqual(readdirSync(join(path, "..", "backups")).length, 3, "no draft is left");
});

test("a document that cannot be read any more is forgotten by a repair, and the others stay", async (t) => {
  const { place, workspace, a, b } = await openTwins(t, song);
  for (const id of [a, b]) agentEdits(workspace, [[id, { op: "append", content: "four" }]]);
  ledgerRows(workspace, "UPDATE snapshots SET data = zeroblob(40) WHERE document = ?", a);
  workspace.close();
  const again = await place.open();
  assert.throws(() => textOf(again, a), /The ledger .* is damaged: what it keeps of a\.txt cannot be read/);
  again.close();
  const path = ledgerOf(place);
  const { forgotten } = must(repairLedger(path));
  assert.deepEqual(forgotten, ["a.txt"]);
  const repaired = await place.open();
  assert.equal(textOf(repaired, b), `${song}four\n`);
  assert.equal(textOf(repaired, must(repaired.documents.open("a.txt")).id), song);
  assert.equal(readFileSync(place.path("a.txt"), "utf8"), song);
  assert.ok(existsSync(path) && !isFault(repaired));
});
