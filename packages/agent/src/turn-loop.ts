// One turn: from the person's message until the model has nothing more to call.
//
// Invariants, whatever happens in between, an abort included:
// - every message is part of the conversation before an event of it is emitted;
// - every tool call of a recorded message has exactly one recorded result;
// - exclusive tools never overlap with any other call;
// - a turn that a limit of requests, calls or patience stops has asked for a last answer;
// - the last event is `turn_end`.

import { isInvalidCall } from "@stet/model/adapter/invalid-call";
import type { Router } from "@stet/model/routing";
import { fullName } from "@stet/model/wrapped-model";
import { Fault } from "@stet/protocol/fault";
import type { AssistantMessage, Message, ToolCall, Usage } from "@stet/protocol/message";
import type { Model, ModelFailure, ModelRequest } from "@stet/protocol/model-stream";
import type { AgentEvent, TurnOutcome, TurnStop } from "./agent-event.ts";
import type { Delivery } from "./background/deliveries.ts";
import type { KeepArtifact } from "./bound-output.ts";
import type { RedactValue } from "./call-tool.ts";
import { Compaction, type CompactionOptions, type Shortened } from "./compaction.ts";
import { describeTools } from "./describe-tools.ts";
import { EventQueue } from "./event-queue.ts";
import { type Gate, type Hook, Hooks } from "./hooks.ts";
import type { Inbox } from "./inbox.ts";
import { type LastEvent, ModelRequests, type StoppedStream, type TurnRetry } from "./model-requests.ts";
import { ProgressGuard } from "./progress-guard.ts";
import { filledPrompt } from "./prompt-file.ts";
import { RedactedEvents } from "./redact-events.ts";
import type { Rewind, Tool } from "./tool.ts";
import { ToolCalls } from "./tool-calls.ts";
import {
  contextFull,
  cutOff,
  defaultLimits,
  emptyAnswer,
  mayAnswer,
  noProgress,
  type ReachedLimit,
  reachedLimit,
  type TurnLimits,
} from "./turn-limits.ts";
import { TurnMessages, withoutCalls } from "./turn-messages.ts";
import { yieldToEventLoop } from "./yield-to-event-loop.ts";

/** Where the turn's messages are recorded. */
export interface Conversation {
  messages(): readonly Message[];
  /** Returns when the message is safe. */
  append(message: Message): Promise<void> | void;
  /** A message for the model that is not the person's own words. */
  remark?(text: string): Promise<void> | void;
  /** What nobody typed: what happened in the background, or what another agent said. */
  deliver?(delivery: Delivery): Promise<void> | void;
  /** From now on the model gets the summary instead of all but the newest messages. */
  compact(shortened: Shortened, tokensBefore: number): Promise<void> | void;
  /** Goes back to the answer to a call, and on from there with a report; what came between is on another branch. */
  rewind?(to: Rewind): Promise<void> | void;
}

export interface TurnLoopOptions {
  readonly model: Model;
  readonly system: string;
  readonly conversation: Conversation;
  /** May grow while the turn goes on: each request offers what is there by then. */
  readonly tools: readonly Tool[];
  readonly limits?: Partial<TurnLimits> | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly inbox?: Inbox | undefined;
  readonly keepArtifact?: KeepArtifact | undefined;
  /** Identifies the state of what the tools work on, so that progress can be distinguished from repetition. */
  readonly state?: (() => string) | undefined;
  /** When the context is compacted, and how much of it is not summarised. */
  readonly compaction?: Pick<CompactionOptions, "keepTokens" | "isAutomatic"> | undefined;
  /** Gets the reason of a failure, where another model may take over. */
  readonly router?: Pick<Router, "report"> | undefined;
  /** Judges the work of a model that may be replaced. */
  readonly gate?: Gate | undefined;
  /** For answers that break off in the middle. */
  readonly retry?: Partial<TurnRetry> | undefined;
  readonly sessionId?: string | undefined;
  /** What the turn has used so far, with all that works for it; its own requests only, unless given. */
  readonly spent?: (() => Usage) | undefined;
  /** In this order; what watches whether the turn gets anywhere comes after them. */
  readonly hooks?: readonly Hook[] | undefined;
  /** Why a tool that the model names is not offered; undefined where there is no such tool. */
  readonly missing?: ((name: string) => Fault | undefined) | undefined;
  /** Redacts everything that is recorded or emitted; never the arguments that a tool is called with. */
  readonly redact?: RedactValue | undefined;
}

