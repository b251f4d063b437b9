// Keys that a person gave to Stet, as the model package knows them: by id, with the secret asked for when a request needs it.
// The host keeps them.

import { isRecord } from "@stet/protocol/json-record";

export interface StoredKey {
  readonly id: string;
  readonly provider: string;
  /** A key, or several secret options of the provider, as JSON by the names of its fields. */
  readonly form: "key" | "options";
  readonly keptIn: "keychain" | "file";
  /** When it was added, as ISO text. */
  readonly addedAt: string;
  /** The origin that it was tested with: it is sent nowhere else. Undefined for a provider without an address of its own. */
  readonly origin: string | undefined;
  /** The key itself, or why it cannot be had, as a sentence. */
  secret(): Promise<string | LockedKey>;
}

export interface LockedKey {
  readonly problem: string;
}

export interface StoredKeys {
  /** In the order in which they take turns. */
  of(provider: string): readonly StoredKey[];
}

/** What a stored secret adds to the access of a provider. */
export function secretParts(
  { form }: StoredKey,
  secret: string,
  options: Readonly<Record<string, string>> = {},
): { readonly apiKey: string } | { readonly options: Readonly<Record<string, string>> } {
  if (form === "key") return { apiKey: secret };
  const own: unknown = JSON.parse(secret);
  const texts = Object.entries(isRecord(own) ? own : {}).filter(([, value]) => typeof value === "string");
  return {
    options: { ...options, ...Object.fromEntries(texts.map(([name, value]) => [name, String(value)])) },
  };
}
