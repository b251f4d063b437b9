import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { test } from "node:test";
import { modelOf } from "@stet/testkit/model-of";
import * as z from "zod";
import { defineTool } from "./tool.ts";
import { SpanTrace } from "./trace-spans.ts";
import { runTurn } from "./turn-loop.ts";

interface SentSpan {
  readonly name: string;
  readonly parentSpanId?: string;
  readonly spanId: string;
  readonly attributes: { key: string; value: { stringValue?: string; intValue?: string } }[];
}

test("a turn reaches a collector as one span with a request and a tool call below it", async (t) => {
  const bodies: { resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[] }[] = [];
  const server = createServer(async (request, response) => {
    bodies.push((await json(request)) as (typeof bodies)[number]);
    response.end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const tool = defineTool({
    name: "look",
    description: "",
    schema: z.object({}),
    traits: ["reads"],
    execute: async () => ({ content: "ok" }),
  });
  const messages = [{ role: "user" as const, content: "Go.", timestamp: 0 }];
  const trace = new SpanTrace("project");
  const model = modelOf([
    { calls: [{ name: "look", arguments: {} }], usage: { input: 7, output: 3 } },
    { text: "Done." },
  ]);
  const conversation = {
    messages: () => messages,
    append: (message: never) => void messages.push(message),
    compact: () => {},
  };
  for await (const event of runTurn({ model, system: "", conversation, tools: [tool] })) trace.observe(event);
  assert.equal(await trace.send(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`), true);
  const spans = bodies[0]?.resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
  assert.deepEqual(
    spans.map((span) => span.name),
    ["chat played", "execute_tool look", "chat played", "invoke_agent"],
  );
  const turn = spans.at(-1);
  for (const span of spans.slice(0, -1)) assert.equal(span.parentSpanId, turn?.spanId);
  const tokens = spans[0]?.attributes.find((attribute) => attribute.key === "gen_ai.usage.input_tokens");
  assert.equal(tokens?.value.intValue, "7");
});

test("a collector that is not there does not disturb anything", async () => {
  assert.equal(await new SpanTrace("project").send("http://127.0.0.1:9", 500), false);
});
