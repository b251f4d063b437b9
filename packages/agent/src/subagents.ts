// Subagents: one request each, to one model, for one typed result.
//
// A subagent is offered exactly one tool, and its result is the arguments of that call. An answer that does not fit is sent
// back with the problem, a stream that stalls is aborted and the request repeated, both within `attempts`. What then still
// fails is a fault that names the subagent, why, and what to do.
//
// Of a group, the first fault stops all others: a part that failed makes the rest worthless. When the person stops the
// turn, everything stops at once. In either case every timer is cleared and nothing is left to reject later.
//
// Each subagent spends from a child of the given budget, so a cap holds for the whole tree. The model must not charge that
// budget itself, or it would be charged twice; retries of the model are inside the model.

import { isInvalidCall } from "@stet/model/adapter/invalid-call";
import { toolParameters } from "@stet/model/adapter/tool-schema";
import { type Budget, withBudget } from "@stet/model/budget";
import { Fault, isFault } from "@stet/protocol/fault";
import type { AssistantMessage, Message } from "@stet/protocol/message";
import type { Model, ModelFailure, ModelRequest } from "@stet/protocol/model-stream";
import type * as z from "zod";
import { aborted } from "./call-tool.ts";
import { Slots } from "./slots.ts";
import { readAnswer, tellProblem } from "./subagents-answer.ts";

export interface SubagentsOptions {
  readonly model: Model;
  readonly budget: Budget;
  /** How many work at the same time, over all groups. */
  readonly concurrency?: number;
  /** Idle timeout: a request without any event for so long is aborted. */
  readonly stallMs?: number;
  /** Requests that one subagent may make in all. */
  readonly attempts?: number;
}

export interface SubagentTask<T> {
  /** Names it for people: "chunk 3 of 40". */
  readonly name: string;
  readonly system: string;
  readonly prompt: string;
  readonly schema: z.ZodType<T>;
  readonly tool: { readonly name: string; readonly description: string };
  /** What is wrong with a result that fits the schema, as a sentence for the model; undefined where nothing is. */
  readonly check?: (result: T) => string | undefined;
}

export interface SubagentRun<T = unknown> {
  readonly signal: AbortSignal;
  /** Called at every change with how many of this group work now. */
  readonly onActive?: ((active: number) => void) | undefined;
  /** Called with each result as it comes, also where the group fails later. */
  readonly onResult?: ((result: T, index: number) => void) | undefined;
}

type StreamEnd =
  | { readonly kind: "answered"; readonly message: AssistantMessage }
  | { readonly kind: "failed"; readonly failure: ModelFailure }
  | { readonly kind: "stalled" }
  | { readonly kind: "aborted" };

export class Subagents {
  /** Identifies the model, for a cache of results. */
  readonly modelId: string;
  /** Of the model, in tokens. */
  readonly contextWindow: number;
  readonly #model: Model;
  readonly #budget: Budget;
  readonly #slots: Slots;
  readonly #concurrency: number;
  readonly #stallMs: number;
  readonly #attempts: number;

  constructor({ model, budget, concurrency = 4, stallMs = 60_000, attempts = 2 }: SubagentsOptions) {
    this.#model = model;
    this.#budget = budget;
    this.modelId = `${model.provider}/${model.name}`;
    this.contextWindow = model.contextWindow;
    this.#concurrency = Math.max(1, concurrency);
    this.#slots = new Slots(this.#concurrency);
    this.#stallMs = stallMs;
    this.#attempts = Math.max(1, attempts);
  }

  async run<T>(task: SubagentTask<T>, options: SubagentRun<T>): Promise<T | Fault> {
    const results = await this.runAll([task], options);
    return isFault(results) ? results : (results[0] as T);
  }

