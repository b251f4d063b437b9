// One turn: from the person's message until the model has nothing more to call.
//
// Invariants, whatever happens in between, an abort included:
// - every message is part of the conversation before its effect is shown;
// - every tool call of a recorded message has exactly one recorded result;
// - exclusive tools never overlap with any other call;
// - the last event is `turn_end`.

import { isInvalidCall } from "@stet/model/invalid-call";
import type { Router } from "@stet/model/routing";
import { Fault } from "@stet/protocol/fault";
import {
  type AssistantMessage,
  addUsage,
  type Message,
  noUsage,
  type ToolCall,
  type ToolResultMessage,
  type Usage,
} from "@stet/protocol/message";
import type { Model, ModelEvent, ModelFailure } from "@stet/protocol/model-stream";
import type { AgentEvent, LimitName, TurnOutcome } from "./agent-event.ts";
import type { KeepArtifact } from "./bound-output.ts";
import { breathe } from "./breathing.ts";
import { calledAtOnce } from "./call-groups.ts";
import { aborted, type CalledTool, callTool, finalise, type Redact } from "./call-tool.ts";
import { Compaction, type Shortened } from "./compaction.ts";
import { describeTools } from "./describe-tools.ts";
import type { Inbox, InboxMessage } from "./inbox.ts";
import { Outlet } from "./outlet.ts";
import { ProgressGuard } from "./progress-guard.ts";
import type { Rewind, Tool } from "./tool.ts";
import { ToolPreviews } from "./tool-previews.ts";
import { defaultLimits, reachedLimit, type TurnLimits } from "./turn-limits.ts";

/** Where the turn's messages are kept. */
export interface Conversation {
  messages(): readonly Message[];
  /** Returns when the message is safe. */
  append(message: Message): Promise<void> | void;
  /** From now on the model is shown the summary instead of all but the newest messages. */
  compact(shortened: Shortened, tokensBefore: number): Promise<void> | void;
  /** Goes back to the answer to a call, and on from there with a report; what came between is on another branch. */
  rewind?(to: Rewind): Promise<void> | void;
}

export interface TurnOptions {
  readonly model: Model;
  readonly system: string;
  readonly conversation: Conversation;
  /** May grow while the turn goes on: each request offers what is there by then. */
  readonly tools: readonly Tool[];
  readonly limits?: Partial<TurnLimits> | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly inbox?: Inbox | undefined;
  readonly keepArtifact?: KeepArtifact | undefined;
  /** Names the state of what the tools work on, so that progress can be told from repetition. */
  readonly state?: (() => string) | undefined;
  readonly summaryPrompt?: string | undefined;
  /** Told what goes wrong, where another model may take over. */
  readonly router?: Pick<Router, "report"> | undefined;
  readonly sessionId?: string | undefined;
  /** What the turn has used so far, with all that works for it; its own requests only, unless given. */
  readonly spent?: (() => Usage) | undefined;
  /** What the model is reminded of, once, when it would end the turn; undefined where nothing is left to do. */
  readonly unfinished?: (() => string | undefined) | undefined;
  readonly redact?: Redact | undefined;
}

export async function* runTurn(options: TurnOptions): AsyncGenerator<AgentEvent> {
  const outlet = new Outlet<AgentEvent>();
  const abandoned = new AbortController();
  const signals = [abandoned.signal, ...(options.signal === undefined ? [] : [options.signal])];
  const turn = new Turn({ ...options, signal: AbortSignal.any(signals) }, (event) => outlet.put(event));
  const running = turn.run().finally(() => outlet.end());
  // Handled below; without this, a failure while nobody waits yet would end the process.
  running.catch(() => {});
  try {
    yield* outlet.take();
  } finally {
    // Whoever stops listening stops the turn, and waits until it has come to rest.
    abandoned.abort();
    await running;
  }
}

const noCallsLeft =
  "All tool calls of this turn are used up. Answer now with what you have: say what is done, and what is left to do.";

class Turn {
  private readonly options: TurnOptions;
  private readonly emit: (event: AgentEvent) => Promise<void>;
  private readonly limits: TurnLimits;
  private readonly guard = new ProgressGuard();
  private readonly compaction: Compaction;
  private readonly signal: AbortSignal;
  private readonly started = performance.now();
  private usage = noUsage;
  private iterations = 0;
  private toolCalls = 0;
  private schemaFailures = 0;
  private rewindTo: Rewind | undefined;
  private isReminded = false;

  constructor(options: TurnOptions, emit: (event: AgentEvent) => Promise<void>) {
    this.options = options;
    this.emit = emit;
    this.limits = { ...defaultLimits, ...options.limits };
    this.signal = options.signal ?? new AbortController().signal;
    const overhead = Math.ceil(
      (options.system.length + JSON.stringify(describeTools(options.tools)).length) / 4,
    );
    this.compaction = new Compaction(
      options.model,
      overhead,
      options.summaryPrompt ?? "Summarise the conversation so far.",
    );
  }

