// The keys that were kept, as models use them: which there are is read from a small file, and a key itself only when a request
// needs it. Whoever has none pays for one look at a file that is not there.

import type { LockedKey, StoredKey, StoredKeys } from "@stet/model/access/stored-keys";
import { isFault } from "@stet/protocol/fault";
import { dataFolder } from "@stet/workspace/files/state-folder";
import { type KeyRecord, readKeys } from "./key-file.ts";

/** A file that cannot be used has no keys; connecting a provider says what is wrong with it. */
export function keptKeys(environment: NodeJS.ProcessEnv): StoredKeys {
  const folder = dataFolder(environment);
  return {
    of(provider) {
      const keys = readKeys(folder);
      return isFault(keys)
        ? []
        : keys.filter((key) => key.provider === provider).map((key) => viewOf(key, environment));
    },
  };
}

function viewOf(key: KeyRecord, environment: NodeJS.ProcessEnv): StoredKey {
  const { id, provider, keptIn, addedAt, origin } = key;
  const form = key.form === "options" ? "options" : "key";
  return { id, provider, form, keptIn, addedAt, origin, secret: () => secretOf(key, environment) };
}

async function secretOf(key: KeyRecord, environment: NodeJS.ProcessEnv): Promise<string | LockedKey> {
  const secret = key.secret ?? (await secretInKeychain(key, environment));
  if (typeof secret !== "string" || key.form !== "oauth") return secret;
  const { tokenOf } = await import("./oauth-token.ts");
  return tokenOf(secret, environment, async (renewed) => {
    const { renewKey } = await import("./key-store.ts");
    await renewKey(key, renewed, environment);
    if (key.keptIn === "keychain") opened.set(key.id, renewed);
  });
}

/** Of this process, by id: opening the keychain takes a while, and an id never gets another key but by a login of our own. */
const opened = new Map<string, string>();

async function secretInKeychain(
  { id, provider }: KeyRecord,
  environment: NodeJS.ProcessEnv,
): Promise<string | LockedKey> {
  const known = opened.get(id);
  if (known !== undefined) return known;
  const { systemKeychain } = await import("./keychain.ts");
  const found = await systemKeychain(environment).get(id);
  if (found.kind === "secret") {
    opened.set(id, found.secret);
    return found.secret;
  }
  const problem =
    found.kind === "missing"
      ? `The key of ${provider} is no longer in the system's keychain. Log in again: stet login ${provider}`
      : `The key of ${provider} cannot be read, because ${found.reason}. Unlock the keychain and try again, or log in again with STET_KEYCHAIN=off: stet login ${provider}`;
  return { problem };
}
