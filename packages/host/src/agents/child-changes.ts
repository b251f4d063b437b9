// How the changes of an agent that was sent begin and end: in a held turn of the workspace of whoever sent it. What fits lands
// in the review under its name; what does not is a conflict with both sides, and is kept as a patch, too.

import { type Fault, isFault } from "@stet/protocol/fault";
import { diffTexts } from "@stet/text/diff";
import { formatUnified } from "@stet/text/unified";
import type { ChildConflict } from "@stet/tools/agents/delegation";
import type { TurnConflict } from "@stet/workspace/turns/settle-copy";
import type { CommittedTurn } from "@stet/workspace/turns/turn-options";
import type { Turn } from "@stet/workspace/turns/turns";
import type { Workspace } from "@stet/workspace/workspace";
import type { TurnChanges } from "../turn/turn-changes.ts";

export interface HeldOptions {
  readonly workspace: Workspace;
  /** Of the person's session: what is rejected of it is told there. */
  readonly session: string;
  readonly agent: string;
  /** Whether the changes belong on disk at once, as those of whoever sent it. */
  readonly isImmediate: boolean;
}

/** What did not get into the documents. */
export interface Leftover {
  readonly conflicts: readonly ChildConflict[];
  /** As a patch; undefined where everything did. */
  readonly patch: string | undefined;
}

export class HeldChanges implements TurnChanges {
  readonly #options: HeldOptions;
  #leftover: Leftover = { conflicts: [], patch: undefined };

  constructor(options: HeldOptions) {
    this.#options = options;
  }

  get leftover(): Leftover {
    return this.#leftover;
  }

  begin(summary: string): Turn {
    const { workspace, session, agent, isImmediate } = this.#options;
    return workspace.beginTurn({
      session,
      agent,
      isImmediate,
      isHeld: true,
      summary: `${agent}: ${summary}`,
    });
  }

  async commit(turn: Turn): Promise<CommittedTurn | Fault> {
    this.noteConflicts(turn.settle());
    return this.#options.workspace.commitTurn(turn);
  }

  /** Nothing of it lands; what it had staged is a patch from then on. */
  abandon(turn: Turn): CommittedTurn | Fault | undefined {
    const { workspace } = this.#options;
    const patches = turn.unsaved().flatMap(({ document, path, history }) => {
      const state = workspace.documents.state(document);
      if (isFault(state) || state.history.text.eq(history.text)) return [];
      const { text: before } = state.history;
      const after = history.text;
      return formatUnified({ path, before, after, splices: diffTexts(before, after) });
    });
    this.notePatch(patches.join(""));
    return turn.isImmediate ? turn.conclude() : turn.discard();
  }

  /** What it had done, where nothing of that landed. */
  notePatch(patch: string): void {
    if (patch !== "") this.#leftover = { conflicts: [], patch };
  }

  noteConflicts(conflicts: readonly TurnConflict[]): void {
    if (conflicts.length === 0) return;
    const { documents } = this.#options.workspace;
    const named = conflicts.map(({ document, ...rest }): ChildConflict => {
      const row = documents.row(document);
      return { path: row?.path ?? row?.title ?? "", ...rest };
    });
    const { conflicts: known, patch = "" } = this.#leftover;
    this.#leftover = {
      conflicts: [...known, ...named],
      patch: `${patch}${named.map(conflictPatch).join("")}`,
    };
  }
}

/** As a hunk from what is there to what was to be. */
function conflictPatch({ path, line, theirs, own }: ChildConflict): string {
  const head = `--- a/${path}\n+++ b/${path}\n@@ -${line},${theirs.length} +${line},${own.length} @@`;
  return `${[head, ...theirs.map((each) => `-${each}`), ...own.map((each) => `+${each}`)].join("\n")}\n`;
}
