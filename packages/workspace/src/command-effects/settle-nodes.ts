// The disk follows a decision that is about nodes and texts at once.
//
// Neither can always go first: a folder has to be there before a file is written into it, and can be removed only after the
// last file in it; a link that took the place of a file has to go before the file comes back. So the steps of nodes are
// tried before the texts are written, and what could not be done then, afterwards. Where a text is to be written where a
// folder is now, the files that go are removed first, as a group of their own.
//
// A node that cannot follow, because somebody has changed it since or a folder is not empty, keeps nothing else from it.

import { type Fault, isFault } from "@stet/protocol/fault";
import { isPlainFile, type Node } from "./node.ts";
import type { Kept } from "./node-disk.ts";
import type { KeptNode, NodeStep, Nodes } from "./nodes.ts";

export interface TextSteps {
  /** Whether one of the texts stands in the way of another one, or of a node. */
  readonly isBlocked: () => boolean;
  /** Whether a file with text will be at a path. */
  readonly hasText: (path: string) => boolean;
  /** Whether a file is still to be removed with its text. */
  readonly isLeaving: (path: string) => boolean;
  readonly remove: () => Promise<unknown | Fault>;
  readonly write: () => Promise<unknown | Fault>;
}

/** `changed` is what was done on disk, also where the texts could not be written; `done` the steps that are complete. */
export async function settleNodes(
  nodes: Nodes,
  steps: readonly NodeStep[],
  texts: TextSteps,
): Promise<{ done: NodeStep[]; kept: KeptNode[] } | { fault: Fault; changed: NodeStep[] }> {
  const group = new StepGroup(nodes, steps, texts);
  group.tryAll("before");
  if (texts.isBlocked()) {
    const removed = await texts.remove();
    if (isFault(removed)) return { fault: removed, changed: group.changed };
    group.tryAll("before");
  }
  const written = await texts.write();
  if (isFault(written)) return { fault: written, changed: group.changed };
  group.tryAll("after");
  return { kept: group.kept(), done: group.done };
}

/** Takes back steps that were done, the last one first. */
export function takeBackSteps(nodes: Nodes, changed: readonly NodeStep[]): void {
  for (const { path, from, to } of changed.toReversed()) nodes.disk.change(path, to, from);
}

class StepGroup {
  readonly done: NodeStep[] = [];
  readonly changed: NodeStep[] = [];
  #left: NodeStep[];
  readonly #why = new Map<NodeStep, string>();
  /** What is at the path of a step by now, where something was done there. */
  readonly #now = new Map<NodeStep, Node | null>();
  readonly #nodes: Nodes;
  readonly #texts: TextSteps;

  constructor(nodes: Nodes, steps: readonly NodeStep[], texts: TextSteps) {
    this.#nodes = nodes;
    this.#texts = texts;
    this.#left = steps.toSorted(order);
  }

  tryAll(when: "before" | "after"): void {
    for (let before = -1; before !== this.#left.length; ) {
      before = this.#left.length;
      this.#left = this.#left.filter(
        (step) => !(when === "before" ? this.#tryBefore(step) : this.#tryAfter(step)),
      );
    }
  }

  #tryBefore(step: NodeStep): boolean {
    const { path, to } = step;
    const from = this.#at(step);
    // Its text is written, or removed, in between; until then nothing else may be in its place.
    if (isPlainFile(to) || this.#texts.hasText(path)) {
      if (from !== null && !isPlainFile(from)) this.#change(step, null);
      return false;
    }
    if (isPlainFile(from) && (to === null || this.#texts.isLeaving(path))) return false;
    if (closes(to) || closes(from)) this.#open(step, closes(to) ? to : from);
    return closes(to) ? false : this.#finish(step, this.#change(step, to));
  }

  #tryAfter(step: NodeStep): boolean {
    const { path, to } = step;
    // With a text the file is there, whatever else becomes of the node.
    if (this.#texts.hasText(path) && !isPlainFile(to)) return this.#finish(step, undefined);
    const found = isPlainFile(to) ? this.#nodes.disk.read(path, true) : null;
    // The file has come with its text, or without one; what somebody else has put there stays.
    if (found?.kind === "file") {
      const isOurs = this.#texts.hasText(path) || isPlainFile(step.from) || found.content?.size === 0;
      if (isOurs) this.#now.set(step, { ...found, content: undefined });
    }
    return this.#finish(step, this.#change(step, to));
  }

  #at(step: NodeStep): Node | null {
    const now = this.#now.get(step);
    const node = now === undefined ? step.from : now;
    // The file may have gone with its text.
    return isPlainFile(node) && this.#nodes.disk.read(step.path, false) === null ? null : node;
  }

  #change(step: NodeStep, to: Node | null): Kept | undefined {
    const from = this.#at(step);
    const kept = this.#nodes.disk.change(step.path, from, to);
    if (kept !== undefined) return kept;
    this.changed.push({ ...step, from, to });
    this.#now.set(step, to);
    return undefined;
  }

  #finish(step: NodeStep, kept: Kept | undefined): boolean {
    if (kept === undefined) this.done.push(step);
    else this.#why.set(step, kept.why);
    return kept === undefined;
  }

  /** Lets the owner of a folder work in it for as long as there is something to do there. */
  #open(step: NodeStep, node: Node | null): void {
    if (node?.kind !== "folder" || this.#now.has(step)) return;
    this.#change(step, { kind: "folder", mode: node.mode | 0o700 });
  }

  kept(): KeptNode[] {
    return this.#left.map((step) => {
      const { document, path } = step;
      return { document, path, why: this.#why.get(step) ?? "could not be changed" };
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
