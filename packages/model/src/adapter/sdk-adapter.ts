// A Model over the AI SDK's provider interface: one adapter for every provider package.
//
// - The provider's package is loaded by the first request, not before.
// - The stream never throws. It begins with `start`, also when the request fails, and ends with one `done` or `error`.
// - It pulls: a part is read when the consumer asks for the next event, so a slow consumer slows the connection.
// - Abort and the timeouts end it at once, whatever the provider does with its signal; a consumer that leaves early closes
//   the connection.

import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type {
  Model,
  ModelAbilities,
  ModelEvent,
  ModelFailure,
  ModelRequest,
} from "@stet/protocol/model-stream";
import {
  abortedFailure,
  classifyFailure,
  type FailureContext,
  htmlFailure,
  stalledFailure,
  withoutToolsFailure,
} from "../failure/failure.ts";
import { gatherFacts, isHtml, lowerCaseHeaders } from "../failure/failure-facts.ts";
import type { Price } from "../table/prices.ts";
import type { Family } from "./family.ts";
import { type HarmonyGuard, harmonyGuard, mayLeakHarmony, operationBoundary } from "./harmony.ts";
import { callOptions } from "./sdk-prompt.ts";
import { PartConverter } from "./sdk-stream.ts";

export interface SdkModelSetup {
  readonly provider: string;
  readonly name: string;
  readonly contextWindow: number;
  readonly maxOutput: number;
  readonly abilities?: ModelAbilities;
  readonly family: Family;
  /** Loads the provider's package and makes its model; called once, by the first request. */
  readonly load: () => Promise<LanguageModelV4>;
  readonly baseURL?: string;
  /** What requests are sent with that nobody may read. */
  readonly secrets?: readonly string[];
  readonly keyVariable?: string;
  readonly price?: Price;
  readonly harmony?: HarmonyGuard;
  /** Until the answer begins; local servers load a model in that time. Default 5 minutes, where Node's fetch gives up too. */
  readonly firstTimeoutMs?: number;
  /** Between two pieces of an answer. Default 2 minutes. */
  readonly idleTimeoutMs?: number;
}

/** A failure as the adapter saw it: before the server answered, or in the middle of its answer. */
export interface PhasedFailure extends ModelFailure {
  readonly phase: "request" | "stream";
}

/** A promise's outcome that can also be that it was cut short. */
type Race<T> = { readonly kind: "value"; readonly value: T } | { readonly kind: "stopped" };

export function sdkModel(setup: SdkModelSetup): Model {
  let loading: Promise<LanguageModelV4> | undefined;
  const harmony = setup.harmony ?? (mayLeakHarmony(setup.name) ? harmonyGuard(operationBoundary) : undefined);
  const load = () => {
    loading ??= setup.load();
    // A package that failed to load may be installed a moment later.
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  };
  return {
    provider: setup.provider,
    name: setup.name,
    contextWindow: setup.contextWindow,
    maxOutput: setup.maxOutput,
    abilities: setup.abilities ?? {},
    price: setup.price,
    stream: (request, signal) =>
      streamEvents({ ...setup, ...(harmony !== undefined && { harmony }), load }, request, signal),
  };
}

async function* streamEvents(
  setup: SdkModelSetup,
  request: ModelRequest,
  signal: AbortSignal | undefined,
): AsyncGenerator<ModelEvent, void, undefined> {
  const context = failureContext(setup);
  const converter = new PartConverter({
    context,
    tools: request.tools,
    ...(setup.price !== undefined && { price: setup.price }),
    ...(setup.harmony !== undefined && { harmony: setup.harmony }),
  });
  const stop = new Stop(setup, signal);
  const events: ModelEvent[] = [];
  let phase: PhasedFailure["phase"] = "request";
  let reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart> | undefined;
  yield { type: "start", provider: setup.provider, model: setup.name };
  try {
    const lacksTools = setup.abilities?.tools === false && request.tools.length > 0;
    const opened = lacksTools ? undefined : await stop.race(open(setup, request, stop.signal));
    if (opened === undefined) converter.fail(withoutToolsFailure(context), events);
    else if (opened.kind === "value") {
      phase = "stream";
      const { stream, headers } = opened.value;
      reader = stream.getReader();
      stop.onStop(reader);
      if (isHtml(headers, "")) converter.fail(withPhase(htmlFailure(context, 200), phase), events);
      while (!converter.ended) {
        stop.startWaiting();
        const { done, value } = await reader.read();
        stop.endWaiting();
        if (stop.failure !== undefined) break;
        if (done) converter.close(events);
        else converter.convert(value, events);
        for (const event of events) {
          if (event.type === "error" || event.type === "done") continue;
          yield event;
        }
        if (!converter.ended) events.length = 0;
      }
    }
    if (stop.failure !== undefined) converter.fail(stop.failure, events);
  } catch (error) {
    // Some packages read the beginning of the answer before they hand over the stream.
    if ((gatherFacts(error).status ?? 400) < 400) phase = "stream";
    converter.fail(stop.failure ?? classifyFailure(error, context), events);
  } finally {
    stop.release();
    // Closes the connection where the consumer left early or the answer was not read to its end.
    reader?.cancel().catch(() => undefined);
  }
  const last = events.at(-1);
  if (last?.type === "error") yield { ...last, failure: withPhase(last.failure, phase) };
  else if (last !== undefined) yield last;
}

