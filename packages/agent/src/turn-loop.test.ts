import assert from "node:assert/strict";
import { test } from "node:test";
import { invalidCallFailure } from "@stet/model/adapter/invalid-call";
import { Fault } from "@stet/protocol/fault";
import type { Message } from "@stet/protocol/message";
import { modelOf, type PlayedModel, type PlayedReply } from "@stet/testkit/model-of";
import * as z from "zod";
import type { AgentEvent } from "./agent-event.ts";
import type { Shortened } from "./compaction.ts";
import { Inbox } from "./inbox.ts";
import { defineTool, type Tool, type ToolDefinition } from "./tool.ts";
import { runTurn, type TurnLoopOptions } from "./turn-loop.ts";

class Talk {
  readonly list: Message[];

  constructor(text = "Go.") {
    this.list = [{ role: "user", content: text, timestamp: 0 }];
  }

  messages(): Message[] {
    return this.list;
  }

  append(message: Message): void {
    this.list.push(message);
  }

  compact({ summary, kept }: Shortened): void {
    const newest = this.list.slice(this.list.length - kept);
    this.list.splice(0, this.list.length, { role: "user", content: summary, timestamp: 0 }, ...newest);
  }
}

const echoing: ToolDefinition<{ text: string }> = {
  name: "echo",
  description: "Says it again.",
  schema: z.object({ text: z.string() }),
  traits: ["reads"],
  execute: async ({ text }) => ({ content: text, details: { text } }),
};
const echo = defineTool(echoing);

async function play(model: PlayedModel, options: Partial<TurnLoopOptions> & { talk?: Talk } = {}) {
  const { talk = new Talk(), ...rest } = options;
  const events: AgentEvent[] = [];
  for await (const event of runTurn({ model, system: "", conversation: talk, tools: [echo], ...rest }))
    events.push(event);
  const end = events.at(-1);
  assert.ok(end?.type === "turn_end", "the last event ends the turn");
  assertAnswered(talk.list);
  return { talk, events, end };
}

/** Every call has exactly one result, right behind its message. */
function assertAnswered(messages: readonly Message[]): void {
  for (const [index, message] of messages.entries()) {
    if (message.role !== "assistant") continue;
    const ids = message.content.flatMap((part) => (part.type === "toolCall" ? [part.id] : []));
    const answers = messages.slice(index + 1, index + 1 + ids.length);
    assert.deepEqual(
      answers.map((answer) => (answer.role === "toolResult" ? answer.toolCallId : "")),
      ids,
    );
  }
}

const call = (text: string): PlayedReply => ({ calls: [{ name: "echo", arguments: { text } }] });
const resultsOf = (talk: Talk) =>
  talk.list.flatMap((message) =>
    message.role === "toolResult"
      ? [message.content.map((part) => (part.type === "text" ? part.text : "")).join("\n")]
      : [],
  );

test("a turn calls tools until the model answers", async () => {
  const { talk, end, events } = await play(modelOf([call("one"), call("two"), { text: "Done." }]));
  assert.deepEqual([end.outcome, end.toolCalls], ["completed", 2]);
  assert.deepEqual(
    talk.list.map((message) => message.role),
    ["user", "assistant", "toolResult", "assistant", "toolResult", "assistant"],
  );
  const types = events.map((event) => event.type).filter((type) => type !== "model" && type !== "context");
  assert.deepEqual(types, [
    "turn_start",
    "message",
    "tool_start",
    "message",
    "tool_end",
    "message",
    "tool_start",
    "message",
    "tool_end",
    "message",
    "turn_end",
  ]);
});

test("a message is in the conversation before anyone is told that it is done", async () => {
  const talk = new Talk();
  const model = modelOf([{ text: "Hello." }]);
  for await (const event of runTurn({ model, system: "", conversation: talk, tools: [] })) {
    if (event.type === "model" && event.event.type === "done") assert.equal(talk.list.length, 2);
  }
});

test("unknown tools, wrong arguments and tools that break are told to the model, not to the person", async () => {
  const broken = defineTool({
    name: "broken",
    description: "",
    traits: [],
    schema: z.object({}),
    execute: () => Promise.reject(new Error("a bug")),
  });
  const replies = [
    { calls: [{ name: "nothing", arguments: {} }] },
    { calls: [{ name: "echo", arguments: { text: 7 } }] },
    { calls: [{ name: "broken", arguments: {} }] },
    { text: "I give up." },
  ];
  const { talk, end } = await play(modelOf(replies), { tools: [echo, broken] });
  assert.equal(end.outcome, "completed");
  const [first = "", second = "", third = ""] = resultsOf(talk);
  assert.match(first, /unknown_tool.*echo, broken/s);
  assert.match(second, /invalid_arguments.*expected string/s);
  assert.match(third, /tool_failed.*a bug/s);
  assert.doesNotMatch(third, /turn-loop/, "the stack is for people");
});

