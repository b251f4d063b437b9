import assert from "node:assert/strict";
import { test } from "node:test";
import type { Message } from "@stet/protocol/message";
import { modelOf, type PlayedReply } from "@stet/testkit/model-of";
import * as z from "zod";
import type { AgentEvent } from "./agent-event.ts";
import type { Delivery } from "./background/deliveries.ts";
import { Inbox } from "./inbox.ts";
import { defineTool } from "./tool.ts";
import { runTurn, type TurnLoopOptions } from "./turn-loop.ts";

const echo = defineTool({
  name: "echo",
  description: "Says it again.",
  schema: z.object({ text: z.string() }),
  traits: ["reads"],
  execute: async ({ text }) => ({ content: text }),
});
const call = (text: string): PlayedReply => ({ calls: [{ name: "echo", arguments: { text } }] });

async function play(inbox: Inbox, replies: readonly PlayedReply[], options: Partial<TurnLoopOptions> = {}) {
  const list: Message[] = [{ role: "user", content: "Go.", timestamp: 0 }];
  const conversation = {
    messages: () => list,
    append: (message: Message) => void list.push(message),
    compact: () => {},
  };
  const events: AgentEvent[] = [];
  const model = modelOf(replies);
  for await (const event of runTurn({ model, system: "", conversation, tools: [echo], inbox, ...options })) {
    events.push(event);
  }
  return {
    said: list.flatMap(({ role, content }) => (role === "user" ? [content] : [])),
    heard: events.flatMap((event) => (event.type === "heard" ? [event.said.id] : [])),
    requests: model.requests,
  };
}

test("what was said before the turn began steers its first request, and a follow-up waits for its end", async () => {
  const inbox = new Inbox();
  inbox.add({ id: "later", text: "And then?", mode: "follow_up" });
  inbox.add({ id: "first", text: "Only chapter one.", mode: "steer" });
  const played = await play(inbox, [call("x"), { text: "Done." }, { text: "Nothing." }]);
  assert.deepEqual(played.said, ["Go.", "Only chapter one.", "And then?"]);
  assert.deepEqual(played.heard, ["first", "later"]);
  assert.equal(played.requests[0]?.messages.length, 2, "the first request holds it");
});

test("what was taken back is never heard, and what was heard cannot be taken back", async () => {
  const inbox = new Inbox();
  inbox.add({ id: "a", text: "One.", mode: "follow_up" });
  inbox.add({ id: "b", text: "Two.", mode: "follow_up" });
  assert.equal(inbox.withdraw("a"), true);
  const { heard } = await play(inbox, [{ text: "Done." }, { text: "Two it is." }]);
  assert.deepEqual(heard, ["b"]);
  assert.equal(inbox.withdraw("b"), false);
  assert.deepEqual([inbox.isHeard("a"), inbox.isHeard("b")], [false, true]);
});

test("a message that no reply can follow any more is not taken", async () => {
  const inbox = new Inbox();
  inbox.add({ id: "late", text: "One more thing.", mode: "follow_up" });
  const { said, heard } = await play(inbox, [{ text: "Done." }], { limits: { iterations: 1 } });
  assert.deepEqual([said, heard, inbox.isHeard("late")], [["Go."], [], false]);
});

test("what happened in the background is fetched when the model is done, and what another agent said comes before that", async () => {
  const inbox = new Inbox();
  const waiting: Delivery[] = [delivery("job")];
  const stop = inbox.fetchFrom(() => waiting.splice(0));
  inbox.deliver(delivery("agent"));
  const { requests } = await play(inbox, [call("a"), { text: "Done." }, { text: "I see." }]);
  const heardBy = requests.map(({ messages }) =>
    messages.flatMap(({ content }) => (content === "job" || content === "agent" ? [content] : [])),
  );
  assert.deepEqual(heardBy, [[], ["agent"], ["agent", "job"]]);
  waiting.push(delivery("job"));
  stop();
  assert.deepEqual(inbox.takeDeliveries(true), []);
});

function delivery(kind: "agent" | "job"): Delivery {
  const source =
    kind === "agent" ? { kind, id: "0-One", label: "" } : { kind, id: "b", label: "", type: "bash" as const };
  return { id: kind, source, text: kind, at: 0 };
}
