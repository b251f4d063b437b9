// A provider and its models as the API tells them.

import type { StoredKeys } from "@stet/model/access/stored-keys";
import type { LocalModel } from "@stet/model/listing/local-servers";
import type { ListedProvider } from "@stet/model/listing/model-list";
import { publicAddress } from "@stet/model/network/own-address";
import { knownFacts, limitsOf } from "@stet/model/table/model-limits";
import type { ListedModel, ProviderView } from "@stet/protocol/api/models";
import type { Settings } from "../settings/configuration.ts";
import type { Speeds } from "./model-speeds.ts";

export interface ProviderSurroundings {
  readonly settings: Settings;
  readonly keys: StoredKeys;
  readonly speeds: Speeds;
}

export function providerView(provider: ListedProvider, surroundings: ProviderSurroundings): ProviderView {
  const { name, isUsable, reason, field, definition, isLocal, isListed, models, baseURL } = provider;
  const [example] = models;
  const { settings } = surroundings;
  return {
    name,
    title: definition?.title ?? "Practice model",
    kind: definition?.kind ?? "practice",
    is_ready: isUsable,
    why: reason,
    mend: isUsable || field === undefined ? null : { field, text: reason },
    is_local: isLocal,
    address: baseURL === undefined ? null : publicAddress(baseURL),
    fields: (definition?.fields ?? []).map((one) => ({
      name: one.name,
      label: one.label,
      hint: one.hint,
      is_secret: one.isSecret ?? false,
      is_needed: one.isNeeded ?? false,
    })),
    key_page: definition?.keyPage ?? null,
    has_device_login: settings.providers[name]?.oauth !== undefined,
    keys: keyViews(provider, surroundings),
    ...(example === undefined ? {} : { example: example.name }),
    lists_models: isListed,
    models: models.map((model) => modelView(model, name, surroundings)),
  };
}

/** Where the keys are, the ones in use first; never a part of one. */
function keyViews(
  { name, definition, keyVariable }: ListedProvider,
  { settings, keys }: ProviderSurroundings,
): ProviderView["keys"] {
  const kept = keys.of(name).map(({ id, keptIn, addedAt, origin }) => ({
    id,
    kept_in: keptIn,
    name: origin ?? definition?.title ?? name,
    added_at: addedAt,
  }));
  const configured = settings.providers[name]?.apiKey === undefined ? [] : [name];
  return [
    ...kept,
    ...configured.map((provider) => ({
      id: "configuration",
      kept_in: "configuration" as const,
      name: `providers.${provider}.apiKey`,
      added_at: null,
    })),
    ...(keyVariable === undefined
      ? []
      : [{ id: "environment", kept_in: "environment" as const, name: keyVariable, added_at: null }]),
  ];
}

/** The configuration comes first, then what its server tells, then the table: as in a turn. */
function modelView(
  model: LocalModel,
  provider: string,
  { settings, speeds }: ProviderSurroundings,
): ListedModel {
  const { name } = model;
  const ownName = name.slice(provider.length + 1);
  const known = knownFacts(provider, ownName);
  const limits = limitsOf(ownName, provider);
  const configured = settings.providers[provider]?.models?.[ownName];
  const price = configured?.price ?? model.price ?? known?.price;
  const tools = configured?.tools ?? model.tools ?? known?.tools;
  return {
    name,
    context_window: configured?.contextWindow ?? model.contextWindow ?? limits?.contextWindow ?? null,
    max_output: configured?.maxOutput ?? model.maxOutput ?? limits?.maxOutput ?? null,
    price:
      price === undefined
        ? null
        : {
            input: price.input,
            output: price.output,
            cache_read: price.cacheRead ?? price.input,
            cache_write: price.cacheWrite ?? price.input,
          },
    tools: tools === undefined ? null : tools ? "native" : "text",
    images: configured?.images ?? model.images ?? known?.images ?? null,
    thinking: configured?.thinking ?? model.thinking ?? known?.thinking ?? null,
    is_favourite: settings.favouriteModels.includes(name),
    speed: speeds.of(name) ?? null,
  };
}
