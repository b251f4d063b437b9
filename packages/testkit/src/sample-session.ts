// Messages and sessions for tests.

import { type Fault, isFault } from "@stet/protocol/fault";
import {
  type AssistantMessage,
  noUsage,
  type ToolResultMessage,
  type UserMessage,
} from "@stet/protocol/message";
import type { BlobStore } from "@stet/session/blob-store";
import { newSessionId, type SessionHeader } from "@stet/session/entry";
import { SessionLog } from "@stet/session/session-log";
import { Session } from "@stet/session/session-tree";

export function said(text: string): UserMessage {
  return { role: "user", content: text, timestamp: 1_760_000_000_000 };
}

export function answered(text: string): AssistantMessage {
  const content = [{ type: "text" as const, text }];
  const timestamp = 1_760_000_000_000;
  return {
    role: "assistant",
    content,
    provider: "practice",
    model: "one",
    usage: noUsage,
    stopReason: "stop",
    timestamp,
  };
}

export function resulted(toolCallId: string, text: string): ToolResultMessage {
  const content = [{ type: "text" as const, text }];
  return {
    role: "toolResult",
    toolCallId,
    toolName: "read",
    content,
    isError: false,
    timestamp: 1_760_000_000_000,
  };
}

export function sampleHeader(cwd = "/home/ada/book"): SessionHeader {
  return { type: "session", version: 3, id: newSessionId(), timestamp: "2026-02-16T10:20:30.000Z", cwd };
}

export function newSession(path?: string, blobs?: BlobStore): Session {
  return new Session(SessionLog.create(sampleHeader(), { path, blobs }));
}

export function openSession(path: string, blobs?: BlobStore): Session {
  return new Session(must(SessionLog.open(path, blobs)));
}

export function must<T>(value: T | Fault): T {
  if (isFault(value)) throw new Error(`${value.error}: ${value.message} ${value.suggestion}`);
  return value;
}
