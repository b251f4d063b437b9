// A tool: what a model may call.
//
// A call goes through four steps (call-tool.ts): validate, authorise, execute, finalise. A tool never throws for a refusal,
// it returns a fault. A result has `content` for the model (bounded in bound-output.ts) and `details` for people.

import {
  type CheckedArguments,
  checkArguments,
  type JsonSchema,
  toolParameters,
} from "@stet/model/adapter/tool-schema";
import type { Fault } from "@stet/protocol/fault";
import type { ImageContent, TextContent, ToolTrait } from "@stet/protocol/message";
import type * as z from "zod";

export interface ToolContext {
  readonly callId: string;
  /** The call's arguments as people see them: redacted. */
  given(): GivenArguments;
  /** Calls with the same batch are of one message: none of them has seen the result of another one. */
  readonly batch: string;
  readonly signal: AbortSignal;
  /** Shows a person how far a long call is. */
  progress(text: string): void;
  /** Tells how many subagents work for this call now. */
  subagents(active: number): void;
}

export interface ToolOutcome {
  /** For the model: text, or an object that is sent as JSON. */
  readonly content: string | Readonly<Record<string, unknown>> | readonly (TextContent | ImageContent)[];
  /** For people and their programs. */
  readonly details?: unknown;
  /** It was carried out, but failed by its own measure: a command that ended with another exit code than 0. */
  readonly isFailure?: boolean;
  /** The conversation goes on from the answer to an earlier call, with a report of what was found out since. */
  readonly rewind?: Rewind;
  /** Nothing more is to be done in this turn. */
  readonly endsTurn?: true;
}

export interface Rewind {
  /** The call whose answer the conversation goes back to. */
  readonly callId: string;
  readonly report: string;
}

/** Arguments as the model wrote them, before anyone looked whether they fit. */
export type GivenArguments = Readonly<Record<string, unknown>>;

/** The other steps get the parsed arguments: a caller takes them from the result of `parse`. */
export interface Tool<Input = unknown> {
  readonly name: string;
  readonly description: string;
  /** JSON Schema, as it is sent to the model; computed lazily, because most tools are not offered. */
  parameters(): JsonSchema;
  readonly traits: readonly ToolTrait[];
  /** The call in a few words that are true before, while and after it is carried out: "Read notes.md". */
  words?(given: GivenArguments): string;
  /** The checked input, or what does not fit. A null for what may be left out is forgiven. */
  parse(given: GivenArguments): CheckedArguments<Input>;
  /** Whether this call is allowed. Undefined means yes. */
  authorise?(input: Input, context: ToolContext): Promise<Fault | undefined>;
  execute(input: Input, context: ToolContext): Promise<ToolOutcome | Fault>;
  /**
   * What the call would do, for people to watch while the model writes its arguments: `partial` is their JSON text so far.
   * Never fails and changes nothing. Undefined where there is nothing to show.
   */
  preview?(partial: string): Promise<string | undefined>;
  /** A fault in the toolset's dialect, for the model. Default: error, message, details and suggestion. */
  tellFault?(fault: Fault): Readonly<Record<string, unknown>>;
}

/** A tool whose arguments are described by a zod schema. */
export interface ToolDefinition<Input> extends Omit<Tool<Input>, "parameters" | "parse"> {
  readonly schema: z.ZodType<Input>;
}

export function defineTool<Input>(definition: ToolDefinition<Input>): Tool<Input> {
  const { schema, ...tool } = definition;
  return {
    ...tool,
    parameters: () => toolParameters(schema),
    parse: (given) => checkArguments(schema, given),
  };
}
