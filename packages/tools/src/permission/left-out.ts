// What a tool that goes through many files leaves out of its answer: files that the person would be asked about, because they may
// hold secrets, and files that a rule denies. Nobody is asked because of a search; whoever names such a file is.

import type { ToolContext } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import { compileGlob } from "@stet/workspace/search/glob";
import type { PermissionEffect, PermissionRequest } from "./permission-rule.ts";

/** What would be said to a tool that reads this file: a path from the root. */
export type ReadEffect = (path: string) => PermissionEffect;

/** How tools that read are held to the rules. */
export interface ReadPermissions {
  /** Undefined means allowed. */
  readonly permit: (request: PermissionRequest, call: ToolContext) => Promise<Fault | undefined>;
  /** What would be said to a tool of this name for each file that it comes by. */
  readonly readEffect: (tool: string) => ReadEffect;
}

export interface LeftOut {
  readonly isLeftOut: (path: string) => boolean;
  /** What the model is told of the files that were left out; undefined where none was. */
  readonly note: (paths: readonly string[]) => string | undefined;
}

const maxNamed = 5;

/** `named` are the files, folders and globs that the call names, which it was permitted to read. */
export function leftOut(effectOf: ReadEffect, named: readonly string[]): LeftOut {
  const asked = named.filter((path) => effectOf(path) === "ask").map(coveredBy);
  const isAsked = (path: string) => asked.some((covers) => covers(path));
  return {
    isLeftOut(path) {
      const effect = effectOf(path);
      return effect === "deny" || (effect === "ask" && !isAsked(path));
    },
    note(paths) {
      const denied = paths.filter((path) => effectOf(path) === "deny").length;
      const secret = paths.filter((path) => effectOf(path) !== "deny");
      const notes: string[] = [];
      if (secret.length > 0) {
        const rest = secret.length - maxNamed;
        const names = `${secret.slice(0, maxNamed).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
        notes.push(`Left out because they may hold secrets: ${names}. Name one to ask the person for it.`);
      }
      if (denied > 0)
        notes.push(`Left out because a rule denies reading: ${denied} ${denied === 1 ? "file" : "files"}.`);
      return notes.length === 0 ? undefined : `[${notes.join(" ")}]`;
    },
  };
}

/** The files that a name in a call is about: the file, what is in the folder, or what the glob fits. */
function coveredBy(name: string): (path: string) => boolean {
  const fits = compileGlob(name);
  return (path) =>
    path === name || path.startsWith(`${name}/`) || (!isFault(fits) && /[*?[{]/.test(name) && fits(path));
}

/** For a document that is open already, so that nobody is asked: only what a rule denies is refused. */
export function deniedReading(effectOf: ReadEffect | undefined, path: string | null): Fault | undefined {
  if (path === null || effectOf?.(path) !== "deny") return undefined;
  return new Fault(
    "not_allowed",
    `A rule of the person denies reading ${path}.`,
    "Go on without it, or tell the person which rule is in the way. Do not try to get around it.",
    { path },
  );
}
