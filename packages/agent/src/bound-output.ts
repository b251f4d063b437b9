// The one place where what a tool says to the model is bounded: 3,000 lines and 50 KB.
//
// The full text is kept as an artifact that the model can page through; the bounded text says where.

import type { ImageContent, TextContent } from "@stet/protocol/message";
import type { ToolOutcome } from "./tool.ts";

export const maxOutputLines = 3000;
export const maxOutputBytes = 50 * 1024;

/** Keeps a text and returns the address under which it can be read again. */
export type KeepArtifact = (text: string) => string;

export function boundOutput(
  content: ToolOutcome["content"],
  keep: KeepArtifact | undefined,
): (TextContent | ImageContent)[] {
  if (Array.isArray(content)) {
    return content.map((part: TextContent | ImageContent) =>
      part.type === "text" ? bounded(part.text, keep) : part,
    );
  }
  return [bounded(typeof content === "string" ? content : JSON.stringify(content), keep)];
}

function bounded(text: string, keep: KeepArtifact | undefined): TextContent {
  const lines = text.split("\n");
  const bytes = Buffer.byteLength(text);
  if (lines.length <= maxOutputLines && bytes <= maxOutputBytes) return { type: "text", text };
  const shown = firstBytes(lines.slice(0, maxOutputLines).join("\n"), maxOutputBytes);
  const shownLines = shown.split("\n").length;
  const where =
    keep === undefined ? "Ask for a smaller part." : `The full text is at ${keep(text)}; read it in parts.`;
  const note = `[Shown: the first ${shownLines} of ${lines.length} lines, ${Buffer.byteLength(shown)} of ${bytes} bytes. ${where}]`;
  return { type: "text", text: `${shown}\n${note}` };
}

/** The longest start of a text that fits, never half a character. */
function firstBytes(text: string, limit: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= limit) return text;
  let end = limit;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end).toString("utf8");
}
