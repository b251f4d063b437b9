// Decisions, as this window asks for them. They are made one after the other, each when everything that was typed before it
// is with the server; what is decided leaves the screen at once and comes back where the server refuses.

import { detailsOf, type Fault, isFault } from "@stet/protocol/fault";
import { type Accessor, createEffect, createRoot, createSignal, on } from "solid-js";
import { plural } from "../status/word-count.ts";
import { oneFor } from "../workspace/one-for.ts";
import type { Workbench } from "../workspace/workbench.ts";
import {
  type Act,
  type Decision,
  type DecisionElsewhere,
  type DiskChoice,
  rememberAct,
} from "./decision-history.ts";
import type { OpenReview } from "./open-review.ts";
import { portOf, type ReviewPort } from "./review-port.ts";
import { bodyOf, type Selection, turnsIn, type Verdict } from "./selection.ts";

export class Decisions {
  readonly #port: ReviewPort;
  /** Hunks that were decided here a moment ago. */
  readonly hidden: Accessor<ReadonlySet<string>>;
  /** Of the documents that are open in this window. */
  readonly reviews: Accessor<readonly OpenReview[]>;
  readonly #setHidden: (ids: ReadonlySet<string>) => void;
  readonly #setReviews: (reviews: readonly OpenReview[]) => void;
  /** What became of the hunks that a remembered decision was about: those that were decided. */
  readonly #made = new WeakMap<readonly string[], readonly string[]>();
  /** Whether a remembered decision is made, as this window has asked for it last. */
  readonly #standing = new WeakMap<readonly string[], boolean>();
  readonly #decisions = new WeakMap<readonly string[], Decision>();
  /** What was told of a decision, to be closed when it is taken back. */
  readonly #notices = new WeakMap<readonly string[], () => void>();
  #latest: Decision | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(port: ReviewPort) {
    this.#port = port;
    [this.hidden, this.#setHidden] = createSignal<ReadonlySet<string>>(new Set());
    [this.reviews, this.#setReviews] = createSignal<readonly OpenReview[]>([]);
  }

  add(review: OpenReview): () => void {
    this.#setReviews([...this.reviews(), review]);
    return () => this.#setReviews(this.reviews().filter((other) => other !== review));
  }

  of(document: number): OpenReview | undefined {
    return this.reviews().find((review) => review.document.id === document);
  }

  /** How many hunks a decision would be about, and in how many documents. */
  countOf(selection: Selection): { readonly hunks: number; readonly documents: number } {
    const ids = this.#idsOf(selection);
    return { hunks: ids.length, documents: this.#documentsOf(ids).length };
  }

  /** The line of a hunk, from 1, as it is now where its document is open, and else as it was last heard. */
  lineOf(document: number, hunk: { readonly hunk_id: string; readonly new_start: number }): number {
    return this.of(document)?.lineOf(hunk.hunk_id) ?? hunk.new_start;
  }

  /** Whether it was decided. */
  decide(selection: Selection, verdict: Verdict): Promise<boolean> {
    const decision = { ids: this.#idsOf(selection), verdict, isMade: true, ...turnsIn(selection) };
    // Before the server has answered: what is typed next is undone before it.
    this.#remember(decision, this.#documentsOf(decision.ids));
    this.#latest = decision;
    return this.#carryOut(decision, selection, true);
  }

  /** After the latest decision, in `from`, another document came to the front: undo there takes the decision back. */
  noteJump(from: number, to: number): void {
    const ids = this.#latest?.ids;
    if (ids !== undefined) this.#port.dispatchLater(to, rememberAct({ ids, document: from, isMade: true }));
  }

  /** One side of a conflict with the disk was dropped for the other; the checkpoint has it. */
  noteDiskChoice(document: number, choice: "keep" | "reload" | "settled", checkpoint: string): void {
    const act: DiskChoice = { way: { checkpoint }, isMade: true };
    this.#port.dispatch(document, rememberAct(act));
    if (choice === "settled") return;
    const text =
      choice === "reload"
        ? "Loaded the text of the file. Yours is in the history."
        : "Kept your text. The text of the file is in the history.";
    const run = async () => {
      const isStep = await this.#port.stepIn(
        document,
        false,
        (each) => "way" in each && each.way === act.way,
      );
      if (!isStep) await this.repeat({ ...act, isMade: false });
    };
    this.#port.tell({ text, tone: "plain", action: { label: "Undo", run } });
  }

  /** Whether an act of the undo history has nothing left to do, because it was done in another way. */
  isDone(act: Act): boolean {
    return "ids" in act && this.#standing.get(act.ids) === act.isMade;
  }

  /** Takes back the named decisions, or the latest one. */
  undo(ids?: readonly string[]): Promise<boolean> {
    return this.#inOrder(async () => {
      const reply = await this.#port.undoDecision(ids);
      if (isFault(reply)) return ids === undefined ? this.#port.refuse(reply) : this.#refuseUndo(reply);
      this.#unhide(reply.hunk_ids);
      const verdict = this.#verdictOf(reply.hunk_ids);
      if (verdict !== undefined)
        this.#remember({ ids: reply.hunk_ids, verdict, isMade: false }, reply.documents);
      await this.#port.loadReview();
      return true;
    });
  }

