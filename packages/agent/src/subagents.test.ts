import assert from "node:assert/strict";
import { test } from "node:test";
import { Budget } from "@stet/model/budget";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { Model, ModelEvent } from "@stet/protocol/model-stream";
import { modelOf, type PlayedReply } from "@stet/testkit/model-of";
import * as z from "zod";
import { Subagents, type SubagentTask } from "./subagents.ts";

const schema = z.object({ words: z.number().describe("How many words") });
type Counted = z.infer<typeof schema>;

function task(name: string, check?: (result: Counted) => string | undefined): SubagentTask<Counted> {
  const tool = { name: "report", description: "Returns the result." };
  const common = { name, system: "Count.", prompt: `Count ${name}`, schema, tool };
  return check === undefined ? common : { ...common, check };
}

const result = (words: unknown): PlayedReply => ({ calls: [{ name: "report", arguments: { words } }] });
const calm = () => new AbortController().signal;

function faultOf(value: unknown): Fault {
  assert.ok(isFault(value), `expected a fault, not ${JSON.stringify(value)}`);
  return value;
}

function subagents(model: Model, options: { concurrency?: number; stallMs?: number; budget?: Budget } = {}) {
  const { budget = new Budget("turn"), ...rest } = options;
  return new Subagents({ model, budget, ...rest });
}

test("one tool is offered, and its arguments are the result", async () => {
  const model = modelOf([result(7)]);
  assert.deepEqual(await subagents(model).run(task("a"), { signal: calm() }), { words: 7 });
  const [request] = model.requests;
  assert.deepEqual(
    request?.tools.map(({ name }) => name),
    ["report"],
  );
  assert.equal(request?.system, "Count.");
});

test("a result written as text is taken where it is JSON, fenced or not", async () => {
  const fenced = modelOf([{ text: 'Here it is:\n```json\n{"words": 3}\n```\nDone.' }]);
  assert.deepEqual(await subagents(fenced).run(task("a"), { signal: calm() }), { words: 3 });
  const bare = modelOf([{ text: 'The result: {"name": "report", "arguments": {"words": 4}}' }]);
  assert.deepEqual(await subagents(bare).run(task("a"), { signal: calm() }), { words: 4 });
});

test("arguments that do not fit are told back once, then the subagent has failed", async () => {
  const mended = modelOf([result("many"), result(5)]);
  assert.deepEqual(await subagents(mended).run(task("a"), { signal: calm() }), { words: 5 });
  const toolResult = mended.requests[1]?.messages.at(-1);
  assert.equal(toolResult?.role, "toolResult");
  assert.match(JSON.stringify(toolResult), /words/);

  const hopeless = modelOf(() => result("many"));
  const fault = faultOf(await subagents(hopeless).run(task("chunk 3 of 40"), { signal: calm() }));
  assert.equal(fault.error, "subagent_failed");
  assert.match(fault.message, /chunk 3 of 40/);
  assert.equal(hopeless.requests.length, 2);
});

test("a result that the task's own check refuses is told back with the reason", async () => {
  const model = modelOf([result(-1), result(2)]);
  const check = ({ words }: Counted) => (words < 0 ? "A count is never negative." : undefined);
  assert.deepEqual(await subagents(model).run(task("a", check), { signal: calm() }), { words: 2 });
  assert.match(JSON.stringify(model.requests[1]?.messages), /never negative/);
});

test("a refusal, an empty answer and a failing model each name the subagent and say why", async () => {
  for (const [reply, why] of [
    [{ text: "I cannot do that." }, /I cannot do that/],
    [{}, /returned nothing/],
    [{ failure: { kind: "server", message: "The server is down." } }, /The server is down/],
    [{ calls: [{ name: "other", arguments: {} }] }, /other, which it was not offered/],
  ] satisfies [PlayedReply, RegExp][]) {
    const fault = faultOf(await subagents(modelOf(() => reply)).run(task("part 2"), { signal: calm() }));
    assert.equal(fault.error, "subagent_failed");
    assert.match(fault.message, /part 2/);
    assert.match(fault.message, why);
    assert.notEqual(fault.suggestion, "");
  }
});

test("a failing model is not asked again: retries are its own business", async () => {
  const model = modelOf(() => ({ failure: { kind: "rate_limit", message: "Too many requests." } }));
  faultOf(await subagents(model).run(task("a"), { signal: calm() }));
  assert.equal(model.requests.length, 1);
});

