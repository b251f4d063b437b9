// Several keys of one provider take turns.
//
// - A session stays with its key, because the provider's cache belongs to it; new sessions begin with the next key. Which is the
//   first one follows from the session's name, so that it is the same one in the next process.
// - A key that met its limit, has no credit left or is refused rests: for as long as the server says, else five minutes. The
//   sessions that had it go on with another one at once; retry-policy.ts then does not wait.

import type { Model, ModelEvent, ModelFailure, ModelRequest } from "@stet/protocol/model-stream";
import { failureEvent } from "../adapter/ended-message.ts";
import { wrapModel } from "../wrapped-model.ts";
import type { StoredKey } from "./stored-keys.ts";

/** The same request may be sent at once: another key is there for it. */
export interface OtherKeyFailure extends ModelFailure {
  readonly hasOtherKey: true;
}

export function hasOtherKey(failure: ModelFailure): failure is OtherKeyFailure {
  return "hasOtherKey" in failure;
}

const restMilliseconds = 300_000;
const mostSessions = 1000;

export class KeyTurns {
  /** By provider and session; the oldest goes first. */
  readonly #chosen = new Map<string, string>();
  /** By key, until when. */
  readonly #resting = new Map<string, number>();
  readonly #now: () => number;
  #next: number | undefined;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  pick(keys: readonly StoredKey[], sessionId = ""): StoredKey | undefined {
    const awake = keys.filter((key) => !this.#rests(key));
    const from = awake.length > 0 ? awake : keys;
    const [first] = from;
    if (first === undefined) return undefined;
    const name = `${first.provider} ${sessionId}`;
    const known = from.find(({ id }) => id === this.#chosen.get(name));
    if (known !== undefined) return known;
    this.#next ??= sumOf(sessionId);
    const key = from[this.#next++ % from.length] ?? first;
    if (sessionId === "") return key;
    this.#chosen.delete(name);
    this.#chosen.set(name, key.id);
    const [oldest] = this.#chosen.keys();
    if (this.#chosen.size > mostSessions && oldest !== undefined) this.#chosen.delete(oldest);
    return key;
  }

  /** Whether another key can be used meanwhile. */
  rest({ id }: StoredKey, keys: readonly StoredKey[], milliseconds: number = restMilliseconds): boolean {
    this.#resting.set(id, this.#now() + milliseconds);
    return keys.some((key) => !this.#rests(key));
  }

  #rests({ id }: StoredKey): boolean {
    return (this.#resting.get(id) ?? 0) > this.#now();
  }
}

/** What was learnt of the keys of this process. */
const allTurns = new KeyTurns();

/** The model of a provider whose keys are kept. `make` gets the secret of a request; `facts` is the model without one. */
export function rotatingModel(
  keys: readonly StoredKey[],
  facts: Model,
  make: (secret: string, key: StoredKey) => Model,
  turns: KeyTurns = allTurns,
): Model {
  const made = new Map<string, Model>();
  const modelOf = (secret: string, key: StoredKey) => {
    const model = made.get(secret) ?? make(secret, key);
    made.set(secret, model);
    return model;
  };
  return wrapModel(() => facts, stream);

  async function* stream(
    request: ModelRequest,
    signal?: AbortSignal,
  ): AsyncGenerator<ModelEvent, void, undefined> {
    const key = turns.pick(keys, request.sessionId);
    const secret = await key?.secret();
    const { provider, name: model } = facts;
    if (key === undefined || typeof secret !== "string") {
      const message =
        typeof secret === "object" ? secret.problem : `No key of ${provider} is kept here any more.`;
      const mend = { provider, model, field: "key" as const };
      yield { type: "start", provider, model };
      yield failureEvent({ provider, model }, { kind: "authentication", message, mend });
      return;
    }
    for await (const event of modelOf(secret, key).stream(request, signal)) {
      if (event.type !== "error" || !isOfKey(event.failure)) {
        yield event;
        continue;
      }
      const { retryAfterMs, ...failure } = event.failure;
      const isFree = turns.rest(key, keys, retryAfterMs);
      const other: OtherKeyFailure = { ...failure, hasOtherKey: true };
      yield isFree ? { ...event, failure: other } : event;
    }
  }
}

/** Whether the failure is about the key, so that another one may do. */
function isOfKey({ kind }: ModelFailure): boolean {
  return kind === "rate_limit" || kind === "authentication";
}

/** A number that is the same for the same text. */
function sumOf(text: string): number {
  let sum = 0;
  for (let index = 0; index < text.length; index++) sum = (sum * 31 + text.charCodeAt(index)) % 65_521;
  return sum;
}
