// A file that is not text, replaced as a whole or not at all.
//
// The new bytes go into a temporary file beside it, are synced, and take its place in one step, in a folder that was proved
// to be inside the root. Where the file is not the one that was read any more, nothing is replaced.

import {
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname } from "node:path";
import { Fault, isFault } from "@stet/protocol/fault";
import { uniqueSuffix } from "@stet/protocol/ids";
import type { Location, Root } from "@stet/workspace/files/containment";
import { identityOf } from "@stet/workspace/files/files";
import { makeFolder, missingFolders, syncFolder, withFolderOpen } from "@stet/workspace/files/folders";

export interface Replacement {
  readonly location: Location;
  /** Of the file that was read (files.ts); undefined where there must be none. */
  readonly identity: string | undefined;
  /** Permission bits; undefined for a new file, which gets the usual ones. */
  readonly mode: number | undefined;
  readonly bytes: Uint8Array;
}

export async function replaceFile(root: Root, replacement: Replacement): Promise<Fault | undefined> {
  const folder = dirname(replacement.location.absolute);
  const missing = missingFolders(root, folder);
  if (isFault(missing)) return missing;
  for (const name of missing) {
    const fault = makeFolder(root, name);
    if (fault !== undefined) return fault;
  }
  const replaced = await withFolderOpen<undefined>(root, folder, async ({ entry }) => {
    const name = basename(replacement.location.absolute);
    return fill(entry(`.${name.slice(0, 100)}.${uniqueSuffix()}`), entry(name), replacement);
  });
  return isFault(replaced) ? replaced : syncFolder(root, folder);
}

function fill(
  temporary: string,
  target: string,
  { location, identity, mode, bytes }: Replacement,
): Fault | undefined {
  const flags = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY;
  const descriptor = openSync(temporary, flags, 0o666);
  try {
    writeFileSync(descriptor, bytes);
    if (mode !== undefined) fchmodSync(descriptor, mode);
    fsyncSync(descriptor);
    const now = lstatSync(target, { bigint: true, throwIfNoEntry: false });
    if ((now && identityOf(now)) !== identity) {
      rmSync(temporary, { force: true });
      const message = `${location.path} was changed by another program meanwhile. Nothing was written.`;
      return new Fault("external_change", message, "Read it again and try once more.", {
        path: location.path,
      });
    }
    renameSync(temporary, target);
    return undefined;
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}
