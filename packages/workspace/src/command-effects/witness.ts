// Who changed what in the folder, while turns run commands.
//
//   looking       before a command that may write, after it, and when the last process of the turn has ended. Nothing is
//                 looked at before a turn's first command
//   a turn's      what was changed while one of its processes was alive: the command itself, or what it has left running
//   the disk's    everything else; it becomes a change of origin "disk" when its document is used
//   in doubt      what turns of several sessions may have done, what somebody has open in an editor, and what was changed by
//                 a turn whose process was killed. It is kept as a turn of its own, "during" that one. Of turns of one
//                 session (a command, and one that was left in the background), it is the one that began last
//   elsewhere     what another process's turn did is entered for that turn: whoever sees a change first enters it
//
// Every change is entered with what was there before, the texts of files as documents, everything else as nodes.

import { basename, dirname } from "node:path";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { TurnId } from "@stet/protocol/ids";
import { tellIfFault } from "@stet/storage/notices";
import { savedBytes, type TurnBehind } from "../documents/disk-comparison.ts";
import type { DocumentState } from "../documents/document-state.ts";
import type { Documents } from "../documents/documents.ts";
import type { Root } from "../files/containment.ts";
import { hashBytes } from "../files/files.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { Turn } from "../turns/turns.ts";
import type { FoundChange } from "./absorb.ts";
import {
  type AtWork,
  beginWork,
  endWork,
  forgetWork,
  mayHaveMade,
  pauseWork,
  turnsAtWork,
} from "./at-work.ts";
import type { FileContents } from "./contents.ts";
import { statsOf } from "./folder-tree.ts";
import { lineOf, type Node, wordsFor } from "./node.ts";
import type { KnownNode, NodeChange, Nodes } from "./nodes.ts";
import { shownPath } from "./raw-path.ts";
import type { FoundNode, Shadow } from "./shadow.ts";
import { splitChange } from "./text-change.ts";

export interface CommandEffect {
  /** What is part of the turn now: paths of files, and what else became of which path in words. */
  readonly changed: readonly string[];
  /** What cannot be undone from here, because what was there before is not kept. */
  readonly beyondUndo: readonly string[];
  /** What could not become part of the turn, and why. */
  readonly problem?: string | undefined;
}

export const noEffect: CommandEffect = { changed: [], beyondUndo: [] };

export interface WitnessParts {
  readonly root: Root;
  readonly stateFolder: string;
  readonly ledger: Ledger;
  readonly documents: Documents;
  readonly nodes: Nodes;
  readonly contents: FileContents;
}

/** A running turn, and its effects that were not reported yet. */
interface Watched {
  readonly turn: Turn;
  readonly changed: Set<string>;
  readonly beyondUndo: Set<string>;
  problem: string | undefined;
}

interface ChangedPath {
  readonly path: string;
  readonly at: number;
  readonly isGone: boolean;
}

/** What of found changes is to be entered. */
interface Unknown {
  readonly texts: readonly FoundChange[];
  readonly others: readonly NodeChange[];
  readonly beyondUndo: readonly string[];
}

/** Whose a change is. */
interface Owner {
  readonly by: AtWork;
  readonly isInDoubt: boolean;
}

export class Witness {
  readonly #parts: WitnessParts;
  readonly #watched = new Map<string, Watched>();
  #shadow: Shadow | undefined;
  #last: Promise<unknown> = Promise.resolve();
  /** The ledger's newest entry when the last look began: what it knew by then, it may have known wrongly. */
  #lookedAt = 0;

  constructor(parts: WitnessParts) {
    this.#parts = parts;
  }

