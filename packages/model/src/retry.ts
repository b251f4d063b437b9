// A Model that tries again: the same model after a wait, or the next one of a chain.
//
// To its consumer it is one stream with one `start` (of the model that answered) and one end. So an attempt is only
// repeated while nothing of it was passed on: `start` is held back until the first block opens. A consumer that shows
// nothing before the end may ask for `held` delivery; then the whole answer is held back, up to a bound, and can be repeated
// until it is complete. Waiting ends at once when the signal aborts.

import { type Model, type ModelEvent, type ModelRequest, whatHappened } from "@stet/protocol/model-stream";
import { type ErrorEvent, failureEvent } from "./adapter/ended-message.ts";
import type { PhasedFailure } from "./adapter/sdk-adapter.ts";
import { abortedFailure } from "./failure/failure.ts";
import { decideRetry, defaultRetrySettings, pause, type RetrySettings } from "./retry-policy.ts";
import { fullName, wrapModel } from "./wrapped-model.ts";

export type RetryEvent =
  | {
      readonly type: "auto_retry_start";
      readonly attempt: number;
      readonly maxAttempts: number;
      readonly delayMs: number;
      readonly errorMessage: string;
    }
  | {
      readonly type: "auto_retry_end";
      readonly success: boolean;
      readonly attempt: number;
      readonly finalError?: string;
    }
  | {
      readonly type: "retry_fallback_applied";
      readonly from: string;
      readonly to: string;
      readonly role: string;
      readonly errorMessage: string;
    }
  /** The pause of a model that comes first is over: it is asked again. */
  | {
      readonly type: "retry_fallback_reverted";
      readonly from: string;
      readonly to: string;
      readonly role: string;
    }
  | { readonly type: "retry_fallback_succeeded"; readonly model: string; readonly role: string };

export interface RetryOptions {
  readonly settings?: Partial<RetrySettings>;
  readonly onEvent?: (event: RetryEvent) => void;
  /** What the model is used for, as its events name it. */
  readonly role?: string;
  readonly delivery?: "live" | "held";
  /** Models that are passed over, by `provider/name`, until when; share one map to share what was learnt. */
  readonly cooldowns?: Map<string, number>;
  readonly random?: () => number;
  readonly now?: () => number;
}

/** Characters of a held answer before it is passed on as it comes. */
const maxHeldLength = 1_000_000;

export function withRetry(primary: Model, fallbacks: readonly Model[], options: RetryOptions = {}): Model {
  const chain = new Chain([primary, ...fallbacks], options);
  return wrapModel(
    () => chain.pick(),
    (request, signal) => attempts(chain, options, request, signal),
  );
}

async function* attempts(
  chain: Chain,
  options: RetryOptions,
  request: ModelRequest,
  signal: AbortSignal | undefined,
): AsyncGenerator<ModelEvent, void, undefined> {
  const emit = options.onEvent ?? (() => undefined);
  const role = options.role ?? "default";
  let model = chain.pick();
  if (model !== chain.current) {
    emit({ type: "retry_fallback_reverted", from: fullName(chain.current), to: fullName(model), role });
    chain.current = model;
  }
  let retries = 0;
  const spent = { request: 0, stream: 0 };
  const tried = new Set<Model>();
  for (;;) {
    tried.add(model);
    const outcome = yield* onePass(model, request, signal, options.delivery ?? "live");
    if (outcome.kind === "done") {
      if (retries > 0) emit({ type: "auto_retry_end", success: true, attempt: retries });
      if (tried.size > 1) emit({ type: "retry_fallback_succeeded", model: fullName(model), role });
      yield* outcome.held;
      return;
    }
    const { error } = outcome;
    const fallback = chain.next(tried);
    const decision =
      outcome.isVisible || signal?.aborted === true
        ? ({ action: "give_up" } as const)
        : decideRetry(
            {
              failure: error.failure,
              phase: phaseOf(error),
              requestRetries: spent.request,
              streamRetries: spent.stream,
              hasFallback: fallback !== undefined,
            },
            chain.settings,
            options.random,
          );
    if (decision.action === "switch" && fallback !== undefined) {
      chain.replace(model, fallback, error.failure.retryAfterMs);
      const names = { from: fullName(model), to: fullName(fallback) };
      emit({ type: "retry_fallback_applied", ...names, role, errorMessage: whatHappened(error.failure) });
      model = fallback;
      continue;
    }
    if (decision.action !== "wait") {
      const finalError = error.failure.message;
      if (retries > 0) emit({ type: "auto_retry_end", success: false, attempt: retries, finalError });
      yield* outcome.held;
      return;
    }
    retries++;
    spent[phaseOf(error)]++;
    const { attempt, maxAttempts, delayMs } = decision;
    emit({
      type: "auto_retry_start",
      attempt,
      maxAttempts,
      delayMs,
      errorMessage: whatHappened(error.failure),
    });
    if (!(await pause(delayMs, signal))) {
      emit({ type: "auto_retry_end", success: false, attempt: retries, finalError: "Retry cancelled" });
      yield { type: "start", provider: model.provider, model: model.name };
      yield failureEvent({ provider: model.provider, model: model.name }, abortedFailure());
      return;
    }
  }
}

