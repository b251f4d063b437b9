// Which model answers: the local one, the remote one, or the local one until it is not enough.
//
//   hybrid_auto:  local  --trigger-->  remote      and never back within a job
//
// Triggers: the tool-call budget is used up without a usable edit; arguments failed their schema again and again; what was
// done failed the validation gate at the end of the turn; the context is too small; the local server does not answer, not in time, or not with an answer. The router sees the last ones
// itself and asks again, locally as long as attempts are left and waiting may help, then remotely, as long as nothing of
// the local answer was passed on; the others are reported by the loop. Every choice is traced once, with its reason, also
// the first of a job.

import type { Model, ModelEvent, ModelFailure, ModelRequest } from "@stet/protocol/model-stream";
import { isInvalidCall } from "./adapter/invalid-call.ts";
import { isLasting } from "./failure/failure.ts";
import { isRetryable, pause } from "./retry-policy.ts";
import { fullName, wrapModel } from "./wrapped-model.ts";

export type AgentMode = "local" | "remote" | "hybrid_auto";

export interface RoutingSettings {
  readonly mode: AgentMode;
  /** Failed local attempts, of whatever kind, before the remote model takes over. */
  readonly hybridMaxLocalAttempts: number;
  readonly hybridRemoteOnSchemaFail: boolean;
  readonly hybridRemoteOnContextOverflow: boolean;
  readonly hybridRemoteOnValidationFail: boolean;
  /** Until the local answer begins; 0 waits for ever. */
  readonly hybridRemoteOnTimeoutMs: number;
}

export const defaultRoutingSettings: RoutingSettings = {
  mode: "remote",
  hybridMaxLocalAttempts: 2,
  hybridRemoteOnSchemaFail: true,
  hybridRemoteOnContextOverflow: true,
  hybridRemoteOnValidationFail: true,
  hybridRemoteOnTimeoutMs: 60_000,
};

export type RouteTrigger =
  | "tool_budget_exhausted"
  | "schema_failed"
  | "validation_failed"
  | "context_overflow"
  | "timeout"
  | "local_failed";

export interface RouteChoice {
  readonly mode: AgentMode;
  readonly target: "local" | "remote";
  /** `provider/name`, or `practice`. */
  readonly model: string;
  readonly trigger: RouteTrigger | "start" | "fallback" | "reverted";
  /** As a sentence. */
  readonly reason: string;
}

export interface RouterOptions {
  readonly settings?: Partial<RoutingSettings>;
  readonly local?: Model;
  readonly remote?: Model;
  /** Why this local model begins, where it was not the mode that chose it. */
  readonly startReason?: string;
  /** Between two local attempts. */
  readonly pauseMs?: number;
  readonly onChoice?: (choice: RouteChoice) => void;
}

export interface Router {
  /** Answers with whichever model is chosen at the time of the request. */
  readonly model: Model;
  readonly target: "local" | "remote";
  /** What the loop saw go wrong, with what it was; true where this makes the remote model answer from now on. */
  report(trigger: RouteTrigger, detail?: string): boolean;
  /** A new job begins as if nothing had happened. */
  startJob(): void;
}

const sentences: Readonly<Record<RouteTrigger, string>> = {
  tool_budget_exhausted: "The local model used up its tool calls without a usable edit.",
  schema_failed: "The local model's arguments kept failing their schema.",
  validation_failed: "What the local model did failed a check.",
  context_overflow: "The conversation is longer than the local model can take.",
  timeout: "The local model did not begin to answer in time.",
  local_failed: "The local model could not be asked.",
};

/** One failed attempt is enough for these: a second one would go the same way. */
const decisive: ReadonlySet<RouteTrigger> = new Set([
  "tool_budget_exhausted",
  "validation_failed",
  "context_overflow",
  "timeout",
]);

export function createRouter(options: RouterOptions): Router | ModelFailure {
  const settings = { ...defaultRoutingSettings, ...options.settings };
  const { local, remote } = options;
  if (settings.mode === "local" && local === undefined) return missing("local");
  if (settings.mode === "remote" && remote === undefined) return missing("remote");
  const first = settings.mode === "remote" ? remote : (local ?? remote);
  if (first === undefined) return missing("hybrid_auto");
  return new HybridRouter(settings, first, first === local ? remote : undefined, first === local, options);
}

class HybridRouter implements Router {
  readonly model: Model;
  readonly #settings: RoutingSettings;
  readonly #first: Model;
  readonly #second: Model | undefined;
  readonly #isFirstLocal: boolean;
  readonly #options: RouterOptions;
  #failedAttempts = 0;
  #hasSwitched = false;

  constructor(
    settings: RoutingSettings,
    first: Model,
    second: Model | undefined,
    isFirstLocal: boolean,
    options: RouterOptions,
  ) {
    this.#settings = settings;
    this.#first = first;
    this.#second = settings.mode === "hybrid_auto" ? second : undefined;
    this.#isFirstLocal = isFirstLocal;
    this.#options = options;
    this.model = wrapModel(
      () => this.#current,
      (request, signal) => this.#stream(request, signal),
    );
    this.startJob();
  }

  get target(): "local" | "remote" {
    return this.#isFirstLocal && !this.#hasSwitched ? "local" : "remote";
  }

