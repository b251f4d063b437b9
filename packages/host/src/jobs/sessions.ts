// Sessions as the API knows them: what the server keeps of each (title, status, context rows) beside the conversation,
// which is a file that the terminal can go on with. A session that only the terminal knows is one here, too.

import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { Fault, isFault } from "@stet/protocol/fault";
import { sessionVersion } from "@stet/session/entry";
import { contentText, oneLine } from "@stet/session/entry-text";
import type { SessionInfo } from "@stet/session/session-listing";
import { SessionLog } from "@stet/session/session-log";
import { sessionFileName } from "@stet/session/session-paths";
import type { SessionStore } from "@stet/session/session-store";
import { Session } from "@stet/session/session-tree";
import { childOfSession, isAgentId } from "../agents/agent-ids.ts";
import type { SessionRecord, Store } from "../store/store.ts";
import { keepChoices, keptChoices, type SessionChoices } from "../turn/session-choices.ts";
import { SessionUses } from "./session-use.ts";

export interface ChatMessage {
  readonly role: "user" | "assistant" | "tool";
  readonly text: string;
  readonly ts: string;
  readonly tool?: string;
  readonly is_error?: boolean;
}

/** The newest part of a long conversation; the whole is in its file. */
const maxShownEntries = 2000;
const maxToolSummary = 500;
const maxTitle = 60;

interface Held {
  readonly session: Session;
  holders: number;
}

export class Sessions {
  readonly #store: Store;
  readonly #files: SessionStore;
  readonly #root: string;
  /** Conversations in which a job is at work. Everyone uses the same object, so that there is one leaf. */
  readonly #held = new Map<string, Held>();
  readonly #summed = new Set<string>();
  readonly uses = new SessionUses();
  /** Whether an agent works for a session now, or has since the host began; one of before has a file. */
  hasAgent: (session: string, agent: string) => boolean = () => false;

  constructor(store: Store, files: SessionStore, root: string) {
    this.#store = store;
    this.#files = files;
    this.#root = root;
  }

