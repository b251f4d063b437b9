import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentEvent } from "@stet/agent/agent-event";
import { noUsage } from "@stet/protocol/message";
import type { JobRecord } from "../store/store.ts";
import { ChatFeed } from "./chat-feed.ts";

const job = { id: "job_1", session: "s", toolset: "paper", status: "running", error: null } as JobRecord;

function thought(delta: string): AgentEvent {
  return { type: "model", event: { type: "text_delta", index: 0, delta } };
}

function state(text: string, rev: number): AgentEvent {
  const events = [{ type: "paper.state", data: { text, rev, cols: 1, rows: 1 } }];
  return {
    type: "tool_end",
    id: "1",
    name: "set_text",
    isError: false,
    content: "",
    details: { events },
    durationMs: 1,
  };
}

const end: AgentEvent = {
  type: "turn_end",
  outcome: "completed",
  usage: noUsage,
  toolCalls: 0,
  durationMs: 1,
};

test("late readers get every word, in fewer pieces, and the paper as it is last", () => {
  const feed = new ChatFeed();
  feed.follow(job);
  const heard: string[] = [];
  feed.chat("job_1")?.listeners.add((events) => heard.push(...events.map(({ type }) => type)));
  for (const event of [thought("a"), thought("b"), state("one", 1), thought("c"), state("two", 2), end]) {
    feed.hear(job, event);
  }
  assert.deepEqual(heard, ["agent.thought", "agent.thought", "paper.state", "agent.thought", "paper.state"]);
  feed.follow({ ...job, status: "completed" });
  assert.equal(heard.at(-1), "chat.final", "the last event comes when the job is done");
  assert.deepEqual(
    feed
      .chat("job_1")
      ?.events.map(({ data }) => ("thought" in data ? data.thought : "text" in data && data.text)),
    ["ab", null, "c", "two", ""],
  );
});

test("what is kept for late readers is bounded, and always ends with the answer", () => {
  const feed = new ChatFeed();
  for (let round = 0; round < 40; round += 1) {
    feed.hear(job, thought("x".repeat(500_000)));
    feed.hear(job, state("y".repeat(900_000), round));
  }
  feed.hear(job, end);
  feed.follow({ ...job, status: "completed" });
  const { events = [] } = feed.chat("job_1") ?? {};
  assert.ok(JSON.stringify(events).length < 9_000_000);
  assert.equal(events.at(-1)?.type, "chat.final");
});

test("a job that waits while the one before it is at work does not take its words away", () => {
  const feed = new ChatFeed();
  feed.hear(job, thought("first "));
  const next = { ...job, id: "job_2", status: "queued" } as const;
  feed.follow(next);
  feed.hear(job, thought("job"));
  assert.deepEqual(feed.chat("job_1")?.events, [{ type: "agent.thought", data: { thought: "first job" } }]);
  assert.deepEqual(feed.chat("job_2")?.events, []);
});

test("a job that fails before it begins ends with the reason, once", () => {
  const feed = new ChatFeed();
  const error = { error: "model_failed", message: "No key is set.", suggestion: "" } as const;
  feed.follow({ ...job, status: "failed", error });
  feed.follow({ ...job, status: "failed", error });
  assert.deepEqual(feed.chat("job_1")?.events, [{ type: "chat.final", data: { text: "No key is set." } }]);
});

test("chats that are over and that nobody reads are forgotten, the oldest first", () => {
  const feed = new ChatFeed();
  for (let number = 0; number < 300; number += 1) {
    feed.follow({ ...job, id: `job_${number}`, status: number === 5 ? "running" : "completed" });
  }
  assert.equal(feed.chat("job_0"), undefined);
  assert.notEqual(feed.chat("job_5"), undefined, "it is still at work");
  assert.notEqual(feed.chat("job_299"), undefined);
});
