// Servers and gateways that speak OpenAI's Chat Completions: an address each, one package for all.

import type { LanguageModelV4 } from "@ai-sdk/provider";
import { compatibleUsage } from "../adapter/compatible-usage.ts";
import { clientSettings } from "./client-settings.ts";
import { createOpenrouter } from "./openrouter.ts";
import {
  keyField,
  neededAddress,
  optionalKey,
  otherAddress,
  type ProviderClientOptions,
  type ProviderDefinition,
} from "./provider-definition.ts";

export const compatibleProviders: readonly ProviderDefinition[] = [
  {
    ...gateway("openrouter", "OpenRouter", "OPENROUTER", "https://openrouter.ai/api/v1"),
    keyPage: "https://openrouter.ai/settings/keys",
    family: "openrouter",
    create: createOpenrouter,
  },
  {
    ...gateway("cerebras", "Cerebras", "CEREBRAS", "https://api.cerebras.ai/v1"),
    keyPage: "https://cloud.cerebras.ai",
  },
  {
    ...gateway("fireworks", "Fireworks", "FIREWORKS", "https://api.fireworks.ai/inference/v1"),
    keyPage: "https://app.fireworks.ai/settings/users/api-keys",
  },
  {
    ...gateway("together", "Together AI", "TOGETHER", "https://api.together.xyz/v1"),
    keyPage: "https://api.together.ai/settings/api-keys",
  },
  {
    name: "openai-compatible",
    title: "OpenAI-compatible server",
    kind: "address",
    fields: [neededAddress, optionalKey],
    family: "openai-compatible",
    keyVariables: ["OPENAI_COMPATIBLE_API_KEY", "OPENAI_API_KEY"],
    needsKey: false,
    baseVariables: ["OPENAI_COMPATIBLE_BASE_URL", "OPENAI_BASE_URL"],
    isLocal: false,
    create: createCompatible,
  },
  ollamaProvider(),
  localProvider("lmstudio", "LM Studio", ["LMSTUDIO_BASE_URL"], "http://127.0.0.1:1234/v1"),
  localProvider("llamacpp", "llama.cpp", ["LLAMACPP_BASE_URL"], "http://127.0.0.1:8080/v1"),
  {
    ...localProvider("vllm", "vLLM", ["VLLM_BASE_URL"], "http://127.0.0.1:8000/v1"),
    keyVariables: ["VLLM_API_KEY"],
  },
];

function gateway(name: string, title: string, variable: string, url: string): ProviderDefinition {
  return {
    name,
    title,
    kind: "key",
    fields: [keyField, otherAddress],
    family: "openai-compatible",
    keyVariables: [`${variable}_API_KEY`],
    needsKey: true,
    baseVariables: [`${variable}_BASE_URL`],
    defaultBaseURL: url,
    isLocal: false,
    create: createCompatible,
  };
}

function localProvider(
  name: string,
  title: string,
  baseVariables: readonly string[],
  url: string,
): ProviderDefinition {
  return {
    name,
    title,
    kind: "local",
    fields: [{ ...otherAddress, hint: url }, optionalKey],
    family: "openai-compatible",
    keyVariables: [],
    needsKey: false,
    baseVariables,
    defaultBaseURL: url,
    isLocal: true,
    create: createCompatible,
  };
}

/** Speaks its own API at the same address, unless the person wants the compatible one. */
function ollamaProvider(): ProviderDefinition {
  const variables = ["OLLAMA_BASE_URL", "OLLAMA_HOST"];
  const plain = localProvider("ollama", "Ollama", variables, "http://127.0.0.1:11434/v1");
  return {
    ...plain,
    family: "ollama",
    fields: [
      ...plain.fields,
      { name: "keepAlive", label: "Keep loaded", hint: "5m" },
      { name: "api", label: "API", hint: "Its own; openai for the compatible one" },
    ],
    async create(options) {
      if (options.options?.api === "openai") return createCompatible(options);
      const { ollamaModel } = await import("../ollama/ollama-model.ts");
      return ollamaModel(options);
    },
  };
}

async function createCompatible(options: ProviderClientOptions): Promise<LanguageModelV4> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const provider = createOpenAICompatible({
    ...clientSettings(options, "openai-compatible"),
    baseURL: options.baseURL ?? "",
    name: options.provider,
    includeUsage: true,
    convertUsage: compatibleUsage,
  });
  return provider(options.model);
}
