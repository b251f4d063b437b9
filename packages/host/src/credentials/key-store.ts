// Keeps and forgets the keys that a person gives to Stet. A key is in the system's keychain, or, where that is absent or locked,
// in a private file; which of the two, people are told. Reading them is kept-keys.ts.

import { randomBytes } from "node:crypto";
import { type Fault, ignoreFault, isFault } from "@stet/protocol/fault";
import { dataFolder } from "@stet/workspace/files/state-folder";
import { changeKeys } from "./change-keys.ts";
import { type KeyRecord, keyFilePath, readKeys } from "./key-file.ts";
import { type Keychain, systemKeychain } from "./keychain.ts";

export interface NewKey {
  readonly provider: string;
  readonly secret: string;
  readonly form?: KeyRecord["form"];
  readonly origin: string | undefined;
  /** Whether it joins the others of its provider, or replaces them. */
  readonly isAdded: boolean;
}

export interface KeptKey {
  readonly id: string;
  readonly keptIn: KeyRecord["keptIn"];
  /** Why it is not in a keychain, as a sentence. */
  readonly note?: string;
}

export class KeyStore {
  readonly #folder: string;
  readonly #environment: NodeJS.ProcessEnv;
  #openKeychain: Keychain | undefined;

  constructor(environment: NodeJS.ProcessEnv, keychain?: Keychain) {
    this.#environment = environment;
    this.#folder = dataFolder(environment);
    this.#openKeychain = keychain;
  }

  get path(): string {
    return keyFilePath(this.#folder);
  }

  async add({ provider, secret, form = "key", origin, isAdded }: NewKey): Promise<KeptKey | Fault> {
    const usable = readKeys(this.#folder);
    if (isFault(usable)) return usable;
    const id = randomBytes(8).toString("hex");
    const problem = await this.#keychain.put(id, secret);
    const keptIn = problem === undefined ? "keychain" : "file";
    const record: KeyRecord = {
      id,
      provider,
      keptIn,
      form,
      addedAt: new Date().toISOString(),
      ...(origin === undefined ? {} : { origin }),
      ...(keptIn === "file" ? { secret } : {}),
    };
    let replaced: readonly KeyRecord[] = [];
    const changed = changeKeys(this.#folder, (keys) => {
      replaced = isAdded ? [] : keys.filter((key) => key.provider === provider);
      return [...keys.filter((key) => !replaced.includes(key)), record];
    });
    if (isFault(changed)) {
      await this.#removeFromKeychain([record]);
      return changed;
    }
    await this.#removeFromKeychain(replaced);
    if (problem === undefined) return { id, keptIn };
    const note = `The key is in a file that only your account can read (${this.path}), because ${problem}.`;
    return { id, keptIn, note };
  }

  /** How many were forgotten. */
  async forget(provider: string, id?: string): Promise<number | Fault> {
    let gone: readonly KeyRecord[] = [];
    const isGone = (key: KeyRecord) => key.provider === provider && (id === undefined || key.id === id);
    const changed = changeKeys(this.#folder, (keys) => {
      gone = keys.filter(isGone);
      return keys.filter((key) => !isGone(key));
    });
    if (isFault(changed)) return changed;
    await this.#removeFromKeychain(gone);
    return gone.length;
  }

  get #keychain(): Keychain {
    this.#openKeychain ??= systemKeychain(this.#environment);
    return this.#openKeychain;
  }

  async #removeFromKeychain(keys: readonly KeyRecord[]): Promise<void> {
    for (const { id, keptIn } of keys) if (keptIn === "keychain") await this.#keychain.remove(id);
  }
}

/** Tokens of an OAuth login are replaced by newer ones, in the place where the login is. */
export async function renewKey(
  key: KeyRecord,
  secret: string,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const isInFile =
    key.keptIn === "file" || (await systemKeychain(environment).put(key.id, secret)) !== undefined;
  const record: KeyRecord = isInFile ? { ...key, keptIn: "file", secret } : key;
  const changed = changeKeys(dataFolder(environment), (keys) =>
    keys.map((known) => (known.id === key.id ? record : known)),
  );
  // The token at hand is good; where this one could not be kept, the next start asks for a login.
  ignoreFault(changed);
}
