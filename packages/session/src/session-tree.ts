// A session as a tree with a leaf: the entry after which the conversation goes on.
//
// Appending makes a child of the leaf and moves the leaf there. Going back only moves the leaf; nothing is
// rewritten. When a session is opened, its leaf is the last entry of the file.

import { Fault, isFault } from "@stet/protocol/fault";
import type { Message } from "@stet/protocol/message";
import type { EntryDraft, SessionEntry, SessionHeader, TitleSource, TurnEntry } from "./entry.ts";
import type { EntryIndex, EntrySlot } from "./entry-index.ts";
import type { EntryHead } from "./entry-line.ts";
import { contentText } from "./entry-text.ts";
import type { Damage } from "./line-scan.ts";
import type { SessionLog } from "./session-log.ts";

export interface SessionTreeNode {
  readonly head: EntryHead;
  readonly label: string | undefined;
  /** Oldest first. */
  readonly children: SessionTreeNode[];
}

/** What a move of the leaf leaves behind. */
export interface Abandoned {
  readonly commonAncestorId: string | null;
  /** From the common ancestor, not included, to the old leaf. */
  readonly entryIds: readonly string[];
}

export interface SummaryOptions {
  readonly details?: unknown;
  readonly fromExtension?: boolean;
}

/** What Stet notes after an answer; it belongs to the answer's turn. */
const notedTypes: ReadonlySet<string> = new Set(["turn", "stop", "decision"]);

export class Session {
  readonly log: SessionLog;
  #leaf: string | null;
  readonly #labels = new Map<string, string>();
  /** The labels tell of this index, up to this many entries of it. */
  #labelled: { index: EntryIndex | undefined; count: number } = { index: undefined, count: 0 };

  constructor(log: SessionLog) {
    this.log = log;
    this.#leaf = log.index.slots.at(-1)?.head.id ?? null;
  }

  get header(): SessionHeader {
    return this.log.header;
  }

  get leafId(): string | null {
    return this.#leaf;
  }

  get damage(): readonly Damage[] {
    return this.log.damage;
  }

  append(draft: EntryDraft): SessionEntry | Fault {
    const entries = this.appendAll([draft]);
    if (isFault(entries)) return entries;
    const [entry] = entries;
    if (entry === undefined) throw new Error("an append of one entry returned none");
    return entry;
  }

