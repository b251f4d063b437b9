import assert from "node:assert/strict";
import { test } from "node:test";
import { remoteAddressOf } from "./own-machine.ts";

test("requests to a cloud leave this machine, also where no address is set; a server of this machine's own does not", () => {
  const apiKey = "key";
  const sources = {
    environment: {},
    providers: {
      azure: { apiKey, options: { resource: "mine" } },
      bedrock: { apiKey, options: { region: "us-east-1" } },
      vertex: { apiKey },
      openrouter: { apiKey },
      groq: { apiKey },
    },
  };
  assert.equal(remoteAddressOf("azure/gpt-5", sources), "its provider");
  assert.equal(remoteAddressOf("bedrock/m", sources), "its provider");
  assert.equal(remoteAddressOf("vertex/gemini-2.5-pro", sources), "its provider");
  assert.equal(remoteAddressOf("openrouter/openai/gpt-5", sources), "https://openrouter.ai");
  assert.equal(remoteAddressOf("groq/llama", sources), "https://api.groq.com");
  assert.equal(remoteAddressOf("vllm/qwen3", sources), undefined);
});
