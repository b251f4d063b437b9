// The models that a server says it has: `GET /v1/models` of OpenAI and of Anthropic, and Ollama's `GET /api/tags`.

import type { IncomingHttpHeaders } from "node:http";

export function listModels(path: string, headers: IncomingHttpHeaders, models: readonly string[]): unknown {
  const plain = path.split("?", 1)[0];
  if (plain === "/api/tags") return { models: models.map(ollamaModel) };
  if (plain !== "/v1/models") return undefined;
  if (headers["anthropic-version"] === undefined)
    return {
      object: "list",
      data: models.map((id) => ({ id, object: "model", created: 1_700_000_000, owned_by: "scripted" })),
    };
  return {
    data: models.map((id) => ({
      type: "model",
      id,
      display_name: id,
      created_at: "2025-01-01T00:00:00Z",
    })),
    has_more: false,
    first_id: models[0] ?? null,
    last_id: models.at(-1) ?? null,
  };
}

function ollamaModel(name: string) {
  return {
    name,
    model: name,
    modified_at: "2025-01-01T00:00:00Z",
    size: 1_000_000_000,
    digest: "0".repeat(64),
    details: {
      parent_model: "",
      format: "gguf",
      family: "scripted",
      families: ["scripted"],
      parameter_size: "1B",
      quantization_level: "Q4_0",
    },
  };
}
