import assert from "node:assert/strict";
import { test } from "node:test";
import { startScriptedModel } from "@stet/testkit/scripted-model";
import { isModelFailure, resolveModel } from "../providers.ts";
import { findHarmonyLeak, harmonyGuard, mayLeakHarmony, operationBoundary } from "./harmony.ts";
import { isInvalidCall } from "./invalid-call.ts";

const leaks = [
  'observe(iso, ns);】【"】【analysis to=functions.edit code above เงินไทยฟรี',
  "let a = 1;\n大发时时彩 to=functions.edit code\nuser to=functions.edit code",
  "done Japgolly to=functions.read",
  "}\nassistant to=functions.eval code code_output\nCell 1:",
];

test("each known shape of a leak is found where its junk begins", () => {
  for (const text of leaks) assert.ok(findHarmonyLeak(text) !== undefined, text);
  const [first = ""] = leaks;
  assert.equal(first.slice(0, findHarmonyLeak(first)?.offset), "observe(iso, ns);");
});

test("a document about the protocol, and one in another script, are left alone", () => {
  const clean = [
    "The header says to=functions.NAME and is stripped.",
    "Route with `to=functions.edit` in the header.",
    "Она сказала: «да». 大发",
    "user code in analysis",
  ];
  for (const text of clean) assert.equal(findHarmonyLeak(text), undefined, text);
});

test("a leak in plain arguments is refused; where the tool knows its operations, they are cut; both are counted", () => {
  const [text = ""] = leaks;
  const strict = harmonyGuard();
  const refused = strict.inspect("edit", { path: "a.md", edits: [{ text }] });
  assert.ok(refused.kind === "refused");
  assert.match(refused.problem, /"edits\.0\.text"/);
  assert.equal(strict.inspect("edit", { path: "a.md" }).kind, "clean");
  assert.deepEqual(strict.counts(), { inspected: 2, cut: 0, refused: 1 });

  const lines = harmonyGuard((_tool, path, whole, offset) =>
    path === "input" ? whole.lastIndexOf("\n", offset) + 1 : undefined,
  );
  const cut = lines.inspect("edit", { input: `first operation\nsecond ${text}\nthird` });
  assert.ok(cut.kind === "cut");
  assert.deepEqual(cut.arguments, { input: "first operation\n" });
  assert.equal(lines.inspect("edit", { input: text }).kind, "refused", "nothing whole is left");
  assert.deepEqual(lines.counts(), { inspected: 2, cut: 1, refused: 1 });
});

test("only the families that leak are watched", () => {
  assert.ok(mayLeakHarmony("gpt-5.1-codex") && mayLeakHarmony("openai/gpt-oss-20b"));
  assert.ok(!mayLeakHarmony("claude-sonnet-4-5"));
});

test("a call with a leak ends the stream with what to tell the model, and is counted", async (t) => {
  const toolCalls = [{ name: "edit", arguments: { path: "a.md", text: leaks[0] } }];
  const server = await startScriptedModel([{ toolCalls }]);
  t.after(() => server.close());
  const harmony = harmonyGuard();
  const providers = { openai: { apiKey: "key", baseURL: `${server.url}/v1` } };
  const model = await resolveModel("openai/gpt-5", { environment: {}, providers, harmony });
  assert.ok(!isModelFailure(model));
  const messages = [{ role: "user" as const, content: "Edit it.", timestamp: 0 }];
  const events = await Array.fromAsync(model.stream({ system: "", messages, tools: [] }));
  const last = events.at(-1);
  assert.ok(last?.type === "error" && isInvalidCall(last.failure));
  assert.match(
    last.failure.message,
    /call to edit.*nothing was done.*"text" contains text of the call protocol/,
  );
  assert.deepEqual(harmony.counts(), { inspected: 1, cut: 0, refused: 1 });
});

test("of an edit in operations, those before the leak are kept", () => {
  const [leak = ""] = leaks;
  const guard = harmonyGuard(operationBoundary);
  const whole = "§a.ts\n≔4fb\nconst clean = 1;\n";
  const inspected = guard.inspect("edit", { input: `${whole}»12qk\n${leak}` });
  assert.ok(inspected.kind === "cut");
  assert.deepEqual(inspected.arguments, { input: whole });
  const section = guard.inspect("edit", { input: `${whole}§b.ts\n≔1ab\n${leak}` });
  assert.deepEqual(
    section.kind === "cut" && section.arguments,
    { input: whole },
    "no section without operations",
  );
  assert.equal(guard.inspect("edit", { input: `§a.ts\n≔4fb\n${leak}` }).kind, "refused");
});

test("a leak in an answer is cut from what is kept of it", async (t) => {
  const text = "The file is mended. commentary to=functions.edit code 大发时时彩";
  const server = await startScriptedModel([{ text }]);
  t.after(() => server.close());
  const providers = { openai: { apiKey: "key", baseURL: `${server.url}/v1` } };
  const model = await resolveModel("openai/gpt-5", { environment: {}, providers });
  assert.ok(!isModelFailure(model));
  const messages = [{ role: "user" as const, content: "Mend it.", timestamp: 0 }];
  const events = await Array.fromAsync(model.stream({ system: "", messages, tools: [] }));
  const last = events.at(-1);
  assert.ok(last?.type === "done");
  assert.deepEqual(last.message.content, [{ type: "text", text: "The file is mended." }]);
});