  /** All results, in order; or the first fault, after everything else has been stopped. */
  async runAll<T>(tasks: readonly SubagentTask<T>[], options: SubagentRun<T>): Promise<T[] | Fault> {
    const { signal, onActive, onResult } = options;
    const failed = new AbortController();
    const stop = AbortSignal.any([signal, failed.signal]);
    const results = new Array<T>(tasks.length);
    let fault: Fault | undefined;
    let active = 0;
    let next = 0;
    const count = (by: 1 | -1) => {
      active += by;
      onActive?.(active);
    };
    const work = async () => {
      for (let index = next++; index < tasks.length && !stop.aborted; index = next++) {
        const task = tasks[index];
        if (task === undefined || !(await this.#slots.take(stop))) return;
        count(1);
        try {
          const result = await this.#attempt(task, stop);
          if (isFault(result)) {
            if (!stop.aborted) fault = result;
            failed.abort();
          } else {
            results[index] = result;
            onResult?.(result, index);
          }
        } finally {
          this.#slots.give();
          count(-1);
        }
      }
    };
    const workers = Array.from({ length: Math.min(this.#concurrency, tasks.length) }, work);
    const ended = await Promise.allSettled(workers);
    for (const worker of ended) if (worker.status === "rejected") throw worker.reason;
    if (signal.aborted) return aborted();
    return fault ?? results;
  }

  async #attempt<T>(task: SubagentTask<T>, signal: AbortSignal): Promise<T | Fault> {
    const model = withBudget(this.#model, this.#budget.child(task.name));
    const tools = [{ ...task.tool, parameters: toolParameters(task.schema) }];
    const messages: Message[] = [{ role: "user", content: task.prompt, timestamp: Date.now() }];
    let fault = failedBy(task.name, "it was never asked", tryAgain);
    for (let attempt = 1; attempt <= this.#attempts; attempt += 1) {
      const end = await this.#listen(model, { system: task.system, messages: [...messages], tools }, signal);
      if (end.kind === "aborted") return aborted();
      if (end.kind === "stalled") {
        fault = failedBy(task.name, `it said nothing for ${this.#stallMs / 1000} seconds`, tryAgain);
      } else if (end.kind === "failed") {
        const { failure } = end;
        fault = failedBy(task.name, failure.message, afterFailure(failure), { failure: failure.kind });
        if (!isInvalidCall(failure)) return fault;
        messages.push({ role: "user", content: failure.message, timestamp: Date.now() });
      } else {
        const answer = readAnswer(end.message, task);
        if (answer.valid) return answer.value;
        fault = failedBy(task.name, answer.reason, useAnother, { answer: answer.excerpt });
        messages.push(...tellProblem(end.message, answer.problem));
      }
    }
    return fault;
  }

  /** One request, to its end, to the person's stop, or until it has said nothing for too long. */
  async #listen(model: Model, request: ModelRequest, signal: AbortSignal): Promise<StreamEnd> {
    const left = new AbortController();
    const events = model.stream(request, AbortSignal.any([signal, left.signal]))[Symbol.asyncIterator]();
    const given = Promise.withResolvers<"stalled" | "aborted">();
    const onAbort = () => given.resolve("aborted");
    const timer = setTimeout(() => given.resolve("stalled"), this.#stallMs);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    try {
      for (;;) {
        const next = await Promise.race([events.next(), given.promise]);
        if (next === "stalled" || next === "aborted") return { kind: next };
        if (signal.aborted) return { kind: "aborted" };
        if (next.done) return { kind: "failed", failure: brokenOff };
        timer.refresh();
        const event = next.value;
        if (event.type === "done") return { kind: "answered", message: event.message };
        if (event.type === "error") return { kind: "failed", failure: event.failure };
      }
    } catch (error) {
      // A model never throws; one that does has failed, and must not take the turn with it.
      const message = error instanceof Error ? error.message : String(error);
      return { kind: "failed", failure: { kind: "unknown", message } };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      // Ends a request that still runs. It may take its time; its further events are dropped.
      left.abort();
      void Promise.resolve(events.return?.()).catch(() => {});
    }
  }
}

const brokenOff: ModelFailure = {
  kind: "bad_response",
  message: "The model's answer broke off without an end.",
};
const tryAgain = "Try again; if it happens again, use another model or work on a smaller part.";
const useAnother = "Use another model for this, or make the change step by step with the other tools.";

function afterFailure({ kind }: ModelFailure): string {
  return kind === "budget" ? "Raise the limit, or work on a smaller part of the document." : tryAgain;
}

function failedBy(
  name: string,
  why: string,
  suggestion: string,
  details: Readonly<Record<string, unknown>> = {},
): Fault {
  const sentence = /[.!?…]["”]?$/.test(why) ? why : `${why}.`;
  return new Fault("subagent_failed", `The subagent for ${name} failed: ${sentence}`, suggestion, {
    subagent: name,
    reason: why,
    ...details,
  });
}
