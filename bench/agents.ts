// Many agents at once, and what it takes to start one.

import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { semiSpaceFlag } from "../packages/cli/src/bound-memory.ts";
import { startScriptedModel } from "../packages/testkit/src/scripted-model.ts";
import { serve } from "../packages/testkit/src/served.ts";
import { must } from "../packages/testkit/src/workspace.ts";
import type { Bench, Measured } from "./bench.ts";

const agents = 100;
const callsPerAgent = 20;
const settings = {
  "task.maxConcurrency": agents,
  // An edit that needs no anchors, so that the script needs not read what it is shown.
  "edit.mode": "replace",
  "permission.mode": "auto-edit",
};

interface Folders {
  readonly root: string;
  readonly dataFolder: string;
}

/** A folder of notes, one for each agent. */
async function withFolders<T>(action: (folders: Folders) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "stet-bench-"));
  const [root, dataFolder] = [join(folder, "root"), join(folder, "data")];
  mkdirSync(root);
  mkdirSync(join(dataFolder, "stet"), { recursive: true });
  writeFileSync(join(dataFolder, "stet", "config.json"), JSON.stringify(settings));
  const note = Array.from({ length: 100 }, (_, index) => `Line ${index + 1} of the note.\n`).join("");
  for (let index = 0; index < agents; index += 1) writeFileSync(join(root, `note-${index}.txt`), note);
  try {
    return await action({ root, dataFolder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface ManyFigures {
  readonly seconds: number;
  /** Milliseconds, 99th percentile. */
  readonly delay: number;
  /** The most that the server's process held, in MB. */
  readonly memory: number;
}

let manyFigures: Promise<ManyFigures> | undefined;

/** Measured once for all rows. */
function manyOnce(): Promise<ManyFigures> {
  manyFigures ??= withFolders(manyAgents);
  return manyFigures;
}

async function manyAgents({ root, dataFolder }: Folders): Promise<ManyFigures> {
  const model = child("agents-model-child.ts", [String(agents), String(callsPerAgent)]);
  try {
    const [place]: { url: string }[] = await once(model, "message");
    if (place === undefined) throw new Error("the model did not start");
    // As `stet serve` starts itself.
    const server = child("agents-server-child.ts", [root, dataFolder, place.url], [semiSpaceFlag]);
    const exited = once(server, "exit");
    const [figures]: (ManyFigures & { calls: readonly number[] })[] = await once(server, "message");
    await exited;
    const good = figures?.calls.filter((calls) => calls > callsPerAgent).length ?? 0;
    if (figures === undefined || good !== agents)
      throw new Error(`${agents - good} of ${agents} agents did not do their work`);
    return figures;
  } finally {
    const exited = once(model, "exit");
    model.disconnect();
    await exited;
  }
}

function child(file: string, args: readonly string[], flags: readonly string[] = []) {
  return fork(join(import.meta.dirname, file), args, {
    execArgv: ["--disable-warning=ExperimentalWarning", ...flags],
  });
}

interface StartFigures {
  /** Milliseconds from what begins it to its first request to the model. */
  readonly turn: number;
  readonly agent: number;
}

const starts = 30;

/** Everything in this process, one after the other: the median of many. */
async function startAgents(folders: Folders): Promise<StartFigures> {
  const turns: number[] = [];
  const sent: number[] = [];
  let began = 0;
  const model = await startScriptedModel(({ messages }) => {
    const now = performance.now();
    const [first] = messages;
    const isAgent = first?.role === "user" && first.text.startsWith("Say hello");
    if (isAgent) {
      sent.push(now - began);
      return { toolCalls: [{ name: "yield", arguments: { result: "Hello." } }] };
    }
    if (messages.some(({ role }) => role === "toolResult")) return { text: "Done." };
    turns.push(now - began);
    began = now;
    const tasks = [{ id: "Hello", description: "hello", assignment: "Say hello." }];
    return { toolCalls: [{ name: "task", arguments: { agent: "quick_task", tasks } }] };
  });
  const server = await serve({ ...folders, modelUrl: model.url, as: "call" });
  try {
    const { client } = server;
    for (let start = 0; start < starts; start += 1) {
      const { session_id } = must(await client.call("createSession", { body: {} }));
      began = performance.now();
      const body = { session_id, instruction: "Send @quick_task.", toolset: "code" } as const;
      must(await client.call("run", { body }));
      for (let isOver = false; !isOver; ) {
        await pause(5);
        const [agent] = must(await client.call("listAgents", { params: { session_id } })).agents;
        isOver = agent !== undefined && agent.status !== "pending" && agent.status !== "running";
      }
    }
    return { turn: median(turns), agent: median(sent) };
  } finally {
    await server.stop();
    await model.close();
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const many = `${agents} agents at once, each with ${callsPerAgent} reads and edits of a file of its own, sent by one call, over a server with a scripted model in another process`;

export const benches: readonly Bench[] = [
  {
    name: "agents/many",
    what: `${many}; all must do their work`,
    versus: "",
    goal: "no error",
    isReached: () => true,
    measure: async () => ({ value: (await manyOnce()).seconds, unit: "s", against: null, ratio: null }),
  },
  {
    name: "agents/many-delay",
    what: "the server's event loop delay meanwhile, 99th percentile",
    versus: "",
    goal: "at most 50 ms",
    isReached: ({ value }) => value <= 50,
    measure: async () => ({ value: (await manyOnce()).delay, unit: "ms", against: null, ratio: null }),
  },
  {
    name: "agents/many-memory",
    what: "the most that the server's process held meanwhile (PSS)",
    versus: "",
    goal: "under 400 MB",
    isReached: ({ value }) => value < 400,
    measure: async () => ({ value: (await manyOnce()).memory, unit: "MB", against: null, ratio: null }),
  },
  {
    name: "agents/start",
    what: "from the model's answer that sends an agent to that agent's first request, over a server in this process",
    versus: "from the request for a turn to its first request to the model",
    goal: "at most 20 ms more",
    isReached: ({ value, against }) => value - (against ?? 0) <= 20,
    async measure(): Promise<Measured> {
      const { turn, agent } = await withFolders(startAgents);
      return { value: agent, unit: "ms", against: turn, ratio: agent / turn };
    },
  },
];
