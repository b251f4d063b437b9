// What a compaction keeps beside its summary: what the person asked in the part that it stands for, word for word, and the
// files that were read and changed there. An earlier compaction's share is carried over.

import type { Shortened } from "@stet/agent/compaction";
import { cutText } from "@stet/protocol/cut-text";
import { isFault } from "@stet/protocol/fault";
import type { EntryDraft, SessionEntry } from "@stet/session/entry";
import { contentText } from "@stet/session/entry-text";
import { buildContext, compactionDetails } from "@stet/session/session-context";
import type { Session } from "@stet/session/session-tree";

/** Limit in characters of all stored requests; the oldest are dropped first. */
const maxRequests = 16_000;
const maxFiles = 200;

export function compactionEntry(
  session: Session,
  { summary, shortSummary, kept, files }: Shortened,
  tokensBefore: number,
): EntryDraft {
  const { entryIds } = buildContext(session);
  const firstKeptEntryId = entryIds[entryIds.length - kept] ?? "";
  const older = entryIds.slice(0, entryIds.length - kept).map((id) => session.entry(id));
  const entries = older.filter((entry): entry is SessionEntry => !isFault(entry));
  const [before] = entries.map((entry) =>
    entry.type === "compaction" ? compactionDetails(entry) : undefined,
  );
  const modifiedFiles = joined(before?.modifiedFiles, files.modifiedFiles);
  const readFiles = joined(before?.readFiles, files.readFiles).filter(
    (path) => !modifiedFiles.includes(path),
  );
  const requests = newest([...(before?.requests ?? []), ...entries.flatMap(requestIn)]);
  return {
    type: "compaction",
    summary,
    shortSummary,
    firstKeptEntryId,
    tokensBefore,
    details: { readFiles, modifiedFiles, requests },
  };
}

function requestIn(entry: SessionEntry): string[] {
  if (entry.type !== "message" || entry.message.role !== "user") return [];
  const text = contentText(entry.message.content).trim();
  return text === "" ? [] : [text];
}

/** As many of the newest as there is room for; the last one always, cut where it is too long by itself. */
function newest(requests: readonly string[]): string[] {
  const last = requests.at(-1);
  if (last === undefined) return [];
  if (last.length > maxRequests) return [cutText(last, maxRequests)];
  const kept: string[] = [];
  let length = 0;
  for (const request of requests.toReversed()) {
    length += request.length;
    if (length > maxRequests) break;
    kept.unshift(request);
  }
  return kept;
}

function joined(before: readonly string[] = [], now: readonly string[]): string[] {
  return [...new Set([...before, ...now])].slice(-maxFiles);
}
