import { strict as assert } from "node:assert";
import { test } from "node:test";
import type { ModelEvent, ModelRequest } from "@stet/protocol/model-stream";
import { practiceModel } from "./practice-model.ts";

function requestFor(content: string, tools: readonly string[] = []): ModelRequest {
  return {
    system: "",
    messages: [{ role: "user", content, timestamp: 0 }],
    tools: tools.map((name) => ({ name, description: "", parameters: {} })),
  };
}

async function eventsOf(request: ModelRequest, signal?: AbortSignal): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of practiceModel({ wordDelayMs: 0 }).stream(request, signal)) events.push(event);
  return events;
}

async function textOf(content: string, tools?: readonly string[]): Promise<string> {
  const last = (await eventsOf(requestFor(content, tools))).at(-1);
  const parts = last?.type === "done" ? last.message.content : [];
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

test("what it does not understand is answered by what it can do, in the language of the message", async () => {
  assert.match(
    await textOf("Write me a poem about the sea", ["read_file"]),
    /^I am Stet's built-in practice model.*Replace “A” with “B”/,
  );
  assert.match(await textOf("Hãy viết cho tôi một bài thơ", ["read_file"]), /^Tôi là mô hình luyện tập/);
  assert.match(await textOf("rename A to B"), /--toolset project/);
});

test("what is added beside the person's words is no part of what they want", async () => {
  const note = { type: "text", text: "[The person rejected 1 of your changes: …]", isNote: true } as const;
  const content = [{ type: "text", text: "Where is Mara mentioned?" } as const, note];
  const request = {
    ...requestFor("", ["search_project", "read_file"]),
    messages: [{ role: "user" as const, content, timestamp: 0 }],
  };
  const last = (await eventsOf(request)).at(-1);
  assert.ok(last?.type === "done");
  const call = last.message.content.find((part) => part.type === "toolCall");
  assert.deepEqual([call?.name, call?.arguments.query], ["search_project", "Mara"]);
});

test("a stream is blocks between a start and one end, and its deltas are what its message says", async () => {
  const events = await eventsOf(requestFor("list the files", ["list_files", "read_file"]));
  assert.deepEqual(
    [...new Set(events.map(({ type }) => type))],
    [
      "start",
      "thinking_start",
      "thinking_delta",
      "thinking_end",
      "toolcall_start",
      "toolcall_delta",
      "toolcall_end",
      "done",
    ],
  );
  const last = events.at(-1);
  assert.ok(last?.type === "done" && last.reason === "toolUse");
  const thought = events.map((event) => (event.type === "thinking_delta" ? event.delta : "")).join("");
  assert.deepEqual(last.message.content[0], { type: "thinking", thinking: thought });
});

test("an answer that is stopped ends as aborted, with what was said so far and no call", async () => {
  const controller = new AbortController();
  const events: ModelEvent[] = [];
  const request = requestFor("list the files", ["list_files", "read_file"]);
  for await (const event of practiceModel({ wordDelayMs: 0 }).stream(request, controller.signal)) {
    events.push(event);
    if (event.type === "toolcall_start") controller.abort();
  }
  const last = events.at(-1);
  assert.ok(last?.type === "error" && last.reason === "aborted");
  assert.deepEqual(
    last.message.content.map(({ type }) => type),
    ["thinking"],
  );
});
