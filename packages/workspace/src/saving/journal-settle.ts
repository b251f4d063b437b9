// Bringing a recorded group to its end: finishing one whose new bytes are all safe, or taking it back. Both are
// repeatable, so a crash in the middle is settled by doing the same again. A target is only ever touched when its
// bytes are the group's old or new ones; anything else is someone's later work, which stays and is reported.

import { lstatSync, renameSync, rmdirSync, unlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Fault, isFault } from "@stet/protocol/fault";
import { errnoCode } from "@stet/protocol/system-fault";
import { concurrently, diskWaits } from "../files/concurrently.ts";
import type { Root } from "../files/containment.ts";
import type { FileContent } from "../files/files.ts";
import { syncFolder, withFolder } from "../files/folders.ts";
import { type Intent, removeIntent, type Step } from "./journal-intent.ts";
import {
  clean,
  copyInto,
  eachInFolder,
  giveBack,
  isTorn,
  place,
  readNamed,
  type Target,
  takeAway,
  targetsOf,
} from "./journal-target.ts";

export type SettledFile = { readonly path: string; readonly tag: string | null } & (
  | { readonly state: "new" | "old" }
  /** The file on disk is neither; the fault says why. */
  | { readonly state: "conflict"; readonly fault: Fault }
);

export async function finishGroup(
  journalFolder: string,
  root: Root,
  intent: Intent,
  step: Step,
): Promise<SettledFile[] | Fault> {
  const settled: SettledFile[] = [];
  const targets = targetsOf(root, intent);
  for (const target of targets) {
    step(`finish:${target.index}`);
    const result = finish(target, step);
    if (isFault(result)) return result;
    settled.push(result);
  }
  const uncleaned = await clean(targets, step, "finish-clean");
  if (uncleaned !== undefined) return uncleaned;
  step("finish-sync");
  const fault = await syncFolders(root, intent);
  return fault ?? removeIntent(journalFolder, intent.group, step) ?? settled;
}

/** With `isRestoring`, targets may have been replaced already and get their old bytes back. */
export async function takeBackGroup(
  journalFolder: string,
  root: Root,
  intent: Intent,
  isRestoring: boolean,
  step: Step,
): Promise<SettledFile[] | Fault> {
  const settled: SettledFile[] = [];
  const targets = targetsOf(root, intent);
  for (const target of targets) {
    if (isRestoring) step(`back-restore:${target.index}`);
    const result = isRestoring ? restore(target, step) : asOld(target);
    if (isFault(result)) return result;
    settled.push(result);
  }
  const uncleaned = await clean(targets, step, "back-clean");
  if (uncleaned !== undefined) return uncleaned;
  for (const folder of intent.folders.toReversed()) {
    step(`back-folder:${folder}`);
    const fault = removeEmptyFolder(root, join(root.path, folder));
    if (fault !== undefined) return fault;
  }
  step("back-folder-sync");
  const fault = await syncFolders(root, intent);
  return fault ?? removeIntent(journalFolder, intent.group, step) ?? settled;
}

/** Makes durable every folder that the group has an entry in: a file, or a folder that was made for one. */
export function syncFolders(root: Root, { files, folders }: Intent): Promise<Fault | undefined> {
  return syncParents(root, [...files.map((file) => file.target), ...folders]);
}

/** The same where the group's new folders are durable already. */
export function syncFileFolders(root: Root, { files }: Intent): Promise<Fault | undefined> {
  return syncParents(
    root,
    files.map((file) => file.target),
  );
}

function syncParents(root: Root, names: readonly string[]): Promise<Fault | undefined> {
  const folders = new Set(names.map((name) => dirname(join(root.path, name))));
  return concurrently([...folders], diskWaits, (folder) => syncFolder(root, folder));
}

function finish(target: Target, step: Step): SettledFile | Fault {
  const found = readNamed(target, target.name);
  if (isFault(found)) return isPassing(found) ? found : conflict(target, found);
  if ((found?.hash ?? null) === target.file.new) return asNew(target);
  if (target.file.method === "remove") return finishRemoval(target, found);
  const ready = readNamed(target, target.temporary);
  if (isFault(ready) && isPassing(ready)) return ready;
  if (!isAsLeft(target, found, ready)) return changed(target, found);
  if (isFault(ready) || ready?.hash !== target.file.new) {
    const problem = "the file with its new bytes is missing or damaged";
    return conflict(target, unsettled(target, problem, found));
  }
  const fault = eachInFolder([target], (folder) => {
    place(folder, target, ready.bytes, step);
    return undefined;
  });
  return fault ?? asNew(target);
}