test("exclusive tools never overlap, shared ones do", async () => {
  let running = 0;
  let most = 0;
  const slow = (traits: Tool["traits"], name: string) =>
    defineTool({
      name,
      description: "",
      schema: z.object({}),
      traits,
      execute: async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, 15));
        running -= 1;
        return { content: "ok" };
      },
    });
  const tools = [slow(["exclusive"], "write"), slow(["reads"], "read")];
  const calls = (names: string[]) => ({ calls: names.map((name) => ({ name, arguments: {} })) });
  await play(modelOf([calls(["write", "write", "read", "write"]), {}]), { tools });
  assert.equal(most, 1);
  await play(modelOf([calls(["read", "read", "read"]), {}]), { tools });
  assert.equal(most, 3);
});

test("a steering message skips the calls that have not begun, a follow-up waits for the end", async () => {
  const inbox = new Inbox();
  const first = defineTool({
    ...echoing,
    name: "first",
    traits: ["edits", "exclusive"],
    execute: async () => {
      inbox.add({ id: "m1", text: "And then?", mode: "follow_up" });
      inbox.add({ id: "m2", text: "Stop that.", mode: "steer" });
      return { content: "ok" };
    },
  });
  const replies = [
    {
      calls: [
        { name: "first", arguments: { text: "" } },
        { name: "echo", arguments: { text: "late" } },
      ],
    },
    { text: "Stopped." },
    { text: "Nothing." },
  ];
  const { talk, end } = await play(modelOf(replies), { tools: [first, echo], inbox });
  assert.equal(end.outcome, "completed");
  assert.match(resultsOf(talk)[1] ?? "", /skipped/);
  const said = talk.list.flatMap((message) => (message.role === "user" ? [message.content] : []));
  assert.deepEqual(said, ["Go.", "Stop that.", "And then?"]);
});

test("an abort in a tool ends the turn with every call answered", async () => {
  const controller = new AbortController();
  const stops = defineTool({
    ...echoing,
    name: "stops",
    traits: ["edits", "exclusive"],
    execute: async () => {
      controller.abort();
      throw new Error("interrupted");
    },
  });
  const replies = [
    {
      text: "Working.",
      calls: [
        { name: "stops", arguments: { text: "" } },
        { name: "echo", arguments: { text: "x" } },
      ],
    },
  ];
  const { talk, end } = await play(modelOf(replies), { tools: [stops, echo], signal: controller.signal });
  assert.equal(end.outcome, "aborted");
  assert.equal(resultsOf(talk).length, 2);
});

test("an abort in the middle of a stream keeps the text that was seen", async () => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 20);
  const { talk, end } = await play(modelOf([{ text: "Once upon a time", delayMs: 5000 }]), {
    signal: controller.signal,
  });
  assert.equal(end.outcome, "aborted");
  assert.deepEqual(talk.list.at(-1)?.content, [{ type: "text", text: "Once upon a time" }]);
});

test("whoever stops listening stops the turn", async () => {
  const model = modelOf((_, index) => call(`again ${index}`));
  const talk = new Talk();
  for await (const event of runTurn({ model, system: "", conversation: talk, tools: [echo] })) {
    if (event.type === "tool_end") break;
  }
  const asked = model.requests.length;
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.equal(model.requests.length, asked);
});

test("a turn out of tool calls is asked for an answer, with its tools declared and none to call", async () => {
  const model = modelOf((request, index) =>
    request.toolChoice === "none" ? { text: "That is all I could do." } : call(`${index}`),
  );
  const { end, events } = await play(model, { limits: { toolCalls: 3 } });
  assert.deepEqual([end.outcome, end.toolCalls, model.requests.length], ["stopped", 3, 4]);
  assert.deepEqual([end.stop?.limit, end.stop?.isAnswered], ["tool_calls", true]);
  assert.equal(events.find((event) => event.type === "limit")?.limit, "tool_calls");
  const last = model.requests.at(-1);
  assert.deepEqual(
    last?.tools.map(({ name }) => name),
    ["echo"],
  );
  assert.match(String(last?.messages.at(-1)?.content), /all 3 tool calls.*Answer now with what you have/s);
});

