// What changes in a folder while we look.
//
//   changes     one per path and window: the window opens with the first change and is `debounceMs` long, so that
//               steady writing delays nothing forever. They are hints, and under a flood the system may lose some:
//               a writer compares the file itself before it writes
//   create      also when a rename put a file where one was, as editors and Stet save
//   delete      of a folder stands for everything that was in it
//   new folder  its contents follow as creates of their own; the system does not tell of those that were quicker
//               than the watcher
//   too many    over `maxPending` paths, or after an error, there is one change of "": everything may differ
//   ignored     .git, .stet, node_modules, the files that Stet lays beside others while it writes, and `ignore`:
//               globs as in listing.ts, of files or of whole folders

import { lstat, readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { AsyncSubscription, Event, SubscribeCallback } from "@parcel/watcher";
import { Fault, isFault } from "@stet/protocol/fault";
import { errnoCode } from "@stet/protocol/system-fault";
import { compileGlob } from "../search/glob.ts";

export interface FolderChange {
  /** Relative to the watched folder, with "/". A file or a folder. */
  readonly path: string;
  readonly kind: "create" | "update" | "delete";
}

export interface WatchOptions {
  readonly debounceMs?: number | undefined;
  readonly ignore?: readonly string[] | undefined;
  readonly maxPending?: number | undefined;
}

export interface FolderWatch {
  /** When it settles, nothing more is reported and nothing keeps the process from its end. */
  close(): Promise<void>;
}

const minRestartDelay = 100;
const maxRestartDelay = 30_000;

const alwaysIgnored = [".git", ".stet", "node_modules", ".stet-*.{tmp,old}"];

export async function watchFolder(
  rootPath: string,
  onChanges: (changes: readonly FolderChange[]) => void,
  options: WatchOptions = {},
): Promise<FolderWatch | Fault> {
  const globs = [...alwaysIgnored, ...(options.ignore ?? [])];
  const isIgnored = ignoring(globs);
  if (isFault(isIgnored)) return isIgnored;
  const { debounceMs = 50, maxPending = 10_000 } = options;
  const watch = new Watch({ rootPath, onChanges, globs, isIgnored, debounceMs, maxPending });
  return (await watch.start()) ?? watch;
}

interface WatchSettings {
  readonly rootPath: string;
  readonly onChanges: (changes: readonly FolderChange[]) => void;
  readonly globs: readonly string[];
  readonly isIgnored: (path: string) => boolean;
  readonly debounceMs: number;
  readonly maxPending: number;
}

class Watch implements FolderWatch {
  readonly #settings: WatchSettings;
  readonly #closing = new AbortController();
  #pending: Pending;
  #subscription: AsyncSubscription | undefined;
  #timer: NodeJS.Timeout | undefined;
  #reporting = Promise.resolve();
  #restarting: Promise<void> | undefined;
  #restartDelay = minRestartDelay;
  #lastRestart = Number.NEGATIVE_INFINITY;
  #closed: Promise<void> | undefined;

  constructor(settings: WatchSettings) {
    this.#settings = settings;
    this.#pending = new Pending(settings.maxPending);
  }

  async start(): Promise<Fault | undefined> {
    const { rootPath, globs } = this.#settings;
    const subscription = await subscribe(rootPath, this.#receive, globs);
    if (isFault(subscription)) return subscription;
    this.#subscription = subscription;
    return undefined;
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    await this.#restarting;
    await this.#stop();
    await this.#reporting;
  }

  async #stop(): Promise<void> {
    const subscription = this.#subscription;
    this.#subscription = undefined;
    // It fails where the folder is gone, and with it everything there was to stop.
    await subscription?.unsubscribe().catch(() => {});
  }

  #receive: SubscribeCallback = (error, events) => {
    if (this.#closing.signal.aborted) return;
    if (error !== null) {
      this.#pending.overflow();
      this.#restarting ??= this.#restart();
    }
    const { rootPath, isIgnored } = this.#settings;
    for (const event of events ?? []) {
      const path = relative(rootPath, event.path).split(sep).join("/");
      if (path === "") this.#pending.overflow();
      else if (!isIgnored(path)) this.#pending.add(path, event.type);
    }
    if (this.#pending.size > 0) this.#schedule();
  };

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#reporting = this.#reporting.then(() => this.#report());
    }, this.#settings.debounceMs);
  }

  async #report(): Promise<void> {
    const { rootPath, onChanges, isIgnored, maxPending } = this.#settings;
    const batch = this.#pending;
    this.#pending = new Pending(maxPending);
    await addContents(batch, rootPath, isIgnored);
    if (!this.#closing.signal.aborted && batch.size > 0) onChanges(batch.changes());
  }

  /**
   * After an error, be it a signal that came at the wrong moment, the watcher is dead and says nothing more. One
   * that dies again and again is started ever more seldom, since each start makes callers look at everything.
   */
  async #restart(): Promise<void> {
    const { signal } = this.#closing;
    const isFirstForLong = performance.now() - this.#lastRestart > 10 * maxRestartDelay;
    let delay = isFirstForLong ? minRestartDelay : this.#restartDelay;
    for (let isStarted = false; !isStarted && !signal.aborted; delay = Math.min(2 * delay, maxRestartDelay)) {
      await pause(delay, undefined, { signal }).catch(() => {});
      await this.#stop();
      if (!signal.aborted) isStarted = (await this.start()) === undefined;
    }
    this.#restartDelay = delay;
    this.#lastRestart = performance.now();
    this.#restarting = undefined;
    if (signal.aborted) return;
    this.#pending.overflow();
    this.#schedule();
  }
}

