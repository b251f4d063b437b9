// Making a file, and giving a file or a folder another path. The documents follow the disk: intent on record, the move,
// the ledger, the record removed. Where the ledger cannot follow, the move is taken back.

import { realpathSync, rmSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { Fault, isFault } from "@stet/protocol/fault";
import { checkContent } from "@stet/text/document";
import { saveGroup } from "../saving/journal.ts";
import { fileExists } from "../tabs/tab-faults.ts";
import { type PathEntry, refuseNewPath, resolvePlace } from "./containment.ts";
import {
  type Contents,
  isListed,
  isOtherSpelling,
  isThere,
  makeParents,
  movePlace,
  nothingThere,
  removeEmpty,
} from "./entry-moves.ts";
import { type DocumentPath, type FileIntent, removeFileIntent, writeFileIntent } from "./file-intent.ts";
import { hashBytes } from "./files.ts";
import type { FileParts } from "./workspace-files.ts";

export interface Renamed {
  readonly from: string;
  readonly to: string;
  readonly files: number;
}

type RenameIntent = Extract<FileIntent, { kind: "rename" }>;

export async function createFile(parts: FileParts, path: string, content: string): Promise<string | Fault> {
  const { root, documents, journalFolder, step } = parts;
  const refusal = checkContent(content);
  if (refusal !== undefined) return refusal;
  const place = resolvePlace(root, path);
  if (isFault(place)) return place;
  // Also a link that leads nowhere: the file would appear in another place than the one that was named.
  if (place.stats !== undefined) return fileExists(place.path);
  const location = refuseOwn(parts, place) ?? documents.locate(path);
  if (isFault(location)) return location;
  const freed = parts.ledger.write(() => freePath(parts, location.path) ?? true);
  if (isFault(freed)) return freed;
  const bytes = Buffer.from(content);
  const write = { location, bytes, hash: hashBytes(bytes), expected: null };
  const saved = await saveGroup(journalFolder, root, [write], { step });
  if (!isFault(saved)) return location.path;
  const now = resolvePlace(root, path);
  const hasAppeared = saved.error === "external_change" && !isFault(now) && now.stats !== undefined;
  return hasAppeared ? fileExists(place.path) : saved;
}

/** Lets go of a path at which there is no file, so that another one can have it. Only in a transaction. */
export function freePath({ documents }: FileParts, path: string): Fault | undefined {
  const claim = documents.claimOn(path);
  if (claim !== undefined) return claim;
  for (const { id } of documents.under(path)) documents.detach(id);
  return undefined;
}

/** The documents of a place, each with its path. */
export function documentPaths({ documents }: FileParts, place: string): DocumentPath[] {
  return documents.under(place).map(({ id, path }) => ({ document: id, path: path ?? place }));
}

/** Nothing comes in between from the first look at the two places until the ledger has followed. */
export async function renamePlace(
  parts: FileParts,
  from: string,
  to: string,
  { files }: Contents,
): Promise<Renamed | Fault> {
  const source = resolvePlace(parts.root, from);
  if (isFault(source)) return source;
  const target = resolvePlace(parts.root, to);
  if (isFault(target)) return target;
  const refusal = refuseRename(parts, source, target, to);
  if (refusal !== undefined) return refusal;
  const moved = moveWithDocuments(parts, source, target);
  if (moved !== undefined) return moved;
  const unsettled = await parts.ledger.database.settled();
  if (isFault(unsettled)) return unsettled;
  removeFileIntent(parts.stateFolder, parts.step);
  return { from: source.path, to: target.path, files };
}

function refuseRename(parts: FileParts, source: PathEntry, target: PathEntry, to: string): Fault | undefined {
  if (source.stats === undefined) return nothingThere(source.path);
  const isFolder = source.stats.isDirectory();
  if (to.endsWith("/") && !isFolder) return folderName(to);
  if (target.absolute.startsWith(source.absolute + sep)) return intoItself(source.path, target.path);
  const own = refuseOwn(parts, source) ?? refuseOwn(parts, target);
  if (own !== undefined) return own;
  if (target.stats !== undefined && !isOtherSpelling(source, target)) return fileExists(target.path);
  const hasOtherFolder = dirname(source.absolute) !== dirname(target.absolute);
  const tooDeep = hasOtherFolder ? refuseNewPath(parts.root, target.absolute) : undefined;
  if (tooDeep !== undefined) return tooDeep;
  return parts.documents.claimOn(target.path, (below) => {
    return isThere(source.absolute + below.slice(target.path.length));
  });
}

/** Stet's own state may be kept below the root, under any name: neither what holds it nor what is in it is moved. */
export function refuseOwn({ stateFolder }: FileParts, { path, absolute }: PathEntry): Fault | undefined {
  const state = realpathSync(stateFolder) + sep;
  const place = absolute + sep;
  if (!state.startsWith(place) && !place.startsWith(state)) return undefined;
  const message = `${path} belongs to what Stet knows about this folder, so it stays as it is.`;
  return new Fault("protected_path", message, "Name something else.", { path });
}

function moveWithDocuments(parts: FileParts, source: PathEntry, target: PathEntry): Fault | undefined {
  const { root, ledger, stateFolder, step } = parts;
  const documents = documentPaths(parts, source.path);
  const intent: RenameIntent = { kind: "rename", from: source.path, to: target.path, documents };
  const unwritten = writeFileIntent(stateFolder, intent, step);
  if (unwritten !== undefined) return unwritten;
  const made = makeParents(root, target);
  const moved = isFault(made) ? made : movePlace(root, source, target, step);
  if (moved !== undefined) {
    if (!isFault(made)) removeEmpty(made);
    removeFileIntent(stateFolder, step);
    return isOtherDisk(moved) ? otherDisk(source.path, target.path) : moved;
  }
  const followed = ledger.write(() => followMove(parts, intent), { durable: true });
  if (!isFault(followed)) return undefined;
  // What cannot be taken back now is settled before the next thing is moved.
  if (movePlace(root, { ...target, stats: source.stats }, source, step) === undefined) {
    if (!isFault(made)) removeEmpty(made);
    removeFileIntent(stateFolder, step);
  }
  return followed;
}

/** Gives the documents their new paths. Only in a transaction; a second time changes nothing. */
function followMove(parts: FileParts, { from, to, documents }: RenameIntent): true | Fault {
  const moving = documents.filter(({ document, path }) => parts.documents.row(document)?.path === path);
  if (moving.length === 0) return true;
  const moves = new Map(moving.map(({ document, path }) => [document, to + path.slice(from.length)]));
  const taken = new Set(moves.values());
  for (const { id, path } of parts.documents.under(to)) {
    if (path === null || moves.has(id)) continue;
    // A document of a file that was there long ago is not one of the files that are there now.
    if (taken.has(path) || isThere(join(parts.root.path, path))) parts.documents.detach(id);
  }
  // Freed first: a new path may be the old one of another that moves as well.
  for (const document of moves.keys()) parts.documents.detach(document);
  for (const [document, path] of moves) parts.documents.move(document, path);
  return true;
}

/** A process ended while something was renamed: where the disk has the new name only, the ledger follows. */
export async function settleRename(parts: FileParts, intent: RenameIntent): Promise<Fault | undefined> {
  const { root, ledger, stateFolder, step } = parts;
  const source = resolvePlace(root, intent.from);
  const target = resolvePlace(root, intent.to);
  if (!isFault(source) && !isFault(target) && isListed(target.absolute)) {
    const hasBoth = isListed(source.absolute);
    const isOne = source.stats?.ino === target.stats?.ino && source.stats?.dev === target.stats?.dev;
    // A file that has got its new name, and not yet lost the old one.
    const isBetween = hasBoth && isOne && source.stats?.isFile() === true;
    if (isBetween) {
      step("settle unlink");
      rmSync(source.absolute);
    }
    if (isBetween || !hasBoth) {
      const followed = ledger.write(() => followMove(parts, intent), { durable: true });
      if (isFault(followed)) return followed;
      const unsettled = await ledger.database.settled();
      if (isFault(unsettled)) return unsettled;
    }
  }
  removeFileIntent(stateFolder, step);
  return undefined;
}

function isOtherDisk(fault: Fault): boolean {
  return fault.details.code === "EXDEV";
}

function folderName(path: string): Fault {
  const message = `${path} ends in a slash, so it names a folder, and this is a file.`;
  return new Fault("invalid_path", message, "Give the file's new path with its name.", { path });
}

function intoItself(from: string, to: string): Fault {
  const message = `${from} cannot be moved to ${to}, which is inside of it.`;
  return new Fault("invalid_path", message, "Choose a path outside of it.", { from, to });
}

function otherDisk(from: string, to: string): Fault {
  const message = `${from} cannot be moved to ${to}: they are on different disks. Nothing was changed.`;
  return new Fault("io_failed", message, "Copy it with another program, then delete it here.", { from, to });
}
