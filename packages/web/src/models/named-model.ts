// A name that was typed and is in no list: whether it may be used all the same, or what is wrong with it.

import type { ProviderView } from "@stet/protocol/api/models";
import type { ModelField } from "@stet/protocol/model-stream";
import { titleOf } from "./model-words.ts";

export type NamedModel =
  | { readonly kind: "offer"; readonly name: string; readonly note: string }
  | {
      readonly kind: "problem";
      readonly message: string;
      /** Of a provider that is not ready. */
      readonly mend?: { readonly provider: string; readonly field: ModelField };
    };

/** Nothing of a text that is no name, or of one that is listed. */
export function namedModel(text: string, providers: readonly ProviderView[]): NamedModel | undefined {
  const name = text.trim();
  const [given = ""] = name.split("/", 1);
  if (!/^[^/\s]+\/\S+$/.test(name)) return undefined;
  const provider = providers.find((one) => one.name === given);
  if (provider === undefined) {
    const names = providers.map((one) => one.name).join(", ");
    return { kind: "problem", message: `There is no provider called ${given}. There is ${names}.` };
  }
  if (provider.models.some((model) => model.name === name)) return undefined;
  if (!provider.is_ready) {
    const { mend } = provider;
    return {
      kind: "problem",
      message: provider.why,
      ...(mend === null ? {} : { mend: { provider: provider.name, field: mend.field } }),
    };
  }
  const note = provider.lists_models
    ? `${titleOf(provider)} does not list it.`
    : `${titleOf(provider)} does not say which models it has.`;
  return { kind: "offer", name, note };
}
