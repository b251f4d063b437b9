// A host over a temporary folder whose model plays several agents: what it replies depends on whose piece of work a request
// is about, and on how often it has replied to that.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import type { HostOptions } from "@stet/host/host";
import type { AgentView } from "@stet/protocol/api/agents";
import type { Message } from "@stet/protocol/message";
import type { ModelRequest } from "@stet/protocol/model-stream";
import { modelOf, type PlayedModel, type PlayedReply } from "./model-of.ts";
import { TestService } from "./test-service.ts";
import { TestWorkspace } from "./workspace.ts";

export type Step = PlayedReply | ((request: ModelRequest) => PlayedReply | Promise<PlayedReply>);
/** One reply after another; the last one again where there are more requests. A function gets how often it was asked before. */
export type Part = readonly Step[] | ((request: ModelRequest, index: number) => ReturnType<Played>);
/** By what the person has asked, or another agent has assigned. */
export type Script = Readonly<Record<string, Part>>;

type Played = (request: ModelRequest) => PlayedReply | Promise<PlayedReply>;

export interface AgentsFixtureOptions {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly script: Script;
  /** What an agent answers when another one asks it beside its work. */
  readonly irc?: Played;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Agents of the person's own, as files. */
  readonly agents?: Readonly<Record<string, string>>;
  readonly host?: Partial<HostOptions>;
}

export interface AgentsFixture {
  readonly place: TestWorkspace;
  readonly api: TestService;
  readonly model: PlayedModel;
  readonly session: string;
  /** Starts a job of the session. */
  ask(instruction: string, more?: Readonly<Record<string, unknown>>): Promise<string>;
  agents(): Promise<AgentView[]>;
  /** Resolves with an agent's view when it is as wanted. */
  until(id: string, isWanted: (agent: AgentView) => boolean): Promise<AgentView>;
  read(name: string): string;
}

const usual = {
  // What is written without having to know anchors.
  "edit.mode": "replace",
  "permission.mode": "auto-edit",
};

export async function openAgentsFixture(
  t: TestContext,
  options: AgentsFixtureOptions,
): Promise<AgentsFixture> {
  const place = new TestWorkspace(t, { ...options.files });
  const config = { ...usual, ...options.settings };
  writeTo(join(place.folder, "stet", "config.json"), JSON.stringify(config));
  for (const [name, text] of Object.entries(options.agents ?? {}))
    writeTo(join(place.folder, "stet", "agents", name), text);
  return serveAgents(t, place, options);
}

/** The same folder, once more. */
export async function serveAgents(
  t: TestContext,
  place: TestWorkspace,
  { script, irc = () => ({ text: "I am at it." }), host = {} }: AgentsFixtureOptions,
): Promise<AgentsFixture> {
  const model = modelByWork(script, irc);
  const environment = { PATH: process.env.PATH, ...host.environment };
  const api = await TestService.open(t, place, model, {}, { ...host, environment });
  const session = await api.session();
  const agents = async (): Promise<AgentView[]> =>
    (await api.ok("GET", `/api/agent/sessions/${session}/agents`)).agents;
  return {
    place,
    api,
    model,
    session,
    ask: (instruction, more = { toolset: "code" }) => api.run(session, instruction, more),
    agents,
    async until(id, isWanted) {
      for (;;) {
        const found = (await agents()).find((agent) => agent.agent_id === id);
        if (found !== undefined && isWanted(found)) return found;
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    },
    read: (name) => readFileSync(place.path(name), "utf8"),
  };
}

export function modelByWork(script: Script, irc: Played): PlayedModel {
  return modelOf((request) => {
    if (isBeside(request)) return irc(request);
    const at = request.messages.findLastIndex((message) => script[textOf(message)] !== undefined);
    const asked = request.messages[at];
    if (asked === undefined) return { text: "There is nothing to do." };
    const part = script[textOf(asked)] ?? [];
    const index = request.messages.slice(at).filter(({ role }) => role === "assistant").length;
    if (typeof part === "function") return part(request, index);
    const step = part[Math.min(index, part.length - 1)] ?? { text: "Done." };
    return typeof step === "function" ? step(request) : step;
  });
}

/** Whether another agent asks beside the work. */
function isBeside({ toolChoice, messages }: ModelRequest): boolean {
  const last = messages.at(-1);
  return toolChoice === "none" && last !== undefined && textOf(last).includes("asks you beside your work");
}

/** What the person or an agent has said, without notes. */
export function textOf(message: Message): string {
  if (message.role !== "user") return "";
  if (typeof message.content === "string") return message.content;
  return message.content.map((part) => (part.type === "text" && !part.isNote ? part.text : "")).join("");
}

/** The text of the newest result of a tool. */
export function newestResult({ messages }: ModelRequest): string {
  const last = messages.findLast(({ role }) => role === "toolResult");
  if (last?.role !== "toolResult") return "";
  return last.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

export interface SentTask {
  readonly id: string;
  readonly assignment: string;
}

/** Sends agents, waits until all of them have ended, and says that it is done. */
export function delegates(
  agent: string,
  tasks: readonly SentTask[],
  more: Record<string, unknown> = {},
): Part {
  return (request, index) => {
    if (index === 0) return send(agent, tasks, more);
    const result = newestResult(request);
    const [, ids] = /job \{"poll": (\[[^\]]*\])/.exec(result) ?? [];
    if (ids !== undefined) return { calls: [{ name: "job", arguments: { poll: JSON.parse(ids) } }] };
    return result.includes("## Still Running")
      ? { calls: [{ name: "job", arguments: {} }] }
      : { text: "Done." };
  };
}

export function send(
  agent: string,
  tasks: readonly SentTask[],
  more: Record<string, unknown> = {},
): PlayedReply {
  const described = tasks.map((task) => ({ description: `does ${task.id}`, ...task }));
  return { calls: [{ name: "task", arguments: { agent, tasks: described, ...more } }] };
}

export function reads(path: string): PlayedReply {
  return { calls: [{ name: "read", arguments: { path } }] };
}

export function edits(path: string, old_text: string, new_text: string): PlayedReply {
  return { calls: [{ name: "edit", arguments: { path, edits: [{ old_text, new_text }] } }] };
}

export function runs(command: string): PlayedReply {
  return { calls: [{ name: "bash", arguments: { command } }] };
}

export function yields(result: unknown): PlayedReply {
  return { calls: [{ name: "yield", arguments: { result } }] };
}

export interface Gate {
  readonly passed: Promise<void>;
  open(): void;
  /** The reply, once the gate is open. */
  before(reply: PlayedReply): Step;
}

/** What holds an agent until a test lets it go on. */
export function gate(): Gate {
  const { promise: passed, resolve: open } = Promise.withResolvers<void>();
  return {
    passed,
    open,
    before: (reply) => async () => {
      await passed;
      return reply;
    },
  };
}

function writeTo(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
