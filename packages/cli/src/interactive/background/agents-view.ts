// The agents of a session, and those that there are to send, as rows.

import { type AgentNode, sumOfAgents } from "@stet/client/agents";
import type { AgentDefinitionView, AgentView } from "@stet/protocol/api/agents";
import { numberText } from "@stet/protocol/number-text";
import type { Theme } from "../theme/theme.ts";
import { cleanLine, hanging, plural, wrapLines } from "../transcript/rows.ts";
import { agentFacts, agentState, agentStep, costText } from "./background-words.ts";
import type { Entry } from "./entry-rows.ts";

export function agentEntry({ agent, depth }: AgentNode, workedMs: number): Entry {
  const { symbol, colour, word } = agentState(agent);
  return {
    symbol,
    colour,
    depth,
    name: cleanLine(agent.agent_id),
    title: `${cleanLine(agent.agent)}: ${cleanLine(agent.description)}`,
    facts: `${word}  ${tokensText(agent)}  ${agentFacts(agent, workedMs)}`,
    detail: `${agentStep(agent)}${changesText(agent)}`,
    detailColour: agent.question === null ? "dim" : "warning",
  };
}

function tokensText({ tokens }: AgentView): string {
  return `${numberText(tokens)} tokens`;
}

/** What is in the review of it, and what did not fit. */
function changesText({ documents, conflicts }: AgentView): string {
  const changed = documents.length === 0 ? "" : ` · ${plural(documents.length, "file")} changed`;
  return conflicts === 0 ? changed : `${changed} · ${plural(conflicts, "conflict")}`;
}

/** `2 work, 1 asks you`, and the sum. */
export function sumTexts(agents: readonly AgentView[]): { readonly state: string; readonly sum: string } {
  const { working, asking, tokens, costUsd, isCostKnown } = sumOfAgents(agents);
  const state =
    asking > 0
      ? `${working} at work, ${asking} ${asking === 1 ? "asks" : "ask"} you: close this to answer`
      : `${working} at work`;
  return {
    state,
    sum: `${plural(agents.length, "agent")}, ${numberText(tokens)} tokens, ${costText(costUsd, isCostKnown)}`,
  };
}

export const sources: Readonly<Record<AgentDefinitionView["source"], string>> = {
  builtin: "built in",
  user: "yours",
  project: "the project's",
};

/** Which agents there are, where each comes from, and what is wrong with those that cannot be used. */
export function kindRows(kinds: readonly AgentDefinitionView[], theme: Theme, width: number): string[] {
  return kinds.flatMap((kind) => {
    const { name, source, from, description, problem } = kind;
    const sign =
      problem === null
        ? theme.fg("muted", theme.symbol("bullet"))
        : theme.fg("error", theme.symbol("failure"));
    const title = `${theme.emphasis("bold", cleanLine(name))}  ${theme.fg("muted", [sources[source], ...factsOf(kind)].join(", "))}`;
    const lines = [title];
    if (problem !== null) lines.push(theme.fg("error", `cannot be used: ${cleanLine(problem)}`));
    if (description !== "") lines.push(theme.fg("text", cleanLine(description)));
    if (from !== "") lines.push(theme.fg("dim", cleanLine(from)));
    return [...hanging(`${sign} `, lines, width), ""];
  });
}

function factsOf({ tools, spawns, model, thinking, permission, blocking }: AgentDefinitionView): string[] {
  return [
    model ?? "",
    thinking === null ? "" : `thinks ${thinking}`,
    permission === null ? "" : `permission ${permission}`,
    tools === null ? "" : `tools ${tools.join(" ")}`,
    spawns === null || spawns.length === 0 ? "" : `sends ${spawns.includes("*") ? "all" : spawns.join(" ")}`,
    blocking ? "is waited for" : "",
  ].flatMap((fact) => (fact === "" ? [] : [cleanLine(fact)]));
}

/** One agent by itself: above its conversation. */
export function agentHead(agent: AgentView, theme: Theme, width: number): string[] {
  const { symbol, colour, word } = agentState(agent);
  const facts = [cleanLine(agent.model), isolations[agent.isolation], plural(agent.tool_calls, "call")];
  const state = `${theme.fg(colour, `${theme.symbol(symbol)} ${word}`)}  ${theme.fg("muted", agentStep(agent))}`;
  return wrapLines([state, theme.fg("dim", facts.filter((fact) => fact !== "").join(", "))], width).slice(
    0,
    3,
  );
}

const isolations: Readonly<Record<AgentView["isolation"], string>> = {
  ledger: "edits wait until it ends",
  worktree: "in a worktree of its own",
  copy: "in a copy of its own",
};
