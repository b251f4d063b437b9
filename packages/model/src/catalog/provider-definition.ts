// What is known of a provider before anything of it is loaded: what it takes to connect it, and how its client is made.

import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { Family } from "../adapter/family.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** A value that connecting a provider takes. */
export interface ProviderField {
  /** `key`, `address`, or one of the provider's own options, such as `region`. */
  readonly name: string;
  readonly label: string;
  /** An example, or what holds without it. */
  readonly hint: string;
  readonly isSecret?: boolean;
  readonly isNeeded?: boolean;
  /** For an option: the environment variables that it may come from, the first that is set. */
  readonly variables?: readonly string[];
}

export interface ProviderDefinition {
  readonly name: string;
  /** As people know it. */
  readonly title: string;
  /** What it takes to connect it. */
  readonly kind: "local" | "key" | "address" | "cloud" | "package";
  readonly fields: readonly ProviderField[];
  /** Where a person makes a key. */
  readonly keyPage?: string;
  readonly family: Family;
  /** The first that is set counts. Empty: the provider needs no key. */
  readonly keyVariables: readonly string[];
  readonly needsKey: boolean;
  readonly baseVariables: readonly string[];
  readonly defaultBaseURL?: string;
  /** On this machine, for routing and for limits. */
  readonly isLocal: boolean;
  /** What is still missing where a key and an address alone do not tell: a clause such as `bedrock needs a region`. */
  readonly missing?: (access: ProviderValues) => MissingValue | undefined;
  create(options: ProviderClientOptions): Promise<LanguageModelV4>;
}

/** What a person gave for a provider. */
export interface ProviderValues {
  readonly apiKey?: string;
  readonly baseURL?: string;
  readonly options?: Readonly<Record<string, string>>;
}

export interface MissingValue {
  /** A whole sentence, with what to do. */
  readonly message: string;
  /** The provider's field that would mend it. */
  readonly field: "key" | "address" | "model";
}

export interface ProviderClientOptions extends ProviderValues {
  readonly provider: string;
  readonly model: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Names the person's proxies. */
  readonly environment?: Environment;
  /** How large a context may be asked for, of a server that takes that with a request. */
  readonly window?: { readonly most: number; readonly isFixed: boolean };
}

export const keyField: ProviderField = {
  name: "key",
  label: "Key",
  hint: "",
  isSecret: true,
  isNeeded: true,
};

export const optionalKey: ProviderField = {
  ...keyField,
  hint: "If the server wants one",
  isNeeded: false,
};

export const otherAddress: ProviderField = {
  name: "address",
  label: "Address",
  hint: "The provider's own",
};

export const neededAddress: ProviderField = {
  name: "address",
  label: "Address",
  hint: "http://127.0.0.1:8000/v1",
  isNeeded: true,
};
