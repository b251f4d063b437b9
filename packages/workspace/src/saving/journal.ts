// Saving a group of files, such that after a crash at any point the whole group is old or the whole group is new.
//
// 1. Compare every target with what the caller expects; a difference refuses the group before anything is written.
// 2. Record the intent in the journal (see journal-intent.ts) and sync it.
// 3. Write the new bytes into temporary files beside their targets and sync them, a few at a time. What is to be removed
//    needs none.
// 4. Mark the record ready. From here on a crash leads to the new state, before it to the old one.
// 5. Compare again, cheaply, and put one file after another in place, each old one kept under a second name.
// 6. Sync the folders of the files, forget the old files, remove the record. Folders that were made are synced once, in 3.
//
// Whatever fails on the way is taken back, and the group is as it was. The caller holds the workspace's lock: nobody
// else saves or recovers with this journal. The journal folder lies outside the root and holds nothing else.

import { closeSync, fsync, lstatSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { Fault, ignoreFault, isFault } from "@stet/protocol/fault";
import { errnoCode, systemFault } from "@stet/protocol/system-fault";
import { concurrently, diskWaits } from "../files/concurrently.ts";
import type { Root } from "../files/containment.ts";
import { identityOf } from "../files/files.ts";
import { type Folder, makeFolder } from "../files/folders.ts";
import { type Intent, moveIntent, removeIntent, type Step, writeIntent } from "./journal-intent.ts";
import {
  changedFault,
  type Difference,
  type GroupWrite,
  type PlannedWrite,
  planGroup,
} from "./journal-plan.ts";
import { syncFileFolders, syncFolders, takeBackGroup } from "./journal-settle.ts";
import {
  clean,
  eachInFolder,
  fillTemporary,
  keepOld,
  openTemporary,
  place,
  readNamed,
  type Target,
  type Temporary,
  takeAway,
  targetOf,
} from "./journal-target.ts";

export interface SavedFile {
  readonly path: string;
  /** Null for a file that was removed. */
  readonly hash: string | null;
  /** Of a file that was removed, the one that it had. */
  readonly mode: number;
}

export interface SaveOptions {
  step?: Step;
  /** Opaque: recovery returns it with the group. */
  tag?: string;
}

// So many files are written before any of them is synced, because on some file systems creating one has to wait while
// another's sync holds the tables of both. The limit is on descriptors.
const batchSize = 64;

const syncDescriptor = promisify(fsync);

export async function saveGroup(
  journalFolder: string,
  root: Root,
  writes: readonly GroupWrite[],
  options: SaveOptions = {},
): Promise<SavedFile[] | Fault> {
  if (writes.length === 0) return [];
  const step = options.step ?? (() => undefined);
  step("check");
  const plan = await planGroup(root, writes, options.tag);
  if (isFault(plan)) return plan;
  const { intent } = plan;
  const targets = plan.writes.map((write) => {
    return { ...write, ...targetOf(root, intent.group, write.file, write.index) };
  });
  const group: Group = { journalFolder, root, intent, step, targets, modes: new Map() };

  const unrecorded = writeIntent(journalFolder, intent, step);
  if (unrecorded !== undefined) return unrecorded;
  const unprepared = await prepare(group);
  if (unprepared !== undefined) return takeBack(group, unprepared, "intent");
  const unplaced =
    moveIntent(journalFolder, intent.group, "ready", step) ??
    recheck(group) ??
    placeAll(group) ??
    (await syncPlaced(group));
  if (unplaced !== undefined) return takeBack(group, unplaced, "ready");
  await forget(group);
  return intent.files.map(({ path, new: hash }, index) => {
    return { path, hash, mode: group.modes.get(index) ?? 0 };
  });
}

/** A save under way. */
interface Group {
  readonly journalFolder: string;
  readonly root: Root;
  readonly intent: Intent;
  readonly step: Step;
  readonly targets: readonly PlannedTarget[];
  /** By index: the mode of the new file. */
  readonly modes: Map<number, number>;
}

type PlannedTarget = Target & PlannedWrite;

/** Makes folders, and writes new bytes and copies of old ones beside their targets, so that all of it is safe. */
async function prepare({ root, intent, step, targets, modes }: Group): Promise<Fault | undefined> {
  for (const folder of intent.folders) {
    step(`folder:${folder}`);
    const fault = makeFolder(root, join(root.path, folder));
    if (fault !== undefined) return fault;
  }
  for (let start = 0; start < targets.length; start += batchSize) {
    const fault = await writeBatch(targets.slice(start, start + batchSize), modes, step);
    if (fault !== undefined) return fault;
  }
  step("temp-folder-sync");
  return syncFolders(root, intent);
}

async function writeBatch(
  targets: readonly PlannedTarget[],
  modes: Map<number, number>,
  step: Step,
): Promise<Fault | undefined> {
  const open: (Temporary & { stepName: string })[] = [];
  try {
    const unopened = eachInFolder(targets, (folder, target) => {
      const { index, file, bytes, before } = target;
      if (bytes === null) {
        modes.set(index, file.mode ?? 0);
        return undefined;
      }
      step(`temp:${index}`);
      const descriptor = openTemporary(folder, target.temporary, file.mode);
      const owner = before?.owner;
      open.push({ target, descriptor, bytes, mode: file.mode, owner, stepName: `temp-sync:${index}` });
      if (file.method !== "copy") return undefined;
      // What is overwritten in place shares its bytes with every name it has, so the old ones need a copy.
      const old = readNamed(target, target.name);
      if (isFault(old)) return old;
      if (old?.hash !== file.old) return changedFault([differenceOf(target)]);
      step(`old:${index}`);
      const copy = { descriptor: openTemporary(folder, target.kept, 0o600), bytes: old.bytes };
      open.push({ target, ...copy, mode: 0o600, owner: undefined, stepName: `old-sync:${index}` });
      return undefined;
    });
    if (unopened !== undefined) return unopened;
    for (const temporary of open) {
      const mode = await fillTemporary(temporary);
      if (isFault(mode)) return mode;
      const { index, file } = temporary.target;
      modes.set(index, file.mode ?? mode);
    }
    return await concurrently(open, diskWaits, async ({ target, descriptor, stepName }) => {
      step(stepName);
      try {
        await syncDescriptor(descriptor);
        return undefined;
      } catch (error) {
        return systemFault(error, "written", target.file.path);
      }
    });
  } finally {
    for (const { descriptor } of open) closeSync(descriptor);
  }
}

/** Syncing may have taken seconds. What changed meanwhile is found before the first file is replaced. */
function recheck({ targets, step }: Group): Fault | undefined {
  step("recheck");
  const differences: Difference[] = [];
  const fault = eachInFolder(targets, (folder, target) => {
    if (!isUnchanged(folder, target)) differences.push(differenceOf(target));
    return undefined;
  });
  return fault ?? (differences.length === 0 ? undefined : changedFault(differences));
}

/** In one go, without giving way: from the first file to the last no other code of this process runs. */
function placeAll({ targets, step }: Group): Fault | undefined {
  return eachInFolder(targets, (folder, target) => {
    const { index, file } = target;
    try {
      if (file.method === "replace") {
        step(`keep:${index}`);
        keepOld(folder, target);
      }
      step(`rename:${index}`);
      if (!isUnchanged(folder, target)) return changedFault([differenceOf(target)]);
      if (target.bytes !== null) {
        place(folder, target, target.bytes, step);
        return undefined;
      }
      takeAway(folder, target);
      return isUnchanged(folder, target, target.kept) ? undefined : changedFault([differenceOf(target)]);
    } catch (error) {
      // Made or removed by someone in the last moment.
      if (errnoCode(error) !== "EEXIST" && errnoCode(error) !== "ENOENT") throw error;
      return changedFault([differenceOf(target)]);
    }
  });
}

function syncPlaced({ root, intent, step }: Group): Promise<Fault | undefined> {
  step("folder-sync");
  return syncFileFolders(root, intent);
}

/** The files are saved, whatever happens here: what cannot be tidied up now is left to the next recovery. */
async function forget({ journalFolder, root, intent, step, targets }: Group): Promise<void> {
  if ((await clean(targets, step, "clean")) !== undefined) return;
  step("clean-folder-sync");
  const unsynced = await syncFileFolders(root, intent);
  if (unsynced === undefined) ignoreFault(removeIntent(journalFolder, intent.group, step));
}

/** Returns the fault, after bringing back what was before, or with the news that this has to wait. */
async function takeBack(group: Group, fault: Fault, state: "intent" | "ready"): Promise<Fault> {
  const { journalFolder, root, intent, step } = group;
  // A record that stays `ready` would have the next start finish what is being taken back here.
  const unmarked = state === "ready" ? moveIntent(journalFolder, intent.group, "back", step) : undefined;
  if (unmarked !== undefined) return unfinished(fault, unmarked);
  const settled = await takeBackGroup(journalFolder, root, intent, state === "ready", step);
  if (isFault(settled)) return unfinished(fault, settled);
  const conflicts = settled.filter((file) => file.state === "conflict").map((file) => file.path);
  if (conflicts.length === 0) return fault;
  return new Fault(fault.error, fault.message, fault.suggestion, { ...fault.details, conflicts });
}

function unfinished(fault: Fault, reason: Fault): Fault {
  const message = `${fault.message} It could not be taken back completely: ${reason.message}`;
  const suggestion = `${fault.suggestion} Opening the workspace again settles what is left.`;
  return new Fault(fault.error, message, suggestion, { ...fault.details, unfinished: reason.error });
}

function isUnchanged(folder: Folder, target: PlannedTarget, name: string = target.name): boolean {
  const stats = lstatSync(folder.entry(name), { bigint: true, throwIfNoEntry: false });
  if (stats === undefined || target.before === undefined)
    return stats === undefined && target.before === undefined;
  if (identityOf(stats) === target.before.identity && !target.isFresh) return true;
  const found = readNamed(target, name);
  if (found === undefined || isFault(found)) return false;
  return found.hash === target.before.hash && found.mode === target.before.mode;
}

function differenceOf(target: Target): Difference {
  const found = readNamed(target, target.name);
  const hash = found === undefined || isFault(found) ? null : found.hash;
  return { path: target.file.path, expected: target.file.old, found: hash };
}
