// What /debug shows and puts into a report, as text. Everything is bounded: a log by its lines and bytes, events by their
// number and characters.

import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { arch, cpus, freemem, release, totalmem } from "node:os";
import { isFault } from "@stet/protocol/fault";
import { attempt } from "@stet/protocol/system-fault";
import type { App } from "../app.ts";

export const logLimits = { lines: 5000, bytes: 2 * 1024 * 1024, atOnce: 50, reported: 1000 };
export const eventLimits = { events: 1000, characters: 512_000, perEvent: 64_000 };

const megabytes = (bytes: number) => `${Math.round(bytes / 1024 ** 2)} MB`;

export function systemText({ environment, screen, root }: App, version: string): string {
  const [cpu] = cpus();
  const names = ["TERM", "TERM_PROGRAM", "COLORTERM", "LANG", "LC_ALL", "TMUX", "SSH_CONNECTION"];
  return [
    `stet ${version}, node ${process.version}`,
    `${process.platform} ${release()} ${arch()}`,
    `${cpus().length} x ${cpu?.model ?? "unknown"}, ${megabytes(freemem())} of ${megabytes(totalmem())} free`,
    `screen ${screen.columns} x ${screen.rows}`,
    `folder ${root}`,
    ...names.flatMap((name) => (environment[name] === undefined ? [] : `${name}=${environment[name]}`)),
  ].join("\n");
}

export function memoryText(): string {
  const { rss, heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage();
  return [
    `this process ${megabytes(rss)}`,
    `heap ${megabytes(heapUsed)} of ${megabytes(heapTotal)}`,
    `outside of it ${megabytes(external)}, of that buffers ${megabytes(arrayBuffers)}`,
  ].join("\n");
}

export async function performanceText(app: App): Promise<string> {
  const health = await app.api.call("health", {});
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  const own = `this process: up ${Math.round(process.uptime())} s, CPU ${Math.round((userCPUTime + systemCPUTime) / 1000)} ms`;
  if (isFault(health)) return `${own}\nthe host: ${health.message}`;
  return [
    own,
    `the host: up ${health.uptime_seconds} s, ${health.memory_mb} MB`,
    `its event loop is late by ${health.event_loop_delay_ms} ms (99th percentile)`,
  ].join("\n");
}

export async function workText(app: App): Promise<string> {
  const workspace = await app.api.call("getWorkspace", {});
  const jobs = await app.api.call("listJobs", { query: { limit: 20 } });
  if (isFault(workspace)) return workspace.message;
  if (isFault(jobs)) return jobs.message;
  const { lock, subagents_active: subagents, jobs_running: running } = workspace;
  return [
    `${running} jobs at work, ${subagents} subagents`,
    lock.locked
      ? `documents are locked by ${lock.job_id ?? "another process"}: ${lock.purpose}`
      : "nothing is locked",
    "",
    ...jobs.jobs.map(({ job_id, status, created_at, instruction }) => {
      return `${job_id}  ${status}  ${created_at}  ${instruction.replace(/\s+/g, " ").slice(0, 60)}`;
    }),
  ].join("\n");
}

/** The newest lines of the operators' log; a sentence where there is none. */
export function logLines({ environment }: App): readonly string[] | string {
  const { STET_LOG: path = "" } = environment;
  if (path === "" || path === "stderr")
    return "No log is written. Start with STET_LOG=/path/of/a/file to have one.";
  const text = attempt("read", path, () => endOf(path));
  if (isFault(text)) return text.message;
  return text
    .split("\n")
    .filter((line) => line !== "")
    .slice(-logLimits.lines);
}

function endOf(path: string): string {
  const descriptor = openSync(path, "r");
  try {
    const { size } = fstatSync(descriptor);
    const buffer = Buffer.allocUnsafe(Math.min(size, logLimits.bytes));
    const count = readSync(descriptor, buffer, 0, buffer.length, size - buffer.length);
    const text = buffer.toString("utf8", 0, count);
    // The first line is a part of one where the file is longer.
    return size > buffer.length ? text.slice(text.indexOf("\n") + 1) : text;
  } finally {
    closeSync(descriptor);
  }
}

/** The newest events of the workspace and of the session's latest job, as the API streams them. */
export async function eventsText(app: App): Promise<string> {
  const workspace = await app.api.call("getWorkspace", {});
  if (isFault(workspace)) return workspace.message;
  const cursor = Math.max(0, workspace.cursor - eventLimits.events);
  const limit = eventLimits.events;
  const page = await app.api.call("workspaceEvents", { query: { cursor, limit } });
  if (isFault(page)) return page.message;
  const { id } = app.conversation;
  const jobs =
    id === "" ? undefined : await app.api.call("listJobs", { query: { session_id: id, limit: 1 } });
  const job = jobs === undefined || isFault(jobs) ? undefined : jobs.jobs[0];
  const own =
    job === undefined
      ? undefined
      : await app.api.call("getJobEvents", {
          params: { job_id: job.job_id },
          query: { cursor: Math.max(0, job.cursor - limit), limit },
        });
  const events = [...page.events, ...(own === undefined || isFault(own) ? [] : own.events)];
  return boundedEvents(events.map((event) => JSON.stringify(event)));
}

/** The newest ones that there is room for, the oldest first. */
export function boundedEvents(events: readonly string[]): string {
  const kept: string[] = [];
  let left = eventLimits.characters;
  for (const event of events.slice(-eventLimits.events).toReversed()) {
    const cut = event.slice(0, eventLimits.perEvent);
    if (cut.length > left) break;
    left -= cut.length;
    kept.unshift(cut);
  }
  return kept.join("\n");
}
