// Agents and what goes on in the background, in words.

import { type AgentSum, isAtWork } from "@stet/client/agents";
import type { AgentStatus, AgentView } from "@stet/protocol/api/agents";
import type { Background, BackgroundJob } from "@stet/protocol/api/background";
import { shownCost } from "../agent/use-words.ts";
import { plural } from "../status/word-count.ts";

export const statusWords: Readonly<Record<AgentStatus, string>> = {
  pending: "waiting",
  running: "working",
  completed: "done",
  failed: "failed",
  aborted: "stopped",
};

/** 0:07, 12:40, 1:02:03. */
export function clockWords(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const two = (number: number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** 840, 3.1k, 1.2M. */
export function shortCount(count: number): string {
  if (count < 1000) return String(count);
  if (count < 999_950) return `${(count / 1000).toFixed(1)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

/** What is not known is not nothing. */
export function costWords(dollars: number, isKnown: boolean): string {
  if (isKnown) return dollars === 0 ? "" : shownCost(dollars);
  return dollars === 0 ? "price unknown" : `${shownCost(dollars)} and more`;
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(" · ");
}

export function useOfAgent(
  agent: Pick<AgentView, "tool_calls" | "tokens" | "cost_usd" | "cost_known">,
): string {
  return joined([
    agent.tool_calls === 0 ? "" : plural(agent.tool_calls, "call"),
    agent.tokens === 0 ? "" : `${shortCount(agent.tokens)} tokens`,
    agent.cost_usd === 0 ? "" : costWords(agent.cost_usd, agent.cost_known),
  ]);
}

/** What it does, or how it ended. */
export function stepWords(
  agent: Pick<AgentView, "status" | "step" | "summary" | "conflicts" | "question">,
): string {
  if (agent.question !== null) return "asks you";
  if (isAtWork(agent)) return agent.step;
  const conflicts = agent.conflicts === 0 ? "" : `${plural(agent.conflicts, "change")} did not fit`;
  return joined([agent.summary, conflicts]);
}

export function agentsWords(count: number, sum: AgentSum): string {
  const { working, asking, tokens, costUsd, isCostKnown } = sum;
  const agents = plural(count, "agent");
  return joined([
    working === 0 ? agents : working === count ? `${agents} at work` : `${working} of ${agents} at work`,
    asking === 0 ? "" : asking === 1 ? "one asks you" : `${asking} ask you`,
    tokens === 0 ? "" : `${shortCount(tokens)} tokens`,
    tokens === 0 ? "" : costWords(costUsd, isCostKnown),
  ]);
}

/** Commands and monitors; agents are told for themselves. */
export function commandsIn({ jobs }: Pick<Background, "jobs">): BackgroundJob[] {
  return jobs.filter(({ type }) => type !== "task");
}

export function backgroundWords(background: Pick<Background, "jobs" | "timers" | "waiting">): string {
  const running = commandsIn(background).filter(({ status }) => status === "running");
  const monitors = running.filter(({ type }) => type === "monitor").length;
  const commands = running.length - monitors;
  const { timers, waiting } = background;
  const told = joined([
    waiting.length === 0 ? "" : `${waiting.length} to tell the agent`,
    commands === 0 ? "" : plural(commands, "command"),
    monitors === 0 ? "" : plural(monitors, "monitor"),
    timers.length === 0 ? "" : plural(timers.length, "timer"),
  ]);
  return told !== "" && waiting.length === 0 ? `${told} in the background` : told;
}

/** Why what happened is not told at once. */
export function heldWords({ mode, held }: Background["autonomy"], isTurnAtWork: boolean): string {
  if (isTurnAtWork) return "The agent is at work, and hears of it after the step that it is at.";
  if (held !== null) return held;
  return mode === "ask"
    ? "Waits for you, or for your next message: nothing begins a turn by itself (setting autonomy)."
    : "The agent is told as soon as it has nothing else to do.";
}

export const jobWords: Readonly<Record<BackgroundJob["status"], string>> = {
  running: "running",
  completed: "done",
  failed: "failed",
  cancelled: "stopped",
};

/** When a timer comes next, from now. */
export function untilWords(time: string, now: number): string {
  const seconds = Math.round((Date.parse(time) - now) / 1000);
  if (seconds <= 0) return "now";
  if (seconds < 90) return `in ${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `in ${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 36 ? `in ${hours} hours` : `in ${Math.round(hours / 24)} days`;
}
