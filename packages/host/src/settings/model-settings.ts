// The settings of models, as they are written in a configuration file, and what the model package makes of them.

import type { ModelSources } from "@stet/model/providers";
import type { RetrySettings } from "@stet/model/retry-policy";
import { thinkingLevels } from "@stet/protocol/model-stream";
import * as z from "zod";
import { keptKeys } from "../credentials/kept-keys.ts";

/** Built when a file is to be checked or the settings are to be explained. */
export function modelSettingsShape() {
  const amount = z.number().nonnegative();
  const milliseconds = z.number().int().positive();

  const price = z
    .object({
      input: amount,
      output: amount,
      cacheRead: amount.optional(),
      cacheWrite: amount.optional(),
    })
    .strict();

  const model = z
    .object({
      contextWindow: z.number().int().positive().optional(),
      maxOutput: z.number().int().positive().optional(),
      price: price.optional(),
      tools: z.boolean().optional(),
      images: z.boolean().optional(),
      thinking: z.boolean().optional(),
    })
    .strict();

  const provider = z
    .object({
      apiKey: z.string().optional(),
      keyVariable: z.string().optional(),
      baseURL: z.string().optional(),
      headers: z.record(z.string(), z.string()).optional(),
      package: z.string().optional(),
      options: z.record(z.string(), z.string()).optional(),
      oauth: z
        .object({
          deviceURL: z.url(),
          tokenURL: z.url(),
          clientId: z.string(),
          scope: z.string().optional(),
        })
        .strict()
        .optional(),
      timeout: z
        .object({ firstTokenMs: milliseconds.optional(), idleMs: milliseconds.optional() })
        .strict()
        .optional(),
      models: z.record(z.string(), model).optional(),
    })
    .strict();

  return {
    model: z.string().describe("provider/name; empty means the practice model"),
    thinking: z
      .enum(thinkingLevels)
      .or(z.literal(""))
      .describe("how much the model thinks before it answers; empty leaves it to the model"),
    serviceTier: z
      .string()
      .describe(
        "how fast and at what price a provider answers, in its words: flex, priority; empty is its own",
      ),
    favouriteModels: z.array(z.string()).describe("models that stand first where one is chosen"),
    fallbackModels: z.array(z.string()).describe("models to go on with when one fails"),
    agentMode: z.enum(["local", "remote", "hybrid_auto"]).describe("which of localModel and model answers"),
    localModel: z.string().describe("the local model for the modes local and hybrid_auto"),
    hybridMaxLocalAttempts: z
      .number()
      .int()
      .positive()
      .describe("failed local attempts before the remote model takes over"),
    hybridRemoteOnSchemaFail: z.boolean().describe("whether invalid calls count as such"),
    hybridRemoteOnContextOverflow: z.boolean().describe("whether a full context counts as such"),
    hybridRemoteOnValidationFail: z
      .boolean()
      .describe("whether the remote model takes over where what the local one did fails its checks"),
    hybridRemoteOnTimeoutMs: z
      .number()
      .int()
      .nonnegative()
      .describe("how long the local model may take to begin; 0 is for ever"),
    "retry.enabled": z.boolean().describe("whether what fails for a passing reason is tried again"),
    "retry.maxRetries": z
      .number()
      .int()
      .nonnegative()
      .describe("how often a turn goes on after an answer broke off"),
    "retry.requestMaxRetries": z
      .number()
      .int()
      .nonnegative()
      .describe("how often a request that got no answer is sent again"),
    "retry.streamMaxRetries": z
      .number()
      .int()
      .nonnegative()
      .describe("how often an answer is asked for again that ended before its first word"),
    "retry.baseDelayMs": milliseconds.describe("the first pause; each next one is twice as long"),
    "retry.maxDelayMs": milliseconds.describe(
      "the longest pause; a server that asks for more is not waited for",
    ),
    "retry.fallbackChains": z
      .record(z.string(), z.array(z.string()))
      .describe('fallbackModels for single models: {"anthropic/*": ["openai/NAME"]}'),
    "retry.fallbackRevertPolicy": z
      .enum(["cooldown-expiry", "never"])
      .describe("when the first model is asked again after another one took over"),
    providers: z
      .record(z.string(), provider)
      .describe("addresses, keys, time limits, models and other providers, only in the user file"),
  };
}

export type ModelSettings = z.infer<z.ZodObject<ReturnType<typeof modelSettingsShape>>>;

export const modelDefaults: ModelSettings = {
  model: "",
  thinking: "",
  serviceTier: "",
  favouriteModels: [],
  fallbackModels: [],
  agentMode: "remote",
  localModel: "",
  hybridMaxLocalAttempts: 2,
  hybridRemoteOnSchemaFail: true,
  hybridRemoteOnContextOverflow: true,
  hybridRemoteOnValidationFail: true,
  hybridRemoteOnTimeoutMs: 60_000,
  "retry.enabled": true,
  "retry.maxRetries": 3,
  "retry.requestMaxRetries": 5,
  "retry.streamMaxRetries": 5,
  "retry.baseDelayMs": 2000,
  "retry.maxDelayMs": 300_000,
  "retry.fallbackChains": {},
  "retry.fallbackRevertPolicy": "cooldown-expiry",
  providers: {},
};

/** Where models are found, for resolving one. */
export function modelSources(
  { providers }: Pick<ModelSettings, "providers">,
  environment: NodeJS.ProcessEnv,
): ModelSources {
  return { environment, providers, storedKeys: keptKeys(environment) };
}

export function retrySettings(settings: ModelSettings): Partial<RetrySettings> {
  return {
    enabled: settings["retry.enabled"],
    maxRetries: settings["retry.maxRetries"],
    requestMaxRetries: settings["retry.requestMaxRetries"],
    streamMaxRetries: settings["retry.streamMaxRetries"],
    baseDelayMs: settings["retry.baseDelayMs"],
    maxDelayMs: settings["retry.maxDelayMs"],
    fallbackRevertPolicy: settings["retry.fallbackRevertPolicy"],
  };
}

/** The models to go on with after this one: its own chain, where one of the patterns fits, else the general one. */
export function fallbacksOf(settings: ModelSettings, name: string): readonly string[] {
  const own = Object.entries(settings["retry.fallbackChains"]).findLast(([pattern]) => fits(pattern, name));
  return (own?.[1] ?? settings.fallbackModels).filter((fallback) => fallback !== name);
}

/** `*` stands for anything. */
export function fits(pattern: string, name: string): boolean {
  const parts = pattern.split("*").map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`).test(name);
}