export async function* runTurn(options: TurnLoopOptions): AsyncGenerator<AgentEvent> {
  const queue = new EventQueue();
  const abandoned = new AbortController();
  const signals = [abandoned.signal, ...(options.signal === undefined ? [] : [options.signal])];
  const redacted = options.redact && new RedactedEvents(options.redact);
  const emit = (event: AgentEvent) => queue.put(event);
  const turn = new Turn({ ...options, signal: AbortSignal.any(signals) }, emit);
  const running = turn.run().finally(() => queue.end());
  // Handled below; without this, a rejection before the first await would end the process.
  running.catch(() => {});
  try {
    // Behind the queue: each redaction reads its whole line again, so it is done for merged deltas, not for single words.
    for await (const event of queue.take()) yield* redacted?.of(event) ?? [event];
  } finally {
    // A reader that stops iterating aborts the turn, and waits until it has ended.
    abandoned.abort();
    await running;
  }
}

interface TurnEnd {
  readonly outcome: TurnOutcome;
  readonly failure?: ModelFailure;
  readonly stop?: TurnStop;
}

class Turn {
  readonly #options: TurnLoopOptions;
  readonly #emit: (event: AgentEvent) => Promise<void>;
  readonly #limits: TurnLimits;
  readonly #messages: TurnMessages;
  readonly #calls: ToolCalls;
  readonly #requests: ModelRequests;
  readonly #compaction: Compaction;
  readonly #hooks: Hooks;
  readonly #signal: AbortSignal;
  readonly #started = performance.now();
  readonly #firstState: string;
  #iterations = 0;
  #hasHandedOver = false;

