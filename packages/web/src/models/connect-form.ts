// What connecting asks for, and how it is said that it went well.

import type { ProviderView } from "@stet/protocol/api/models";
import type { Reply } from "@stet/protocol/api/route";
import type { Routes } from "@stet/protocol/api/routes";
import { Fault } from "@stet/protocol/fault";
import { modelFieldName, type ProviderField } from "./fault-field.ts";

export const nameFieldName = "name";

const ownServer: readonly ProviderField[] = [
  {
    name: nameFieldName,
    label: "Name",
    hint: "What you call it here, such as gateway",
    is_secret: false,
    is_needed: true,
  },
  {
    name: "address",
    label: "Address",
    hint: "Where it speaks OpenAI's format, such as http://127.0.0.1:8000/v1",
    is_secret: false,
    is_needed: true,
  },
  { name: "key", label: "Key", hint: "If the server wants one", is_secret: true, is_needed: false },
];

/** For a provider that does not say which models it has. */
export const modelField: ProviderField = {
  name: modelFieldName,
  label: "Model to try",
  hint: "Its name, as the provider writes it",
  is_secret: false,
  is_needed: false,
};

/** Without a provider: of a server of one's own. */
export function formFields(provider: Pick<ProviderView, "fields"> | undefined): readonly ProviderField[] {
  return provider?.fields ?? ownServer;
}

/** As names of providers are written: "My gateway" becomes my-gateway. One that is known stays what it is. */
export function ownServerName(typed: string, known: readonly string[]): string | Fault {
  const name = typed
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[^a-z0-9]+|-+$/g, "")
    .slice(0, 40);
  if (name === "")
    return refused("This is no name for a server.", "Write one with letters from a to z, or digits.");
  if (known.includes(name))
    return refused(
      `There is a provider called ${name} already.`,
      "Write another name, or go back and choose it.",
    );
  return name;
}

function refused(message: string, suggestion: string): Fault {
  return new Fault("invalid_arguments", message, suggestion, { field: nameFieldName });
}

type Connected = Pick<Reply<Routes["connectProvider"]>, "kept_in" | "note">;

/** The note says more of the key's place, and whether anything could be tried. */
export function connectedWords({ kept_in: place, note }: Connected): string {
  const key = place === "keychain" ? "The key is in the system's keychain." : "The key is in a private file.";
  const words = note ?? (place === null ? "" : key);
  return ["Connected.", words, "Choose the model that answers from now on."].filter(Boolean).join(" ");
}

/** What it takes, in the list. */
export function connectHint({ kind, why }: Pick<ProviderView, "kind" | "why">): string {
  switch (kind) {
    case "key":
      return "With a key";
    case "address":
      return "By its address";
    case "cloud":
      return "With an account and its region or address";
    default:
      return why;
  }
}
