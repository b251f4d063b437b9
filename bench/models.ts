// Lists of models: a provider that has a thousand, as a window or a terminal gets them.

import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { modelsOfFolder } from "../packages/host/src/models-of-folder.ts";
import { isFault } from "../packages/protocol/src/fault.ts";
import { type Bench, best } from "./bench.ts";

const count = 1000;

/** What a gateway such as OpenRouter says of each of its models. */
const list = JSON.stringify({
  data: Array.from({ length: count }, (_, index) => ({
    id: `vendor-${index % 20}/model-${index}-instruct`,
    context_length: 100_000 + index,
    pricing: { prompt: "0.000001", completion: "0.000002" },
    supported_parameters: ["tools", "reasoning"],
    architecture: { input_modalities: ["text", "image"] },
  })),
});

async function measure() {
  const server = createServer((_, response) => {
    response.setHeader("content-type", "application/json");
    response.end(list);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const baseURL = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/v1`;
  const folder = mkdtempSync(join(tmpdir(), "stet-bench-"));
  const nobody = "http://127.0.0.1:9";
  try {
    const value = await best(5, async () => {
      // A new key each time, so that nothing of the list is still known.
      const environment = {
        XDG_CONFIG_HOME: folder,
        STET_DATA_DIR: folder,
        OPENAI_COMPATIBLE_BASE_URL: baseURL,
        OPENAI_COMPATIBLE_API_KEY: `key-${performance.now()}`,
        OLLAMA_HOST: nobody,
        LMSTUDIO_BASE_URL: nobody,
        LLAMACPP_BASE_URL: nobody,
        VLLM_BASE_URL: nobody,
      };
      const operations = modelsOfFolder(folder, { environment, dataFolder: folder });
      const reply = await operations.listModels();
      if (isFault(reply)) throw new Error(reply.message);
      const models = reply.providers.flatMap((provider) => provider.models);
      if (models.length < count) throw new Error(`${models.length} models were listed.`);
    });
    const against = await best(5, async () => (await fetch(`${baseURL}/models`)).json());
    return { value, unit: "ms", against, ratio: value / against };
  } finally {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

export const benches: readonly Bench[] = [
  {
    name: "models/list",
    what: `all providers, one of which names ${count} models, with what each costs and can do`,
    versus: "fetching and parsing that list alone",
    goal: "100 ms",
    isReached: ({ value }) => value <= 100,
    measure,
  },
];