  constructor(options: TurnLoopOptions, emit: (event: AgentEvent) => Promise<void>) {
    this.#options = options;
    this.#emit = emit;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#signal = options.signal ?? new AbortController().signal;
    const { model, tools, inbox, keepArtifact, router, redact, retry, missing, state = () => "" } = options;
    const signal = this.#signal;
    this.#firstState = state();
    this.#hooks = new Hooks([...(options.hooks ?? []), new ProgressGuard(state)]);
    const hooks = this.#hooks;
    this.#messages = new TurnMessages({ conversation: options.conversation, tools, inbox, redact, emit });
    this.#calls = new ToolCalls({
      tools,
      most: this.#limits.toolCalls,
      signal,
      emit,
      record: (message) => this.#messages.record(message),
      hooks,
      inbox,
      keepArtifact,
      router,
      missing,
      redact,
    });
    const keep = (last: LastEvent) => this.#messages.keep(last);
    this.#requests = new ModelRequests({ model, tools, signal, emit, keep, retry, redact, hooks });
    this.#compaction = new Compaction({
      ...options.compaction,
      model,
      system: options.system,
      tools: () => describeTools(tools),
      sessionId: options.sessionId,
    });
  }

  async run(): Promise<void> {
    await this.#emit({ type: "turn_start" });
    const end = await this.#iterate();
    const durationMs = performance.now() - this.#started;
    await this.#emit({
      type: "turn_end",
      ...end,
      usage: this.#spent(),
      toolCalls: this.#calls.count,
      durationMs,
    });
  }

  async #iterate(): Promise<TurnEnd> {
    const { conversation, inbox, redact = (value) => value } = this.#options;
    // What the person said before the turn began is part of the request.
    await this.#messages.hear(inbox?.takeSteering() ?? []);
    for (;;) {
      if (this.#signal.aborted) return { outcome: "aborted" };
      const reached = this.#limit() ?? (await this.#makeRoom());
      if (reached !== undefined) return this.#stop(reached);
      const asked = fullName(this.#options.model);
      const last = await this.#ask();
      if (last.type === "stopped") {
        await this.#messages.remark(last.text);
        continue;
      }
      if (last.type === "error") {
        if (last.failure.kind === "context_overflow") {
          // What its context could not take, another model that took over may.
          const isReplaced = fullName(this.#options.model) !== asked;
          if (isReplaced || (await this.#compactNow())) continue;
        }
        if (!isInvalidCall(last.failure)) return this.#fail(last);
      }
      const calls = callsOf(last.message);
      if (calls.length > 0) {
        const { isStuck, rewind, isLast } = await this.#calls.round(calls, String(this.#iterations));
        if (this.#signal.aborted) return { outcome: "aborted" };
        if (isLast) return { outcome: "completed" };
        if (isStuck && !(await this.#replaceInvalid(undefined))) return this.#stop(noProgress);
        if (this.#calls.isUsedUp) this.#handOver();
        if (rewind !== undefined) await conversation.rewind?.(redact(rewind));
      }
      if (last.type === "error") await this.#tellInvalidCall(last.failure, calls);
      const hasCalled = last.type === "error" || calls.length > 0;
      const hasMore = await this.#takeMessages(hasCalled);
      if (hasCalled || hasMore || (await this.#remind())) continue;
      if (await this.#replaceInvalid(last.message)) continue;
      return this.#answered(last);
    }
  }

  /** A call that could not be parsed was not carried out; those beside it were. The message for the model says both. */
  async #tellInvalidCall({ message }: ModelFailure, others: readonly ToolCall[]): Promise<void> {
    this.#calls.noteSchemaFailure();
    const names = others.map(({ name }) => name).join(", ");
    const beside =
      others.length === 0 ? "" : ` The other calls of that message were made: ${names}. Do not repeat them.`;
    await this.#messages.remark(`${message}${beside}`);
  }

  async #fail({ message, reason, failure }: Extract<LastEvent, { type: "error" }>): Promise<TurnEnd> {
    if (failure.kind === "context_overflow") await this.#messages.record(withoutCalls(message));
    return { outcome: reason === "aborted" ? "aborted" : "failed", failure };
  }

  /** The model's last message is no answer where it is empty, and half of one where it was cut. */
  async #answered({ message }: LastEvent): Promise<TurnEnd> {
    if (message.stopReason === "length") return this.#stop(cutOff);
    return hasText(message) ? { outcome: "completed" } : this.#stop(emptyAnswer);
  }

  /** Tells the model what it has left undone. */
  async #remind(): Promise<boolean> {
    const left = this.#limit() === undefined ? this.#hooks.atEnd() : undefined;
    if (left === undefined) return false;
    await this.#messages.remark(left);
    return true;
  }

  /** The validation gate: a local model whose work does not hold is replaced for the rest of the turn, and its successor told why. */
  async #replaceInvalid(last: AssistantMessage | undefined): Promise<boolean> {
    const { router, gate } = this.#options;
    if (router === undefined || this.#signal.aborted) return false;
    const isEmpty = last !== undefined && last.stopReason !== "length" && !hasText(last);
    const problem = gate?.problem() ?? (isEmpty ? "Its answer was empty." : undefined);
    if (problem === undefined || !router.report("validation_failed", problem)) return false;
    this.#calls.allowAgain();
    await this.#messages.remark(filledPrompt("validation-failed.md", { problem }));
    return true;
  }

  #spent(): Usage {
    return this.#options.spent?.() ?? this.#requests.usage;
  }

  async #stop(stop: ReachedLimit): Promise<TurnEnd> {
    await this.#emit({ type: "limit", ...stop });
    const isAnswered = stop.limit === "output" || (mayAnswer(stop) && (await this.#lastAnswer(stop)));
    if (this.#signal.aborted) return { outcome: "aborted" };
    return { outcome: "stopped", stop: { ...stop, isAnswered } };
  }

  /** One more request, in which nothing can be called: what is done and what is left is not lost with the limit. */
  async #lastAnswer({ message }: ReachedLimit): Promise<boolean> {
    this.#calls.refuse(
      new Fault("tool_call_limit", `Not carried out. ${message}`, "Wait for the next message."),
    );
    await this.#makeRoom();
    const content = filledPrompt("answer-now.md", { reason: message });
    const last = await this.#ask({ role: "user", content, timestamp: Date.now() });
    if (last.type !== "done") return false;
    await this.#calls.round(callsOf(last.message), String(this.#iterations));
    return hasText(last.message);
  }

  /** Why the turn may not go on. */
  #limit(): ReachedLimit | undefined {
    const { count, isUsedUp, schemaFailures } = this.#calls;
    return reachedLimit(this.#limits, {
      iterations: this.#iterations,
      toolCalls: count,
      areCallsUsedUp: isUsedUp,
      schemaFailures,
      usage: this.#spent(),
      milliseconds: performance.now() - this.#started,
    });
  }

  /** A local model that used up its calls without an edit hands over, once, to one that has as many again. */
  #handOver(): void {
    const { router, gate, state = () => "" } = this.#options;
    // Without a gate whatever was only looked at counts as edited, too.
    const hasEdits = gate?.hasEdits() ?? state() !== this.#firstState;
    if (this.#hasHandedOver || router === undefined || hasEdits) return;
    this.#hasHandedOver = true;
    if (router.report("tool_budget_exhausted")) this.#calls.allowAgain();
  }

  /** Compacts where the context is nearly full. A limit when that is no use any more. */
  async #makeRoom(): Promise<ReachedLimit | undefined> {
    const messages = this.#options.conversation.messages();
    const tokens = this.#compaction.tokens(messages);
    await this.#emit({ type: "context", tokens, window: this.#options.model.contextWindow });
    // A local model whose context is full hands over, rather than being sent all of it to be summarised.
    if (this.#compaction.isNeeded(messages)) this.#options.router?.report("context_overflow");
    if (this.#compaction.isNeeded(messages)) await this.#compactNow();
    return this.#compaction.isHopeless ? contextFull : undefined;
  }

  async #compactNow(): Promise<boolean> {
    const { conversation, redact = (value) => value } = this.#options;
    const compacted = await this.#compaction.compact(conversation.messages(), this.#signal);
    if (compacted === undefined) return false;
    const { shortened, before, after } = compacted;
    if (shortened !== undefined) await conversation.compact(redact(shortened), before);
    const by = shortened === undefined ? "eliding" : "summary";
    await this.#emit({ type: "compaction", by, before, after });
    return true;
  }

  /** One request; with a last word to the model where it shall answer without calling anything. */
  async #ask(lastWord?: Message): Promise<LastEvent | StoppedStream> {
    const { system, conversation, tools, sessionId } = this.#options;
    this.#iterations += 1;
    await yieldToEventLoop();
    const messages = this.#compaction.view(conversation.messages());
    const request: ModelRequest = {
      system,
      messages: lastWord === undefined ? messages : [...messages, lastWord],
      // Providers refuse a conversation with calls in it where no tools are declared.
      tools: describeTools(tools),
      ...(lastWord === undefined ? {} : { toolChoice: "none" as const }),
      ...(sessionId === undefined ? {} : { sessionId }),
    };
    return this.#requests.ask(await this.#hooks.beforeRequest(request));
  }

  /** Takes what was said meanwhile. */
  async #takeMessages(hasCalled: boolean): Promise<boolean> {
    // At a limit no request would answer them: they remain in the inbox, and the job reports them as undelivered.
    if (this.#signal.aborted || this.#limit() !== undefined) return false;
    return this.#messages.take(!hasCalled);
  }
}

function callsOf(message: AssistantMessage): ToolCall[] {
  return message.content.filter((part): part is ToolCall => part.type === "toolCall");
}

function hasText({ content }: AssistantMessage): boolean {
  return content.some((part) => part.type === "text" && part.text.trim() !== "");
}
