// Which process serves a folder, whatever data folder it has: two would not know of each other's ledger, and write the same
// files. A note in the system's temporary folder, named after the folder; one whose process is gone counts for nothing.

import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { Fault } from "@stet/protocol/fault";
import { errnoCode } from "@stet/protocol/system-fault";
import { makePrivateFolder, writePrivateFile } from "@stet/storage/private-files";
import { type Hold, isProcessAlive } from "../ledger/holders.ts";

/** Takes note of this process, or says which one serves the folder (a real path) with another data folder. */
export function claimRoot(root: string, data: string): Hold | Fault {
  const digest = createHash("sha256").update(root).digest("hex").slice(0, 16);
  const folder = join(tmpdir(), `stet-${userInfo().uid}`);
  const path = join(folder, `${digest}.json`);
  const none = { release() {} };
  try {
    makePrivateFolder(folder);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      try {
        writePrivateFile(path, JSON.stringify({ pid: process.pid, root, data }), "wx");
        return { release: () => leave(path) };
      } catch (error) {
        if (errnoCode(error) !== "EEXIST") return none;
      }
      const other = noteAt(path);
      // The same data folder has a lock of its own, which knows more.
      if (other !== undefined && other.data !== data && isProcessAlive(other.pid))
        return servedElsewhere(root, other);
      rmSync(path, { force: true });
    }
    return none;
  } catch {
    // Where no note can be left, nobody is kept from serving.
    return none;
  }
}

function leave(path: string): void {
  if (noteAt(path)?.pid === process.pid) rmSync(path, { force: true });
}

interface Note {
  readonly pid: number;
  readonly data: string;
}

function noteAt(path: string): Note | undefined {
  try {
    const note: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (typeof note !== "object" || note === null || !("pid" in note) || !("data" in note)) return undefined;
    return { pid: Number(note.pid), data: String(note.data) };
  } catch {
    return undefined;
  }
}

function servedElsewhere(root: string, { pid, data }: Note): Fault {
  return new Fault(
    "workspace_busy",
    `A server for ${root} is running already, with the data folder ${data}: process ${pid}.`,
    "Use that one, or end it first: two servers with different data folders would not know of each other's changes.",
    { root, pid, data },
  );
}
