// What is open for review, where the person is in it, and what they decide.
//
// The position is a hunk's id. The review is read again whenever something happened to it, here or in another front end, and
// the position stays on its hunk; where that is decided, it goes on to the next one that is still open. A decision on a hunk or
// a file is only made while the hunk is what the person saw.

import type { Api, CallableRoute } from "@stet/client/direct";
import type { FileReview, ReviewHunk } from "@stet/protocol/api/review";
import { type Fault, isFault } from "@stet/protocol/fault";
import { type HunkInFile, hunksIn } from "../../hunk-lines.ts";
import {
  type Choice,
  type Confirm,
  confirmRejectAll,
  type Decision,
  decideTogether,
  type OpenReview,
  saveDecided,
  type Verdict,
} from "../../review-decisions.ts";
import { changeHunk, type HunkEdit, startEdit } from "./edit-hunk.ts";

export type ReviewApi = Api<CallableRoute>;
/** What one key decides on. */
export type Scope = "hunk" | "file" | "turn" | "everything";

const noLines: readonly string[] = [];

export class ReviewSession {
  readonly #api: ReviewApi;
  readonly #onChange: () => void;
  #review: OpenReview | undefined;
  #open: readonly HunkInFile[] = [];
  #id: string | undefined;
  #text: { readonly document: number; readonly lines: readonly string[] } | undefined;
  /** How many were decided here. */
  #decided = 0;
  readonly #touched = new Set<number>();
  #reading: Promise<void> | undefined;
  #fault: Fault | undefined;
  #isReadAgain = false;

  constructor(api: ReviewApi, onChange: () => void) {
    this.#api = api;
    this.#onChange = onChange;
  }

  /** Undefined until it is read. */
  get review(): OpenReview | undefined {
    return this.#review;
  }

  get open(): readonly HunkInFile[] {
    return this.#open;
  }

  /** The index of the hunk in front of the person; 0 where nothing is open. */
  get at(): number {
    return Math.max(0, this.#indexOf(this.#id));
  }

  get current(): HunkInFile | undefined {
    return this.#open[this.at];
  }

  get decided(): number {
    return this.#decided;
  }

  /** The lines of the document of the current hunk; empty where they could not be read. */
  get lines(): readonly string[] {
    return this.#text !== undefined && this.#text.document === this.current?.file.document
      ? this.#text.lines
      : noLines;
  }

  /** Why the review could not be read the last time; what was read before stays. */
  get fault(): Fault | undefined {
    return this.#fault;
  }

  /** Reads what is open. With `compares`, files are compared with the disk first. */
  async read({ compares = false } = {}): Promise<void> {
    if (this.#reading !== undefined) {
      this.#isReadAgain = true;
      return this.#reading;
    }
    this.#reading = this.#readAll(compares);
    try {
      await this.#reading;
    } finally {
      this.#reading = undefined;
    }
  }

  async #readAll(compares: boolean): Promise<void> {
    do {
      this.#isReadAgain = false;
      const review = await this.#api.call("listReview", { query: compares ? { compare: "true" } : {} });
      this.#fault = isFault(review) ? review : undefined;
      if (!isFault(review)) {
        this.#take(review);
        await this.#readText();
      }
      this.#onChange();
    } while (this.#isReadAgain);
  }

  #take(review: OpenReview): void {
    const open = hunksIn(review.files);
    const ids = new Set(open.map(({ hunk }) => hunk.hunk_id));
    // Where the hunk is gone, the first one behind it that is still there; else the last one before it.
    const from = this.#indexOf(this.#id);
    const order = [
      ...this.#open.slice(Math.max(0, from)),
      ...this.#open.slice(0, Math.max(0, from)).reverse(),
    ];
    this.#id = order.find(({ hunk }) => ids.has(hunk.hunk_id))?.hunk.hunk_id ?? open[0]?.hunk.hunk_id;
    this.#review = review;
    this.#open = open;
  }

