// Requests of a turn to its model, one at a time. An answer that breaks off after it began is asked for again: nothing of
// it was carried out, so its part is dropped and the same request goes out after a wait. What fails before the first word
// was tried again below (`withRetry` of the model package) and is final here.

import { setTimeout as wait } from "node:timers/promises";
import { isLasting } from "@stet/model/failure/failure";
import { backoff, defaultRetrySettings, isRetryable, type RetrySettings } from "@stet/model/retry-policy";
import { addUsage, noUsage, type Usage } from "@stet/protocol/message";
import type { Model, ModelEvent, ModelRequest } from "@stet/protocol/model-stream";
import type { AgentEvent } from "./agent-event.ts";
import type { RedactValue } from "./call-tool.ts";
import type { Hooks } from "./hooks.ts";
import type { Tool } from "./tool.ts";
import { ToolPreviews } from "./tool-previews.ts";

export type LastEvent = Extract<ModelEvent, { type: "done" | "error" }>;

/** How often, and after which wait, an answer that broke off is asked for again. */
export type TurnRetry = Pick<RetrySettings, "enabled" | "maxRetries" | "baseDelayMs" | "maxDelayMs">;

export interface ModelRequestsOptions {
  readonly model: Model;
  readonly tools: readonly Tool[];
  readonly signal: AbortSignal;
  readonly emit: (event: AgentEvent) => Promise<void>;
  /** Appends the answer to the conversation, before the event that says it is done. */
  readonly keep: (last: LastEvent) => Promise<void>;
  readonly retry?: Partial<TurnRetry> | undefined;
  readonly redact?: RedactValue | undefined;
  readonly hooks: Hooks;
}

/** A hook has stopped the stream; nothing of the answer is part of the conversation. */
export interface StoppedStream {
  readonly type: "stopped";
  /** The message that the model gets. */
  readonly text: string;
}

interface Attempt {
  readonly last: LastEvent;
  /** Whether anything of the answer was passed on. */
  readonly hasBegun: boolean;
  /** What a hook said that stopped it. */
  readonly stopped?: string | undefined;
}

export class ModelRequests {
  readonly #options: ModelRequestsOptions;
  readonly #retry: RetrySettings;
  /** Of all requests, also of those whose answer was dropped. */
  usage: Usage = noUsage;

  constructor(options: ModelRequestsOptions) {
    this.#options = options;
    this.#retry = { ...defaultRetrySettings, ...options.retry };
  }

  async ask(request: ModelRequest): Promise<LastEvent | StoppedStream> {
    const { emit, keep, signal } = this.#options;
    const { maxRetries: maxAttempts } = this.#retry;
    for (let attempt = 0; ; attempt += 1) {
      const { last, hasBegun, stopped } = await this.#once(request);
      this.usage = addUsage(this.usage, last.message.usage);
      if (stopped !== undefined) {
        await emit({ type: "model", event: last, isDropped: true });
        return { type: "stopped", text: stopped };
      }
      const isFinal = last.type === "done" || !hasBegun || !this.#mayRetry(last, attempt);
      if (isFinal) {
        await keep(last);
        await emit({ type: "model", event: last });
        if (attempt > 0) await this.#tellEnd(last, attempt);
        return last;
      }
      await emit({ type: "model", event: last, isDropped: true });
      const delayMs = backoff(attempt + 1, this.#retry, Math.random);
      const errorMessage = last.failure.message;
      await emit({ type: "auto_retry_start", attempt: attempt + 1, maxAttempts, delayMs, errorMessage });
      // An abort ends the wait; the next attempt then ends at once as aborted.
      await wait(delayMs, undefined, { signal }).catch(() => undefined);
    }
  }

  #mayRetry({ failure }: Extract<LastEvent, { type: "error" }>, attempt: number): boolean {
    const { enabled, maxRetries } = this.#retry;
    if (!enabled || attempt >= maxRetries || this.#options.signal.aborted) return false;
    return isRetryable(failure) && !isLasting(failure);
  }

  async #tellEnd(last: LastEvent, attempt: number): Promise<void> {
    const { emit } = this.#options;
    if (last.type === "done") return emit({ type: "auto_retry_end", success: true, attempt });
    const finalError = last.reason === "aborted" ? "Retry cancelled" : last.failure.message;
    await emit({ type: "auto_retry_end", success: false, attempt, finalError });
  }

  async #once(request: ModelRequest): Promise<Attempt> {
    const { model, tools, signal, emit, hooks, redact = (value) => value } = this.#options;
    const previews = new ToolPreviews(
      tools,
      (preview) => void emit({ type: "tool_preview", ...redact(preview) }),
    );
    let hasBegun = false;
    let stopped: string | undefined;
    const stop = new AbortController();
    const either = hooks.onDelta === undefined ? signal : AbortSignal.any([signal, stop.signal]);
    try {
      for await (const event of model.stream(request, either)) {
        const said = stopped === undefined ? hooks.onDelta?.(event) : undefined;
        if (said !== undefined) {
          stopped = said;
          stop.abort();
        }
        if (stopped !== undefined) {
          // Only the end counts, for what it has cost.
          if (event.type === "done" || event.type === "error") return { last: event, hasBegun, stopped };
          continue;
        }
        previews.observe(event);
        if (event.type === "done") await previews.finish();
        if (event.type === "done" || event.type === "error") return { last: event, hasBegun };
        if (event.type !== "start") hasBegun = true;
        await emit({ type: "model", event });
      }
    } finally {
      previews.stop();
    }
    throw new Error("a model's stream ended without done or error");
  }
}
