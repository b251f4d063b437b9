// Google Vertex AI: Gemini, and Claude of a project. The library that signs in to Google is loaded only where there is no key.

import type { LanguageModelV4 } from "@ai-sdk/provider";
import { isVertexClaude } from "../adapter/family.ts";
import { UnusableProvider } from "../failure/failure.ts";
import { clientSettings } from "./client-settings.ts";
import type { MissingValue, ProviderClientOptions, ProviderValues } from "./provider-definition.ts";

export async function createVertex(options: ProviderClientOptions): Promise<LanguageModelV4> {
  const missing = missingOfVertex(options) ?? missingForModel(options);
  if (missing !== undefined) throw new UnusableProvider(missing.message, missing.field);
  const { model } = options;
  const { project = "", location = "global" } = options.options ?? {};
  const { baseURL: _, apiKey, ...common } = clientSettings(options, "vertex");
  const settings = { ...common, project, location };
  if (isVertexClaude(model)) {
    const { createGoogleVertexAnthropic } = await import("@ai-sdk/google-vertex/anthropic");
    const address = addressOf(
      options,
      `v1/projects/${project}/locations/${location}/publishers/anthropic/models`,
    );
    return createGoogleVertexAnthropic({ ...settings, ...address })(model);
  }
  if (apiKey !== undefined) {
    const { createGoogleVertex } = await import("@ai-sdk/google-vertex/edge");
    return createGoogleVertex({ ...common, apiKey, ...addressOf(options, "v1/publishers/google") })(model);
  }
  const { createGoogleVertex } = await import("@ai-sdk/google-vertex");
  const address = addressOf(options, `v1beta1/projects/${project}/locations/${location}/publishers/google`);
  return createGoogleVertex({ ...settings, ...address })(model);
}

/** An address with a path of its own is taken as it is. */
function addressOf({ baseURL }: ProviderClientOptions, path: string): { readonly baseURL?: string } {
  if (baseURL === undefined) return {};
  const isHost = new URL(baseURL).pathname === "/";
  return { baseURL: isHost ? `${baseURL.replace(/\/$/, "")}/${path}` : baseURL };
}

export function missingOfVertex({ apiKey, options }: ProviderValues): MissingValue | undefined {
  if (apiKey !== undefined || options?.project !== undefined) return undefined;
  return {
    field: "key",
    message:
      "vertex needs a key or a project. Set GOOGLE_VERTEX_API_KEY, or GOOGLE_VERTEX_PROJECT and GOOGLE_VERTEX_LOCATION after gcloud auth application-default login, or connect it with stet login vertex.",
  };
}

/** Keys of express mode are for Gemini only. */
function missingForModel({ apiKey, model, options }: ProviderClientOptions): MissingValue | undefined {
  if (apiKey === undefined || !isVertexClaude(model) || options?.project !== undefined) return undefined;
  return {
    field: "key",
    message: `A key of Vertex AI's express mode is for Gemini only, not for ${model}. Set GOOGLE_VERTEX_PROJECT and GOOGLE_VERTEX_LOCATION and sign in with gcloud auth application-default login.`,
  };
}
