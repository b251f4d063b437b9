// How a provider is reached, from the person's configuration, the keys that were kept here, and the environment.
//
//   key       one that was kept here  >  the configuration  >  a variable
//   address   the configuration  >  a variable  >  the provider's own
//
// A key that was kept is sent to the origin that it was tested with, and nowhere else.

import type { ModelFailure, ModelField } from "@stet/protocol/model-stream";
import { normalBaseURL } from "../catalog/provider-catalog.ts";
import type { Environment, ProviderDefinition, ProviderValues } from "../catalog/provider-definition.ts";
import { hasCredentials, publicAddress } from "../network/own-address.ts";
import type { ModelSources, ProviderAccess, ProviderConfiguration } from "../providers.ts";
import { secretParts } from "./stored-keys.ts";

type Access = Omit<ProviderAccess, "definition" | "headers">;

/** The access with a key in it, for a request that is no conversation. */
export async function withKey(access: ProviderAccess): Promise<ProviderAccess | ModelFailure> {
  const [first] = access.storedKeys ?? [];
  if (first === undefined) return access;
  const secret = await first.secret();
  if (typeof secret === "string") return { ...access, ...secretParts(first, secret, access.options) };
  const mend = { provider: access.definition.name, model: "", field: "key" as const };
  return { kind: "authentication", message: secret.problem, mend };
}

export function accessOf(definition: ProviderDefinition, sources: ModelSources): Access | ModelFailure {
  const environment = sources.environment ?? process.env;
  const configured = sources.providers?.[definition.name];
  const baseURL = addressOf(definition, configured, environment);
  if (typeof baseURL === "object") return baseURL;
  const options = optionsOf(definition, configured, environment);
  const place = {
    ...(baseURL === undefined ? {} : { baseURL }),
    ...(Object.keys(options).length === 0 ? {} : { options }),
  };
  const kept = sources.storedKeys?.of(definition.name) ?? [];
  const storedKeys = kept.filter(({ origin }) => origin === originOf(baseURL));
  // What a kept key is is not looked at before a request needs it.
  if (storedKeys.length > 0)
    return complete(definition, { ...place, apiKey: "kept" }, { ...place, storedKeys });
  const keyVariables =
    configured?.keyVariable === undefined ? definition.keyVariables : [configured.keyVariable];
  const keyVariable = keyVariables.find((variable) => isSet(environment[variable]));
  const apiKey = (
    configured?.apiKey ?? (keyVariable === undefined ? undefined : environment[keyVariable])
  )?.trim();
  // A provider whose key variable the person named is not to be used without a key.
  if ((definition.needsKey || configured?.keyVariable !== undefined) && apiKey === undefined) {
    const [other] = kept;
    return refusal(
      definition,
      "key",
      other === undefined
        ? `${definition.name} needs a key. Connect it with stet login ${definition.name}, or set ${keyVariables[0] ?? `providers.${definition.name}.apiKey`}.`
        : `The key of ${definition.name} was kept for ${other.origin ?? "its own address"} and is not sent to ${originOf(baseURL) ?? "its own address"}. Connect it again with stet login ${definition.name}.`,
    );
  }
  const access = {
    ...place,
    ...(apiKey !== undefined && { apiKey }),
    ...(keyVariable !== undefined && configured?.apiKey === undefined && { keyVariable }),
  };
  return complete(definition, access, access);
}

/** The access, or what the provider misses in it. */
function complete(
  definition: ProviderDefinition,
  values: ProviderValues,
  access: Access,
): Access | ModelFailure {
  const missing = definition.missing?.(values);
  return missing === undefined ? access : refusal(definition, missing.field, missing.message);
}

/** Undefined for a provider that needs none. */
function addressOf(
  definition: ProviderDefinition,
  configured: ProviderConfiguration | undefined,
  environment: Environment,
): string | undefined | ModelFailure {
  const baseVariable = definition.baseVariables.find((variable) => isSet(environment[variable]));
  const given =
    configured?.baseURL ??
    (baseVariable === undefined ? undefined : environment[baseVariable]) ??
    definition.defaultBaseURL;
  if (given === undefined) {
    if (definition.family !== "openai-compatible") return undefined;
    const where = definition.baseVariables[0] ?? `providers.${definition.name}.baseURL`;
    return refusal(
      definition,
      "address",
      `${definition.name} needs a base URL. Set ${where} to the server's address, as in http://127.0.0.1:8000/v1.`,
    );
  }
  const baseURL = normalBaseURL(definition, given);
  if (!isHttp(baseURL)) {
    return refusal(
      definition,
      "address",
      `The base URL of ${definition.name}, "${publicAddress(given)}", is not an address. Write it with http:// or https:// in front.`,
    );
  }
  if (hasCredentials(baseURL)) {
    return refusal(
      definition,
      "address",
      `The base URL of ${definition.name} contains a name or a password. Send them as a header instead: providers.${definition.name}.headers.`,
    );
  }
  return baseURL;
}

function refusal({ name }: ProviderDefinition, field: ModelField, message: string): ModelFailure {
  const kind = field === "key" ? "authentication" : "invalid_request";
  return { kind, message, mend: { provider: name, model: "", field } };
}

/** The provider's own options: what is configured, else what its variables say. */
function optionsOf(
  { fields }: ProviderDefinition,
  configured: ProviderConfiguration | undefined,
  environment: Environment,
): Readonly<Record<string, string>> {
  const options: Record<string, string> = {};
  for (const { name, variables = [] } of fields) {
    const variable = variables.find((one) => isSet(environment[one]));
    const value = configured?.options?.[name] ?? (variable === undefined ? undefined : environment[variable]);
    if (name !== "key" && name !== "address" && isSet(value)) options[name] = value.trim();
  }
  return { ...configured?.options, ...options };
}

function originOf(baseURL: string | undefined): string | undefined {
  return baseURL === undefined ? undefined : new URL(baseURL).origin;
}

export function keyWords({ keyVariable, storedKeys = [] }: Access): string {
  const [first] = storedKeys;
  if (first !== undefined) {
    const place = first.keptIn === "keychain" ? "the system's keychain" : "a private file";
    return storedKeys.length === 1
      ? ` Its key is in ${place}.`
      : ` Its ${storedKeys.length} keys take turns.`;
  }
  return keyVariable === undefined ? "" : ` Its key comes from ${keyVariable}.`;
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== "";
}

function isHttp(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

/** What of an access nobody may read. */
export function secretsIn(
  { apiKey = "", headers = {}, options = {} }: Pick<ProviderAccess, "apiKey" | "headers" | "options">,
  { fields }: ProviderDefinition,
): string[] {
  const secret = fields.filter(({ isSecret }) => isSecret === true).map(({ name }) => options[name] ?? "");
  return [apiKey, ...Object.values(headers), ...secret].filter((text) => text !== "");
}
