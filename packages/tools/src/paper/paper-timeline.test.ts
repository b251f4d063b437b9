// A whole turn, from "sửa 1 thành 2" to the reply: what a client of the stream sees, event by event.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { runTurn } from "@stet/agent/turn-loop";
import type { ChatEvent } from "@stet/protocol/events/chat-events";
import type { Message } from "@stet/protocol/message";
import { modelOf, type PlayedReply } from "@stet/testkit/model-of";
import { PaperFixture } from "@stet/testkit/paper-fixture";
import { policyOf } from "../toolset-policies.ts";
import { chatEventsOf } from "./paper-events.ts";

const call = (name: string, args: Record<string, unknown> = {}) => ({ name, arguments: args });

async function play(t: TestContext, text: string, replies: PlayedReply[]) {
  const fixture = await PaperFixture.open(t, text);
  const messages: Message[] = [{ role: "user", content: "sửa 1 thành 2", timestamp: 0 }];
  const conversation = {
    messages: () => messages,
    append: (message: Message) => void messages.push(message),
    compact: () => {},
  };
  const { system, tools, state } = fixture.toolset;
  const { maxIterations = 0 } = policyOf("paper");
  const limits = { iterations: maxIterations, toolCalls: 30 };
  const toEvents = chatEventsOf();
  const events: ChatEvent[] = [];
  const model = modelOf(replies);
  for await (const event of runTurn({ model, system, conversation, tools, state, limits })) {
    for (const next of toEvents(event)) {
      const last = events.at(-1);
      // How many deltas come as one depends on the time between them; their text does not.
      if (last?.type === "agent.thought" && next.type === "agent.thought")
        last.data.thought += next.data.thought;
      else events.push(structuredClone(next));
    }
  }
  return { fixture, events, messages, model };
}

function thought(text: string): ChatEvent {
  return { type: "agent.thought", data: { thought: text } };
}

test("the timeline of “sửa 1 thành 2”: every event, in order, with its payload", async (t) => {
  const { fixture, events, messages } = await play(t, "1 2 4 3 34 34 2\n1", [
    { text: "Tôi cần tìm", calls: [call("search_paper", { query: "1" })] },
    {
      text: "Dòng 1",
      calls: [
        call("get_context_lines", { lineNumber: 1, before: 0, after: 0, ranges: [{ start: 1, end: 1 }] }),
      ],
    },
    { text: "Thay đổi", calls: [call("write_replace_line", { lineNumber: 1, text: "2 2 4 3 34 34 2" })] },
    { text: "Kiểm tra", calls: [call("verify")] },
    { text: "Đã sửa xong" },
  ]);
  const [applied] = events.filter((event) => event.type === "paper.applied");
  const timestamp = applied?.data.timestamp ?? 0;
  assert.ok(Math.abs(timestamp - Date.now()) < 60_000);
  assert.deepEqual(events, [
    thought("Tôi cần tìm"),
    {
      type: "search.result",
      data: {
        type: "paper",
        query: "1",
        lines: [
          { lineNumber: 1, text: "1 2 4 3 34 34 2", snippet: "1 2 4 3 34 34 2 1" },
          { lineNumber: 2, text: "1", snippet: "1 2 4 3 34 34 2 1" },
        ],
        totalMatches: 1,
        keyword: "1",
      },
    },
    thought("Dòng 1"),
    {
      type: "context.retrieved",
      data: { lineNumber: 1, context: [{ lineNumber: 1, text: "1 2 4 3 34 34 2" }], totalLines: 2 },
    },
    thought("Thay đổi"),
    {
      type: "paper.applied",
      data: {
        op: "write_replace_line",
        lineNumber: 1,
        oldTextLen: 15,
        newTextLen: 15,
        newRev: 2,
        timestamp,
      },
    },
    { type: "paper.state", data: { text: "2 2 4 3 34 34 2\n1", rev: 2, cols: 15, rows: 2 } },
    thought("Kiểm tra"),
    {
      type: "verify.result",
      data: { diff: "- 1 2 4 3 34 34 2\n+ 2 2 4 3 34 34 2\n  1", added: 1, removed: 1, status: "ok" },
    },
    thought("Đã sửa xong"),
    { type: "chat.final", data: { text: "Đã sửa xong" } },
  ]);
  assert.equal(fixture.text, "2 2 4 3 34 34 2\n1");
  const results = messages.filter((message) => message.role === "toolResult");
  assert.deepEqual(
    results.map((result) => [result.toolName, result.isError]),
    [
      ["search_paper", false],
      ["get_context_lines", false],
      ["write_replace_line", false],
      ["verify", false],
    ],
  );
});

test("a refused call has no event, and the model can go on", async (t) => {
  const { events, fixture } = await play(t, "one", [
    { calls: [call("write_replace_line", { lineNumber: 9, text: "x" })] },
    { calls: [call("write_replace_line", { lineNumber: 1, text: "x" })] },
    // The refusal has shown the line.
    { calls: [call("write_replace_line", { lineNumber: 1, text: "x" })] },
    { text: "Done." },
  ]);
  assert.deepEqual(
    events.map((event) => event.type),
    ["paper.applied", "paper.state", "agent.thought", "chat.final"],
  );
  assert.equal(fixture.text, "x");
});

test("a turn that ends badly says so in chat.final", async (t) => {
  const failure = { kind: "authentication", message: "The server is down." } as const;
  const failed = await play(t, "one", [{ text: "I begin", failure }]);
  assert.deepEqual(failed.events.at(-1), {
    type: "chat.final",
    data: { text: "The turn failed: The server is down." },
  });
  const look = (query: string) => ({ calls: [call("search_paper", { query })] });
  const endless = Array.from({ length: 30 }, (_, index) => look(`word ${index}`));
  const stopped = await play(t, "one\ntwo\nthree", endless);
  assert.deepEqual(stopped.events.at(-1), {
    type: "chat.final",
    data: { text: "The turn stopped after 15 requests to the model." },
  });
  const silent = await play(t, "one", [{}]);
  assert.match(JSON.stringify(silent.events), /answered with nothing/);
});

test("thinking is a thought, too", () => {
  const toEvents = chatEventsOf();
  const event = { type: "thinking_delta", index: 0, delta: "hm" } as const;
  assert.deepEqual(toEvents({ type: "model", event }), [thought("hm")]);
});