async function subscribe(
  rootPath: string,
  onEvents: SubscribeCallback,
  globs: readonly string[],
): Promise<AsyncSubscription | Fault> {
  try {
    if (!(await lstat(rootPath)).isDirectory()) return watchFault(rootPath, "it is not a folder");
    if (process.platform === "linux") await tryToWatch(rootPath);
    const watcher = await import("@parcel/watcher");
    return await watcher.subscribe(rootPath, onEvents, { ignore: globs.flatMap(nativeGlobs) });
  } catch (error) {
    return watchFault(rootPath, error instanceof Error ? error.message : String(error));
  }
}

/**
 * Where the system has no inotify instance left, @parcel/watcher (2.6.0) does not fail but blocks the whole process
 * forever. So something that does fail asks first; in a thread, because Node keeps one instance for each and would
 * not ask a second time.
 */
function tryToWatch(rootPath: string): Promise<void> {
  const script = `require("node:fs").watch(require("node:worker_threads").workerData).close()`;
  const worker = new Worker(script, { eval: true, workerData: rootPath, execArgv: [] });
  return new Promise((resolve, reject) => {
    worker.on("error", reject);
    worker.on("exit", () => resolve());
  });
}

/** Ignored again here, where it saves the system a watch for every folder below. */
function nativeGlobs(glob: string): string[] {
  if (glob.startsWith("!")) return [];
  const inside = glob.replace(/^\.?\//, "").replace(/\/$/, "");
  const anchored = glob.replace(/\/$/, "").includes("/") ? inside : `**/${inside}`;
  return [anchored, `${anchored}/**`];
}

/** Whether a glob means the path or a folder that it is in. */
function ignoring(globs: readonly string[]): ((path: string) => boolean) | Fault {
  const compiled: ((path: string) => boolean)[] = [];
  for (const glob of globs) {
    const means = compileGlob(glob.replace(/(?<=.)\/$/, ""));
    if (isFault(means)) return means;
    compiled.push(means);
  }
  return (path) => {
    const names = path.split("/");
    return names.some((_, depth) => {
      const part = names.slice(0, depth + 1).join("/");
      return compiled.some((means) => means(part));
    });
  };
}

/** The changes of one window, one per path; or, over its limit, only that there were too many. */
class Pending {
  readonly #limit: number;
  readonly #kinds = new Map<string, FolderChange["kind"]>();
  /** Paths that came into being, whatever was there before, and may be folders with contents. */
  readonly #created = new Set<string>();
  #isOver = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#isOver ? 1 : this.#kinds.size;
  }

  add(path: string, kind: Event["type"]): void {
    if (this.#isOver) return;
    this.#kinds.set(path, together(this.#kinds.get(path), kind));
    if (kind === "create") this.#created.add(path);
    else if (kind === "delete") this.#created.delete(path);
    if (this.#kinds.size > this.#limit) this.overflow();
  }

  /** In a folder that is new everything is, also where only a later change of it was heard of. */
  addFound(path: string): void {
    this.#kinds.delete(path);
    this.add(path, "create");
  }

  overflow(): void {
    this.#isOver = true;
    this.#kinds.clear();
    this.#created.clear();
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  created(): string[] {
    return [...this.#created];
  }

  changes(): FolderChange[] {
    if (this.#isOver) return [{ path: "", kind: "update" }];
    return [...this.#kinds].map(([path, kind]) => ({ path, kind }));
  }
}

/**
 * A file created and deleted in one window is still reported as deleted: what looks like a creation may have been
 * a rename over a file that was there before.
 */
function together(
  earlier: FolderChange["kind"] | undefined,
  later: FolderChange["kind"],
): FolderChange["kind"] {
  if (earlier === undefined || later === "delete") return later;
  return earlier === "create" ? "create" : "update";
}

async function addContents(
  pending: Pending,
  rootPath: string,
  isIgnored: (path: string) => boolean,
): Promise<void> {
  const folders: string[] = [];
  for (const path of pending.created()) {
    const entry = await unlessGone(lstat(join(rootPath, path)));
    if (entry?.isDirectory()) folders.push(path);
  }
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = (await unlessGone(readdir(join(rootPath, folder), { withFileTypes: true }))) ?? [];
    for (const entry of entries) {
      const path = `${folder}/${entry.name}`;
      if (isIgnored(path)) continue;
      pending.addFound(path);
      if (entry.isDirectory()) folders.push(path);
    }
    if (pending.isOver) return;
  }
}

/** What the system refuses is no bug here: the next change tells what became of the path. */
async function unlessGone<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (errnoCode(error) === undefined) throw error;
    return undefined;
  }
}

function watchFault(rootPath: string, reason: string): Fault {
  return new Fault(
    "io_failed",
    `Changes in ${rootPath} cannot be watched: ${reason}.`,
    "Stet compares files before it uses them instead. On Linux, a higher fs.inotify.max_user_watches may help.",
    { path: rootPath, reason },
  );
}
