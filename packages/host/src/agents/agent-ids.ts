// Names of agents that were sent: `0-Look`, and `0-Look.1-Deeper` for one that works for that. A number is given once in a
// session, also after a restart, so that no output takes another one's place.

import { readdirSync } from "node:fs";
import { mainAgent } from "@stet/protocol/events/new-event";

const part = /^(\d+)-[A-Za-z0-9_-]{1,48}$/;

/** Whether a text is a name that `allocate` could have given. */
export function isAgentId(id: string): boolean {
  return id.length <= 400 && id.split(".").every((name) => part.test(name));
}

/** Whom an agent works for. */
export function senderOf(id: string): string {
  return id.split(".").slice(0, -1).join(".") || mainAgent;
}

/** How deep it was sent: 1 by the session's own agent. */
export function depthOf(id: string): number {
  return id.split(".").length;
}

/** A child's conversation is named by its session and its own name: where its file is follows from both. */
export function childSessionId(session: string, agent: string): string {
  return `${session}~${agent}`;
}

/** Undefined for a session of a person's own. */
export function childOfSession(id: string): { readonly session: string; readonly agent: string } | undefined {
  const at = id.indexOf("~");
  return at < 0 ? undefined : { session: id.slice(0, at), agent: id.slice(at + 1) };
}

export class AgentIds {
  readonly #next = new Map<string, number>();

  /** Goes on behind the names that are known. */
  constructor(known: readonly string[] = []) {
    for (const id of known) this.note(id);
  }

  note(id: string): void {
    const names = id.split(".");
    const parent = names.slice(0, -1).join(".");
    const number = Number(part.exec(names.at(-1) ?? "")?.[1] ?? -1);
    this.#next.set(parent, Math.max(this.#next.get(parent) ?? 0, number + 1));
  }

  /** `parent` is undefined for the session's own agent. */
  allocate(wish: string, parent: string | undefined): string {
    const prefix = parent ?? "";
    const number = this.#next.get(prefix) ?? 0;
    this.#next.set(prefix, number + 1);
    const name = `${number}-${plain(wish)}`;
    return parent === undefined ? name : `${parent}.${name}`;
  }
}

/** What a model calls a task, without what no file name has. */
function plain(wish: string): string {
  const kept = wish.normalize("NFKD").replace(/[^A-Za-z0-9_-]+/g, "");
  return kept.slice(0, 48) || "Task";
}

/** Of agents that have worked in a session before: their conversations lie in its folder of artifacts. */
export function agentIdsIn(folder: string | undefined): string[] {
  if (folder === undefined) return [];
  try {
    const ids = readdirSync(folder).map((name) => name.replace(/\.(?:jsonl|md|patch)$/, ""));
    return [...new Set(ids.filter(isAgentId))];
  } catch {
    // Nothing was kept for it.
    return [];
  }
}
