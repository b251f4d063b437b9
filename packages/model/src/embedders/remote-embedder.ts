// Embedding models of providers, by name: PROVIDER "/" MODEL, a provider of the catalogue or of the user's configuration, as
// for conversations.
//
// A configuration that cannot be used is refused here, before any text is sent. Resolving sends no request.

import type { Embedder } from "@stet/protocol/embedding";
import { Fault } from "@stet/protocol/fault";
import { withKey } from "../access/provider-access.ts";
import { networkFetch } from "../network/model-fetch.ts";
import { remoteAddressOf } from "../network/own-machine.ts";
import { accessProvider, type ModelSources, type ProviderAccess } from "../providers.ts";
import { HttpEmbedder } from "./http-embedder.ts";

export interface EmbeddingSettings extends Pick<ModelSources, "environment" | "providers" | "storedKeys"> {
  readonly model: string;
  /** Asks a provider's model for vectors of this length. */
  readonly dimensions?: number;
  /** Whether a model elsewhere is refused, as the agent mode local wants it. */
  readonly staysOnMachine?: boolean;
}

const correct =
  "Set the embedding model to embedded, or to PROVIDER/MODEL as in openai/text-embedding-3-small.";

export async function remoteEmbedder(settings: EmbeddingSettings): Promise<Embedder | Fault> {
  const name = settings.model.trim();
  const slash = name.indexOf("/");
  if (slash <= 0 || slash === name.length - 1) {
    return refused(`"${name}" is not the name of an embedding model.`, correct);
  }
  const provider = name.slice(0, slash);
  const access = accessProvider(provider, settings);
  if ("kind" in access) return refused(access.message, correct);
  const address = settings.staysOnMachine === true ? remoteAddressOf(name, settings) : undefined;
  if (address !== undefined) {
    return refused(
      `The mode is local, and text for ${name} would go to ${address}, so nothing was sent.`,
      "Set embeddings to embedded, or agentMode to remote or hybrid_auto.",
    );
  }
  const baseURL = embeddingsBase(access);
  if (baseURL === undefined) {
    return refused(`${provider} offers no embeddings that Stet can ask for.`, correct);
  }
  const usable = await withKey(access);
  if ("kind" in usable) return refused(usable.message, correct);
  const { apiKey, keyVariable, headers } = usable;
  return new HttpEmbedder({
    provider: access.definition.name,
    baseURL,
    model: name.slice(slash + 1),
    fetch: networkFetch(settings.environment ?? process.env),
    ...(apiKey !== undefined && { apiKey }),
    ...(keyVariable !== undefined && { keyVariable }),
    ...(headers !== undefined && { headers }),
    ...(settings.dimensions !== undefined && { dimensions: settings.dimensions }),
  });
}

/** Where a provider speaks OpenAI's embeddings, or undefined. */
function embeddingsBase({ definition, baseURL }: ProviderAccess): string | undefined {
  if (definition.family === "anthropic") return undefined;
  if (definition.family !== "google" || baseURL === undefined) return baseURL;
  return baseURL.endsWith("/openai") ? baseURL : `${baseURL}/openai`;
}

function refused(message: string, suggestion: string): Fault {
  return new Fault("embeddings_unavailable", message, suggestion);
}
