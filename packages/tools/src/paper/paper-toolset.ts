// Toolset paper: one text, fourteen small tools, one step at a time. Lines count from 1.
//
// A tool that failed three times is not tried again before the model has found its place anew: a search that finds something,
// or lines that are shown, give every tool a new start. How many rounds a turn may take is the loop's limit (`maxIterations`
// of the toolset).

import type { Tool } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import { prompt } from "../prompt.ts";
import { withSight } from "../sight/with-sight.ts";
import type { Toolset } from "../toolset.ts";
import { getContextLines } from "./context-lines.ts";
import { editTools } from "./edit-tools.ts";
import { keptSearchTools } from "./kept-search-tools.ts";
import { Paper, type PaperContext } from "./paper.ts";
import type { CardSource } from "./rank-cards.ts";
import { searchTools } from "./search-tools.ts";
import { verify } from "./verify.ts";

const errorQuota = 3;

export function paperToolset(context: PaperContext): Toolset {
  const system = prompt(import.meta.url, "system");
  const paper = new Paper(context);
  const all: Tool[] = [
    ...searchTools(paper, () => knowledge(system, all)),
    getContextLines(paper),
    ...keptSearchTools(paper),
    ...editTools(paper),
    verify(paper),
  ];
  const tools = all.map((tool) => withSight(withQuota({ ...tool, tellFault }, paper), paper.sight));
  return { name: "paper", system, tools, state: () => context.turn.state() };
}

function withQuota(tool: Tool, { failures }: Paper): Tool {
  return {
    ...tool,
    async execute(input, call) {
      const count = failures.get(tool.name) ?? 0;
      if (count >= errorQuota) return quotaSpent(tool.name);
      const outcome = await tool.execute(input, call);
      if (isFault(outcome)) failures.set(tool.name, count + 1);
      return outcome;
    },
  };
}

function quotaSpent(name: string): Fault {
  const instruction =
    "Please re-read context with search_paper() or get_context_lines() to find correct line number";
  return new Fault("not_allowed", `Tool '${name}' failed ${errorQuota} times. Stopping.`, instruction, {
    instruction,
  });
}

function tellFault({ message, suggestion, details }: Fault): Record<string, unknown> {
  if (typeof details.instruction === "string") {
    return { error: true, message, instruction: details.instruction };
  }
  const current = details.current === undefined ? {} : { current: details.current };
  return { error: true, message, suggestion, ...current };
}

/** What search_tools looks through: each tool, and each rule. */
function knowledge(system: string, tools: readonly Tool[]): CardSource[] {
  const rules = system.split("\n").filter((line) => line.trim() !== "");
  return [
    ...tools.map(({ name, description }) => ({ id: name, role: "tool", text: `${name}: ${description}` })),
    ...rules.map((text, index) => ({ id: `rule_${index + 1}`, role: "rule", text })),
  ];
}
