import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "@stet/protocol/fault";
import type { Message } from "@stet/protocol/message";
import { modelOf, type PlayedReply } from "@stet/testkit/model-of";
import * as z from "zod";
import type { AgentEvent } from "./agent-event.ts";
import type { Hook } from "./hooks.ts";
import { defineTool } from "./tool.ts";
import { runTurn } from "./turn-loop.ts";

const call = (text: string): PlayedReply => ({ calls: [{ name: "say", arguments: { text } }] });

async function play(replies: PlayedReply[], hooks: readonly Hook[]) {
  const said: string[] = [];
  const say = defineTool({
    name: "say",
    description: "Says it.",
    traits: ["reads"],
    schema: z.object({ text: z.string() }),
    async execute({ text }) {
      said.push(text);
      return { content: `Said ${text}.` };
    },
  });
  const messages: Message[] = [{ role: "user", content: "Go.", timestamp: 0 }];
  const conversation = {
    messages: () => messages,
    append: (message: Message) => void messages.push(message),
    compact() {},
  };
  const events: AgentEvent[] = [];
  const model = modelOf(replies);
  for await (const event of runTurn({ model, system: "", conversation, tools: [say], hooks }))
    events.push(event);
  const end = events.at(-1);
  assert.ok(end?.type === "turn_end");
  const results = messages.flatMap((message) =>
    message.role === "toolResult"
      ? message.content.map((part) => (part.type === "text" ? part.text : ""))
      : [],
  );
  return { said, messages, events, end, results, model };
}

test("a hook refuses a call or rewrites its arguments; later hooks get what the one before made of it", async () => {
  const rewrites: Hook = {
    async beforeCall(asked) {
      return { ...asked, id: "another", arguments: { text: `${asked.arguments.text}!` } };
    },
  };
  const refuses: Hook = {
    async beforeCall({ arguments: { text } }) {
      return text === "b!" ? new Fault("not_permitted", "Not that.", "Say something else.") : undefined;
    },
  };
  const { said, results, end } = await play([call("a"), call("b"), { text: "Done." }], [rewrites, refuses]);
  assert.deepEqual(said, ["a!"]);
  assert.match(results[1] ?? "", /not_permitted.*Not that/);
  assert.deepEqual([results.length, end.outcome], [2, "completed"]);
});

test("a hook changes what a call has said, before it is recorded", async () => {
  const hides: Hook = {
    async afterCall({ result }) {
      return { result: { ...result, toolCallId: "another", content: [{ type: "text", text: "(hidden)" }] } };
    },
  };
  const { results, messages, events } = await play([call("a"), { text: "Done." }], [hides]);
  assert.deepEqual(results, ["(hidden)"]);
  const answer = messages.find((message) => message.role === "toolResult");
  assert.notEqual(answer?.toolCallId, "another", "it stays the result of its call");
  assert.equal(events.find((event) => event.type === "tool_end")?.content, "(hidden)");
});

test("a hook changes a request, and adds a message when the model would end", async () => {
  const hook: Hook = {
    async beforeRequest(request) {
      return { ...request, system: "Be brief." };
    },
    atEnd: () => "Something is left.",
  };
  const { model, messages } = await play([{ text: "Done." }, { text: "Now it is." }], [hook]);
  assert.deepEqual(
    model.requests.map(({ system }) => system),
    ["Be brief.", "Be brief."],
  );
  assert.equal(messages[2]?.content, "Something is left.");
  assert.equal(messages.length, 4, "it is said once");
});

test("a hook stops a stream: nothing of the answer stays, and the model is told why and asked again", async () => {
  const hook: Hook = {
    onDelta: (event) =>
      event.type === "text_delta" && event.delta.includes("TODO") ? "No TODO." : undefined,
  };
  const { messages, end, events } = await play([{ text: "A TODO of mine" }, { text: "A plan." }], [hook]);
  assert.deepEqual(
    messages.map(({ role, content }) => [role, typeof content === "string" ? content : content[0]]),
    [
      ["user", "Go."],
      ["user", "No TODO."],
      ["assistant", { type: "text", text: "A plan." }],
    ],
  );
  assert.equal(end.outcome, "completed");
  assert.ok(events.some((event) => event.type === "model" && event.isDropped === true));
});

test("a hook that throws has said nothing, but for a call that it could not judge", async () => {
  const fail = (): never => {
    throw new Error("a bug");
  };
  const broken: Hook = { afterCall: fail, onDelta: fail, beforeRequest: fail, atEnd: fail };
  const fine = await play([call("a"), { text: "Done." }], [broken]);
  assert.deepEqual([fine.said, fine.results, fine.end.outcome], [["a"], ["Said a."], "completed"]);
  const unjudged = await play([call("a"), { text: "Done." }], [{ beforeCall: fail }]);
  assert.deepEqual([unjudged.said, unjudged.end.outcome], [[], "completed"]);
  assert.match(unjudged.results[0] ?? "", /tool_failed.*a bug/);
});
