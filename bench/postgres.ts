// Several workers on one PostgreSQL, one of them killed every two seconds, and another paused until it is given up: does
// every job end once, is every change and every decision there in the end?
//
//   node bench/postgres.ts            a minute with three workers
//   SECONDS=20 WORKERS=4 node bench/postgres.ts

import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Host } from "@stet/host/host";
import { defaultLimits } from "@stet/host/limits";
import { openPostgres } from "@stet/postgres/open-postgres";
import { postgresHosting } from "@stet/postgres/postgres-hosting";
import type { PostgresStore } from "@stet/postgres/postgres-store";
import { type Fault, isFault } from "@stet/protocol/fault";
import { modelOf } from "@stet/testkit/model-of";
import { startPostgres } from "@stet/testkit/postgres";

const seconds = Number(process.env.SECONDS ?? 60);
const workers = Number(process.env.WORKERS ?? 3);
const killEvery = 2000;
const lifetime = 2000;
const pauseFor = 3000;
const script = fileURLToPath(import.meta.resolve("@stet/testkit/worker-child"));

function must<T>(value: T | Fault): T {
  if (isFault(value)) throw new Error(`${value.message} ${value.suggestion}`);
  return value;
}

interface Site {
  readonly service: Host;
  readonly store: PostgresStore;
  readonly spawnWorker: () => ChildProcess;
}

async function openSite(url: string, folder: string): Promise<Site> {
  const root = join(folder, "root");
  const dataFolder = join(folder, "data");
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, "a.txt"), "start");
  const store = must(await openPostgres(url, root, { lifetime }));
  const service = must(
    await Host.open(root, {
      environment: { XDG_CONFIG_HOME: folder, STET_DATA_DIR: dataFolder },
      dataFolder,
      limits: { ...defaultLimits, max_sessions: 100_000, max_queued_jobs: 100_000 },
      hosting: postgresHosting(store),
      model: async () => ({ model: modelOf([]) }),
    }),
  );
  const options = { url, root, dataFolder, lifetime, delayMs: 60, retries: 1000, concurrency: 3 };
  const flags = ["--disable-warning=ExperimentalWarning", script, JSON.stringify(options)];
  // Nothing is forgotten that is to be counted.
  const env = { ...process.env, STET_MAX_SESSIONS: "100000" };
  const spawnWorker = () => spawn(process.execPath, flags, { env, stdio: ["ignore", "ignore", "inherit"] });
  return { service, store, spawnWorker };
}

async function startJob({ service }: Site, word: string): Promise<string> {
  const session = must(await service.sessions.create());
  const request = { toolset: "project", model: "", maxToolCalls: null, tab: null } as const;
  return must(await service.startJob(session, { ...request, instruction: `append ${word} to a.txt` })).id;
}

/** Accepts every turn as it comes; returns when none is left. */
async function decide({ service, store }: Site, accepted: Set<string>): Promise<void> {
  for (const job of await store.jobs({ status: "awaiting_review", limit: 1000 })) {
    const { turn } = job;
    if (turn === null || accepted.has(turn)) continue;
    const decided = await store.sharing?.exclusively(() => service.workspace.review.accept({ turn }));
    if (!isFault(decided)) accepted.add(turn);
  }
}

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function main(): Promise<number> {
  const server = await startPostgres();
  if (typeof server === "string") {
    console.log(server);
    return 0;
  }
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "stet-bench-")));
  const site = await openSite(await server.database(), folder);
  const children = Array.from({ length: workers }, site.spawnWorker);
  const jobs = new Map<string, string>();
  const accepted = new Set<string>();
  let [kills, pauses] = [0, 0];
  const killer = setInterval(() => {
    const at = kills % workers;
    children[at]?.kill("SIGKILL");
    children[at] = site.spawnWorker();
    kills += 1;
    const paused = children[(kills + 1) % workers];
    if (kills % 3 !== 0) return;
    pauses += 1;
    paused?.kill("SIGSTOP");
    setTimeout(() => paused?.kill("SIGCONT"), pauseFor).unref();
  }, killEvery);
  const started = performance.now();
  try {
    while (performance.now() - started < seconds * 1000) {
      const word = `word${jobs.size}`;
      jobs.set(await startJob(site, word), word);
      await decide(site, accepted);
      await wait(150);
    }
    clearInterval(killer);
    const deadline = performance.now() + 60_000;
    const isOver = async () =>
      (await site.store.jobs({ limit: 100_000 })).every(({ finishedAt }) => finishedAt !== null);
    while (!(await isOver()) && performance.now() < deadline) {
      await decide(site, accepted);
      await wait(200);
    }
    return await report(
      site,
      jobs,
      accepted,
      `${kills} killed, ${pauses} paused`,
      (performance.now() - started) / 1000,
    );
  } finally {
    clearInterval(killer);
    for (const child of children) child.kill("SIGKILL");
    await site.service.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function report(
  { service, store }: Site,
  jobs: ReadonlyMap<string, string>,
  accepted: ReadonlySet<string>,
  harm: string,
  took: number,
): Promise<number> {
  must([await store.sharing?.refresh()]);
  const { documents } = service.workspace;
  const lines = must(documents.open("a.txt")).pending.base.toString().split("\n");
  let [ended, twice, unended] = [0, 0, 0];
  const broken: string[] = [];
  for (const [id, word] of jobs) {
    const job = await store.job(id);
    const events = await store.events(`job:${id}`, 0, 100_000);
    const proposed = events.filter(({ type }) => type === "diff.generated").length;
    const ends = events.filter(({ type }) => type === "job.completed" || type === "job.failed").length;
    const seen = lines.filter((line) => line === word).length;
    if (job?.status === "completed" && ends === 1 && proposed === 1) ended += 1;
    else if (ends > 1 || proposed > 1) twice += 1;
    else unended += 1;
    if (seen !== 1) broken.push(`${word}: ${seen} times, ${job?.status}`);
  }
  console.log(
    `${jobs.size} jobs, ${workers} workers, ${harm} in ${took.toFixed(0)} s: ${ended} ended once, ` +
      `${twice} twice, ${unended} not; ${accepted.size} decisions; ${broken.length} changes lost or doubled`,
  );
  for (const line of broken.slice(0, 10)) console.log(`  ${line}`);
  return twice + unended + broken.length === 0 ? 0 : 1;
}

process.exitCode = await main();