  async run(): Promise<void> {
    await this.emit({ type: "turn_start" });
    const { outcome, failure } = await this.iterate();
    const durationMs = performance.now() - this.started;
    const { toolCalls } = this;
    const usage = this.spent();
    const end = { type: "turn_end", outcome, usage, toolCalls, durationMs } as const;
    await this.emit(failure === undefined ? end : { ...end, failure });
  }

  private async iterate(): Promise<{ outcome: TurnOutcome; failure?: ModelFailure }> {
    const { conversation } = this.options;
    // What the person said before the turn began is part of the request.
    await this.hear(this.options.inbox?.takeSteering() ?? []);
    for (;;) {
      if (this.signal.aborted) return { outcome: "aborted" };
      if ((await this.isAtLimit()) || !(await this.makeRoom())) return { outcome: "stopped" };
      const last = await this.ask();
      if (last.type === "error") {
        if (last.failure.kind === "context_overflow" && (await this.compactNow())) continue;
        if (isInvalidCall(last.failure)) {
          // Never executed, and the model is told why. The limit of schema retries ends this if it goes on.
          this.noteSchemaFailure();
          await this.record({ role: "user", content: last.failure.message, timestamp: Date.now() });
          continue;
        }
        return { outcome: last.reason === "aborted" ? "aborted" : "failed", failure: last.failure };
      }
      const calls = last.message.content.filter((part): part is ToolCall => part.type === "toolCall");
      if (calls.length > 0) {
        const isStuck = await this.callAll(calls);
        if (this.signal.aborted) return { outcome: "aborted" };
        if (isStuck)
          return this.stop(
            "no_progress",
            "The turn stopped: the same call gave the same answer again and again.",
          );
        if (this.rewindTo !== undefined) await conversation.rewind?.(this.rewindTo);
        this.rewindTo = undefined;
      }
      const hasMore = await this.takeMessages(calls.length > 0);
      if (calls.length === 0 && !hasMore && !(await this.remind())) return { outcome: "completed" };
    }
  }

  /** Tells the model, once, what it has left undone. */
  private async remind(): Promise<boolean> {
    const left = this.isReminded ? undefined : this.options.unfinished?.();
    if (left === undefined) return false;
    this.isReminded = true;
    await this.record({ role: "user", content: left, timestamp: Date.now() });
    return true;
  }

  private spent(): Usage {
    return this.options.spent?.() ?? this.usage;
  }

  private async stop(limit: LimitName, message: string): Promise<{ outcome: TurnOutcome }> {
    await this.emit({ type: "limit", limit, message });
    return { outcome: "stopped" };
  }

  private async isAtLimit(): Promise<boolean> {
    const reached = this.limit();
    if (reached === undefined) return false;
    await this.emit({ type: "limit", ...reached });
    return true;
  }

  private limit(): ReturnType<typeof reachedLimit> {
    const { iterations, toolCalls, schemaFailures } = this;
    const usage = this.spent();
    const milliseconds = performance.now() - this.started;
    return reachedLimit(this.limits, { iterations, toolCalls, schemaFailures, usage, milliseconds });
  }

  /** Compacts where the context is nearly full. False when that is no use any more. */
  private async makeRoom(): Promise<boolean> {
    const messages = this.options.conversation.messages();
    const tokens = this.compaction.tokens(messages);
    await this.emit({ type: "context", tokens, window: this.options.model.contextWindow });
    if (this.compaction.isNeeded(messages)) await this.compactNow();
    if (!this.compaction.isHopeless) return true;
    const message =
      "The turn stopped: the context is full, and making it smaller frees next to nothing. Start a new session.";
    await this.emit({ type: "limit", limit: "context", message });
    return false;
  }

  private async compactNow(): Promise<boolean> {
    const { conversation } = this.options;
    const compacted = await this.compaction.compact(conversation.messages(), this.signal);
    if (compacted === undefined) return false;
    const { shortened, before, after } = compacted;
    if (shortened !== undefined) await conversation.compact(shortened, before);
    const by = shortened === undefined ? "eliding" : "summary";
    await this.emit({ type: "compaction", by, before, after });
    return true;
  }

  /** One request. Its message is recorded before anyone hears that it is done. */
  private async ask(): Promise<Extract<ModelEvent, { type: "done" | "error" }>> {
    const { model, system, conversation, tools, sessionId } = this.options;
    this.iterations += 1;
    await breathe();
    const messages = this.compaction.view(conversation.messages());
    const hasCallsLeft = this.toolCalls < this.limits.toolCalls;
    const request = hasCallsLeft
      ? { system, messages, tools: describeTools(tools) }
      : { system: `${system}\n\n${noCallsLeft}`, messages, tools: [] };
    const named = sessionId === undefined ? request : { ...request, sessionId };
    const { redact = (value) => value } = this.options;
    const previews = new ToolPreviews(
      tools,
      (preview) => void this.emit({ type: "tool_preview", ...redact(preview) }),
    );
    try {
      for await (const event of model.stream(named, this.signal)) {
        previews.observe(event);
        if (event.type === "done") await previews.finish();
        if (event.type === "done" || event.type === "error") return await this.finishAsking(event);
        await this.emit({ type: "model", event });
      }
    } finally {
      previews.stop();
    }
    throw new Error("a model's stream ended without done or error");
  }

