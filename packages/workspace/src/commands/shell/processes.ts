// The processes of commands, and their end.
//
// Every process that a command starts inherits a marker in its environment, and keeps it however far it forks away
// (setsid, nohup, a double fork). A process belongs to a marker when it carries it, or descends from one that does.

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { uptime } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { uniqueSuffix } from "@stet/protocol/ids";

export const markerName = "STET_COMMAND";

/** The system counts the age of a process in hundredths of a second since it was started. */
const ticksPerSecond = 100;

/**
 * A marker for processes that are started from now on; what follows its dot tells them apart. It begins with the time, so
 * that processes that are older need not be looked into.
 */
export function newMarker(): string {
  return `${Math.floor(uptime() * ticksPerSecond).toString(36)}-${uniqueSuffix()}.`;
}

/** How long a process may take to end by itself after it was asked to. */
export const graceMs = 2000;

interface Listed {
  readonly pid: number;
  readonly parent: number;
  readonly isMarked: boolean;
  /** Whether it is young enough to carry the marker, and shows no environment at all. */
  readonly isBlank: boolean;
}

/** Living processes of a marker. A marker that ends in a dot or a dash stands for all that begin with it. */
export function processesOf(marker: string): readonly number[] {
  return scanProcesses(marker).pids;
}

export interface ProcessScan {
  readonly pids: readonly number[];
  /**
   * Whether these are certainly all. A process that began while the others were read is not among them, and one that is
   * just becoming another program (execve) shows no environment for a moment.
   */
  readonly isComplete: boolean;
}

/** `onFound` is called with one that carries the marker the moment it is found. */
export function scanProcesses(marker: string, onFound: (pid: number) => void = () => {}): ProcessScan {
  if (process.platform !== "linux") return { pids: withDescendants(listOther(marker)), isComplete: false };
  const begun = processesBegun();
  const all = listLinux(marker, onFound);
  const isComplete = begun !== undefined && begun === processesBegun() && !all.some((entry) => entry.isBlank);
  return { pids: withDescendants(all), isComplete };
}

function withDescendants(all: readonly Listed[]): number[] {
  const owned = new Set(all.filter((entry) => entry.isMarked).map((entry) => entry.pid));
  const children = Map.groupBy(all, (entry) => entry.parent);
  for (const pid of owned) {
    // What is added while the set is walked is walked as well.
    for (const child of children.get(pid) ?? []) owned.add(child.pid);
  }
  owned.delete(process.pid);
  return [...owned];
}

/** Asks processes to end, and after the grace makes them. Resolves when none is left, or when one cannot be ended. */
export async function endProcesses(marker: string, grace = graceMs): Promise<void> {
  const deadline = performance.now() + grace;
  let scan = scanProcesses(marker);
  let known = scan.pids;
  const asked = new Set<number>();
  for (let pause = 5; known.length > 0 && performance.now() < deadline; pause = Math.min(2 * pause, 80)) {
    ask(known.filter((pid) => !asked.has(pid)));
    for (const pid of known) asked.add(pid);
    await sleep(pause);
    const left = known.filter(isAlive);
    // Looking through all processes is dear, so it waits until those that are known have ended.
    if (left.length === 0) scan = scanProcesses(marker);
    known = left.length > 0 ? left : scan.pids;
  }
  if (known.length > 0 || !scan.isComplete) await killProcesses(marker, asked.size > 0);
}

/**
 * All are stopped first: otherwise a shell whose program has ended would begin what comes next, before it hears of it itself.
 * Those that lead a process group go on last: one that ends while others of its group are stopped makes the system send
 * them SIGHUP, which ends them whatever they do about SIGTERM. It may end while it is itself being stopped.
 */
function ask(pids: readonly number[]): void {
  for (const pid of pids) signal(pid, "SIGSTOP");
  const { leaders = [], members = [] } = Object.groupBy(pids, (pid) =>
    statusOf(pid)?.group === pid ? "leaders" : "members",
  );
  for (const pid of [...members, ...leaders]) {
    signal(pid, "SIGTERM");
    signal(pid, "SIGCONT");
  }
}

const maxRounds = 200;
/** Where scans are not complete: so many that find none are believed, and so many where some were found before. */
const enough = 3;
const enoughAfterSome = 24;

/**
 * Stops them, each as it is found, before they are killed: a stopped one cannot put another in its place. It is over with a
 * complete scan that finds none.
 */
