// The files that the person's rules deny reading, as paths that the sandbox covers: there the system holds the rule, whatever a
// command does.
//
// Bounded, and of the moment when the sandbox is started. A file that git tracks is not covered: to git it would look deleted, and
// what it holds is in the repository anyway.

import { homeFolder } from "@stet/workspace/files/state-folder";
import { entriesOnDisk, gitOnDisk } from "./folder-entries.ts";
import type { PermissionRule } from "./permission-rule.ts";
import { everything, hasWildcard, walkedPaths } from "./reach.ts";
import { readRules } from "./read-rules.ts";

const maxCovered = 500;

/** Absolute. */
export function deniedPaths(root: string, rules: readonly PermissionRule[]): readonly string[] {
  const home = homeFolder();
  const { targets, isAbout, pathspecs } = readRules(rules, home, ["deny"]);
  if (targets.length === 0) return [];
  const outside = targets.flatMap((target) => outsidePath(target, home) ?? []);
  if (pathspecs.length === 0) return outside;
  const inRoot = (absolute: string) => absolute.slice(root.length + 1);
  const walk = { ...everything, findsSecrets: false };
  const tree = { entriesIn: entriesOnDisk, shown: inRoot, isRuled: isAbout, hasRules: true };
  const found = walkedPaths(tree, root, walk, maxCovered);
  if (found === "too many") return outside;
  const tracked = gitOnDisk(root).tracked(pathspecs) ?? [];
  const isTracked = (path: string) => tracked.some((file) => file === path || file.startsWith(`${path}/`));
  return [...outside, ...found.filter((path) => !isTracked(inRoot(path)))];
}

/** The file or folder that a target outside of the root names, where it names one. */
function outsidePath(target: string, home: string): string | undefined {
  if (!/^[~/]/.test(target)) return undefined;
  const path = target.replace(/^~(?=\/|$)/, home).replace(/\/(?:\*\*)?$/, "");
  return hasWildcard(path) || path === "" ? undefined : path;
}
