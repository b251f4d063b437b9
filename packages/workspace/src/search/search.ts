// Text search over the files that listing.ts lists, without those that are not text.
//
//   result      neighbouring lines of one file with at least one match, and the context that was asked for.
//               Results that overlap or touch are one; over `maxSnippetLines` the rest is the next result
//   positions   lines and columns count from 1; columns and lengths are UTF-16 units of the whole line, also
//               where the snippet shows the line cut. A match over several lines counts a line end as one
//   order       by path, then line
//   limit       the first pass uses all cores and counts every match. If there are too many to count, a second
//               one goes through the tree in order and stops when it has enough. So the same search of the same
//               files always gives the same results, however many there are
//   proof       what is shown stands in a file that was opened and proved to be inside (prove-results.ts)
//   query       one with a line break matches across lines, any other within one line

import { Fault, isFault } from "@stet/protocol/fault";
import type { Root } from "../files/containment.ts";
import { compileGlob } from "./glob.ts";
import { type ListingOptions, listFiles, type SearchRoot, scopeOf, toRipgrep, walkFlags } from "./listing.ts";
import { provedResults } from "./prove-results.ts";
import { type ReadMore, runRipgrep } from "./ripgrep.ts";
import {
  bounded,
  Findings,
  type ResultLimits,
  type RipgrepMessage,
  type SearchResult,
} from "./search-results.ts";

export interface SearchOptions extends ListingOptions {
  readonly query: string;
  readonly isRegex?: boolean | undefined;
  readonly caseSensitive?: boolean | undefined;
  readonly wholeWord?: boolean | undefined;
  /** Several files or folders instead of one prefix. */
  readonly prefixes?: readonly string[] | undefined;
  /** As `glob`, but several, of which one has to fit; no list of files is made first, which is quicker for many files. */
  readonly walkGlobs?: readonly string[] | undefined;
  /** Names of ripgrep's file types, such as `ts` or `py`. */
  readonly types?: readonly string[] | undefined;
  /** Files whose lines are not to be shown, by their paths from the root. */
  readonly isLeftOut?: ((path: string) => boolean) | undefined;
  /** Whether `.` and negated classes match line ends, too. */
  readonly multiline?: boolean | undefined;
  /** Results to leave out at the beginning. */
  readonly skip?: number | undefined;
  /** Cut so that a match with its context fits into `maxSnippetLines`. */
  readonly contextLines?: number | undefined;
  readonly maxSnippetLines?: number | undefined;
  /** A longer line is cut with an ellipsis, around its first match. */
  readonly maxLineLength?: number | undefined;
}

export interface SearchOutcome {
  readonly results: readonly SearchResult[];
  /** Something that matches is not in the results. */
  readonly truncated: boolean;
  /** All matches there are, or null if they were not all counted or a file could not be read. */
  readonly total: number | null;
  /** Files with matches that were left out because of `isLeftOut`. */
  readonly leftOut: readonly string[];
}

export const defaultLimit = 20;
export const maxLimit = 500;
const maxCountedLines = 10_000;
const maxCountedBytes = 32 * 1024 ** 2;
const maxGlobbedFiles = 100_000;
/** Windows takes 32,767 characters of arguments; other systems at least 256 KiB. */
const maxNamedBytes = process.platform === "win32" ? 20_000 : 192 * 1024;

export async function searchFiles(root: Root, options: SearchOptions): Promise<SearchOutcome | Fault> {
  if (options.query === "") {
    return new Fault("content_required", "The query is empty.", "Say what to search for.");
  }
  const isWanted = wantedPaths(options.walkGlobs);
  if (isFault(isWanted)) return isWanted;
  const request = { ...requestOf(root.path, options), isWanted };
  const places = await placesOf(request, options);
  if (isFault(places)) return places;
  let found = await pass(request, places.list, "counting");
  if (!isFault(found) && !found.isComplete) found = await pass(request, places.list, "in order");
  if (isFault(found)) return found;
  const { results, isMore } = found.take(request.limit, request.skip);
  const proved = provedResults(root, results);
  // One that was changed meanwhile is a match that is not shown.
  const isAll = found.isComplete && !places.truncated && proved.length === results.length;
  return {
    results: proved.map(({ pieces, ...result }) => result),
    truncated: !isAll || isMore || found.hasLeftOut,
    total: isAll && found.isCounted ? found.matchCount : null,
    leftOut: [...found.leftOut].sort(),
  };
}

