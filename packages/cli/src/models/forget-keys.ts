// Forgetting keys that were kept, and what people read of keys.

import type { ProviderView } from "@stet/protocol/api/models";
import { Fault, isFault } from "@stet/protocol/fault";
import { visibleName } from "@stet/protocol/visible";
import type { ModelsApi } from "./with-models.ts";

type Key = ProviderView["keys"][number];

export function isKeptHere({ kept_in: place }: Key): boolean {
  return place === "keychain" || place === "file";
}

const places: Readonly<Record<Key["kept_in"], string>> = {
  keychain: "in the keychain",
  file: "in the private file",
  environment: "from the environment",
  configuration: "from the configuration",
};

/** Where it is and since when; its id is what --key takes. */
export function keyWords({ id, kept_in: place, name, added_at: added }: Key): string {
  const since = added === null ? "" : ` since ${added.slice(0, 10)}`;
  const shown = name === "" || name === id ? "" : `${visibleName(name)}, `;
  return isKeptHere({ id, kept_in: place, name, added_at: added })
    ? `${visibleName(id)} (${shown}${places[place]}${since})`
    : `${visibleName(name)} (${places[place]})`;
}

/** What was done, a sentence each. */
export async function forgetKeys(
  api: ModelsApi,
  provider: string,
  key: string | undefined,
): Promise<string[] | Fault> {
  const query = key === undefined ? {} : { key };
  const reply = await api.call("disconnectProvider", { params: { provider }, query });
  if (isFault(reply)) return reply;
  const { forgotten, provider: now } = reply;
  const title = visibleName(now.title);
  if (forgotten === 0 && key !== undefined) return noSuchKey(key, now);
  const what = forgotten === 1 ? "1 key" : `${forgotten} keys`;
  const first = forgotten === 0 ? `No key of ${title} was kept here.` : `${what} of ${title} forgotten.`;
  const rest = now.keys.map(keyWords);
  return [first, ...(rest.length === 0 ? [] : [`It can still be used with ${rest.join(", ")}.`])];
}

function noSuchKey(key: string, { name, keys }: ProviderView): Fault {
  const kept = keys.filter(isKeptHere);
  return new Fault(
    "invalid_arguments",
    `No key ${visibleName(key)} of ${visibleName(name)} is kept here, so nothing was forgotten.`,
    kept.length === 0 ? "There is nothing to forget." : `Kept are ${kept.map(keyWords).join(", ")}.`,
    { provider: name },
  );
}
