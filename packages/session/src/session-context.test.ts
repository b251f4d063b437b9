import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import { answered, must, newSession, openSession, said } from "@stet/testkit/sample-session";
import { temporaryFolder } from "@stet/testkit/temporary";
import { contentText } from "./entry-text.ts";
import { buildContext } from "./session-context.ts";
import type { Session } from "./session-tree.ts";

function texts(session: Session, leafId?: string | null): string[] {
  return buildContext(session, leafId).messages.map((message) => contentText(message.content));
}

test("nothing said gives an empty context with its defaults", () => {
  const context = buildContext(newSession());
  assert.deepEqual(context.messages, []);
  assert.equal(context.thinkingLevel, "off");
  assert.equal(context.mode, "none");
  assert.equal(context.serviceTier, undefined);
  assert.deepEqual(context.models, {});
});

test("only the path to the leaf is given, not the other branches", () => {
  const session = newSession();
  const one = must(session.appendMessage(said("one")));
  const two = must(session.appendMessage(answered("two")));
  must(session.branch(one.id));
  must(session.appendMessage(answered("three")));
  assert.deepEqual(texts(session), ["one", "three"]);
  assert.deepEqual(texts(session, two.id), ["one", "two"]);
  assert.deepEqual(texts(session, null), []);
  assert.deepEqual(texts(session, "not there"), ["one", "three"], "the last entry");
  session.resetLeaf();
  assert.deepEqual(texts(session), []);
});

test("a compaction gives its summary, what it kept, and what came after", () => {
  const session = newSession();
  must(session.appendMessage(said("old")));
  const kept = must(session.appendMessage(said("kept")));
  must(session.append({ type: "compaction", summary: "S1", firstKeptEntryId: kept.id, tokensBefore: 1 }));
  must(session.appendMessage(answered("after")));
  const [summary, ...rest] = texts(session);
  assert.match(summary ?? "", /S1/);
  assert.deepEqual(rest, ["kept", "after"]);
  const context = buildContext(session);
  assert.equal(context.messages[0]?.role, "user");
  assert.equal(context.entryIds.length, context.messages.length);
});

test("of two compactions the last one counts, and the first is not said again", () => {
  const session = newSession();
  const first = must(session.appendMessage(said("first")));
  must(session.append({ type: "compaction", summary: "S1", firstKeptEntryId: first.id, tokensBefore: 1 }));
  must(session.appendMessage(said("second")));
  must(
    session.append({
      type: "compaction",
      summary: "S2 with $& in it",
      firstKeptEntryId: first.id,
      tokensBefore: 1,
    }),
  );
  const [summary, ...rest] = texts(session);
  assert.match(summary ?? "", /S2 with \$& in it/);
  assert.deepEqual(rest, ["first", "second"]);
});

test("a compaction whose first kept entry is not on the path keeps nothing before it", () => {
  const session = newSession();
  must(session.appendMessage(said("old")));
  must(session.append({ type: "compaction", summary: "S", firstKeptEntryId: "deadbeef", tokensBefore: 1 }));
  must(session.appendMessage(said("after")));
  assert.deepEqual(texts(session).slice(1), ["after"]);
});

test("branch summaries and messages of extensions are given as the user's", () => {
  const session = newSession();
  const one = must(session.appendMessage(said("one")));
  must(session.branchWithSummary(one.id, "It failed."));
  must(session.append({ type: "custom_message", customType: "x", content: "injected", display: false }));
  must(session.append({ type: "message", message: { role: "custom", content: "hooked", timestamp: 1 } }));
  const context = buildContext(session);
  assert.deepEqual(
    context.messages.map((message) => message.role),
    ["user", "user", "user", "user"],
  );
  assert.match(texts(session)[1] ?? "", /It failed\./);
  assert.deepEqual(texts(session).slice(2), ["injected", "hooked"]);
});

test("the state is that of the path", (t) => {
  const path = join(temporaryFolder(t), "session.jsonl");
  const session = newSession(path);
  const start = must(session.appendMessage(said("one")));
  must(session.appendMessage(answered("two")));
  assert.deepEqual(buildContext(session).models, { default: "practice/one" });
  must(
    session.appendAll([
      { type: "thinking_level_change", thinkingLevel: "low" },
      { type: "thinking_level_change", thinkingLevel: "high" },
      { type: "service_tier_change", serviceTier: "flex" },
      { type: "model_change", model: "openai/big" },
      { type: "model_change", model: "openai/small", role: "small" },
      { type: "ttsr_injection", injectedRules: ["a", "b"] },
      { type: "ttsr_injection", injectedRules: ["b", "c"] },
      { type: "mcp_tool_selection", selectedToolNames: ["server.old"] },
      { type: "mcp_tool_selection", selectedToolNames: ["server.tool"] },
      { type: "mode_change", mode: "plan", data: { planFile: "p.md" } },
      { type: "custom", customType: "x", data: 1 },
      { type: "session_init", systemPrompt: "p", task: "t", tools: [] },
      { type: "turn", turnId: "turn_1", summary: "s", files: [] },
      { type: "message", message: answered("three") },
    ]),
  );
  const reopened = openSession(path);
  const { messages, entryIds, ...state } = buildContext(reopened);
  assert.equal(messages.length, 3);
  assert.equal(entryIds[0], start.id);
  assert.deepEqual(state, {
    thinkingLevel: "high",
    serviceTier: "flex",
    models: { default: "openai/big", small: "openai/small" },
    injectedTtsrRules: ["a", "b", "c"],
    selectedMcpToolNames: ["server.tool"],
    mode: "plan",
    modeData: { planFile: "p.md" },
    unreadable: [],
  });
  must(reopened.branch(start.id));
  assert.equal(buildContext(reopened).mode, "none");
  assert.ok(!isFault(reopened.append({ type: "service_tier_change", serviceTier: null })));
  assert.equal(buildContext(reopened).serviceTier, null);
});
