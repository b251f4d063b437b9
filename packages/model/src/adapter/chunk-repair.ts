// Chunks of Chat Completions as packages expect them, from servers that write them a little otherwise:
//
// - arguments of a call that are an object instead of its text;
// - calls without an index, of which each id is one call, and a piece without an id belongs to the call before it;
//   a call without a type is one of a function;
// - `choices` that is null.
//
// An event that looks right is not parsed. Whatever else is wrong is left to the package.

import { isRecord, type JsonRecord } from "@stet/protocol/json-record";
import type { Family } from "./family.ts";

const chatFamilies: ReadonlySet<Family> = new Set([
  "openai-chat",
  "azure-chat",
  "openai-compatible",
  "openrouter",
  "groq",
  "mistral",
  "deepseek",
]);

const suspicious = /"arguments"\s*:\s*[{[]|"choices"\s*:\s*null|"tool_calls"\s*:\s*\[\s*\{(?!\s*"index")/;

/** For one answer: it remembers which calls it saw. Undefined for other formats. */
export function chunkRepair(family: Family): ((events: string) => string) | undefined {
  if (!chatFamilies.has(family)) return undefined;
  const calls = new Map<string, number>();
  let last = -1;
  const indexOf = (call: JsonRecord): number => {
    const { index, id } = call;
    if (typeof index === "number") {
      last = index;
      return index;
    }
    const name = typeof id === "string" ? id : "";
    const known = calls.get(name);
    const hasName = isRecord(call.function) && typeof call.function.name === "string";
    if (known !== undefined) last = known;
    else if (name !== "" || hasName || last < 0) last += 1;
    if (name !== "") calls.set(name, last);
    return last;
  };
  return (events) =>
    suspicious.test(events)
      ? events.replace(/^data: ?(\{.*\})\r?$/gm, (line, json: string) => repairedLine(line, json, indexOf))
      : events;
}

function repairedLine(line: string, json: string, indexOf: (call: JsonRecord) => number): string {
  if (!suspicious.test(json)) return line;
  const chunk = parsed(json);
  if (chunk === undefined) return line;
  const choices: readonly unknown[] = Array.isArray(chunk.choices) ? chunk.choices : [];
  const repaired = { ...chunk, choices: choices.map((choice) => repairedChoice(choice, indexOf)) };
  return `data: ${JSON.stringify(repaired)}`;
}

function repairedChoice(choice: unknown, indexOf: (call: JsonRecord) => number): unknown {
  if (!isRecord(choice) || !isRecord(choice.delta) || !Array.isArray(choice.delta.tool_calls)) return choice;
  const calls = choice.delta.tool_calls.map((call: unknown) =>
    isRecord(call)
      ? { type: "function", ...call, index: indexOf(call), ...repairedFunction(call.function) }
      : call,
  );
  return { ...choice, delta: { ...choice.delta, tool_calls: calls } };
}

function repairedFunction(called: unknown): { readonly function?: JsonRecord } {
  if (!isRecord(called)) return {};
  const { arguments: given } = called;
  const isText = typeof given !== "object" || given === null;
  return isText ? {} : { function: { ...called, arguments: JSON.stringify(given) } };
}

function parsed(json: string): JsonRecord | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
