// Toolset paper: one text, fourteen small tools, one step at a time. Lines count from 1.

import type { Tool } from "@stet/agent/tool";
import { prompt } from "../prompt.ts";
import { withSight } from "../sight/with-sight.ts";
import type { Toolset } from "../toolset.ts";
import { Controller } from "./controller.ts";
import { Paper, type PaperContext } from "./paper.ts";
import type { CardSource } from "./rank-cards.ts";
import { paperTools } from "./tools.ts";

export function paperToolset(context: PaperContext): Toolset {
  const system = prompt(import.meta.url, "system");
  const paper = new Paper(context, () => knowledge(system, tools));
  const tools = paperTools({ paper, controller: new Controller(paper) }).map((tool) =>
    withSight(tool, paper.sight),
  );
  return { name: "paper", system, tools, state: () => context.turn.state() };
}

/** What search_tools looks through: each tool, and each rule. */
function knowledge(system: string, tools: readonly Tool[]): CardSource[] {
  const rules = system.split("\n").filter((line) => line.trim() !== "");
  return [
    ...tools.map(({ name, description }) => ({ id: name, role: "tool", text: `${name}: ${description}` })),
    ...rules.map((text, index) => ({ id: `rule_${index + 1}`, role: "rule", text })),
  ];
}
