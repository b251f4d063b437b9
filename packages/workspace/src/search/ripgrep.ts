// The one place that starts ripgrep.
//
//   arguments   no shell, no configuration file of the user's. What comes from outside stands behind `--regexp=`
//               or `--`, so that a pattern or a path that begins with "-" is only a pattern or a path
//   output      in records, handed over in order. The next chunk is read when the reader is done with the last,
//               so a slow reader slows ripgrep down and nothing piles up here
//   end         ripgrep's own, the reader's, a limit, the signal or the timeout. When the promise settles the
//               process is gone, whatever happened
//   exit code   0 and 1 are answers. 2 with a message is a fault; 2 without one means that some file could not
//               be read (`--no-messages` silences exactly those), and the rest of the answer stands

import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { Fault, isFault } from "@stet/protocol/fault";

export interface RipgrepRun {
  readonly cwd: string;
  /** Written by us, never by a person or a model. */
  readonly flags: readonly string[];
  readonly pattern?: string | undefined;
  /** Relative to `cwd`. At least one, or ripgrep would read its standard input. */
  readonly paths: readonly [string, ...string[]];
  /** What ends a record of the output. */
  readonly separator: "\n" | "\0";
  /** Gets the records of one chunk, without their separators. A record that is kept keeps its whole chunk. */
  readonly read: (records: readonly Buffer[]) => ReadMore | Promise<ReadMore>;
  readonly timeoutMs: number;
  readonly maxBytes?: number | undefined;
  readonly maxRecords?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type ReadMore = "more" | "enough";

export interface RipgrepEnd {
  /** `all`: ripgrep said everything. `enough`: the reader stopped it. `limit`: a limit did, before the reader. */
  readonly by: "all" | "enough" | "limit";
  /** Some file or folder could not be read, so it is missing from the output. */
  readonly unreadable: boolean;
  /** Records left out because one alone was over `maxRecordBytes`. */
  readonly oversized: number;
}

const defaultMaxBytes = 256 * 1024 ** 2;
export const maxRecordBytes = 4 * 1024 ** 2;
const maxMessageBytes = 8 * 1024;

/** What ripgrep needs to find the user's global ignore file, and Windows to start a program. */
const passedVariables = ["HOME", "XDG_CONFIG_HOME", "USERPROFILE", "SystemRoot"];

const alwaysFlags = ["--no-config", "--no-messages", "--no-ignore-messages", "--color=never"];

export async function runRipgrep(run: RipgrepRun): Promise<RipgrepEnd | Fault> {
  if (run.signal?.aborted) return abortedFault();
  const program = await ripgrepPath();
  if (isFault(program)) return program;
  const child = start(program, run);
  if (isFault(child)) return child;
  return await follow(child, run);
}

type RipgrepProcess = ChildProcess & { readonly stdout: Readable; readonly stderr: Readable };

function start(program: string, run: RipgrepRun): RipgrepProcess | Fault {
  const pattern = run.pattern === undefined ? [] : [`--regexp=${run.pattern}`];
  const allArguments = [...alwaysFlags, ...run.flags, ...pattern, "--", ...run.paths];
  if (allArguments.some((argument) => argument.includes("\0"))) {
    return new Fault(
      "invalid_arguments",
      "The pattern or the path contains a NUL character, which no text file and no file name has.",
      "Leave the NUL character out.",
    );
  }
  try {
    const child = spawn(program, allArguments, {
      cwd: run.cwd,
      env: Object.fromEntries(passedVariables.map((name) => [name, process.env[name]])),
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
    });
    endWithThisProcess(child);
    return child;
  } catch (error) {
    return startFault(error, run.cwd);
  }
}

async function follow(child: RipgrepProcess, run: RipgrepRun): Promise<RipgrepEnd | Fault> {
  let failure: Fault | undefined;
  const stop = (fault: Fault) => {
    failure ??= fault;
    child.kill("SIGKILL");
  };
  const onAbort = () => stop(abortedFault());
  const timer = setTimeout(() => stop(timeoutFault(run.timeoutMs)), run.timeoutMs);
  run.signal?.addEventListener("abort", onAbort, { once: true });
  if (run.signal?.aborted) onAbort();
  child.on("error", (error) => stop(startFault(error, run.cwd)));
  const closed = new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
    child.on("close", (code, signal) => resolve([code, signal]));
  });
  const message = collectMessage(child.stderr);
  const records = new Records(run.separator);
  try {
    const by = await readAll(child, run, records, () => failure !== undefined);
    if (by !== "all") child.kill("SIGKILL");
    const [code, signal] = await closed;
    if (failure !== undefined) return failure;
    const oversized = records.oversized;
    if (by !== "all") return { by, unreadable: false, oversized };
    return exitFault(code, signal, message()) ?? { by, unreadable: code === 2, oversized };
  } finally {
    clearTimeout(timer);
    run.signal?.removeEventListener("abort", onAbort);
    child.kill("SIGKILL");
    await closed;
  }
}