  async #readText(): Promise<void> {
    const document = this.current?.file.document;
    if (document === undefined) return;
    const found = await this.#api.call("getDocument", { params: { document } });
    // Without its text, a hunk is shown alone.
    this.#text = { document, lines: isFault(found) ? [] : found.text.split("\n") };
  }

  /** To the hunk so many further; false where there is none. */
  move(by: number): Promise<boolean> {
    return this.#goTo(this.#open[this.at + by]);
  }

  /** To the first hunk of the next or the previous file. */
  moveFile(by: 1 | -1): Promise<boolean> {
    const files = this.#review?.files ?? [];
    const at = files.findIndex(({ document }) => document === this.current?.file.document);
    const file = files[at + by];
    return this.#goTo(this.#open.find((one) => one.file.document === file?.document));
  }

  async #goTo(one: HunkInFile | undefined): Promise<boolean> {
    if (one === undefined) return false;
    this.#id = one.hunk.hunk_id;
    if (this.#text?.document !== one.file.document) await this.#readText();
    return true;
  }

  /** What was decided; a sentence where the person has to look again; undefined where they thought better of it. */
  async decide(
    verdict: Verdict,
    scope: Scope,
    confirm: Confirm,
  ): Promise<Decision | Fault | string | undefined> {
    const { current, review } = this;
    if (current === undefined || review === undefined) return undefined;
    if ((scope === "hunk" || scope === "file") && !(await this.#isAsShown(current, scope))) {
      await this.read();
      return "It was changed just now, so nothing was decided: look at it again.";
    }
    const choice = await choiceOf(scope, verdict, current, review, confirm);
    if (choice === undefined) return undefined;
    const report = await decideTogether(this.#api, verdict, choice, confirm);
    if (report === undefined) return undefined;
    if (!isFault(report)) {
      this.#decided += report.hunk_ids.length;
      for (const document of report.documents) this.#touched.add(document);
    }
    await this.read();
    return report;
  }

  /** Whether what would be decided on is what the person saw. */
  async #isAsShown({ file, hunk }: HunkInFile, scope: "hunk" | "file"): Promise<boolean> {
    const now = await this.#api.call("documentReview", { params: { document: file.document }, query: {} });
    // What cannot be read cannot be decided on either; that says why.
    if (isFault(now)) return true;
    const shown = scope === "hunk" ? [hunk] : file.hunks;
    return shown.every((one) => {
      const found = now.hunks.find(({ hunk_id }) => hunk_id === one.hunk_id);
      return found !== undefined && isSameHunk(one, found);
    });
  }

  /** Takes the latest decision back, and goes there. */
  async undo(): Promise<Decision | Fault> {
    const report = await this.#api.call("undoDecision", { body: {} });
    if (isFault(report)) return report;
    this.#decided = Math.max(0, this.#decided - report.hunk_ids.length);
    for (const document of report.documents) this.#touched.add(document);
    await this.read();
    await this.#goTo(this.#open.find(({ hunk }) => report.hunk_ids.includes(hunk.hunk_id)));
    return report;
  }

  /** The lines of the current hunk, to be changed by the person. */
  startEdit(): Promise<HunkEdit | Fault | undefined> | undefined {
    return this.current === undefined ? undefined : startEdit(this.#api, this.current);
  }

  /** Makes the person's lines the hunk's. Returns whether anything is different. */
  async finishEdit(edit: HunkEdit, text: string): Promise<boolean | Fault> {
    const changed = await changeHunk(this.#api, edit, text);
    if (isFault(changed)) return changed;
    if (changed) this.#touched.add(edit.document);
    await this.read();
    return changed;
  }

  /** Writes what was decided here; returns the paths. */
  save(note: (text: string) => void): Promise<string[] | Fault> | undefined {
    return this.#touched.size === 0 ? undefined : saveDecided(this.#api, note, [...this.#touched]);
  }

  #indexOf(id: string | undefined): number {
    return this.#open.findIndex(({ hunk }) => hunk.hunk_id === id);
  }
}

async function choiceOf(
  scope: Scope,
  verdict: Verdict,
  { file, hunk }: HunkInFile,
  review: OpenReview,
  confirm: Confirm,
): Promise<Choice | undefined> {
  if (scope === "hunk") return { hunk_ids: [hunk.hunk_id] };
  if (scope === "file") return { document: file.document };
  if (scope === "turn") return turnChoice(hunk);
  return verdict === "reject" ? confirmRejectAll(review, confirm) : { everything: true };
}

/** The newest turn that made it; a hunk without a turn is decided alone. */
function turnChoice({ turns, hunk_id }: ReviewHunk): Choice {
  const turn = turns.at(-1);
  return turn === undefined ? { hunk_ids: [hunk_id] } : { turn };
}

function isSameHunk(one: ReviewHunk, other: ReviewHunk): boolean {
  const linesOf = ({ removed, added }: ReviewHunk) => JSON.stringify([removed, added]);
  return linesOf(one) === linesOf(other);
}

/** How much a file has open. */
export function countsOf({ hunks }: FileReview): { hunks: number; added: number; removed: number } {
  const count = (side: "added" | "removed") => hunks.reduce((sum, hunk) => sum + hunk[side].length, 0);
  return { hunks: hunks.length, added: count("added"), removed: count("removed") };
}
