// For tests of the practice model: a loop that plays a turn, and the five tools of toolset project over files in memory.
// The tools are as strict as the real ones: hashes are checked, lines are counted, searches are capped.

import { strict as assert } from "node:assert";
import { createHash } from "node:crypto";
import type { AssistantMessage, Message, ToolCall } from "@stet/protocol/message";
import type { ModelEvent, ModelRequest, ToolDescription } from "@stet/protocol/model-stream";
import { practiceModel } from "./practice-model.ts";

export type Values = Readonly<Record<string, unknown>>;

export interface Rehearsal {
  readonly answer: string;
  readonly files: Map<string, string>;
  readonly calls: readonly ToolCall[];
  readonly thoughts: readonly string[];
  readonly messages: readonly Message[];
  readonly questions: readonly string[];
}

export interface Rehearsed {
  readonly request: string;
  readonly files: Readonly<Record<string, string>>;
  /** What the person answers when asked, in order; nothing left is a skipped question. */
  readonly answers?: readonly string[];
  readonly without?: readonly string[];
  /** After so many calls no tools are offered any more. */
  readonly maxCalls?: number;
  /** Earlier messages of the conversation. */
  readonly before?: readonly Message[];
  /** Called before each call; a value that it returns is the result instead. */
  readonly intervene?: (
    call: ToolCall,
    files: Map<string, string>,
    count: number,
  ) => Values | string | undefined;
  /** How the tool hashes the line that an insertion is checked against: the one before it, or the one at it. */
  readonly insertionHash?: "before" | "at";
  /** Hashes of lines in a way that the model cannot know. */
  readonly hash?: (lines: readonly string[]) => string;
}

export const projectToolDescriptions: readonly ToolDescription[] = [
  tool("search_project", { query: "string", glob: "string", limit: "integer" }),
  tool("read_file", {
    file_path: "string",
    start_line: "integer",
    end_line: "integer",
    max_bytes: "integer",
  }),
  tool("list_files", { prefix: "string", glob: "string" }),
  tool("clarify_user", { question: "string", options: "array" }),
  tool("edit_file", {
    file_path: "string",
    operation: "string",
    start_line: "integer",
    end_line: "integer",
    new_text: "string",
    expected_hash: "string",
    rationale: "string",
  }),
];

export function tool(name: string, properties: Readonly<Record<string, string>>): ToolDescription {
  const described = Object.entries(properties).map(([key, type]) => [key, { type }]);
  return {
    name,
    description: name,
    parameters: { type: "object", properties: Object.fromEntries(described) },
  };
}

export async function rehearse(rehearsed: Rehearsed): Promise<Rehearsal> {
  const files = new Map(Object.entries(rehearsed.files));
  const tools = projectToolDescriptions.filter(({ name }) => !rehearsed.without?.includes(name));
  const questions: string[] = [];
  const answers = [...(rehearsed.answers ?? [])];
  const played = await play({
    ...rehearsed,
    tools,
    carryOut: (call, count) => {
      if (call.name === "clarify_user") questions.push(String(call.arguments.question));
      return rehearsed.intervene?.(call, files, count) ?? carriedOut(call, files, answers, rehearsed);
    },
  });
  return { ...played, files, questions };
}

export interface Play {
  readonly request: string;
  readonly tools: readonly ToolDescription[];
  /** The result of a call; `count` is how many were made before it. */
  readonly carryOut: (call: ToolCall, count: number) => Values | string;
  readonly maxCalls?: number;
  readonly before?: readonly Message[];
}

export type Played = Pick<Rehearsal, "answer" | "calls" | "thoughts" | "messages">;

/** A turn, from the request to the answer. */
export async function play({ request, tools, carryOut, maxCalls, before = [] }: Play): Promise<Played> {
  const messages: Message[] = [...before, user(request)];
  const most = maxCalls ?? Number.POSITIVE_INFINITY;
  const calls: ToolCall[] = [];
  const thoughts: string[] = [];
  for (let turn = 0; turn < 2_000; turn += 1) {
    const message = await heard({ system: "", messages, tools: calls.length < most ? tools : [] });
    messages.push(message);
    for (const part of message.content) if (part.type === "thinking") thoughts.push(part.thinking);
    const made = message.content.filter((part) => part.type === "toolCall");
    assert.ok(made.length <= 1, "one call at a time");
    const [call] = made;
    if (call === undefined) {
      const answer = message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
      return { answer, calls, thoughts, messages };
    }
    assert.ok(
      tools.some(({ name }) => name === call.name),
      `${call.name} was not offered`,
    );
    const result = carryOut(call, calls.length);
    calls.push(call);
    const text = typeof result === "string" ? result : JSON.stringify(result);
    const isError = typeof result !== "string" && "error" in result;
    const content = [{ type: "text" as const, text }];
    messages.push({
      role: "toolResult",
      toolCallId: call.id,
      toolName: call.name,
      content,
      isError,
      timestamp: 0,
    });
  }
  throw new Error("The practice model did not come to an end.");
}

/** Plays one stream and checks that it keeps the contract. */
export async function heard(request: ModelRequest): Promise<AssistantMessage> {
  const events: ModelEvent[] = [];
  for await (const event of practiceModel({ wordDelayMs: 0 }).stream(request)) events.push(event);
  checkContract(events);
  const last = events.at(-1);
  assert.equal(last?.type, "done");
  return last.message;
}

