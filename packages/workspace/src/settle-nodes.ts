// The disk follows a decision that is about nodes and texts at once.
//
// Neither can always go first: a folder has to be there before a file is written into it, and can be removed only after the
// last file in it; a link that took the place of a file has to go before the file comes back. So the steps of nodes are
// tried before the texts are written, and what could not be done then, afterwards. Where a text is to be written where a
// folder is now, the files that go are removed first, as a group of their own.
//
// A node that cannot follow, because somebody has changed it since or a folder is not empty, keeps nothing else from it.

import { type Fault, isFault } from "@stet/protocol/fault";
import type { KeptNode, NodeStep, Nodes } from "./nodes.ts";
import type { Node } from "./witness/node.ts";
import type { Kept } from "./witness/node-disk.ts";

export interface TextSteps {
  /** Whether one of the texts stands in the way of another one, or of a node. */
  readonly isBlocked: () => boolean;
  /** Whether a file with text will be at a path. */
  readonly hasText: (path: string) => boolean;
  readonly remove: () => Promise<unknown | Fault>;
  readonly write: () => Promise<unknown | Fault>;
}

/** The steps that were done, also where the texts could not be written. */
export async function settleNodes(
  nodes: Nodes,
  steps: readonly NodeStep[],
  texts: TextSteps,
): Promise<{ done: NodeStep[]; kept: KeptNode[] } | { fault: Fault; done: NodeStep[] }> {
  const group = new StepGroup(nodes, steps, texts.hasText);
  group.tryAll("before");
  if (texts.isBlocked()) {
    const removed = await texts.remove();
    if (isFault(removed)) return { fault: removed, done: group.done };
    group.tryAll("before");
  }
  const written = await texts.write();
  if (isFault(written)) return { fault: written, done: group.done };
  group.tryAll("after");
  return { kept: group.kept(), done: group.done };
}

/** Takes back steps that were done, the last one first. */
export function takeBackSteps(nodes: Nodes, done: readonly NodeStep[]): void {
  for (const { path, from, to } of done.toReversed()) nodes.disk.change(path, to, from);
}

class StepGroup {
  readonly done: NodeStep[] = [];
  private left: NodeStep[];
  private readonly why = new Map<NodeStep, string>();
  /** Folders that their owner could not work in, as they are until the end. */
  private readonly opened = new Map<NodeStep, Node>();
  private readonly nodes: Nodes;
  private readonly hasText: (path: string) => boolean;

  constructor(nodes: Nodes, steps: readonly NodeStep[], hasText: (path: string) => boolean) {
    this.nodes = nodes;
    this.hasText = hasText;
    this.left = steps.toSorted(order);
  }

  tryAll(when: "before" | "after"): void {
    for (let before = -1; before !== this.left.length; ) {
      before = this.left.length;
      this.left = this.left.filter((step) => !this.tryOne(step, when));
    }
  }

  private tryOne(step: NodeStep, when: "before" | "after"): boolean {
    const { path, to } = step;
    const from = this.opened.get(step) ?? step.from;
    // Its text brings the file back; until then nothing may be in its place, and afterwards its mode is left to do.
    if (isPlainFile(to) && !isPlainFile(from) && this.hasText(path)) {
      if (when === "before") {
        if (from !== null) this.nodes.disk.change(path, from, null);
        return false;
      }
      return this.note(step, this.nodes.disk.change(path, this.nodes.disk.read(path, false), to));
    }
    if (when === "before" && (closes(to) || closes(from))) this.open(step, closes(to) ? to : from);
    if (when === "before" && closes(to)) return false;
    // A file that has a text is there with it, whatever else becomes of the node.
    if (to === null && isPlainFile(from) && this.hasText(path)) return this.note(step, undefined);
    // A file that had a text has gone with it.
    const isGone = isPlainFile(from) && !isPlainFile(to) && this.nodes.disk.read(path, false) === null;
    return this.note(step, this.nodes.disk.change(path, isGone ? null : (this.opened.get(step) ?? from), to));
  }

  private note(step: NodeStep, kept: Kept | undefined): boolean {
    if (kept === undefined) this.done.push(step);
    else this.why.set(step, kept.why);
    return kept === undefined;
  }

  /** Lets the owner of a folder work in it for as long as there is something to do there. */
  private open(step: NodeStep, node: Node | null): void {
    if (node?.kind !== "folder" || this.opened.has(step)) return;
    if (step.from !== null && step.from.kind !== "folder") return;
    const open: Node = { kind: "folder", mode: node.mode | 0o700 };
    if (this.nodes.disk.change(step.path, step.from, open) === undefined) this.opened.set(step, open);
  }

  kept(): KeptNode[] {
    return this.left.flatMap((step) => {
      const { document, path, from, to } = step;
      // The file went with its text, and its mode with it.
      const isModeOfText = isPlainFile(from) && isPlainFile(to);
      if (isModeOfText && this.nodes.disk.read(path, false) === null) {
        this.done.push(step);
        return [];
      }
      return [{ document, path, why: this.why.get(step) ?? "could not be changed" }];
    });
  }
}

/** What is removed goes from the inside out, then what is made comes from the outside in. */
function order(one: NodeStep, other: NodeStep): number {
  const isRemoval = (step: NodeStep) => (step.to === null ? 0 : 1);
  const sides = isRemoval(one) - isRemoval(other);
  const depth = one.path.split("/").length - other.path.split("/").length;
  return sides !== 0 ? sides : one.to === null ? -depth : depth;
}

/** Whether a mode keeps its owner from what is still to be done there. */
function closes(to: Node | null): boolean {
  if (to?.kind === "folder") return (to.mode & 0o700) !== 0o700;
  return to?.kind === "file" && (to.mode & 0o600) !== 0o600;
}

function isPlainFile(node: Node | null): boolean {
  return node?.kind === "file" && node.content === undefined;
}
