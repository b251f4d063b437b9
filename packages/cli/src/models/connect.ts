// Connecting a provider, whoever asks for it: which one, what it takes, and what to ask again where it was refused. The values
// go to the operation `connectProvider` and are kept nowhere here.

import type { ProviderView } from "@stet/protocol/api/models";
import type { Given, Reply } from "@stet/protocol/api/route";
import type { Routes } from "@stet/protocol/api/routes";
import { Fault, isFault } from "@stet/protocol/fault";
import { visibleName } from "@stet/protocol/visible";
import type { Choice } from "../interactive/app.ts";
import { nearest } from "../nearest.ts";
import type { ConnectPerson } from "./connect-person.ts";
import { isProven } from "./usable-providers.ts";
import type { ModelsApi } from "./with-models.ts";

export type Models = Reply<Routes["listModels"]>;
export type Connected = Reply<Routes["connectProvider"]>;
type Field = ProviderView["fields"][number];

/** What is connected, and how it is asked for. */
export type ProviderForm = Pick<
  ProviderView,
  "name" | "title" | "kind" | "fields" | "key_page" | "address"
> & {
  readonly hasDeviceLogin: boolean;
};

export interface ConnectRequest {
  readonly form: ProviderForm;
  /** By the names of its fields. */
  readonly values: Readonly<Record<string, string>>;
  readonly isAdded: boolean;
  readonly model: string | undefined;
}

/** By its name or another one that people know it by. `address`: it may be a server of one's own. */
export async function formOf(
  { providers }: Models,
  asked: string,
  address: string | undefined,
): Promise<ProviderForm | Fault> {
  const { findProvider } = await import("@stet/model/catalog/provider-catalog");
  const name = providers.some((provider) => provider.name === asked)
    ? asked
    : (findProvider(asked)?.name ?? asked);
  const known = providers.find((provider) => provider.name === name && provider.kind !== "practice");
  if (known !== undefined) {
    // One of the person's own configuration has its address there.
    const isPlaced = known.address !== null || findProvider(name) === undefined;
    const fields = known.fields.map((field) =>
      field.name === "address" && isPlaced ? { ...field, is_needed: false } : field,
    );
    return { ...known, fields, hasDeviceLogin: known.has_device_login };
  }
  if (address === undefined) return unknownProvider(asked, providers);
  const pattern = providers.find(({ kind, fields }) => kind === "address" && fields.length > 0);
  return {
    name: asked,
    title: asked,
    kind: "address",
    fields: pattern?.fields ?? [],
    key_page: null,
    address: null,
    hasDeviceLogin: false,
  };
}

function unknownProvider(asked: string, providers: readonly ProviderView[]): Fault {
  const near = nearest(
    asked,
    providers.map(({ name }) => name),
  );
  const hint = near === undefined ? "" : `Did you mean ${near}? `;
  return new Fault(
    "invalid_arguments",
    `There is no provider ${visibleName(asked)}.`,
    `${hint}stet models --all lists them. A server of your own gets a name and its address: stet login NAME --address URL.`,
  );
}

/** Ready ones are marked; servers of this machine that answer come first. */
export async function pickProvider(
  { providers }: Models,
  person: ConnectPerson,
  title = "Which provider?",
): Promise<string | undefined> {
  const own = {
    value: "",
    label: "another server",
    detail: "one that speaks OpenAI's format, by its address",
  };
  const chosen = await person.choose({
    title,
    choices: [...providerChoices(providers), own],
    hint: "Enter chooses, typing searches, Esc closes",
  });
  if (chosen !== "") return chosen;
  const name = await person.ask({ title: "A name for it, of small letters and digits:" });
  return name === undefined || name === "" ? undefined : name.toLowerCase().replaceAll(/[^a-z0-9._-]+/g, "-");
}

export function providerChoices(providers: readonly ProviderView[]): Choice<string>[] {
  const order = { practice: 9, key: 2, cloud: 3, address: 4, local: 5, package: 6 } as const;
  const rank = (provider: ProviderView) =>
    !isProven(provider) ? order[provider.kind] : provider.is_local ? 0 : 1;
  return providers
    .filter(({ kind }) => kind !== "practice")
    .sort((one, other) => rank(one) - rank(other))
    .map((provider) => {
      const { name, title, kind, is_local: isLocal } = provider;
      const state = !isProven(provider) ? kindWords[kind] : isLocal ? "answers" : "connected";
      return {
        value: name,
        label: visibleName(name),
        detail: `${visibleName(title)} · ${state}`,
        words: title,
      };
    });
}

const kindWords: Readonly<Record<ProviderView["kind"], string>> = {
  practice: "",
  local: "not running",
  key: "by a key",
  address: "by an address",
  cloud: "by several values",
  package: "by a package",
};

