// The rules that forbid reading files or have it asked for, as a search through folders and through git needs them.

import type { PermissionEffect, PermissionRule } from "./permission-rule.ts";
import { matchPath } from "./rule-match.ts";

export interface ReadRules {
  readonly targets: readonly string[];
  /** Whether one of them is about this path: from the root, or absolute. */
  readonly isAbout: (path: string) => boolean;
  /** The same in git's words, of those that are about files below the root. */
  readonly pathspecs: readonly string[];
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
    pathspecs: targets.flatMap((target) => pathspecOf(target) ?? []),
  };
}

/** A target is a command, an address or a path, and every one of them may be meant by a rule for all tools. */
function isPath(target: string): boolean {
  return target !== "" && target !== "*" && !/\s|^[a-z*]+:\/\//i.test(target);
}

function pathspecOf(target: string): string | undefined {
  if (/^[~/]/.test(target)) return undefined;
  const plain = target.replace(/^(?:\.\/)+/, "");
  return `:(top,glob,icase)${plain.endsWith("/") ? `${plain}**` : plain}`;
}
