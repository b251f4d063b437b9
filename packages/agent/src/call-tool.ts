// One call of a tool, in four steps: validate, authorise, execute, finalise.

import { Fault, isFault } from "@stet/protocol/fault";
import { faultOf } from "@stet/protocol/fault-error";
import { isRecord } from "@stet/protocol/json-record";
import type { ToolCall, ToolResultMessage } from "@stet/protocol/message";
import { boundOutput, type KeepArtifact } from "./bound-output.ts";
import type { Rewind, Tool, ToolContext, ToolOutcome } from "./tool.ts";

export interface CalledTool {
  readonly result: ToolResultMessage;
  /** The fault's code, where it was refused. */
  readonly error: string | undefined;
  /** Whether its arguments did not fit the tool's schema. */
  readonly isMisfit: boolean;
  readonly durationMs: number;
  readonly resultCount?: number | undefined;
  readonly rewind?: Rewind | undefined;
  readonly endsTurn?: boolean | undefined;
}

export interface CallPorts {
  readonly batch: string;
  readonly tools: readonly Tool[];
  readonly signal: AbortSignal;
  readonly progress: (text: string) => void;
  readonly subagents?: ((active: number) => void) | undefined;
  readonly keepArtifact?: KeepArtifact | undefined;
  /** Why a tool that there is cannot be called yet. */
  readonly missing?: ((name: string) => Fault | undefined) | undefined;
  /** Takes secrets out of what a tool says, before anyone else sees or keeps it. */
  readonly redact?: RedactValue | undefined;
}

/** The same value without the secrets in its texts. */
export type RedactValue = <T>(value: T) => T;

export async function callTool(call: ToolCall, options: CallPorts): Promise<CalledTool> {
  const started = performance.now();
  const { batch, signal, subagents = () => {}, tools, redact = (value) => value } = options;
  const progress = (text: string) => options.progress(redact(text));
  const given = () => redact(call.arguments);
  const context: ToolContext = { callId: call.id, given, batch, signal, progress, subagents };
  const ended = (outcome: ToolOutcome | Fault) =>
    finalise(call, outcome, options, performance.now() - started);
  const tool = tools.find((candidate) => candidate.name === call.name);
  if (tool === undefined) return ended(options.missing?.(call.name) ?? unknownTool(call.name, tools));
  const input = validate(tool, call.arguments);
  if (isFault(input)) return { ...ended(input), isMisfit: true };
  return ended(await run(tool, call, input.value, context));
}

async function run(
  tool: Tool,
  call: ToolCall,
  input: unknown,
  context: ToolContext,
): Promise<ToolOutcome | Fault> {
  try {
    const refusal = await tool.authorise?.(input, context);
    if (refusal !== undefined) return refusal;
    if (context.signal.aborted) return aborted();
    return await tool.execute(input, context);
  } catch (error) {
    if (context.signal.aborted) return aborted();
    const carried = faultOf(error);
    if (carried !== undefined) return carried;
    // A bug of ours must not end the person's turn: the model gets a fault, and the trace has the stack.
    const reason = error instanceof Error ? error.message : String(error);
    const stack = error instanceof Error ? error.stack : undefined;
    return new Fault(
      "tool_failed",
      `${call.name} failed: ${reason}`,
      "Try another way, or tell the person.",
      { stack },
    );
  }
}

function validate(tool: Tool, input: ToolCall["arguments"]): { value: unknown } | Fault {
  const checked = tool.parse(input);
  if (checked.valid) return checked;
  return new Fault(
    "invalid_arguments",
    `The arguments of ${tool.name} are not valid:\n${checked.problems.join("\n")}`,
    "Correct them and call the tool again.",
    { issues: checked.issues },
  );
}

export function unknownTool(name: string, tools: readonly Tool[]): Fault {
  const names = tools.map((tool) => tool.name).join(", ");
  return new Fault("unknown_tool", `There is no tool ${name}.`, `Use one of these: ${names}.`, { name });
}

export function aborted(): Fault {
  return new Fault(
    "aborted",
    "The person stopped the turn before this call was done.",
    "Wait for the next message.",
  );
}

export function finalise(
  call: ToolCall,
  outcome: ToolOutcome | Fault,
  { tools, keepArtifact, redact = (value) => value }: Pick<CallPorts, "tools" | "keepArtifact" | "redact">,
  durationMs: number,
): CalledTool {
  const tool = tools.find(({ name }) => name === call.name);
  const common = {
    role: "toolResult",
    toolCallId: call.id,
    toolName: call.name,
    timestamp: Date.now(),
  } as const;
  const judged = { isMisfit: false, durationMs };
  if (isFault(outcome)) {
    // A stack is for people; the model gets what helps it to do better.
    const { stack, ...details } = outcome.details;
    const { error, message, suggestion } = outcome;
    const modelFault = tool?.tellFault?.(outcome) ?? { error, message, details, suggestion };
    const content = boundOutput(redact(modelFault), keepArtifact);
    const recordedFault = { error, message: redact(message), suggestion, details: redact(outcome.details) };
    return { result: { ...common, content, details: recordedFault, isError: true }, error, ...judged };
  }
  const content = boundOutput(redact(outcome.content), keepArtifact);
  return {
    result: { ...common, content, details: redact(outcome.details), isError: outcome.isFailure ?? false },
    error: undefined,
    ...judged,
    resultCount: countIn(outcome.content),
    rewind: outcome.rewind,
    endsTurn: outcome.endsTurn,
  };
}

/** How many results a search or a listing gave. */
function countIn(content: ToolOutcome["content"]): number | undefined {
  if (!isRecord(content)) return undefined;
  return ["results", "files", "matches", "tabs"].map((name) => content[name]).find(Array.isArray)?.length;
}
