// Whether a provider can be reached with an address and a key, before either is kept.
//
//   listed     it named its models: the address is right, and so is the key where the list asks for one
//   answered   it has no list, but the model that was named answered a very short request
//   unlisted   it has no list, and no model was named to try: nothing more can be known
//   failure    with the field that is wrong
//
// The list of some providers is public, so their key is tried by a request of its own.

import type { Model, ModelFailure } from "@stet/protocol/model-stream";
import type { Environment } from "../catalog/provider-catalog.ts";
import type { ProviderAccess } from "../providers.ts";
import { askProvider, failureIn } from "./ask-provider.ts";
import { askForModels, type RemoteModel } from "./remote-models.ts";
import { tryModel } from "./try-model.ts";

export type Connection =
  | { readonly kind: "listed"; readonly models: readonly RemoteModel[] }
  | { readonly kind: "answered" }
  | { readonly kind: "unlisted" };

export interface CheckOptions {
  readonly environment: Environment;
  /** To be tried where there is no list. */
  readonly model: Model | undefined;
  readonly signal: AbortSignal;
}

const timeoutMilliseconds = 15_000;
/** Where a key is asked for that the list of models does not need. */
const keyPaths: Readonly<Record<string, string>> = { openrouter: "/key" };

export async function checkConnection(
  access: ProviderAccess,
  options: CheckOptions,
): Promise<Connection | ModelFailure> {
  const { definition } = access;
  const asking = { ...options, timeoutMs: timeoutMilliseconds };
  const listing = await askForModels(access, asking);
  if (listing.kind === "unlisted") return tried(options);
  if (listing.kind === "failed") return listing.failure;
  const keyPath = keyPaths[definition.name];
  if (keyPath !== undefined) {
    const key = await askProvider(access, keyPath, asking);
    if ("kind" in key) return key;
    const refused = key.status === 404 ? undefined : failureIn(key, access);
    if (refused !== undefined) return refused;
  }
  return listing;
}

async function tried({ model, signal }: CheckOptions): Promise<Connection | ModelFailure> {
  if (model === undefined) return { kind: "unlisted" };
  const answer = await tryModel(model, signal);
  return "kind" in answer ? answer : { kind: "answered" };
}
