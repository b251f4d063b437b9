// Connects a provider: tries the values first, and keeps them only where it answers.
//
// The key goes to the key store and is bound to the origin that it was tried with; the address and the options go into the
// person's configuration. What was there before stays where the trial fails.

import type { ProviderDefinition } from "@stet/model/catalog/provider-catalog";
import { findProvider, normalBaseURL } from "@stet/model/catalog/provider-catalog";
import type { Connection } from "@stet/model/listing/connection-check";
import { isLocalProvider } from "@stet/model/listing/local-servers";
import { remoteAddressOf } from "@stet/model/network/own-machine";
import { accessProvider, isModelFailure, type ModelSources, resolveModel } from "@stet/model/providers";
import { Fault, ignoreFault, isFault } from "@stet/protocol/fault";
import type { ModelFailure } from "@stet/protocol/model-stream";
import { KeyStore, type NewKey } from "../credentials/key-store.ts";
import { changeProvider } from "../settings/change-provider.ts";
import { type ModelSettings, modelSources } from "../settings/model-settings.ts";
import { faultOfModel } from "./model-fault.ts";

export interface ConnectRequest {
  readonly provider: string;
  /** By the names of the provider's fields. */
  readonly values: Readonly<Record<string, string>>;
  readonly model?: string | undefined;
  readonly is_added: boolean;
}

export interface ConnectedProvider {
  readonly keptIn: "keychain" | "file" | null;
  readonly note: string | null;
}

