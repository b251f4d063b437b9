// What every provider's client is made with: its key, its address, and how its requests are sent.

import type { Family } from "../adapter/family.ts";
import { fieldDroppingFetch } from "../adapter/field-dropping.ts";
import { packetMergingFetch } from "../adapter/packet-merge.ts";
import { modelFetch } from "../network/model-fetch.ts";
import type { ProviderClientOptions } from "./provider-definition.ts";

export function clientSettings(options: ProviderClientOptions, family: Family) {
  return {
    fetch: clientFetch(options, family),
    ...(options.apiKey !== undefined && { apiKey: options.apiKey }),
    ...(options.baseURL !== undefined && { baseURL: options.baseURL }),
    ...(options.headers !== undefined && { headers: { ...options.headers } }),
  };
}

export function clientFetch({ environment = process.env }: ProviderClientOptions, family: Family) {
  return packetMergingFetch(family, fieldDroppingFetch(modelFetch(environment)));
}
