// What commands change on disk becomes part of the turn, with what was there before: it is reviewed and undone like an
// edit. Around each command that may change something the folder is looked at; what changed in between is the command's.
//
// A job goes on while other calls are made. What changes while one runs, and was not written by Stet, counts as its work.

import { isFault } from "@stet/protocol/fault";
import type { FoundChange } from "@stet/workspace/absorb";
import { hashBytes } from "@stet/workspace/files";
import type { LeftBehind } from "@stet/workspace/shadow/links-and-folders";
import type { Shadow, ShadowChanges } from "@stet/workspace/shadow/shadow";
import type { Turn } from "@stet/workspace/turns";
import type { Workspace } from "@stet/workspace/workspace";

export interface CommandEffect {
  /** Files that are part of the turn now. */
  readonly changed: readonly string[];
  /** Files that changed and cannot be undone from here: not text, or too large. */
  readonly beyondUndo: readonly string[];
  /** What it did beside the texts of files: empty files, folders, links, modes. Rejecting does not take it back. */
  readonly leftBehind: readonly LeftBehind[];
  /** What could not become part of the turn, and why. */
  readonly problem?: string | undefined;
}

const noEffect: CommandEffect = { changed: [], beyondUndo: [], leftBehind: [] };

export class CommandChanges {
  private readonly workspace: Workspace;
  private readonly turn: Turn;
  private shadow: Shadow | undefined;
  /** Whether a job was begun in this turn: it may still run, and ends with the turn at the latest. */
  private hadJob = false;
  /** Changes with every effect. */
  effects = 0;

  constructor(workspace: Workspace, turn: Turn) {
    this.workspace = workspace;
    this.turn = turn;
  }

  /** Runs a command and takes over what it changed. */
  async around<T>(
    isReadOnly: boolean,
    action: () => Promise<T>,
  ): Promise<{ result: T; effect: CommandEffect }> {
    if (isReadOnly) return { result: await action(), effect: noEffect };
    const earlier = await this.look();
    if (this.hadJob && earlier !== undefined) this.takeOver(earlier);
    const result = await action();
    const changes = await this.look();
    return { result, effect: changes === undefined ? unseen : this.takeOver(changes) };
  }

  /** A job has begun: from now on, what changes between two calls is its work. */
  noteJob(): void {
    this.hadJob = true;
  }

  /** At the end of the turn, when nothing runs any more. */
  async finish(): Promise<void> {
    if (this.hadJob) {
      const changes = await this.look();
      if (changes !== undefined) this.takeOver(changes);
    }
    this.shadow?.close();
    this.shadow = undefined;
  }

  private async look(): Promise<ShadowChanges | undefined> {
    const { Shadow } = await import("@stet/workspace/shadow/shadow");
    const { root, stateFolder } = this.workspace;
    this.shadow ??= new Shadow({ root, stateFolder });
    const changes = await this.shadow.look();
    return isFault(changes) ? undefined : changes;
  }

  private takeOver({ text, other, leftBehind }: ShadowChanges): CommandEffect {
    const own = text.filter((change) => !this.isKnown(change));
    if (own.length === 0 && other.length === 0 && leftBehind.length === 0) return noEffect;
    this.effects += 1;
    this.turn.leaveBehind(leftBehind);
    const paths = own.map(({ path }) => path);
    const absorbed = this.turn.absorb(own);
    if (isFault(absorbed)) {
      return { changed: paths, beyondUndo: [...other], leftBehind, problem: absorbed.message };
    }
    const isPart = new Set(absorbed);
    const beyondUndo = [...other, ...paths.filter((path) => !isPart.has(path))];
    return { changed: absorbed.toSorted(), beyondUndo, leftBehind };
  }

  /** What Stet itself has written is known already. */
  private isKnown({ path, after }: FoundChange): boolean {
    const row = this.workspace.documents.rowAt(path);
    if (row === undefined) return false;
    const known = this.workspace.ledger.state(row.id)?.savedHash;
    return known !== undefined && known === (after === null ? null : hashBytes(after));
  }
}

const unseen: CommandEffect = {
  ...noEffect,
  problem: "What the command changed could not be looked at, so it cannot be undone here.",
};
