// Places that something is mounted on and that did not exist: made for as long as a sandbox lives, and taken away after.
//
// Only what still is as it was made, empty or a line of ours, is taken away, so nothing of a person's can be lost. A record is
// written before anything is made. Two processes may need the same place; the last one takes it away, because the mount
// of the other would go with it. What a process that was killed leaves is taken away a moment later by a small shell that
// waits for the end of its input, and should that be gone as well, by the next one that starts.

import { type ChildProcess, spawn } from "node:child_process";
import {
  linkSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { Socket } from "node:net";
import { dirname, join } from "node:path";
import { uniqueSuffix } from "@stet/protocol/ids";
import { isAlive } from "../shell/processes.ts";
import { type GuardedPath, namesIn } from "./guard-path.ts";

export interface MountPoints {
  release(): void;
}

/** Records of this process whose sandbox lives. */
const held = new Set<string>();

interface SandboxRecord {
  readonly made: readonly GuardedPath[];
  /** What it guards inside of the root, see guarded-repositories.ts. */
  readonly inner: readonly string[];
}

/** Whether every sandbox that lives over the same root guards a path inside of it. */
export function guardedByAll(stateFolder: string): (path: string) => boolean {
  const folder = join(stateFolder, "mount-points");
  const living = namesIn(folder).filter(isInUse);
  const guarded = living.map((name) => new Set(readRecord(folder, name).inner));
  return (path) => guarded.every((each) => each.has(path));
}

/** Makes what is missing. Throws errno errors. */
export function holdMountPoints(
  stateFolder: string,
  paths: readonly GuardedPath[],
  inner: readonly string[],
): MountPoints {
  const folder = join(stateFolder, "mount-points");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  removeLeft(folder);
  const others = recordedBy(folder, "");
  const made = paths.flatMap((each) => [...missingAbove(each.path), each]);
  const wanted = made.filter(({ path }) => !exists(path) || others.has(path));
  const name = `${process.pid}-${uniqueSuffix()}.json`;
  writeFileSync(join(folder, name), JSON.stringify({ made: wanted, inner }), { mode: 0o600 });
  held.add(name);
  for (const { path, kind, content = "" } of wanted) {
    if (exists(path)) continue;
    if (kind === "folder") mkdirSync(path);
    else makeFile(path, content);
  }
  // A moment later, when what needs the places is being started: to start a process takes longer than all of this.
  let cleaner: ChildProcess | undefined;
  const starting = setImmediate(() => {
    cleaner = startCleaner(folder, name, wanted);
  });
  return {
    release() {
      clearImmediate(starting);
      if (!held.delete(name)) return;
      removeRecord(folder, name, wanted);
      removeLeft(folder);
      cleaner?.stdin?.end("\n");
    },
  };
}

/** With its whole content at once: git reads some of them. */
function makeFile(path: string, content: string): void {
  const draft = `${path}.stet-${uniqueSuffix()}`;
  writeFileSync(draft, content, { flag: "wx" });
  try {
    linkSync(draft, path);
  } finally {
    unlinkSync(draft);
  }
}

/** Arguments: the folder of the records, the record, and what is to be removed, each with its kind. */
const cleanerScript = `
IFS= read -r line && exit 0
sleep 0.2
cd -- "$1" && rm -f -- "$2" || exit 0
for record in *.json; do kill -0 "\${record%%-*}" 2>/dev/null && exit 0; done
shift 2
while [ "$#" -gt 1 ]; do
  case "$1" in
    folder) rmdir -- "$2" ;;
    *) [ -L "$2" ] || [ ! -f "$2" ] || [ "$(cat -- "$2")" != "\${1#file}" ] || rm -f -- "$2" ;;
  esac
  shift 2
done
`;

function startCleaner(folder: string, name: string, made: readonly GuardedPath[]): ChildProcess {
  const words = made
    .toReversed()
    .flatMap(({ path, kind, content = "" }) => [kind === "folder" ? kind : kind + content.trimEnd(), path]);
  const cleaner = spawn("/bin/sh", ["-c", cleanerScript, "stet", folder, name, ...words], {
    stdio: ["pipe", "ignore", "ignore"],
    env: { PATH: "/usr/bin:/bin" },
    cwd: "/",
    // A session of its own: what ends Stet at its terminal must not end it.
    detached: true,
  });
  cleaner.on("error", () => {});
  cleaner.stdin?.on("error", () => {});
  cleaner.unref();
  if (cleaner.stdin instanceof Socket) cleaner.stdin.unref();
  return cleaner;
}

/** Folders that have to be made first, the outermost first. */
function missingAbove(path: string): GuardedPath[] {
  const missing: GuardedPath[] = [];
  for (let folder = dirname(path); !exists(folder); folder = dirname(folder)) {
    missing.unshift({ path: folder, kind: "folder" });
  }
  return missing;
}

function removeLeft(folder: string): void {
  for (const name of namesIn(folder)) {
    if (!isInUse(name)) removeRecord(folder, name);
  }
}

function removeRecord(
  folder: string,
  name: string,
  own: readonly GuardedPath[] = readRecord(folder, name).made,
): void {
  rmSync(join(folder, name), { force: true });
  const others = recordedBy(folder, name);
  for (const { path, kind, content = "" } of own.toReversed()) {
    if (others.has(path)) continue;
    try {
      if (kind === "folder") rmdirSync(path);
      else if (readFileSync(path, "utf8") === content) unlinkSync(path);
    } catch {
      // Someone has put something in it, or has removed it.
    }
  }
}

function recordedBy(folder: string, except: string): Set<string> {
  const names = namesIn(folder).filter((name) => name !== except && isInUse(name));
  return new Set(names.flatMap((name) => readRecord(folder, name).made.map(({ path }) => path)));
}

function isInUse(name: string): boolean {
  const pid = Number.parseInt(name, 10);
  return pid === process.pid ? held.has(name) : isAlive(pid);
}

function readRecord(folder: string, name: string): SandboxRecord {
  try {
    const { made, inner }: { made?: unknown; inner?: unknown } = JSON.parse(
      readFileSync(join(folder, name), "utf8"),
    );
    return {
      made: Array.isArray(made) ? made.filter(isGuardedPath) : [],
      inner: Array.isArray(inner) ? inner.map(String) : [],
    };
  } catch {
    return { made: [], inner: [] };
  }
}

function isGuardedPath(value: unknown): value is GuardedPath {
  if (typeof value !== "object" || value === null || !("path" in value) || !("kind" in value)) return false;
  if ("content" in value && typeof value.content !== "string") return false;
  return typeof value.path === "string" && (value.kind === "folder" || value.kind === "file");
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
