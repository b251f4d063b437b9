// What the same work costs in a folder that was used for a long time, beside a new folder with the same files.
//
// The two take turns, so that both meet the same machine, and the least of several tries counts. What a process costs is its
// processor time, which others on the machine disturb less than the time on the clock.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { follow } from "../packages/client/src/follow.ts";
import { runStet } from "../packages/testkit/src/run-stet.ts";
import { type ScriptedModel, startScriptedModel } from "../packages/testkit/src/scripted-model.ts";
import { type Served, serve } from "../packages/testkit/src/served.ts";
import { must } from "../packages/testkit/src/workspace.ts";
import type { Bench, Measured } from "./bench.ts";
import { grown, makeFolder, type WorkedFolder } from "./growth-folder.ts";

const mostTimes = 1.2;
/** Types of a browser are known to it, and to nothing else here. */
const inBrowser = "./growth-page.ts";

interface BenchFolder extends WorkedFolder {
  readonly model: ScriptedModel;
}

export interface Both<T> {
  readonly old: T;
  readonly fresh: T;
}

let made: Promise<Both<BenchFolder>> | undefined;

/** Made once for all rows; gone when the process ends. */
function places(): Promise<Both<BenchFolder>> {
  made ??= (async () => {
    const home = mkdtempSync(join(tmpdir(), "stet-growth-"));
    process.once("exit", () => rmSync(home, { recursive: true, force: true }));
    const model = await startScriptedModel((request) => {
      const from = request.messages.findLastIndex(({ role }) => role === "user");
      const done = request.messages.slice(from).filter(({ role }) => role === "toolResult").length;
      const file_path = "part-7/note-7.md";
      if (done === 0) return { toolCalls: [{ name: "read_file", arguments: { file_path } }] };
      if (done > 1) return { text: "The line is changed." };
      const new_text = `Changed ${Math.random()}.`;
      const edit = { file_path, operation: "replace", start_line: 3, end_line: 3, new_text };
      return { toolCalls: [{ name: "edit_file", arguments: edit }] };
    });
    const [old, fresh] = [
      await makeFolder(join(home, "old"), true),
      await makeFolder(join(home, "fresh"), false),
    ];
    return { old: { ...old, model }, fresh: { ...fresh, model } };
  })();
  return made;
}

async function compare(
  runs: number,
  measure: (which: keyof Both<unknown>) => Promise<number>,
): Promise<Measured> {
  const best = { old: Number.POSITIVE_INFINITY, fresh: Number.POSITIVE_INFINITY };
  for (let run = 0; run < runs; run += 1) {
    for (const which of ["fresh", "old"] as const) best[which] = Math.min(best[which], await measure(which));
  }
  return { value: best.old, unit: "ms", against: best.fresh, ratio: best.old / best.fresh };
}

/** The command as a process: the processor time that it used. */
async function command(args: readonly string[]): Promise<Measured> {
  const both = await places();
  return compare(9, async (which) => {
    const { root, environment, model, dataFolder } = both[which];
    const cpuFile = join(dataFolder, "cpu-time");
    const ended = await runStet(args, {
      cwd: root,
      as: "process",
      env: {
        ...environment,
        OPENAI_COMPATIBLE_BASE_URL: `${model.url}/v1`,
        STET_MODEL: "openai-compatible/scripted",
        NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, "report-cpu.ts"))}`,
        STET_BENCH_CPU_FILE: cpuFile,
      },
    });
    if (ended.code !== 0) throw new Error(`stet ${args.join(" ")} ended with ${ended.code}: ${ended.screen}`);
    return Number(readFileSync(cpuFile, "utf8"));
  });
}

/** Milliseconds of processor time that a server has used. Linux counts them in hundredths of a second. */
function cpuOf({ pid }: Served): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

export async function withServers<T>(
  action: (both: Both<Served>) => Promise<T>,
  environment: Readonly<Record<string, string>> = {},
): Promise<T> {
  const both = await places();
  const start = ({ root, dataFolder, model }: BenchFolder) =>
    serve({ root, dataFolder, modelUrl: model.url, environment });
  const servers = { old: await start(both.old), fresh: await start(both.fresh) };
  try {
    return await action(servers);
  } finally {
    for (const served of Object.values(servers)) await served.stop();
  }
}

const jobsInARow = 20;

/** A job from its session to its decision: the server's processor time for it. */
function job(): Promise<Measured> {
  return withServers((both) =>
    compare(5, async (which) => {
      const before = cpuOf(both[which]);
      for (let number = 0; number < jobsInARow; number += 1) await oneJob(both[which]);
      return (cpuOf(both[which]) - before) / jobsInARow;
    }),
  );
}

async function oneJob({ client }: Served): Promise<void> {
  const { session_id } = must(await client.call("createSession", { body: {} }));
  const asked = { session_id, instruction: "Change the line" };
  const { job_id } = must(await client.call("run", { body: asked }));
  const reading = new AbortController();
  const { signal } = reading;
  for await (const { type } of follow(client, "streamJobEvents", { params: { job_id } }, { signal })) {
    if (type === "job.failed") throw new Error("a job failed");
    if (type === "diff.generated") break;
  }
  reading.abort();
  must(await client.call("apply", { body: { session_id, job_id, accepted_hunk_ids: [] } }));
}

/** From the start of the process until it has answered. */
async function start(): Promise<Measured> {
  const both = await places();
  return compare(7, async (which) => {
    const { root, dataFolder, model } = both[which];
    const served = await serve({ root, dataFolder, modelUrl: model.url });
    must(await served.client.call("getWorkspace"));
    const time = cpuOf(served);
    await served.stop();
    return time;
  });
}

async function inPage(what: "page" | "tab"): Promise<Measured> {
  const { measurePage }: { measurePage: MeasurePage } = await import(inBrowser);
  return measurePage(what, compare, withServers);
}

export type MeasurePage = (
  what: "page" | "tab",
  measured: typeof compare,
  serving: typeof withServers,
) => Promise<Measured>;

const count = (number: number) => number.toLocaleString("en");
const size = `${count(grown.turns)} turns, ${count(grown.sessions)} sessions, ${count(grown.documents)} documents with a history and ${count(grown.changes)} changes`;

function bench(name: string, what: string, measure: () => Promise<Measured>): Bench {
  return {
    name: `growth/${name}`,
    what: `${what}, after ${size}`,
    versus: "in a new folder",
    goal: `at most ${mostTimes} times`,
    isReached: ({ ratio }) => (ratio ?? 9) <= mostTimes,
    measure,
  };
}

export const benches: readonly Bench[] = [
  bench("turn", "a turn of stet -p", () => command(["-p", "--review", "none", "Change the line"])),
  bench("continue", "a turn of stet --continue", () =>
    command(["--continue", "-p", "--review", "none", "Change the line"]),
  ),
  bench("review", "stet review", () => command(["review"])),
  bench("sessions", "stet sessions", () => command(["sessions"])),
  bench("start", "starting stet serve", start),
  bench("job", "a job from its session to its decision", job),
  bench("page", "opening the page", () => inPage("page")),
  bench("tab", "opening a tab in it", () => inPage("tab")),
];
