// What the model gets: the messages on the path from the root to the leaf, and the state that the path leads to.
//
// With a compaction on the path (the last one counts) the messages are: its summary, the entries from
// `firstKeptEntryId` up to it, the entries after it. Only these are read from the file.
// Summaries and messages of extensions become messages of the user; all other entries only change the state.

import { readFileSync } from "node:fs";
import { type Fault, isFault } from "@stet/protocol/fault";
import { isRecord } from "@stet/protocol/json-record";
import type { Message, UserMessage } from "@stet/protocol/message";
import type { CompactionEntry, SessionEntry } from "./entry.ts";
import type { EntrySlot } from "./entry-index.ts";
import type { Session } from "./session-tree.ts";

export interface SessionContext {
  readonly messages: readonly Message[];
  /** For each message the entry that it comes from. */
  readonly entryIds: readonly string[];
  /** "off" where it was never set. */
  readonly thinkingLevel: string;
  /** Undefined where it was never set; null where it was set to none. */
  readonly serviceTier: string | null | undefined;
  /** `provider/name` by use; `default` is that of the last answer where none was chosen. */
  readonly models: Readonly<Record<string, string>>;
  readonly injectedTtsrRules: readonly string[];
  readonly selectedMcpToolNames: readonly string[] | undefined;
  /** "none" where it was never set. */
  readonly mode: string;
  readonly modeData: unknown;
  /** Entries on the path that could not be read, and so are missing above. */
  readonly unreadable: readonly Fault[];
}

const spokenTypes: ReadonlySet<string> = new Set(["message", "custom_message", "branch_summary"]);
const lastCounts: ReadonlySet<string> = new Set([
  "thinking_level_change",
  "service_tier_change",
  "mcp_tool_selection",
  "mode_change",
]);
const allCount: ReadonlySet<string> = new Set(["model_change", "ttsr_injection"]);

/** `leafId`: null for nothing at all; one that is not there, or undefined, means the last entry. */
export function buildContext(
  session: Session,
  leafId: string | null | undefined = session.leafId,
): SessionContext {
  const { log } = session;
  const isKnown = typeof leafId === "string" && log.index.get(leafId) !== undefined;
  const leaf = leafId === null || isKnown ? leafId : (log.index.slots.at(-1)?.head.id ?? null);
  const path = session.pathSlots(leaf);
  const unreadable: Fault[] = [];
  const read = (slots: readonly EntrySlot[]): SessionEntry[] => {
    const entries: SessionEntry[] = [];
    for (const entry of log.read(slots)) {
      if (!isFault(entry)) entries.push(entry);
      else if (!unreadable.some((known) => known.message === entry.message)) unreadable.push(entry);
    }
    return entries;
  };
  const spoken = readSpoken(path, read);
  return { ...spoken, ...readState(path, read), unreadable };
}

type Read = (slots: readonly EntrySlot[]) => SessionEntry[];

function readSpoken(path: readonly EntrySlot[], read: Read): { messages: Message[]; entryIds: string[] } {
  const boundary = path.findLastIndex((slot) => slot.head.type === "compaction");
  const [compaction] = boundary < 0 ? [] : read(path.slice(boundary, boundary + 1));
  const messages: Message[] = [];
  const entryIds: string[] = [];
  let wanted = path;
  if (compaction?.type === "compaction") {
    wanted = entriesAfter(path, boundary, compaction);
    messages.push(compactionMessage(compaction));
    entryIds.push(compaction.id);
  }
  for (const entry of read(wanted.filter((slot) => spokenTypes.has(slot.head.type)))) {
    const message = messageOf(entry);
    if (message === undefined) continue;
    messages.push(message);
    entryIds.push(entry.id);
  }
  return { messages, entryIds };
}

export interface CompactionDetails {
  readonly readFiles: readonly string[];
  readonly modifiedFiles: readonly string[];
  /** What the person asked in the part that was left out, word for word. */
  readonly requests: readonly string[];
}

