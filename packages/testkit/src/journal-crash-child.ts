// For the journal's tests: a group with one file of every kind, and a process that dies in the middle of saving or
// recovering it.
//
//   node journal-crash-child.ts save|recover <folder> <step>    dies before the step with this number takes effect
//
// Prints the names of the steps it reached, one a line; ends with code 0 when it got to the end.

import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { isFault } from "@stet/protocol/fault";
import { openRoot, resolveInside } from "@stet/workspace/files/containment";
import { hashBytes } from "@stet/workspace/files/files";
import { saveGroup } from "@stet/workspace/saving/journal";
import type { GroupWrite } from "@stet/workspace/saving/journal-plan";
import { recoverGroups } from "@stet/workspace/saving/journal-recovery";

export interface ScenarioFile {
  path: string;
  /** Null: the file is created. */
  before: Uint8Array | null;
  /** Null: the file is removed. */
  after: Uint8Array | null;
  mode: number;
}

/** More than one piece of an overwriting, so that a crash can tear it. */
const largeSize = 300_000;

export function scenarioFiles(isLarge: boolean): ScenarioFile[] {
  const size = isLarge ? largeSize : 2000;
  const text = (value: string) => Buffer.from(value);
  return [
    {
      path: "plain.md",
      before: text("\ufeffone\r\ntwo\r\n"),
      after: text("\ufeffone\r\n2\r\n"),
      mode: 0o666,
    },
    { path: "script.sh", before: text("#!/bin/sh\ntrue\n"), after: text("#!/bin/sh\nfalse\n"), mode: 0o755 },
    { path: "link.md", before: text("real"), after: text("real, and longer"), mode: 0o600 },
    {
      path: "hard.txt",
      before: Buffer.alloc(size, "old "),
      after: Buffer.alloc(size - 700, "newer "),
      mode: 0o644,
    },
    { path: "fresh/deep/new.md", before: null, after: text("created"), mode: 0o604 },
    { path: "docs/gone.md", before: text("not\r\nwanted"), after: null, mode: 0o640 },
    { path: "docs/last.md", before: text("last"), after: text(""), mode: 0o644 },
  ];
}

/** Lays the old files out below `folder`/root, from scratch. */
export function layOut(folder: string, isLarge: boolean): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "root/docs"), { recursive: true });
  for (const { path, before, mode } of scenarioFiles(isLarge)) {
    if (before === null) continue;
    const file = join(folder, "root", path === "link.md" ? "docs/real.md" : path);
    writeFileSync(file, before);
    if (path === "script.sh" && process.geteuid?.() === 0) chownSync(file, 1234, 4321);
    chmodSync(file, mode);
  }
  symlinkSync("docs/real.md", join(folder, "root/link.md"));
  linkSync(join(folder, "root/hard.txt"), join(folder, "root/docs/other-name.txt"));
}

export async function save(folder: string, isLarge: boolean, step: (name: string) => void) {
  const root = openRoot(join(folder, "root"));
  if (isFault(root)) return root;
  const writes: GroupWrite[] = [];
  for (const { path, before, after, mode } of scenarioFiles(isLarge)) {
    const location = resolveInside(root, path);
    if (isFault(location)) return location;
    const tag = `tag of ${path}`;
    if (after === null) {
      writes.push({ location, bytes: null, expected: hashBytes(before ?? Buffer.alloc(0)), tag });
    } else {
      const expected = before === null ? null : hashBytes(before);
      writes.push({
        location,
        bytes: after,
        hash: hashBytes(after),
        expected,
        tag,
        ...(before === null && { mode }),
      });
    }
  }
  return saveGroup(join(folder, "journal"), root, writes, { step, tag: "the group" });
}

export async function recover(folder: string, step: (name: string) => void) {
  const root = openRoot(join(folder, "root"));
  return isFault(root) ? root : recoverGroups(join(folder, "journal"), root, { step });
}

async function main([task, folder = "", last]: string[]): Promise<void> {
  let count = 0;
  const step = (name: string) => {
    if (count === Number(last)) process.kill(process.pid, "SIGKILL");
    count += 1;
    writeSync(1, `${name}\n`);
  };
  const result = task === "save" ? await save(folder, true, step) : await recover(folder, step);
  if (isFault(result)) throw new Error(result.message);
}

if (process.argv[1] === import.meta.filename) await main(process.argv.slice(2));
