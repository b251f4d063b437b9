// The files and folders of the workspace, to be found by a few letters. The listing is kept for a while; a search goes over all
// of it in slices of a few milliseconds, so that keys are taken in between, and stops when it is aborted. 100,000 files take
// about a tenth of a second.

import { setImmediate } from "node:timers/promises";
import { type Fault, isFault } from "@stet/protocol/fault";
import { FuzzyQuery } from "@stet/tui/components/fuzzy";

/** At most so many files of the workspace. */
export type ListFiles = (limit: number) => Promise<readonly string[] | Fault>;

/** A folder ends in a slash. */
interface IndexedPath {
  readonly path: string;
  readonly lower: string;
}

const maxFiles = 200_000;
const freshMs = 5000;
const defaultSliceMs = 6;
const checkEvery = 512;
/** Folders come first where they fit as well. */
const folderBonus = 40;

export class FileIndex {
  readonly #listFiles: ListFiles;
  readonly #sliceMs: number;
  #paths: readonly IndexedPath[] | undefined;
  #listedAt = Number.NEGATIVE_INFINITY;
  #listing: Promise<readonly IndexedPath[] | undefined> | undefined;

  constructor(listFiles: ListFiles, { sliceMs = defaultSliceMs } = {}) {
    this.#listFiles = listFiles;
    this.#sliceMs = sliceMs;
  }

  /** Whether a search has to wait for the first listing. */
  get isListed(): boolean {
    return this.#paths !== undefined;
  }

  /**
   * The best, at most `limit`: children of a folder for a query that is empty or ends in a slash, else what fits anywhere.
   * Undefined where it was aborted or nothing can be listed.
   */
  async search(query: string, limit: number, signal: AbortSignal): Promise<readonly string[] | undefined> {
    const paths = await this.#known();
    if (paths === undefined || signal.aborted) return undefined;
    const isFolder = query === "" || query.endsWith("/");
    const slices = new Slices(this.#sliceMs);
    return isFolder
      ? children(paths, query, limit, slices, signal)
      : matches(paths, query, limit, slices, signal);
  }

  /** What was listed before is good enough while it is listed anew. */
  #known(): Promise<readonly IndexedPath[] | undefined> {
    const isOld = performance.now() - this.#listedAt > freshMs;
    if (isOld) this.#listing ??= this.#list().finally(() => (this.#listing = undefined));
    if (this.#paths !== undefined) return Promise.resolve(this.#paths);
    return this.#listing ?? Promise.resolve(undefined);
  }

  async #list(): Promise<readonly IndexedPath[] | undefined> {
    const files = await this.#listFiles(maxFiles);
    // Completion is a convenience: what is wrong with the folder is told by what needs it.
    this.#paths = isFault(files) ? (this.#paths ?? []) : await indexed(files, new Slices(this.#sliceMs));
    this.#listedAt = performance.now();
    return this.#paths;
  }
}

/** Each folder before the first file in it. */
async function indexed(files: readonly string[], slices: Slices): Promise<IndexedPath[]> {
  const paths: IndexedPath[] = [];
  const folders = new Set<string>();
  for (const file of files) {
    if (slices.isOver()) await setImmediate();
    // The folders of the file before it are the most likely ones.
    for (let at = file.indexOf("/"); at !== -1; at = file.indexOf("/", at + 1)) {
      const folder = file.slice(0, at + 1);
      if (folders.has(folder)) continue;
      folders.add(folder);
      paths.push({ path: folder, lower: folder.toLowerCase() });
    }
    paths.push({ path: file, lower: file.toLowerCase() });
  }
  return paths;
}

async function children(
  paths: readonly IndexedPath[],
  prefix: string,
  limit: number,
  slices: Slices,
  signal: AbortSignal,
): Promise<string[] | undefined> {
  const lower = prefix.toLowerCase();
  const found: string[] = [];
  for (const { path, lower: pathLower } of paths) {
    if (slices.isOver()) {
      await setImmediate();
      if (signal.aborted) return undefined;
    }
    if (pathLower.length === lower.length || !pathLower.startsWith(lower)) continue;
    const slash = path.indexOf("/", prefix.length);
    if (slash === -1 || slash === path.length - 1) found.push(path);
  }
  const rank = (path: string) => (path.endsWith("/") ? 0 : 1);
  return found.sort((one, other) => rank(one) - rank(other)).slice(0, limit);
}

async function matches(
  paths: readonly IndexedPath[],
  query: string,
  limit: number,
  slices: Slices,
  signal: AbortSignal,
): Promise<string[] | undefined> {
  const fuzzy = new FuzzyQuery(query);
  /** The best first. */
  const best: { path: string; score: number }[] = [];
  for (const { path, lower } of paths) {
    if (slices.isOver()) {
      await setImmediate();
      if (signal.aborted) return undefined;
    }
    const fit = fuzzy.score(lower);
    if (fit === undefined) continue;
    const score = path.endsWith("/") ? fit + folderBonus : fit;
    if (best.length === limit && score <= (best.at(-1)?.score ?? 0)) continue;
    let at = best.length;
    while (at > 0 && (best[at - 1]?.score ?? 0) < score) at--;
    best.splice(at, 0, { path, score });
    if (best.length > limit) best.pop();
  }
  return best.map(({ path }) => path);
}

/** Says when a slice of time is used up. */
class Slices {
  readonly #sliceMs: number;
  #count = 0;
  #since = performance.now();

  constructor(sliceMs: number) {
    this.#sliceMs = sliceMs;
  }

  isOver(): boolean {
    if (++this.#count % checkEvery !== 0 || performance.now() - this.#since < this.#sliceMs) return false;
    this.#since = performance.now();
    return true;
  }
}
