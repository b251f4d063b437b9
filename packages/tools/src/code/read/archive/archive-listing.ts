// What is in an archive or in one of its folders, a line each.

import { sizeName } from "../size-name.ts";
import { type ArchiveEntry, archiveLimits } from "./archive.ts";

export function formatFolder(entries: readonly ArchiveEntry[], folder: string): string {
  const children = new Map<string, string>();
  const prefix = folder === "" ? "" : `${folder}/`;
  const strange: string[] = [];
  for (const entry of entries) {
    if (entry.path === undefined) {
      if (folder === "" && entry.kind !== "folder")
        strange.push(`[leads out of the archive, not readable: ${plain(entry.name)}]`);
      continue;
    }
    if (!entry.path.startsWith(prefix) || entry.path === folder) continue;
    const [name = "", ...below] = entry.path.slice(prefix.length).split("/");
    if (below.length > 0 || entry.kind === "folder") {
      if (!children.has(name)) children.set(name, `${plain(name)}/`);
    } else children.set(name, line(name, entry));
  }
  const names = [...children.keys()].sort((a, b) => (a < b ? -1 : 1));
  const lines = [...names.map((name) => children.get(name) ?? name), ...strange];
  if (lines.length === 0) return folder === "" ? "(empty archive)" : "(empty archive directory)";
  const shown = lines.slice(0, archiveLimits.listed);
  const rest = lines.length - shown.length;
  if (rest > 0) shown.push(`[${rest} more entries; name a folder in the archive to see less at once]`);
  return shown.join("\n");
}

function line(name: string, { kind, size, target }: ArchiveEntry): string {
  if (kind === "link") return `${plain(name)} -> ${target === "" ? "(link)" : plain(target)}`;
  if (kind === "other") return `${plain(name)} (special file)`;
  return size > 0 ? `${plain(name)} (${sizeName(size)})` : plain(name);
}

/** Without what could move a terminal's cursor or break the line. */
function plain(name: string): string {
  return name.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, "�").slice(0, 500);
}

const maxNear = 5;

/** Entries with the same last name, or one that contains it. */
export function nearNames(entries: readonly ArchiveEntry[], wanted: string): string[] {
  const last = wanted.split("/").at(-1)?.toLowerCase() ?? "";
  const files = entries.flatMap(({ path, kind }) => (path !== undefined && kind === "file" ? [path] : []));
  const same = files.filter((path) => path.split("/").at(-1)?.toLowerCase() === last);
  const near =
    same.length > 0 ? same : files.filter((path) => last !== "" && path.toLowerCase().includes(last));
  return near.slice(0, maxNear);
}
