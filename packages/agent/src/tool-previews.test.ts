import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { noUsage, type ToolCall } from "@stet/protocol/message";
import type { Model, ModelEvent } from "@stet/protocol/model-stream";
import * as z from "zod";
import type { AgentEvent } from "./agent-event.ts";
import { defineTool, type Tool } from "./tool.ts";
import { type ToolPreview, ToolPreviews } from "./tool-previews.ts";
import { runTurn } from "./turn-loop.ts";

function toolWith(preview: NonNullable<Tool["preview"]>): Tool {
  return defineTool({
    name: "edit",
    description: "",
    schema: z.object({}),
    traits: ["edits", "exclusive"],
    execute: async () => ({ content: "done" }),
    preview,
  });
}

const call: ToolCall = { type: "toolCall", id: "c1", name: "edit", arguments: {} };
const start = { type: "toolcall_start", index: 0, id: "c1", name: "edit" } as const;
const delta = (text: string) => ({ type: "toolcall_delta", index: 0, delta: text }) as const;
const end = { type: "toolcall_end", index: 0, toolCall: call } as const;

/** The clock stands still but for what a test lets pass. */
function stopClock({ mock }: TestContext): (milliseconds: number) => Promise<void> {
  mock.timers.enable({ apis: ["setTimeout"] });
  return async (milliseconds) => {
    mock.timers.tick(milliseconds);
    await new Promise(setImmediate);
  };
}

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

test("previews follow what is written, at most one in 150 milliseconds", async (t) => {
  const pass = stopClock(t);
  const seen: string[] = [];
  const emitted: ToolPreview[] = [];
  const tool = toolWith(async (partial) => {
    seen.push(partial);
    return `diff of ${partial}`;
  });
  const previews = new ToolPreviews([tool], (preview) => emitted.push(preview));
  previews.observe(start);
  for (let step = 0; step < 50; step += 1) {
    previews.observe(delta("x"));
    await pass(10);
  }
  assert.deepEqual(seen, ["x".repeat(15), "x".repeat(30), "x".repeat(45)]);
  await pass(100);
  assert.equal(seen.at(-1), "x".repeat(50), "the last state is shown, too");
  assert.deepEqual(emitted.at(-1), { id: "c1", name: "edit", diff: `diff of ${"x".repeat(50)}` });
});

test("a slow preview is not told once the call is written, and a second one does not begin before it is done", async (t) => {
  const pass = stopClock(t);
  let begun = 0;
  const emitted: ToolPreview[] = [];
  const tool = toolWith(async () => {
    begun += 1;
    await pause(400);
    return "late";
  });
  const previews = new ToolPreviews([tool], (preview) => emitted.push(preview));
  previews.observe(start);
  for (let step = 0; step < 50; step += 1) {
    previews.observe(delta("x"));
    await pass(10);
  }
  assert.equal(begun, 1);
  previews.observe(end);
  await pass(400);
  assert.deepEqual(emitted, []);
});

test("the last preview is of the whole call, also where the model wrote faster than anyone could look", async () => {
  const emitted: ToolPreview[] = [];
  const tool = toolWith(async (text) => `diff of ${text}`);
  const previews = new ToolPreviews([tool], (preview) => emitted.push(preview));
  previews.observe(start);
  for (const text of ["one", "two", "three"]) previews.observe(delta(text));
  previews.observe(end);
  await previews.finish();
  await previews.finish();
  assert.deepEqual(emitted, [{ id: "c1", name: "edit", diff: "diff of onetwothree" }]);
});

test("the same preview is told once; one that fails, or of a tool without any, is not told", async (t) => {
  const pass = stopClock(t);
  const emitted: ToolPreview[] = [];
  let times = 0;
  const same = toolWith(async () => {
    times += 1;
    if (times === 2) throw new Error("a bug");
    return "same";
  });
  const previews = new ToolPreviews([same], (preview) => emitted.push(preview));
  previews.observe({ ...start, index: 1, name: "other" });
  previews.observe({ ...delta("x"), index: 1 });
  previews.observe(start);
  for (let step = 0; step < 4; step += 1) {
    previews.observe(delta("x"));
    await pass(170);
  }
  previews.stop();
  assert.equal(times, 4);
  assert.deepEqual(
    emitted.map(({ diff }) => diff),
    ["same"],
  );
});

test("a turn tells previews before the call begins, and the stream never waits for them", async (t) => {
  const pass = stopClock(t);
  const tool = toolWith(() => pause(20).then(() => "diff"));
  const stuck = toolWith(() => new Promise(() => {}));
  for (const [one, expected] of [
    [tool, 1],
    [stuck, 0],
  ] as const) {
    let asked = 0;
    const model: Model = {
      provider: "p",
      name: "m",
      contextWindow: 100_000,
      maxOutput: 1000,
      async *stream(): AsyncGenerator<ModelEvent> {
        asked += 1;
        const message = {
          role: "assistant",
          content: asked === 1 ? [call] : [],
          provider: "p",
          model: "m",
          usage: noUsage,
          timestamp: 0,
        } as const;
        if (asked > 1)
          return yield {
            type: "done",
            reason: "stop",
            message: { ...message, content: [], stopReason: "stop" },
          };
        yield start;
        yield delta("{");
        await pause(250);
        yield delta("}");
        yield end;
        yield {
          type: "done",
          reason: "toolUse",
          message: { ...message, content: [call], stopReason: "toolUse" },
        };
      },
    };
    const events: AgentEvent[] = [];
    const conversation = { messages: () => [], append: () => {}, compact: () => {} };
    let isOver = false;
    const turn = (async () => {
      for await (const event of runTurn({ model, system: "", conversation, tools: [one] }))
        events.push(event);
    })().finally(() => {
      isOver = true;
    });
    while (!isOver) await pass(10);
    await turn;
    const types = events.map(({ type }) => type);
    assert.equal(types.filter((type) => type === "tool_preview").length, expected);
    if (expected > 0) assert.ok(types.indexOf("tool_preview") < types.indexOf("tool_start"));
    assert.equal(types.at(-1), "turn_end");
  }
});
