import assert from "node:assert/strict";
import { test } from "node:test";
import { type SessionMessage, type SessionMessageOf, sessionMessage } from "@stet/protocol/api/sessions";
import type { Item } from "./items.ts";
import { failureItems, sessionItems, withNewest } from "./session-items.ts";

let count = 0;
const ownFields: Partial<Record<SessionMessage["kind"], object>> = {
  tool: { tool_call_id: "", tool: "", is_error: false },
  turn: { turn: "", files: [] },
  stop: { reason: "" },
  decision: { turn: "", verdict: "accepted", hunks: 0 },
};

function message<Kind extends SessionMessage["kind"]>(
  kind: Kind,
  more: Partial<SessionMessageOf<Kind>> = {},
): SessionMessage {
  count += 1;
  const ts = new Date(1_700_000_000_000 + count * 1000).toISOString();
  const base = { entry_id: `e${count}`, text: "", ts, siblings: 0 };
  return sessionMessage.parse({ ...base, ...ownFields[kind], kind, ...more });
}

function call(id: string, tool: string, given: unknown = {}) {
  return { tool_call_id: id, tool, arguments: given };
}

const kinds = (items: readonly Item[]) => items.map(({ kind }) => kind);

test("a reply shows its thinking, its words and each of its calls, with what came of them", () => {
  const items = sessionItems([
    message("user", { text: "Rename it" }),
    message("assistant", {
      text: "I look.",
      thinking: "Where is it?",
      calls: [
        { ...call("c1", "search_project", { query: "Tobias" }), words: "Search all files for “Tobias”" },
        call("c2", "read_file", { file_path: "a.md" }),
      ],
    }),
    message("tool", { tool_call_id: "c1", tool: "search_project", text: "found" }),
    message("tool", { tool_call_id: "c2", tool: "read_file", text: "no such file", is_error: true }),
    message("assistant", { text: "Done." }),
  ]);
  assert.deepEqual(kinds(items), ["user", "thinking", "assistant", "tool", "tool", "assistant"]);
  const [first, second] = items.filter((item) => item.kind === "tool");
  assert.equal(first?.words, "Search all files for “Tobias”");
  assert.deepEqual([first?.status, first?.result], ["ok", "found"]);
  assert.equal(second?.words, "read file", "a tool that has no words is told by its name");
  assert.deepEqual([second?.status, second?.result], ["failed", "no such file"]);
});

test("a call without a result was stopped, and ids that come again do not mix up their results", () => {
  const items = sessionItems([
    message("assistant", { calls: [call("c", "read_file")] }),
    message("tool", { tool_call_id: "c", text: "first" }),
    message("assistant", { calls: [call("c", "read_file")] }),
    message("tool", { tool_call_id: "c", text: "second" }),
    message("assistant", { calls: [call("c", "read_file")] }),
  ]);
  const results = items.map((item) => (item.kind === "tool" ? [item.status, item.result] : []));
  assert.deepEqual(results, [
    ["ok", "first"],
    ["ok", "second"],
    ["stopped", ""],
  ]);
  assert.equal(new Set(items.map(({ key }) => key)).size, 3);
});

test("a question is shown with its answer, not as a tool", () => {
  const [item] = sessionItems([
    message("assistant", {
      calls: [
        { ...call("q", "clarify_user", { question: "Which one?", options: ["A", "B"] }), traits: ["asks"] },
      ],
    }),
    message("tool", { tool_call_id: "q", text: '{"answer":"B"}' }),
  ]);
  assert.equal(item?.kind, "question");
  if (item?.kind !== "question") return;
  assert.deepEqual(
    [item.asked, item.answer, item.questionId],
    [{ kind: "clarification", text: "Which one?", options: ["A", "B"] }, "B", null],
  );
});

test("a turn knows how many of its changes were decided", () => {
  const items = sessionItems([
    message("turn", { turn: "t1", files: ["a.md", "b.md"], text: "Rename" }),
    message("decision", { turn: "t1", verdict: "accepted", hunks: 3 }),
    message("decision", { turn: "t1", verdict: "rejected", hunks: 1 }),
  ]);
  assert.deepEqual(kinds(items), ["turn", "decision", "decision"]);
  const [turn] = items;
  assert.ok(turn?.kind === "turn");
  assert.deepEqual([turn.files, turn.decided], [2, 4]);
});

test("a decision that was taken back does not count as one", () => {
  const items = sessionItems([
    message("turn", { turn: "t1", files: ["a.md"] }),
    message("decision", { turn: "t1", verdict: "accepted", hunks: 3 }),
    message("decision", { turn: "t1", verdict: "reopened", hunks: 2 }),
  ]);
  assert.partialDeepStrictEqual(items[0], { kind: "turn", decided: 1, rejected: 0 });
  const [rejected] = sessionItems([
    message("turn", { turn: "t1", files: ["a.md"] }),
    message("decision", { turn: "t1", verdict: "accepted", hunks: 3 }),
    message("decision", { turn: "t1", verdict: "reopened", hunks: 3 }),
    message("decision", { turn: "t1", verdict: "rejected", hunks: 3 }),
  ]);
  assert.partialDeepStrictEqual(rejected, { kind: "turn", decided: 3, rejected: 3 });
  assert.partialDeepStrictEqual(items[2], { kind: "decision", verdict: "reopened", hunks: 2 });
});