async function killProcesses(marker: string, wereSome: boolean): Promise<void> {
  let empty = 0;
  for (let round = 0; round < maxRounds; round += 1) {
    const { pids, isComplete } = scanProcesses(marker, stop);
    if (pids.length === 0) {
      empty += 1;
      if (isComplete || empty >= (wereSome ? enoughAfterSome : enough)) return;
    } else {
      wereSome = true;
      empty = 0;
      for (const pid of pids) stop(pid);
      const stopped = new Set([...pids, ...scanProcesses(marker, stop).pids]);
      for (const pid of stopped) signal(pid, "SIGKILL");
    }
    await sleep(Math.min(2 + round, 20));
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || statusOf(pid)?.state !== "Z";
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** The children of a process. */
export function childrenOf(pid: number): number[] {
  return listLinux("").flatMap((entry) => (entry.parent === pid ? [entry.pid] : []));
}

/** How many living processes carry a marker that begins so, or descend from one that does. */
export function countMarked(beginning: string): number {
  return processesOf(beginning).length;
}

/** How many processes a process and all below it are. */
export function countBelow(pid: number): number {
  let count = 0;
  const pending = [pid];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (statusOf(next)?.state === "Z") continue;
    count += 1;
    try {
      for (const task of readdirSync(`/proc/${next}/task`)) {
        const children = readFileSync(`/proc/${next}/task/${task}/children`, "latin1");
        for (const child of children.split(" ")) if (child !== "") pending.push(Number(child));
      }
    } catch {
      // It has just ended.
    }
  }
  return count;
}

function stop(pid: number): void {
  signal(pid, "SIGSTOP");
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended meanwhile, or belongs to someone else.
  }
}

function listLinux(marker: string, onFound: (pid: number) => void = () => {}): Listed[] {
  const wanted = markedText(marker, "\0");
  const since = Number.parseInt(marker, 36) - ticksPerSecond;
  const listed: Listed[] = [];
  const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
  // The newest first: those are the ones that may put another in their place while the others are read.
  for (const pid of pids.reverse()) {
    const status = statusOf(pid);
    if (status === undefined || status.state === "Z" || status.state === "X") continue;
    // Also a marker that does not begin with a time is found.
    const mayBe = marker !== "" && !(status.started < since);
    const environment = mayBe ? environmentOf(pid) : undefined;
    const isMarked = environment?.includes(wanted) === true;
    if (isMarked) onFound(pid);
    listed.push({ pid, parent: status.parent, isMarked, isBlank: environment === "" && !status.isOfKernel });
  }
  return listed;
}

/** How many processes the system has begun since its start; undefined where it does not count them. */
function processesBegun(): number | undefined {
  try {
    const [, count] = /^processes (\d+)$/m.exec(readFileSync("/proc/stat", "latin1")) ?? [];
    return Number(count) || undefined;
  } catch {
    return undefined;
  }
}

interface Status {
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly started: number;
  readonly isOfKernel: boolean;
}

/** A bit of a process's flags: PF_KTHREAD. */
const kernelThread = 0x200000;

function statusOf(pid: number): Status | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name in brackets may contain anything, brackets and spaces too.
    const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
    const isOfKernel = (Number(fields[6]) & kernelThread) !== 0;
    const [state = "", parent, group] = fields;
    const started = Number(fields[19]);
    return { state, parent: Number(parent), group: Number(group), started, isOfKernel };
  } catch {
    return undefined;
  }
}

/** Undefined where it has ended or belongs to someone else. */
function environmentOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    return undefined;
  }
}

function listOther(marker: string): Listed[] {
  const wanted = markedText(marker, " ");
  try {
    const options = { encoding: "utf8", maxBuffer: 64 * 1024 ** 2 } as const;
    const table = execFileSync("/bin/ps", ["-axEwwo", "pid=,ppid=,command="], options);
    return table.split("\n").flatMap((line) => {
      const [, pid, parent] = /^\s*(\d+)\s+(\d+)\s/.exec(line) ?? [];
      if (pid === undefined) return [];
      return {
        pid: Number(pid),
        parent: Number(parent),
        isMarked: `${line} `.includes(wanted),
        isBlank: false,
      };
    });
  } catch {
    return [];
  }
}

function markedText(marker: string, end: string): string {
  return `${markerName}=${marker}${/[.-]$/.test(marker) ? "" : end}`;
}
