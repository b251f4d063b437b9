// Where a refusal belongs: the field of the form that a person has to change, as the fault names it.

import type { ProviderView } from "@stet/protocol/api/models";
import type { Fault } from "@stet/protocol/fault";
import type { ModelField } from "@stet/protocol/model-stream";

export type ProviderField = ProviderView["fields"][number];

/** Besides the provider's own fields. */
export const modelFieldName = "model";

const fieldsOf: Readonly<Record<ModelField, string>> = {
  key: "key",
  // It belongs to whoever has the key.
  account: "key",
  address: "address",
  server: "address",
  model: modelFieldName,
  context: "",
  package: "",
};

/** The name of a field of the form; undefined where it is about none of them. */
export function fieldOf(field: string, fields: readonly Pick<ProviderField, "name">[]): string | undefined {
  const name = isModelField(field) ? fieldsOf[field] : field;
  if (name === modelFieldName) return name;
  return fields.find((known) => known.name === name)?.name;
}

export function faultField(
  { details }: Pick<Fault, "details">,
  fields: readonly Pick<ProviderField, "name">[],
): string | undefined {
  return typeof details.field === "string" ? fieldOf(details.field, fields) : undefined;
}

function isModelField(name: string): name is ModelField {
  return name in fieldsOf;
}

/** What a button says that leads there. */
export function mendWords(field: ModelField, provider: string): string {
  switch (field) {
    case "key":
      return `Enter a key for ${provider}`;
    case "account":
      return `Look at ${provider}`;
    case "address":
      return `Set the address of ${provider}`;
    case "server":
      return `Look for ${provider}`;
    case "model":
      return "Choose another model";
    case "context":
      return "Make room";
    case "package":
      return `What ${provider} needs`;
  }
}