async function open(setup: SdkModelSetup, request: ModelRequest, signal: AbortSignal) {
  const model = await setup.load();
  const { provider, name, family, abilities } = setup;
  const target = { provider, model: name, family, images: abilities?.images };
  const result = await model.doStream(callOptions(request, target, signal));
  return { stream: result.stream, headers: lowerCaseHeaders(result.response?.headers ?? {}) };
}

function withPhase(failure: ModelFailure, phase: PhasedFailure["phase"]): PhasedFailure {
  return { ...failure, phase };
}

function failureContext(setup: SdkModelSetup): FailureContext {
  return {
    provider: setup.provider,
    model: setup.name,
    ...(setup.baseURL !== undefined && { baseURL: setup.baseURL }),
    ...(setup.secrets !== undefined && { secrets: setup.secrets }),
    ...(setup.keyVariable !== undefined && { keyVariable: setup.keyVariable }),
  };
}

/** The one reason for which a stream is cut short, and the signal that tells the provider. */
class Stop {
  failure: ModelFailure | undefined;
  readonly #controller = new AbortController();
  readonly #setup: SdkModelSetup;
  readonly #outer: AbortSignal | undefined;
  readonly #stopped: Promise<{ readonly kind: "stopped" }>;
  #resolveStopped: (value: { readonly kind: "stopped" }) => void = () => undefined;
  #timer: NodeJS.Timeout;
  #isWaiting = true;
  #limitMs: number;
  #hasBegun = false;

  constructor(setup: SdkModelSetup, outer: AbortSignal | undefined) {
    this.#setup = setup;
    this.#outer = outer;
    this.#stopped = new Promise((resolve) => {
      this.#resolveStopped = resolve;
    });
    this.#limitMs = setup.firstTimeoutMs ?? 300_000;
    this.#timer = setTimeout(this.#onTime, this.#limitMs);
    if (outer?.aborted) this.#onAbort();
    else outer?.addEventListener("abort", this.#onAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  async race<T>(promise: Promise<T>): Promise<Race<T>> {
    // The loser of the race may still reject long after, without a handler.
    promise.catch(() => undefined);
    return Promise.race([promise.then((value) => ({ kind: "value" as const, value })), this.#stopped]);
  }

  onStop(reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart>): void {
    this.signal.addEventListener("abort", () => void reader.cancel().catch(() => undefined), { once: true });
    if (this.signal.aborted) void reader.cancel().catch(() => undefined);
  }

  startWaiting(): void {
    this.#isWaiting = true;
    this.#timer.refresh();
  }

  /** A consumer may take as long as it likes: only the server's silence counts. */
  endWaiting(): void {
    this.#isWaiting = false;
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    clearTimeout(this.#timer);
    this.#limitMs = this.#setup.idleTimeoutMs ?? 120_000;
    this.#timer = setTimeout(this.#onTime, this.#limitMs);
  }

  release(): void {
    clearTimeout(this.#timer);
    this.#outer?.removeEventListener("abort", this.#onAbort);
    this.#controller.abort();
  }

  readonly #onTime = () => {
    if (this.#isWaiting)
      this.#stop(
        stalledFailure(
          failureContext(this.#setup),
          this.#limitMs,
          this.#hasBegun ? "idleMs" : "firstTokenMs",
        ),
      );
  };

  readonly #onAbort = () => this.#stop(abortedFailure());

  #stop(failure: ModelFailure): void {
    this.failure ??= failure;
    this.#controller.abort();
    this.#resolveStopped({ kind: "stopped" });
  }
}