  /** Several entries with one write and one sync. All are stored or none. */
  appendAll(drafts: readonly EntryDraft[]): readonly SessionEntry[] | Fault {
    const entries = this.log.append(drafts, this.#leaf);
    if (!isFault(entries)) this.#leaf = entries.at(-1)?.id ?? this.#leaf;
    return entries;
  }

  appendMessage(message: Message): SessionEntry | Fault {
    return this.append({ type: "message", message });
  }

  branch(entryId: string): Fault | undefined {
    if (this.log.index.get(entryId) === undefined) return unknownEntry(entryId);
    this.#leaf = entryId;
    return undefined;
  }

  /** The next entry becomes a root. */
  resetLeaf(): void {
    this.#leaf = null;
  }

  /** Goes back and tells there what happened on the path that is left. On a fault the leaf stays where it was. */
  branchWithSummary(
    entryId: string | null,
    summary: string,
    options: SummaryOptions = {},
  ): SessionEntry | Fault {
    if (entryId !== null && this.log.index.get(entryId) === undefined) return unknownEntry(entryId);
    const draft = { type: "branch_summary" as const, fromId: entryId ?? "root", summary, ...options };
    const entries = this.log.append([draft], entryId);
    if (isFault(entries)) return entries;
    const [entry] = entries;
    if (entry === undefined) throw new Error("an append of one entry returned none");
    this.#leaf = entry.id;
    return entry;
  }

  /** An empty or missing label takes the label away. */
  setLabel(targetId: string, label?: string): SessionEntry | Fault {
    if (this.log.index.get(targetId) === undefined) return unknownEntry(targetId);
    return this.append({ type: "label", targetId, ...(label ? { label } : {}) });
  }

  label(entryId: string): string | undefined {
    this.#readLabels();
    return this.#labels.get(entryId);
  }

  #readLabels(): void {
    const { index } = this.log;
    if (this.#labelled.index !== index) {
      this.#labels.clear();
      this.#labelled = { index, count: 0 };
    }
    if (this.#labelled.count === index.slots.length) return;
    const added = index.slots.slice(this.#labelled.count).filter((slot) => slot.head.type === "label");
    this.#labelled.count = index.slots.length;
    for (const entry of this.log.read(added)) {
      if (isFault(entry) || entry.type !== "label") continue;
      if (entry.label === undefined) this.#labels.delete(entry.targetId);
      else this.#labels.set(entry.targetId, entry.label);
    }
  }

  entry(entryId: string): SessionEntry | Fault {
    const slot = this.log.index.get(entryId);
    return (slot === undefined ? undefined : this.log.read([slot])[0]) ?? unknownEntry(entryId);
  }

  /** All entries in the order of the file. */
  entries(): readonly (SessionEntry | Fault)[] {
    return this.log.read(this.log.index.slots);
  }

  /** From the root to the entry, or to the leaf. */
  path(entryId: string | null = this.#leaf): readonly (SessionEntry | Fault)[] {
    return this.log.read(this.pathSlots(entryId));
  }

  pathSlots(entryId: string | null = this.#leaf): readonly EntrySlot[] {
    return entryId === null ? [] : this.log.index.path(entryId);
  }

  /** Null for the roots. Oldest first. */
  children(entryId: string | null): readonly EntryHead[] {
    return this.log.index.children(entryId).map((slot) => slot.head);
  }

  tree(): readonly SessionTreeNode[] {
    const { index } = this.log;
    const roots: SessionTreeNode[] = [];
    const nodes = new Map<EntrySlot, SessionTreeNode>();
    for (const slot of index.slots) {
      const node = { head: slot.head, label: this.label(slot.head.id), children: [] };
      nodes.set(slot, node);
      const parent = index.parentOf(slot);
      const siblings = parent === undefined ? roots : (nodes.get(parent)?.children ?? roots);
      siblings.push(node);
    }
    return roots;
  }

  /** What would be left behind if the leaf moved there. */
  abandonedBy(newLeafId: string | null): Abandoned {
    const shared = new Set(this.pathSlots(newLeafId));
    const path = this.pathSlots();
    const left = path.filter((slot) => !shared.has(slot));
    const commonAncestorId = path.findLast((slot) => shared.has(slot))?.head.id ?? null;
    return { commonAncestorId, entryIds: left.map((slot) => slot.head.id) };
  }

  /** Turns whose files a person may want back when the leaf moves there, newest first. */
  abandonedTurns(newLeafId: string | null): readonly TurnEntry[] {
    const slots = this.abandonedBy(newLeafId).entryIds.flatMap((id) => this.log.index.get(id) ?? []);
    const turns = this.log.read(slots.filter((slot) => slot.head.type === "turn"));
    return turns.flatMap((entry) => (!isFault(entry) && entry.type === "turn" ? [entry] : [])).reverse();
  }

  /** Where choosing an entry leads: what a person said is taken back to be said again, anything else is the new leaf. */
  destination(entryId: string): { leafId: string | null; prefill: string | undefined } | Fault {
    const entry = this.entry(entryId);
    if (isFault(entry)) return entry;
    const slot = this.log.index.get(entryId);
    const parentId = (slot === undefined ? undefined : this.log.index.parentOf(slot))?.head.id ?? null;
    if (entry.type === "message" && entry.message.role === "user") {
      return { leafId: parentId, prefill: contentText(entry.message.content) };
    }
    if (entry.type === "custom_message") return { leafId: parentId, prefill: contentText(entry.content) };
    return { leafId: this.#withItsTurn(entryId), prefill: undefined };
  }

  /** The last of the notes right after an entry: going on after an answer includes the notes of its turn. */
  #withItsTurn(entryId: string): string {
    const { index } = this.log;
    const notedAfter = (id: string) =>
      index.children(id).find(({ head }) => notedTypes.has(head.type))?.head.id;
    let last = entryId;
    for (let next = notedAfter(last); next !== undefined; next = notedAfter(last)) last = next;
    return last;
  }

  /** Reads what other processes appended since. The leaf does not move. */
  refresh(): Fault | undefined {
    return this.log.refresh();
  }

  rename(title: string, source: TitleSource): Fault | undefined {
    return this.log.rename(title, source);
  }
}

function unknownEntry(entryId: string): Fault {
  return new Fault(
    "unknown_entry",
    `This session has no entry ${entryId}.`,
    "Show the session as a tree to see its entries.",
    { entryId },
  );
}
