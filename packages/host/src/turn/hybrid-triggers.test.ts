// Each trigger of hybrid_auto over real HTTP: the local model is not enough, the remote one goes on, and the job says why.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type ModelScript, startScriptedModel } from "@stet/testkit/scripted-model";
import type { ScriptedReply } from "@stet/testkit/scripted-model-reply";
import { TestService } from "@stet/testkit/test-service";
import { TestWorkspace } from "@stet/testkit/workspace";
import { defaultLimits } from "../limits.ts";

const files = { "a.json": '{\n  "one": 1,\n  "two": 2\n}\n', "b.txt": "one\ntwo\n" };

async function serve(t: TestContext, script: ModelScript) {
  const server = await startScriptedModel(script);
  t.after(() => server.close());
  return server;
}

/** A local model that plays these replies in Ollama's format, and a remote one behind it. */
async function run(
  t: TestContext,
  local: ModelScript,
  settings: Readonly<Record<string, unknown>> = {},
  remote: ModelScript = () => ({ text: "Mended." }),
  instruction = "Do it.",
) {
  const [near, away] = [await serve(t, local), await serve(t, remote)];
  const { port } = new URL(away.url);
  const place = new TestWorkspace(t, files);
  const service = await TestService.configured(
    t,
    place,
    {
      agentMode: "hybrid_auto",
      localModel: "ollama/m",
      model: "away/m",
      // Connects to this machine, but is no loopback address, as that of another machine is none.
      ...settings,
      providers: { away: { baseURL: `http://0.0.0.0:${port}/v1` }, ...Object(settings.providers) },
    },
    { OLLAMA_HOST: near.url },
  );
  const id = await service.run(await service.session(), instruction);
  const { events, job } = await service.until(id, "completed", "failed", "awaiting_review");
  const chosen = events.flatMap(({ type, data }) => (type === "model.chosen" ? [Object(data)] : []));
  return { near, away, job, chosen, triggers: chosen.map(({ trigger }): string => trigger) };
}

function edit(file: string, start: number, end: number, text: string): ScriptedReply {
  const input = { file_path: file, operation: "replace", start_line: start, end_line: end, new_text: text };
  return { toolCalls: [{ name: "edit_file", arguments: input }] };
}

function read(file: string): ScriptedReply {
  return { toolCalls: [{ name: "read_file", arguments: { file_path: file } }] };
}

test("schema: calls that never fit their schema", async (t) => {
  const { triggers, job, chosen } = await run(t, () => ({
    toolCalls: [{ name: "read_file", arguments: { path: 7 } }],
  }));
  assert.deepEqual(triggers, ["start", "schema_failed"]);
  assert.equal(job.answered_by, "away/m");
  assert.match(chosen[1].reason, /kept failing their schema/);
});

test("context: a conversation that is longer than the local model can take", async (t) => {
  const providers = { ollama: { models: { m: { contextWindow: 500 } } } };
  const { triggers, job } = await run(t, [], { providers });
  assert.deepEqual(triggers, ["start", "context_overflow"]);
  assert.equal(job.answered_by, "away/m");
});

test("context: a server that cut the conversation without a word", async (t) => {
  const script = () => ({ text: "What?", usage: { input: 1030 } });
  const { triggers, job } = await run(t, script, {}, undefined, "Do it. ".repeat(3000));
  assert.deepEqual(triggers, ["start", "context_overflow"]);
  assert.equal(job.answered_by, "away/m");
});

test("timeout: a local model that does not begin", async (t) => {
  const { triggers } = await run(t, [{ text: "Late.", fault: { stallAfterBytes: 0 } }], {
    hybridRemoteOnTimeoutMs: 100,
  });
  assert.deepEqual(triggers, ["start", "timeout"]);
});

test("server: a local model that is not there", async (t) => {
  const { triggers } = await run(t, () => ({
    fault: { status: 404, body: '{"error":"model \'m\' not found"}' },
  }));
  assert.deepEqual(triggers, ["start", "local_failed"]);
});

test("tool budget: all calls are used, and nothing was edited", async (t) => {
  const script: ModelScript = (_request, index) =>
    index === 0
      ? read("b.txt")
      : { toolCalls: [{ name: "search_project", arguments: { query: `word ${index}` } }] };
  const { triggers, job, near } = await run(t, script);
  assert.deepEqual(triggers, ["start", "tool_budget_exhausted"]);
  assert.equal(near.requests.length, defaultLimits.max_tool_calls_per_job);
  assert.equal(job.answered_by, "away/m");
});

test("validation: a file that does not parse any more is named to the remote model, which mends it", async (t) => {
  const { triggers, chosen, away, job } = await run(
    t,
    [read("a.json"), edit("a.json", 2, 2, '  "one": 1'), { text: "Done." }],
    {},
    [read("a.json"), edit("a.json", 2, 2, '  "one": 1,'), { text: "Mended." }],
  );
  assert.deepEqual(triggers, ["start", "validation_failed"]);
  assert.match(
    chosen[1].reason,
    /^What the local model did failed a check\. a\.json: It is not valid JSON any more/,
  );
  const asked = away.requests[0]?.messages.at(-1);
  assert.match(asked?.text ?? "", /failed a check: a\.json: It is not valid JSON.*You take over/);
  assert.equal(job.answered_by, "away/m");
});

test("validation: edits that are refused again and again, and none that lands", async (t) => {
  const { triggers, chosen } = await run(t, [
    edit("b.txt", 40, 41, "x"),
    edit("b.txt", 50, 51, "x"),
    { text: "I changed it." },
  ]);
  assert.deepEqual(triggers, ["start", "validation_failed"]);
  assert.match(chosen[1].reason, /2 edits were refused, and none landed/);
});

test("validation: an answer with nothing in it", async (t) => {
  const { triggers, job } = await run(t, () => ({ text: "" }));
  assert.deepEqual(triggers, ["start", "validation_failed"]);
  assert.equal(job.answered_by, "away/m");
});

test("validation: work that holds, also after a slip, stays with the local model", async (t) => {
  const { triggers, away, job } = await run(t, [
    read("b.txt"),
    edit("b.txt", 40, 41, "x"),
    edit("b.txt", 50, 51, "x"),
    edit("b.txt", 1, 1, "first"),
    read("a.json"),
    edit("a.json", 2, 2, '  "one": 1'),
    edit("a.json", 2, 2, '  "one": 7,'),
    { text: "Done." },
  ]);
  assert.deepEqual(triggers, ["start"]);
  assert.equal(away.requests.length, 0);
  assert.equal(job.answered_by, "ollama/m");
});

test("validation: switched off, the local model's answer stays", async (t) => {
  const { triggers, away } = await run(
    t,
    [read("a.json"), edit("a.json", 2, 2, '  "one": 1'), { text: "Done." }],
    { hybridRemoteOnValidationFail: false },
  );
  assert.deepEqual(triggers, ["start"]);
  assert.equal(away.requests.length, 0);
});

test("in mode local the own API and written calls send nothing elsewhere, whatever fails", async (t) => {
  const refused = { fault: { status: 400, body: '{"error":"m does not support tools"}' } };
  const { near, away, job } = await run(t, [refused, { text: "" }], {
    agentMode: "local",
    fallbackModels: ["away/m"],
  });
  assert.equal(job.answered_by, "ollama/m");
  assert.deepEqual([away.requests.length, away.otherPaths], [0, []]);
  assert.deepEqual(
    near.requests.map(({ path, toolNames }) => [path, toolNames.length > 0]),
    [
      ["/api/chat", true],
      ["/api/chat", false],
    ],
  );
});
