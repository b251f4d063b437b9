// A server in a process of its own, for bench/agents.ts: starts one turn that sends agents, and says how long it took, how late
// its event loop was meanwhile, and the most that it held.

import { readFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { serve } from "../packages/testkit/src/served.ts";
import { must } from "../packages/testkit/src/workspace.ts";

const [root = "", dataFolder = "", modelUrl = ""] = process.argv.slice(2);
const resolution = 10;

const server = await serve({ root, dataFolder, modelUrl, as: "call" });
const { client } = server;
const { session_id } = must(await client.call("createSession", { body: {} }));
const delay = monitorEventLoopDelay({ resolution });
delay.enable();
const started = performance.now();
const body = { session_id, instruction: "Send @quick_task to each note.", toolset: "code" } as const;
const { job_id } = must(await client.call("run", { body }));
let memory = 0;
for (let status = "queued"; status === "queued" || status === "running"; ) {
  await pause(200);
  memory = Math.max(memory, heldMegabytes());
  ({ status } = must(await client.call("getJob", { params: { job_id } })));
}
delay.disable();
const { agents } = must(await client.call("listAgents", { params: { session_id } }));
process.send?.({
  seconds: (performance.now() - started) / 1000,
  delay: Math.max(0, delay.percentile(99) / 1e6 - resolution),
  memory,
  calls: agents.map(({ status, tool_calls }) => (status === "completed" ? tool_calls : 0)),
});
await server.stop();
process.exit();

/** Each page that several processes share by its part; all pages where the system does not tell that. */
function heldMegabytes(): number {
  if (process.platform !== "linux") return process.memoryUsage.rss() / 1024 ** 2;
  const [, kilobytes] = /^Pss:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/smaps_rollup", "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}
