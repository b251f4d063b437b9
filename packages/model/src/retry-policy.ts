// Whether and when a failed request is tried again; chance comes in.
//
// - Two budgets that do not touch: requests that the server never answered, and answers that broke off.
// - A failure that will be the same next time is not retried: keys, bad requests, unknown models, a full context (that is
//   compacted instead), a spent budget, a call that the model wrote wrongly (it gets a message instead), and whatever the adapter
//   marked as lasting.
// - A failure that hardly ever passes (a host without an address, an answer in another format) is tried once more only.
// - Another key of the same provider is used at once, before anything else.
// - Another model of the chain that is not cooling down is asked at once, before waiting for the same one.
// - A server that asks for more patience than `maxDelayMs` is not waited for.

import type { ModelFailure } from "@stet/protocol/model-stream";
import { hasOtherKey } from "./access/key-rotation.ts";
import { isInvalidCall } from "./adapter/invalid-call.ts";
import { isLasting, maxRetriesOf } from "./failure/failure.ts";

export interface RetrySettings {
  readonly enabled: boolean;
  /** Retries, by a turn, of answers that broke off when part of them was visible already. */
  readonly maxRetries: number;
  /** Retries of requests that never got an answer; the first try does not count. */
  readonly requestMaxRetries: number;
  /** Retries of answers that broke off before anything of them was visible. */
  readonly streamMaxRetries: number;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  /** How long a model that failed is passed over, unless its server said. */
  readonly cooldownMs: number;
  /** Whether the first model is asked again once its cooldown is over, or only when the others fail. */
  readonly fallbackRevertPolicy: "cooldown-expiry" | "never";
}

export const defaultRetrySettings: RetrySettings = {
  enabled: true,
  maxRetries: 3,
  requestMaxRetries: 5,
  streamMaxRetries: 5,
  baseDelayMs: 2000,
  maxDelayMs: 300_000,
  cooldownMs: 300_000,
  fallbackRevertPolicy: "cooldown-expiry",
};

export interface FailedAttempt {
  readonly failure: ModelFailure;
  readonly phase: "request" | "stream";
  /** Retries already spent, of each budget. */
  readonly requestRetries: number;
  readonly streamRetries: number;
  /** Another model of the chain could be asked now. */
  readonly hasFallback: boolean;
}

export type RetryDecision =
  | { readonly action: "give_up"; readonly because: string }
  | { readonly action: "switch" }
  | {
      readonly action: "wait";
      readonly delayMs: number;
      readonly attempt: number;
      readonly maxAttempts: number;
    };

const passing: ReadonlySet<ModelFailure["kind"]> = new Set([
  "rate_limit",
  "overloaded",
  "server",
  "network",
  "timeout",
  "bad_response",
]);

export function isRetryable(failure: ModelFailure): boolean {
  return passing.has(failure.kind) && !isInvalidCall(failure);
}

export function decideRetry(
  attempt: FailedAttempt,
  settings: RetrySettings,
  random: () => number = Math.random,
): RetryDecision {
  const { failure, phase } = attempt;
  if (!settings.enabled) return { action: "give_up", because: "retrying is switched off" };
  if (hasOtherKey(failure)) {
    const nth = attempt.requestRetries + attempt.streamRetries + 1;
    return {
      action: "wait",
      delayMs: 0,
      attempt: nth,
      maxAttempts: Math.max(nth, settings.requestMaxRetries),
    };
  }
  if (!isRetryable(failure)) return { action: "give_up", because: "trying again would not help" };
  if (attempt.hasFallback) return { action: "switch" };
  if (isLasting(failure)) return { action: "give_up", because: "trying again would not help" };
  const spent = phase === "request" ? attempt.requestRetries : attempt.streamRetries;
  const allowed = phase === "request" ? settings.requestMaxRetries : settings.streamMaxRetries;
  const maxAttempts = Math.min(allowed, maxRetriesOf(failure));
  if (spent >= maxAttempts) return { action: "give_up", because: `it failed ${maxAttempts + 1} times` };
  const hint = failure.retryAfterMs ?? 0;
  if (hint > settings.maxDelayMs) return { action: "give_up", because: "the server asks to wait too long" };
  return {
    action: "wait",
    delayMs: Math.max(hint, backoff(spent + 1, settings, random)),
    attempt: spent + 1,
    maxAttempts,
  };
}

/** Doubles with each attempt, a quarter up or down by chance, so that many clients do not come back together. */
export function backoff(attempt: number, settings: RetrySettings, random: () => number): number {
  const plain = settings.baseDelayMs * 2 ** (attempt - 1);
  return Math.round(Math.min(settings.maxDelayMs, plain * (0.75 + random() * 0.5)));
}

/** False when it was cut short. */
export function pause(delayMs: number, signal: AbortSignal | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve(false);
    const onAbort = () => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve(true);
    }, delayMs);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