  async create(title = ""): Promise<SessionRecord | Fault> {
    const { header } = this.#files.create(this.#root);
    const createdAt = Date.parse(header.timestamp);
    const record: SessionRecord = {
      id: header.id,
      status: "active",
      title,
      contextRows: [],
      createdAt,
      updatedAt: createdAt,
      file: sessionFileName(header.timestamp, header.id),
    };
    return (await this.#store.putSession(record)) ?? record;
  }

  /** A session that was made from another one; it may have no file yet. */
  async adopt(session: Session): Promise<SessionRecord | Fault> {
    const { id, timestamp, title = "", parentSession } = session.header;
    const createdAt = Date.parse(timestamp);
    const choices = session.log.isOnDisk ? undefined : keptChoices(session);
    const file = sessionFileName(timestamp, id);
    return this.#put({
      ...{ id, title, createdAt, choices, parentSession, file },
      status: "active",
      contextRows: [],
      updatedAt: Date.now(),
    });
  }

  async record(id: string): Promise<SessionRecord | Fault> {
    const known = await this.#store.session(id);
    if (known !== undefined) return known;
    const child = childOfSession(id);
    if (child !== undefined) return this.#childRecord(id, child);
    // An id is no path: what lies in a folder must not pass for one of its sessions.
    if (!/^[\w-]+$/.test(id)) return unknownSession(id);
    const found = this.#files.find(id, this.#root);
    if (isFault(found) || found.where !== "here" || found.info.id !== id) return unknownSession(id);
    return recordOf(found.info);
  }

  async change(record: SessionRecord, patch: Partial<SessionRecord>): Promise<SessionRecord | Fault> {
    return this.#put({ ...record, ...patch, updatedAt: Date.now() });
  }

  /** Putting a conversation aside, or taking it back, is no use of it: it stays where it is in the list. */
  async setArchived(record: SessionRecord, isArchived: boolean): Promise<SessionRecord | Fault> {
    return this.#put({ ...record, status: isArchived ? "archived" : "active" });
  }

  /** An agent's conversation lies beside the artifacts of the session that it works for, and is in no list. */
  async #childRecord(id: string, child: { session: string; agent: string }): Promise<SessionRecord | Fault> {
    const parent = isAgentId(child.agent) ? await this.record(child.session) : unknownSession(id);
    if (isFault(parent) || parent.file === undefined) return unknownSession(id);
    const folder = basename(parent.file, ".jsonl");
    const file = join(folder, `${child.agent}.jsonl`);
    const path = join(this.#files.projectFolder(this.#root), file);
    if (!this.hasAgent(child.session, child.agent) && !existsSync(path)) return unknownSession(id);
    const { createdAt, updatedAt } = parent;
    return { id, status: "active", title: child.agent, contextRows: [], createdAt, updatedAt, file };
  }

  async #put(record: SessionRecord): Promise<SessionRecord | Fault> {
    if (childOfSession(record.id) !== undefined) return record;
    return (await this.#store.putSession(record)) ?? record;
  }

  /** A session without a title is named after the first thing that was asked in it. */
  titleFor(record: SessionRecord, instruction: string): Pick<SessionRecord, "title" | "titleSource"> {
    if (record.title !== "") return { title: record.title, titleSource: record.titleSource };
    return { title: oneLine(instruction, maxTitle), titleSource: "auto" };
  }

  /** The newest first, with those that only the terminal knows. */
  async list(limit: number): Promise<SessionRecord[]> {
    const known = await this.#store.sessions(limit);
    const ids = new Set(known.map(({ id }) => id));
    const others = this.#files.recent(this.#root, limit).filter((info) => !ids.has(info.id));
    return [...known, ...others.map(recordOf)]
      .sort((one, other) => other.updatedAt - one.updatedAt)
      .slice(0, limit);
  }

  open(record: SessionRecord): Session | Fault {
    const held = this.#held.get(record.id);
    if (held !== undefined) return held.session;
    const timestamp = new Date(record.createdAt).toISOString();
    const name = record.file ?? sessionFileName(timestamp, record.id);
    const path = join(this.#files.projectFolder(this.#root), name);
    if (existsSync(path)) return this.#files.open(path);
    // A search by id lists the whole folder, so it is left to records that do not name their file.
    const found = record.file === undefined ? this.#files.find(record.id, this.#root) : undefined;
    if (found !== undefined && !isFault(found) && found.info.id === record.id)
      return this.#files.open(found.info.path);
    // Nothing was answered in it yet, so it has no file.
    const { title: words, titleSource = "user" } = record;
    const title = words === "" ? {} : { title: words, titleSource };
    const header = {
      type: "session",
      version: sessionVersion,
      id: record.id,
      timestamp,
      cwd: this.#root,
      ...(record.parentSession === undefined ? {} : { parentSession: record.parentSession }),
    } as const;
    const session = new Session(
      SessionLog.create({ ...header, ...title }, { path, blobs: this.#files.blobs }),
    );
    return keepChoices(session, record.choices ?? {}) ?? session;
  }

  /** Chooses for the next turns. A session without a file keeps it in its record until there is one. */
  async choose(record: SessionRecord, choices: SessionChoices): Promise<SessionChoices | Fault> {
    const session = this.open(record);
    if (isFault(session)) return session;
    const fault = keepChoices(session, choices);
    if (fault !== undefined) return fault;
    if (session.log.isOnDisk) return keptChoices(session);
    const changed = await this.#put({ ...record, choices: { ...record.choices, ...choices } });
    return isFault(changed) ? changed : keptChoices(session);
  }

  /** Opens a conversation for a job; it is the same for all until it is released. */
  hold(record: SessionRecord): { session: Session; release: () => void } | Fault {
    const session = this.open(record);
    if (isFault(session)) return session;
    const held = this.#held.get(record.id) ?? { session, holders: 0 };
    held.holders += 1;
    this.#held.set(record.id, held);
    const release = () => {
      held.holders -= 1;
      if (held.holders === 0) this.#held.delete(record.id);
    };
    return { session, release };
  }

  /** Whether a job of this process works in it now. */
  isHeld(id: string): boolean {
    return this.#held.has(id);
  }

  /** Holds a conversation while its older part is summed up. Nothing may be said meanwhile: what is kept is counted from its end. */
  async whileSummed<T>(record: SessionRecord, action: (session: Session) => Promise<T>): Promise<T | Fault> {
    const held = this.hold(record);
    if (isFault(held)) return held;
    this.#summed.add(record.id);
    try {
      return await action(held.session);
    } finally {
      this.#summed.delete(record.id);
      held.release();
    }
  }

  isSummed(id: string): boolean {
    return this.#summed.has(id);
  }

  /** The title is in the file, too, where the terminal finds it. One that is made does not replace the person's. */
  async rename(
    record: SessionRecord,
    title: string,
    titleSource: "user" | "auto",
  ): Promise<SessionRecord | Fault> {
    const session = this.open(record);
    if (isFault(session)) return session;
    if (titleSource === "auto" && isPersons(record, session)) return record;
    return session.rename(title, titleSource) ?? this.change(record, { title, titleSource });
  }

  chat(session: Session): ChatMessage[] {
    const slots = session.pathSlots().filter((slot) => slot.head.type === "message");
    return session.log.read(slots.slice(-maxShownEntries)).flatMap((entry) => {
      if (isFault(entry) || entry.type !== "message") return [];
      const { message, timestamp: ts } = entry;
      if (message.role === "custom") return [];
      const text = contentText(message.content);
      if (message.role === "toolResult") {
        const { toolName: tool, isError: is_error } = message;
        return { role: "tool" as const, text: text.slice(0, maxToolSummary), ts, tool, is_error };
      }
      return text === "" ? [] : { role: message.role, text, ts };
    });
  }

  /** A conversation by its id, with what a job at work has in memory of it. */
  async find(id: string): Promise<Session | Fault> {
    const record = await this.record(id);
    return isFault(record) ? record : this.open(record);
  }
}

/** Whether the person gave the title. */
function isPersons({ title, titleSource = "user" }: SessionRecord, { log, header }: Session): boolean {
  return log.isOnDisk ? header.titleSource === "user" : title !== "" && titleSource === "user";
}

function recordOf({ id, title, name, created, modified, path }: SessionInfo): SessionRecord {
  return {
    id,
    status: "active",
    title: title ?? name,
    contextRows: [],
    createdAt: created,
    updatedAt: Math.round(modified),
    file: basename(path),
  };
}

export function unknownSession(id: string): Fault {
  return new Fault(
    "session_not_found",
    `There is no session ${id} in this folder.`,
    "List the sessions to see which there are, or create one.",
    { session_id: id },
  );
}
