// A remark of the loop in a tool's result. A result that is a JSON object stays one: the remark is a field of it.

import type { TextContent, ToolResultMessage } from "@stet/protocol/message";

export function textOfResult({ content }: ToolResultMessage): string {
  return content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

export function withNote(
  result: ToolResultMessage,
  note: string,
  field: "note" | "warning" = "note",
): ToolResultMessage {
  const [first, ...rest] = result.content;
  const noted = first?.type === "text" ? inObject(first.text, note, field) : undefined;
  if (noted !== undefined) return { ...result, content: [{ type: "text", text: noted }, ...rest] };
  const remark: TextContent = { type: "text", text: note };
  return { ...result, content: [...result.content, remark] };
}

function inObject(text: string, note: string, field: string): string | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    const value: Record<string, unknown> = JSON.parse(text);
    const before = typeof value[field] === "string" ? `${value[field]} ` : "";
    return JSON.stringify({ ...value, [field]: `${before}${note}` });
  } catch {
    return undefined;
  }
}
