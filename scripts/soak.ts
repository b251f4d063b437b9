// `npm run soak [SECONDS]`: an hour of turns in three minutes. The server must hold as much memory at the end as it did when
// it was warm, make as many turns a second, and leave no file handle, process or stream behind.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "@stet/client/client";
import { follow } from "@stet/client/follow";
import { isFault } from "@stet/protocol/fault";
import { startScriptedModel } from "@stet/testkit/scripted-model";
import { type Served, serve } from "@stet/testkit/served";
import { must } from "@stet/testkit/workspace";
import { progressLine } from "./progress-line.ts";

const seconds = Number(process.argv[2] ?? 180);
const writers = 6;
const sampleMs = 250;
const folder = mkdtempSync(join(tmpdir(), "stet-soak-"));
const root = join(folder, "root");
mkdirSync(root);
for (let note = 0; note < writers; note += 1) {
  writeFileSync(join(root, `note-${note}.md`), `# Note\n\n${"A line of this note.\n".repeat(200)}`);
}
const model = await startScriptedModel((request) => {
  const from = request.messages.findLastIndex(({ role }) => role === "user");
  const asked = request.messages[from]?.text ?? "";
  const note = /note-\d+\.md/.exec(asked)?.[0] ?? "note-0.md";
  const line = Number(/line (\d+)/.exec(asked)?.[1] ?? 3);
  const done = request.messages.slice(from).filter(({ role }) => role === "toolResult").length;
  if (done === 0) return { toolCalls: [{ name: "read_file", arguments: { file_path: note } }] };
  if (done > 1) return { text: `Line ${line} of ${note} is changed.` };
  const new_text = `Changed ${Math.random()}.`;
  const edit = { file_path: note, operation: "replace", start_line: line, end_line: line, new_text };
  return { toolCalls: [{ name: "edit_file", arguments: edit }] };
});

let turns = 0;
const end = Date.now() + seconds * 1000;

/** Turns on one note, each followed by a reader and decided; a tab and a person's typing beside them. */
async function work(client: Client, number: number): Promise<void> {
  const path = `note-${number}.md`;
  const { document } = must(await client.call("openTab", { body: { path } }));
  for (let turn = 0; Date.now() < end; turn += 1) {
    const { session_id } = must(await client.call("createSession", { body: {} }));
    const instruction = `Change line ${3 + (turn % 150)} of ${path}`;
    const { job_id } = must(await client.call("run", { body: { session_id, instruction } }));
    const reading = new AbortController();
    for await (const event of follow(
      client,
      "streamJobEvents",
      { params: { job_id } },
      { signal: reading.signal },
    )) {
      if (event.type === "diff.generated" || event.type === "job.failed") break;
    }
    reading.abort();
    const job = must(await client.call("getJob", { params: { job_id } }));
    if (job.status === "failed") throw new Error(`a job failed: ${job.error?.message}`);
    const hunks = job.diff_bundle?.files.flatMap((file) => file.hunks.map((hunk) => hunk.hunk_id)) ?? [];
    const accepted_hunk_ids = turn % 3 === 0 ? [] : hunks;
    must(await client.call("apply", { body: { session_id, job_id, accepted_hunk_ids } }));
    const { revision, text } = must(await client.call("getDocument", { params: { document } }));
    const change = turn % 2 === 0 ? [text.length, [0, "x"]] : [text.length - 1, [1]];
    const body = { revision, change: change as [], client: `window-${number}` };
    must(await client.call("changeDocument", { params: { document }, body }));
    must(await client.call("archiveSession", { params: { session_id }, body: {} }));
    turns += 1;
  }
}

function memoryOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

function handlesOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

function childrenOf(pid: number): number {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).length;
}

/** Turns a second in each tenth of the time, from how many there were at each sample. */
function pacesOf(made: readonly number[], tenth: number): number[] {
  const at = (sample: number) => made[Math.min(sample, made.length - 1)] ?? 0;
  return Array.from({ length: 10 }, (_, index) => {
    return ((at((index + 1) * tenth) - at(index * tenth)) * 1000) / (tenth * sampleMs);
  });
}

async function soak(served: Served): Promise<string[]> {
  const pid = served.pid;
  const memory: number[] = [];
  const made: number[] = [];
  const progress = progressLine();
  const before = { handles: handlesOf(pid), children: childrenOf(pid) };
  const sampling = setInterval(() => {
    memory.push(memoryOf(pid));
    made.push(turns);
    const left = Math.max(0, Math.round((end - Date.now()) / 1000));
    progress.show(`${turns} turns, ${Math.round(memory.at(-1) ?? 0)} MB, ${left} s left`);
  }, sampleMs);
  await Promise.all(Array.from({ length: writers }, (_, number) => work(served.client, number)));
  clearInterval(sampling);
  progress.clear();
  // What is on its way may arrive.
  await pause(2000);
  const after = { handles: handlesOf(pid), children: childrenOf(pid) };
  const tenth = Math.floor(memory.length / 10);
  const least = (from: number) => Math.min(...memory.slice(from, from + tenth));
  // The first two tenths are for warming up.
  const [first, last] = [least(2 * tenth), least(memory.length - tenth)];
  const tenths = Array.from({ length: 10 }, (_, at) => least(at * tenth).toFixed(0));
  console.log(`The least memory in each tenth of the time: ${tenths.join(", ")} MB.`);
  console.log(
    `${turns} turns in ${seconds} s. Memory: ${first.toFixed(0)} MB when warm, ${last.toFixed(0)} MB at the end (${(((last - first) / first) * 100).toFixed(1)} %). ` +
      `Handles: ${before.handles} before, ${after.handles} after. Processes: ${before.children} and ${after.children}.`,
  );
  const paces = pacesOf(made, tenth);
  console.log(`Turns a second in each tenth: ${paces.map((pace) => pace.toFixed(1)).join(", ")}.`);
  // The best tenths: others who use the machine make single ones slow.
  const [early, late] = [Math.max(...paces.slice(2, 5)), Math.max(...paces.slice(7))];
  return [
    ...(late < early * 0.9
      ? [`turns have become slower: ${early.toFixed(1)} a second, then ${late.toFixed(1)}`]
      : []),
    ...(last > first * 1.1 ? ["memory has grown by more than a tenth"] : []),
    // Connections to us and to the model are kept for the next request: a few for each writer.
    ...(after.handles > before.handles + 5 * writers ? ["file handles were left open"] : []),
    ...(after.children > before.children ? ["processes were left behind"] : []),
  ];
}

const served = await serve({
  root,
  dataFolder: join(folder, "data"),
  modelUrl: model.url,
  environment: { STET_MAX_RUNNING_JOBS: String(writers) },
});
const problems = await soak(served).finally(async () => {
  await served.stop();
  await model.close();
  rmSync(folder, { recursive: true, force: true });
});
if (isFault(problems) || problems.length > 0) {
  console.error(problems.join("\n"));
  process.exit(1);
}
