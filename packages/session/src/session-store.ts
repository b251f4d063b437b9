// All sessions of a person, by project: create, find, list, fork, rename, remove.
//
// Nothing here writes to a session of another project, or to a file that is forked from: what was there stays.

import {
  closeSync,
  cpSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
} from "node:fs";
import { join, resolve, sep } from "node:path";
import { type Fault, isFault } from "@stet/protocol/fault";
import { attempt } from "@stet/protocol/system-fault";
import { makeDurableFolder, replaceFile, writeAll } from "@stet/storage/durable-file";
import { readMark, removeMark } from "@stet/storage/mark";
import { tellNotice } from "@stet/storage/notices";
import { ArtifactFolder } from "./artifacts.ts";
import { BlobStore } from "./blob-store.ts";
import { followBreadcrumb, leaveBreadcrumb } from "./breadcrumbs.ts";
import { newSessionId, type SessionHeader, sessionVersion, type TitleSource } from "./entry.ts";
import { asHeader, parseLine } from "./entry-line.ts";
import { noteOpened } from "./opened-sessions.ts";
import { entriesForBranch } from "./session-branch.ts";
import { type FoundSession, findSession, isHere, notFound } from "./session-find.ts";
import {
  type ListedSessionFile,
  latestSessionFiles,
  readSessionInfo,
  type SessionInfo,
  sessionFiles,
  sessionPaths,
} from "./session-listing.ts";
import { SessionLog, type SessionLogTarget } from "./session-log.ts";
import { artifactFolderOf, projectFolderName, sessionFileName } from "./session-paths.ts";
import { Session } from "./session-tree.ts";

export interface SessionStoreOptions {
  readonly dataFolder: string;
  /** See `currentTerminalId`. Without it, "continue" goes by time only. */
  readonly terminalId?: string | undefined;
}

export class SessionStore {
  readonly blobs: BlobStore;
  readonly #dataFolder: string;
  readonly #sessionsFolder: string;
  readonly #terminalId: string | undefined;

