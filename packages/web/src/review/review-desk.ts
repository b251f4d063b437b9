// Decisions, as this window asks for them. They are made one after the other, each when everything that was typed before it
// is with the server; what is decided leaves the screen at once and comes back where the server refuses.

import type { TransactionSpec } from "@codemirror/state";
import type { Reply } from "@stet/protocol/api/route";
import type { Routes } from "@stet/protocol/api/routes";
import { type Fault, type FaultDetails, isFault } from "@stet/protocol/fault";
import { type Accessor, createSignal } from "solid-js";
import type { Notice } from "../app/notices.ts";
import type { Desk } from "../workspace/desk.ts";
import { type Decision, rememberDecision } from "./decision-history.ts";
import type { OpenReview } from "./open-review.ts";

export type Verdict = "accept" | "reject";

export type Selection =
  | { readonly hunk_ids: readonly string[] }
  | { readonly document: number }
  /** What a turn did, or only what it did in some hunks; and the turns that may be decided along. */
  | {
      readonly turn: string;
      readonly hunk_ids?: readonly string[];
      readonly also_turns?: readonly string[];
    }
  | { readonly everything: true };

type Decided = Promise<Reply<Routes["decide"]> | Fault>;
type DecideBody = {
  hunk_ids?: string[];
  document?: number;
  turn?: string;
  also_turns?: string[];
  everything?: boolean;
};

/** What decisions need of the window around them. */
export interface ReviewPort {
  decide(body: DecideBody & { readonly verdict: Verdict }): Decided;
  undoDecision(ids: readonly string[] | undefined): Decided;
  /** What waits for review in all documents, as it was last heard. */
  files(): readonly {
    readonly document: number;
    readonly hunks: readonly {
      readonly hunk_id: string;
      readonly turns: readonly string[];
      readonly origins: readonly string[];
    }[];
  }[];
  loadReview(): Promise<void>;
  documentInFront(): number | undefined;
  /** In the editor of a document, where it is loaded. */
  dispatch(document: number, spec: TransactionSpec): void;
  saveAll(): Promise<boolean>;
  tell(notice: Omit<Notice, "id">): void;
  refuse(fault: Fault): false;
}

/** Until answers that were asked for before the decision have come in. */
const hiddenMs = 400;

export class ReviewDesk {
  private readonly port: ReviewPort;
  /** Hunks that were decided here a moment ago. */
  readonly hidden: Accessor<ReadonlySet<string>>;
  /** Of the documents that are open in this window. */
  readonly reviews: Accessor<readonly OpenReview[]>;
  private readonly setHidden: (ids: ReadonlySet<string>) => void;
  private readonly setReviews: (reviews: readonly OpenReview[]) => void;
  /** What became of the hunks that a remembered decision was about: those that were decided. */
  private readonly made = new WeakMap<readonly string[], readonly string[]>();
  private queue: Promise<unknown> = Promise.resolve();

  constructor(port: ReviewPort) {
    this.port = port;
    [this.hidden, this.setHidden] = createSignal<ReadonlySet<string>>(new Set());
    [this.reviews, this.setReviews] = createSignal<readonly OpenReview[]>([]);
  }

  add(review: OpenReview): () => void {
    this.setReviews([...this.reviews(), review]);
    return () => this.setReviews(this.reviews().filter((other) => other !== review));
  }

  of(document: number): OpenReview | undefined {
    return this.reviews().find((review) => review.document.id === document);
  }

  /** The line of a hunk, from 1, as it is now where its document is open, and else as it was last heard. */
  lineOf(document: number, hunk: { readonly hunk_id: string; readonly new_start: number }): number {
    return this.of(document)?.lineOf(hunk.hunk_id) ?? hunk.new_start;
  }

  /** Whether it was decided. */
  decide(selection: Selection, verdict: Verdict): Promise<boolean> {
    const decision = { ids: this.idsOf(selection), verdict, isMade: true, ...turnsIn(selection) };
    // Before the server has answered: what is typed next is undone before it.
    this.remember(decision, this.documentsOf(decision.ids));
    return this.carryOut(decision, selection, true);
  }

  /** Takes back the named decisions, or the latest one. */
  undo(ids?: readonly string[]): Promise<boolean> {
    return this.inOrder(async () => {
      const reply = await this.port.undoDecision(ids);
      if (isFault(reply)) return this.port.refuse(reply);
      this.unhide(reply.hunk_ids);
      const verdict = this.verdictOf(reply.hunk_ids);
      if (verdict !== undefined)
        this.remember({ ids: reply.hunk_ids, verdict, isMade: false }, reply.documents);
      await this.lookAgain(reply.documents);
      return true;
    });
  }

