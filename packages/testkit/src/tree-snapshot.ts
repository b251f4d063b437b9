// What is in a folder, byte for byte: names, contents, modes, links and folders.

import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";

export type TreeSnapshot = ReadonlyMap<string, string>;

/** By path, a character for each byte of a name. `.git` and `.stet` are left out. */
export function snapshotTree(root: string): TreeSnapshot {
  const found = new Map<string, string>([[".", lineFor(Buffer.from(root))]]);
  const pending = [""];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const place = pathTo(root, folder);
    for (const name of readdirSync(place, { encoding: "latin1" })) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (folder === "" && (name === ".git" || name === ".stet")) continue;
      const line = lineFor(pathTo(root, path));
      found.set(path, line);
      if (line.startsWith("folder")) pending.push(path);
    }
  }
  return found;
}

/** Paths that are not the same in both. */
export function differences(one: TreeSnapshot, other: TreeSnapshot): string[] {
  const paths = new Set([...one.keys(), ...other.keys()]);
  return [...paths].filter((path) => one.get(path) !== other.get(path)).sort();
}

function pathTo(root: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(root), Buffer.from("/"), Buffer.from(path, "latin1")]);
}

function lineFor(path: Buffer): string {
  const stats = lstatSync(path);
  const mode = (stats.mode & 0o7777).toString(8);
  if (stats.isSymbolicLink()) return `link ${readlinkSync(path, "latin1")}`;
  if (stats.isDirectory()) return `folder ${mode}`;
  return stats.isFile() ? `file ${mode} ${readFileSync(path, "latin1")}` : `other ${mode}`;
}