test("the newest page joins what is known, and replaces a way that was left", () => {
  const all = [1, 2, 3, 4, 5].map(() => message("user"));
  const more = message("user");
  const joined = withNewest(all.slice(0, 4), [...all.slice(2), more]);
  assert.deepEqual(
    joined.messages.map(({ entry_id }) => entry_id),
    [...all, more].map(({ entry_id }) => entry_id),
  );
  assert.equal(joined.isJoined, true);
  const other = [message("user")];
  assert.deepEqual(withNewest(all, other), { messages: other, isJoined: false });
});

test("a job that failed before anything was written still shows what was asked, and why it failed", () => {
  const error = { error: "model_failed", message: "The key was refused.", suggestion: "Check the key." };
  const before = message("user", { text: "earlier" });
  const job = { instruction: "Do it", created_at: "2030-01-01T00:00:00.000Z", finished_at: null, error };
  assert.deepEqual(kinds(failureItems(job, [before])), ["user", "error"]);
  const delivered = { ...message("user", { text: "Do it" }), ts: "2030-01-01T00:00:01.000Z" };
  assert.deepEqual(kinds(failureItems(job, [before, delivered])), ["error"]);
  assert.deepEqual(failureItems({ ...job, error: null }, []), []);
  const wentOn = { ...job, finished_at: "2030-01-01T00:00:00.500Z" };
  assert.deepEqual(failureItems(wentOn, [delivered]), [], "something was said after it failed");
});

test("a session that is opened again shows what its edits did, how its commands ended and its tasks", () => {
  const command = { exit_code: 2, timed_out: false, output: "no", hidden_lines: 4 };
  const todo = [{ name: "All", tasks: [{ content: "write", status: "pending" as const }] }];
  const items = sessionItems([
    message("assistant", { calls: [call("c1", "edit"), call("c2", "bash"), call("c3", "todo")] }),
    message("tool", { tool_call_id: "c1", tool: "edit", diff: "+a\n" }),
    message("tool", { tool_call_id: "c2", tool: "bash", is_error: true, reason: "exit 2", command }),
    message("tool", { tool_call_id: "c3", tool: "todo", todo }),
  ]);
  const [edit, bash, list] = items;
  assert.ok(edit?.kind === "tool" && bash?.kind === "tool" && list?.kind === "tool");
  assert.equal(edit.diff, "+a\n");
  assert.deepEqual([bash.reason, bash.command?.exitCode, bash.command?.hiddenLines], ["exit 2", 2, 4]);
  assert.deepEqual(list.todo, todo);
});

test("another model that went on is told, with the reason where the job's events say it, also after a reload", () => {
  const begun = message("user", { text: "Rename it" });
  const first = message("assistant", { text: "I look.", model: "ollama/small" });
  const second = message("assistant", { text: "Done.", model: "openai/large" });
  const next = message("user", { text: "And that?" });
  const third = message("assistant", { text: "That, too.", model: "ollama/small" });
  const conversation = [begun, first, second, next, third];
  const takeovers = (items: readonly Item[]) =>
    items.flatMap((item, index) => (item.kind === "model" ? [{ index, ...item }] : []));
  const plain = takeovers(sessionItems(conversation));
  assert.deepEqual(
    plain.map(({ index, model, reason }) => [index, model, reason]),
    [[2, "openai/large", "It took over from ollama/small."]],
    "a new message may be answered by any model",
  );
  const choices = [{ cursor: 7, ts: second.ts, model: "openai/large", reason: "The context is full." }];
  const known = takeovers(sessionItems(conversation, choices));
  assert.deepEqual(
    known.map(({ index, model, reason }) => [index, model, reason]),
    [[2, "openai/large", "The context is full."]],
  );
  const spoken = sessionItems(conversation).flatMap((item) =>
    item.kind === "assistant" ? [item.model] : [],
  );
  assert.deepEqual(spoken, ["ollama/small", "openai/large", "ollama/small"]);
});

test("a job that failed at its model names the field to mend", () => {
  const job = { instruction: "Go", created_at: "2026-01-01T00:00:00Z", finished_at: null };
  const fault = { error: "model_failed", message: "The key is refused.", suggestion: "Enter another one." };
  const details = { provider: "openai", model: "large", field: "key" } as const;
  const [, failure] = failureItems({ ...job, error: { ...fault, details } }, []);
  assert.deepEqual(failure?.kind === "error" && failure.mend, details);
  const [, other] = failureItems({ ...job, error: fault }, []);
  assert.equal(other?.kind === "error" && "mend" in other, false);
});