export function checkContract(events: readonly ModelEvent[]): void {
  assert.equal(events[0]?.type, "start");
  assert.equal(events.filter(({ type }) => type === "done" || type === "error").length, 1);
  const last = events.at(-1);
  assert.ok(last?.type === "done" || last?.type === "error");
  const told = new Map<number, string>();
  for (const event of events.slice(1, -1)) {
    assert.ok("index" in event, `${event.type} is not part of a block`);
    if (event.type.endsWith("_start")) {
      assert.equal(told.has(event.index), false);
      told.set(event.index, "");
    } else if ("delta" in event) told.set(event.index, told.get(event.index) + event.delta);
    else if (event.type === "text_end") assert.equal(told.get(event.index), event.text);
    else if (event.type === "thinking_end") assert.equal(told.get(event.index), event.thinking);
    else if (event.type === "toolcall_end") {
      assert.deepEqual(JSON.parse(told.get(event.index) ?? ""), event.toolCall.arguments);
    }
  }
  if (last.type === "done") {
    assert.equal(last.message.content.length, told.size);
    assert.ok(last.message.usage.input > 0 && last.message.usage.output > 0);
    assert.equal(last.message.stopReason, last.reason);
  }
}

export function user(content: string): Message {
  return { role: "user", content, timestamp: 0 };
}

function carriedOut(
  call: ToolCall,
  files: Map<string, string>,
  answers: string[],
  options: Rehearsed,
): Values {
  const values = call.arguments;
  switch (call.name) {
    case "search_project":
      return searched(values, files);
    case "list_files": {
      const prefix = typeof values.prefix === "string" ? `${values.prefix}/` : "";
      return { files: [...files.keys()].filter((path) => path.startsWith(prefix)).sort() };
    }
    case "clarify_user": {
      const answer = answers.shift();
      return answer === undefined ? { answer: "no_user_answer" } : { answer };
    }
    case "read_file":
      return readOut(values, files, options);
    default:
      return editedFile(values, files, options);
  }
}

function searched(values: Values, files: Map<string, string>): Values {
  const limit = Math.min(50, Number(values.limit ?? 20));
  const glob = typeof values.glob === "string" ? values.glob : "";
  const results: Values[] = [];
  for (const [path, text] of [...files].sort()) {
    if (glob.endsWith("/**") ? !path.startsWith(glob.slice(0, -2)) : glob !== "" && glob !== path) continue;
    for (const [index, line] of linesOf(text).entries()) {
      if (!line.includes(String(values.query))) continue;
      results.push({ file_path: path, start_line: index + 1, end_line: index + 1, snippet: line });
    }
  }
  return { results: results.slice(0, limit), truncated: results.length > limit };
}

function readOut(values: Values, files: Map<string, string>, { hash = hashOf }: Rehearsed): Values {
  const path = String(values.file_path);
  const text = files.get(path);
  if (text === undefined) return fault("file_not_found", `There is no file ${path}.`);
  const lines = linesOf(text);
  const first = Number(values.start_line ?? 1);
  const last = Math.min(lines.length, Number(values.end_line ?? 800));
  const shown = lines.slice(first - 1, last);
  const range = { file_path: path, start_line: first, end_line: last, total_lines: lines.length };
  return { ...range, content: shown.join("\n"), hash: hash(shown) };
}

function editedFile(values: Values, files: Map<string, string>, options: Rehearsed): Values {
  const { hash = hashOf, insertionHash = "at" } = options;
  const path = String(values.file_path);
  const text = files.get(path);
  if (text === undefined) return fault("file_not_found", `There is no file ${path}.`);
  const lines = linesOf(text);
  const isInsertion = values.operation === "insert";
  const first = Number(values.start_line);
  const last = isInsertion ? first - 1 : Number(values.end_line);
  if (!(first >= 1 && last <= lines.length && (isInsertion || first <= last))) {
    return fault("invalid_line_range", `Lines ${first} to ${last} are out of bounds.`);
  }
  if (values.operation === "delete" && values.new_text !== "")
    return fault("invalid", "A deletion has no text.");
  const guard = insertionHash === "before" ? first - 1 : first;
  const guarded = isInsertion ? lines.slice(guard - 1, guard) : lines.slice(first - 1, last);
  const isFree = isInsertion && (guard < 1 || guard > lines.length);
  if (!isFree && values.expected_hash !== hash(guarded))
    return fault("conflict", "The lines changed since they were read.");
  const added = values.operation === "delete" ? [] : String(values.new_text).split("\n");
  const after = [...lines.slice(0, first - 1), ...added, ...lines.slice(last)];
  files.set(
    path,
    after.length === 0 ? "" : after.join("\n") + (text.endsWith("\n") || text === "" ? "\n" : ""),
  );
  return { ok: true, hunk: { file_path: path, start_line: first, added: added.length } };
}

export function fault(error: string, message: string): Values {
  return { error, message, details: {}, suggestion: "Read the file again." };
}

export function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function hashOf(lines: readonly string[]): string {
  return `sha256:${createHash("sha256").update(lines.join("\n")).digest("hex")}`;
}
