// The server under load: many jobs at once, and many small requests.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startScriptedModel } from "../packages/testkit/src/scripted-model.ts";
import { type Served, serve } from "../packages/testkit/src/served.ts";
import { must } from "../packages/testkit/src/workspace.ts";
import type { Bench, Measured } from "./bench.ts";

const jobs = 50;
const callsPerJob = 20;

/** A server over a folder of notes, with a model that reads twenty files and then changes one line. */
async function withServer<T>(action: (served: Served) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "stet-bench-"));
  const root = join(folder, "root");
  mkdirSync(root);
  for (let note = 0; note < jobs; note += 1) {
    writeFileSync(join(root, `note-${note}.md`), `# Note ${note}\n\n${"Some words of a note.\n".repeat(50)}`);
  }
  const model = await startScriptedModel((request) => {
    const calls = request.messages.filter(({ role }) => role === "toolResult").length;
    const asked = JSON.stringify(request.messages[0] ?? "");
    const note = /note-\d+\.md/.exec(asked)?.[0] ?? "note-0.md";
    if (calls < callsPerJob - 1) {
      return { toolCalls: [{ name: "read_file", arguments: { file_path: note, start_line: calls + 1 } }] };
    }
    if (calls === callsPerJob - 1) {
      const edit = {
        file_path: note,
        operation: "replace",
        start_line: 1,
        end_line: 1,
        new_text: "# Changed",
      };
      return { toolCalls: [{ name: "edit_file", arguments: edit }] };
    }
    return { text: "Done." };
  });
  const served = await serve({
    root,
    dataFolder: join(folder, "data"),
    modelUrl: model.url,
    environment: {
      STET_MAX_RUNNING_JOBS: String(jobs),
      STET_MAX_TOOL_CALLS_PER_JOB: "30",
      STET_MAX_JOBS_PER_SESSION: "1000",
    },
  });
  try {
    return await action(served);
  } finally {
    await served.stop();
    await model.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface JobFigures {
  readonly seconds: number;
  readonly delay: number;
  readonly failed: number;
}

let jobFigures: Promise<JobFigures> | undefined;

async function manyJobs(): Promise<JobFigures> {
  return withServer(async ({ client }) => {
    const { session_id } = must(await client.call("createSession", { body: {} }));
    const sessions = await Promise.all(
      Array.from(
        { length: jobs },
        async () => must(await client.call("createSession", { body: {} })).session_id,
      ),
    );
    must(await client.call("health"));
    const started = performance.now();
    const ids = await Promise.all(
      sessions.map(async (session, note) => {
        const body = { session_id: session, instruction: `Change note-${note}.md` };
        return must(await client.call("run", { body })).job_id;
      }),
    );
    const ended = new Map<string, string>();
    while (ended.size < jobs) {
      await pause(100);
      for (const { job_id, status } of must(await client.call("listJobs", { query: { limit: 500 } })).jobs) {
        if (status !== "queued" && status !== "running") ended.set(job_id, status);
      }
    }
    const seconds = (performance.now() - started) / 1000;
    const { event_loop_delay_ms } = must(await client.call("health"));
    const good = ids.filter((id) => ended.get(id) === "awaiting_review").length;
    must(await client.call("getSession", { params: { session_id } }));
    return { seconds, delay: event_loop_delay_ms, failed: jobs - good };
  });
}

interface Throughput {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p99: number;
}

/** Requests over some connections, each sending the next one when the answer is there. */
async function fire(
  port: number,
  head: string,
  connections: number,
  seconds: number,
  perSecond?: number,
): Promise<Throughput> {
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  const interval = perSecond === undefined ? 0 : (connections * 1000) / perSecond;
  await Promise.all(
    Array.from({ length: connections }, async (_, index) => {
      const socket = connect(port, "127.0.0.1").setNoDelay(true);
      let answer: (() => void) | undefined;
      let left = -1;
      let buffered = "";
      socket.on("data", (data: Buffer) => {
        buffered += data.toString("latin1");
        for (;;) {
          if (left < 0) {
            const at = buffered.indexOf("\r\n\r\n");
            if (at < 0) return;
            left = Number(/content-length: (\d+)/i.exec(buffered)?.[1] ?? 0);
            buffered = buffered.slice(at + 4);
          }
          if (buffered.length < left) return;
          buffered = buffered.slice(left);
          left = -1;
          answer?.();
        }
      });
      if (interval > 0) await pause((index * interval) / connections);
      for (let due = performance.now(); performance.now() < end; due += interval) {
        const wait = due - performance.now();
        if (interval > 0 && wait > 1) await pause(wait);
        const started = performance.now();
        await new Promise<void>((resolve) => {
          answer = resolve;
          socket.write(head);
        });
        times.push(performance.now() - started);
      }
      socket.destroy();
    }),
  );
  times.sort((one, other) => one - other);
  return { perSecond: times.length / seconds, p99: times[Math.floor(times.length * 0.99)] ?? 0 };
}

interface ReadFigures {
  readonly most: Throughput;
  readonly half: Throughput;
  readonly plain: Throughput;
}

let readFigures: Promise<ReadFigures> | undefined;

async function smallReads(): Promise<ReadFigures> {
  return withServer(async ({ client, url, token }) => {
    for (const note of [0, 1, 2]) must(await client.call("openTab", { body: { path: `note-${note}.md` } }));
    const { host, port } = new URL(url);
    const head = `GET /api/tabs HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    await fire(Number(port), head, 20, 1);
    const most = await fire(Number(port), head, 20, 3);
    const half = await fire(Number(port), head, 20, 3, 2500);
    const body = JSON.stringify(must(await client.call("listTabs")));
    const plainServer = createServer((_, response) => {
      response.setHeader("content-type", "application/json");
      response.end(body);
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => plainServer.once("listening", resolve));
    const { port: plainPort } = plainServer.address() as AddressInfo;
    const plain = await fire(plainPort, head, 20, 2);
    plainServer.close();
    return { most, half, plain };
  });
}

const jobsOnce = () => {
  jobFigures ??= manyJobs();
  return jobFigures;
};
const readsOnce = () => {
  readFigures ??= smallReads();
  return readFigures;
};

export const benches: readonly Bench[] = [
  {
    name: "server/jobs",
    what: `${jobs} jobs at once, ${callsPerJob} tool calls each, over HTTP with a scripted model; all must end well`,
    versus: "",
    goal: "no error",
    async measure(): Promise<Measured> {
      const { seconds, failed } = await jobsOnce();
      if (failed > 0) throw new Error(`${failed} of ${jobs} jobs failed`);
      return { value: seconds, unit: "s", against: null, ratio: null };
    },
    isReached: () => true,
  },
  {
    name: "server/jobs-delay",
    what: "the server's event loop delay meanwhile, 99th percentile",
    versus: "",
    goal: "under 50 ms",
    measure: async () => ({ value: (await jobsOnce()).delay, unit: "ms", against: null, ratio: null }),
    isReached: ({ value }) => value < 50,
  },
  {
    name: "server/reads",
    what: "GET /api/tabs, 20 connections, each as fast as it goes; the server has one core",
    versus: "a bare node:http server that sends the same bytes, in the process that asks",
    goal: "at least 5,000 a second",
    async measure(): Promise<Measured> {
      const { most, plain } = await readsOnce();
      const [value, against] = [most.perSecond, plain.perSecond];
      return { value, unit: "a second", against, ratio: value / against };
    },
    isReached: ({ value }) => value >= 5000,
  },
  {
    name: "server/reads-p99",
    what: "the same at 2,500 a second: 99th percentile",
    versus: "",
    goal: "under 20 ms",
    measure: async () => ({ value: (await readsOnce()).half.p99, unit: "ms", against: null, ratio: null }),
    isReached: ({ value }) => value < 20,
  },
];
