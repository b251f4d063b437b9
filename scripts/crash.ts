// `npm run crash [KILLS] [SEED] [AGENT_KILLS]`: the crash tests at every step of their writes; then a server under load is
// killed at random moments, over and over. After each restart: no decision that was acknowledged is lost, no group of files is
// half written, and every cursor can be resumed from. Then the same while agents and commands are at work (crash-agents.ts).

import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "@stet/client/client";
import type { LogEvent } from "@stet/protocol/events/log-event";
import { isFault } from "@stet/protocol/fault";
import { notes, noteText, numberIn, startNotesModel } from "@stet/testkit/notes-model";
import { Random } from "@stet/testkit/random";
import { serve } from "@stet/testkit/served";
import { crashAgents } from "./crash-agents.ts";
import { progressLine } from "./progress-line.ts";

const crashTests = globSync("packages/workspace/src/**/{*crash,journal}.test.ts");
const tests = spawnSync(
  process.execPath,
  ["--disable-warning=ExperimentalWarning", "scripts/test.ts", "--full", ...crashTests],
  { stdio: "inherit" },
);
if (tests.status !== 0 || crashTests.length < 4) process.exit(1);
const progress = progressLine();
const kills = Number(process.argv[2] ?? 200);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000);
const random = new Random(seed);
const folder = mkdtempSync(join(tmpdir(), "stet-crash-"));
const root = join(folder, "root");
mkdirSync(root);
for (const note of notes) writeFileSync(join(root, note), noteText(0));
const model = await startNotesModel();

/** What was promised: the highest number whose apply was answered. */
let promised = 0;
let next = 1;
let applied = 0;
/** What readers have seen, by job. */
const seen = new Map<string, LogEvent[]>();

/** Jobs, one after the other, until the server is gone. */
async function work(client: Client): Promise<void> {
  const session = await client.call("createSession", { body: {} });
  if (isFault(session)) return;
  const { session_id } = session;
  for (;;) {
    const number = next;
    next += 1;
    const run = await client.call("run", { body: { session_id, instruction: `Write the number ${number}` } });
    if (isFault(run)) return;
    for (let status = ""; status !== "awaiting_review"; ) {
      await pause(5);
      const cursor = seen.get(run.job_id)?.at(-1)?.cursor ?? 0;
      const params = { job_id: run.job_id };
      const page = await client.call("getJobEvents", { params, query: { cursor } });
      if (isFault(page) || page.status === "failed") return;
      seen.set(run.job_id, [...(seen.get(run.job_id) ?? []), ...page.events]);
      status = page.status;
    }
    const job = await client.call("getJob", { params: { job_id: run.job_id } });
    if (isFault(job)) return;
    const hunks = job.diff_bundle?.files.flatMap((file) => file.hunks.map((hunk) => hunk.hunk_id)) ?? [];
    const body = { session_id, job_id: run.job_id, accepted_hunk_ids: hunks };
    const done = await client.call("apply", { body });
    if (isFault(done)) return;
    promised = Math.max(promised, number);
    applied += 1;
  }
}

function problemsOnDisk(): string[] {
  const numbers = notes.map((note) => numberIn(readFileSync(join(root, note), "utf8")));
  if (numbers.includes(undefined)) return ["a note is not whole"];
  if (new Set(numbers).size > 1) return [`the notes differ: ${numbers.join(" and ")}`];
  if ((numbers[0] ?? 0) < promised) return [`${promised} was promised, and the notes say ${numbers[0]}`];
  return [];
}

/** Facts that a reader has seen must be there again under the same cursors, and nothing else may have taken them. */
async function problemsInLogs(client: Client): Promise<string[]> {
  const problems: string[] = [];
  for (const [job, events] of [...seen].slice(-3)) {
    const page = await client.call("getJobEvents", { params: { job_id: job }, query: { limit: 3000 } });
    if (isFault(page)) {
      problems.push(`the log of ${job} cannot be read: ${page.message}`);
      continue;
    }
    const now = new Map(page.events.map((event) => [event.cursor, event]));
    for (const event of events) {
      const same = now.get(event.cursor);
      const isDelta = event.type.endsWith(".delta") || event.type.endsWith(".progress");
      if (same === undefined && !isDelta) problems.push(`${event.type} at ${event.cursor} of ${job} is gone`);
      if (same !== undefined && JSON.stringify(same) !== JSON.stringify(event)) {
        problems.push(`cursor ${event.cursor} of ${job} now names something else`);
      }
    }
  }
  return problems;
}

const found: string[] = [];
for (let kill = 0; kill <= kills && found.length === 0; kill += 1) {
  const served = await serve({ root, dataFolder: join(folder, "data"), modelUrl: model.url });
  found.push(...problemsOnDisk(), ...(await problemsInLogs(served.client)));
  // What waits for review since before is taken back, so that the next number has a clean start.
  await served.client.call("decide", { body: { everything: true, verdict: "reject" } });
  if (kill === kills) {
    await served.stop();
    break;
  }
  const working = work(served.client).catch(() => undefined);
  await pause(20 + random.below(1200));
  await served.kill();
  await working;
  progress.show(`killed ${kill + 1} of ${kills}, ${applied} decisions acknowledged`);
}
progress.clear();
await model.close();
rmSync(folder, { recursive: true, force: true });
if (found.length > 0) {
  console.error(`Seed ${seed}:\n${found.join("\n")}`);
  process.exit(1);
}
console.log(
  `${kills} kills, ${applied} acknowledged decisions: none lost, nothing half written, every cursor good.`,
);

const agentKills = Number(process.argv[4] ?? 50);
const crashed = await crashAgents(agentKills, random, (text) => progress.show(text));
progress.clear();
if (crashed.problems.length > 0) {
  console.error(`Seed ${seed}:\n${crashed.problems.join("\n")}`);
  process.exit(1);
}
console.log(
  `${agentKills} kills with agents at work: ${crashed.ended} had ended and are kept, ${crashed.commands} running commands are gone.`,
);
