// Sends agents to work. What does not fit is told as text with empty results, so that the model can write the call again.

import type { AgentBackground } from "@stet/agent/background/background";
import { defineTool, type Tool, type ToolContext, type ToolOutcome } from "@stet/agent/tool";
import * as z from "zod";
import { listed } from "../call-words.ts";
import { prompt } from "../prompt.ts";
import type { AgentDefinition } from "./agent-definition.ts";
import type { ChildRequest, ChildResult, Delegation, ResultSchema, SentChild } from "./delegation.ts";
import { isJtdProblem, jtdSchema, parseJtd } from "./jtd.ts";
import { detailsOf, resultText } from "./task-result.ts";

const schema = z.object({
  agent: z.string().min(1).describe("Which agent, for all tasks"),
  tasks: z
    .array(
      z.object({
        id: z.string().min(1).max(48).describe("A short name, as in FixParser"),
        description: z.string().describe("For the person who watches"),
        assignment: z.string().min(1).describe("Everything that it has to know and do"),
      }),
    )
    .describe("One agent each"),
  context: z.string().optional().describe("What all of them have to know"),
  schema: z.string().optional().describe("The form of each result: a JSON Type Definition, as JSON text"),
  isolated: z
    .boolean()
    .optional()
    .describe("Each in a folder of its own, where its commands may write: for builds and tests"),
});

type Input = z.infer<typeof schema>;

/** What happens within so many milliseconds is shown at once. */
const progressMs = 150;

export interface TaskParts {
  readonly delegation: Delegation;
  readonly background: AgentBackground;
  /** Those that there were when the turn began, for the description. */
  readonly agents: readonly AgentDefinition[];
  /** The form of what the sender itself gives back, for agents that are asked for no other; undefined for a text. */
  readonly inherited: ResultSchema | undefined;
  /** Called when agents were sent that go on by themselves. */
  readonly onSent: () => void;
}

export function taskTool({ delegation, background, agents, inherited, onSent }: TaskParts): Tool {
  return defineTool({
    name: "task",
    description: describe(agents, delegation),
    traits: ["runs", "volatile"],
    words: ({ agent, tasks }) => `Send ${String(agent)}: ${namesIn(tasks)}`,
    schema,
    async execute(input, call) {
      const plan = await planned(input, delegation, inherited);
      if ("refusal" in plan) return refused(plan.refusal);
      const { agent, children } = plan;
      const goesOn = delegation.isAsync && agent.blocking !== true && children.length > 0;
      if (!goesOn) return waitForAll(children, delegation, call);
      const refusal = background.jobs.refusal(children.length);
      if (refusal !== undefined) return refused(`Failed to start background task jobs: ${refusal.message}`);
      const answer = sendAway(children, delegation, background);
      onSent();
      return answer;
    },
  });
}

function describe(agents: readonly AgentDefinition[], { isAsync, refusal }: Delegation): string {
  const lines = agents
    .filter(({ name, problem }) => problem === undefined && refusal(name) === undefined)
    .map(({ name, description }) => `- ${name}: ${description}`);
  const waiting = isAsync
    ? "They work in the background: go on with something else, or wait with job; you are told when each has ended."
    : "The call returns when all of them have ended.";
  return prompt(import.meta.url, "task")
    .replace("{agents}", lines.join("\n"))
    .replace("{isolated}", "Their commands only read, unless isolated is true. ")
    .replace("{waiting}", waiting);
}

type Plan =
  | { readonly refusal: string }
  | { readonly agent: AgentDefinition; readonly children: readonly ChildRequest[] };

async function planned(
  input: Input,
  delegation: Delegation,
  inherited: ResultSchema | undefined,
): Promise<Plan> {
  const { tasks, context, isolated } = input;
  const misplaced = misplacedField(input, delegation);
  if (misplaced !== undefined) return { refusal: misplaced };
  const agents = await delegation.agents();
  const agent = agents.find(({ name }) => name.toLowerCase() === input.agent.trim().toLowerCase());
  if (agent === undefined) return { refusal: unknownAgent(input.agent, agents, delegation) };
  if (agent.problem !== undefined)
    return { refusal: `The agent ${agent.name} cannot be used: ${agent.problem} (${agent.from}).` };
  const forbidden = delegation.refusal(agent.name);
  if (forbidden !== undefined) return { refusal: forbidden };
  if (tasks.length === 0) return { refusal: "There are no tasks: name at least one." };
  const result = resultSchema(input, agent, inherited);
  if (result !== undefined && "refusal" in result) return result;
  const named = nameAll(
    tasks.map(({ id }) => id.trim()),
    agent,
    delegation,
  );
  if ("refusal" in named) return named;
  const children = tasks.map((task, index): ChildRequest => {
    return {
      id: named.ids[index] ?? task.id,
      agent,
      description: task.description.trim() || task.id.trim(),
      assignment: task.assignment,
      context: context?.trim() || undefined,
      schema: result,
      isolated,
    };
  });
  return { agent, children };
}

function misplacedField({ context, schema: form }: Input, { mode }: Delegation): string | undefined {
  const isRefused = (value: unknown, modes: readonly string[]) => value !== undefined && modes.includes(mode);
  if (isRefused(form, ["schema-free", "independent"]))
    return `The field schema is not allowed here: task.simple is ${mode}. Describe the form of the result in the assignment.`;
  if (isRefused(context, ["independent"]))
    return "The field context is not allowed here: task.simple is independent. Put everything that an agent needs into its assignment.";
  return undefined;
}

