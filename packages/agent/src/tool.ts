// A tool: what a model may call.
//
// A call goes through four steps (call-tool.ts): validate, authorise, execute, finalise. A tool never throws for a refusal,
// it returns a fault. What it returns is `content` for the model, which is bounded in one place, and `details` for people.

import type { Fault } from "@stet/protocol/fault";
import type { ImageContent, TextContent } from "@stet/protocol/message";
import type * as z from "zod";

export interface ToolContext {
  readonly callId: string;
  /** Calls with the same batch were made in one message: none of them has seen what another one did. */
  readonly batch: string;
  readonly signal: AbortSignal;
  /** Shows a person how far a long call is. */
  progress(text: string): void;
  /** Tells how many subagents work for this call now. */
  subagents(active: number): void;
}

export interface ToolOutcome {
  /** For the model: text, or an object that is shown as JSON. */
  readonly content: string | Readonly<Record<string, unknown>> | readonly (TextContent | ImageContent)[];
  /** For people and their programs. */
  readonly details?: unknown;
  /** It was carried out, but failed by its own measure: a command that ended with another exit code than 0. */
  readonly isFailure?: boolean;
  /** The conversation goes on from the answer to an earlier call, with a report of what was found out since. */
  readonly rewind?: Rewind;
}

export interface Rewind {
  /** The call whose answer the conversation goes back to. */
  readonly callId: string;
  readonly report: string;
}

export interface Tool<Schema extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly description: string;
  readonly schema: Schema;
  /** An exclusive tool never overlaps with another call; shared ones may run at the same time. */
  readonly mode: "shared" | "exclusive";
  /** What it tells of may change without any call (a command, a background job): asking again may be polling. */
  readonly mayChangeByItself?: boolean;
  /** Whether this call is allowed. Undefined means yes. */
  authorise?(input: z.infer<Schema>, context: ToolContext): Promise<Fault | undefined>;
  execute(input: z.infer<Schema>, context: ToolContext): Promise<ToolOutcome | Fault>;
  /**
   * What the call would do, for people to watch while the model writes its arguments: `partial` is their JSON text so far.
   * Never fails and changes nothing. Undefined where there is nothing to show.
   */
  preview?(partial: string): Promise<string | undefined>;
  /** How the toolset's dialect tells a model of a fault. Default: error, message, details and suggestion. */
  tellFault?(fault: Fault): Readonly<Record<string, unknown>>;
}

/** Keeps the schema's type while a tool is written down. */
export function defineTool<Schema extends z.ZodType>(tool: Tool<Schema>): Tool {
  return tool as unknown as Tool;
}
