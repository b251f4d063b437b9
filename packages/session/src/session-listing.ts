// What a list shows of a session, from the first and the last bytes of its file.
//
// Title: that of the header, else the short summary of the last compaction. Name: title, else what was first asked,
// else the id, at most 40 characters on one line. Sessions without a message are not listed. Latest first.

import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { isFault } from "@stet/protocol/fault";
import { attempt } from "@stet/protocol/system-fault";
import { readMark } from "@stet/storage/mark";
import type { SessionEntry, SessionHeader } from "./entry.ts";
import { asEntry, asHeader, parseLine } from "./entry-line.ts";
import { contentText, oneLine } from "./entry-text.ts";
import { keepOpened, openedNames } from "./opened-sessions.ts";
import { isShorter } from "./session-mark.ts";
import { createdFromFileName, idFromFileName } from "./session-paths.ts";

export interface SessionInfo {
  readonly path: string;
  readonly id: string;
  readonly cwd: string;
  readonly title: string | undefined;
  /** For narrow columns. */
  readonly name: string;
  /** What was first asked, or "(no messages)". Its beginning, where it is long. */
  readonly firstMessage: string;
  /** Known where the file is small enough to be read whole. */
  readonly messageCount: number | undefined;
  /** Milliseconds since 1970. */
  readonly created: number;
  readonly modified: number;
  readonly bytes: number;
  readonly parentSession: string | undefined;
  /** What is wrong with the file, where a look at its beginning and its size tells. */
  readonly damage?: string;
}

const headBytes = 4096;
/** A system prompt may come before the first message. */
const longHeadBytes = 64 * 1024;
const tailBytes = 16 * 1024;
const maxFirstMessageCharacters = 1000;
const maxNameCharacters = 40;
/** So many of the latest are listed as opened where there is no list yet. */
const maxInitialOpened = 200;

/** The session files of a folder by their names alone: a name has the id, so a search by id needs no more. */
export function sessionPaths(folder: string): string[] {
  return sessionNames(folder).map((name) => join(folder, name));
}

function sessionNames(folder: string): string[] {
  const names = attempt("listed", folder, () => readdirSync(folder));
  if (isFault(names)) return [];
  // A mark without its file is a session that is gone.
  return [...new Set(names.map((name) => name.replace(/\.jsonl\.mark$/, ".jsonl")))].filter((name) =>
    name.endsWith(".jsonl"),
  );
}

export interface ListedSessionFile {
  readonly path: string;
  readonly modified: number;
}

/** The session files of a folder with their times, latest first. Every file is looked at. */
export function sessionFiles(folder: string): ListedSessionFile[] {
  return latestFirst(sessionPaths(folder));
}

/** At least so many of the latest session files, latest first; see `opened-sessions.ts`. All of them where that is not known. */
export function latestSessionFiles(folder: string, count: number): ListedSessionFile[] {
  const opened = openedNames(folder);
  if (opened === undefined || !Number.isFinite(count)) return beginList(folder);
  // Names begin with the time at which the session was created.
  const names = sessionNames(folder).sort().reverse();
  const latest = [...names.slice(0, count), ...names.slice(count).filter((name) => opened.has(name))];
  return latestFirst(latest.map((name) => join(folder, name)));
}

function beginList(folder: string): ListedSessionFile[] {
  const files = sessionFiles(folder);
  if (files.length > 0)
    keepOpened(
      folder,
      files
        .slice(0, maxInitialOpened)
        .map(({ path }) => basename(path))
        .reverse(),
    );
  return files;
}

function latestFirst(paths: readonly string[]): ListedSessionFile[] {
  const files = paths.flatMap((path) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    return { path, modified: stats?.mtimeMs ?? Date.parse(readMark(path)?.at ?? "") };
  });
  return files.sort((one, other) => other.modified - one.modified || (one.path < other.path ? 1 : -1));
}

/** Undefined where the file is not a session, or one without a message. */
export function readSessionInfo(path: string): SessionInfo | undefined {
  const info = attempt("read", path, () => {
    const descriptor = openSync(path, "r");
    try {
      return describe(path, descriptor);
    } finally {
      closeSync(descriptor);
    }
  });
  return isFault(info) ? damagedInfo(path, `the file cannot be read (${info.details.code})`) : info;
}

