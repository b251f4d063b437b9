// Messages of a conversation, as they are stored in sessions and sent to models. Providers' own forms are in adapters only.

export interface TextContent {
  readonly type: "text";
  readonly text: string;
  /** Added for the model beside a person's words or a tool's result; front ends do not draw it as theirs. */
  readonly isNote?: true;
}

export interface ThinkingContent {
  readonly type: "thinking";
  readonly thinking: string;
  /** What the provider wants back with it, unread. */
  readonly signature?: string;
}

export interface ImageContent {
  readonly type: "image";
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}

export interface ToolCall {
  readonly type: "toolCall";
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** What the provider wants back with it, unread. */
  readonly signature?: string;
  /** The call as a person reads it, from its tool; there from when it was recorded. Models never see it. */
  readonly words?: string;
  /** What its tool declared when the call was recorded. */
  readonly traits?: readonly ToolTrait[];
}

/**
 * What a tool does, as it declares it:
 * - `reads`, `edits`: documents and files; `runs`: commands; `network`: reaches beyond this machine;
 * - `exclusive`: never overlaps with another call;
 * - `asks`: its result is the person's answer;
 * - `volatile`: what it reports may change without any call, so asking again may be polling.
 */
export type ToolTrait = (typeof toolTraits)[number];

export const toolTraits = ["reads", "edits", "runs", "network", "exclusive", "asks", "volatile"] as const;

export interface UserMessage {
  readonly role: "user";
  readonly content: string | readonly (TextContent | ImageContent)[];
  /** Milliseconds since 1970. */
  readonly timestamp: number;
}

/** How a message of the model ended. */
export type StopReason = "stop" | "length" | "toolUse" | "aborted" | "error";

export type AssistantContent = TextContent | ThinkingContent | ToolCall;

export interface AssistantMessage {
  readonly role: "assistant";
  readonly content: readonly AssistantContent[];
  readonly provider: string;
  readonly model: string;
  readonly usage: Usage;
  readonly stopReason: StopReason;
  /** Why it ended, where that is an error. */
  readonly errorMessage?: string;
  readonly timestamp: number;
}

export interface ToolResultMessage {
  readonly role: "toolResult";
  readonly toolCallId: string;
  readonly toolName: string;
  /** For the model; bounded before it gets here. */
  readonly content: readonly (TextContent | ImageContent)[];
  /** For people and their programs; models never see it. */
  readonly details?: unknown;
  readonly isError: boolean;
  readonly timestamp: number;
}

export type Message = UserMessage | AssistantMessage | ToolResultMessage;

/** Tokens in four buckets that do not overlap, and what they cost in US dollars. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly cost: Cost;
}

export interface Cost {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly total: number;
  /** Whether some of the tokens have no known price, so that the total leaves them out. */
  readonly isUnknown?: boolean;
}

export const noCost: Cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
export const noUsage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: noCost };

export function addUsage(one: Usage, other: Usage): Usage {
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    cacheRead: one.cacheRead + other.cacheRead,
    cacheWrite: one.cacheWrite + other.cacheWrite,
    cost: {
      input: one.cost.input + other.cost.input,
      output: one.cost.output + other.cost.output,
      cacheRead: one.cost.cacheRead + other.cost.cacheRead,
      cacheWrite: one.cost.cacheWrite + other.cost.cacheWrite,
      total: one.cost.total + other.cost.total,
      ...((one.cost.isUnknown || other.cost.isUnknown) && { isUnknown: true }),
    },
  };
}