  /** What undo or redo in an editor asks for; it is in that editor's history already. */
  repeat(act: Act): Promise<boolean> {
    if ("way" in act) return this.#rollBack(act);
    if ("document" in act) return this.#goBack(act);
    this.#standing.set(act.ids, act.isMade);
    if (act.isMade) {
      const ids = this.#made.get(act.ids) ?? act.ids;
      const { turn, alsoTurns: also_turns = [] } = act;
      const selection = turn === undefined ? { hunk_ids: ids } : { turn, hunk_ids: ids, also_turns };
      return ids.length === 0 ? Promise.resolve(true) : this.#carryOut(act, selection, false);
    }
    this.#notices.get(act.ids)?.();
    return this.#inOrder(async () => {
      const ids = this.#made.get(act.ids) ?? act.ids;
      // It was refused, and said so then.
      if (ids.length === 0) return true;
      const reply = await this.#port.undoDecision(ids);
      if (isFault(reply)) {
        this.#standing.set(act.ids, true);
        return this.#refuseUndo(reply);
      }
      this.#unhide(reply.hunk_ids);
      await this.#port.loadReview();
      return true;
    });
  }

  #rollBack({ way }: DiskChoice): Promise<boolean> {
    return this.#inOrder(async () => {
      const checkpoint = await this.#port.rollback(way.checkpoint);
      if (isFault(checkpoint)) return this.#port.refuse(checkpoint);
      way.checkpoint = checkpoint ?? way.checkpoint;
      return true;
    });
  }

  /** The decision is in the undo history of its own document; where something came after it there, it alone is taken back. */
  async #goBack({ ids, document, isMade }: DecisionElsewhere): Promise<boolean> {
    const isStep = await this.#port.stepIn(document, isMade, (each) => "ids" in each && each.ids === ids);
    const decision = this.#decisions.get(ids);
    return isStep || decision === undefined || this.repeat({ ...decision, isMade });
  }

  /** What was decided can be undone while its lines are as the decision left them. */
  #refuseUndo(fault: Fault): false {
    if (fault.error !== "nothing_to_undo") return this.#port.refuse(fault);
    this.#port.tell({
      text: "That decision cannot be undone any more: its lines were changed since. The history can bring the text back.",
      tone: "plain",
    });
    return false;
  }

  /** Writes what is decided to the files, after the decisions that are on their way: all of them or none. */
  save(): Promise<boolean> {
    return this.#inOrder(() => this.#port.saveAll());
  }

  #carryOut(decision: Decision, selection: Selection, isNew: boolean): Promise<boolean> {
    const { ids, verdict } = decision;
    const takesWords = verdict === "reject" && this.#hasWords(ids);
    this.#standing.set(ids, true);
    this.#decisions.set(ids, decision);
    this.#hide("turn" in selection ? this.#onlyOf(selection, ids) : ids);
    return this.#inOrder(async () => {
      const reply = await this.#port.decide({ ...bodyOf(selection), verdict });
      if (isFault(reply)) {
        this.#unhide(ids);
        this.#made.set(ids, []);
        this.#standing.set(ids, false);
        void this.#port.loadReview();
        if (reply.error === "turns_overlap" && "turn" in selection)
          return this.#askForOthers(reply, selection, verdict);
        return reply.error === "unknown_hunk" ? this.#tellGone(ids.length) : this.#port.refuse(reply);
      }
      this.#made.set(ids, reply.hunk_ids);
      if (isNew && (reply.hunk_ids.length > 1 || takesWords))
        this.#notices.set(
          ids,
          this.#tell({ ...decision, ids: reply.hunk_ids }, reply.documents.length, takesWords),
        );
      await this.#port.loadReview();
      this.forgetSettled();
      return true;
    });
  }

  /** Where changes of several turns cannot be told apart, the person says whether the others' go along. */
  #askForOthers(
    fault: Fault,
    selection: Extract<Selection, { readonly turn: string }>,
    verdict: Verdict,
  ): false {
    const also_turns = [
      ...(selection.also_turns ?? []),
      ...(detailsOf(fault, "turns_overlap").turns ?? []).map(({ turn }) => turn),
    ];
    const label = verdict === "accept" ? "Accept together" : "Reject together";
    this.#port.tell({
      text: fault.message,
      tone: "bad",
      action: { label, run: () => this.decide({ ...selection, also_turns }, verdict) },
    });
    return false;
  }

  #inOrder(action: () => Promise<boolean>): Promise<boolean> {
    const next = this.#queue.then(async () => {
      for (const { document } of this.reviews()) {
        const fault = await document.settle();
        if (fault !== undefined) return this.#port.refuse(fault);
      }
      return action();
    });
    this.#queue = next.catch(() => undefined);
    return next;
  }

  /** In the history of the document in front where it is concerned, so that undo there takes the whole decision back. */
  #remember(decision: Decision, documents: readonly number[]): void {
    const front = this.#port.documentInFront();
    const [only] = documents;
    if (decision.ids.length === 0) return;
    const place = front !== undefined && documents.includes(front) ? front : only;
    if (place === undefined || (place !== front && documents.length > 1)) return;
    this.#port.dispatch(place, rememberAct(decision));
  }

  #tell({ ids, verdict }: Decision, documents: number, takesWords: boolean): () => void {
    const done = verdict === "accept" ? "Accepted" : "Rejected";
    const what = ids.length === 1 ? "a change" : plural(ids.length, "change");
    const where = documents > 1 ? ` in ${documents} documents` : "";
    const words = takesWords ? " What you wrote inside went, too; the history keeps it." : "";
    return this.#port.tell({
      text: `${done} ${what}${where}.${words}`,
      tone: "plain",
      action: { label: "Undo", run: () => this.undo(ids) },
    });
  }

  /** Two windows, or a window and a terminal, decide at the same time: whoever is second is told so. */
  #tellGone(count: number): false {
    const text =
      count === 1
        ? "This change is not open any more. It may have been decided in another window."
        : "Some of these changes are not open any more. They may have been decided in another window. Nothing was decided now.";
    this.#port.tell({ text, tone: "plain" });
    return false;
  }

  #hide(ids: readonly string[]): void {
    this.#setHidden(new Set([...this.hidden(), ...ids]));
    for (const review of this.reviews()) review.hideDecided();
  }

  #unhide(ids: readonly string[]): void {
    const rest = new Set(this.hidden());
    for (const id of ids) rest.delete(id);
    this.#setHidden(rest);
  }

  /** A decided hunk is hidden as long as anything that was heard before the decision still tells it as open. */
  forgetSettled(): void {
    const hidden = this.hidden();
    if (hidden.size === 0) return;
    const open = new Set(this.reviews().flatMap((review) => [...review.openIds]));
    for (const { hunks } of this.#port.files()) for (const { hunk_id } of hunks) open.add(hunk_id);
    const rest = new Set([...hidden].filter((id) => open.has(id)));
    if (rest.size < hidden.size) this.#setHidden(rest);
  }

  #verdictOf(ids: readonly string[]): Verdict | undefined {
    const wanted = new Set(ids);
    for (const review of this.reviews()) {
      const known = review.decided().find(({ hunk_id }) => wanted.has(hunk_id));
      if (known !== undefined) return known.verdict === "accepted" ? "accept" : "reject";
    }
    return undefined;
  }

  /** Whether the person has written inside of some of them, as far as it was heard. */
  #hasWords(ids: readonly string[]): boolean {
    const wanted = new Set(ids);
    const heard = this.#port.files().flatMap(({ hunks }) => hunks);
    const shown = this.reviews().flatMap((review) => review.placed().hunks.map(({ hunk }) => hunk));
    return [...heard, ...shown].some(
      ({ hunk_id, origins }) => wanted.has(hunk_id) && origins.includes("user"),
    );
  }

  #documentsOf(ids: readonly string[]): number[] {
    const wanted = new Set(ids);
    const documents = new Set<number>();
    for (const { document, hunks } of this.#port.files()) {
      if (hunks.some(({ hunk_id }) => wanted.has(hunk_id))) documents.add(document);
    }
    for (const review of this.reviews()) {
      if (review.placed().hunks.some(({ hunk }) => wanted.has(hunk.hunk_id)))
        documents.add(review.document.id);
    }
    return [...documents];
  }

  /** Hunks that no other turn has a part in, as far as it was heard. */
  #onlyOf({ turn }: { readonly turn: string }, ids: readonly string[]): string[] {
    const shared = new Set<string>();
    for (const { hunks } of this.#port.files())
      for (const { hunk_id, turns } of hunks) if (turns.some((one) => one !== turn)) shared.add(hunk_id);
    return ids.filter((id) => !shared.has(id));
  }

  #idsOf(selection: Selection): string[] {
    if ("hunk_ids" in selection && selection.hunk_ids !== undefined) return [...selection.hunk_ids];
    const ids = new Set<string>();
    for (const { document, hunks } of this.#port.files()) {
      if ("document" in selection && document !== selection.document) continue;
      for (const { hunk_id, turns } of hunks) {
        if (!("turn" in selection) || turns.includes(selection.turn)) ids.add(hunk_id);
      }
    }
    return [...ids];
  }
}

export const decisionsOf = oneFor((workbench: Workbench) => {
  const reviews = new Decisions(portOf(workbench));
  const files = () => workbench.state.review.files;
  createRoot(() => createEffect(on(files, () => reviews.forgetSettled())));
  return reviews;
});