async function readAll(
  child: RipgrepProcess,
  run: RipgrepRun,
  records: Records,
  hasFailed: () => boolean,
): Promise<RipgrepEnd["by"]> {
  let bytesLeft = run.maxBytes ?? defaultMaxBytes;
  let recordsLeft = run.maxRecords ?? Number.POSITIVE_INFINITY;
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    if (hasFailed()) return "limit";
    bytesLeft -= chunk.length;
    const complete = records.add(chunk).slice(0, recordsLeft);
    recordsLeft -= complete.length;
    if (complete.length > 0 && (await run.read(complete)) === "enough") return "enough";
    if (bytesLeft <= 0 || recordsLeft <= 0) return "limit";
  }
  return "all";
}

/** Cuts chunks into records. A record over `maxRecordBytes` is dropped while it arrives, and counted. */
class Records {
  oversized = 0;
  readonly #separator: number;
  #parts: Buffer[] = [];
  #length = 0;

  constructor(separator: "\n" | "\0") {
    this.#separator = separator.charCodeAt(0);
  }

  add(chunk: Buffer): Buffer[] {
    const complete: Buffer[] = [];
    let from = 0;
    for (let to = chunk.indexOf(this.#separator); to >= 0; to = chunk.indexOf(this.#separator, from)) {
      this.#keep(chunk.subarray(from, to));
      const record = this.#take();
      if (record !== undefined) complete.push(record);
      from = to + 1;
    }
    this.#keep(chunk.subarray(from));
    return complete;
  }

  #keep(part: Buffer): void {
    this.#length += part.length;
    if (this.#length > maxRecordBytes) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  #take(): Buffer | undefined {
    const [first, ...others] = this.#parts;
    const fits = this.#length <= maxRecordBytes;
    this.#parts = [];
    this.#length = 0;
    if (!fits) this.oversized += 1;
    if (!fits) return undefined;
    return first !== undefined && others.length === 0
      ? first
      : Buffer.concat(first ? [first, ...others] : []);
  }
}

/** Reads everything, so that ripgrep never waits for us, and keeps the beginning. */
function collectMessage(stderr: Readable): () => string {
  let message = Buffer.alloc(0);
  stderr.on("data", (chunk: Buffer) => {
    message = Buffer.concat([message, chunk.subarray(0, maxMessageBytes - message.length)]);
  });
  return () => message.toString("utf8").trim();
}

const running = new Set<ChildProcess>();

/** A search that finds nothing writes nothing, so it would not notice that we are gone. */
function endWithThisProcess(child: ChildProcess): void {
  if (running.size === 0) process.on("exit", killRunning);
  running.add(child);
  child.on("close", () => {
    running.delete(child);
    if (running.size === 0) process.off("exit", killRunning);
  });
}

function killRunning(): void {
  for (const child of running) child.kill("SIGKILL");
}

let foundPath: string | undefined;

async function ripgrepPath(): Promise<string | Fault> {
  try {
    foundPath ??= (await import("@vscode/ripgrep")).rgPath;
    return foundPath;
  } catch (error) {
    return new Fault(
      "search_failed",
      "The search program ripgrep is not installed for this system.",
      "Install Stet again with optional dependencies, which carry ripgrep.",
      { platform: process.platform, architecture: process.arch, cause: String(error) },
    );
  }
}

function startFault(error: unknown, cwd: string): Fault {
  return new Fault(
    "search_failed",
    `The search program ripgrep could not be started in ${cwd}: ${String(error)}.`,
    "Check that the folder still exists, and try a shorter pattern if it is very long.",
    { cause: String(error), cwd },
  );
}

function abortedFault(): Fault {
  return new Fault("search_failed", "The search was cancelled.", "Start it again if it is still needed.", {
    reason: "aborted",
  });
}

function timeoutFault(timeoutMs: number): Fault {
  return new Fault(
    "search_timeout",
    "The search took too long and was stopped.",
    "Narrow it to a folder or to fewer files.",
    { timeoutMs },
  );
}

const patternProblem =
  /regex parse error|regex could not be compiled|compiled regex exceeds|not allowed in a regex/;

function exitFault(code: number | null, signal: string | null, message: string): Fault | undefined {
  if (code === 0 || code === 1 || (code === 2 && message === "")) return undefined;
  if (patternProblem.test(message)) {
    // Behind the first empty line ripgrep recommends its own flags, which cannot be set here.
    const problem = (message.split("\n\n")[0] ?? message).replace(/^rg: /, "");
    return new Fault(
      "invalid_regex",
      `The pattern is not a regular expression that the search understands: ${problem}`,
      "Correct it, or search for the literal text. Look-around and backreferences are not supported.",
      { problem },
    );
  }
  const ending = signal === null ? `with code ${code}` : `by ${signal}`;
  return new Fault(
    "search_failed",
    `The search ended ${ending}${message === "" ? "" : `: ${message}`}.`,
    "Try again, in one folder or with a simpler pattern.",
    { code, signal, message },
  );
}