test("limits of requests, money and schema retries stop the turn and say which", async () => {
  const cases = [
    { limits: { iterations: 2 }, reply: call("x"), limit: "iterations" },
    {
      limits: { cost: 0.01 },
      reply: {
        ...call("x"),
        usage: { cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0.02 } },
      },
      limit: "cost",
    },
    {
      limits: { schemaRetries: 2 },
      reply: { calls: [{ name: "echo", arguments: {} }] },
      limit: "schema_retries",
    },
  ];
  for (const { limits, reply, limit } of cases) {
    const { end, events } = await play(
      modelOf(() => reply),
      { limits },
    );
    assert.equal(end.outcome, "stopped");
    const reported = events.find((event) => event.type === "limit");
    assert.equal(reported?.limit, limit);
  }
});

test("the same call with the same answer is pointed out, then stops the turn; not when the state changes", async () => {
  const stuck = await play(
    modelOf(() => call("again")),
    { limits: { toolCalls: 100 } },
  );
  assert.deepEqual([stuck.end.outcome, stuck.end.toolCalls], ["stopped", 5]);
  assert.match(resultsOf(stuck.talk)[2] ?? "", /the same answer 3 times. Do something else/);
  let state = 0;
  const moving = await play(
    modelOf((_, index) => (index < 8 ? call("again") : { text: "Done." })),
    {
      limits: { toolCalls: 100 },
      state: () => String(state++),
    },
  );
  assert.equal(moving.end.outcome, "completed");
});

test("three failures of one tool in a row tell the model to look again", async () => {
  const fails = defineTool({
    ...echoing,
    execute: async ({ text }) => new Fault("conflict", `No: ${text}`, "Read again."),
  });
  const { talk } = await play(modelOf([call("a"), call("b"), call("c"), {}]), { tools: [fails] });
  const results = resultsOf(talk);
  assert.match(results[2] ?? "", /failed 3 times in a row. Read again what it works on/);
  const notes = talk.list.flatMap((message) =>
    message.role === "toolResult" ? message.content.length - 1 : [],
  );
  assert.deepEqual(notes, [0, 0, 1], "what the tool said stays as it is, and a note stands beside it");
  assert.doesNotMatch(results[1] ?? "", /in a row/);
});

test("what was carried out and failed is an error for the model, but not counted as refused", async () => {
  const fails = defineTool({
    ...echoing,
    execute: async ({ text }) => ({ content: `${text} failed`, isFailure: true }),
  });
  const { talk } = await play(modelOf([call("a"), call("b"), call("c"), {}]), { tools: [fails] });
  assert.deepEqual(resultsOf(talk), ["a failed", "b failed", "c failed"]);
  const flags = talk
    .messages()
    .flatMap((message) => (message.role === "toolResult" ? [message.isError] : []));
  assert.deepEqual(flags, [true, true, true]);
});

test("a failure of the model ends the turn with its reason", async () => {
  const failure = { kind: "authentication", message: "The key was refused." } as const;
  const { end } = await play(modelOf([{ failure }]));
  assert.deepEqual([end.outcome, end.failure], ["failed", failure]);
});

