// Sockets of the machine. A mount that is read-only does not keep anyone from connecting to a socket on it, so those that
// lie in something that the sandbox shows are covered.

import { lstatSync, readFileSync } from "node:fs";

/** Paths of the sockets that processes of the machine have open. The kernel's list, so no folder has to be searched. */
export function hostSockets(): string[] {
  let table: string;
  try {
    table = readFileSync("/proc/net/unix", "utf8");
  } catch {
    return [];
  }
  // Num RefCount Protocol Flags Type St Inode Path; the path of an abstract one begins with @.
  const paths = table.split("\n").flatMap((line) => /^(?:\S+\s+){7}(\/.*)$/.exec(line)?.[1] ?? []);
  return [...new Set(paths)].filter(isSocket);
}

function isSocket(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSocket() ?? false;
  } catch {
    // In a folder that only its owner may read.
    return false;
  }
}
