// Hooks: what watches a turn from beside and may step in. Built-in behaviour uses them, too (progress-guard.ts).
//
// Order: hooks run in the order in which they are given, one after another, and each gets the output of the one before.
// The first refusal of a call, and the first text that stops a stream, is the last word: later hooks are not asked.
// Failure: a hook that throws has said nothing, and the others go on; only a call that `beforeCall` could not judge is
// refused. So every call still has its one result, and the turn its end.
// Cost: without a hook for deltas, a delta costs one comparison.

import { Fault, isFault } from "@stet/protocol/fault";
import type { ToolCall, ToolResultMessage } from "@stet/protocol/message";
import type { ModelEvent, ModelRequest } from "@stet/protocol/model-stream";
import type { Tool } from "./tool.ts";

export interface Hook {
  /** A fault refuses the call; a call with other arguments is carried out instead. */
  beforeCall?(call: ToolCall): Promise<Fault | ToolCall | undefined>;
  /** Before the result is recorded: another result instead, or that the turn makes no progress. */
  afterCall?(done: FinishedCall): Promise<CallVerdict | undefined>;
  /** A text aborts the stream: the partial answer is dropped, and the request is repeated with the text as a message. */
  onDelta?(event: ModelEvent): string | undefined;
  /** Another request instead. */
  beforeRequest?(request: ModelRequest): Promise<ModelRequest | undefined>;
  /** When the model would end its turn: a text becomes a message, and the turn goes on. Called until it has given one. */
  atEnd?(): string | undefined;
  /** Whether it is called again at the next end, until it gives no text any more. */
  readonly mayRepeat?: boolean;
}

export interface FinishedCall {
  readonly call: ToolCall;
  /** Undefined for a tool that there is not. */
  readonly tool: Tool | undefined;
  readonly result: ToolResultMessage;
  /** Its arguments were not valid, or its tool did not do what was asked. */
  readonly isRefused: boolean;
}

export interface CallVerdict {
  readonly result?: ToolResultMessage;
  /** The same was done in vain again and again. */
  readonly isStuck?: boolean;
}

/** Judges what a turn has done, where another model may take over. */
export interface Gate extends Hook {
  /** Whether anything was edited in this turn. */
  hasEdits(): boolean;
  /** What of its work does not hold, for the model that takes over. */
  problem(): string | undefined;
}

export class Hooks {
  readonly #hooks: readonly Hook[];
  readonly #ended = new Set<Hook>();
  /** Undefined where no hook wants deltas. */
  readonly onDelta: ((event: ModelEvent) => string | undefined) | undefined;

  constructor(hooks: readonly Hook[]) {
    this.#hooks = hooks;
    const watching = hooks.filter((hook) => hook.onDelta !== undefined);
    if (watching.length > 0) this.onDelta = (event) => firstOf(watching, (hook) => hook.onDelta?.(event));
  }

  async beforeCall(call: ToolCall): Promise<Fault | ToolCall> {
    let current = call;
    for (const hook of this.#hooks) {
      if (hook.beforeCall === undefined) continue;
      try {
        const said = await hook.beforeCall(current);
        if (isFault(said)) return said;
        // Whatever it rewrites, the result belongs to the model's original call.
        if (said !== undefined) current = { ...call, arguments: said.arguments };
      } catch (error) {
        const message = `${call.name} was not carried out: what checks calls before they are made failed (${reasonOf(error)}).`;
        return new Fault("tool_failed", message, "Try another way, or tell the person.");
      }
    }
    return current;
  }

  async afterCall(done: FinishedCall): Promise<Required<CallVerdict>> {
    let { result } = done;
    let isStuck = false;
    for (const hook of this.#hooks) {
      const said = await quietly(() => hook.afterCall?.({ ...done, result }));
      // The call's one result stays its own, whatever it says.
      if (said?.result !== undefined) result = { ...result, content: said.result.content };
      isStuck ||= said?.isStuck === true;
    }
    return { result, isStuck };
  }

  async beforeRequest(request: ModelRequest): Promise<ModelRequest> {
    let current = request;
    for (const hook of this.#hooks) {
      const before = current;
      current = (await quietly(() => hook.beforeRequest?.(before))) ?? before;
    }
    return current;
  }

  atEnd(): string | undefined {
    const waiting = this.#hooks.filter((hook) => !this.#ended.has(hook));
    return firstOf(waiting, (hook) => {
      const text = hook.atEnd?.();
      if (text !== undefined && !hook.mayRepeat) this.#ended.add(hook);
      return text;
    });
  }
}

function firstOf(hooks: readonly Hook[], ask: (hook: Hook) => string | undefined): string | undefined {
  for (const hook of hooks) {
    try {
      const said = ask(hook);
      if (said !== undefined) return said;
    } catch {
      // It has said nothing.
    }
  }
  return undefined;
}

async function quietly<T>(ask: () => Promise<T | undefined> | undefined): Promise<T | undefined> {
  try {
    return await ask();
  } catch {
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
