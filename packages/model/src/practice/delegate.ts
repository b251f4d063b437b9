// The practice model sends agents: "Send two agents (@task): Rename Tobias to Elias in novel.md; Where is Mara mentioned?". Each
// part is a wish that it understands itself, and the work of one agent, which is another practice model.
//
//   request   agents are named by @, or by "send … agents:"; the parts are separated by semicolons or lines
//   parent    one call of task; where agents go on in the background, it waits for them with job
//   child     carries out its part and gives back the answer by yield, in the form that yield asks for

import { isRecord } from "@stet/protocol/json-record";
import type { ToolDescription } from "@stet/protocol/model-stream";
import { type Request, requestOf } from "./request.ts";
import { sentenceOf, unmasked } from "./sentence.ts";
import { Obstacle, type Steps } from "./steps.ts";
import { call, textIn } from "./toolset.ts";
import { counted } from "./words.ts";

export interface DelegationWish {
  readonly agent: string;
  readonly parts: readonly Part[];
}

interface Part {
  readonly text: string;
  readonly kind: Request["kind"];
}

type Tools = readonly ToolDescription[];

const count = "(?:(?:one|two|three|four|some|[1-9]|một|hai|ba|bốn|vài)\\s+)?";
const agents = "(?:agents?|tác tử)";
const forms = [
  new RegExp(
    `^(?:(?:send|ask|use|let|cử|gửi|nhờ)\\s+)?${count}(?:${agents}\\s*)?\\(?@(?<agent>[a-z][\\w-]*)\\)?(?:\\s+${agents})?\\s*(?:[:,]|to\\s)?\\s*(?<parts>.+)$`,
    "isu",
  ),
  new RegExp(`^(?:send|cử|gửi)\\s+${count}${agents}\\s*:\\s*(?<parts>.+)$`, "isu"),
];
const maxParts = 4;

/** Undefined where no agents are wanted, or a part is no wish that it understands. */
export function delegationOf(message: string): DelegationWish | undefined {
  const sentence = sentenceOf(message);
  for (const form of forms) {
    const { agent = "task", parts = "" } = form.exec(sentence.text)?.groups ?? {};
    const texts = parts.split(/\s*[;\n]\s*(?:(?:and|và)\s+)?/u).filter((text) => text !== "");
    const wishes = texts.flatMap((text): Part[] => {
      const plain = unmasked(sentence, text);
      const wish = requestOf(plain);
      return wish === undefined ? [] : [{ text: plain, kind: wish.kind }];
    });
    if (texts.length > 0 && texts.length <= maxParts && wishes.length === texts.length)
      return { agent: agent.toLowerCase(), parts: wishes };
  }
  return undefined;
}

export function* delegate(tools: Tools, { agent, parts }: DelegationWish): Steps<string> {
  const has = (name: string) => tools.some((tool) => tool.name === name);
  if (!has("task") && has("search_tool_bm25"))
    yield* call(
      tools,
      "search_tool_bm25",
      "I look for the tool that sends agents.",
      { query: "task agents" },
      true,
    );
  if (!has("task")) return noAgents;
  const tasks = parts.map(({ text, kind }, index) => {
    return { id: `${names[kind]}${index + 1}`, description: text, assignment: text };
  });
  const thought =
    parts.length === 1 ? "I send an agent." : `I send ${counted(parts.length, "agent")}, one for each part.`;
  const sent = yield* call(tools, "task", thought, { agent, tasks }, true);
  if (sent instanceof Obstacle) return sent.sentence;
  const text = textIn(sent, "text") ?? "";
  const ids = [...text.matchAll(/^- (\d+-\S+): /gm)].map(([, id = ""]) => id);
  if (ids.length === 0) return answerOf(text);
  if (!has("job"))
    return `${counted(ids.length, "agent")} work in the background. I am told when each has ended.`;
  return answerOf(yield* waitFor(tools, ids));
}

const maxWaits = 50;

/** A call returns when the first of them has ended, so it is made until none runs. */
function* waitFor(tools: Tools, ids: readonly string[]): Steps<string> {
  let text = "";
  for (let waits = 0; waits < maxWaits; waits += 1) {
    const report = yield* call(tools, "job", waits === 0 ? "I wait for them." : "", { poll: ids }, true);
    if (report instanceof Obstacle) return report.sentence;
    text = textIn(report, "text") ?? "";
    if (!text.includes("## Still Running")) break;
  }
  return text;
}

/** Results of agents, each below a heading with its name, as the tools tell them. */
function answerOf(text: string): string {
  const sections = text.split(/^## (?=\d+-)/m).slice(1);
  if (sections.length === 0) return text;
  const shown = sections.map((section) => {
    const [head = "", ...body] = section.trim().split("\n");
    // A report of jobs begins each with a line of its own.
    const own = body.filter((line) => !/^- \d+-\S+ \(task\) /.test(line)).join("\n");
    return `### ${head}\n\n${summaryIn(own.trim())}`;
  });
  const isChanged = /^Changed: /m.test(text);
  const where = isChanged ? " What they changed is in the review, under their names." : "";
  return [`${counted(sections.length, "agent")} worked on it.${where}`, ...shown].join("\n\n");
}

/** Of a result with fields, its summary is what a person wants to read. */
function summaryIn(output: string): string {
  try {
    const value: unknown = JSON.parse(output);
    return isRecord(value) ? (textIn(value, "summary") ?? output) : output;
  } catch {
    return output;
  }
}

const names: Readonly<Record<Request["kind"], string>> = {
  replace: "Replace",
  set: "Change",
  insert: "Add",
  delete: "Delete",
  find: "Find",
  command: "Run",
  list: "List",
  outline: "Outline",
};

const noAgents =
  "I can send no agents here. They work in the toolsets project and code; in project, name one that there is with @ (`stet agents` lists them). Say for example: Send two agents (@task): Rename Tobias to Elias in novel.md; Where is Mara mentioned?";

export function isSent(tools: Tools): boolean {
  return tools.some(({ name }) => name === "yield");
}

/** The answer of an agent that was sent is given back, and its turn ends with that. */
export function* giveBack(tools: Tools, answer: Steps<string>): Steps<string> {
  const text = yield* answer;
  yield* call(tools, "yield", "I give back what came of it.", { result: resultOf(tools, text) }, true);
  return text;
}

// biome-ignore lint/correctness/useYield: the only call is that of giveBack.
export function* saying(text: string): Steps<string> {
  return text;
}

/** A text, or an object whose fields are a summary and lists. */
function resultOf(tools: Tools, text: string): unknown {
  const { properties } = tools.find(({ name }) => name === "yield")?.parameters ?? {};
  const result = isRecord(properties) ? properties.result : undefined;
  if (!isRecord(result) || !isRecord(result.properties)) return text;
  const { required } = result;
  const needed = Object.entries(result.properties).filter(
    ([name]) => Array.isArray(required) && required.includes(name),
  );
  return Object.fromEntries(
    needed.map(([name, form]) => [name, isRecord(form) && form.type === "array" ? [] : text]),
  );
}

/** What was told of the background is said again, without the marks around it. */
export function deliveryIn(message: string): string | undefined {
  if (!/^<(?:job-result|task-notification|timer|irc)\b/.test(message)) return undefined;
  const plain = message.replace(/<\/?(?:job-result|task-notification|timer|irc)\b[^>\n]*>/g, "").trim();
  return /^## \d+-/m.test(plain) ? answerOf(plain) : `I am told:\n\n${plain}`;
}
