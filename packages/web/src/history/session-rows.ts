// Where the keyboard goes in the tree of a conversation. The nodes are flat, each before what followed it.

import type { SessionTreeNode } from "@stet/protocol/api/sessions";
import { movedTo } from "../ui/tree-keys.ts";

type Node = Pick<SessionTreeNode, "entry_id" | "parent_id" | "depth">;

/** The index to go to; undefined where the key is not one of the tree's. Left and right go by branches. */
export function movedBy(key: string, nodes: readonly Node[], at: number): number | undefined {
  if (nodes.length === 0) return undefined;
  // Where the way that this node is on was left from.
  if (key === "ArrowLeft")
    return Math.max(
      0,
      nodes.slice(0, at).findLastIndex((node) => node.depth < (nodes[at]?.depth ?? 0)),
    );
  return key === "ArrowRight" ? nextBranch(nodes, at) : movedTo(key, nodes.length, at);
}

/** The first node of the next way that was gone from the same place, or of the next one that goes deeper. */
function nextBranch(nodes: readonly Node[], at: number): number {
  for (let index = at + 1; index < nodes.length; index += 1) {
    const node = nodes[index];
    if (node !== undefined && node.parent_id !== nodes[index - 1]?.entry_id) return index;
    if (node !== undefined && node.depth > (nodes[index - 1]?.depth ?? 0)) return index;
  }
  return at;
}

/** Where a tree opens: at the place where the conversation goes on, or at its nearest entry that is shown. */
export function placeOfLeaf(
  nodes: readonly Pick<SessionTreeNode, "entry_id" | "is_on_path">[],
  leaf: string | null,
): number {
  const exact = nodes.findIndex(({ entry_id }) => entry_id === leaf);
  return exact >= 0
    ? exact
    : Math.max(
        0,
        nodes.findLastIndex(({ is_on_path }) => is_on_path),
      );
}
