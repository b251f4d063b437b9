import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { type TestContext, test } from "node:test";
import { findLocalServers } from "./local-servers.ts";

/** Answers each path with its JSON, any other with 404; a path without an answer is never answered. */
async function serve(t: TestContext, answers: Record<string, unknown>, key?: string): Promise<string> {
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    if (key !== undefined && request.headers.authorization !== `Bearer ${key}`) response.writeHead(401).end();
    else if (!(path in answers)) response.writeHead(404).end();
    else if (answers[path] !== undefined) response.end(JSON.stringify(answers[path]));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  return `127.0.0.1:${address.port}`;
}

const nobody = {
  OLLAMA_HOST: "127.0.0.1:1",
  LMSTUDIO_BASE_URL: "127.0.0.1:1",
  LLAMACPP_BASE_URL: "127.0.0.1:1",
  VLLM_BASE_URL: "127.0.0.1:1",
};

test("each kind of server is found with its models and their context", async (t) => {
  const ollama = await serve(t, { "/api/tags": { models: [{ name: "qwen3:8b" }, { broken: true }] } });
  const studio = await serve(t, {
    "/api/v0/models": {
      data: [
        { id: "gemma", max_context_length: 8192 },
        { id: "embed", type: "embeddings" },
      ],
    },
  });
  const llama = await serve(t, {
    "/props": { default_generation_settings: { n_ctx: 4096 } },
    "/v1/models": { data: [{ id: "model.gguf" }] },
  });
  const servers = await findLocalServers({
    environment: { OLLAMA_HOST: ollama, LMSTUDIO_BASE_URL: `http://${studio}/v1`, LLAMACPP_BASE_URL: llama },
  });
  assert.deepEqual(servers, [
    { provider: "ollama", baseURL: `http://${ollama}/v1`, models: [{ name: "ollama/qwen3:8b" }] },
    {
      provider: "lmstudio",
      baseURL: `http://${studio}/v1`,
      models: [{ name: "lmstudio/gemma", contextWindow: 8192 }],
    },
    {
      provider: "llamacpp",
      baseURL: `http://${llama}/v1`,
      models: [{ name: "llamacpp/model.gguf", contextWindow: 4096 }],
    },
  ]);
});

test("vLLM is found by what it says of its models, and another program on its port is not", async (t) => {
  const vllm = await serve(t, { "/v1/models": { data: [{ id: "qwen", max_model_len: 40_960 }] } });
  const other = await serve(t, { "/v1/models": { data: [{ id: "qwen" }] } });
  const found = (at: string) => findLocalServers({ environment: { ...nobody, VLLM_BASE_URL: at } });
  assert.deepEqual(await found(vllm), [
    {
      provider: "vllm",
      baseURL: `http://${vllm}/v1`,
      models: [{ name: "vllm/qwen", contextWindow: 40_960 }],
    },
  ]);
  assert.deepEqual(await found(other), []);
});

test("llama.cpp says whether the model's template has tools", async (t) => {
  const llama = await serve(t, {
    "/props": { default_generation_settings: { n_ctx: 4096 }, chat_template_caps: { supports_tools: false } },
    "/v1/models": { data: [{ id: "m.gguf" }] },
  });
  const [server] = await findLocalServers({ environment: { ...nobody, LLAMACPP_BASE_URL: llama } });
  assert.equal(server?.models[0]?.tools, false);
});

test("a server is asked at the address of the configuration, unless that is elsewhere and nothing may leave the machine", async (t) => {
  const llama = await serve(t, {
    "/props": { default_generation_settings: { n_ctx: 4096 }, modalities: { vision: true } },
    "/v1/models": { data: [{ id: "model.gguf" }] },
  });
  const found = async (baseURL: string, staysOnMachine: boolean) => {
    const environment = { ...nobody, LLAMACPP_BASE_URL: "" };
    const servers = await findLocalServers({
      environment,
      providers: { llamacpp: { baseURL } },
      staysOnMachine,
    });
    return servers.flatMap(({ models }) => models);
  };
  const model = { name: "llamacpp/model.gguf", contextWindow: 4096, images: true };
  assert.deepEqual(await found(`http://${llama}/v1`, true), [model]);
  // Connects to this machine, but is no loopback address, as that of another machine is none.
  const elsewhere = `http://${llama}/v1`.replace("127.0.0.1", "[::ffff:127.0.0.1]");
  assert.deepEqual(await found(elsewhere, false), [model]);
  assert.deepEqual(await found(elsewhere, true), []);
});

test("a server that wants a key is asked with the one of the configuration", async (t) => {
  const studio = await serve(t, { "/api/v0/models": { data: [{ id: "gemma", type: "vlm" }] } }, "secret");
  const names = async (apiKey: string) => {
    const providers = { lmstudio: { baseURL: `http://${studio}/v1`, apiKey } };
    const servers = await findLocalServers({ environment: { ...nobody, LMSTUDIO_BASE_URL: "" }, providers });
    return servers.flatMap(({ models }) => models.map(({ name }) => name));
  };
  assert.deepEqual([await names("secret"), await names("other")], [["lmstudio/gemma"], []]);
});

test("a machine without any, and one where something listens and stays silent, answer quickly", async (t) => {
  const silent = await serve(t, { "/api/tags": undefined });
  const other = await serve(t, { "/v1/models": "another program" });
  const begun = performance.now();
  assert.deepEqual(await findLocalServers({ environment: nobody }), []);
  const environment = { ...nobody, OLLAMA_HOST: silent, LMSTUDIO_BASE_URL: other };
  assert.deepEqual(await findLocalServers({ environment, timeoutMs: 100 }), []);
  assert.ok(performance.now() - begun < 2000);
});