  constructor(options: SessionStoreOptions) {
    this.#dataFolder = resolve(options.dataFolder);
    this.#terminalId = options.terminalId;
    this.#sessionsFolder = join(this.#dataFolder, "sessions");
    this.blobs = new BlobStore(join(this.#dataFolder, "blobs"));
  }

  projectFolder(cwd: string): string {
    return join(this.#sessionsFolder, projectFolderName(cwd));
  }

  /** A new session. Its file appears with the first answer. */
  create(cwd: string, parentSession?: string): Session {
    const header = this.#newHeader(cwd, parentSession);
    return new Session(SessionLog.create(header, this.#targetFor(header)));
  }

  /** A session that leaves nothing behind. */
  inMemory(cwd: string): Session {
    return new Session(SessionLog.create(this.#newHeader(cwd), { path: undefined, blobs: undefined }));
  }

  open(path: string): Session | Fault {
    const log = SessionLog.open(path, this.blobs);
    if (isFault(log)) return log;
    if (this.#isInSessionsFolder(resolve(path))) noteOpened(path);
    this.#remember(log.header.cwd, path);
    return new Session(log);
  }

  /** What this terminal last had here, else the latest of this project, else a new one. */
  continueRecent(cwd: string): Session {
    const fromBreadcrumb =
      this.#terminalId === undefined ? undefined : followBreadcrumb(this.#dataFolder, this.#terminalId, cwd);
    const paths = [
      ...(fromBreadcrumb ? [fromBreadcrumb] : []),
      ...this.recent(cwd, 5).map((info) => info.path),
    ];
    for (const path of paths) {
      const session = this.open(path);
      // One that cannot be opened stays in the list; going on with another is better than none.
      if (!isFault(session)) return session;
      tellNotice(session);
    }
    return this.create(cwd);
  }

  /** By a path, or by the beginning of an id: first in this project, then in all. */
  find(idOrPath: string, cwd: string): FoundSession | Fault {
    return findSession(idOrPath, cwd, sessionPaths(this.projectFolder(cwd)), () => this.#allPaths());
  }

  /** The sessions of a project, latest first. */
  list(cwd: string): readonly SessionInfo[] {
    return this.#infosOf(sessionFiles(this.projectFolder(cwd)), cwd, Number.POSITIVE_INFINITY);
  }

  /** The latest sessions of a project; files beyond the limit are not read. */
  recent(cwd: string, limit: number): readonly SessionInfo[] {
    const folder = this.projectFolder(cwd);
    const found = this.#infosOf(latestSessionFiles(folder, 2 * limit), cwd, limit);
    // Some of the files may be of another folder, or no sessions.
    return found.length < limit ? this.#infosOf(sessionFiles(folder), cwd, limit) : found;
  }

  #infosOf(files: readonly ListedSessionFile[], cwd: string, limit: number): SessionInfo[] {
    const found: SessionInfo[] = [];
    for (const { path } of files) {
      if (found.length >= limit) break;
      const info = readSessionInfo(path);
      if (info !== undefined && isHere(info, cwd)) found.push(info);
    }
    return found;
  }

  /** The sessions of all projects, latest first. */
  listAll(): readonly SessionInfo[] {
    return this.#allPaths()
      .flatMap((path) => readSessionInfo(path) ?? [])
      .sort((one, other) => other.modified - one.modified);
  }

  /** A copy of a whole session in a project, whatever version or folder it comes from: also how files are imported. */
  fork(path: string, cwd: string): Session | Fault {
    const content = attempt("read", path, () => readFileSync(path));
    if (isFault(content)) return content;
    const headerEnd = content.indexOf(0x0a) + 1;
    const source = asHeader(parseLine(content.toString("utf8", 0, headerEnd)));
    if (source === undefined) return notFound(path);
    const { id, timestamp } = this.#newHeader(cwd);
    const header = { ...source, id, timestamp, cwd: resolve(cwd), parentSession: path };
    const target = join(this.projectFolder(cwd), sessionFileName(timestamp, id));
    const copied = attempt("written", target, () => {
      makeDurableFolder(this.projectFolder(cwd));
      replaceFile(target, `${target}.tmp`, (descriptor) => {
        writeAll(descriptor, Buffer.from(`${JSON.stringify(header)}\n`));
        writeAll(descriptor, content.subarray(headerEnd));
      });
      const artifacts = artifactFolderOf(path);
      if (this.#isInSessionsFolder(resolve(path)) && existsSync(artifacts))
        cpSync(artifacts, artifactFolderOf(target), { recursive: true });
    });
    return isFault(copied) ? copied : this.open(target);
  }

  /** A new session that begins with the path to an entry of this one; its labels come along. */
  branchOff(session: Session, entryId: string | null): Session | Fault {
    const entries = entriesForBranch(session, entryId);
    if (isFault(entries)) return entries;
    const header = this.#newHeader(session.header.cwd, session.log.path ?? session.header.id);
    const log = SessionLog.createWith(header, this.#targetFor(header), entries);
    return isFault(log) ? log : new Session(log);
  }

  rename(path: string, title: string, source: TitleSource = "user"): Fault | undefined {
    const log = SessionLog.open(path, this.blobs);
    if (isFault(log)) return log;
    if (this.#isInSessionsFolder(resolve(path))) noteOpened(path);
    return log.rename(title, source);
  }

  /** Removes the session and its artifacts. Blobs remain until `collectBlobs`: other sessions may share them. */
  remove(path: string): Fault | undefined {
    const target = resolve(path);
    // A damaged session can be removed in the sessions folder; elsewhere it could be anything.
    if (!this.#isInSessionsFolder(target) && readSessionInfo(target) === undefined) return notFound(path);
    return attempt("removed", target, () => {
      // One that is gone leaves its mark.
      if (existsSync(target) || readMark(target) === undefined)
        rmSync(target, { recursive: this.#isInSessionsFolder(target) });
      removeMark(target);
      rmSync(`${target}.torn`, { force: true });
      if (this.#isInSessionsFolder(target))
        rmSync(artifactFolderOf(target), { recursive: true, force: true });
      return undefined;
    });
  }

  /** Undefined for a session in memory. */
  artifacts(session: Session): ArtifactFolder | undefined {
    const { path } = session.log;
    if (path === undefined) return undefined;
    const isHere = this.#isInSessionsFolder(resolve(path));
    return new ArtifactFolder(isHere ? artifactFolderOf(path) : `${resolve(path)}.artifacts`);
  }

  /** Removes the artifacts of sessions that wrote none for so long, 30 days unless given. Returns how many folders. */
  removeOldArtifacts(maxAgeMilliseconds = 30 * 86_400_000): number {
    const folders = this.#allPaths().map(artifactFolderOf);
    const old = folders.filter((folder) => {
      const stats = statSync(folder, { throwIfNoEntry: false });
      return stats !== undefined && Date.now() - stats.mtimeMs > maxAgeMilliseconds;
    });
    for (const folder of old) rmSync(folder, { recursive: true, force: true });
    return old.length;
  }

  /** Removes blobs that no session refers to. Returns how many. */
  collectBlobs(minAgeMilliseconds?: number): number | Fault {
    const texts = this.#allPaths()
      .values()
      .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true)
      .flatMap((path) => pieces(path));
    return attempt("collected", this.blobs.folder, () => this.blobs.collect(texts, minAgeMilliseconds));
  }

  /** Beside a session file anywhere else, a folder of the same name is the person's own. */
  #isInSessionsFolder(path: string): boolean {
    return path.startsWith(join(this.#sessionsFolder, sep)) && path.endsWith(".jsonl");
  }

  #newHeader(cwd: string, parentSession?: string): SessionHeader {
    const timestamp = new Date().toISOString();
    const parent = parentSession === undefined ? {} : { parentSession };
    return {
      type: "session",
      version: sessionVersion,
      id: newSessionId(),
      timestamp,
      cwd: resolve(cwd),
      ...parent,
    };
  }

  #targetFor({ cwd, timestamp, id }: SessionHeader): SessionLogTarget {
    const path = join(this.projectFolder(cwd), sessionFileName(timestamp, id));
    return { path, blobs: this.blobs, onCreated: () => this.#remember(cwd, path) };
  }

  #remember(cwd: string, path: string): void {
    // A session whose header is damaged belongs to no folder.
    if (this.#terminalId !== undefined && cwd !== "")
      leaveBreadcrumb(this.#dataFolder, this.#terminalId, cwd, resolve(path));
  }

  #allPaths(): string[] {
    const names = attempt("listed", this.#sessionsFolder, () => readdirSync(this.#sessionsFolder));
    return isFault(names) ? [] : names.flatMap((name) => sessionPaths(join(this.#sessionsFolder, name)));
  }
}

/** A file may be larger than a string can be. The pieces overlap by more than a reference is long. */
function* pieces(path: string): Generator<string> {
  const overlap = 128;
  const buffer = Buffer.allocUnsafe(4 * 1024 * 1024);
  const descriptor = openSync(path, "r");
  try {
    for (let position = 0; ; position += buffer.length - overlap) {
      const count = readSync(descriptor, buffer, 0, buffer.length, position);
      if (count === 0) return;
      yield buffer.toString("latin1", 0, count);
    }
  } finally {
    closeSync(descriptor);
  }
}