  /** What undo or redo in an editor asks for; it is in that editor's history already. */
  repeat(decision: Decision): Promise<boolean> {
    if (decision.isMade) {
      const ids = this.made.get(decision.ids) ?? decision.ids;
      const { turn, alsoTurns: also_turns = [] } = decision;
      const selection = turn === undefined ? { hunk_ids: ids } : { turn, hunk_ids: ids, also_turns };
      return ids.length === 0 ? Promise.resolve(true) : this.carryOut(decision, selection, false);
    }
    return this.inOrder(async () => {
      const ids = this.made.get(decision.ids) ?? decision.ids;
      // It was refused, and said so then.
      if (ids.length === 0) return true;
      const reply = await this.port.undoDecision(ids);
      if (isFault(reply)) return this.port.refuse(reply);
      this.unhide(reply.hunk_ids);
      await this.lookAgain(reply.documents);
      return true;
    });
  }

  /** Writes what is decided to the files, after the decisions that are on their way: all of them or none. */
  save(): Promise<boolean> {
    return this.inOrder(() => this.port.saveAll());
  }

  private carryOut(decision: Decision, selection: Selection, isNew: boolean): Promise<boolean> {
    const { ids, verdict } = decision;
    const takesWords = verdict === "reject" && this.hasWords(ids);
    this.hide("turn" in selection ? this.onlyOf(selection, ids) : ids);
    return this.inOrder(async () => {
      const reply = await this.port.decide({ ...bodyOf(selection), verdict });
      if (isFault(reply)) {
        this.unhide(ids);
        this.made.set(ids, []);
        for (const review of this.reviews()) review.refresh();
        void this.port.loadReview();
        if (reply.error === "turns_overlap" && "turn" in selection)
          return this.askForOthers(reply, selection, verdict);
        return reply.error === "unknown_hunk" ? this.tellGone(ids.length) : this.port.refuse(reply);
      }
      this.made.set(ids, reply.hunk_ids);
      if (isNew && (reply.hunk_ids.length > 1 || takesWords))
        this.tell({ ...decision, ids: reply.hunk_ids }, reply.documents.length, takesWords);
      await this.lookAgain(reply.documents);
      setTimeout(() => this.unhide(ids), hiddenMs);
      return true;
    });
  }

  /** Where changes of several turns cannot be told apart, the person says whether the others' go along. */
  private askForOthers(
    { message, details }: Fault,
    selection: Extract<Selection, { readonly turn: string }>,
    verdict: Verdict,
  ): false {
    const also_turns = [...(selection.also_turns ?? []), ...turnsNamed(details)];
    const label = verdict === "accept" ? "Accept together" : "Reject together";
    this.port.tell({
      text: message,
      tone: "bad",
      action: { label, run: () => this.decide({ ...selection, also_turns }, verdict) },
    });
    return false;
  }

  private inOrder(action: () => Promise<boolean>): Promise<boolean> {
    const next = this.queue.then(async () => {
      for (const { document } of this.reviews()) {
        const fault = await document.settle();
        if (fault !== undefined) return this.port.refuse(fault);
      }
      return action();
    });
    this.queue = next.catch(() => undefined);
    return next;
  }

  /** In the history of the document in front where it is concerned, so that undo there takes the whole decision back. */
  private remember(decision: Decision, documents: readonly number[]): void {
    const front = this.port.documentInFront();
    const [only] = documents;
    if (decision.ids.length === 0) return;
    const place = front !== undefined && documents.includes(front) ? front : only;
    if (place === undefined || (place !== front && documents.length > 1)) return;
    this.port.dispatch(place, rememberDecision(decision));
  }

  private tell({ ids, verdict }: Decision, documents: number, takesWords: boolean): void {
    const done = verdict === "accept" ? "Accepted" : "Rejected";
    const what = ids.length === 1 ? "a change" : `${ids.length} changes`;
    const where = documents > 1 ? ` in ${documents} documents` : "";
    const words = takesWords ? " What you wrote inside went, too; the history keeps it." : "";
    this.port.tell({
      text: `${done} ${what}${where}.${words}`,
      tone: "plain",
      action: { label: "Undo", run: () => this.undo(ids) },
    });
  }

  /** Two windows, or a window and a terminal, decide at the same time: whoever is second is told so. */
  private tellGone(count: number): false {
    const text =
      count === 1
        ? "This change is not open any more. It may have been decided in another window."
        : "Some of these changes are not open any more. They may have been decided in another window. Nothing was decided now.";
    this.port.tell({ text, tone: "plain" });
    return false;
  }

