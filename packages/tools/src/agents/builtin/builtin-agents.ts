// The agents that are there without any file. What each is told is in the file of its name beside this one.

import { prompt } from "../../prompt.ts";
import type { AgentDefinition } from "../agent-definition.ts";

type Kind = Omit<AgentDefinition, "source" | "from" | "prompt"> & {
  /** The file that it shares with another one. */
  readonly file?: string;
};

const looking = ["read", "search", "find", "ast_grep", "bash"];

/** Where something is, and what is said about it. */
const findings = {
  properties: {
    summary: { type: "string", metadata: { description: "What was found, in a few sentences" } },
    places: {
      elements: {
        properties: {
          file: { type: "string" },
          lines: { type: "string", metadata: { description: "As in 10-24" } },
          what: { type: "string" },
        },
      },
    },
  },
  optionalProperties: {
    open: { elements: { type: "string" }, metadata: { description: "What stayed unclear" } },
  },
};

const kinds: readonly Kind[] = [
  {
    name: "explore",
    description: "Looks around and reports where things are; changes nothing.",
    tools: looking,
    output: findings,
    thinking: "low",
  },
  {
    name: "plan",
    description:
      "Designs how something is to be done, step by step, after reading what is there; changes nothing.",
    tools: looking,
    spawns: ["explore"],
    thinking: "high",
  },
  {
    name: "designer",
    description: "Works on what people see and touch: layout, words, colours, keyboard, accessibility.",
  },
  {
    name: "reviewer",
    description: "Reviews changes or files and reports findings with their priority; changes nothing.",
    tools: [...looking, "report_finding"],
    thinking: "high",
    output: {
      properties: {
        verdict: { enum: ["correct", "incorrect"] },
        explanation: { type: "string" },
      },
    },
  },
  { name: "task", description: "Does a piece of work from beginning to end, with all tools.", spawns: ["*"] },
  {
    name: "quick_task",
    file: "task",
    description: "Does a small mechanical piece of work without much thought.",
    thinking: "minimal",
  },
  {
    name: "librarian",
    description: "Answers questions about libraries and formats from their sources and documentation.",
    tools: looking,
  },
  { name: "executor", description: "Carries out a plan that is given, and proves that it holds." },
  {
    name: "architect",
    description: "Judges structure: boundaries, data flow, what a change does to them; changes nothing.",
    tools: looking,
    thinking: "high",
  },
  {
    name: "planner",
    description: "Turns a wish into a plan with checks that say when it is done; changes nothing.",
    tools: looking,
    spawns: ["explore"],
    thinking: "high",
  },
  {
    name: "critic",
    description:
      "Looks for what is wrong with a plan or a result before somebody relies on it; changes nothing.",
    tools: looking,
    thinking: "high",
  },
];

let built: readonly AgentDefinition[] | undefined;

export function builtinAgents(): readonly AgentDefinition[] {
  built ??= kinds.map(({ file, ...kind }) => {
    return {
      ...kind,
      source: "builtin" as const,
      from: "",
      /** Read when it is sent. */
      get prompt() {
        return prompt(import.meta.url, file ?? kind.name);
      },
    };
  });
  return built;
}
