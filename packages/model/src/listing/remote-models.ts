// The models that a provider says it has: `GET …/models`, with the key that its requests are sent with, page by page.
//
// `askForModels` says why there is no list; `remoteModels` only wants one: asked at most every ten minutes, for two seconds at
// most.

import type { ModelFailure } from "@stet/protocol/model-stream";
import { withKey } from "../access/provider-access.ts";
import type { Environment } from "../catalog/provider-catalog.ts";
import { classifyFailure } from "../failure/failure.ts";
import type { ProviderAccess } from "../providers.ts";
import { type AskOptions, askProvider, failureIn } from "./ask-provider.ts";
import { listedModels, nextPage, type RemoteModel } from "./listed-models.ts";

export type { RemoteModel } from "./listed-models.ts";

export type ModelListing =
  | { readonly kind: "listed"; readonly models: readonly RemoteModel[] }
  /** The server is there, and has no list. */
  | { readonly kind: "unlisted" }
  | { readonly kind: "failed"; readonly failure: ModelFailure };

interface Cached {
  readonly at: number;
  readonly models: Promise<readonly RemoteModel[]>;
}

const keepMs = 600_000;
const retryMs = 10_000;
const maxModels = 3000;
const maxPages = 10;
const cache = new Map<string, Cached>();
const maxCached = 50;
/** Asked with keys of a cloud, or signed: there is no list to be had by a plain request. */
const withoutList: ReadonlySet<string> = new Set(["other", "bedrock", "vertex"]);

export function remoteModels(
  access: ProviderAccess,
  environment: Environment,
  timeoutMs = 2000,
): Promise<readonly RemoteModel[]> {
  const { definition, baseURL, apiKey, storedKeys = [] } = access;
  const name = [definition.name, baseURL, apiKey, ...storedKeys.map(({ id }) => id)].join(" ");
  const known = cache.get(name);
  if (known !== undefined && Date.now() - known.at < keepMs) return known.models;
  const models = askForModels(access, { environment, timeoutMs }).then((listing) =>
    listing.kind === "listed" ? listing.models : [],
  );
  cache.delete(name);
  cache.set(name, { at: Date.now(), models });
  // A server that did not answer is asked again soon: not by everyone who looks at the list meanwhile, who would wait for it.
  void models.then((found) => {
    if (found.length === 0) cache.set(name, { at: Date.now() - keepMs + retryMs, models });
  });
  const [oldest] = cache.keys();
  if (cache.size > maxCached && oldest !== undefined) cache.delete(oldest);
  return models;
}

export async function askForModels(given: ProviderAccess, options: AskOptions): Promise<ModelListing> {
  const access = await withKey(given);
  if ("kind" in access) return { kind: "failed", failure: access };
  const { definition, baseURL } = access;
  if (baseURL === undefined || withoutList.has(definition.family)) return { kind: "unlisted" };
  const models: RemoteModel[] = [];
  const first = firstQuery(definition.family);
  let more: string | undefined = "";
  for (let page = 1; more !== undefined && page <= maxPages && models.length < maxModels; page++) {
    const query = [first, more].filter((part) => part !== "").join("&");
    const reply = await askProvider(access, `/models${query === "" ? "" : `?${query}`}`, options);
    if ("kind" in reply) return { kind: "failed", failure: reply };
    // A server without a list answers so; a wrong path, too, which a request to a model tells apart.
    if ([404, 405, 501].includes(reply.status)) return { kind: "unlisted" };
    const failure = failureIn(reply, access);
    if (failure !== undefined) return { kind: "failed", failure };
    const found = listedModels(reply.body);
    if (found === undefined) return { kind: "failed", failure: noList(access, reply.url) };
    models.push(...found);
    const next = nextPage(reply.body);
    // A server that gives the same page again would give it for ever.
    more = next === more ? undefined : next;
  }
  return { kind: "listed", models: models.slice(0, maxModels) };
}

function firstQuery(family: string): string {
  if (family === "google") return "pageSize=1000";
  return family === "anthropic" ? "limit=1000" : "";
}

function noList({ definition, baseURL = "" }: ProviderAccess, url: string): ModelFailure {
  const error = { code: "ai_typevalidationerror", message: "it is no list of models", url };
  return classifyFailure(error, { provider: definition.name, model: "", baseURL });
}
