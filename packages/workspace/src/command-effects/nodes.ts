// Nodes as documents of the ledger: modes, links, folders, empty files and files that are not text (see node.ts).
//
// A node's document has no path of its own, because the text of a file at that path is another document; `nodes` in the
// ledger says which path it is about. Its text is one line. What the file of a document is for others, the node on disk is
// for these: a decision is followed at once, and what somebody else did to the node meanwhile is taken over, which ends
// whatever was open.

import { ChangeSet, Text } from "@codemirror/state";
import { isFault } from "@stet/protocol/fault";
import { tellIfFault } from "@stet/storage/notices";
import { diffTexts } from "@stet/text/diff";
import { plainFormat } from "@stet/text/document";
import { changeOf } from "@stet/text/lines";
import { hasOpenPieces } from "@stet/text/pending";
import { recordCheckpoint } from "../checkpoints/checkpoint-record.ts";
import { type DocumentState, emptyState, stateFromDisk } from "../documents/document-state.ts";
import type { Documents } from "../documents/documents.ts";
import { fileText, isUnwritten } from "../documents/file-state.ts";
import { hashBytes } from "../files/files.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { isPlainFile, lineOf, type Node, nodeOf } from "./node.ts";
import type { NodeDisk } from "./node-disk.ts";
import { fromBytes, shownPath, toBytes } from "./raw-path.ts";

/** A node that somebody has changed on disk already. */
export interface NodeChange {
  readonly path: string;
  /** What is decided of it; another one than `before` only where an open change of its text has told the difference. */
  readonly base: Node | null;
  readonly before: Node | null;
  readonly after: Node | null;
  /** The turn that made the open change of its text. */
  readonly textTurn: string | undefined;
}

/** A node that stays as it is, and why, in words that follow its path. */
export interface KeptNode {
  readonly document: number;
  readonly path: string;
  readonly why: string;
}

/** What the ledger has of a node: the line that it is known to have on disk, the one that is decided, its newest entry. */
export interface KnownNode {
  readonly line: string;
  readonly base: string;
  readonly isOpen: boolean;
  readonly entry: number;
}

/** What the disk has to do to follow a document. */
export interface NodeStep {
  readonly document: number;
  readonly path: string;
  readonly from: Node | null;
  readonly to: Node | null;
}

export class Nodes {
  readonly disk: NodeDisk;
  readonly #ledger: Ledger;
  readonly #documents: Documents;

  constructor(ledger: Ledger, documents: Documents, disk: NodeDisk) {
    this.#ledger = ledger;
    this.#documents = documents;
    this.disk = disk;
  }

  pathOf(document: number): string | undefined {
    const row = this.#ledger.database.get("SELECT path FROM nodes WHERE document = ?", document);
    return row?.path instanceof Uint8Array ? fromBytes(row.path) : undefined;
  }

  documentAt(path: string): number | undefined {
    const row = this.#ledger.database.get("SELECT document FROM nodes WHERE path = ?", toBytes(path));
    return row === undefined ? undefined : Number(row.document);
  }

  /** What is decided of a node, and what it is now. */
  sides(document: number): { readonly base: Node | null; readonly current: Node | null } {
    const pending = this.#ledger.state(document)?.pending;
    const nodeIn = (text: Text | undefined) => (text === undefined ? null : nodeOf(lineIn(text)));
    return { base: nodeIn(pending?.base), current: nodeIn(pending?.current) };
  }

  /** What a node is known to be on disk; undefined where nothing is known of it. */
  known(path: string): KnownNode | undefined {
    const document = this.documentAt(path);
    const state = document === undefined ? undefined : this.#ledger.state(document);
    if (state === undefined) return undefined;
    const { pending, entry } = state;
    return { line: savedLine(state), base: lineIn(pending.base), isOpen: hasOpenPieces(pending), entry };
  }

  /** Makes what a command did to nodes a part of the turn; returns their documents. Only in a transaction. */
  absorb(turn: string, changes: readonly NodeChange[]): number[] {
    return changes.flatMap((change) => {
      const { path, base, before, after, textTurn } = change;
      const known = this.#stateOf(path, base);
      if (known === undefined) return [];
      const isText = textTurn !== undefined && hasOpenPieces(known.pending);
      const start = isText || savedLine(known) === lineOf(base) ? known : this.#reload(known, base);
      // What the text has told so far was its turn's.
      const earlier = textTurn === undefined ? start : this.#enter(start, textTurn, before);
      const last = this.#enter(earlier, turn, after);
      return last === start ? [] : [last.id];
    });
  }

