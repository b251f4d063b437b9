// Taking a file or a folder away such that it can be brought back, after a crash at any point, too.
//
// The record is written first, then the thing itself moves into Stet's state folder, then its documents let go of their
// paths: what is unsaved and undecided stays with them in the ledger, and they get their paths back with the files. From
// another disk it cannot be moved, so it steps aside under a name of ours, is copied, and only then removed.
// A link is taken away as a link.

import { lstatSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Fault, ignoreFault, isFault } from "@stet/protocol/fault";
import { attempt } from "@stet/protocol/system-fault";
import { syncFolder } from "@stet/storage/durable-file";
import { type PathEntry, resolvePlace } from "./containment.ts";
import { copyWhole, type Deletion } from "./deletion-store.ts";
import {
  type Contents,
  isThere,
  makeParents,
  moveName,
  movePlace,
  nothingThere,
  removeEmpty,
} from "./entry-moves.ts";
import { type FileIntent, removeFileIntent, writeFileIntent } from "./file-intent.ts";
import { documentPaths, freePath, refuseOwn } from "./file-moves.ts";
import { withFolder, withFolderOpen } from "./folders.ts";
import type { FileParts } from "./workspace-files.ts";

type DeletionIntent = Extract<FileIntent, { kind: "deletion" }>;

export async function deletePlace(
  parts: FileParts,
  path: string,
  contents: Contents,
): Promise<Deletion | Fault> {
  const place = resolvePlace(parts.root, path);
  if (isFault(place)) return place;
  if (place.stats === undefined) return nothingThere(place.path);
  const refusal = refuseOwn(parts, place);
  if (refusal !== undefined) return refusal;
  // A new document that was to be saved there has nothing that is taken away.
  const documents = documentPaths(parts, place.path).filter(({ path: name }) => {
    return isThere(join(parts.root.path, name));
  });
  const id = parts.deletions.newId();
  const deletion = { id, path: place.path, at: Date.now(), ...contents, documents, aside: null };
  const taken = takeAway(parts, place, deletion);
  if (isFault(taken)) return taken;
  const unsettled = await parts.ledger.database.settled();
  const unkept = unsettled ?? (taken.aside === null ? undefined : await keepFromAside(parts, taken));
  if (isFault(unkept)) return unkept;
  removeFileIntent(parts.stateFolder, parts.step);
  await forgetExcess(parts);
  return taken;
}

/** The part that nothing comes in between: when it is over, the file is gone and the ledger knows. */
function takeAway(parts: FileParts, place: PathEntry, deletion: Deletion): Deletion | Fault {
  const { ledger, stateFolder, deletions, step } = parts;
  const { id, ...record } = deletion;
  const unwritten = writeFileIntent(stateFolder, { kind: "deletion", id, copy: null }, step);
  if (unwritten !== undefined) return unwritten;
  step("deletion record");
  const unrecorded = deletions.write(id, record);
  const moved = unrecorded ?? moveIn(parts, place, id);
  const isElsewhere = isFault(moved) && moved.details.code === "EXDEV";
  const taken = isElsewhere ? stepAside(parts, place, deletion) : (moved ?? deletion);
  if (isFault(taken)) {
    deletions.forget(id);
    removeFileIntent(stateFolder, step);
    return taken;
  }
  const followed = ledger.write(() => detachAll(parts, taken), { durable: true });
  if (!isFault(followed)) return taken;
  // What cannot be put back now is settled before the next thing is moved.
  if (putBack(parts, taken, place) === undefined) dropDeletion(parts, id);
  return followed;
}

function moveIn({ root, deletions, step }: FileParts, place: PathEntry, id: string): Fault | undefined {
  const folder = dirname(place.absolute);
  const content = deletions.contentPath(id);
  return withFolder(root, folder, (parent) => {
    const fault = moveName(parent.entry(basename(place.absolute)), content, place.path, step);
    syncFolder(dirname(content));
    syncFolder(folder);
    return fault;
  });
}

/** Its own name beside the place: in the same folder, so it is on the same disk. */
function stepAside(parts: FileParts, place: PathEntry, deletion: Deletion): Deletion | Fault {
  const { root, deletions, step } = parts;
  const { id, ...record } = deletion;
  const slash = place.path.lastIndexOf("/") + 1;
  const aside = `${place.path.slice(0, slash)}.stet-${id}.old`;
  const target = resolvePlace(root, aside);
  if (isFault(target)) return target;
  const unrecorded = deletions.write(id, { ...record, aside });
  const moved = unrecorded ?? movePlace(root, place, target, step);
  return moved ?? { ...deletion, aside };
}