test("a full context is made smaller by a summary of all that was said, asked for as providers demand", async () => {
  const long = defineTool({ ...echoing, execute: async () => ({ content: "word ".repeat(1000) }) });
  const model = modelOf(
    (request, index) => {
      if (request.toolChoice === "none") return { text: "A summary." };
      return index < 20 ? call(`${index}`) : { text: "Done." };
    },
    { contextWindow: 12_000 },
  );
  const { events, end } = await play(model, { system: "Be exact.", tools: [long] });
  assert.equal(end.outcome, "completed");
  const compactions = events.filter((event) => event.type === "compaction");
  assert.equal(compactions[0]?.by, "summary");
  const asked = model.requests.filter(({ toolChoice }) => toolChoice === "none");
  assert.deepEqual(
    asked.map(({ system, tools }) => [system, tools.map(({ name }) => name)]),
    asked.map(() => ["Be exact.", ["echo"]]),
  );
  assert.doesNotMatch(JSON.stringify(asked[0]?.messages), /was left out to save space/);
  assert.match(String(asked[0]?.messages.at(-1)?.content), /## Goal.*## Decisions.*## Files.*## Next steps/s);
  for (const compaction of compactions) assert.ok(compaction.after < compaction.before);
  const largest = Math.max(...model.requests.map((request) => JSON.stringify(request.messages).length / 4));
  assert.ok(largest < 13_500, `no request is larger than the context: ${largest}`);
});

test("a context that cannot be made smaller stops the turn instead of asking for ever", async () => {
  const talk = new Talk("word ".repeat(20_000));
  const model = modelOf(
    (request, index) => (request.toolChoice === "none" ? { text: "word ".repeat(20_000) } : call(`${index}`)),
    { contextWindow: 10_000 },
  );
  const { end, events } = await play(model, { talk });
  assert.equal(end.outcome, "stopped");
  assert.match(
    JSON.stringify(events.findLast((event) => event.type === "limit")),
    /context is full.*Start a new session/,
  );
});

const refuses = defineTool({
  ...echoing,
  name: "refuses",
  execute: async ({ text }) => new Fault("invalid_arguments", `There is no task ${text}.`, "Name another."),
});

test("refusals of meaning never end a turn, and a success forgives arguments that did not fit", async () => {
  const misfit = (index: number): PlayedReply => ({ calls: [{ name: "echo", arguments: { text: index } }] });
  const refusedCall = (index: number): PlayedReply => ({
    calls: [{ name: "refuses", arguments: { text: `${index}` } }],
  });
  const rounds = Array.from({ length: 8 }, (_, index) => [
    misfit(index),
    refusedCall(index),
    call(`${index}`),
  ]).flat();
  const { end } = await play(modelOf([...rounds, { text: "Done." }]), { tools: [echo, refuses] });
  assert.deepEqual([end.outcome, end.toolCalls], ["completed", 24]);
});

test("six calls in a row that do not fit end the turn, after a last answer", async () => {
  const model = modelOf((request, index) =>
    request.toolChoice === "none"
      ? { text: "I could not call it." }
      : { calls: [{ name: index % 2 === 0 ? "echo" : "refuses", arguments: { text: index } }] },
  );
  const { end } = await play(model, { tools: [echo, refuses] });
  assert.deepEqual([end.outcome, end.stop?.limit, end.toolCalls], ["stopped", "schema_retries", 6]);
  assert.equal(end.stop?.isAnswered, true);
});

test("null for a field that may be left out is forgiven, and null that is data stays", async () => {
  const given: unknown[] = [];
  const store = defineTool({
    name: "store",
    description: "",
    schema: z.object({
      row: z.record(z.string(), z.string().nullable()),
      after: z.number().optional(),
      nested: z.object({ hash: z.string().optional() }).optional(),
    }),
    traits: ["reads"],
    execute: async (input) => {
      given.push(input);
      return { content: "Stored." };
    },
  });
  const calls = [{ name: "store", arguments: { row: { a: null }, after: null, nested: { hash: null } } }];
  const { end } = await play(modelOf([{ calls }, { text: "Done." }]), { tools: [store] });
  assert.equal(end.outcome, "completed");
  assert.deepEqual(given, [{ row: { a: null }, nested: {} }]);
});

test("with one request for each call, the last answer is asked for all the same", async () => {
  const model = modelOf((request, index) =>
    request.toolChoice === "none" ? { text: "Half of it is done." } : call(`${index}`),
  );
  const { end, talk } = await play(model, { limits: { iterations: 5, toolCalls: 5 } });
  assert.deepEqual([end.outcome, end.stop?.limit], ["stopped", "iterations"]);
  assert.deepEqual(talk.list.at(-1)?.content, [{ type: "text", text: "Half of it is done." }]);
  assert.equal(model.requests.length, 6);
});

test("calls in the last answer are refused, each with its result", async () => {
  const { end, talk, events } = await play(
    modelOf((_, index) => call(`${index}`)),
    { limits: { iterations: 2 } },
  );
  assert.deepEqual([end.outcome, end.toolCalls, end.stop?.isAnswered], ["stopped", 2, false]);
  assert.match(resultsOf(talk)[2] ?? "", /tool_call_limit/);
  const started = events.filter((event) => event.type === "tool_start").length;
  const ended = events.filter((event) => event.type === "tool_end").length;
  assert.deepEqual([started, ended], [3, 3], "every call that ended was seen to begin");
});

test("polling what changes by itself is no standstill", async () => {
  const command = defineTool({ ...echoing, name: "command", traits: ["volatile"] });
  const polls = Array.from({ length: 8 }, (): PlayedReply => {
    return { calls: [{ name: "command", arguments: { text: "pending" } }] };
  });
  const { end } = await play(modelOf([...polls, { text: "Done." }]), { tools: [command] });
  assert.deepEqual([end.outcome, end.toolCalls], ["completed", 8]);
});

const lostConnection = { kind: "network", message: "The connection ended." } as const;

test("an answer that breaks off in the middle is asked for again, and nothing of it stays", async () => {
  const model = modelOf([{ text: "Half an ans", failure: lostConnection }, { text: "The whole answer." }]);
  const { end, talk, events } = await play(model, { retry: { baseDelayMs: 1 } });
  assert.equal(end.outcome, "completed");
  assert.deepEqual(
    talk.list.slice(1).map(({ content }) => content),
    [[{ type: "text", text: "The whole answer." }]],
  );
  assert.deepEqual(model.requests[0]?.messages, model.requests[1]?.messages);
  const retries = events.filter(({ type }) => type === "auto_retry_start" || type === "auto_retry_end");
  assert.partialDeepStrictEqual(retries, [
    { type: "auto_retry_start", attempt: 1, maxAttempts: 3, errorMessage: "The connection ended." },
    { type: "auto_retry_end", attempt: 1, success: true },
  ]);
});

test("after three more attempts that break off the turn has failed, and keeps what was said last", async () => {
  const model = modelOf((_, index) => ({ text: `Try ${index}`, failure: lostConnection }));
  const { end, talk, events } = await play(model, { retry: { baseDelayMs: 1 } });
  assert.deepEqual([end.outcome, model.requests.length], ["failed", 4]);
  assert.deepEqual(talk.list.at(-1)?.content, [{ type: "text", text: "Try 3" }]);
  const last = events.findLast((event) => event.type === "auto_retry_end");
  assert.deepEqual([last?.success, last?.attempt, last?.finalError], [false, 3, "The connection ended."]);
});

test("a stop while an answer is waited for again ends the turn", async () => {
  const controller = new AbortController();
  const events: AgentEvent[] = [];
  const model = modelOf([{ text: "Half", failure: lostConnection }]);
  const options = { model, system: "", conversation: new Talk(), tools: [], signal: controller.signal };
  for await (const event of runTurn({ ...options, retry: { baseDelayMs: 60_000 } })) {
    if (event.type === "auto_retry_start") controller.abort();
    events.push(event);
  }
  const end = events.at(-1);
  assert.ok(end?.type === "turn_end");
  assert.equal(end.outcome, "aborted");
  assert.equal(events.findLast((event) => event.type === "auto_retry_end")?.finalError, "Retry cancelled");
});

test("an empty answer stops the turn, and the conversation keeps it", async () => {
  const { end, talk, events } = await play(modelOf([{}]));
  assert.deepEqual([end.outcome, end.stop?.limit], ["stopped", "empty_answer"]);
  assert.equal(events.find((event) => event.type === "limit")?.limit, "empty_answer");
  assert.deepEqual(
    talk.list.map(({ role }) => role),
    ["user", "assistant"],
  );
});

test("an answer that is cut at the model's length limit is told as such", async () => {
  const { end, talk } = await play(modelOf([{ text: "The first half of", reason: "length" }]));
  assert.deepEqual([end.outcome, end.stop?.limit], ["stopped", "output"]);
  assert.deepEqual(talk.list.at(-1)?.content, [{ type: "text", text: "The first half of" }]);
});

test("one call that cannot be read does not take the good ones of its message along", async () => {
  const failure = invalidCallFailure({ id: "x", name: "edit", argumentsText: "{" }, "it is cut off", false);
  const model = modelOf([{ ...call("good"), failure }, { text: "Done." }]);
  const { end, talk } = await play(model);
  assert.deepEqual([end.outcome, end.toolCalls], ["completed", 1]);
  assert.deepEqual(resultsOf(talk), ["good"]);
  const reported = talk.list.findLast(({ role }) => role === "user")?.content;
  assert.match(
    String(reported),
    /call to edit cannot be used.*The other calls of that message were made: echo/s,
  );
});

test("after a summary the context is counted anew, and not by what a provider counted before it", async () => {
  const long = defineTool({ ...echoing, execute: async () => ({ content: "word ".repeat(400) }) });
  const model = modelOf(
    (request, index) => {
      if (request.toolChoice === "none") return { text: "A summary." };
      const input = Math.ceil(JSON.stringify(request.messages).length / 4);
      return index < 30 ? { ...call(`${index}`), usage: { input } } : { text: "Done." };
    },
    { contextWindow: 8000 },
  );
  const { events, end } = await play(model, { tools: [long] });
  assert.equal(end.outcome, "completed");
  const summaries = events.filter((event) => event.type === "compaction").length;
  assert.ok(summaries >= 1 && summaries <= 4, `${summaries} summaries for 30 answers`);
});
