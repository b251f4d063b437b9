// The folder as a tree, from the flat list of paths that the server gives, and the rows of it that are to be seen.
//
// Folders come before files, and names in the order that people expect ("2" before "10"). Paths have "/" between their parts
// on every system. A folder exists because a file is in it.

import { type FuzzyMatch, fuzzyMatch } from "../palette/fuzzy.ts";

export interface TreeNode {
  readonly name: string;
  /** Of a folder, without "/" at its end; "" for the root. */
  readonly path: string;
  /** Undefined for a file. */
  readonly children: readonly TreeNode[] | undefined;
}

export interface TreeRow {
  readonly node: TreeNode;
  /** From 1. */
  readonly level: number;
  readonly isFolder: boolean;
  readonly isExpanded: boolean;
  /** Its place among its siblings, from 1, and how many they are. */
  readonly position: number;
  readonly siblings: number;
  /** Of the name: what the filter found, as [from, to). */
  readonly marks: readonly (readonly [number, number])[];
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

export function buildTree(paths: readonly string[]): TreeNode {
  interface Growing {
    name: string;
    path: string;
    children: Growing[] | undefined;
    folders: Map<string, Growing>;
  }
  const root: Growing = { name: "", path: "", children: [], folders: new Map() };
  for (const path of paths) {
    const parts = path.split("/");
    const name = parts.pop() ?? path;
    let folder = root;
    for (const part of parts) {
      let next = folder.folders.get(part);
      if (next === undefined) {
        const full = folder.path === "" ? part : `${folder.path}/${part}`;
        next = { name: part, path: full, children: [], folders: new Map() };
        folder.folders.set(part, next);
        folder.children?.push(next);
      }
      folder = next;
    }
    folder.children?.push({ name, path, children: undefined, folders: new Map() });
  }
  const sort = (node: Growing) => {
    node.children?.sort(
      (one, other) =>
        Number(one.children === undefined) - Number(other.children === undefined) ||
        collator.compare(one.name, other.name) ||
        (one.name < other.name ? -1 : 1),
    );
    for (const child of node.children ?? []) sort(child);
  };
  sort(root);
  return root;
}

/** What is to be seen of it: everything in folders that are open, from top to bottom. */
export function treeRows(root: TreeNode, isOpen: (path: string) => boolean): TreeRow[] {
  const rows: TreeRow[] = [];
  const walk = (nodes: readonly TreeNode[], level: number) => {
    nodes.forEach((node, index) => {
      const isFolder = node.children !== undefined;
      const isExpanded = isFolder && isOpen(node.path);
      const place = { level, position: index + 1, siblings: nodes.length };
      rows.push({ node, isFolder, isExpanded, marks: [], ...place });
      if (isExpanded) walk(node.children ?? [], level + 1);
    });
  };
  walk(root.children ?? [], 1);
  return rows;
}

/** Only the files that a filter finds, with the folders above them open; and the path of the one that fits best. */
export function filteredRows(
  root: TreeNode,
  query: string,
): { readonly rows: TreeRow[]; readonly best: string | undefined } {
  let best: { path: string; score: number } | undefined;
  const rows: TreeRow[] = [];
  /** Returns what was found in the first of them, by its place in the path. */
  const walk = (nodes: readonly TreeNode[], level: number): FuzzyMatch["ranges"] | undefined => {
    let first: FuzzyMatch["ranges"] | undefined;
    const own: number[] = [];
    for (const node of nodes) {
      const at = rows.length;
      const isFolder = node.children !== undefined;
      rows.push({
        node,
        level,
        isFolder,
        isExpanded: isFolder,
        position: own.length + 1,
        siblings: 0,
        marks: [],
      });
      const match = isFolder ? undefined : fuzzyMatch(query, node.path);
      const ranges = isFolder ? walk(node.children ?? [], level + 1) : match?.ranges;
      if (ranges === undefined) {
        rows.pop();
        continue;
      }
      if (match !== undefined && (best === undefined || match.score > best.score)) {
        best = { path: node.path, score: match.score };
      }
      own.push(at);
      first ??= ranges;
      const row = rows[at];
      if (row !== undefined) rows[at] = { ...row, marks: inName(node, ranges) };
    }
    for (const at of own) {
      const row = rows[at];
      if (row !== undefined) rows[at] = { ...row, siblings: own.length };
    }
    return first;
  };
  walk(root.children ?? [], 1);
  return { rows, best: best?.path };
}

/** What of a path's ranges is in the name of the node, counted from the start of the name. */
function inName({ name, path }: TreeNode, ranges: FuzzyMatch["ranges"]): (readonly [number, number])[] {
  const start = path.length - name.length;
  return ranges
    .map(([from, to]) => [Math.max(from, start) - start, Math.min(to, path.length) - start] as const)
    .filter(([from, to]) => from < to);
}

/** The folders above a path, the outermost first. */
export function foldersAbove(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

/** The next row, after `from` and around, whose name begins with what was typed. */
export function typedAhead(rows: readonly TreeRow[], from: number, typed: string): number | undefined {
  const wanted = typed.toLowerCase();
  // One letter moves on; more letters may still fit where we are.
  const start = typed.length === 1 ? from + 1 : from;
  for (let step = 0; step < rows.length; step += 1) {
    const index = (start + step + rows.length) % rows.length;
    if (rows[index]?.node.name.toLowerCase().startsWith(wanted) === true) return index;
  }
  return undefined;
}

/** Sums for every file and every folder above it. */
export function sumsByPath(counts: readonly (readonly [string, number])[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [path, count] of counts) {
    for (const place of [path, ...foldersAbove(path)]) sums.set(place, (sums.get(place) ?? 0) + count);
  }
  return sums;
}
