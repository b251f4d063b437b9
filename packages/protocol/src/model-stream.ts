// The contract of a model: a request goes in, a stream of events comes out.
//
//   start  ( text_start text_delta* text_end
//          | thinking_start thinking_delta* thinking_end
//          | toolcall_start toolcall_delta* toolcall_end )*  ( done | error )
//
// Blocks may be open at the same time; `index` is the block's index in the message. A stream never throws: a failure, also
// one before the first byte, is its last event. Exactly one `done` or `error` ends it. Events carry no partial message;
// a reader that wants one folds them (`foldEvent` in the model package).

import type { AssistantMessage, Message, ToolCall } from "./message.ts";

export type ModelEvent =
  | { readonly type: "start"; readonly provider: string; readonly model: string }
  | { readonly type: "text_start"; readonly index: number }
  | { readonly type: "text_delta"; readonly index: number; readonly delta: string }
  | { readonly type: "text_end"; readonly index: number; readonly text: string }
  | { readonly type: "thinking_start"; readonly index: number }
  | { readonly type: "thinking_delta"; readonly index: number; readonly delta: string }
  | { readonly type: "thinking_end"; readonly index: number; readonly thinking: string }
  | { readonly type: "toolcall_start"; readonly index: number; readonly id: string; readonly name: string }
  | { readonly type: "toolcall_delta"; readonly index: number; readonly delta: string }
  | { readonly type: "toolcall_end"; readonly index: number; readonly toolCall: ToolCall }
  | {
      readonly type: "done";
      readonly reason: "stop" | "length" | "toolUse";
      readonly message: AssistantMessage;
    }
  | {
      readonly type: "error";
      readonly reason: "aborted" | "error";
      readonly message: AssistantMessage;
      readonly failure: ModelFailure;
    };

/** What went wrong, classified once, by the adapter that saw it. */
export interface ModelFailure {
  readonly kind:
    | "aborted"
    | "authentication"
    | "not_found"
    | "invalid_request"
    | "context_overflow"
    | "rate_limit"
    | "overloaded"
    | "server"
    | "network"
    | "timeout"
    | "bad_response"
    | "budget"
    | "unknown";
  /** A sentence for a person: what happened, and what to do. */
  readonly message: string;
  /** The end of the message: what to do. */
  readonly advice?: string;
  readonly status?: number;
  /** What the server asked to wait, in milliseconds. */
  readonly retryAfterMs?: number;
  /** What to mend, of which provider and model: where a front end leads the person. */
  readonly mend?: { readonly provider: string; readonly model: string; readonly field: ModelField };
}

/** What of a model's connection is wrong, or `context` where the conversation is too long for it. */
export const modelFields = ["key", "account", "address", "server", "model", "context", "package"] as const;

export type ModelField = (typeof modelFields)[number];

/** What happened, without advice: for code that handles it. */
export function whatHappened({ message, advice = "" }: ModelFailure): string {
  return advice !== "" && message.endsWith(advice) ? message.slice(0, -advice.length).trim() : message;
}

/** A tool definition in a model request: a JSON schema of plain objects, arrays, strings, numbers and enumerations. */
export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** How much a model thinks before it answers. */
export const thinkingLevels = ["off", "minimal", "low", "medium", "high", "xhigh"] as const;

export type ThinkingLevel = (typeof thinkingLevels)[number];

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDescription[];
  /**
   * `none`: the tools are declared, because the conversation has calls of them, and none may be called now. A name: this one
   * has to be called, where the provider can demand that.
   */
  readonly toolChoice?: "none" | { readonly tool: string };
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly thinking?: ThinkingLevel;
  /** How fast and at what price, in the provider's own words. */
  readonly serviceTier?: string;
  /** Names one conversation, for the provider's cache. */
  readonly sessionId?: string;
}

export interface ModelAbilities {
  readonly tools?: boolean | undefined;
  readonly images?: boolean | undefined;
  readonly thinking?: boolean | undefined;
}

/** In US dollars for a million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** What holds for a whole request whose prompt is longer than this. */
  readonly long?: {
    readonly above: number;
    readonly input: number;
    readonly output: number;
    readonly cacheRead: number;
    readonly cacheWrite: number;
  };
}

export interface Model {
  readonly provider: string;
  readonly name: string;
  /** In tokens. */
  readonly contextWindow: number;
  readonly maxOutput: number;
  /** What it can do; whatever is missing is taken to be possible. */
  readonly abilities?: ModelAbilities;
  /** Undefined where it is unknown. */
  readonly price?: ModelPrice | undefined;
  stream(request: ModelRequest, signal?: AbortSignal): AsyncIterable<ModelEvent>;
}
