// Whether a model's requests remain on this machine.
//
// Only an address proves it: loopback, by number or by the name localhost. A provider that is called local may be configured to
// ask a server of the network, and a package of the AI SDK goes wherever it likes; neither counts. A model of Ollama's cloud is
// asked through the server of this machine, and is known by its name.

import { isOllamaCloud } from "../ollama/cloud-name.ts";
import { accessProvider, type ModelSources } from "../providers.ts";
import { isOwnMachine } from "./own-address.ts";

/** Where this model's requests would go, for a sentence; undefined where they remain on this machine. */
export function remoteAddressOf(name: string, sources: ModelSources): string | undefined {
  const [provider = ""] = name.trim().split("/", 1);
  if (provider === "practice") return undefined;
  const access = accessProvider(provider, sources);
  // A model that cannot be used sends nothing; resolving it gives the reason.
  if ("kind" in access) return undefined;
  if (access.definition.family === "other") return "wherever its package sends it";
  const { baseURL } = access;
  if (baseURL === undefined) return "its provider";
  if (access.definition.name === "ollama" && isOllamaCloud(name)) return "ollama.com";
  return isOwnMachine(baseURL) ? undefined : new URL(baseURL).origin;
}
