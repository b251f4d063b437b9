// Work on bytes that someone else made, in a process of its own: it can be ended whatever it does.
//
// A thread is not enough. A query that never ends sits in native code, where no thread can be stopped, and a document can
// ask for more memory than there is. The process gets no environment, so no keys; it cannot write files or start others
// unless the job is a database's. It ends itself when it takes too much memory, and a little after its time, should the
// one who started it be gone. A few work at once, and the others wait. Time counts from when the work begins.

import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { Slots } from "@stet/agent/slots";
import type { DocumentJob } from "./documents/convert-document.ts";
import type { FittedPicture, PictureJob } from "./fit-picture.ts";
import type { SqliteAnswer, SqliteJob } from "./sqlite/sqlite-job.ts";
import type { FeedJob } from "./web/feed-markdown.ts";
import type { PageJob, PageText } from "./web/page-markdown.ts";

/** What can be done apart, and what comes of it. */
export interface ApartWork {
  readonly sqlite: { readonly job: SqliteJob; readonly answer: SqliteAnswer };
  readonly document: { readonly job: DocumentJob; readonly answer: string };
  readonly picture: { readonly job: PictureJob; readonly answer: FittedPicture };
  readonly feed: { readonly job: FeedJob; readonly answer: string };
  readonly page: { readonly job: PageJob; readonly answer: PageText };
}

export type ApartKind = keyof ApartWork;

export type ApartRequest = {
  [Kind in ApartKind]: { readonly kind: Kind; readonly job: ApartWork[Kind]["job"] };
}[ApartKind];

/** The process is there and waits for its job. */
export interface ApartReady {
  readonly kind: "ready";
}

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
/** Milliseconds that a machine with much else to do may take to start a process. */
const startTime = 20_000;
const isSource = import.meta.filename.endsWith(".ts");
const processFile = join(import.meta.dirname, `apart-process.${isSource ? "ts" : "js"}`);

const slots = new Slots(3);

export async function workApart<Kind extends ApartKind>(
  kind: Kind,
  job: ApartWork[Kind]["job"],
  options: ApartOptions,
): Promise<ApartEnd<Kind>> {
  if (!(await slots.take(options.signal))) return { kind: "stopped", by: "signal" };
  try {
    return await workNow(kind, job, options);
  } finally {
    slots.give();
  }
}

function workNow<Kind extends ApartKind>(
  kind: Kind,
  job: ApartWork[Kind]["job"],
  { signal, milliseconds }: ApartOptions,
): Promise<ApartEnd<Kind>> {
  return new Promise((resolve) => {
    const child = start(kind, milliseconds);
    const end = (result: ApartEnd<Kind>) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      child.kill("SIGKILL");
      resolve(result);
    };
    const stop = () => end({ kind: "stopped", by: "signal" });
    const runOut = () => end({ kind: "stopped", by: "time" });
    let timer = setTimeout(runOut, startTime);
    signal.addEventListener("abort", stop);
    child.on("message", (reply: ApartEnd<Kind> | ApartReady) => {
      if (reply.kind !== "ready") return end(reply);
      clearTimeout(timer);
      timer = setTimeout(runOut, milliseconds);
      // Where this fails the process is gone, which its end tells.
      child.send({ kind, job }, () => {});
    });
    child.on("error", (error) => end({ kind: "failed", reason: error.message }));
    child.on("exit", (code, by) => end({ kind: "failed", reason: exitReason(code, by) }));
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