  #enter(state: DocumentState, turn: string, node: Node | null): DocumentState {
    const { current } = state.pending;
    const line = lineOf(node);
    const text = textOf(line);
    if (current.eq(text)) return state;
    const changed = this.#ledger.append(state, {
      kind: "change",
      origin: "agent",
      turn,
      change: changeOf(current, diffTexts(current, text)).toJSON(),
      follows: "current",
      exists: node !== null,
    });
    const after = this.#saved(changed, line);
    recordCheckpoint(this.#ledger, turn, state, after);
    return after;
  }

  #stateOf(path: string, base: Node | null): DocumentState | undefined {
    const known = this.documentAt(path);
    const id = known ?? this.#documents.register(null, shownPath(path));
    if (isFault(id)) return undefined;
    if (known === undefined)
      this.#ledger.database.run("INSERT INTO nodes (document, path) VALUES (?, ?)", id, toBytes(path));
    const line = lineOf(base);
    const document = { text: textOf(line), format: plainFormat };
    return (
      this.#ledger.state(id) ?? (line === "" ? emptyState(id) : stateFromDisk(id, document, hashOf(line), 1))
    );
  }

  /** Somebody else has changed the node: that is what counts, and nothing of it is open. */
  #reload(state: DocumentState, node: Node | null): DocumentState {
    const { current } = state.pending;
    const line = lineOf(node);
    const change = changeOf(current, diffTexts(current, textOf(line))).toJSON();
    const hash = line === "" ? null : hashOf(line);
    return this.#ledger.append(state, { kind: "reload", change, hash, format: plainFormat });
  }

  #saved(state: DocumentState, line: string): DocumentState {
    const back = ChangeSet.empty(state.pending.current.length).toJSON();
    const hash = line === "" ? null : hashOf(line);
    return this.#ledger.append(state, { kind: "saved", side: "current", hash, back, format: plainFormat });
  }

  /** Takes over what somebody else did to nodes that are open, before these are shown or decided on. */
  compareOpen(): void {
    const rows = this.#ledger.database.all(
      "SELECT document, path FROM nodes WHERE document IN (SELECT document FROM open_reviews)",
    );
    const changed = rows.flatMap((row): [number, Node | null][] => {
      const state = this.#ledger.state(Number(row.document));
      const path = row.path instanceof Uint8Array ? fromBytes(row.path) : undefined;
      if (state === undefined || path === undefined || isUnwritten(state)) return [];
      const known = nodeOf(savedLine(state));
      const found = this.disk.read(path, hasContent(known));
      if (lineOf(found) === lineOf(known) || this.#isTexts(path, known, found)) return [];
      return [[state.id, found]];
    });
    if (changed.length === 0) return;
    const written = this.#ledger.write(() => {
      for (const [document, node] of changed) {
        const state = this.#ledger.state(document);
        if (state !== undefined) this.#reload(state, node);
      }
      return true;
    });
    tellIfFault(written);
  }

  /** Whether a file came or went with its text, which has said so itself. */
  #isTexts(path: string, known: Node | null, found: Node | null): boolean {
    if ((known ?? found) === null || (known !== null && found !== null)) return false;
    const row = this.#documents.rowAt(path);
    const state = row === undefined ? undefined : this.#ledger.state(row.id);
    return isPlainFile(known ?? found) && state !== undefined && (state.saved === null) === (found === null);
  }

  /** Documents of nodes that the disk has not followed, because a process ended in between. */
  unsettled(): number[] {
    return this.#ledger.database
      .all("SELECT document FROM nodes JOIN unsaved USING (document)")
      .map((row) => Number(row.document));
  }

  /** What of these documents the disk has to follow. */
  steps(documents: readonly number[]): NodeStep[] {
    return documents.flatMap((document) => {
      const path = this.pathOf(document);
      const state = path === undefined ? undefined : this.#ledger.state(document);
      if (path === undefined || state === undefined || !isUnwritten(state)) return [];
      const to = nodeOf(lineIn(fileText(state)));
      return [{ document, path, from: nodeOf(savedLine(state)), to }];
    });
  }

  /** The disk has followed. Only in a transaction. */
  recordDone({ document, to }: NodeStep): void {
    const state = this.#ledger.state(document);
    if (state !== undefined) this.#saved(state, lineOf(to));
  }
}

function hasContent(node: Node | null): boolean {
  return node?.kind === "file" && node.content !== undefined;
}

function textOf(line: string): Text {
  return line === "" ? Text.empty : Text.of([line, ""]);
}

function lineIn(text: Text | null): string {
  return text === null ? "" : text.line(1).text;
}

function savedLine({ saved }: DocumentState): string {
  return lineIn(saved?.text ?? null);
}

function hashOf(line: string): string {
  return hashBytes(Buffer.from(line));
}