type Outcome =
  | { readonly kind: "done"; readonly held: readonly ModelEvent[] }
  | {
      readonly kind: "error";
      readonly error: ErrorEvent;
      readonly isVisible: boolean;
      readonly held: readonly ModelEvent[];
    };

/** Passes one attempt on, except for what is returned as held. */
async function* onePass(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal | undefined,
  delivery: "live" | "held",
): AsyncGenerator<ModelEvent, Outcome, undefined> {
  let held: ModelEvent[] = [];
  let heldLength = 0;
  let isVisible = false;
  for await (const event of model.stream(request, signal)) {
    if (isVisible) {
      if (event.type === "error") return { kind: "error", error: event, isVisible, held: [event] };
      if (event.type === "done") return { kind: "done", held: [event] };
      yield event;
      continue;
    }
    held.push(event);
    if (event.type === "done") return { kind: "done", held };
    if (event.type === "error") return { kind: "error", error: event, isVisible, held };
    if ("delta" in event) heldLength += event.delta.length;
    if (event.type === "start" || (delivery === "held" && heldLength <= maxHeldLength)) continue;
    isVisible = true;
    yield* held;
    held = [];
  }
  // A model that breaks the contract ends here; its consumer still gets one end.
  const failure = {
    kind: "network" as const,
    message: `The answer of ${fullName(model)} ended without an end.`,
  };
  const error = failureEvent({ provider: model.provider, model: model.name }, failure);
  return { kind: "error", error, isVisible, held: [...held, error] };
}

/** The models that may answer, in order of preference, and which of them are passed over for now. */
class Chain {
  readonly settings: RetrySettings;
  readonly #models: readonly [Model, ...Model[]];
  readonly #cooldowns: Map<string, number>;
  readonly #now: () => number;
  /** Who was asked last, or is to be asked first. */
  current: Model;

  constructor(models: readonly [Model, ...Model[]], options: RetryOptions) {
    this.settings = { ...defaultRetrySettings, ...options.settings };
    this.#models = models;
    this.current = models[0];
    this.#cooldowns = options.cooldowns ?? new Map();
    this.#now = options.now ?? Date.now;
    // What failed a moment ago, in an earlier turn, is passed over from the beginning.
    this.current = this.pick();
  }

  pick(): Model {
    const [primary] = this.#models;
    const preferred = this.settings.fallbackRevertPolicy === "never" ? this.current : primary;
    if (!this.#isCooling(preferred)) return preferred;
    return this.#models.find((model) => !this.#isCooling(model)) ?? preferred;
  }

  /** Each is asked once by switching; who has been tried is waited for instead, or two would pass a request forever. */
  next(tried: ReadonlySet<Model>): Model | undefined {
    return this.#models.find((model) => !tried.has(model) && !this.#isCooling(model));
  }

  replace(failed: Model, by: Model, retryAfterMs: number | undefined): void {
    this.#cooldowns.set(fullName(failed), this.#now() + (retryAfterMs ?? this.settings.cooldownMs));
    this.current = by;
  }

  #isCooling(model: Model): boolean {
    return (this.#cooldowns.get(fullName(model)) ?? 0) > this.#now();
  }
}

function phaseOf(error: ErrorEvent): PhasedFailure["phase"] {
  return "phase" in error.failure && error.failure.phase === "stream" ? "stream" : "request";
}