export async function connectProvider(
  request: ConnectRequest,
  settings: ModelSettings,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<ConnectedProvider | Fault> {
  const { provider, is_added: isAdded } = request;
  if (settings.providers[provider]?.package !== undefined || provider === "practice")
    return refused(provider, `${provider} is connected by nothing but the configuration.`, "package");
  const values = trimmed(request.values);
  const definition = findProvider(provider);
  const wrong = wrongField(definition, provider, values);
  if (wrong !== undefined) return wrong;
  const { key, address, ...others } = values;
  const { options, secrets } = split(others, definition);
  if (key !== undefined && /[^\x21-\x7e]/.test(key))
    return refused(provider, "A key has no spaces, line breaks or letters with accents in it.", "key");
  const place = { ...(address === undefined ? {} : { baseURL: address }), options: others };
  const isNew = key !== undefined || secrets !== undefined;
  const sources = trialSources(request, { key, isNew, ...place }, settings, environment);
  const access = accessProvider(provider, sources);
  if ("kind" in access) return faultOfModel(access, { provider });
  if (settings.agentMode === "local" && remoteAddressOf(`${provider}/any`, sources) !== undefined)
    return refused(
      provider,
      "The mode is local, so nothing is sent to another machine. Change the mode first.",
      "address",
    );
  const checked = await check(request, sources, environment, signal);
  if (!isConnection(checked)) return faultOfModel(checked, { provider });
  // Nothing is kept for somebody who left meanwhile.
  if (signal.aborted) return new Fault("aborted", "It was stopped; nothing was kept.", "Connect it again.");
  const secret = key ?? (secrets === undefined ? undefined : JSON.stringify(secrets));
  const form = key === undefined ? "options" : "key";
  const isPlaced = address !== undefined || Object.keys(options).length > 0;
  // First the address: where it cannot be written, the key that worked until now is still the one that is kept.
  const changed = isPlaced
    ? changeProvider(environment, provider, {
        ...(access.baseURL === undefined || address === undefined ? {} : { baseURL: access.baseURL }),
        ...(Object.keys(options).length === 0 ? {} : { options }),
      })
    : undefined;
  if (isFault(changed)) return changed;
  const kept = await keep({ provider, secret, form, isAdded, origin: originOf(access.baseURL) }, environment);
  if (isFault(kept)) {
    ignoreFault(changed?.undo());
    return kept;
  }
  const untested =
    checked.kind === "unlisted"
      ? "It has no list of models, so nothing could be tried. Name a model, and try it."
      : undefined;
  const note = [kept.note, untested].filter((text) => text !== undefined).join(" ");
  return { keptIn: kept.keptIn, note: note === "" ? null : note };
}

async function keep(
  { secret, ...key }: Omit<NewKey, "secret"> & { readonly secret: string | undefined },
  environment: NodeJS.ProcessEnv,
): Promise<{ readonly keptIn: ConnectedProvider["keptIn"]; readonly note?: string } | Fault> {
  if (secret === undefined) return { keptIn: null };
  return new KeyStore(environment).add({ ...key, secret });
}

/** A provider's options, and those among them that nobody else may read; undefined without any. */
function split(values: Readonly<Record<string, string>>, definition: ProviderDefinition | undefined) {
  const isSecret = (name: string) =>
    definition?.fields.some((field) => field.name === name && field.isSecret === true);
  const entries = Object.entries(values);
  const secrets = entries.filter(([name]) => isSecret(name));
  return {
    options: Object.fromEntries(entries.filter(([name]) => !isSecret(name))),
    secrets: secrets.length === 0 ? undefined : Object.fromEntries(secrets),
  };
}

function isConnection(checked: Connection | ModelFailure): checked is Connection {
  return checked.kind === "listed" || checked.kind === "answered" || checked.kind === "unlisted";
}

/** The person's values in the place of what is configured. A new key stands alone; without one, a kept one is tried. */
function trialSources(
  { provider }: ConnectRequest,
  values: {
    readonly key: string | undefined;
    /** Whether the kept keys take no part. */
    readonly isNew: boolean;
    readonly baseURL?: string;
    readonly options: Readonly<Record<string, string>>;
  },
  settings: ModelSettings,
  environment: NodeJS.ProcessEnv,
): ModelSources {
  const sources = modelSources(settings, environment);
  const configured = settings.providers[provider];
  const options = { ...configured?.options, ...values.options };
  const trial = {
    ...configured,
    ...(values.key === undefined ? {} : { apiKey: values.key }),
    ...(values.baseURL === undefined ? {} : { baseURL: values.baseURL }),
    ...(Object.keys(options).length === 0 ? {} : { options }),
  };
  return {
    ...sources,
    providers: { ...settings.providers, [provider]: trial },
    ...(values.isNew ? { storedKeys: undefined } : {}),
  };
}

async function check(
  { provider, model }: ConnectRequest,
  sources: ModelSources,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<Connection | ModelFailure> {
  const { checkConnection } = await import("@stet/model/listing/connection-check");
  const { withKey } = await import("@stet/model/access/provider-access");
  const access = accessProvider(provider, sources);
  if ("kind" in access) return access;
  if (isLocalProvider(provider)) {
    const { findLocalServers } = await import("@stet/model/listing/local-servers");
    const servers = await findLocalServers({ ...sources, timeoutMs: 3000 });
    const server = servers.find((one) => one.provider === provider);
    if (server !== undefined) return { kind: "listed", models: server.models };
  }
  const usable = await withKey(access);
  if ("kind" in usable) return usable;
  const name = model === undefined || model === "" ? undefined : fullNameIn(provider, model);
  const tried = name === undefined ? undefined : await resolveModel(name, sources);
  if (tried !== undefined && isModelFailure(tried)) return tried;
  return checkConnection(usable, { environment, model: tried, signal });
}

function fullNameIn(provider: string, model: string): string {
  return model.startsWith(`${provider}/`) ? model : `${provider}/${model}`;
}

function trimmed(values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value.trim() === "" ? [] : [[name, value.trim()]])),
  );
}

function wrongField(
  definition: ProviderDefinition | undefined,
  provider: string,
  values: Readonly<Record<string, string>>,
): Fault | undefined {
  const fields = definition?.fields ?? findProvider("openai-compatible")?.fields ?? [];
  const unknown = Object.keys(values).find((name) => !fields.some((field) => field.name === name));
  if (unknown !== undefined)
    return new Fault(
      "invalid_arguments",
      `${provider} has no field ${unknown}.`,
      `Its fields are ${fields.map(({ name }) => name).join(", ")}.`,
      { provider, field: unknown },
    );
  const { address } = values;
  if (address === undefined) return undefined;
  const url = definition === undefined ? address : normalBaseURL(definition, address);
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return undefined;
  return refused(
    provider,
    "This is not an address. Write it with http:// or https:// in front, as in http://127.0.0.1:8000/v1.",
    "address",
  );
}

function originOf(baseURL: string | undefined): string | undefined {
  return baseURL === undefined ? undefined : new URL(baseURL).origin;
}

function refused(provider: string, message: string, field: "key" | "address" | "package"): Fault {
  return new Fault("invalid_arguments", message, "Nothing was kept.", { provider, field });
}
