// A remark of the loop in a tool's result. A result that is a JSON object stays one: the remark is its field `note`.

import type { TextContent, ToolResultMessage } from "@stet/protocol/message";

export function withNote(result: ToolResultMessage, note: string): ToolResultMessage {
  const [first, ...rest] = result.content;
  const noted = first?.type === "text" ? inObject(first.text, note) : undefined;
  if (noted !== undefined) return { ...result, content: [{ type: "text", text: noted }, ...rest] };
  const remark: TextContent = { type: "text", text: note };
  return { ...result, content: [...result.content, remark] };
}

function inObject(text: string, note: string): string | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    const value: Record<string, unknown> = JSON.parse(text);
    const before = typeof value.note === "string" ? `${value.note} ` : "";
    return JSON.stringify({ ...value, note: `${before}${note}` });
  } catch {
    return undefined;
  }
}