async function keepFromAside(parts: FileParts, deletion: Deletion): Promise<Fault | undefined> {
  const { root, deletions, step } = parts;
  const aside = resolvePlace(root, deletion.aside ?? deletion.path);
  if (isFault(aside)) return aside;
  step("deletion copy");
  const fault = await deletions.copyIn(deletion.id, aside.absolute);
  if (fault === undefined) {
    step("deletion copied");
    return attempt("removed", aside.path, () => {
      rmSync(aside.absolute, { recursive: true, force: true });
      return undefined;
    });
  }
  const place = resolvePlace(root, deletion.path);
  const isBack =
    !isFault(place) && place.stats === undefined && putBack(parts, deletion, place) === undefined;
  const attached = isBack ? parts.ledger.write(() => attachAll(parts, deletion)) : undefined;
  if (isBack && !isFault(attached)) dropDeletion(parts, deletion.id);
  return fault;
}

function putBack(parts: FileParts, deletion: Deletion, place: PathEntry): Fault | undefined {
  const { root, deletions, step } = parts;
  const free = { ...place, stats: undefined };
  if (deletion.aside !== null) {
    const aside = resolvePlace(root, deletion.aside);
    return isFault(aside) ? aside : movePlace(root, aside, free, step);
  }
  const folder = dirname(place.absolute);
  return withFolder(root, folder, (parent) => {
    const name = parent.entry(basename(place.absolute));
    const fault = moveName(deletions.contentPath(deletion.id), name, place.path, step);
    if (fault === undefined) syncFolder(folder);
    return fault;
  });
}

function dropDeletion({ deletions, stateFolder, step }: FileParts, id: string): void {
  step("deletion forget");
  deletions.forget(id);
  removeFileIntent(stateFolder, step);
}

/** Only in a transaction; a second time changes nothing. */
function detachAll({ documents, tabs }: FileParts, deletion: Deletion): true {
  for (const { document, path } of deletion.documents) {
    if (documents.row(document)?.path !== path) continue;
    tabs.closeDocument(document);
    documents.detach(document);
  }
  return true;
}

/** Only in a transaction; a second time changes nothing. */
function attachAll(parts: FileParts, deletion: Deletion): true | Fault {
  const { documents } = parts;
  for (const { document, path } of deletion.documents) {
    if (documents.row(document)?.path !== null) continue;
    const claim = freePath(parts, path);
    // Someone has opened the file that is back already: then that document is the one that goes on.
    if (claim === undefined) documents.move(document, path);
  }
  return true;
}

export async function restoreDeletion(parts: FileParts, id: string): Promise<Deletion | Fault> {
  const { root, ledger, deletions, stateFolder, step } = parts;
  const deletion = deletions.read(id);
  const kept = deletion === undefined ? undefined : keptAt(parts, deletion);
  if (deletion === undefined || kept === undefined) return unknownDeletion(id);
  const place = resolvePlace(root, deletion.path);
  if (isFault(place)) return place;
  if (place.stats !== undefined) return occupied(deletion.path);
  const comes = (below: string) => isThere(kept + below.slice(place.path.length));
  const claim = parts.documents.claimOn(place.path, comes);
  if (claim !== undefined) return claim;
  const unwritten = writeFileIntent(stateFolder, { kind: "deletion", id, copy: null }, step);
  if (unwritten !== undefined) return unwritten;
  const made = makeParents(root, place);
  const back = isFault(made) ? made : await bringBack(parts, deletion, place);
  if (back !== undefined) {
    if (!isFault(made)) removeEmpty(made);
    removeFileIntent(stateFolder, step);
    return back;
  }
  const followed = ledger.write(() => attachAll(parts, deletion), { durable: true });
  const unsettled = isFault(followed) ? followed : await ledger.database.settled();
  // The file is back; its documents follow before the next thing is moved.
  if (isFault(unsettled)) return unsettled;
  dropDeletion(parts, id);
  await deletions.sweep();
  return deletion;
}

