// A server whose session has eight agents and four commands at work, to be killed at any moment, and what must hold after it.
//
// Each agent writes the round's number into two files of its own, in one turn. After a kill, and the next start:
// - no process of any command is left;
// - the two files of each agent say the same number, and no other file is there;
// - every agent that was said to have ended is known with the same result, and its output and its changes are kept;
// - every other one is known as one that was lost, and no job is said to be at work.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "@stet/client/client";
import type { AgentView } from "@stet/protocol/api/agents";
import { isFault } from "@stet/protocol/fault";
import { living } from "./living-processes.ts";
import { startScriptedModel } from "./scripted-model.ts";
import type { SeenMessage } from "./scripted-model-format.ts";
import type { ScriptedReply } from "./scripted-model-reply.ts";
import { type Served, serve } from "./served.ts";
import { must } from "./workspace.ts";

const agentCount = 8;
export const commandCount = 4;
/** The others never come to an end by themselves: there are some at work whenever it is killed. */
export const endingAgents = 6;

const agents = Array.from({ length: agentCount }, (_, index) => index);
const filesOf = (agent: number) => [`${agent}-one.txt`, `${agent}-two.txt`];
const lineOf = (number: number) => `It is round ${number} now.\n`;

export interface CrashOptions {
  /** Empty; the root and the data folder are made in it. */
  readonly folder: string;
  /** What the processes of commands are called. */
  readonly name: string;
  /** How long an agent waits before it goes on, in milliseconds. */
  readonly slowness: () => number;
}

export interface CrashRound {
  /** How many agents had ended when the process was killed. */
  readonly ended: number;
  /** How many commands were running then. */
  readonly commands: number;
  /** What does not hold. */
  readonly problems: readonly string[];
}

export class AgentsCrash {
  readonly #options: CrashOptions;
  readonly #model: Awaited<ReturnType<typeof startScriptedModel>>;
  #round = 0;

  private constructor(options: CrashOptions, model: Awaited<ReturnType<typeof startScriptedModel>>) {
    this.#options = options;
    this.#model = model;
  }

  static async open(options: CrashOptions): Promise<AgentsCrash> {
    const { folder } = options;
    mkdirSync(join(folder, "root"));
    mkdirSync(join(folder, "data", "stet"), { recursive: true });
    for (const file of agents.flatMap(filesOf)) writeFileSync(join(folder, "root", file), lineOf(0));
    const settings = { "edit.mode": "replace", "permission.mode": "full", autonomy: "ask" };
    writeFileSync(join(folder, "data", "stet", "config.json"), JSON.stringify(settings));
    const model = await startScriptedModel((request) => replyTo(request.messages, options));
    return new AgentsCrash(options, model);
  }

  close(): Promise<void> {
    return this.#model.close();
  }

