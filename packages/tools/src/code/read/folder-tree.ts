// A folder as a tree: two levels, what changed last first. What git ignores is left out unless it is named, and so are
// git's and Stet's own folders. A folder inside shows twelve of its entries; the folder that was asked for, all. A line
// selector chooses lines of the tree; its heading is not counted.

import { lstatSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";
import type { ToolContext, ToolOutcome } from "@stet/agent/tool";
import { type Fault, isFault } from "@stet/protocol/fault";
import { attempt } from "@stet/protocol/system-fault";
import type { Location } from "@stet/workspace/files/containment";
import { isProtectedName } from "@stet/workspace/files/protected-names";
import type { CodeContext } from "../code-context.ts";
import { behindEnd, maxPageLines } from "./page.ts";
import type { LineRange } from "./selector.ts";
import { sizeName } from "./size-name.ts";

const shownInside = 12;
const maxFiles = 50_000;
const timeoutMs = 5000;

interface Entry {
  readonly name: string;
  readonly modified: number;
  /** Undefined for a folder. */
  readonly size: number | undefined;
}

export async function readFolder(
  { workspace, readEffect }: Pick<CodeContext, "workspace" | "readEffect">,
  folder: Location,
  selector: LineRange | undefined,
  call: Pick<ToolContext, "signal">,
): Promise<ToolOutcome | Fault> {
  const { signal } = call;
  const prefix = folder.path === "." ? undefined : folder.path;
  const listing = await workspace.list({ prefix, hidden: true, limit: maxFiles, timeoutMs, signal });
  if (isFault(listing)) return listing;
  const onDisk = attempt("listed", folder.path, () => readdirSync(folder.absolute, { withFileTypes: true }));
  if (isFault(onDisk)) return onDisk;

  const effectOf = readEffect("read");
  const isDenied = (path: string) => effectOf(path) === "deny";
  const names = childrenOf(
    listing.files.filter((file) => !isDenied(file)),
    prefix,
  );
  for (const entry of onDisk) {
    if (!entry.isDirectory() || names.has(entry.name) || isProtectedName(entry.name)) continue;
    // The listing knows folders by their files: one without any is shown, and so is one it did not get to.
    const isEmpty = isEmptyFolder(join(folder.absolute, entry.name));
    const path = prefix === undefined ? entry.name : `${prefix}/${entry.name}`;
    if ((isEmpty || listing.truncated) && !isDenied(path)) names.set(entry.name, new Map());
  }
  const now = Date.now();
  const lines: string[] = [];
  const entries = entriesOf(folder.absolute, names);
  for (const entry of entries) {
    lines.push(described(entry, now));
    const below = entriesOf(join(folder.absolute, entry.name), names.get(entry.name) ?? new Map());
    for (const child of below.slice(0, shownInside)) lines.push(`  ${described(child, now)}`);
    if (below.length > shownInside) lines.push(`  … ${below.length - shownInside} more`);
  }
  const from = selector?.from ?? 1;
  if (lines.length > 0 && from > lines.length) {
    const details = { path: folder.path, isDirectory: true, entries: entries.length, isCut: true };
    return { content: behindEnd(folder.path, from, lines.length), details };
  }
  const end = Math.min(selector?.to ?? lines.length, from - 1 + maxPageLines);
  const left = Math.max(0, lines.length - end);
  const limits: string[] = [];
  if (left > 0)
    limits.push(
      `[${left} more ${left === 1 ? "line" : "lines"}. Read ${folder.path}:${end + 1}, or a folder inside.]`,
    );
  if (listing.truncated)
    limits.push(`[There are more than ${maxFiles} files; not all folders show what is in them.]`);
  const shown = lines.length === 0 ? ["(empty directory)"] : lines.slice(from - 1, end);
  return {
    content: [`${folder.path}/`, ...shown, ...limits].join("\n"),
    details: {
      path: folder.path,
      isDirectory: true,
      entries: entries.length,
      isCut: from > 1 || limits.length > 0,
    },
  };
}

interface Names extends Map<string, Names> {}

/** Two levels of names below the folder; deeper ones only say that their folder is one. */
function childrenOf(files: readonly string[], prefix: string | undefined): Names {
  const names: Names = new Map();
  const skipped = prefix === undefined ? 0 : prefix.length + 1;
  for (const file of files) {
    let level = names;
    for (const name of file.slice(skipped).split("/", 3)) {
      const next: Names = level.get(name) ?? new Map();
      level.set(name, next);
      level = next;
    }
  }
  return names;
}

function entriesOf(folder: string, names: Names): Entry[] {
  const entries: Entry[] = [];
  for (const name of names.keys()) {
    const stats = statsOf(join(folder, name));
    // What is gone by now, or is neither a file nor a folder, is not listed.
    if (stats === undefined || (!stats.isFile() && !stats.isDirectory())) continue;
    const size = stats.isDirectory() ? undefined : stats.size;
    entries.push({ name, modified: stats.mtimeMs, size });
  }
  return entries.sort((one, other) => other.modified - one.modified || (one.name < other.name ? -1 : 1));
}

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function isEmptyFolder(path: string): boolean {
  try {
    return readdirSync(path).length === 0;
  } catch {
    return false;
  }
}

function described({ name, size, modified }: Entry, now: number): string {
  const age = ageName(now - modified);
  return size === undefined ? `${name}/ (${age})` : `${name} (${sizeName(size)}, ${age})`;
}

const ages: readonly (readonly [seconds: number, unit: string])[] = [
  [365 * 86_400, "y"],
  [30 * 86_400, "mo"],
  [86_400, "d"],
  [3600, "h"],
  [60, "m"],
];

function ageName(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  const fitting = ages.find(([length]) => seconds >= length);
  return fitting === undefined ? "just now" : `${Math.floor(seconds / fitting[0])}${fitting[1]} ago`;
}
