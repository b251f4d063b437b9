// Older versions of the session format, brought to version 3.
//
// 1 → 2: entries had no ids and followed one another; they become a chain. A compaction named the first entry that
//        it did not summarise by its number in the file, where the header is number 0; it names it by its id.
// 2 → 3: the role "hookMessage" is called "custom".
//
// Lines that cannot be read are copied byte for byte, and count as lines.

import { isRecord, type JsonRecord } from "@stet/protocol/json-record";
import { newEntryId, sessionVersion } from "./entry.ts";
import { parseLine } from "./entry-line.ts";

type Line = { readonly bytes: Buffer; record: Record<string, unknown> | undefined };

/** The new content of the file, line by line with their ends. */
export function migrateContent(content: Buffer): readonly Buffer[] {
  const lines = splitLines(content);
  const header = lines[0]?.record;
  const version = typeof header?.version === "number" ? header.version : 1;
  if (version < 2) linkInOrder(lines);
  for (const line of lines) renameHookMessages(line);
  if (header !== undefined) header.version = sessionVersion;
  return lines.map((line) => (line.record === undefined ? line.bytes : formatRecord(line.record)));
}

function splitLines(content: Buffer): Line[] {
  const lines: Line[] = [];
  let start = 0;
  while (start < content.length) {
    const end = content.indexOf(0x0a, start) + 1;
    const bytes = content.subarray(start, end);
    const record = parseLine(bytes.toString("utf8"));
    lines.push({ bytes, record: record === undefined ? undefined : { ...record } });
    start = end;
  }
  return lines;
}

function linkInOrder(lines: readonly Line[]): void {
  const ids = new Set<string>();
  let parentId: string | null = null;
  for (const { record } of lines.slice(1)) {
    if (record === undefined) continue;
    const id: string = typeof record.id === "string" ? record.id : newEntryId((taken) => ids.has(taken));
    ids.add(id);
    record.id = id;
    record.parentId = parentId;
    parentId = id;
  }
  for (const { record } of lines) {
    if (record?.type !== "compaction" || typeof record.firstKeptEntryIndex !== "number") continue;
    const first = lines[record.firstKeptEntryIndex]?.record;
    // One that kept nothing, or something that is gone, names itself: nothing before it is replayed.
    record.firstKeptEntryId =
      typeof first?.id === "string" && first.type !== "session" ? first.id : record.id;
    delete record.firstKeptEntryIndex;
  }
}

function renameHookMessages(line: Line): void {
  const message = line.record?.message;
  if (line.record?.type !== "message" || !isRecord(message) || message.role !== "hookMessage") return;
  line.record.message = { ...message, role: "custom" };
}

/** The order of fields that lets a head be read without parsing the line. */
function formatRecord(record: JsonRecord): Buffer {
  const { type, id, parentId, timestamp, ...content } = record;
  if (type === "session") return Buffer.from(`${JSON.stringify(record)}\n`);
  const ordered: Record<string, unknown> = { type, id, parentId, timestamp, ...content };
  if (isRecord(content.message)) ordered.message = { role: content.message.role, ...content.message };
  return Buffer.from(`${JSON.stringify(ordered)}\n`);
}