function finishRemoval(target: Target, found: FileContent | undefined): SettledFile | Fault {
  if (found?.hash !== target.file.old) return changed(target, found);
  const fault = eachInFolder([target], (folder) => {
    takeAway(folder, target);
    return undefined;
  });
  return fault ?? asNew(target);
}

function restore(target: Target, step: Step): SettledFile | Fault {
  const found = readNamed(target, target.name);
  if (isFault(found)) return isPassing(found) ? found : conflict(target, found);
  if ((found?.hash ?? null) === target.file.old) return asOld(target);
  const isNew = (found?.hash ?? null) === target.file.new;
  if (!isNew && !isAsLeft(target, found, readNamed(target, target.temporary))) return changed(target, found);
  const kept = target.file.method === "create" ? undefined : readNamed(target, target.kept);
  if (isFault(kept) && isPassing(kept)) return kept;
  // Changed in the last moment before it was taken away: it is someone's work, and goes back as it is.
  if (target.file.method === "remove" && kept !== undefined && !isFault(kept) && found === undefined)
    return putBackTaken(target, kept);
  if (isFault(kept) || (kept?.hash ?? null) !== target.file.old) {
    return conflict(target, unsettled(target, "its old bytes were not kept", found));
  }
  const fault = eachInFolder([target], (folder) => {
    const name = folder.entry(target.name);
    if (kept === undefined) unlinkSync(name);
    else if (target.file.method === "copy") copyInto(name, kept.bytes, target, step);
    else renameSync(folder.entry(target.kept), name);
    return undefined;
  });
  return fault ?? asOld(target);
}

function putBackTaken(target: Target, kept: FileContent): SettledFile | Fault {
  const fault = eachInFolder([target], (folder) => {
    giveBack(folder, target);
    return undefined;
  });
  return fault ?? (kept.hash === target.file.old ? asOld(target) : changed(target, kept));
}

/** Whether a fault may be gone next time, so that the group should wait for it rather than end without the file. */
function isPassing(fault: Fault): boolean {
  return fault.error === "not_permitted" || fault.error === "io_failed";
}

/** Whether the target is as the group left it before it got its new bytes, or while it was getting them. */
function isAsLeft(
  target: Target,
  found: FileContent | undefined,
  ready: FileContent | Fault | undefined,
): boolean {
  if ((found?.hash ?? null) === target.file.old) return true;
  if (target.file.method !== "copy" || found === undefined) return false;
  const kept = readNamed(target, target.kept);
  if (ready === undefined || kept === undefined || isFault(ready) || isFault(kept)) return false;
  return (
    ready.hash === target.file.new &&
    kept.hash === target.file.old &&
    isTorn(found.bytes, kept.bytes, ready.bytes)
  );
}

function removeEmptyFolder(root: Root, absolute: string): Fault | undefined {
  const fault = withFolder(root, dirname(absolute), (parent) => {
    const path = parent.entry(basename(absolute));
    try {
      // A read-only disk refuses even to remove what is not there.
      if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) rmdirSync(path);
    } catch (error) {
      // Someone has put something in it, so it is not ours to remove.
      if (!["ENOENT", "ENOTEMPTY", "EEXIST"].includes(errnoCode(error) ?? "")) throw error;
    }
    return undefined;
  });
  return fault?.error === "file_not_found" ? undefined : fault;
}

function asNew({ file }: Target): SettledFile {
  return { path: file.path, tag: file.tag, state: "new" };
}

function asOld({ file }: Target): SettledFile {
  return { path: file.path, tag: file.tag, state: "old" };
}

function conflict({ file }: Target, fault: Fault): SettledFile {
  return { path: file.path, tag: file.tag, state: "conflict", fault };
}

function changed(target: Target, found: FileContent | undefined): SettledFile {
  const { path, old } = target.file;
  const message = `${path} was changed after a save of it was interrupted; the change on disk was kept.`;
  const suggestion = "Read the file again and repeat the edit if it is still wanted.";
  const details = { path, expected: old, found: found?.hash ?? null };
  return conflict(target, new Fault("external_change", message, suggestion, details));
}

function unsettled({ file }: Target, problem: string, found: FileContent | undefined): Fault {
  const message = `The interrupted save of ${file.path} could not be settled: ${problem}.`;
  const suggestion = "The file was left as it is; look at it, and repeat the edit if it is missing.";
  return new Fault("io_failed", message, suggestion, { path: file.path, found: found?.hash ?? null });
}
