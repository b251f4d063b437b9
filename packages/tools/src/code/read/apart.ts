// Work on bytes that someone else made, in a process of its own: it can be ended whatever it does.
//
// A thread is not enough. A query that never ends sits in native code, where no thread can be stopped, and a document can
// ask for more memory than there is. The process gets no environment, so no keys; it cannot write files or start others
// unless the job is a database's. It ends itself when it takes too much memory, and a little after its time, should the
// one who started it be gone. A few work at once; the others wait, and their time has not begun.

import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import type { DocumentJob } from "./documents/convert-document.ts";
import type { SqliteAnswer, SqliteJob } from "./sqlite/sqlite-job.ts";
import type { PageJob, PageText } from "./web/page-markdown.ts";

/** What can be done apart, and what comes of it. */
export interface ApartWork {
  readonly sqlite: { readonly job: SqliteJob; readonly answer: SqliteAnswer };
  readonly document: { readonly job: DocumentJob; readonly answer: string };
  readonly page: { readonly job: PageJob; readonly answer: PageText };
}

export type ApartKind = keyof ApartWork;

export type ApartRequest = {
  [Kind in ApartKind]: { readonly kind: Kind; readonly job: ApartWork[Kind]["job"] };
}[ApartKind];

/** What the process sends back. */
export type ApartReply =
  | { readonly kind: "done"; readonly value: unknown }
  | { readonly kind: "failed"; readonly reason: string };

export type ApartEnd<Kind extends ApartKind> =
  | { readonly kind: "done"; readonly value: ApartWork[Kind]["answer"] }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "stopped"; readonly by: "time" | "signal" };

export interface ApartOptions {
  readonly signal: AbortSignal;
  readonly milliseconds: number;
}

const maxMegabytes = 768;
const isSource = import.meta.filename.endsWith(".ts");
const processFile = join(import.meta.dirname, `apart-process.${isSource ? "ts" : "js"}`);

const maxAtOnce = 3;
let working = 0;
const waiting: (() => void)[] = [];

export async function workApart<Kind extends ApartKind>(
  kind: Kind,
  job: ApartWork[Kind]["job"],
  options: ApartOptions,
): Promise<ApartEnd<Kind>> {
  // Whoever is done hands its place on, so that nobody gets in between.
  if (working >= maxAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
  else working += 1;
  try {
    return await workNow(kind, job, options);
  } finally {
    const next = waiting.shift();
    if (next === undefined) working -= 1;
    else next();
  }
}

function workNow<Kind extends ApartKind>(
  kind: Kind,
  job: ApartWork[Kind]["job"],
  { signal, milliseconds }: ApartOptions,
): Promise<ApartEnd<Kind>> {
  if (signal.aborted) return Promise.resolve({ kind: "stopped", by: "signal" });
  return new Promise((resolve) => {
    const child = start(kind, milliseconds);
    const end = (result: ApartEnd<Kind>) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      child.kill("SIGKILL");
      resolve(result);
    };
    const stop = () => end({ kind: "stopped", by: "signal" });
    const timer = setTimeout(() => end({ kind: "stopped", by: "time" }), milliseconds);
    signal.addEventListener("abort", stop);
    child.on("message", (reply: ApartEnd<Kind>) => end(reply));
    child.on("error", (error) => end({ kind: "failed", reason: error.message }));
    child.on("exit", (code, by) => end({ kind: "failed", reason: exitReason(code, by) }));
    // Where this fails the process is gone, which its end tells.
    child.send({ kind, job }, () => {});
  });
}

function start(kind: ApartKind, milliseconds: number): ChildProcess {
  const limits = [`--max-old-space-size=${maxMegabytes}`, "--disable-warning=ExperimentalWarning"];
  const rights = kind === "sqlite" ? [] : ["--permission", "--allow-fs-read=*", "--allow-worker"];
  return fork(processFile, [String(milliseconds)], {
    serialization: "advanced",
    execArgv: [...limits, ...rights],
    // Windows starts nothing without it.
    env: process.platform === "win32" ? { SystemRoot: process.env.SystemRoot } : {},
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
}

/** It ends itself, or the system ends it, where it takes too much memory. */
function exitReason(code: number | null, by: string | null): string {
  if (by === "SIGKILL" || by === "SIGABRT" || code === 134) return "it needs more memory than it may have";
  return `the process that read it ended early (${by ?? code})`;
}
