// A data folder whose files others could read, because an earlier Stet created them with the person's umask.
//
// It is walked once, which a file in it remembers. Three levels are enough: everything deeper lies in folders that are closed
// then, among them deleted files of the workspace, whose own modes are not touched because they may be restored.

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { narrow, writePrivateFile } from "./private-files.ts";

const doneName = ".private";
const levels = 3;

/** What Stet creates there; a folder that `STET_DATA_DIR` names may hold other things, too. */
const ours =
  /^(?:projects|sessions|blobs|terminal-sessions|backups|logs|trusted\.json.*|[\w-]+\.(?:sqlite|db)\b.*)$/;

/** `isGiven` says that the person named the folder. One that they named and created keeps the mode that they gave it. */
export function narrowDataFolder(data: string, isGiven: boolean): void {
  if (process.platform === "win32" || statSync(data, { throwIfNoEntry: false }) === undefined) return;
  const done = join(data, doneName);
  if (statSync(done, { throwIfNoEntry: false }) !== undefined) return;
  try {
    if (!isGiven) narrow(data);
    narrowInside(data, levels, (name) => ours.test(name));
    writePrivateFile(done, "Files here are readable by their owner only.\n");
  } catch {
    // Somebody else's file, or a disk that cannot be written: what can be used is used as it is, and the next start tries again.
  }
}

function narrowInside(folder: string, depth: number, isWanted: (name: string) => boolean = () => true): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    // Never through a link: what it leads to is not ours.
    if (!isWanted(entry.name) || !(entry.isFile() || entry.isDirectory())) continue;
    const path = join(folder, entry.name);
    narrow(path);
    if (entry.isDirectory() && depth > 1) narrowInside(path, depth - 1);
  }
}
