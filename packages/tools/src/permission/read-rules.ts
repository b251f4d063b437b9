// The rules that forbid reading files or have it asked for, as a search through folders and through git needs them.

import type { PermissionEffect, PermissionRule } from "./permission-rule.ts";
import { matchPath } from "./rule-match.ts";

export interface ReadRules {
  readonly targets: readonly string[];
  /** Whether one of them is about this path: from the root, or absolute. */
  readonly isAbout: (path: string) => boolean;
  /** The same in git's words, of those that are about files below the root. */
  readonly pathspecs: readonly string[];
  /** Of those the ones that can be about files in a folder, or about a file: by its path from the root. */
  readonly pathspecsIn: (path: string) => readonly string[];
}

export function readRules(
  rules: readonly PermissionRule[],
  home: string,
  effects: readonly PermissionEffect[] = ["deny", "ask"],
): ReadRules {
  const targets = rules
    .filter(({ effect, tool }) => effects.includes(effect) && (tool === "read" || tool === "*"))
    .map(({ target }) => target.trim())
    .filter(isPath);
  return {
    targets,
    isAbout: (path) => targets.some((target) => matchPath(target, [path], home, "generous") === "yes"),
    pathspecs: targets.flatMap(pathspecsOf),
    pathspecsIn: (path) => targets.flatMap((target) => pathspecsOf(targetIn(target, path))),
  };
}

/** A target is a command, an address or a path, and every one of them may be meant by a rule for all tools. */
function isPath(target: string): boolean {
  return target !== "" && target !== "*" && !/\s|^[a-z*]+:\/\//i.test(target);
}

function pathspecsOf(target: string | undefined): readonly string[] {
  if (target === undefined || /^[~/]/.test(target)) return [];
  const plain = target.replace(/^(?:\.\/)+/, "");
  return [`:(top,glob,icase)${plain.endsWith("/") ? `${plain}**` : plain}`];
}

/** The target as far as it is about a folder: undefined where it is about others. */
function targetIn(target: string, path: string): string | undefined {
  const plain = target.replace(/^(?:\.\/)+/, "");
  if (path === ".") return plain;
  if (plain.startsWith("**/")) return `${path}/${plain}`;
  const wild = plain.search(/[*?]/);
  const fixed = (wild === -1 ? plain : plain.slice(0, plain.lastIndexOf("/", wild) + 1)).toLowerCase();
  const folder = `${path.toLowerCase()}/`;
  // One that begins with a wildcard may be about this folder, too.
  return fixed === "" || `${fixed}/`.startsWith(folder) || folder.startsWith(fixed) ? plain : undefined;
}