  get #current(): Model {
    return this.#hasSwitched && this.#second !== undefined ? this.#second : this.#first;
  }

  startJob(): void {
    this.#failedAttempts = 0;
    this.#hasSwitched = false;
    this.#choose("start", this.#startReason());
  }

  report(trigger: RouteTrigger, detail?: string): boolean {
    return this.#report(trigger, decisive.has(trigger), detail);
  }

  #report(trigger: RouteTrigger, isDecisive: boolean, detail?: string): boolean {
    if (this.#second === undefined || this.#hasSwitched || !this.#counts(trigger)) return false;
    this.#failedAttempts++;
    if (!isDecisive && this.#failedAttempts < this.#settings.hybridMaxLocalAttempts) return false;
    this.#hasSwitched = true;
    this.#choose(trigger, detail === undefined ? sentences[trigger] : `${sentences[trigger]} ${detail}`);
    return true;
  }

  /** What the person switched off is no failure. */
  #counts(trigger: RouteTrigger): boolean {
    const settings = this.#settings;
    if (trigger === "schema_failed") return settings.hybridRemoteOnSchemaFail;
    if (trigger === "validation_failed") return settings.hybridRemoteOnValidationFail;
    return trigger !== "context_overflow" || settings.hybridRemoteOnContextOverflow;
  }

  #startReason(): string {
    const { mode } = this.#settings;
    if (this.#options.startReason !== undefined) return this.#options.startReason;
    if (mode !== "hybrid_auto") return `The mode is ${mode}.`;
    if (!this.#isFirstLocal) return "The mode is hybrid_auto, and there is no local model.";
    return this.#second === undefined
      ? "The mode is hybrid_auto, and there is no remote model to fall back to."
      : "The mode is hybrid_auto, which begins locally.";
  }

  #choose(trigger: RouteChoice["trigger"], reason: string): void {
    const { mode } = this.#settings;
    this.#options.onChoice?.({ mode, target: this.target, model: fullName(this.#current), trigger, reason });
  }

  async *#stream(
    request: ModelRequest,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<ModelEvent, void, undefined> {
    while (this.#second !== undefined && !this.#hasSwitched) {
      const failed = yield* this.#askLocally(request, signal);
      if (failed === undefined) return;
      if (failed.isLast) {
        yield* failed.held;
        return;
      }
      if (!this.#hasSwitched) await pause(this.#options.pauseMs ?? 1000, signal);
    }
    yield* this.#current.stream(request, signal);
  }

  /** One local attempt. Returns what was held back of one that failed, and whether that is the end of it. */
  async *#askLocally(
    request: ModelRequest,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<ModelEvent, FailedAttempt | undefined, undefined> {
    const patience = new AbortController();
    const limit = this.#settings.hybridRemoteOnTimeoutMs;
    const timer = limit > 0 ? setTimeout(() => patience.abort(), limit) : undefined;
    const both = signal === undefined ? patience.signal : AbortSignal.any([signal, patience.signal]);
    const held: ModelEvent[] = [];
    let isVisible = false;
    try {
      for await (const event of this.#first.stream(request, both)) {
        if (event.type === "error" && signal?.aborted !== true) {
          const hasSwitched = this.#judge(event.failure, patience.signal);
          // Emitted events cannot be taken back: the next request goes to the model that was chosen for it.
          if (!isVisible) {
            const isLast = !hasSwitched && !(isPassing(event.failure) && this.#hasAttemptsLeft);
            return { held: [...held, event], isLast };
          }
        }
        if (event.type === "start") {
          held.push(event);
          continue;
        }
        clearTimeout(timer);
        isVisible = true;
        yield* held.splice(0);
        yield event;
      }
    } finally {
      clearTimeout(timer);
    }
    return undefined;
  }

  get #hasAttemptsLeft(): boolean {
    return this.#failedAttempts < this.#settings.hybridMaxLocalAttempts;
  }

  /** Reports what the failure means; true where the remote model answers from now on. */
  #judge(failure: ModelFailure, patience: AbortSignal): boolean {
    const trigger = triggerOf(failure, patience);
    if (trigger === undefined) return false;
    const isDecisive = decisive.has(trigger) || (trigger === "local_failed" && !isPassing(failure));
    // Another request of the same job, a subagent's, may have switched meanwhile.
    return this.#report(trigger, isDecisive) || this.#hasSwitched;
  }
}

interface FailedAttempt {
  readonly held: readonly ModelEvent[];
  readonly isLast: boolean;
}

/** Whether the same request may well succeed a moment later. */
function isPassing(failure: ModelFailure): boolean {
  return isRetryable(failure) && !isLasting(failure);
}

function triggerOf(failure: ModelFailure, patience: AbortSignal): RouteTrigger | undefined {
  if (patience.aborted || failure.kind === "timeout") return "timeout";
  // A call that the model wrote wrongly is counted by the loop, which tells the model.
  if (failure.kind === "aborted" || failure.kind === "budget" || isInvalidCall(failure)) return undefined;
  return failure.kind === "context_overflow" ? "context_overflow" : "local_failed";
}

function missing(mode: AgentMode): ModelFailure {
  const what = mode === "hybrid_auto" ? "neither a local nor a remote model is" : `no ${mode} model is`;
  return {
    kind: "not_found",
    message: `The mode is ${mode}, but ${what} configured. See which can be used with: stet models`,
  };
}