/** The options with their defaults and bounds, and the query in ripgrep's words. */
interface Request extends ResultLimits {
  readonly rootPath: string;
  readonly pattern: string;
  readonly flags: readonly string[];
  readonly skip: number;
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
  readonly isWanted: (path: string) => boolean;
  readonly isLeftOut: (path: string) => boolean;
}

function requestOf(rootPath: string, options: SearchOptions): Omit<Request, "isWanted"> {
  const { isRegex = false, caseSensitive = true, wholeWord = false, timeoutMs = 10_000 } = options;
  const maxSnippetLines = bounded(options.maxSnippetLines ?? 20, 1, 1000);
  const contextLines = bounded(options.contextLines ?? 0, 0, Math.floor((maxSnippetLines - 1) / 2));
  const query = options.query.replaceAll("\r\n", "\n");
  const flags = ["--crlf", caseSensitive ? "--case-sensitive" : "--ignore-case", `--context=${contextLines}`];
  if (wholeWord) flags.push("--word-regexp");
  const isMultiline =
    options.multiline === true || query.includes("\n") || (isRegex && /(?<!\\)(?:\\\\)*\\n/.test(query));
  if (options.multiline) flags.push("--multiline-dotall");
  for (const type of options.types ?? []) flags.push(`--type=${type}`);
  if (isMultiline) flags.push("--multiline");
  else if (!isRegex) flags.push("--fixed-strings");
  return {
    rootPath,
    pattern: isMultiline && !isRegex ? query.split("\n").map(escapeRegex).join("\\r?\\n") : query,
    flags,
    limit: bounded((options.limit ?? defaultLimit) + (options.skip ?? 0), 1, maxLimit),
    skip: bounded(options.skip ?? 0, 0, maxLimit),
    maxSnippetLines,
    maxLineLength: bounded(options.maxLineLength ?? 500, 20, 10_000),
    deadline: performance.now() + timeoutMs,
    isLeftOut: options.isLeftOut ?? (() => false),
    signal: options.signal,
  };
}

