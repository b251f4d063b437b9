// A remark of the loop in a tool's result: a part of its own, beside what the tool said.

import type { ToolResultMessage } from "@stet/protocol/message";

/** The whole result that the model gets. */
export function textOfResult({ content }: ToolResultMessage): string {
  return content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

/** What the tool itself said; undefined where nothing stands beside that. */
export function outputOfResult(result: ToolResultMessage): string | undefined {
  const content = result.content.filter((part) => part.type !== "text" || part.isNote !== true);
  return content.length === result.content.length ? undefined : textOfResult({ ...result, content });
}

export function withNote(result: ToolResultMessage, note: string): ToolResultMessage {
  return { ...result, content: [...result.content, { type: "text", text: note, isNote: true }] };
}
