import assert from "node:assert/strict";
import { test } from "node:test";
import type { EventData, LogEvent } from "@stet/protocol/events/log-event";
import { eventAt, logEvents as events } from "@stet/testkit/log-events";
import fc from "fast-check";
import { emptyView, fold, type TurnView } from "./fold.ts";

const all = (list: readonly LogEvent[], start: TurnView = emptyView) => list.reduce(fold, start);

const whole = events(
  ["job.started", { instruction: "Rename Tobias" }],
  ["model.chosen", { mode: "remote", target: "remote", model: "m", trigger: "start", reason: "" }],
  ["thinking.delta", { text: "Hm" }],
  ["thinking.delta", { text: "m." }],
  ["message.delta", { text: "I loo" }],
  ["message.delta", { text: "k" }],
  ["message.completed", { text: "I look.", thinking: "Hmm." }],
  ["tool.call.requested", { tool_call_id: "c", tool: "read_file", arguments: { file_path: "a.md" } }],
  ["tool.call.progress", { tool_call_id: "c", text: "half" }],
  ["message.queued", { message_id: "m1", text: "and Mara", mode: "steer" }],
  ["tool.call.completed", { tool_call_id: "c", tool: "read_file", ok: true, duration_ms: 12 }],
  ["message.delivered", { message_id: "m1", text: "and Mara", mode: "steer" }],
  ["message.delta", { text: "Do" }],
  ["message.completed", { text: "Done." }],
  [
    "usage.updated",
    { cost_usd: 0.5, cost_known: true, input: 1, output: 2, context_tokens: 3, context_window: 4 },
  ],
  ["diff.generated", { turn: "turn_1", documents: [4, 5], hunks: 14 }],
);

test("what a job does appears as it happens", () => {
  const turn = all(whole);
  const visible = turn.items.map((item) => [item.kind, "text" in item ? item.text : ""]);
  assert.deepEqual(visible, [
    ["user", "Rename Tobias"],
    ["thinking", "Hmm."],
    ["assistant", "I look."],
    ["tool", ""],
    ["user", "and Mara"],
    ["assistant", "Done."],
    ["turn", ""],
  ]);
  assert.deepEqual(turn.end, { kind: "review", documents: [4, 5], hunks: 14 });
  assert.deepEqual(turn.queued, []);
  assert.equal(turn.use?.cost_usd, 0.5);
});

test("deltas are shown before the message is whole", () => {
  const turn = all(whole.slice(0, 6));
  assert.deepEqual(
    turn.items.map((item) => ("isStreaming" in item ? [item.text, item.isStreaming] : [])),
    [[], ["Hmm.", true], ["I look", true]],
  );
});

test("events that come twice, or a break anywhere, change nothing", () => {
  const expected = all(whole);
  fc.assert(
    fc.property(fc.array(fc.nat(whole.length)), (breaks) => {
      let turn = emptyView;
      // After each break everything from some place on is told again.
      for (const breakAt of [...breaks, 0]) turn = all(whole.slice(Math.min(breakAt, turn.cursor)), turn);
      assert.deepEqual(turn, expected);
    }),
  );
});

test("deltas that were missed do not matter once the message is whole", () => {
  const isDelta = ({ type }: LogEvent) => type.endsWith(".delta");
  const turn = all(whole.filter((event) => !isDelta(event)));
  const texts = (known: TurnView) => known.items.map((item) => ("text" in item ? item.text : item.kind));
  assert.deepEqual(texts(turn), texts(all(whole)));
});

const which = { kind: "clarification" as const, text: "Which?", options: ["A"] };

test("a question waits for its answer, and the tool that asks is not shown twice", () => {
  const asked = events(
    ["job.started", { instruction: "x" }],
    [
      "tool.call.requested",
      {
        tool_call_id: "c",
        tool: "clarify_user",
        arguments: { question: "Which?", options: ["A"] },
        traits: ["asks"],
      },
    ],
    ["clarification.requested", { question_id: "q1", question: "Which?", options: ["A"], asked: which }],
    ["clarification.received", { question_id: "q1", answer: "A" }],
    ["tool.call.completed", { tool_call_id: "c", tool: "clarify_user", ok: true, duration_ms: 1 }],
  );
  const waiting = all(asked.slice(0, 3)).items.at(-1);
  assert.ok(waiting?.kind === "question");
  assert.equal(waiting.questionId, "q1");
  const answered = all(asked);
  assert.equal(answered.items.length, 2);
  const last = answered.items.at(-1);
  assert.ok(last?.kind === "question");
  assert.deepEqual([last.questionId, last.answer], [null, "A"]);
});

