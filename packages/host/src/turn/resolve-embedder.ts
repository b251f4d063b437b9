// Who makes the vectors for search by meaning, by the setting's name.
//
//   name = "" | "embedded"        the model that is part of Stet
//        | "off"                  none
//        | PROVIDER "/" MODEL     a provider's
//
// Resolving loads no model, starts no thread, sends no request.

import type { EmbeddingSettings } from "@stet/model/embedders/remote-embedder";
import type { Embedder } from "@stet/protocol/embedding";
import { Fault } from "@stet/protocol/fault";

export async function resolveEmbedder(settings: EmbeddingSettings): Promise<Embedder | Fault> {
  const name = settings.model.trim();
  if (name === "off") {
    return new Fault(
      "embeddings_unavailable",
      "Search by meaning is switched off.",
      "Search by words, or set the embedding model to embedded.",
    );
  }
  if (name === "" || name === "embedded") {
    const { LocalEmbedder } = await import("@stet/meaning/embedder/local-embedder");
    return new LocalEmbedder();
  }
  const { remoteEmbedder } = await import("@stet/model/embedders/remote-embedder");
  return remoteEmbedder(settings);
}
