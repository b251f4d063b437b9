// Moves a file that cannot be used out of the way. It is never removed, and its new name says when it was found.

import { lstatSync, renameSync } from "node:fs";
import { sqliteSuffixes } from "./sqlite-file.ts";

/** The file and what SQLite keeps beside it. Returns its new path. */
export function setAside(path: string, now: Date = new Date()): string {
  const time = now
    .toISOString()
    .replace(/\.\d+Z$/, "")
    .replace(/[-:]/g, "")
    .replace("T", "-");
  let aside = `${path}.damaged-${time}`;
  for (let number = 2; exists(aside); number += 1) aside = `${path}.damaged-${time}-${number}`;
  for (const suffix of ["", ...sqliteSuffixes])
    if (exists(path + suffix)) renameSync(path + suffix, aside + suffix);
  return aside;
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
