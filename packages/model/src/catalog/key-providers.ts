// Providers that a key alone connects, each by its own package, which the first request loads.

import { clientSettings } from "./client-settings.ts";
import {
  keyField,
  otherAddress,
  type ProviderClientOptions,
  type ProviderDefinition,
} from "./provider-definition.ts";

/** The same for all of them. */
const byKey = {
  kind: "key",
  fields: [keyField, otherAddress],
  needsKey: true,
  isLocal: false,
} as const;

const openaiAccess = {
  ...byKey,
  keyPage: "https://platform.openai.com/api-keys",
  keyVariables: ["OPENAI_API_KEY"],
  baseVariables: ["OPENAI_BASE_URL"],
  defaultBaseURL: "https://api.openai.com/v1",
};

export const keyProviders: readonly ProviderDefinition[] = [
  {
    ...openaiAccess,
    name: "openai",
    title: "OpenAI",
    family: "openai-responses",
    create: async (options) => (await openai(options, "openai-responses")).responses(options.model),
  },
  {
    ...openaiAccess,
    name: "openai-chat",
    title: "OpenAI (Chat Completions)",
    family: "openai-chat",
    create: async (options) => (await openai(options, "openai-chat")).chat(options.model),
  },
  {
    ...byKey,
    name: "anthropic",
    title: "Anthropic",
    keyPage: "https://console.anthropic.com/settings/keys",
    family: "anthropic",
    keyVariables: ["ANTHROPIC_API_KEY"],
    baseVariables: ["ANTHROPIC_BASE_URL"],
    defaultBaseURL: "https://api.anthropic.com/v1",
    async create(options) {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return createAnthropic(clientSettings(options, "anthropic"))(options.model);
    },
  },
  {
    ...byKey,
    name: "google",
    title: "Google Gemini",
    keyPage: "https://aistudio.google.com/apikey",
    family: "google",
    keyVariables: ["GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY", "GOOGLE_API_KEY"],
    baseVariables: ["GEMINI_BASE_URL", "GOOGLE_GEMINI_BASE_URL"],
    defaultBaseURL: "https://generativelanguage.googleapis.com/v1beta",
    async create(options) {
      const { createGoogle } = await import("@ai-sdk/google");
      return createGoogle(clientSettings(options, "google"))(options.model);
    },
  },
  {
    ...byKey,
    name: "groq",
    title: "Groq",
    keyPage: "https://console.groq.com/keys",
    family: "groq",
    keyVariables: ["GROQ_API_KEY"],
    baseVariables: ["GROQ_BASE_URL"],
    defaultBaseURL: "https://api.groq.com/openai/v1",
    async create(options) {
      const { createGroq } = await import("@ai-sdk/groq");
      return createGroq(clientSettings(options, "groq"))(options.model);
    },
  },
  {
    ...byKey,
    name: "mistral",
    title: "Mistral",
    keyPage: "https://console.mistral.ai/api-keys",
    family: "mistral",
    keyVariables: ["MISTRAL_API_KEY"],
    baseVariables: ["MISTRAL_BASE_URL"],
    defaultBaseURL: "https://api.mistral.ai/v1",
    async create(options) {
      const { createMistral } = await import("@ai-sdk/mistral");
      return createMistral(clientSettings(options, "mistral"))(options.model);
    },
  },
  {
    ...byKey,
    name: "deepseek",
    title: "DeepSeek",
    keyPage: "https://platform.deepseek.com/api_keys",
    family: "deepseek",
    keyVariables: ["DEEPSEEK_API_KEY"],
    baseVariables: ["DEEPSEEK_BASE_URL"],
    defaultBaseURL: "https://api.deepseek.com",
    async create(options) {
      const { createDeepSeek } = await import("@ai-sdk/deepseek");
      return createDeepSeek(clientSettings(options, "deepseek"))(options.model);
    },
  },
  {
    ...byKey,
    name: "xai",
    title: "xAI",
    keyPage: "https://console.x.ai",
    family: "xai",
    keyVariables: ["XAI_API_KEY"],
    baseVariables: ["XAI_BASE_URL"],
    defaultBaseURL: "https://api.x.ai/v1",
    async create(options) {
      const { createXai } = await import("@ai-sdk/xai");
      return createXai(clientSettings(options, "xai"))(options.model);
    },
  },
];

async function openai(options: ProviderClientOptions, family: "openai-chat" | "openai-responses") {
  const { createOpenAI } = await import("@ai-sdk/openai");
  return createOpenAI(clientSettings(options, family));
}
