// Files by their names: a glob, or what someone remembers of a path.

import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { defineTool, type ToolOutcome } from "@stet/agent/tool";
import { type Fault, isFault } from "@stet/protocol/fault";
import * as z from "zod";
import { quoted } from "../../call-words.ts";
import { leftOut } from "../../permission/left-out.ts";
import { prompt } from "../../prompt.ts";
import type { CodeContext, CodeTool } from "../code-context.ts";
import { rootPath } from "../root-path.ts";
import { pathScore } from "./fuzzy-path.ts";
import { splitGlob } from "./search-scope.ts";
import { tolerantGlob } from "./tolerant-pattern.ts";

const defaultLimit = 100;
const maxLimit = 1000;
/** Files whose time is looked at; with more, the order is that of the names. */
const maxStats = 5000;
const maxListed = 200_000;
const timeoutMs = 30_000;

export const find: CodeTool = (context) =>
  defineTool({
    name: "find",
    description: prompt(import.meta.url, "find"),
    traits: ["reads"],
    words: ({ pattern }) => `Find files: ${quoted(pattern)}`,
    schema: z.object({
      pattern: z.string().min(1).describe("a glob, or parts of a path"),
      path: z.string().optional().describe("the folder to look in; the root unless given"),
      limit: z.number().int().min(1).max(maxLimit).optional().describe(`${defaultLimit} unless given`),
    }),
    authorise({ path = "." }, call) {
      return context.permit({ tool: "find", targets: [{ kind: "path", path, access: "read" }] }, call);
    },
    async execute({ pattern, path = ".", limit = defaultLimit }, { signal }): Promise<ToolOutcome | Fault> {
      const folder = rootPath(context.workspace, path);
      const prefix = folder === "." ? "" : folder;
      const wanted = rootPath(context.workspace, pattern);
      const isGlob = /[*?[{]/.test(wanted);
      const found = isGlob
        ? await byGlob(context, tolerantGlob(wanted), prefix, signal)
        : await byLetters(context, wanted, prefix, signal);
      if (isFault(found)) return found;
      const effectOf = context.readEffect("find");
      const shown: string[] = [];
      const denied: string[] = [];
      for (const file of found.paths) {
        if (shown.length === limit) break;
        // The name of a file with secrets tells little; what a rule denies is not told of at all.
        (effectOf(file) === "deny" ? denied : shown).push(file);
      }
      const note = leftOut(effectOf, []).note(denied);
      const notes = note === undefined ? [] : [note];
      const count = found.paths.length - denied.length;
      const details = { count, shown: shown.length, files: shown };
      if (shown.length === 0) return { content: ["No files found", ...notes].join("\n"), details };
      const left = count - shown.length;
      const more =
        left > 0 || found.isCut
          ? [`[${found.isCut ? "More than " : ""}${left} more; narrow the pattern]`]
          : [];
      return { content: [...shown, ...more, ...notes].join("\n"), details };
    },
  });

interface FoundPaths {
  readonly paths: readonly string[];
  /** There are files that were not looked at. */
  readonly isCut: boolean;
}

async function byGlob(
  { workspace }: CodeContext,
  glob: string,
  prefix: string,
  signal: AbortSignal,
): Promise<FoundPaths | Fault> {
  // A glob with folders is meant from the folder that was named.
  const full = prefix !== "" && glob.includes("/") ? `${prefix}/${glob}` : glob;
  const { folder } = splitGlob(full);
  const listing = await workspace.list({
    glob: full,
    // A folder that the glob names is asked for, even where it is ignored: it is walked like one in path.
    prefix: folder === "." ? prefix : folder,
    hidden: true,
    limit: maxListed,
    timeoutMs,
    signal,
  });
  if (isFault(listing)) return listing;
  return { paths: await newestFirst(workspace.root.path, listing.files), isCut: listing.truncated };
}

async function newestFirst(root: string, files: readonly string[]): Promise<readonly string[]> {
  if (files.length > maxStats) return files;
  const times = await Promise.all(
    files.map(async (path) => {
      const stats = await lstat(join(root, path)).catch(() => undefined);
      return { path, time: stats?.mtimeMs ?? 0 };
    }),
  );
  return times
    .sort((one, other) => other.time - one.time || (one.path < other.path ? -1 : 1))
    .map(({ path }) => path);
}

async function byLetters(
  { workspace }: CodeContext,
  wanted: string,
  prefix: string,
  signal: AbortSignal,
): Promise<FoundPaths | Fault> {
  const listing = await workspace.list({ prefix, hidden: true, limit: maxListed, timeoutMs, signal });
  if (isFault(listing)) return listing;
  const scored = listing.files.flatMap((path) => {
    const score = pathScore(path, wanted);
    return score === undefined ? [] : [{ path, score }];
  });
  scored.sort((one, other) => other.score - one.score || (one.path < other.path ? -1 : 1));
  const best = scored[0]?.score ?? 0;
  // Where something fits well, letters that happen to be in order somewhere are only noise.
  const good = best >= 700 ? scored.filter(({ score }) => score >= 700) : scored.slice(0, maxLimit);
  return { paths: good.map(({ path }) => path), isCut: listing.truncated };
}