/** Other writers keep other details, or none. */
export function compactionDetails({ details }: CompactionEntry): CompactionDetails {
  const listed = (name: string): string[] => {
    const list = isRecord(details) ? details[name] : undefined;
    return Array.isArray(list) ? list.filter((item) => typeof item === "string") : [];
  };
  return {
    readFiles: listed("readFiles"),
    modifiedFiles: listed("modifiedFiles"),
    requests: listed("requests"),
  };
}

function compactionMessage(compaction: CompactionEntry): UserMessage {
  const { readFiles, modifiedFiles, requests } = compactionDetails(compaction);
  const parts = [compaction.summary];
  if (modifiedFiles.length > 0) parts.push(`Files changed: ${modifiedFiles.join(", ")}`);
  if (readFiles.length > 0) parts.push(`Files read: ${readFiles.join(", ")}`);
  if (requests.length > 0)
    parts.push(["What the person asked, word for word:", ...requests.map((text) => `- ${text}`)].join("\n"));
  return summaryMessage("compaction-summary.md", parts.join("\n\n"), compaction.timestamp);
}

function entriesAfter(
  path: readonly EntrySlot[],
  boundary: number,
  compaction: CompactionEntry,
): EntrySlot[] {
  const first = path.findIndex((slot) => slot.head.id === compaction.firstKeptEntryId);
  const recent = first < 0 || first > boundary ? [] : path.slice(first, boundary);
  return [...recent, ...path.slice(boundary + 1)];
}

function messageOf(entry: SessionEntry): Message | undefined {
  if (entry.type === "branch_summary") {
    return summaryMessage("branch-summary.md", entry.summary, entry.timestamp);
  }
  if (entry.type === "custom_message") {
    return { role: "user", content: entry.content, timestamp: Date.parse(entry.timestamp) || 0 };
  }
  if (entry.type !== "message") return undefined;
  const { message } = entry;
  if (message.role !== "custom") return message;
  return { role: "user", content: message.content, timestamp: message.timestamp };
}

const templates = new Map<string, string>();

function summaryMessage(name: string, summary: string, timestamp: string): UserMessage {
  let template = templates.get(name);
  if (template === undefined) {
    template = readFileSync(new URL(name, import.meta.url), "utf8").trim();
    templates.set(name, template);
  }
  const content = template.replace("{{summary}}", () => summary);
  return { role: "user", content, timestamp: Date.parse(timestamp) || 0 };
}

type State = Omit<SessionContext, "messages" | "entryIds" | "unreadable">;

function readState(path: readonly EntrySlot[], read: Read): State {
  const latest = new Map<string, EntrySlot>();
  const wanted: EntrySlot[] = [];
  for (const slot of path) {
    const { type, role } = slot.head;
    if (lastCounts.has(type)) latest.set(type, slot);
    if (allCount.has(type)) wanted.push(slot);
    if (role === "assistant") latest.set("answer", slot);
  }
  // Model changes come after the last answer here: one that was chosen wins over the one that answered.
  return stateOf(read([...latest.values(), ...wanted]));
}

function stateOf(entries: readonly SessionEntry[]): State {
  let thinkingLevel = "off";
  let serviceTier: string | null | undefined;
  let mode = "none";
  let modeData: unknown;
  let selectedMcpToolNames: readonly string[] | undefined;
  const rules = new Set<string>();
  const models: Record<string, string> = {};
  for (const entry of entries) {
    if (entry.type === "thinking_level_change") thinkingLevel = entry.thinkingLevel;
    else if (entry.type === "service_tier_change") serviceTier = entry.serviceTier;
    else if (entry.type === "mcp_tool_selection") selectedMcpToolNames = entry.selectedToolNames;
    else if (entry.type === "model_change") models[entry.role ?? "default"] = entry.model;
    else if (entry.type === "ttsr_injection") for (const rule of entry.injectedRules) rules.add(rule);
    if (entry.type === "mode_change") {
      mode = entry.mode;
      modeData = entry.data;
    }
    if (entry.type === "message" && entry.message.role === "assistant") {
      models.default = `${entry.message.provider}/${entry.message.model}`;
    }
  }
  const injectedTtsrRules = [...rules];
  return { thinkingLevel, serviceTier, models, injectedTtsrRules, selectedMcpToolNames, mode, modeData };
}
