// A found change, split into what it is for the ledger: a change of a text, and one of a node.
//
// A file with text is a document, and whether it exists is part of that; only its mode is a node's. An empty file has no
// text that could be decided on, so it is a node; so is everything that is no file, or is no text.

import { isFault } from "@stet/protocol/fault";
import { decodeDocument } from "@stet/text/document";
import type { FoundChange } from "../absorb.ts";
import type { KnownNode, NodeChange } from "../nodes.ts";
import { type Node, nodeOf } from "./node.ts";
import { isPlain } from "./raw-path.ts";
import type { FoundNode, Seen } from "./shadow.ts";

export interface SplitChange {
  readonly text: FoundChange | undefined;
  readonly node: NodeChange | undefined;
}

/** A longer text is a document only where it is one already. */
const maxTextBytes = 1024 ** 2;

/**
 * `known` is what the ledger has of the node; `document` whether the file is one, and was made by a
 * turn that is still open. */
export function splitChange(
  found: FoundNode,
  known: KnownNode | undefined,
  document: "none" | "known" | "new",
): SplitChange {
  const { path } = found;
  const maxBytes = document !== "none" ? Number.MAX_SAFE_INTEGER : maxTextBytes;
  const before = textIn(path, found.before, maxBytes);
  const after = textIn(path, found.after, maxBytes);
  const hasText = (before?.length ?? 0) + (after?.length ?? 0) > 0;
  const text =
    hasText && !isSame(before, after) ? { path, before, after, ...modeOf(found.before) } : undefined;
  const line = nodeOf(known?.line ?? "");
  const isModeKnown = isPlainFile(line);
  // Of a file that was not there at first, its mode is part of that: there is none to go back to.
  const isNew = document === "new" && before !== null && before.length > 0;
  const hasMode = after?.length === 0 || isModeKnown || !isSameMode(found);
  const node: NodeChange = {
    path,
    before: isNew ? line : nodeBeside(found.before, before, isModeKnown || after !== null),
    after: nodeBeside(
      found.after,
      after,
      isNew ? hasMode : before !== null || isPlainFile(nodeOf(known?.base ?? "")),
    ),
  };
  return { text, node: isNothing(node) ? undefined : node };
}

/** Null where there is no file, or one that is no document. */
function textIn(path: string, seen: Seen | null, maxBytes: number): Uint8Array | null {
  if (seen?.node.kind !== "file" || seen.bytes === undefined || !isPlain(path)) return null;
  if (seen.bytes.length > maxBytes || isFault(decodeDocument(seen.bytes))) return null;
  return seen.bytes;
}

/** What of a node is not its text: of a file with text the mode, and that only where it is compared with another one. */
function nodeBeside(seen: Seen | null, text: Uint8Array | null, isCompared: boolean): Node | null {
  if (seen?.node.kind !== "file" || text === null) return seen?.node ?? null;
  return text.length === 0 || isCompared ? { ...seen.node, content: undefined } : null;
}

function modeOf(seen: Seen | null): { mode?: number } {
  return seen?.node.kind === "file" ? { mode: seen.node.mode } : {};
}

function isPlainFile(node: Node | null): boolean {
  return node?.kind === "file" && node.content === undefined;
}

function isSameMode({ before, after }: FoundNode): boolean {
  return before?.node.kind === "file" && after?.node.kind === "file" && before.node.mode === after.node.mode;
}

function isSame(one: Uint8Array | null, other: Uint8Array | null): boolean {
  return one !== null && other !== null && Buffer.compare(one, other) === 0;
}

function isNothing({ before, after }: NodeChange): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}
