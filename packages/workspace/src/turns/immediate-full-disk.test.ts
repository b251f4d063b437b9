// A turn whose edits are on disk at once, on a disk that is full: all of the edit, or nothing of it in files and review.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import { begin, replaceTwo, song, stage } from "@stet/testkit/immediate-fixture";
import { smallDisk } from "@stet/testkit/small-disk";
import { temporaryFolder } from "@stet/testkit/temporary";
import { must, refused } from "@stet/testkit/workspace";
import { Workspace } from "../workspace.ts";

const names = ["a.txt", "b.txt", "c.txt"];
const files = Object.fromEntries(names.map((name) => [`root/${name}`, song]));
const changed = song.replace("two", "TWO");

/** One edit of all three files. */
async function editAll(workspace: Workspace) {
  const turn = begin(workspace);
  for (const name of names) stage(turn, must(workspace.documents.open(name)).id, replaceTwo);
  return { turn, written: await workspace.writeTurn(turn) };
}

function assertNothingRemains(workspace: Workspace, folder: string, when: string): void {
  for (const name of names) assert.equal(readFileSync(join(folder, "root", name), "utf8"), song, when);
  assert.deepEqual(workspace.review.openDocuments(), [], when);
  assert.deepEqual(workspace.checkpoints.list(), [], when);
}

test("a ledger that finds the disk full at any step of an edit has nothing of it in review", async (t) => {
  // The first run counts the steps.
  let steps = Number.POSITIVE_INFINITY;
  for (let full = Number.POSITIVE_INFINITY, tried = 0; tried <= steps; full = tried, tried += 1) {
    const folder = temporaryFolder(t, files);
    const reserve = () => existsSync(join(folder, "data", "projects", stateName(folder), "reserve"));
    let step = 0;
    let isWatched = false;
    const workspace = must(
      await Workspace.open(join(folder, "root"), {
        dataFolder: join(folder, "data"),
        step: (name) => {
          if (!isWatched || !name.startsWith("ledger ") || name === "ledger committed") return;
          step += 1;
          // What SQLite throws; it works again once the room that was kept is free.
          if (step >= full && reserve())
            throw Object.assign(new Error("database or disk is full"), { errcode: 13 });
        },
      }),
    );
    for (const name of names) must(workspace.documents.open(name));
    isWatched = true;
    const { written } = await editAll(workspace);
    isWatched = false;
    if (full === Number.POSITIVE_INFINITY) steps = step;
    const when = `full from step ${full} of ${steps}`;
    if (isFault(written)) {
      assert.equal(written.error, "disk_full", when);
      assertNothingRemains(workspace, folder, when);
    } else {
      for (const name of names) assert.equal(readFileSync(join(folder, "root", name), "utf8"), changed, when);
      assert.equal(workspace.review.openDocuments().length, 3, when);
    }
    if (isFault(written)) must((await editAll(workspace)).written);
    workspace.close();
  }
  assert.ok(steps > 10, `${steps} steps`);
});

function stateName(folder: string): string {
  return readdirSync(join(folder, "data", "projects"))[0] ?? "";
}

test("on a data disk with little room an edit is there as a whole or not at all", async (t) => {
  const folder = temporaryFolder(t, files);
  const data = join(folder, "data");
  mkdirSync(data);
  const disk = smallDisk(data, "24m");
  if (disk === undefined) return t.skip("file systems cannot be mounted here");
  try {
    let refusals = 0;
    const levels = [0, 8, 16, 32, 48, 64, 96, 128, 192, 256, 512];
    for (const [left, isReserved] of levels.flatMap((level) => [
      [level, true] as const,
      [level, false] as const,
    ])) {
      const place = temporaryFolder(t, files);
      const dataFolder = join(data, `${left} ${isReserved}`);
      let workspace = must(await Workspace.open(join(place, "root"), { dataFolder }));
      for (const name of names) must(workspace.documents.open(name));
      if (isReserved) must(workspace.ledger.reserve.ensure(10) ?? true);
      fillUpTo(data, left * 1024);
      const { written } = await editAll(workspace);
      if (isFault(written)) {
        refusals += 1;
        assert.equal(written.error, "disk_full");
        assertNothingRemains(workspace, place, `${left} KB left`);
      } else assert.equal(workspace.review.openDocuments().length, 3);
      writeFileSync(join(data, "filling"), "");
      workspace.close();
      workspace = must(await Workspace.open(join(place, "root"), { dataFolder }));
      if (isFault(written)) {
        assertNothingRemains(workspace, place, `${left} KB left, opened again`);
        must((await editAll(workspace)).written);
      }
      assert.equal(refused(workspace.review.undo()).error, "nothing_to_undo");
      workspace.close();
    }
    assert.ok(refusals > 3, `${refusals} refusals`);
  } finally {
    disk.remove();
  }
});

/** Leaves so many bytes free. */
function fillUpTo(folder: string, left: number): void {
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(join(folder, "filling"), Buffer.alloc(Math.max(0, bavail * bsize - left)));
}