  /** Kills it as soon as `isTime` says so, which is asked over and over with what was seen of the agents by then. */
  async round(isTime: (agents: readonly AgentView[], commands: number) => boolean): Promise<CrashRound> {
    this.#round += 1;
    const { name } = this.#options;
    const served = await this.#serve();
    let seen: AgentView[] = [];
    let commands = 0;
    let session = "";
    try {
      const { client } = served;
      session = must(await client.call("createSession", { body: {} })).session_id;
      const instruction = `@task round ${this.#round}`;
      must(await client.call("run", { body: { session_id: session, instruction, toolset: "code" } }));
      do {
        await pause(2);
        seen = must(await client.call("listAgents", { params: { session_id: session } })).agents;
        commands = living(name).length;
      } while (!isTime(seen, commands));
    } finally {
      await served.kill();
    }
    const ended = seen.filter(({ status }) => status === "completed");
    const problems = [...(await this.#left()), ...(await this.#problemsAfter(session, seen))];
    return { ended: ended.length, commands, problems };
  }

  #serve(): Promise<Served> {
    const { folder } = this.#options;
    return serve({ root: join(folder, "root"), dataFolder: join(folder, "data"), modelUrl: this.#model.url });
  }

  /** Processes of commands are gone a short time after the kill; on a loaded machine that may take longer. */
  async #left(): Promise<string[]> {
    const { name } = this.#options;
    for (let round = 0; round < 500 && living(name).length > 0; round += 1) await pause(20);
    return living(name).length === 0 ? [] : [`${living(name).length} processes of commands are left`];
  }

  async #problemsAfter(session: string, seen: readonly AgentView[]): Promise<string[]> {
    const served = await this.#serve();
    try {
      const { client } = served;
      const problems = [
        ...this.#problemsOnDisk(),
        ...(await this.#problemsOfAgents(client, session, seen)),
        ...(await problemsOfJobs(client, session)),
      ];
      // The next round has a clean start.
      const decided = await client.call("decide", { body: { everything: true, verdict: "reject" } });
      return isFault(decided) ? [...problems, `nothing could be rejected: ${decided.message}`] : problems;
    } finally {
      await served.stop();
    }
  }

  #problemsOnDisk(): string[] {
    const root = join(this.#options.folder, "root");
    const others = readdirSync(root).filter((file) => !agents.flatMap(filesOf).includes(file));
    const torn = agents.flatMap((agent) => {
      const [one, two] = filesOf(agent).map((file) => readFileSync(join(root, file), "utf8"));
      return one === two && one !== undefined && /^It is round \d+ now\.\n$/.test(one)
        ? []
        : [`${one}${two}`];
    });
    return [...others.map((file) => `${file} was left`), ...torn.map((text) => `half written: ${text}`)];
  }

  async #problemsOfAgents(client: Client, session: string, seen: readonly AgentView[]): Promise<string[]> {
    const known = must(await client.call("listAgents", { params: { session_id: session } })).agents;
    const { turns } = must(await client.call("listReview", {}));
    return seen.flatMap((before) => {
      const { agent_id: id, status, summary, turn } = before;
      const after = known.find((agent) => agent.agent_id === id);
      const isEnded = status === "completed";
      if (after === undefined) return isEnded || before.job_id !== null ? [`${id} (${status}) is gone`] : [];
      if (!isEnded) return after.status === "running" ? [`${id} is said to be running`] : [];
      const output = this.#outputOf(session, id);
      return [
        ...(after.status === status && after.summary === summary ? [] : [`${id} is ${after.status}`]),
        ...(output === summary ? [] : [`the output of ${id} is ${output}`]),
        ...(turns.some((each) => each.turn === turn && each.agent === id) ? [] : [`${id} has no changes`]),
      ];
    });
  }

  #outputOf(session: string, agent: string): string | undefined {
    const data = join(this.#options.folder, "data");
    const file = readdirSync(data, { recursive: true })
      .map(String)
      .find((path) => path.includes(session) && path.endsWith(`/${agent}.md`));
    return file === undefined ? undefined : readFileSync(join(data, file), "utf8");
  }
}

async function problemsOfJobs(client: Client, session: string): Promise<string[]> {
  const { jobs } = must(await client.call("listJobs", { query: { session_id: session } }));
  const open = jobs.filter(({ status }) => ["queued", "running", "waiting_for_user"].includes(status));
  return open.map(({ job_id: id, status }) => `${id} is ${status}`);
}

function replyTo(messages: readonly SeenMessage[], { name, slowness }: CrashOptions): ScriptedReply {
  const at = messages.findLastIndex(({ role, text }) => role === "user" && /round \d+/.test(text));
  const asked = messages[at]?.text ?? "";
  const round = Number(/round (\d+)/.exec(asked)?.[1]);
  const results = messages.slice(at).filter(({ role }) => role === "toolResult");
  const agent = /^agent (\d+)/.exec(asked)?.[1];
  if (agent === undefined) return sendAll(round, results.length, name);
  const [one = "", two = ""] = filesOf(Number(agent));
  const delayMs = slowness();
  const read = (path: string) => ({ name: "read", arguments: { path } });
  if (results.length === 0) return { toolCalls: [read(one), read(two)], delayMs };
  if (Number(agent) >= endingAgents)
    return { toolCalls: [{ name: "bash", arguments: { command: `exec -a ${name} sleep 300` } }] };
  const old_text = /It is round \d+ now\./.exec(results[0]?.text ?? "")?.[0] ?? "";
  const edit = (path: string) => ({
    name: "edit",
    arguments: { path, edits: [{ old_text, new_text: lineOf(round).trim() }] },
  });
  if (results.length === 2) return { toolCalls: [edit(one), edit(two)], delayMs };
  return {
    toolCalls: [{ name: "yield", arguments: { result: `agent ${agent} of round ${round}` } }],
    delayMs,
  };
}

function sendAll(round: number, results: number, name: string): ScriptedReply {
  if (results > 0) return { text: "They are at it." };
  const tasks = agents.map((agent) => {
    return { id: `A${agent}`, description: `agent ${agent}`, assignment: `agent ${agent} of round ${round}` };
  });
  const command = { name: "bash", arguments: { command: `exec -a ${name} sleep 300`, async: true } };
  return {
    toolCalls: [
      ...Array.from({ length: commandCount }, () => command),
      { name: "task", arguments: { agent: "task", tasks } },
    ],
  };
}
