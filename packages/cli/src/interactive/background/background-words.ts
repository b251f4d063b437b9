// Work in the background in words: what runs, how long, how dear, and how it ended.

import type { AgentView } from "@stet/protocol/api/agents";
import type { BackgroundJob, TimerView } from "@stet/protocol/api/background";
import { elapsed } from "../screen/activity.ts";
import type { SymbolName, TextToken } from "../theme/theme.ts";
import { cleanLine, plural } from "../transcript/rows.ts";

export interface Work {
  readonly agents: number;
  readonly commands: number;
  readonly monitors: number;
  readonly timers: number;
}

export function workOf(
  agents: readonly unknown[],
  jobs: readonly Pick<BackgroundJob, "type" | "status">[],
  timers: readonly unknown[],
): Work {
  const running = (type: BackgroundJob["type"]) =>
    jobs.filter((job) => job.type === type && job.status === "running").length;
  return {
    agents: agents.length,
    commands: running("bash"),
    monitors: running("monitor"),
    timers: timers.length,
  };
}

export function isNothing({ agents, commands, monitors, timers }: Work): boolean {
  return agents + commands + monitors + timers === 0;
}

/** `2 agents, 1 command and 1 timer`. */
export function workText({ agents, commands, monitors, timers }: Work): string {
  const parts = [
    [agents, "agent"],
    [commands, "command"],
    [monitors, "monitor"],
    [timers, "timer"],
  ] as const;
  const words = parts.flatMap(([count, word]) => (count === 0 ? [] : [plural(count, word)]));
  const last = words.pop() ?? "nothing";
  return words.length === 0 ? last : `${words.join(", ")} and ${last}`;
}

export function costText(amount: number, isKnown: boolean): string {
  return `$${amount.toFixed(2)}${isKnown ? "" : "+"}`;
}

/** How long, and how dear; a price is left out where nobody knows it, and until something was used. */
export function agentFacts(agent: AgentView, workedMs: number): string {
  const { cost_usd: cost, cost_known: isKnown, tokens } = agent;
  const price = cost > 0 || (isKnown && tokens > 0) ? ` ${costText(cost, isKnown)}` : "";
  return `${elapsed(workedMs)}${price}`;
}

export interface StateLook {
  readonly symbol: SymbolName;
  readonly colour: TextToken;
  readonly word: string;
}

const states: Readonly<Record<AgentView["status"], StateLook>> = {
  pending: { symbol: "pending", colour: "muted", word: "waits" },
  running: { symbol: "active", colour: "accent", word: "works" },
  completed: { symbol: "success", colour: "success", word: "done" },
  failed: { symbol: "failure", colour: "error", word: "failed" },
  aborted: { symbol: "stopped", colour: "muted", word: "stopped" },
};

export function agentState({ status, question }: AgentView): StateLook {
  return question === null ? states[status] : { symbol: "question", colour: "warning", word: "asks you" };
}

/** What it does now, or how it ended. */
export function agentStep({ status, step, summary, question }: AgentView): string {
  if (question !== null) return `asks: ${cleanLine(question.question)}`;
  const isOver = status === "completed" || status === "failed" || status === "aborted";
  return cleanLine(isOver && summary !== "" ? summary : step);
}

const jobStates: Readonly<Record<BackgroundJob["status"], StateLook>> = {
  running: { ...states.running, word: "runs" },
  completed: states.completed,
  failed: states.failed,
  cancelled: states.aborted,
};

export function jobState({ status }: BackgroundJob): StateLook {
  return jobStates[status];
}

export function timerText({ human, prompt, next_at: next }: TimerView, now: number): string {
  const left = Math.max(0, Date.parse(next) - now);
  return `${cleanLine(human)}, next in ${elapsed(left)}: ${cleanLine(prompt)}`;
}
