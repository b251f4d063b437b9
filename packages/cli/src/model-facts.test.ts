// What a model's server tells of it is what a turn goes by.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type ModelScript, startScriptedModel } from "@stet/testkit/scripted-model";
import { StetProject } from "@stet/testkit/stet-project";

const window = 4096;
const read = { toolCalls: [{ name: "read_file", arguments: { file_path: "long.txt" } }] };
const longText = `${"Words that fill the window of a small model. ".repeat(5)}\n`.repeat(100);

async function ask(
  t: TestContext,
  model: string,
  answers: object,
  script: ModelScript,
  settings: object = {},
) {
  const server = await startScriptedModel(script, { models: [], answers: { ...answers } });
  t.after(() => server.close());
  const place = new StetProject(t, { "long.txt": longText });
  const folder = join(place.environment.XDG_CONFIG_HOME ?? "", "stet");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.json"), JSON.stringify({ model, ...settings }));
  const env = {
    OLLAMA_HOST: server.url,
    LMSTUDIO_BASE_URL: server.url,
    LLAMACPP_BASE_URL: server.url,
    OPENAI_COMPATIBLE_BASE_URL: `${server.url}/v1`,
    OPENAI_API_KEY: "key",
    OPENAI_BASE_URL: `${server.url}/v1`,
  };
  const { code, out, note } = await place.stet(["--mode", "json", "-p", "Read long.txt."], { env });
  const events = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const windows = new Set(events.filter(({ type }) => type === "context").map((event) => event.window));
  return { code, note, out, events, windows: [...windows], server };
}

const ollamaInfo = { "general.architecture": "llama", "llama.context_length": 131_072 };
const forms: readonly (readonly [form: string, model: string, answers: object])[] = [
  [
    "Ollama's Modelfile",
    "ollama/m",
    { "/api/show": { parameters: "stop x\nnum_ctx   4096", model_info: ollamaInfo } },
  ],
  [
    "Ollama, of a model that is loaded larger than its Modelfile says",
    "ollama/m",
    {
      "/api/show": { parameters: "num_ctx 2048", model_info: ollamaInfo },
      "/api/ps": { models: [{ name: "m:latest", context_length: window }] },
    },
  ],
  [
    "Ollama, of a small model",
    "ollama/m",
    { "/api/show": { model_info: { "llama.context_length": window } } },
  ],
  [
    "LM Studio",
    "lmstudio/m",
    { "/api/v0/models": { data: [{ id: "m", max_context_length: 131_072, loaded_context_length: window }] } },
  ],
  ["llama.cpp", "llamacpp/any", { "/props": { default_generation_settings: { n_ctx: window } } }],
  [
    "a list of models",
    "openai-compatible/m",
    { "/v1/models": { data: [{ id: "m", max_model_len: window }] } },
  ],
];

for (const [form, model, answers] of forms) {
  test(`a turn makes room in a window of 4096 tokens that ${form} tells`, async (t) => {
    const script = [read, { text: "A file of many lines.\n\n## Goal\nRead it." }, { text: "Done." }];
    const { code, note, events, windows, server } = await ask(t, model, answers, script);
    assert.equal(code, 0, note);
    assert.deepEqual(windows, [window]);
    assert.ok(
      events.some(({ type }) => type === "compaction"),
      "older messages became a summary",
    );
    assert.equal(server.requests.length, 3);
  });
}

test("the configuration comes before what the server tells, and then nobody is asked", async (t) => {
  const answers = { "/props": { default_generation_settings: { n_ctx: window } } };
  const providers = { llamacpp: { models: { m: { contextWindow: 50_000 } } } };
  const { windows, server } = await ask(t, "llamacpp/m", answers, [read, { text: "Done." }], { providers });
  assert.deepEqual(windows, [50_000]);
  assert.deepEqual(server.otherPaths, []);
});

test("nobody is asked about a model whose limits are known", async (t) => {
  const { windows, server } = await ask(t, "openai/gpt-5", {}, [{ text: "Hello." }]);
  assert.deepEqual(windows, [400_000]);
  assert.deepEqual(server.otherPaths, []);
});

test("a fallback's server is asked only when it is needed", async (t) => {
  const spare = await startScriptedModel([{ text: "Hello." }], { models: ["m"] });
  t.after(() => spare.close());
  const settings = {
    fallbackModels: ["spare/m"],
    providers: { spare: { baseURL: `${spare.url}/v1` } },
    "retry.requestMaxRetries": 0,
  };
  await ask(t, "openai/gpt-5", {}, [{ text: "Hello." }], settings);
  assert.deepEqual(spare.otherPaths, []);
  const { code } = await ask(t, "openai/gpt-5", {}, [{ fault: { status: 503 } }], settings);
  assert.deepEqual([code, spare.otherPaths, spare.requests.length], [0, ["/v1/models"], 1]);
});

test("a model that cannot use tools, by its server or by its refusal, writes its calls, and its work is done", async (t) => {
  const call = { name: "read_file", arguments: { file_path: "long.txt" } };
  const written = { text: `I look.\n\n\`\`\`tool_call\n${JSON.stringify(call)}\n\`\`\`\n` };
  const refused = { fault: { status: 400, body: '{"error":"library/m does not support tools"}' } };
  const model_info = { "llama.context_length": 131_072 };
  const servers = [
    { capabilities: ["completion"], script: [written, { text: "Done." }] },
    { capabilities: ["completion", "tools"], script: [refused, written, { text: "Done." }] },
  ];
  for (const { capabilities, script } of servers) {
    const answers = { "/api/show": { capabilities, model_info } };
    const { code, note, out, server } = await ask(t, "ollama/m", answers, script);
    assert.equal(code, 0, note);
    assert.doesNotMatch(out, /"delta":"[^"]*tool_call/);
    const last = server.requests.at(-1);
    assert.deepEqual(last?.toolNames, []);
    assert.match(last?.system ?? "", /### read_file/);
    const [, said, result] = last?.messages ?? [];
    assert.match(said?.text ?? "", /^I look\.\n```tool_call/);
    assert.match(
      result?.text ?? "",
      /^\[result \w{12} tool_call_id=\S+ name=read_file ok=true\]\n.*Words that fill/s,
    );
  }
});

test("a server that listens and tells nothing does not keep a turn from starting", async (t) => {
  const { code, windows } = await ask(t, "lmstudio/m", { "/api/v0/models": "what?" }, [{ text: "Hello." }]);
  assert.deepEqual([code, windows], [0, [32_768]]);
});

test("a price that the server tells is counted, and --max-cost accepts the model", async (t) => {
  const pricing = { prompt: "0.001", completion: "0.002" };
  const answers = { "/v1/models": { data: [{ id: "m", context_length: 9000, pricing }] } };
  const { code, note, events } = await ask(t, "openai-compatible/m", answers, [{ text: "Hello." }], {
    maxCost: 5,
  });
  assert.equal(code, 0, note);
  // 100 tokens in and 20 out.
  assert.equal(events.at(-1).usage.cost.total, 0.14);
});
