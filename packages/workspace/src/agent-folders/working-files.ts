// Copies the files of a workspace into a folder, as the workspace has them now.

import { constants, mkdirSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { copyFile, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Fault, isFault } from "@stet/protocol/fault";
import { systemFault } from "@stet/protocol/system-fault";
import { encodeDocument } from "@stet/text/document";
import { concurrently, diskWaits } from "../files/concurrently.ts";
import { isOwnFile, isProtectedName } from "../files/protected-names.ts";
import { repositoryRootOf } from "../files/workspace-root.ts";
import { listFiles } from "../search/listing.ts";
import type { Turn } from "../turns/turns.ts";
import type { Workspace } from "../workspace.ts";
import { isDependencyFolder, linkDependencies } from "./dependency-links.ts";

export interface CopyOptions {
  readonly workspace: Workspace;
  readonly turn: Turn | undefined;
  /** Where they go: a folder that is empty, or that has a `.git` only. */
  readonly root: string;
  readonly signal: AbortSignal;
  readonly onProgress?: (text: string) => void;
}

export interface CopiedFiles {
  /** Folders of the workspace that are linked to. */
  readonly readable: readonly string[];
}

/** A folder with more is no project that one copies for an agent. */
export const maxCopiedFiles = 100_000;
const progressEvery = 500;

interface Found {
  readonly files: string[];
  readonly links: string[];
  readonly folders: string[];
  readonly dependencies: string[];
}

export async function copyWorkingFiles(options: CopyOptions): Promise<CopiedFiles | Fault> {
  const { workspace, root, signal, onProgress = () => {} } = options;
  const { path: source } = workspace.root;
  const kept = await keptFiles(source);
  if (isFault(kept)) return kept;
  const found: Found = { files: [], links: [], folders: [], dependencies: [] };
  await walk(source, "", kept, found);
  if (found.files.length > maxCopiedFiles) return tooMany(found.files.length);
  for (const folder of found.folders) mkdirSync(join(root, folder), { recursive: true });
  for (const link of found.links) symlinkSync(readlinkSync(join(source, link)), join(root, link));
  let done = 0;
  const fault = await concurrently(found.files, diskWaits, async (path) => {
    if (signal.aborted) return undefined;
    try {
      // A copy that shares the blocks of its original, where the file system can.
      await copyFile(join(source, path), join(root, path), constants.COPYFILE_FICLONE);
    } catch (error) {
      // One that went meanwhile is not in the folder any more.
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT"))
        return systemFault(error, "copied", path);
    }
    done += 1;
    if (done % progressEvery === 0) onProgress(`making its folder: ${done} of ${found.files.length} files`);
    return undefined;
  });
  if (isFault(fault)) return fault;
  for (const folder of found.dependencies) linkDependencies(source, root, folder);
  return writeUnsaved(options) ?? { readable: found.dependencies.map((folder) => join(source, folder)) };
}

/** In a repository those that are not ignored; undefined for all of them. */
async function keptFiles(source: string): Promise<ReadonlySet<string> | undefined | Fault> {
  if (repositoryRootOf(source, process.env) === undefined) return undefined;
  const listed = await listFiles(source, { hidden: true, limit: maxCopiedFiles + 1 });
  return isFault(listed) ? listed : new Set(listed.files);
}

async function walk(
  source: string,
  folder: string,
  kept: ReadonlySet<string> | undefined,
  found: Found,
): Promise<boolean> {
  let hasKept = false;
  const entries = await readdir(join(source, folder), { withFileTypes: true });
  for (const entry of entries) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (isProtectedName(entry.name) || isOwnFile(entry.name)) continue;
    if (found.files.length > maxCopiedFiles) return true;
    if (entry.isSymbolicLink()) found.links.push(path);
    else if (entry.isFile()) {
      if (kept !== undefined && !kept.has(path)) continue;
      found.files.push(path);
      hasKept = true;
    } else if (entry.isDirectory() && isDependencyFolder(entry.name) && !hasFilesBelow(kept, path)) {
      found.dependencies.push(path);
    } else if (entry.isDirectory() && (await walkFolder(source, path, kept, found))) hasKept = true;
  }
  return hasKept || entries.length === 0;
}

/** A folder of which everything is ignored stays behind, with the links in it. */
async function walkFolder(
  source: string,
  path: string,
  kept: ReadonlySet<string> | undefined,
  found: Found,
): Promise<boolean> {
  const [folders, links] = [found.folders.length, found.links.length];
  found.folders.push(path);
  const hasKept = await walk(source, path, kept, found);
  if (hasKept || kept === undefined) return true;
  found.folders.splice(folders);
  found.links.splice(links);
  return false;
}

/** Whether the repository keeps files of a folder that has the name of one with installed packages. */
function hasFilesBelow(kept: ReadonlySet<string> | undefined, folder: string): boolean {
  if (kept === undefined) return false;
  for (const path of kept) if (path.startsWith(`${folder}/`)) return true;
  return false;
}

/** Texts that are another in the workspace, or in the turn, than on disk. */
function writeUnsaved({ workspace, turn, root }: CopyOptions): Fault | undefined {
  const unsaved = turn?.unsaved() ?? unsavedOf(workspace);
  for (const { document, path, history } of unsaved) {
    const state = workspace.documents.state(document);
    if (isFault(state)) return state;
    const bytes = encodeDocument({ text: history.text, format: state.format });
    if (isFault(bytes)) return bytes;
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), bytes);
  }
  return undefined;
}

function unsavedOf(workspace: Workspace) {
  return workspace.documents.unsavedIds().flatMap((document) => {
    const path = workspace.documents.row(document)?.path;
    const state = workspace.documents.state(document);
    return path === null || path === undefined || isFault(state)
      ? []
      : [{ document, path, history: state.history }];
  });
}

function tooMany(count: number): Fault {
  return new Fault(
    "too_large",
    `The folder has more than ${maxCopiedFiles} files (${count} were counted), which is too many to copy for an agent.`,
    "Send it without isolated, or open the part of the project that it works on.",
  );
}
