// Whether what a file calls a message can be used as one without further questions.
//
// A block of a kind that is not known here makes a message unusable: it is reported, rather than given to a model or
// a page with a part missing.

import { isRecord, type JsonRecord } from "@stet/protocol/json-record";

const blockChecks: Readonly<Record<string, (block: JsonRecord) => boolean>> = {
  text: (block) => typeof block.text === "string",
  image: (block) => typeof block.data === "string" && typeof block.mimeType === "string",
  thinking: (block) => typeof block.thinking === "string",
  toolCall: (block) =>
    typeof block.id === "string" && typeof block.name === "string" && isRecord(block.arguments),
};

const visibleBlocks = ["text", "image"];

const blocksByRole: Readonly<Record<string, readonly string[]>> = {
  user: visibleBlocks,
  custom: visibleBlocks,
  toolResult: visibleBlocks,
  assistant: ["text", "thinking", "toolCall"],
};

export function isKnownRole(role: string): boolean {
  return Object.hasOwn(blocksByRole, role);
}

/** Content that a person or an extension wrote: words, or words and pictures. */
export function isSpokenContent(content: unknown): boolean {
  return typeof content === "string" || areBlocks(content, visibleBlocks);
}

export function isStoredMessage(message: unknown): boolean {
  if (!isRecord(message) || typeof message.role !== "string") return false;
  const { role, content } = message;
  if (role === "user" || role === "custom") return isSpokenContent(content);
  const allowed = Object.hasOwn(blocksByRole, role) ? blocksByRole[role] : undefined;
  if (allowed === undefined || !areBlocks(content, allowed)) return false;
  if (role === "toolResult")
    return typeof message.toolCallId === "string" && typeof message.toolName === "string";
  return typeof message.provider === "string" && typeof message.model === "string";
}

function areBlocks(content: unknown, allowed: readonly string[]): boolean {
  if (!Array.isArray(content)) return false;
  return content.every((block: unknown) => {
    if (!isRecord(block) || typeof block.type !== "string" || !allowed.includes(block.type)) return false;
    return blockChecks[block.type]?.(block) ?? false;
  });
}