function unknownAgent(name: string, agents: readonly AgentDefinition[], { refusal }: Delegation): string {
  const usable = agents.filter((agent) => agent.problem === undefined && refusal(agent.name) === undefined);
  return `There is no agent ${JSON.stringify(name)}. There are: ${usable.map((agent) => agent.name).join(", ")}.`;
}

/** The call's own form, else the agent's, else the sender's. */
function resultSchema(
  { schema: text }: Input,
  agent: AgentDefinition,
  inherited: ResultSchema | undefined,
): ResultSchema | { readonly refusal: string } | undefined {
  if (text !== undefined) {
    const read = parseJtd(text);
    if (isJtdProblem(read))
      return {
        refusal: `The schema cannot be used: ${read.problem}. Write a JSON Type Definition as JSON text, or leave it out.`,
      };
    return { schema: read, source: JSON.parse(text) };
  }
  if (agent.output === undefined) return inherited;
  const read = jtdSchema(agent.output);
  if (isJtdProblem(read))
    return {
      refusal: `The agent ${agent.name} cannot be used: its output is no JSON Type Definition: ${read.problem} (${agent.from}).`,
    };
  return { schema: read, source: agent.output };
}

/** Names for new agents; a name that an agent has stands for that one. */
function nameAll(
  ids: readonly string[],
  agent: AgentDefinition,
  delegation: Delegation,
): { readonly ids: readonly string[] } | { readonly refusal: string } {
  const missing = ids.indexOf("");
  if (missing >= 0) return { refusal: `Task ${missing + 1} has no id.` };
  const known = new Set<string>();
  for (const id of ids) {
    if (known.has(id.toLowerCase()))
      return {
        refusal: `The id ${JSON.stringify(id)} is there twice; capitals do not count. Give each task one of its own.`,
      };
    known.add(id.toLowerCase());
  }
  const standing = ids.map((id) => delegation.standing(id));
  for (const [index, one] of standing.entries()) {
    if (one?.isRunning)
      return {
        refusal: `${ids[index]} is still at work. Say something to it with irc, or wait for it with job.`,
      };
    if (one !== undefined && one.agent.toLowerCase() !== agent.name.toLowerCase())
      return {
        refusal: `${ids[index]} is an agent of the kind ${one.agent}, not ${agent.name}. Ask it again with agent ${one.agent}.`,
      };
  }
  const fresh = delegation.allocate(ids.filter((_, index) => standing[index] === undefined));
  let next = 0;
  return { ids: ids.map((id, index) => (standing[index] === undefined ? (fresh[next++] ?? id) : id)) };
}

async function waitForAll(
  children: readonly ChildRequest[],
  delegation: Delegation,
  call: ToolContext,
): Promise<ToolOutcome> {
  const started = performance.now();
  const sent = children.map((child) => delegation.send({ ...child, signal: call.signal }));
  call.subagents(sent.length);
  const results: ChildResult[] = [];
  const show = () => call.progress(sent.map(lineOf).join("\n"));
  show();
  const timer = setInterval(show, progressMs);
  let left = sent.length;
  try {
    const all = sent.map(async (child) => {
      const result = await child.ended;
      left -= 1;
      call.subagents(left);
      return result;
    });
    results.push(...(await Promise.all(all)));
  } finally {
    clearInterval(timer);
  }
  return {
    content: results.map(resultText).join("\n\n"),
    details: detailsOf(results, performance.now() - started),
    isFailure: results.every(({ exitCode }) => exitCode !== 0),
  };
}

function lineOf({ id, step }: SentChild): string {
  return `${id}: ${step()}`;
}

function sendAway(
  children: readonly ChildRequest[],
  delegation: Delegation,
  background: AgentBackground,
): ToolOutcome {
  const started = performance.now();
  const sent = children.map((child) => ({ child, running: delegation.send(child) }));
  for (const { child, running } of sent) {
    const controller = new AbortController();
    controller.signal.addEventListener("abort", () => running.cancel(), { once: true });
    const ended = running.ended.then((result) => ({
      isFailed: result.exitCode !== 0,
      text: resultText(result),
    }));
    const label = `${child.agent.name}: ${child.description}`;
    background.jobs.add(
      { type: "task", label, id: running.id },
      { started: performance.now(), ended, controller, output: () => running.step() },
    );
  }
  const lines = sent.map(({ child, running }) => `- ${running.id}: ${child.description}`);
  const ids = sent.map(({ running }) => running.id);
  const content = [
    `${sent.length === 1 ? "An agent works" : `${sent.length} agents work`} in the background:`,
    ...lines,
    `You are told when each has ended. Wait with job {"poll": ${JSON.stringify(ids)}}, end one with job {"cancel": [ID]}.`,
  ].join("\n");
  const progress = sent.map(({ child: { agent, description }, running: { id } }) => {
    return { id, agent: agent.name, description, status: "running" as const };
  });
  const details = {
    ...detailsOf([], performance.now() - started, progress),
    async: { state: "running", jobId: ids[0] ?? "", type: "task" },
  };
  return { content, details };
}

function refused(message: string): ToolOutcome {
  return { content: message, details: detailsOf([], 0), isFailure: true };
}

function namesIn(tasks: unknown): string {
  const ids = Array.isArray(tasks) ? tasks.map((task: { id?: unknown } | null) => task?.id) : [];
  return listed(ids) || "nobody";
}