/** Says a first word and then nothing, and does not care whether anyone still listens. */
function stalling(answersAfter = Number.POSITIVE_INFINITY): Model & { asked: number } {
  const played = modelOf(() => result(1));
  const model = {
    ...played,
    asked: 0,
    stream(...args: Parameters<Model["stream"]>) {
      model.asked += 1;
      return model.asked > answersAfter ? played.stream(...args) : hang();
    },
  };
  return model;
}

async function* hang(): AsyncGenerator<ModelEvent> {
  yield { type: "start", provider: "played", model: "played" };
  await new Promise(() => {});
}

test("a stream that says nothing is given up and asked again, then the subagent has failed", async () => {
  const late = stalling(1);
  assert.deepEqual(await subagents(late, { stallMs: 10 }).run(task("a"), { signal: calm() }), { words: 1 });
  const dead = stalling();
  const fault = faultOf(await subagents(dead, { stallMs: 10 }).run(task("a"), { signal: calm() }));
  assert.match(fault.message, /said nothing/);
  assert.equal(dead.asked, 2);
});

test("no more than the limit work at the same time, and every change of the count is told", async () => {
  let running = 0;
  let most = 0;
  const played = modelOf(() => ({ ...result(1), delayMs: 2 }));
  const model: Model = {
    ...played,
    async *stream(request, signal) {
      running += 1;
      most = Math.max(most, running);
      for await (const event of played.stream(request, signal)) {
        if (event.type === "done") running -= 1;
        yield event;
      }
    },
  };
  const counts: number[] = [];
  const agents = subagents(model, { concurrency: 3 });
  const tasks = Array.from({ length: 10 }, (_, index) => task(`${index}`));
  // Two groups share the limit.
  const [one, other] = await Promise.all([
    agents.runAll(tasks, { signal: calm(), onActive: (active) => counts.push(active) }),
    agents.runAll(tasks, { signal: calm() }),
  ]);
  assert.equal(isFault(one) ? 0 : one.length, 10);
  assert.equal(isFault(other) ? 0 : other.length, 10);
  assert.equal(most, 3);
  assert.equal(counts.length, 20);
  assert.equal(counts.at(-1), 0);
  assert.ok(counts.every((count) => count >= 0 && count <= 3));
});

test("results come in the order of the tasks, whichever is done first", async () => {
  const model = modelOf((request) => {
    const [message] = request.messages;
    const number = Number(/\d+/.exec(typeof message?.content === "string" ? message.content : "")?.[0]);
    return { ...result(number), delayMs: (5 - number) * 3 };
  });
  const tasks = [0, 1, 2, 3].map((number) => task(`${number}`));
  const results = await subagents(model).runAll(tasks, { signal: calm() });
  assert.deepEqual(results, [{ words: 0 }, { words: 1 }, { words: 2 }, { words: 3 }]);
});

test("the first failure of a group stops the others, running or waiting", async () => {
  const model = modelOf((_, index) =>
    index === 1
      ? { failure: { kind: "server", message: "Broken." } }
      : { ...result(1), delayMs: index === 0 ? 1_000_000 : 0 },
  );
  const tasks = Array.from({ length: 8 }, (_, index) => task(`${index}`));
  const fault = faultOf(await subagents(model, { concurrency: 2 }).runAll(tasks, { signal: calm() }));
  assert.match(fault.message, /Broken/);
  assert.equal(model.requests.length, 2);
});

test("the person's stop ends everything at once, also a model that does not listen to it", async () => {
  const stop = new AbortController();
  const counts: number[] = [];
  const running = subagents(stalling(), { concurrency: 2 }).runAll(
    ["a", "b", "c"].map((name) => task(name)),
    {
      signal: stop.signal,
      onActive: (active) => {
        counts.push(active);
        if (active === 2) stop.abort();
      },
    },
  );
  assert.equal(faultOf(await running).error, "aborted");
  assert.equal(counts.at(-1), 0);
});

test("the budget of the tree counts every subagent, and ends the group when it is spent", async () => {
  const turn = new Budget("turn", { maxTokens: 250 });
  const model = modelOf(() => ({ ...result(1), usage: { input: 90, output: 10 } }));
  const tasks = Array.from({ length: 6 }, (_, index) => task(`${index}`));
  const finished: number[] = [];
  const fault = faultOf(
    await subagents(model, { budget: turn, concurrency: 1 }).runAll(tasks, {
      signal: calm(),
      onResult: (_, index) => finished.push(index),
    }),
  );
  assert.equal(fault.error, "subagent_failed");
  assert.match(fault.message, /budget of turn is spent/);
  assert.deepEqual(finished, [0, 1, 2]);
  assert.equal(turn.spent.input, 270);
});