function escapeRegex(text: string): string {
  return text.replace(/[\\.+*?()|[\]{}^$#&~-]/g, "\\$&");
}

function timeLeft(request: Request): number {
  return Math.max(1, request.deadline - performance.now());
}

/** A folder to walk, with the flags that say which of its files to look into. */
interface SearchFolder {
  readonly folder: SearchRoot;
  readonly flags: readonly string[];
}

async function placesOf(
  request: Request,
  options: SearchOptions,
): Promise<{ list: readonly SearchFolder[]; truncated: boolean } | Fault> {
  const { rootPath, signal } = request;
  const { prefix, glob, prefixes, hidden = false } = options;
  if (prefixes !== undefined || glob === undefined) {
    const list: SearchFolder[] = [];
    for (const one of prefixes ?? [prefix]) {
      const scope = await scopeOf(rootPath, one);
      if (isFault(scope)) return scope;
      const names = options.types === undefined ? nameFlags(options.walkGlobs ?? []) : [];
      const everything = { folder: scope, flags: [...names, ...walkFlags(rootPath, scope, hidden)] };
      list.push(scope.isFile ? placeOf(rootPath, [scope.path], true) : everything);
    }
    return { list, truncated: false };
  }
  const scope = await scopeOf(rootPath, prefix);
  if (isFault(scope)) return scope;
  const limit = maxGlobbedFiles;
  const listing = await listFiles(rootPath, { prefix, glob, limit, timeoutMs: timeLeft(request), signal });
  if (isFault(listing)) return listing;
  const list = grouped(listing.files).map((files) => placeOf(rootPath, files, scope.isFile));
  return { list, truncated: listing.truncated };
}

/**
 * Ripgrep's own globs would bring back what is ignored, its types do not; they look at names only. The rest of each glob
 * is compared when a file is found.
 */
function nameFlags(globs: readonly string[]): string[] {
  const names = globs.map((glob) => glob.slice(glob.lastIndexOf("/") + 1));
  if (names.length === 0 || names.some((name) => name === "" || name === "**" || name.startsWith("!")))
    return [];
  return [...names.map((name) => `--type-add=wanted:${name}`), "--type=wanted"];
}

function wantedPaths(globs: readonly string[] | undefined): ((path: string) => boolean) | Fault {
  const compiled: ((path: string) => boolean)[] = [];
  for (const glob of globs ?? []) {
    const isWanted = compileGlob(glob);
    if (isFault(isWanted)) return isWanted;
    compiled.push(isWanted);
  }
  return compiled.length === 0 ? () => true : (path) => compiled.some((isWanted) => isWanted(path));
}

/**
 * Each file is named by a glob that means it and nothing else. Were they arguments, ripgrep would search them
 * even if they are binary.
 */
function placeOf(rootPath: string, files: readonly string[], hidden: boolean): SearchFolder {
  const folder = { path: commonFolder(files), isFile: false };
  return { folder, flags: [...walkFlags(rootPath, folder, hidden), ...files.map(flagFor)] };
}

function flagFor(file: string): string {
  return `--glob=/${file.replace(/[\\*?[\]{}!\s]/g, "\\$&")}`;
}

/** In groups of which each fits into the arguments of one process. */
function grouped(files: readonly string[]): string[][] {
  const groups: string[][] = [];
  let bytesLeft = 0;
  for (const file of files) {
    const bytes = Buffer.byteLength(flagFor(file)) + 1;
    if (bytes > bytesLeft) {
      groups.push([]);
      bytesLeft = maxNamedBytes;
    }
    groups.at(-1)?.push(file);
    bytesLeft -= bytes;
  }
  return groups;
}

function commonFolder(files: readonly string[]): string {
  const [first = [], ...others] = files.map((file) => file.split("/").slice(0, -1));
  const differs = first.findIndex((name, depth) => others.some((names) => names[depth] !== name));
  return first.slice(0, differs < 0 ? first.length : differs).join("/");
}

type Way = "counting" | "in order";

async function pass(request: Request, places: readonly SearchFolder[], way: Way): Promise<Findings | Fault> {
  const found = new Findings(request, request);
  const mostLines = way === "counting" ? maxCountedLines : request.limit * request.maxSnippetLines + 1;
  const isEnough = () =>
    way === "counting" ? found.lineCount >= maxCountedLines : found.resultCount > request.limit;
  const read = (records: readonly Buffer[]): ReadMore => {
    for (const record of records) {
      const message: RipgrepMessage = JSON.parse(record.toString());
      found.add(message);
      if (message.type === "end" && isEnough()) return "enough";
    }
    return way === "counting" && isEnough() ? "enough" : "more";
  };
  for (const place of places) {
    const end = await runRipgrep({
      cwd: request.rootPath,
      flags: [
        "--json",
        `--max-count=${mostLines}`,
        ...(way === "in order" ? ["--sort=path"] : []),
        ...request.flags,
        ...place.flags,
      ],
      pattern: request.pattern,
      paths: [toRipgrep(place.folder.path)],
      separator: "\n",
      read,
      maxBytes: way === "counting" ? maxCountedBytes : undefined,
      timeoutMs: timeLeft(request),
      signal: request.signal,
    });
    if (isFault(end)) return end;
    if (end.oversized > 0) found.hasLeftOut = true;
    if (end.oversized > 0 || end.unreadable) found.isCounted = false;
    if (end.by !== "all") {
      found.isComplete = false;
      break;
    }
  }
  return found;
}
