// The tool calls of a turn: how many were executed, which of them failed their schema, and whether the turn makes progress.
//
// Invariant: every call that is handed in gets exactly one recorded result, also one that is not carried out.

import type { Router } from "@stet/model/routing";
import { Fault, isFault } from "@stet/protocol/fault";
import type { Message, ToolCall } from "@stet/protocol/message";
import type { AgentEvent } from "./agent-event.ts";
import type { KeepArtifact } from "./bound-output.ts";
import { calledAtOnce } from "./call-groups.ts";
import { aborted, type CalledTool, callTool, finalise, type RedactValue } from "./call-tool.ts";
import { describedCall } from "./described-call.ts";
import type { Hooks } from "./hooks.ts";
import type { Inbox } from "./inbox.ts";
import { outputOfResult, textOfResult } from "./result-note.ts";
import type { Rewind, Tool } from "./tool.ts";
import { yieldToEventLoop } from "./yield-to-event-loop.ts";

export interface ToolCallOptions {
  readonly tools: readonly Tool[];
  /** Calls that one turn may make. */
  readonly most: number;
  readonly signal: AbortSignal;
  readonly emit: (event: AgentEvent) => Promise<void>;
  readonly record: (message: Message) => Promise<void>;
  readonly hooks: Hooks;
  readonly inbox?: Inbox | undefined;
  readonly keepArtifact?: KeepArtifact | undefined;
  readonly router?: Pick<Router, "report"> | undefined;
  readonly missing?: ((name: string) => Fault | undefined) | undefined;
  readonly redact?: RedactValue | undefined;
}

export interface CallRound {
  /** The same call gave the same answer again and again. */
  readonly isStuck: boolean;
  readonly rewind: Rewind | undefined;
  /** A tool said that nothing more is to be done. */
  readonly isLast: boolean;
}

export class ToolCalls {
  readonly #options: ToolCallOptions;
  #executed = 0;
  #used = 0;
  #misfits = 0;
  #refused: Fault | undefined;

  constructor(options: ToolCallOptions) {
    this.#options = options;
  }

  /** Calls that were carried out. */
  get count(): number {
    return this.#executed;
  }

  /** Calls in a row whose arguments did not fit their schema. */
  get schemaFailures(): number {
    return this.#misfits;
  }

  get isUsedUp(): boolean {
    return this.#used >= this.#options.most;
  }

  /** Another model goes on, with as many calls as the first one had. */
  allowAgain(): void {
    this.#used = 0;
  }

  /** No call is carried out any more. */
  refuse(why: Fault): void {
    this.#refused = why;
  }

  /** Arguments that could not be read at all, or that did not fit. */
  noteSchemaFailure(): void {
    this.#misfits += 1;
    this.#options.router?.report("schema_failed");
  }

  /** Carries out the calls of one message, and records a result for each. */
  async round(calls: readonly ToolCall[], batch: string): Promise<CallRound> {
    let isStuck = false;
    let rewind: Rewind | undefined;
    let isLast = false;
    for (const group of calledAtOnce(calls, this.#options.tools)) {
      await yieldToEventLoop();
      const called = await Promise.all(group.map((call) => this.#callOne(call, batch)));
      for (const [index, one] of called.entries()) {
        const call = group[index];
        if (call === undefined) continue;
        rewind ??= one.rewind;
        isLast ||= one.endsTurn === true;
        if (await this.#finish(call, one)) isStuck = true;
      }
    }
    return { isStuck, rewind, isLast };
  }

  async #callOne(call: ToolCall, batch: string): Promise<CalledTool> {
    const { tools, emit, signal, keepArtifact, missing, redact } = this.#options;
    const { id, name, arguments: given } = call;
    const { words, traits } = describedCall(redact === undefined ? call : redact(call), tools);
    void emit({ type: "tool_start", id, name, arguments: given, words, traits });
    const refusal = this.#refusal();
    if (refusal !== undefined) return finalise(call, refusal, { tools }, 0);
    this.#executed += 1;
    this.#used += 1;
    const judged = await this.#options.hooks.beforeCall(call);
    if (isFault(judged)) return finalise(call, judged, { tools, redact }, 0);
    return callTool(judged, {
      batch,
      tools,
      signal,
      progress: (text) => void emit({ type: "tool_progress", id: call.id, text }),
      subagents: (active) => void emit({ type: "subagents", id: call.id, active }),
      keepArtifact,
      missing,
      redact,
    });
  }

  /** Why a call is not carried out at all. */
  #refusal(): Fault | undefined {
    if (this.#options.signal.aborted) return aborted();
    if (this.#refused !== undefined) return this.#refused;
    if (this.#options.inbox?.hasSteering) {
      return new Fault(
        "skipped",
        "Not carried out: the person sent a message first.",
        "Read it and decide anew.",
      );
    }
    if (!this.isUsedUp) return undefined;
    return new Fault(
      "tool_call_limit",
      `Not carried out: all ${this.#options.most} tool calls of this turn are used.`,
      "Answer now with what you have, and say what is left to do.",
    );
  }

  /** Judges, records and emits a result. True when the turn makes no progress. */
  async #finish(call: ToolCall, called: CalledTool): Promise<boolean> {
    if (called.isMisfit) this.noteSchemaFailure();
    else if (called.error === undefined) this.#misfits = 0;
    const tool = this.#options.tools.find(({ name }) => name === call.name);
    const isRefused = called.error !== undefined;
    const { result, isStuck } = await this.#options.hooks.afterCall({
      call,
      tool,
      result: called.result,
      isRefused,
    });
    await this.#options.record(result);
    const { isError, details } = result;
    const { durationMs, resultCount } = called;
    await this.#options.emit({
      type: "tool_end",
      id: call.id,
      name: call.name,
      isError,
      content: textOfResult(result),
      output: outputOfResult(result),
      details,
      resultCount,
      durationMs,
    });
    return isStuck;
  }
}
