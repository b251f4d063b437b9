// One call of one tool, as a turn makes it: its arguments are checked, it is authorised and carried out, its output bounded.

import { callTool } from "@stet/agent/call-tool";
import type { Tool } from "@stet/agent/tool";

export interface ToolAnswer {
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: details are whatever the tool says; tests look into them
  readonly details: any;
  /** The fault's code. */
  readonly error: string | undefined;
  readonly isError: boolean;
  readonly endsTurn: boolean;
  /** What it showed while it worked. */
  readonly progress: readonly string[];
  /** How many agents worked for it, each time that changed. */
  readonly active: readonly number[];
}

export async function toolAnswer(
  tool: Tool,
  input: Readonly<Record<string, unknown>>,
  signal: AbortSignal = new AbortController().signal,
): Promise<ToolAnswer> {
  const progress: string[] = [];
  const active: number[] = [];
  const call = { type: "toolCall" as const, id: "call_1", name: tool.name, arguments: input };
  const { result, error, endsTurn } = await callTool(call, {
    batch: "1",
    tools: [tool],
    signal,
    progress: (text) => progress.push(text),
    subagents: (count) => active.push(count),
  });
  const text = result.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  const { details, isError } = result;
  return { text, details, error, isError, endsTurn: endsTurn ?? false, progress, active };
}
