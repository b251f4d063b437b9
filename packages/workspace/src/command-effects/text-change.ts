// A found change, split into what it is for the ledger: a change of a text, and one of a node.
//
// Text and node of a path are two documents, and what is at the path follows from both, before and after alike:
//
//   the node is a folder, a link, a file that is not text      that is what is there
//   there is a text                                            a file with it; the node has its mode, where there is one
//   there is none, or an empty one                             what the node says: an empty file, or nothing
//
// Most changes of files need no node: while none is open, the text alone tells whether the file exists. It cannot tell an
// empty file from none on both sides, nor a mode, nor anything that is no text. From the first such change on, until it is
// decided, the node is kept for every change; it then begins with what the text alone had told so far.

import { isFault } from "@stet/protocol/fault";
import { decodeDocument } from "@stet/text/document";
import { isOpen } from "@stet/text/pending";
import type { DocumentState } from "../documents/document-state.ts";
import { hasFile } from "../documents/file-state.ts";
import type { FoundChange } from "./absorb.ts";
import { isPlainFile, lineOf, type Node, nodeOf } from "./node.ts";
import type { KnownNode, NodeChange } from "./nodes.ts";
import { isPlain } from "./raw-path.ts";
import type { FoundNode, Seen } from "./shadow.ts";

export interface SplitChange {
  readonly text: FoundChange | undefined;
  readonly node: NodeChange | undefined;
}

/** What the ledger has of a path. */
export interface KnownPath {
  readonly text: DocumentState | undefined;
  readonly node: KnownNode | undefined;
}

/** What is at a path beside its text, and whether that is an empty file. */
interface Side {
  readonly node: Node | null;
  readonly isEmpty: boolean;
}

/** A longer text is a document only where it is one already. */
const maxTextBytes = 1024 ** 2;

export function splitChange(found: FoundNode, known: KnownPath, turn: string): SplitChange {
  const { path } = found;
  const maxBytes = known.text !== undefined ? Number.MAX_SAFE_INTEGER : maxTextBytes;
  const texts = [textIn(path, found.before, maxBytes), textIn(path, found.after, maxBytes)] as const;
  const [before, after] = [sideOf(found.before, texts[0]), sideOf(found.after, texts[1])];
  const isDocument = known.text !== undefined || texts.some((text) => text !== null && text.length > 0);
  const text =
    isDocument && !isSame(...texts)
      ? { path, before: texts[0], after: texts[1], ...modeOf(found.before), decided: decidedFile(known) }
      : undefined;
  const turns = known.text?.pending.pieces.filter(isOpen).flatMap((piece) => piece.turns) ?? [];
  const base = turns.length > 0 && known.text ? decidedSide(known.text, before, after) : before;
  const isKept = known.node?.isOpen
    ? lineOf(before.node) !== lineOf(after.node)
    : needsNode(
        base,
        before,
        after,
        turns.every((one) => one === turn),
      );
  const node = { path, base: base.node, before: before.node, after: after.node, textTurn: turns.at(-1) };
  return { text, node: isKept ? node : undefined };
}

/** The text has to know of an empty file that is decided: its node is not open any more when there is a file again. */
function decidedFile({ text, node }: KnownPath): "empty file" | undefined {
  const isEmpty = node?.isOpen === true && isPlainFile(nodeOf(node.base));
  return isEmpty && (text === undefined || !hasFile(text, "base")) ? "empty file" : undefined;
}

/** Null where there is no file, or one that is no document. */
function textIn(path: string, seen: Seen | null, maxBytes: number): Uint8Array | null {
  if (seen?.node.kind !== "file" || seen.bytes === undefined || !isPlain(path)) return null;
  if (seen.bytes.length > maxBytes || isFault(decodeDocument(seen.bytes))) return null;
  return seen.bytes;
}

function sideOf(seen: Seen | null, text: Uint8Array | null): Side {
  if (seen?.node.kind !== "file" || text === null) return { node: seen?.node ?? null, isEmpty: false };
  return { node: { ...seen.node, content: undefined }, isEmpty: text.length === 0 };
}

/** What is decided of a path whose text is open, while no node is: the file with its mode, or none. */
function decidedSide(text: DocumentState, before: Side, after: Side): Side {
  const { pending, file } = text;
  const isEmpty = pending.base.length === 0;
  if (!hasFile(text, "base")) return { node: null, isEmpty: false };
  if (isPlainFile(before.node)) return { node: before.node, isEmpty };
  const { mode } = file;
  if (mode === null) return { node: isPlainFile(after.node) ? after.node : before.node, isEmpty };
  return { node: { kind: "file", mode, content: undefined }, isEmpty };
}

/** Whether the text alone could not tell what is decided and what is there. */
function needsNode(base: Side, before: Side, after: Side, isOwnText: boolean): boolean {
  const nodes = [base.node, before.node, after.node];
  if (nodes.some((node) => node !== null && !isPlainFile(node))) return true;
  if ((base.node === null && after.isEmpty) || (base.isEmpty && after.node === null)) return true;
  // Of a file that the turn itself has made, the mode is part of that.
  if (base.node === null && isOwnText) return false;
  return new Set(nodes.flatMap((node) => (node === null ? [] : lineOf(node)))).size > 1;
}

function modeOf(seen: Seen | null): { mode?: number } {
  return seen?.node.kind === "file" ? { mode: seen.node.mode } : {};
}

function isSame(one: Uint8Array | null, other: Uint8Array | null): boolean {
  return one === null || other === null ? one === other : Buffer.compare(one, other) === 0;
}