/** What is known of a session whose header cannot be read: its name has its id and the time at which it was created. */
function damagedInfo(
  path: string,
  damage: string,
  stats?: { size: number; mtimeMs: number },
): SessionInfo | undefined {
  const id = idFromFileName(path);
  if (id === undefined) return undefined;
  const created = createdFromFileName(path);
  return {
    path,
    id,
    cwd: "",
    title: undefined,
    name: "(damaged)",
    firstMessage: "(damaged)",
    messageCount: undefined,
    created,
    modified: stats?.mtimeMs ?? created,
    bytes: stats?.size ?? 0,
    parentSession: undefined,
    damage,
  };
}

interface Excerpt {
  readonly header: SessionHeader | undefined;
  readonly entries: readonly SessionEntry[];
  /** The line that the excerpt ends in, where it does not end at a line's end. */
  readonly cutLine: string;
}

function describe(path: string, descriptor: number): SessionInfo | undefined {
  const stats = fstatSync(descriptor);
  const { size, mtimeMs } = stats;
  const isCut = isShorter(path, size);
  const isSmall = size <= headBytes + tailBytes;
  let excerpt = readExcerpt(descriptor, isSmall ? size : headBytes);
  let firstMessage = firstUserText(excerpt);
  if (firstMessage === undefined && !isSmall) {
    excerpt = readExcerpt(descriptor, Math.min(size, longHeadBytes));
    firstMessage = firstUserText(excerpt);
  }
  const { header, entries } = excerpt;
  if (header === undefined) return damagedInfo(path, "its beginning cannot be read", stats);
  const messageCount = isSmall ? entries.filter((entry) => entry.type === "message").length : undefined;
  if (messageCount === 0 && !isCut) return undefined;
  const title = header.title ?? (isSmall ? shortSummary(entries) : shortSummaryAtEnd(descriptor, size));
  return {
    path,
    id: header.id,
    cwd: header.cwd,
    title,
    name:
      oneLine(title ?? "", maxNameCharacters) || oneLine(firstMessage ?? "", maxNameCharacters) || header.id,
    firstMessage: firstMessage?.slice(0, maxFirstMessageCharacters) ?? "(no messages)",
    messageCount,
    created: Date.parse(header.timestamp) || 0,
    modified: mtimeMs,
    bytes: size,
    parentSession: header.parentSession,
    ...(isCut ? { damage: "its end is missing" } : {}),
  };
}

function shortSummary(entries: readonly SessionEntry[]): string | undefined {
  return entries.findLast((entry) => entry.type === "compaction")?.shortSummary;
}

function shortSummaryAtEnd(descriptor: number, size: number): string | undefined {
  const lines = readText(descriptor, size - tailBytes, size).split("\n");
  // Parsing every line of every tail would take most of the time of a list.
  const compactions = lines.filter((line) => line.includes('"type":"compaction"'));
  return shortSummary(compactions.map(parseLine).flatMap((record) => (record && asEntry(record)) ?? []));
}

function readText(descriptor: number, from: number, to: number): string {
  const buffer = Buffer.allocUnsafe(to - from);
  const count = readSync(descriptor, buffer, 0, buffer.length, from);
  return buffer.toString("utf8", 0, count);
}

function readExcerpt(descriptor: number, to: number): Excerpt {
  const lines = readText(descriptor, 0, to).split("\n");
  const cutLine = lines.pop() ?? "";
  const records = lines.map(parseLine).filter((record) => record !== undefined);
  const entries = records.slice(1).flatMap((record) => asEntry(record) ?? []);
  return { header: asHeader(records[0]), entries, cutLine };
}

function firstUserText(excerpt: Excerpt): string | undefined {
  for (const entry of excerpt.entries) {
    if (entry.type !== "message" || entry.message.role !== "user") continue;
    const text = contentText(entry.message.content);
    if (text.trim() !== "") return text;
  }
  return beginningOfText(excerpt.cutLine);
}

/** The text of a user's message whose line goes on beyond what was read. */
function beginningOfText(line: string): string | undefined {
  const match = /"role":"user",.*?"(?:content|text)":"((?:[^"\\]|\\u[0-9a-fA-F]{4}|\\[^u])*)/s.exec(line);
  if (match === null) return undefined;
  const text: unknown = JSON.parse(`"${match[1]?.replace(/\ufffd+$/, "")}"`);
  return typeof text === "string" && text.trim() !== "" ? text : undefined;
}

const units: readonly (readonly [string, number])[] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

export function timeAgo(then: number, now: number = Date.now()): string {
  for (const [unit, length] of units) {
    const count = Math.floor((now - then) / length);
    if (count >= 1) return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
  }
  return "just now";
}
