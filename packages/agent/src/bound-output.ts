// The limit on a tool's output for the model, applied here only: 3,000 lines and 50 KB.
//
// The full text is stored as an artifact that the model can page through; the bounded text says where. An output that is an
// object remains valid JSON: its long texts and lists are shortened, and `left_out` says so.

import { cutTextCounted } from "@stet/protocol/cut-text";
import type { ImageContent, TextContent } from "@stet/protocol/message";
import type { ToolOutcome } from "./tool.ts";

export const maxOutputLines = 3000;
export const maxOutputBytes = 50 * 1024;

/** Stores a text and returns the address under which it can be read again. */
export type KeepArtifact = (text: string) => string;

export function boundOutput(
  content: ToolOutcome["content"],
  keep: KeepArtifact | undefined,
): (TextContent | ImageContent)[] {
  if (isParts(content)) {
    return content.map((part) => (part.type === "text" ? { ...part, ...bounded(part.text, keep) } : part));
  }
  return [typeof content === "string" ? bounded(content, keep) : boundedObject(content, keep)];
}

function isParts(content: ToolOutcome["content"]): content is readonly (TextContent | ImageContent)[] {
  return Array.isArray(content);
}

/** Texts are cut to so many characters at first, then to less. */
const longestText = 16_384;
const shortestText = 64;
const charactersPerItem = 32;

function boundedObject(
  content: Readonly<Record<string, unknown>>,
  keep: KeepArtifact | undefined,
): TextContent {
  const text = JSON.stringify(content);
  if (Buffer.byteLength(text) <= maxOutputBytes) return { type: "text", text };
  const left_out = `The answer has ${Buffer.byteLength(text)} bytes, so long parts of it were left out. ${whereOf(JSON.stringify(content, null, 1), keep)}`;
  for (let most = longestText; most >= shortestText; most /= 2) {
    const excerpt = Object.entries(content).map(([name, value]) => [name, shortened(value, most)]);
    const json = JSON.stringify({ ...Object.fromEntries(excerpt), left_out });
    if (Buffer.byteLength(json) <= maxOutputBytes) return { type: "text", text: json };
  }
  return { type: "text", text: JSON.stringify({ left_out }) };
}

function shortened(value: unknown, most: number): unknown {
  if (typeof value === "string") return cutTextCounted(value, most);
  if (Array.isArray(value))
    return value.slice(0, most / charactersPerItem).map((item) => shortened(item, most));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shortened(part, most)]));
}

function whereOf(text: string, keep: KeepArtifact | undefined): string {
  return keep === undefined
    ? "Ask for a smaller part."
    : `The full text is at ${keep(text)}; read it in parts.`;
}

function bounded(text: string, keep: KeepArtifact | undefined): TextContent {
  const lines = text.split("\n");
  const bytes = Buffer.byteLength(text);
  if (lines.length <= maxOutputLines && bytes <= maxOutputBytes) return { type: "text", text };
  const excerpt = firstBytes(lines.slice(0, maxOutputLines).join("\n"), maxOutputBytes);
  const excerptLines = excerpt.split("\n").length;
  const note = `[Shown: the first ${excerptLines} of ${lines.length} lines, ${Buffer.byteLength(excerpt)} of ${bytes} bytes. ${whereOf(text, keep)}]`;
  return { type: "text", text: `${excerpt}\n${note}` };
}

/** The longest start of a text that fits, never half a character. */
function firstBytes(text: string, limit: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= limit) return text;
  let end = limit;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end).toString("utf8");
}
