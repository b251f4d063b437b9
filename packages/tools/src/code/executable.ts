// Whether a file can be run, and making one so. Through its contained place, never through a link.

import { closeSync, fchmodSync, fstatSync } from "node:fs";
import { type Fault, isFault } from "@stet/protocol/fault";
import { systemFault } from "@stet/protocol/system-fault";
import { openRegular } from "@stet/workspace/files/files";
import type { Workspace } from "@stet/workspace/workspace";

/** Who may read it may run it. Returns whether it was not executable before. */
export function makeExecutable(workspace: Workspace, path: string): boolean | Fault {
  return withMode(workspace, path, (descriptor, mode) => {
    const wanted = mode | ((mode & 0o444) >> 2);
    if (wanted === mode) return false;
    fchmodSync(descriptor, wanted);
    return true;
  });
}

/** False also where it cannot be told. */
export function isExecutable(workspace: Workspace, path: string): boolean {
  return withMode(workspace, path, (_, mode) => (mode & 0o111) !== 0) === true;
}

function withMode(
  workspace: Workspace,
  path: string,
  action: (descriptor: number, mode: number) => boolean,
): boolean | Fault {
  const location = workspace.documents.locate(path);
  if (isFault(location)) return location;
  const opened = openRegular(workspace.root, location);
  if (isFault(opened)) return opened;
  const { descriptor } = opened;
  try {
    return action(descriptor, fstatSync(descriptor).mode & 0o7777);
  } catch (error) {
    return systemFault(error, "made executable", path);
  } finally {
    closeSync(descriptor);
  }
}