async function bringBack(parts: FileParts, deletion: Deletion, place: PathEntry): Promise<Fault | undefined> {
  const { root, deletions, stateFolder, step } = parts;
  const { id } = deletion;
  const isKept = deletions.hasContent(id);
  const moved = putBack(parts, isKept ? { ...deletion, aside: null } : deletion, place);
  if (!isFault(moved) || moved.details.code !== "EXDEV") return moved;
  step("restore copy");
  return withFolderOpen(root, dirname(place.absolute), (parent) => {
    const temporary = parent.entry(temporaryName(id));
    const name = parent.entry(basename(place.absolute));
    return copyWhole(deletions.contentPath(id), temporary, name, (copy) => {
      return writeFileIntent(stateFolder, { kind: "deletion", id, copy }, step);
    });
  });
}

/**
 * A process ended while something was taken away or brought back. What is in its place stays there; what is kept can be
 * brought back; where it is both, nothing is removed.
 */
export async function settleDeletion(parts: FileParts, intent: DeletionIntent): Promise<Fault | undefined> {
  const { root, ledger, deletions, stateFolder, step } = parts;
  const { id, copy } = intent;
  const deletion = deletions.read(id);
  const place = deletion === undefined ? undefined : resolvePlace(root, deletion.path);
  if (deletion === undefined || place === undefined || isFault(place)) {
    // Without a record nothing was taken away. A path that cannot be used any more says nothing about what is kept.
    if (deletion === undefined) deletions.forget(id);
    removeFileIntent(stateFolder, step);
    return undefined;
  }
  rmSync(join(dirname(place.absolute), temporaryName(id)), { recursive: true, force: true });
  const aside = asideOf(parts, deletion);
  const hasContent = deletions.hasContent(id);
  const kept = [...(hasContent ? [deletions.contentPath(id)] : []), ...(aside ? [aside.absolute] : [])];
  const isBack = place.stats !== undefined && place.stats.ino === copy;
  const isInPlace = isBack || (place.stats !== undefined && kept.every((path) => isOneFile(place, path)));
  if (isInPlace || kept.length === 0) {
    const attached = isInPlace ? ledger.write(() => attachAll(parts, deletion)) : true;
    if (isFault(attached)) return attached;
    if (aside !== undefined) rmSync(aside.absolute, { recursive: true, force: true });
    dropDeletion(parts, id);
    await deletions.sweep();
    return undefined;
  }
  if (place.stats === undefined) {
    const detached = ledger.write(() => detachAll(parts, deletion), { durable: true });
    if (isFault(detached)) return detached;
    // Where it cannot be copied, it can be brought back from where it is.
    if (aside !== undefined && !hasContent) ignoreFault(await keepFromAside(parts, deletion));
  }
  if (aside !== undefined && hasContent) rmSync(aside.absolute, { recursive: true, force: true });
  removeFileIntent(stateFolder, step);
  return undefined;
}

/** Where what was deleted is now. */
function keptAt(parts: FileParts, deletion: Deletion): string | undefined {
  const { deletions } = parts;
  if (deletions.hasContent(deletion.id)) return deletions.contentPath(deletion.id);
  return asideOf(parts, deletion)?.absolute;
}

function asideOf({ root }: FileParts, deletion: Deletion): PathEntry | undefined {
  const aside = deletion.aside === null ? undefined : resolvePlace(root, deletion.aside);
  return aside === undefined || isFault(aside) || aside.stats === undefined ? undefined : aside;
}

/** A file that has both names is on its way, and still in its place. */
function isOneFile({ stats }: PathEntry, other: string): boolean {
  const found = lstatSync(other, { throwIfNoEntry: false });
  return stats?.isFile() === true && found?.ino === stats.ino && found.dev === stats.dev;
}

/** Keeps within the limits; documents that nothing ever happened to go with what they were. */
async function forgetExcess({ deletions, documents, limits, step }: FileParts): Promise<void> {
  for (const { id, documents: detached } of deletions.excess(limits)) {
    step("deletion forget");
    deletions.forget(id);
    for (const { document } of detached) {
      if (documents.row(document)?.path === null) documents.discard(document);
    }
  }
  await deletions.sweep();
}

function temporaryName(id: string): string {
  return `.stet-${id}.tmp`;
}

function unknownDeletion(id: string): Fault {
  const message = `There is no deletion ${id}, or what it took away is no longer kept.`;
  return new Fault("unknown_deletion", message, "List the deletions to see what can be brought back.", {
    deletion_id: id,
  });
}

function occupied(path: string): Fault {
  const message = `${path} cannot be brought back: there is something at its place, which was not replaced.`;
  return new Fault("file_exists", message, "Rename what is there, then bring it back.", { path });
}
