// Decisions on what an agent proposed: made here only, whether a window, a command, a turn without review
// or an applied job asks. A decision is recorded in the ledger, settled on disk where the files follow it at once, and
// written to the sessions that its hunks came from, so that the model learns of it.

import { Fault, isFault } from "@stet/protocol/fault";
import type { DecisionVerdict } from "@stet/protocol/ids";
import type { Session } from "@stet/session/session-tree";
import { tellIfFault } from "@stet/storage/notices";
import type { KeptNode } from "@stet/workspace/command-effects/nodes";
import { shownPath } from "@stet/workspace/command-effects/raw-path";
import { isGone } from "@stet/workspace/documents/file-state";
import type { DecisionReport, Selection } from "@stet/workspace/review/review";
import type { SavedDocument } from "@stet/workspace/saving/saving";
import type { Workspace } from "@stet/workspace/workspace";

export type Decided = DecisionReport & { readonly kept: readonly KeptNode[] };

/** Finds a conversation by its id. One that is gone keeps nothing from being decided. */
export type FindSession = (id: string) => Session | Fault | Promise<Session | Fault>;

/** The hunks of one turn that are accepted and rejected together. */
export interface WholeTurn {
  readonly turn: string;
  readonly accept: readonly string[];
  readonly reject: readonly string[];
  /** Turns whose changes overlap with these, and are decided with them. */
  readonly also: readonly string[];
}

export interface DecidedSave extends SavedDocument {
  /** The file had been deleted on disk, and is there again. */
  readonly isBack: boolean;
}

const nothing: DecisionReport = { documents: [], hunks: [], turns: [] };

export class Decisions {
  readonly #workspace: Workspace;
  readonly #findSession: FindSession;

  constructor(workspace: Workspace, findSession: FindSession) {
    this.#workspace = workspace;
    this.#findSession = findSession;
  }

  accept(selection: Selection): Promise<Decided | Fault> {
    return this.#decide("accepted", () => this.#workspace.review.accept(selection));
  }

  reject(selection: Selection): Promise<Decided | Fault> {
    return this.#decide("rejected", () => this.#workspace.review.reject(selection));
  }

  /** Takes back the decisions on these hunks, or the latest one. */
  undo(hunks?: readonly string[]): Promise<Decided | Fault> {
    return this.#decide("reopened", () =>
      this.#workspace.review.undo(hunks === undefined ? undefined : { hunks }),
    );
  }

  async #decide(verdict: DecisionVerdict, decision: () => DecisionReport | Fault): Promise<Decided | Fault> {
    const report = await this.#workspace.decide(decision);
    if (!isFault(report)) await this.#tell(report, verdict);
    return report;
  }

  /** Decides on all hunks of a turn and saves what `toSave` names then: all of it, or nothing and a fault. */
  async apply(
    { turn, accept, reject, also }: WholeTurn,
    toSave: () => readonly number[],
  ): Promise<SavedDocument[] | Fault> {
    const { review, ledger, saving } = this.#workspace;
    const decided = await this.#workspace.decide(() =>
      ledger.write(() => {
        const accepted = accept.length === 0 ? nothing : review.accept({ turn, hunks: accept, also });
        if (isFault(accepted)) return accepted;
        const rejected = reject.length === 0 ? nothing : review.reject({ turn, hunks: reject, also });
        if (isFault(rejected)) return rejected;
        const documents = [...new Set([...accepted.documents, ...rejected.documents])];
        return { documents, accepted, rejected };
      }),
    );
    if (isFault(decided)) return decided;
    const { accepted, rejected, kept } = decided;
    const saved = kept.length > 0 ? leftAsItIs(kept) : await saving.save(toSave());
    if (isFault(saved)) {
      const isKept = (hunk: string) => kept.some(({ document }) => hunk.startsWith(`h_${document}_`));
      return this.#takeBack(
        saved,
        [...accept, ...reject].filter((hunk) => !isKept(hunk)),
      );
    }
    await this.#tell(accepted, "accepted");
    await this.#tell(rejected, "rejected");
    return saved;
  }

  async #takeBack(why: Fault, hunks: readonly string[]): Promise<Fault> {
    if (hunks.length === 0) return why;
    const undone = await this.#workspace.decide(() => this.#workspace.review.undo({ hunks }));
    if (!isFault(undone)) return why;
    const message = `${why.message} The decision could not be taken back either: ${undone.message}`;
    return new Fault(why.error, message, undone.suggestion, why.details);
  }

  /**
   * Writes what was decided: everything that is not saved, or the documents of a decision. A file that was deleted on disk
   * is not written again for a decision that leaves its text as it was; where a decision gave it another text, it comes back.
   */
  async save(decided?: readonly number[]): Promise<DecidedSave[] | Fault> {
    const { documents, saving } = this.#workspace;
    const states = (decided ?? documents.unsavedFiles()).flatMap((document) => {
      const state = documents.row(document)?.path == null ? undefined : documents.current(document);
      return state === undefined || isFault(state) || (decided !== undefined && isGone(state)) ? [] : state;
    });
    const deleted = new Set(states.filter(({ vanished }) => vanished !== null).map(({ id }) => id));
    const saved = await saving.save(states.map(({ id }) => id));
    return isFault(saved) ? saved : saved.map((file) => ({ ...file, isBack: deleted.has(file.document) }));
  }

  async #tell({ turns }: DecisionReport, verdict: DecisionVerdict): Promise<void> {
    for (const { turn, hunks } of turns) {
      const id = this.#workspace.review.turn(turn)?.session ?? null;
      if (id === null || hunks.length === 0) continue;
      const session = await this.#findSession(id);
      if (!isFault(session)) tellIfFault(session.append({ type: "decision", turnId: turn, verdict, hunks }));
    }
  }
}

function leftAsItIs(kept: readonly KeptNode[]): Fault {
  const words = kept.map(({ path, why }) => `${shownPath(path)} ${why}`).join(", ");
  return new Fault(
    "conflict",
    `Not all of it can be rejected: ${words}. Nothing was applied, and the job still waits.`,
    "Decide on its hunks one by one in the review.",
  );
}