test("a job that is stopped leaves nothing running, and what it never heard comes back", () => {
  const turn = all(
    events(
      ["job.started", { instruction: "Do it" }],
      ["tool.call.requested", { tool_call_id: "c", tool: "analyze_document", arguments: { task: "plot" } }],
      ["subagents.active", { tool_call_id: "c", active: 3 }],
      ["message.queued", { message_id: "m", text: "wait", mode: "follow_up" }],
      ["message.unheard", { message_id: "m", text: "wait", mode: "follow_up" }],
      ["job.failed", { error: "aborted", message: "The job was cancelled.", suggestion: "Run it again." }],
    ),
  );
  const [, tool, failure] = turn.items;
  assert.ok(tool?.kind === "tool" && failure?.kind === "error");
  assert.deepEqual([tool.status, tool.subagents], ["stopped", 0]);
  assert.deepEqual([failure.isStopped, failure.instruction], [true, "Do it"]);
  assert.deepEqual(turn.unheard, [{ id: "m", text: "wait", mode: "follow_up" }]);
  assert.deepEqual(turn.queued, []);
});

test("trying again is told once, and forgotten when the model answers", () => {
  const log = events(
    ["job.started", { instruction: "x" }],
    ["model.retry", { delay_ms: 2000, reason: "overloaded" }],
    ["model.retry", { delay_ms: 4000, reason: "overloaded" }],
    ["message.delta", { text: "Hello" }],
  );
  const waiting = all(log.slice(0, 3)).items;
  assert.equal(waiting.length, 2);
  assert.partialDeepStrictEqual(waiting.at(-1), { kind: "retry", delayMs: 4000, reason: "overloaded" });
  assert.deepEqual(
    all(log).items.map(({ kind }) => kind),
    ["user", "assistant"],
  );
});

test("a retry that failed is gone with the turn, and the error says how often it was tried", () => {
  const turn = all(
    events(
      ["job.started", { instruction: "x" }],
      ["model.retry", { delay_ms: 2000, reason: "overloaded", attempt: 3, max_attempts: 3 }],
      ["job.failed", { error: "model_failed", message: "Overloaded.", suggestion: "Wait." }],
    ),
  );
  assert.deepEqual(
    turn.items.map((item) => (item.kind === "error" ? item.retries : item.kind)),
    ["user", 3],
  );
});

const writing = events(
  ["job.started", { instruction: "Go" }],
  ["tool.preview", { tool_call_id: "c", tool: "edit", diff: "+one" }],
  ["tool.preview", { tool_call_id: "c", tool: "edit", diff: "+one\n+two" }],
  ["message.completed", { text: "" }],
  ["tool.call.requested", { tool_call_id: "c", tool: "edit", arguments: { input: "x" } }],
  ["tool.call.completed", { tool_call_id: "c", tool: "edit", ok: true, duration_ms: 1 }],
);
const calls = (turn: TurnView) =>
  turn.items.flatMap((item) => (item.kind === "tool" ? [[item.status, item.preview]] : []));

test("an edit is shown while the model writes it, and is one item with its call", () => {
  assert.deepEqual(calls(all(writing.slice(0, 2))), [["running", "+one"]]);
  assert.deepEqual(calls(all(writing.slice(0, 4))), [["running", "+one\n+two"]]);
  assert.deepEqual(calls(all(writing.slice(0, 5))), [["running", "+one\n+two"]], "while they are asked");
  assert.deepEqual(calls(all(writing)), [["ok", ""]]);
  assert.equal(all(writing).items.filter((item) => item.kind === "tool").length, 1);
});

test("of a command that ended, what it printed last is there until the session tells all of it", () => {
  const turn = all(
    events(
      ["job.started", { instruction: "Go" }],
      ["tool.call.requested", { tool_call_id: "c", tool: "bash", arguments: { command: "ls" } }],
      ["tool.call.progress", { tool_call_id: "c", text: "a\nb" }],
      ["tool.call.completed", { tool_call_id: "c", tool: "bash", ok: true, duration_ms: 1 }],
    ),
  );
  const [, tool] = turn.items;
  assert.ok(tool?.kind === "tool");
  assert.deepEqual([tool.progress, tool.result], ["", "a\nb"]);
});

test("a stop that leaves something on disk does not say that nothing was changed", () => {
  const stop = { error: "aborted", message: "m", suggestion: "s" } as const;
  const isKept = (data: EventData<"job.failed">) => {
    const failure = all(events(["job.started", { instruction: "Go" }], ["job.failed", data])).items.at(-1);
    return failure?.kind === "error" && failure.isKept;
  };
  assert.equal(isKept(stop), false);
  assert.equal(isKept({ ...stop, turn: "turn_1" }), true);
});

test("an edit that the model never made is not left there", () => {
  const broken = writing.slice(0, 3);
  const failure = { error: "aborted", message: "m", suggestion: "s" } as const;
  assert.deepEqual(calls(fold(all(broken), eventAt(9, "message.delta", { text: "Again." }))), []);
  assert.deepEqual(calls(fold(all(broken), eventAt(9, "job.failed", failure))), []);
});