  private async finishAsking<Last extends Extract<ModelEvent, { type: "done" | "error" }>>(
    event: Last,
  ): Promise<Last> {
    this.usage = addUsage(this.usage, event.message.usage);
    const message = event.type === "error" ? withoutCalls(event.message) : event.message;
    if (message.content.length > 0) await this.record(message);
    await this.emit({ type: "model", event });
    return event;
  }

  private async record(message: Message): Promise<void> {
    await breathe();
    await this.options.conversation.append(message);
    await this.emit({ type: "message", message });
  }

  /** Carries out the calls of one message, and records a result for each. True when the turn gets nowhere. */
  private async callAll(calls: readonly ToolCall[]): Promise<boolean> {
    let isStuck = false;
    for (const group of calledAtOnce(calls, this.options.tools)) {
      await breathe();
      const called = await Promise.all(group.map((call) => this.callOne(call)));
      for (const [index, one] of called.entries()) {
        const call = group[index];
        if (call === undefined) continue;
        const { result, stuck } = this.judge(call, one);
        isStuck ||= stuck;
        this.rewindTo ??= one.rewind;
        await this.finish(call, result, one);
      }
    }
    return isStuck;
  }

  private callOne(call: ToolCall): Promise<CalledTool> | CalledTool {
    const refusal = this.refusal();
    if (refusal !== undefined) return finalise(call, refusal, { tools: this.options.tools }, 0);
    this.toolCalls += 1;
    void this.emit({ type: "tool_start", id: call.id, name: call.name, arguments: call.arguments });
    return callTool(call, {
      batch: String(this.iterations),
      tools: this.options.tools,
      signal: this.signal,
      progress: (text) => void this.emit({ type: "tool_progress", id: call.id, text }),
      subagents: (active) => void this.emit({ type: "subagents", id: call.id, active }),
      keepArtifact: this.options.keepArtifact,
      redact: this.options.redact,
    });
  }

  private noteSchemaFailure(): void {
    this.schemaFailures += 1;
    this.options.router?.report("schema_failed");
  }

  /** Why a call is not carried out at all. */
  private refusal(): Fault | undefined {
    if (this.signal.aborted) return aborted();
    if (this.options.inbox?.hasSteering) {
      return new Fault(
        "skipped",
        "Not carried out: the person sent a message first.",
        "Read it and decide anew.",
      );
    }
    if (this.toolCalls < this.limits.toolCalls) return undefined;
    this.options.router?.report("tool_budget_exhausted");
    return new Fault(
      "tool_call_limit",
      `Not carried out: all ${this.limits.toolCalls} tool calls of this turn are used.`,
      "Answer now with what you have, and say what is left to do.",
    );
  }

  private judge(call: ToolCall, called: CalledTool): { result: ToolResultMessage; stuck: boolean } {
    if (called.error === "invalid_arguments") this.noteSchemaFailure();
    const { result } = called;
    const text = result.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
    const verdict = this.guard.observe(call, text, result.isError, this.options.state?.() ?? "");
    if (verdict.note === undefined) return { result, stuck: verdict.isStuck };
    return {
      result: { ...result, content: [...result.content, { type: "text", text: verdict.note }] },
      stuck: false,
    };
  }

  private async finish(call: ToolCall, result: ToolResultMessage, called: CalledTool): Promise<void> {
    await this.record(result);
    const content = result.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
    const { isError, details } = result;
    const { durationMs } = called;
    await this.emit({
      type: "tool_end",
      id: call.id,
      name: call.name,
      isError,
      content,
      details,
      durationMs,
    });
  }

  /** Takes what the person has sent meanwhile; a follow-up only when the model is done. */
  private async takeMessages(hasCalled: boolean): Promise<boolean> {
    const { inbox } = this.options;
    // Nobody would answer them any more: they are left for whoever ends the turn to tell.
    if (inbox === undefined || this.signal.aborted || this.limit() !== undefined) return false;
    const said = inbox.takeSteering();
    const followUp = hasCalled || said.length > 0 ? undefined : inbox.takeFollowUp();
    if (followUp !== undefined) said.push(followUp);
    await this.hear(said);
    return said.length > 0;
  }

  private async hear(said: readonly InboxMessage[]): Promise<void> {
    for (const one of said) {
      await this.record({ role: "user", content: one.text, timestamp: Date.now() });
      this.options.inbox?.markHeard(one.id);
      await this.emit({ type: "heard", said: one });
    }
  }
}

/** A message that broke off keeps its text; calls that were never carried out would wait for an answer for ever. */
function withoutCalls(message: AssistantMessage): AssistantMessage {
  return { ...message, content: message.content.filter((part) => part.type !== "toolCall") };
}
