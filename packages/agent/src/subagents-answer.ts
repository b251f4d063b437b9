// A subagent's answer as its typed result.
//
// The result is the arguments of the one call that was offered. A model that answers in text instead is taken at its word
// where that text is JSON, by itself or in a fence; words without JSON are a refusal and never a result.

import { parseArguments } from "@stet/model/adapter/tool-arguments";
import { checkArguments } from "@stet/model/adapter/tool-schema";
import { cutText } from "@stet/protocol/cut-text";
import type { AssistantMessage, Message, ToolCall } from "@stet/protocol/message";
import type * as z from "zod";

export type SubagentAnswer<T> =
  | { readonly valid: true; readonly value: T }
  | {
      readonly valid: false;
      /** For the model, so that it can do better. */
      readonly problem: string;
      /** For people. */
      readonly reason: string;
      /** The beginning of its answer. */
      readonly excerpt: string;
    };

interface Expected<T> {
  readonly schema: z.ZodType<T>;
  readonly tool: { readonly name: string };
  readonly check?: (result: T) => string | undefined;
}

const excerptLength = 400;

export function readAnswer<T>(message: AssistantMessage, expected: Expected<T>): SubagentAnswer<T> {
  const calls = callsOf(message);
  const call = calls.find(({ name }) => name === expected.tool.name);
  if (call !== undefined) return judge(call.arguments, expected);
  const other = calls[0];
  if (other !== undefined) {
    const problem = `There is no tool ${other.name}. Call ${expected.tool.name} with the result.`;
    return {
      valid: false,
      problem,
      reason: `it called ${other.name}, which it was not offered`,
      excerpt: cutText(other.name, excerptLength),
    };
  }
  const text = textOf(message);
  for (const candidate of jsonIn(text)) {
    const parsed = parseArguments(candidate, false);
    if (parsed.valid) return judge(unwrapped(parsed.arguments, expected.tool.name), expected);
  }
  const reason = text === "" ? "it returned nothing" : `instead of a result it said “${cutText(text, 300)}”`;
  return {
    valid: false,
    problem: `Do not answer in text. Call ${expected.tool.name} with the result.`,
    reason,
    excerpt: cutText(text, excerptLength),
  };
}

function judge<T>(given: Readonly<Record<string, unknown>>, expected: Expected<T>): SubagentAnswer<T> {
  const excerpt = cutText(JSON.stringify(given), excerptLength);
  const checked = checkArguments(expected.schema, given);
  if (!checked.valid) {
    return {
      valid: false,
      problem: checked.message,
      reason: "its result does not fit what was asked for",
      excerpt: excerpt,
    };
  }
  const problem = expected.check?.(checked.value);
  if (problem === undefined) return { valid: true, value: checked.value };
  return {
    valid: false,
    problem: `${problem} Nothing was taken over: call ${expected.tool.name} again with the complete result.`,
    reason: `its result cannot be used: ${problem}`,
    excerpt: excerpt,
  };
}

/** The answer and what is wrong with it, as the messages before the next request. */
export function tellProblem(message: AssistantMessage, problem: string): Message[] {
  const timestamp = Date.now();
  const calls = callsOf(message);
  const said: Message[] = message.content.length === 0 ? [] : [message];
  if (calls.length === 0) return [...said, { role: "user", content: problem, timestamp }];
  const results = calls.map(
    (call): Message => ({
      role: "toolResult",
      toolCallId: call.id,
      toolName: call.name,
      content: [{ type: "text", text: problem }],
      isError: true,
      timestamp,
    }),
  );
  return [...said, ...results];
}

function callsOf(message: AssistantMessage): ToolCall[] {
  return message.content.filter((part): part is ToolCall => part.type === "toolCall");
}

function textOf(message: AssistantMessage): string {
  return message.content
    .map((part) => (part.type === "text" ? part.text : ""))
    .join("\n")
    .trim();
}

/** What may be JSON in a text, the likeliest first. */
function* jsonIn(text: string): Generator<string> {
  for (const [, fenced = ""] of text.matchAll(/```(?:json)?[^\S\n]*\n([\s\S]*?)\n[^\S\n]*```/g)) yield fenced;
  const from = text.indexOf("{");
  const to = text.lastIndexOf("}");
  if (from >= 0 && to > from) yield text.slice(from, to + 1);
}

/** Some models write the call itself as JSON. */
function unwrapped(
  given: Readonly<Record<string, unknown>>,
  tool: string,
): Readonly<Record<string, unknown>> {
  const inner = given.name === tool ? (given.arguments ?? given.parameters) : undefined;
  return typeof inner === "object" && inner !== null ? (inner as Record<string, unknown>) : given;
}