  private async lookAgain(documents: readonly number[]): Promise<void> {
    for (const document of documents) this.of(document)?.refresh();
    await this.port.loadReview();
  }

  private hide(ids: readonly string[]): void {
    this.setHidden(new Set([...this.hidden(), ...ids]));
    for (const review of this.reviews()) review.hideDecided();
  }

  private unhide(ids: readonly string[]): void {
    const rest = new Set(this.hidden());
    for (const id of ids) rest.delete(id);
    this.setHidden(rest);
  }

  private verdictOf(ids: readonly string[]): Verdict | undefined {
    const wanted = new Set(ids);
    for (const review of this.reviews()) {
      const known = review.decided().find(({ hunk_id }) => wanted.has(hunk_id));
      if (known !== undefined) return known.verdict === "accepted" ? "accept" : "reject";
    }
    return undefined;
  }

  /** Whether the person has written inside of some of them, as far as it was heard. */
  private hasWords(ids: readonly string[]): boolean {
    const wanted = new Set(ids);
    const heard = this.port.files().flatMap(({ hunks }) => hunks);
    const shown = this.reviews().flatMap((review) => review.placed().hunks.map(({ hunk }) => hunk));
    return [...heard, ...shown].some(
      ({ hunk_id, origins }) => wanted.has(hunk_id) && origins.includes("user"),
    );
  }

  private documentsOf(ids: readonly string[]): number[] {
    const wanted = new Set(ids);
    const documents = new Set<number>();
    for (const { document, hunks } of this.port.files()) {
      if (hunks.some(({ hunk_id }) => wanted.has(hunk_id))) documents.add(document);
    }
    for (const review of this.reviews()) {
      if (review.placed().hunks.some(({ hunk }) => wanted.has(hunk.hunk_id)))
        documents.add(review.document.id);
    }
    return [...documents];
  }

  /** Hunks that no other turn has a part in, as far as it was heard. */
  private onlyOf({ turn }: { readonly turn: string }, ids: readonly string[]): string[] {
    const shared = new Set<string>();
    for (const { hunks } of this.port.files())
      for (const { hunk_id, turns } of hunks) if (turns.some((one) => one !== turn)) shared.add(hunk_id);
    return ids.filter((id) => !shared.has(id));
  }

  private idsOf(selection: Selection): string[] {
    if ("hunk_ids" in selection && selection.hunk_ids !== undefined) return [...selection.hunk_ids];
    const ids = new Set<string>();
    for (const { document, hunks } of this.port.files()) {
      if ("document" in selection && document !== selection.document) continue;
      for (const { hunk_id, turns } of hunks) {
        if (!("turn" in selection) || turns.includes(selection.turn)) ids.add(hunk_id);
      }
    }
    return [...ids];
  }
}

/** The turns that a refusal names. */
function turnsNamed({ turns }: FaultDetails): string[] {
  if (!Array.isArray(turns)) return [];
  return turns.flatMap((one: unknown) => {
    const isTurn = typeof one === "object" && one !== null && "turn" in one && typeof one.turn === "string";
    return isTurn ? [String(one.turn)] : [];
  });
}

function turnsIn(selection: Selection): Pick<Decision, "turn" | "alsoTurns"> {
  return "turn" in selection ? { turn: selection.turn, alsoTurns: selection.also_turns } : {};
}

function bodyOf(selection: Selection): DecideBody {
  if ("turn" in selection) {
    const { turn, hunk_ids, also_turns } = selection;
    return {
      turn,
      ...(hunk_ids === undefined ? {} : { hunk_ids: [...hunk_ids] }),
      ...(also_turns === undefined ? {} : { also_turns: [...also_turns] }),
    };
  }
  return "hunk_ids" in selection ? { hunk_ids: [...selection.hunk_ids] } : { ...selection };
}

function portOf(desk: Desk): ReviewPort {
  return {
    decide: (body) => desk.client.call("decide", { body }),
    undoDecision: (ids) =>
      desk.client.call("undoDecision", { body: ids === undefined ? {} : { hunk_ids: [...ids] } }),
    files: () => desk.state.review.files,
    loadReview: () => desk.loadReview(),
    documentInFront: () => desk.activeTab()?.document,
    dispatch: (document, spec) => desk.documents.known(document)?.dispatch(spec),
    saveAll: () => desk.saveAll(),
    tell: (notice) => desk.notices.tell(notice),
    refuse: (fault) => desk.refuse(fault),
  };
}

const known = new WeakMap<Desk, ReviewDesk>();

export function reviewDeskOf(desk: Desk): ReviewDesk {
  const made = known.get(desk) ?? new ReviewDesk(portOf(desk));
  known.set(desk, made);
  return made;
}
