import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import { HttpEmbedder } from "./http-embedder.ts";
import { type EmbeddingSettings, remoteEmbedder } from "./remote-embedder.ts";

async function idOf(model: string, settings: Partial<EmbeddingSettings> = {}): Promise<string> {
  const embedder = await remoteEmbedder({ environment: {}, ...settings, model });
  return isFault(embedder) ? `${embedder.error}: ${embedder.message}` : embedder.id;
}

test("a provider's model is asked at the provider's address", async () => {
  const environment = { OPENAI_API_KEY: "k-1", GEMINI_API_KEY: "k-2", OLLAMA_HOST: "box:11434" };
  assert.equal(
    await idOf("openai/text-embedding-3-small", { environment }),
    "api.openai.com/v1/text-embedding-3-small",
  );
  assert.equal(
    await idOf("openai/text-embedding-3-small", { environment, dimensions: 256 }),
    "api.openai.com/v1/text-embedding-3-small/256",
  );
  assert.equal(await idOf("ollama/nomic-embed-text"), "127.0.0.1:11434/v1/nomic-embed-text");
  assert.equal(await idOf("ollama/nomic-embed-text", { environment }), "box:11434/v1/nomic-embed-text");
  assert.equal(
    await idOf("google/gemini-embedding-001", { environment }),
    "generativelanguage.googleapis.com/v1beta/openai/gemini-embedding-001",
  );
  const base = { OPENAI_COMPATIBLE_BASE_URL: "http://127.0.0.1:8000/v1/" };
  assert.equal(
    await idOf("openai-compatible/org/model", { environment: base }),
    "127.0.0.1:8000/v1/org/model",
  );
});

test("key, address and headers of the user's configuration are used", async (t) => {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ data: [{ index: 0, embedding: [2, 0] }] }));
  });
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  const baseURL = `http://127.0.0.1:${address.port}/v1`;
  const providers = { mine: { baseURL, keyVariable: "MY_KEY", headers: { "x-a": "b" } } };
  const embedder = await remoteEmbedder({ model: "mine/e5", providers, environment: { MY_KEY: "key-3" } });
  assert.ok(embedder instanceof HttpEmbedder);
  assert.deepEqual(await embedder.embed(["x"]), [Float32Array.of(1, 0)]);
  const [request] = asked;
  assert.equal(request?.url, "/v1/embeddings");
  assert.equal(request?.headers.authorization, "Bearer key-3");
  assert.equal(request?.headers["x-a"], "b");
});

test("what cannot be used is refused, with the reason", async () => {
  assert.match(await idOf("nomic"), /embeddings_unavailable: "nomic" is not the name of an embedding model/);
  assert.match(await idOf("openai/"), /not the name of an embedding model/);
  assert.match(
    await idOf("openai/text-embedding-3-small"),
    /needs a key. Connect it with stet login openai, or set OPENAI_API_KEY/,
  );
  assert.match(await idOf("nobody/model"), /no provider called nobody/);
  assert.match(await idOf("openai-compatible/model"), /needs a base URL/);
  assert.match(
    await idOf("anthropic/x", { environment: { ANTHROPIC_API_KEY: "k" } }),
    /offers no embeddings/,
  );
  assert.match(
    await idOf("other/x", { providers: { other: { package: "@ai-sdk/other" } } }),
    /offers no embeddings/,
  );
});
