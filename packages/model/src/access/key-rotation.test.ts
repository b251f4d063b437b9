import assert from "node:assert/strict";
import { test } from "node:test";
import { modelOf } from "@stet/testkit/model-of";
import { withRetry } from "../retry.ts";
import { KeyTurns, rotatingModel } from "./key-rotation.ts";
import type { StoredKey } from "./stored-keys.ts";

function keyOf(id: string, secret: () => Promise<string | { problem: string }> = async () => id): StoredKey {
  return {
    id,
    provider: "p",
    form: "key",
    keptIn: "file",
    addedAt: "2026-01-01T00:00:00Z",
    origin: undefined,
    secret,
  };
}

const keys = [keyOf("one"), keyOf("two"), keyOf("three")];
const request = (sessionId?: string) => ({
  system: "",
  messages: [{ role: "user" as const, content: "Hi", timestamp: 0 }],
  tools: [],
  ...(sessionId === undefined ? {} : { sessionId }),
});

test("sessions take the keys in turn, and each stays with its own", () => {
  const turns = new KeyTurns();
  const first = ["a", "b", "c", "d"].map((session) => turns.pick(keys, session)?.id);
  assert.equal(new Set(first.slice(0, 3)).size, 3, "three sessions have three keys");
  assert.equal(first[3], first[0], "the fourth begins again");
  assert.deepEqual(
    ["d", "c", "b", "a"].map((session) => turns.pick(keys, session)?.id),
    first.toReversed(),
  );
  assert.equal(new KeyTurns().pick(keys, "a")?.id, first[0], "the next process gives a session the same key");
});

test("a key that met its limit rests, and comes back when its time is over", () => {
  let now = 0;
  const turns = new KeyTurns(() => now);
  const [key] = [turns.pick(keys, "a")];
  assert.ok(key);
  assert.equal(turns.rest(key, keys, 1000), true);
  assert.notEqual(turns.pick(keys, "a")?.id, key.id);
  const only = [keyOf("single")];
  assert.equal(turns.rest(only[0] ?? key, only), false, "the only key has nobody to hand over to");
  assert.equal(turns.pick(only, "a")?.id, "single", "who has only resting keys uses one all the same");
  now = 2000;
  assert.deepEqual(new Set(["x", "y", "z"].map((session) => turns.pick(keys, session)?.id)).size, 3);
});

test("a limit of one key is no failure while another one is there: the request goes on with it at once", async () => {
  const asked: string[] = [];
  const make = (secret: string) =>
    modelOf(() => {
      asked.push(secret);
      const failure = { kind: "rate_limit" as const, message: "Slow down.", retryAfterMs: 60_000 };
      return asked.length < 3 ? { failure } : { text: "Here." };
    });
  const events: unknown[] = [];
  const model = withRetry(rotatingModel(keys, make(""), make, new KeyTurns()), [], {
    onEvent: (event) => events.push(event),
  });
  const started = Date.now();
  let text = "";
  for await (const event of model.stream(request("s"))) if (event.type === "text_delta") text += event.delta;
  assert.equal(text, "Here.");
  assert.equal(new Set(asked).size, 3);
  assert.ok(Date.now() - started < 30_000, "nobody waited for the minute that the server asked for");
  assert.deepEqual(events, [
    { type: "auto_retry_start", attempt: 1, maxAttempts: 5, delayMs: 0, errorMessage: "Slow down." },
    { type: "auto_retry_start", attempt: 2, maxAttempts: 5, delayMs: 0, errorMessage: "Slow down." },
    { type: "auto_retry_end", success: true, attempt: 2 },
  ]);
});

test("a key that cannot be read fails the request in a sentence, at the field for the key", async () => {
  const locked = keyOf("one", async () => ({ problem: "The keychain is locked." }));
  const model = rotatingModel([locked], modelOf([]), () => modelOf([]), new KeyTurns());
  const all = [];
  for await (const event of model.stream(request())) all.push(event);
  const last = all.at(-1);
  assert.equal(all.length, 2);
  assert.ok(last?.type === "error");
  assert.equal(last.failure.message, "The keychain is locked.");
  assert.equal(last.failure.mend?.field, "key");
});