/** Asks for what is missing. Undefined: the person gave up. */
export async function fillForm(
  form: ProviderForm,
  given: Readonly<Record<string, string>>,
  person: ConnectPerson,
): Promise<Record<string, string> | undefined> {
  const values = { ...given };
  const isWhole = form.kind === "address" || form.kind === "cloud" || form.kind === "package";
  for (const field of form.fields) {
    if (values[field.name] !== undefined || !(field.is_needed || isWhole)) continue;
    for (;;) {
      const value = await askFor(field, form, person);
      if (value === undefined) return undefined;
      if (value !== "") values[field.name] = value;
      if (value !== "" || !field.is_needed) break;
    }
  }
  return values;
}

function askFor(
  { name, label, hint, is_secret: isSecret, is_needed: isNeeded }: Field,
  { title, key_page: page, address }: ProviderForm,
  person: ConnectPerson,
): Promise<string | undefined> {
  const isKept = name === "address" && address !== null;
  const notes = [
    ...(isSecret ? ["not shown"] : []),
    ...(isSecret && page !== null ? [`made at ${page}`] : []),
    ...(hint === "" || isKept ? [] : [hint]),
    ...(isNeeded ? [] : [isKept ? `Enter keeps ${visibleName(address)}` : "Enter leaves it out"]),
  ];
  const words = notes.length === 0 ? "" : ` (${notes.join("; ")})`;
  return person.ask({ title: `${label} of ${visibleName(title)}${words}:`, isSecret });
}

/** Connects it, and asks again for what was refused where somebody can be asked. Undefined: the person gave up. */
export async function connectProvider(
  api: ModelsApi,
  { form, values, isAdded, model }: ConnectRequest,
  person: ConnectPerson,
  isAsked: boolean,
): Promise<Connected | Fault | undefined> {
  const body = { provider: form.name, values: { ...values }, is_added: isAdded, model };
  for (;;) {
    const { model: tried, ...rest } = body;
    const given: Given<Routes["connectProvider"]> = {
      body: { ...rest, ...(tried === undefined ? {} : { model: tried }) },
    };
    const reply = await person.wait(`Asking ${visibleName(form.title)}`, (signal) =>
      api.call("connectProvider", given, signal),
    );
    if (!isFault(reply)) return reply;
    const wanted = refusedField(reply, form);
    if (!isAsked || wanted === undefined || reply.error === "aborted") return reply;
    person.tell(`${reply.message} ${reply.suggestion}`.trim(), "error");
    const value = await askAgain(wanted, form, person);
    if (value === undefined) return undefined;
    if (wanted === "model") body.model = value;
    else if (value !== "") body.values[wanted.name] = value;
  }
}

/** What the person can give anew. */
function refusedField({ details }: Fault, { fields }: ProviderForm): Field | "model" | undefined {
  const { field } = details;
  if (field === "model") return "model";
  const name = field === "server" ? "address" : field;
  return fields.find((each) => each.name === name);
}

/** Undefined where the person gave up: what was refused would be refused again. */
async function askAgain(
  wanted: Field | "model",
  form: ProviderForm,
  person: ConnectPerson,
): Promise<string | undefined> {
  if (wanted === "model")
    return (await person.ask({ title: `A model of ${visibleName(form.title)} to try:` })) || undefined;
  if (wanted.name !== "address" || form.kind !== "local")
    return (await askFor(wanted, form, person)) || undefined;
  const now = form.address ?? wanted.hint;
  // A server may be running by now.
  return person.ask({
    title: `Start it, then Enter tries ${visibleName(now)} again; or type another address:`,
  });
}

/** What is known now, a sentence each. The key itself is in none of them. */
export async function connectionWords(
  { provider, kept_in: keptIn, note }: Connected,
  environment: NodeJS.ProcessEnv,
): Promise<string[]> {
  const { name, title, models, lists_models: isListed, keys } = provider;
  const count = models.length === 1 ? "1 model" : `${models.length} models`;
  const sentences = [
    `${visibleName(title)} is connected${isListed && models.length > 0 ? `, with ${count}` : ""}.`,
  ];
  if (keptIn === "keychain") sentences.push("The key is in the system's keychain.");
  else if (keptIn === "file" && note === null)
    sentences.push("The key is in a file that only your account can read.");
  if (note !== null) sentences.push(visibleName(note));
  const { findProvider } = await import("@stet/model/catalog/provider-catalog");
  const variables = (findProvider(name)?.keyVariables ?? []).filter((variable) => environment[variable]);
  const others = [
    ...keys.filter(({ kept_in: place }) => place === "configuration").map((key) => visibleName(key.name)),
    ...variables,
  ];
  // Keys that were kept are used before all others.
  if (keptIn !== null && others.length > 0)
    sentences.push(
      `${others.join(" and ")} ${others.length === 1 ? "is" : "are"} set, too: the key that was kept now is used first.`,
    );
  return sentences;
}
