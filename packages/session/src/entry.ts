// What a session file holds: a header, then entries. Version 3.
//
// Every entry has an id of 8 characters and names its parent, so that the entries form a tree. Nothing is ever
// changed or removed: a person who goes back and says something else begins a second child of the same parent.
// `turn` and `decision` tell what happened to files, so that going back can offer to take the files back too; `stop` tells
// why a turn ended early.

import type { DecisionVerdict } from "@stet/protocol/ids";
import type { ImageContent, Message, TextContent } from "@stet/protocol/message";

export const sessionVersion = 3;

export interface SessionHeader {
  readonly type: "session";
  readonly version: number;
  readonly id: string;
  /** ISO 8601, as all timestamps here. */
  readonly timestamp: string;
  readonly cwd: string;
  readonly title?: string;
  /** A title that the person gave is never replaced by a generated one. */
  readonly titleSource?: TitleSource;
  /** Where it was forked from: an id or a path, for reading only. */
  readonly parentSession?: string;
}

export type TitleSource = "auto" | "user";

interface EntryOf<Type extends string> {
  readonly type: Type;
  readonly id: string;
  /** Null for a root. */
  readonly parentId: string | null;
  readonly timestamp: string;
}

/** A message that an extension wrote as a message, found in files of this family; models get it as a user's. */
export interface ExtensionMessage {
  readonly role: "custom";
  readonly customType?: string;
  readonly content: string | readonly (TextContent | ImageContent)[];
  readonly timestamp: number;
}

export interface MessageEntry extends EntryOf<"message"> {
  readonly message: Message | ExtensionMessage;
}

export interface ModelChangeEntry extends EntryOf<"model_change"> {
  /** `provider/name`. */
  readonly model: string;
  /** What the model is used for; "default" where it is missing. */
  readonly role?: string;
}

export interface ThinkingLevelChangeEntry extends EntryOf<"thinking_level_change"> {
  readonly thinkingLevel: string;
}

export interface ServiceTierChangeEntry extends EntryOf<"service_tier_change"> {
  readonly serviceTier: string | null;
}

export interface CompactionEntry extends EntryOf<"compaction"> {
  readonly summary: string;
  readonly shortSummary?: string;
  /** Entries before this one are represented by the summary only. */
  readonly firstKeptEntryId: string;
  readonly tokensBefore: number;
  readonly details?: unknown;
  readonly preserveData?: unknown;
  readonly fromExtension?: boolean;
}

export interface BranchSummaryEntry extends EntryOf<"branch_summary"> {
  /** The entry that was returned to, or "root". */
  readonly fromId: string;
  readonly summary: string;
  readonly details?: unknown;
  readonly fromExtension?: boolean;
}

/** State of an extension. Models never see it. */
export interface CustomEntry extends EntryOf<"custom"> {
  readonly customType: string;
  readonly data?: unknown;
}

/** A message of an extension that models do see. */
export interface CustomMessageEntry extends EntryOf<"custom_message"> {
  readonly customType: string;
  readonly content: string | readonly (TextContent | ImageContent)[];
  readonly display: boolean;
  readonly details?: unknown;
  readonly attribution?: "user" | "agent";
}

export interface LabelEntry extends EntryOf<"label"> {
  readonly targetId: string;
  /** Missing: the label is taken away. */
  readonly label?: string;
}

export interface TtsrInjectionEntry extends EntryOf<"ttsr_injection"> {
  readonly injectedRules: readonly string[];
}

export interface McpToolSelectionEntry extends EntryOf<"mcp_tool_selection"> {
  readonly selectedToolNames: readonly string[];
}

export interface SessionInitEntry extends EntryOf<"session_init"> {
  readonly systemPrompt: string;
  readonly task: string;
  readonly tools: readonly string[];
  readonly outputSchema?: unknown;
}

export interface ModeChangeEntry extends EntryOf<"mode_change"> {
  readonly mode: string;
  readonly data?: unknown;
}

/** A turn that changed files. */
export interface TurnEntry extends EntryOf<"turn"> {
  readonly turnId: string;
  readonly summary: string;
  readonly files: readonly string[];
}

/** What the person decided about hunks of a turn; `reopened` where they took a decision back. */
export interface DecisionEntry extends EntryOf<"decision"> {
  readonly turnId: string;
  readonly verdict: DecisionVerdict;
  readonly hunks: readonly string[];
}

/** Why a turn ended before the model was done: a limit, an answer that was cut off, or none at all. */
export interface StopEntry extends EntryOf<"stop"> {
  readonly reason: string;
  /** As a sentence for people. */
  readonly message: string;
  /** Whether all that the turn had done was dropped. */
  readonly isDiscarded?: boolean | undefined;
}

export type SessionEntry =
  | MessageEntry
  | ModelChangeEntry
  | ThinkingLevelChangeEntry
  | ServiceTierChangeEntry
  | CompactionEntry
  | BranchSummaryEntry
  | CustomEntry
  | CustomMessageEntry
  | LabelEntry
  | TtsrInjectionEntry
  | McpToolSelectionEntry
  | SessionInitEntry
  | ModeChangeEntry
  | TurnEntry
  | StopEntry
  | DecisionEntry;

type Draft<Entry> = Entry extends SessionEntry ? Omit<Entry, "id" | "parentId" | "timestamp"> : never;

/** An entry before the session gave it an id and a parent. */
export type EntryDraft = Draft<SessionEntry>;

const hexadecimal = 16;

function randomHexadecimal(bytes: number): string {
  let text = "";
  for (const byte of crypto.getRandomValues(new Uint8Array(bytes))) {
    text += byte.toString(hexadecimal).padStart(2, "0");
  }
  return text;
}

export function newEntryId(isTaken: (id: string) => boolean): string {
  let id = randomHexadecimal(4);
  while (isTaken(id)) id = randomHexadecimal(4);
  return id;
}

export function newSessionId(): string {
  return randomHexadecimal(8);
}
