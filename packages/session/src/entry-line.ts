// One entry as one line of JSON.
//
// A line ends at "\n" and nowhere else; JSON escapes that character inside strings, so a line never holds one.
// `type`, `id`, `parentId`, `timestamp` and a message's `role` come first, in this order: the head of a line can
// then be read without parsing its content. Lines of other writers may have another order and are parsed whole.
// A kind of entry that is not known here is read as `custom`, so that it keeps its position in the tree.

import { isRecord, type JsonRecord } from "@stet/protocol/json-record";
import type { SessionEntry, SessionHeader } from "./entry.ts";
import { isKnownRole, isSpokenContent, isStoredMessage } from "./message-check.ts";

/** What the tree needs to know of an entry. */
export interface EntryHead {
  readonly type: string;
  readonly id: string;
  readonly parentId: string | null;
  /** Of a message. */
  readonly role: string | undefined;
}

export function formatEntry(entry: SessionEntry): string {
  const { type, id, parentId, timestamp, ...content } = entry;
  if (entry.type === "message") {
    const { role, ...rest } = entry.message;
    return JSON.stringify({ type, id, parentId, timestamp, message: { role, ...rest } });
  }
  return JSON.stringify({ type, id, parentId, timestamp, ...content });
}

const headPattern =
  /^\{"type":"([a-z_]+)","id":"([^"\\]{1,64})","parentId":(?:null|"([^"\\]{1,64})"),"timestamp":"[^"\\]*"(?:,"message":\{"role":"([a-zA-Z]+)")?/;

/** How many bytes of a line are enough to read a head in the usual order. */
export const headBytes = 288;

/** Reads the beginning of a line; undefined where the line has to be parsed whole. */
export function quickHead(beginning: string): EntryHead | undefined {
  const match = headPattern.exec(beginning);
  if (match === null) return undefined;
  const [, type, id, parentId, role] = match;
  if (type === undefined || id === undefined || type === "session") return undefined;
  if (type === "message" && role === undefined) return undefined;
  return { type, id, parentId: parentId ?? null, role };
}

/** The line as JSON, or undefined where it is damaged. */
export function parseLine(text: string): JsonRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function headOf(record: JsonRecord): EntryHead | undefined {
  const { type, id, parentId, message } = record;
  if (typeof type !== "string" || typeof id !== "string" || id === "") return undefined;
  if (parentId !== null && parentId !== undefined && typeof parentId !== "string") return undefined;
  const role = isRecord(message) && typeof message.role === "string" ? message.role : undefined;
  return { type, id, parentId: parentId ?? null, role };
}

export function asHeader(record: JsonRecord | undefined): SessionHeader | undefined {
  if (record === undefined || record.type !== "session" || typeof record.id !== "string") return undefined;
  const { title, titleSource, parentSession } = record;
  return {
    type: "session",
    version: typeof record.version === "number" ? record.version : 1,
    id: record.id,
    timestamp: typeof record.timestamp === "string" ? record.timestamp : new Date(0).toISOString(),
    cwd: typeof record.cwd === "string" ? record.cwd : "",
    ...(typeof title === "string" ? { title } : {}),
    ...(titleSource === "auto" || titleSource === "user" ? { titleSource } : {}),
    ...(typeof parentSession === "string" ? { parentSession } : {}),
  };
}

function isStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/** What each kind of entry must hold to be used without further questions. */
const contentChecks: Readonly<Record<SessionEntry["type"], (record: JsonRecord) => boolean>> = {
  message: (record) => isStoredMessage(record.message),
  model_change: (record) => typeof record.model === "string",
  thinking_level_change: (record) => typeof record.thinkingLevel === "string",
  service_tier_change: (record) => record.serviceTier === null || typeof record.serviceTier === "string",
  compaction: (record) => typeof record.summary === "string" && typeof record.firstKeptEntryId === "string",
  branch_summary: (record) => typeof record.summary === "string" && typeof record.fromId === "string",
  custom: (record) => typeof record.customType === "string",
  custom_message: (record) => typeof record.customType === "string" && isSpokenContent(record.content),
  label: (record) =>
    typeof record.targetId === "string" && (record.label === undefined || typeof record.label === "string"),
  ttsr_injection: (record) => isStrings(record.injectedRules),
  mcp_tool_selection: (record) => isStrings(record.selectedToolNames),
  session_init: (record) => typeof record.systemPrompt === "string" && typeof record.task === "string",
  mode_change: (record) => typeof record.mode === "string",
  turn: (record) =>
    typeof record.turnId === "string" && typeof record.summary === "string" && isStrings(record.files),
  stop: (record) => typeof record.reason === "string" && typeof record.message === "string",
  decision: (record) =>
    typeof record.turnId === "string" && typeof record.verdict === "string" && isStrings(record.hunks),
};

function isKnownType(type: string): type is SessionEntry["type"] {
  return Object.hasOwn(contentChecks, type);
}

function isEntry(record: JsonRecord): record is JsonRecord & SessionEntry {
  return typeof record.type === "string" && isKnownType(record.type) && contentChecks[record.type](record);
}

/** The entry that a line holds, or undefined where it is damaged or lacks what its kind needs. */
export function asEntry(record: JsonRecord): SessionEntry | undefined {
  const head = headOf(record);
  if (head === undefined) return undefined;
  if (isEntry(record)) return withSignatures(record);
  // A message of a role that only its writer knew is foreign in the same way as a kind of entry.
  const isForeignMessage = head.type === "message" && head.role !== undefined && !isKnownRole(head.role);
  if (isKnownType(head.type) && !isForeignMessage) return undefined;
  const timestamp = typeof record.timestamp === "string" ? record.timestamp : new Date(0).toISOString();
  const { id, parentId } = head;
  return { type: "custom", id, parentId, timestamp, customType: `foreign:${head.type}`, data: record };
}

/** Other writers call a thought's signature `thinkingSignature`. Without it a model refuses to get the thought back. */
function withSignatures(entry: SessionEntry): SessionEntry {
  if (entry.type !== "message" || entry.message.role !== "assistant") return entry;
  const { message } = entry;
  if (!message.content.some((block) => "thinkingSignature" in block)) return entry;
  const content = message.content.map((block) =>
    block.type === "thinking" && "thinkingSignature" in block && typeof block.thinkingSignature === "string"
      ? { type: block.type, thinking: block.thinking, signature: block.thinkingSignature }
      : block,
  );
  return { ...entry, message: { ...message, content } };
}
