import assert from "node:assert/strict";
import { test } from "node:test";
import { checkArguments } from "@stet/model/adapter/tool-schema";
import type { Message } from "@stet/protocol/message";
import { modelOf } from "@stet/testkit/model-of";
import * as z from "zod";
import type { AgentEvent } from "./agent-event.ts";
import type { Tool } from "./tool.ts";
import { runTurn, type TurnLoopOptions } from "./turn-loop.ts";

/** As a server of somebody else's tools would describe it: nothing of it is made by zod. */
const parameters: z.core.JSONSchema.ObjectSchema & Record<string, unknown> = {
  type: "object",
  properties: {
    city: { type: "string", description: "Where" },
    days: { type: "integer", minimum: 1, description: "How many" },
  },
  required: ["city"],
  additionalProperties: false,
};

function weather(given: unknown[]): Tool {
  return {
    name: "weather",
    description: "Tells the weather.",
    parameters: () => parameters,
    traits: ["network"],
    words: ({ city }) => `Look up the weather of ${city}`,
    parse: (input) => checkArguments(z.fromJSONSchema(parameters), input),
    async execute(input) {
      given.push(input);
      return { content: "Rain." };
    },
  };
}

async function play(options: Pick<TurnLoopOptions, "model" | "tools" | "redact">) {
  const messages: Message[] = [{ role: "user", content: "Go.", timestamp: 0 }];
  const events: AgentEvent[] = [];
  const conversation = {
    messages: () => messages,
    append: (message: Message) => void messages.push(message),
    compact() {},
  };
  for await (const event of runTurn({ system: "", conversation, ...options })) events.push(event);
  return { messages, events };
}

test("a tool that is only JSON Schema is offered as it is, and its arguments are checked like any other's", async () => {
  const given: unknown[] = [];
  const call = (args: Record<string, unknown>) => ({ calls: [{ name: "weather", arguments: args }] });
  const model = modelOf([call({ city: "Oslo", days: null }), call({ days: 2 }), { text: "Rain in Oslo." }]);
  const { messages } = await play({ model, tools: [weather(given)] });
  assert.deepEqual(model.requests[0]?.tools, [
    { name: "weather", description: "Tells the weather.", parameters },
  ]);
  assert.deepEqual(given, [{ city: "Oslo" }], "a null for what may be left out is left out");
  const refused = messages.findLast((message) => message.role === "toolResult");
  assert.match(JSON.stringify(refused?.content), /invalid_arguments.*city/s);
});

test("a call is recorded and told with its tool's words and traits, and without secrets", async () => {
  const model = modelOf([
    {
      calls: [
        { name: "weather", arguments: { city: "hunter2" } },
        { name: "gone", arguments: {} },
      ],
    },
    { text: "Done." },
  ]);
  const redact = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value ?? null).replaceAll("hunter2", "[redacted]"));
  const { messages, events } = await play({ model, tools: [weather([])], redact });
  const words = "Look up the weather of [redacted]";
  const [known, unknown] = messages.flatMap(({ role, content }) =>
    role === "assistant" ? content.filter((part) => part.type === "toolCall") : [],
  );
  assert.deepEqual([known?.words, known?.traits], [words, ["network"]]);
  assert.deepEqual([unknown?.words, unknown?.traits], [undefined, undefined]);
  const started = events.find((event) => event.type === "tool_start");
  assert.deepEqual([started?.words, started?.traits], [words, ["network"]]);
});

test("words that cannot be made of wrong arguments do not keep the call from its refusal", async () => {
  const model = modelOf([{ calls: [{ name: "weather", arguments: {} }] }, { text: "Done." }]);
  const broken: Tool = {
    ...weather([]),
    words() {
      throw new Error("no city");
    },
  };
  const { messages } = await play({ model, tools: [broken] });
  assert.match(JSON.stringify(messages), /invalid_arguments/);
});