  /** A turn is about to start something that may change files. */
  async begin(turn: Turn): Promise<void> {
    const unseen = await this.#look();
    const watched = this.#watched.get(turn.id) ?? {
      turn,
      changed: new Set(),
      beyondUndo: new Set(),
      problem: undefined,
    };
    this.#watched.set(turn.id, watched);
    if (isFault(unseen)) watched.problem = unseenWords;
    this.resume(turn);
  }

  /** The turn starts something again, without anybody looking first. */
  resume(turn: Turn): void {
    const { session = null, summary = "" } = turn.options;
    beginWork(this.#parts.ledger, { turn: turn.id, session, summary });
  }

  /** From here on nothing of the turn is running. */
  pause(turn: Turn): void {
    if (this.#watched.has(turn.id)) pauseWork(this.#parts.ledger, turn.id);
  }

  /** What the turn did since this was asked last. */
  async effect(turn: Turn): Promise<CommandEffect> {
    const watched = this.#watched.get(turn.id);
    if (watched === undefined) return noEffect;
    const looked = await this.#look();
    const { changed, beyondUndo, problem } = watched;
    const effect = { changed: [...changed].toSorted(), beyondUndo: [...beyondUndo], problem };
    changed.clear();
    beyondUndo.clear();
    watched.problem = undefined;
    return isFault(looked) ? { ...effect, problem: unseenWords } : effect;
  }

  /** Every process of the turn has ended. */
  async finish(turn: Turn): Promise<void> {
    if (!this.#watched.has(turn.id)) return;
    this.pause(turn);
    tellIfFault(await this.#look(true));
    this.#watched.delete(turn.id);
    endWork(this.#parts.ledger, turn.id);
  }

  /** Finds what a turn did whose process was killed. */
  async recover(): Promise<void> {
    const { ledger } = this.#parts;
    const isLeft = ({ turn, owner }: AtWork) =>
      owner === "nobody" || (owner === "here" && !this.#watched.has(turn));
    const left = turnsAtWork(ledger).filter(isLeft);
    if (left.length === 0 || isFault(await this.#look())) return;
    for (const { turn } of left) endWork(ledger, turn);
  }

  /** The turn that changed a file at a time, for whoever finds that before the witness does; undefined for the disk. */
  turnBehind(path: string, at: number, isGone: boolean): TurnBehind | undefined {
    const owner = this.#ownerOf({ path, at, isGone }, turnsAtWork(this.#parts.ledger));
    if (owner === undefined) return undefined;
    const { by, isInDoubt } = owner;
    return { id: isInDoubt ? doubtOf(by.turn) : (by.turn as TurnId), owner: by, isInDoubt };
  }

  #look(isFresh = false): Promise<undefined | Fault> {
    const looked = this.#last.then(() => this.#lookNow(isFresh));
    this.#last = looked.catch(() => undefined);
    return looked;
  }

  async #lookNow(isFresh: boolean): Promise<undefined | Fault> {
    const { root, stateFolder, ledger } = this.#parts;
    const module = await import("./shadow.ts");
    const shadow = this.#shadow ?? module.Shadow.open({ root, stateFolder });
    if (isFault(shadow)) return shadow;
    this.#shadow = shadow;
    const started = Date.now();
    const newest = ledger.newestEntry();
    const found = await shadow.look(isFresh);
    if (isFault(found)) return found;
    const atWork = found.length === 0 ? [] : turnsAtWork(ledger);
    const groups = new Map<string, { owner: Owner; changes: FoundNode[] }>();
    for (const one of found) {
      const owner = this.#ownerOf({ path: one.path, at: one.at, isGone: one.after === null }, atWork);
      if (owner === undefined) continue;
      const name = `${owner.isInDoubt} ${owner.by.turn}`;
      const group = groups.get(name) ?? { owner, changes: [] };
      groups.set(name, group);
      group.changes.push(one);
    }
    for (const { owner, changes } of groups.values()) this.#enter(owner, changes);
    // Only now: until what was found is entered, another process that sees it has to know whose it is.
    for (const turn of this.#watched.keys()) forgetWork(ledger, turn, started);
    this.#lookedAt = newest;
    return undefined;
  }

  #ownerOf({ path, at, isGone }: ChangedPath, atWork: readonly AtWork[]): Owner | undefined {
    const candidates = mayHaveMade(atWork, at, isGone);
    const [first] = candidates;
    const isShared = candidates.some(
      (one) => one !== first && (one.session === null || one.session !== first?.session),
    );
    // What a session left in the background goes on beside its next turn, which is the likelier one.
    const ordered = isShared ? candidates : candidates.toSorted((one, other) => other.since - one.since);
    const by = ordered.find(({ turn }) => this.#watched.has(turn)) ?? ordered[0];
    if (by === undefined) return undefined;
    const isOrphan = by.owner === "nobody" || (by.owner === "here" && !this.#watched.has(by.turn));
    return { by, isInDoubt: isShared || isOrphan || this.#isBeingEdited(path, by.since) };
  }

  /** Whether an editor had the file open before the turn's first command. */
  #isBeingEdited(path: string, since: number): boolean {
    const name = basename(path);
    const locks = [`.${name}.swp`, `.${name}.swo`, `.#${name}`, `.~lock.${name}#`, `.${name}.kate-swp`];
    return locks.some((lock) => {
      const stats = statsOf(this.#parts.root.path, `${dirname(path)}/${lock}`);
      return stats ? (stats.birthtimeMs || stats.ctimeMs) < since : false;
    });
  }

  #enter({ by, isInDoubt }: Owner, changes: readonly FoundNode[]): void {
    const { ledger, documents, nodes } = this.#parts;
    const watched = isInDoubt ? undefined : this.#watched.get(by.turn);
    const session = by.session === null ? {} : { session: by.session };
    const summary = isInDoubt ? `During “${by.summary}”` : by.summary;
    const id = isInDoubt ? doubtOf(by.turn) : (by.turn as TurnId);
    const turn =
      watched?.turn ?? new Turn(ledger, documents, { ...session, summary, isImmediate: true, isInDoubt }, id);
    let unknown: Unknown = { texts: [], others: [], beyondUndo: [] };
    const absorbed = turn.absorb(
      () => {
        unknown = this.#unknownOf(changes, turn.id, watched);
        return unknown.texts;
      },
      () => nodes.absorb(turn.id, unknown.others),
    );
    const { texts, others, beyondUndo } = unknown;
    if (isInDoubt) tellIfFault(turn.commit());
    if (watched === undefined) return;
    const isPart = new Set(isFault(absorbed) ? texts.map(({ path }) => path) : absorbed);
    for (const { path } of texts)
      (isPart.has(path) ? watched.changed : watched.beyondUndo).add(shownPath(path));
    for (const { path, before, after } of others)
      watched.changed.add(`${shownPath(path)} (${wordsFor(before, after)})`);
    for (const path of beyondUndo) watched.beyondUndo.add(path);
    if (isFault(absorbed)) watched.problem = absorbed.message;
  }

  /** Without what Stet itself has written, or has found before. Only in the transaction that enters it. */
  #unknownOf(changes: readonly FoundNode[], turn: string, watched: Watched | undefined): Unknown {
    const { ledger, documents, nodes } = this.#parts;
    const texts: FoundChange[] = [];
    const others: NodeChange[] = [];
    const beyondUndo: string[] = [];
    for (const found of changes) {
      const known = nodes.known(found.path);
      const row = documents.rowAt(found.path);
      const state = row === undefined ? undefined : ledger.state(row.id);
      const { text, node } = splitChange(withSaved(found, state), { text: state, node: known }, turn);
      const unknown = text && this.#unknownText(text, state);
      if (unknown !== undefined) texts.push(unknown);
      else if (text && state && watched && state.history.changes.at(-1)?.turn === turn) {
        watched.turn.notePublished(state.id);
        watched.changed.add(shownPath(text.path));
      }
      if (node === undefined || this.#isKnown(known, node.after)) continue;
      others.push(node);
      if (!this.#isKept(found, node.before)) beyondUndo.push(shownPath(found.path));
    }
    return { texts, others, beyondUndo };
  }

  /**
   * What of a text's change the ledger does not know. Where somebody has told it of the file since the last look, maybe
   * another process, that is newer than what was seen before: the change begins there, and the file is read again.
   */
  #unknownText(text: FoundChange, state: DocumentState | undefined): FoundChange | undefined {
    if (state === undefined || state.entry <= this.#lookedAt) return text;
    if (state.savedHash === hashOf(text.after)) return isAsRead(state) ? text : undefined;
    if (state.savedHash === hashOf(text.before)) return text;
    const now = this.#parts.documents.disk.find(state.id);
    const before = savedBytes(state);
    if (isFault(now) || isFault(before) || (now.content?.hash ?? null) === state.savedHash) return undefined;
    return { ...text, before, after: now.content?.bytes ?? null };
  }

  #isKnown(known: KnownNode | undefined, after: Node | null): boolean {
    return known !== undefined && known.entry > this.#lookedAt && known.line === lineOf(after);
  }

  /** Whether what was there before can be brought back. */
  #isKept(found: FoundNode, before: Node | null): boolean {
    if (before?.kind !== "file" || before.content === undefined) return true;
    const bytes = found.before?.bytes;
    return bytes !== undefined && this.#parts.contents.keep(before.content.id, bytes);
  }

  close(): void {
    this.#shadow?.close();
    this.#shadow = undefined;
  }
}

/** Of a document, what was on disk before is known also where it is too large to be kept twice. */
function withSaved(found: FoundNode, state: DocumentState | undefined): FoundNode {
  const { before } = found;
  if (before?.node.kind !== "file" || before.bytes !== undefined || !state?.saved) return found;
  if (before.node.content?.id !== state.savedHash) return found;
  const bytes = savedBytes(state);
  return isFault(bytes) || bytes === null ? found : { ...found, before: { ...before, bytes } };
}

/** Whether the text is what somebody has read from the disk, not knowing that a turn had changed it. */
function isAsRead({ history }: DocumentState): boolean {
  const last = history.changes.at(-1);
  return last === undefined || last.origin === "disk";
}

function hashOf(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : hashBytes(bytes);
}

/** The name of the turn that holds what is in doubt about another one. */
function doubtOf(turn: string): TurnId {
  return `turn_${turn.slice("turn_".length)}_during`;
}

const unseenWords = "What the command changed could not be looked at, so it cannot be undone here.";
