// Going through changes and deciding them by key, within a document and from one to the next.

import type { ReviewHunk } from "@stet/protocol/api/review";
import { always, commandsOf } from "../app/commands.ts";
import type { Workbench } from "../workspace/workbench.ts";
import { type Decisions, decisionsOf } from "./decisions.ts";
import { nextStop, spotOf } from "./hunk-stops.ts";
import type { OpenReview } from "./open-review.ts";
import type { Verdict } from "./selection.ts";
import type { TurnAgent } from "./turn-agents.ts";

const command = commandsOf("Review");

/** For as long as the window lives. */
export function addReviewCommands(workbench: Workbench): void {
  const reviews = decisionsOf(workbench);
  const front = () => {
    const document = workbench.activeTab()?.document;
    return document === undefined ? undefined : reviews.of(document);
  };
  const isAnyOpen = () => openFiles(workbench, reviews).length > 0;
  const isOpenHere = () => (front()?.placed().hunks.length ?? 0) > 0;
  // What is drawn in the text is there before the list of all files has come.
  const canGo = () => (isOpenHere() || isAnyOpen()) && workbench.views.active()?.kind !== "diff";
  const hasTurn = () => turnInFront(workbench, front()) !== undefined;
  const decideFile = (verdict: Verdict) => {
    const review = front();
    if (review !== undefined) void decideOpen(workbench, review, verdict);
  };
  const decideTurn = (verdict: Verdict) => {
    const turn = turnInFront(workbench, front());
    if (turn !== undefined) void reviews.decide({ turn }, verdict);
  };
  workbench.commands.use(
    command("review.next", "Go to the next change", "F7", canGo, () => goToChange(workbench, 1)),
    command("review.previous", "Go to the previous change", "Shift-F7", canGo, () =>
      goToChange(workbench, -1),
    ),
    command("review.accept", "Accept the change at the cursor, and go to the next", "Alt-a", isOpenHere, () =>
      decideAtCursor(workbench, front(), "accept"),
    ),
    command("review.reject", "Reject the change at the cursor, and go to the next", "Alt-r", isOpenHere, () =>
      decideAtCursor(workbench, front(), "reject"),
    ),
    command("review.acceptFile", "Accept all changes of the document", "Alt-Shift-a", isOpenHere, () =>
      decideFile("accept"),
    ),
    command("review.rejectFile", "Reject all changes of the document", "Alt-Shift-r", isOpenHere, () =>
      decideFile("reject"),
    ),
    command("review.acceptTurn", "Accept all changes of the turn", "", hasTurn, () => decideTurn("accept")),
    command("review.rejectTurn", "Reject all changes of the turn", "", hasTurn, () => decideTurn("reject")),
    command("review.undo", "Undo the last decision", "Alt-u", always, () => reviews.undo()),
    command("review.acceptAll", "Accept all changes of all documents", "", isAnyOpen, () =>
      decideAll(workbench, "accept"),
    ),
    command("review.rejectAll", "Reject all changes of all documents", "", isAnyOpen, () =>
      decideAll(workbench, "reject"),
    ),
    command(
      "review.diff",
      "Show the changes of the document side by side",
      "Alt-d",
      () => workbench.activeTab() !== undefined,
      () => {
        const tab = workbench.activeTab();
        if (tab !== undefined) showDiff(workbench, tab.document, tab.title);
      },
    ),
    command("review.save", "Save what is decided", "", always, () => reviews.save()),
  );
}

export function showDiff(workbench: Workbench, document: number, title: string): void {
  workbench.views.show({ kind: "diff", document, title: `${title} (changes)` });
}

/**
 * To the next or previous change; behind the last one of a document comes the first one of the next document, which is
 * returned then.
 */
export function goToChange(workbench: Workbench, step: 1 | -1): number | undefined {
  const reviews = decisionsOf(workbench);
  const front = workbench.activeTab()?.document;
  const review = front === undefined ? undefined : reviews.of(front);
  if (review !== undefined && goWithin(review, step)) return undefined;
  const files = openFiles(workbench, reviews);
  const at = files.findIndex(({ document }) => document === front);
  const start = at < 0 && step === -1 ? 0 : at;
  const next = files[(start + step + files.length) % files.length];
  const hunk = step === 1 ? next?.hunks[0] : next?.hunks.at(-1);
  if (next === undefined || hunk === undefined) return undefined;
  showHunk(workbench, next.document, hunk, step);
  return next.document === front ? undefined : next.document;
}

/** Brings a hunk to the front, with the cursor at its first (or last) changed word. */
export function showHunk(workbench: Workbench, document: number, hunk: ReviewHunk, step: 1 | -1 = 1): void {
  const { line, column } = spotOf(hunk, decisionsOf(workbench).lineOf(document, hunk), step);
  void workbench.openDocument(document, line, column);
}

function goWithin(review: OpenReview, step: 1 | -1): boolean {
  const { document } = review;
  const { doc, selection } = document.state;
  const stop = nextStop(doc, review.placed(), selection.main.head, step);
  if (stop === undefined) return false;
  const { number, from } = doc.lineAt(Math.min(stop, doc.length));
  document.reveal(number, stop - from);
  return true;
}

function openFiles(workbench: Workbench, reviews: Decisions) {
  const hidden = reviews.hidden();
  return workbench.state.review.files
    .map((file) => {
      const hunks = hidden.size === 0 ? file.hunks : file.hunks.filter((hunk) => !hidden.has(hunk.hunk_id));
      return { document: file.document, hunks };
    })
    .filter(({ hunks }) => hunks.length > 0);
}

function decideAtCursor(workbench: Workbench, review: OpenReview | undefined, verdict: Verdict): void {
  const reviews = decisionsOf(workbench);
  const placed = review?.hunkAtCursor();
  if (placed?.wholeTurn !== undefined) {
    void decideWhole(workbench, placed.wholeTurn, verdict, false);
    return;
  }
  if (placed !== undefined) void reviews.decide({ hunk_ids: [placed.hunk.hunk_id] }, verdict);
  if (openFiles(workbench, reviews).length === 0) return;
  const next = goToChange(workbench, 1);
  if (placed !== undefined && review !== undefined && next !== undefined)
    reviews.noteJump(review.document.id, next);
}

/** Everything that is open in a document; of a turn that is decided as a whole, everything everywhere. */
export async function decideOpen(
  workbench: Workbench,
  review: OpenReview,
  verdict: Verdict,
): Promise<boolean> {
  const turn = review.wholeTurn();
  return turn === undefined
    ? decisionsOf(workbench).decide(review.selection(), verdict)
    : decideWhole(workbench, turn, verdict, true);
}

/**
 * Asks first where that is more than the one change that is looked at; to accept, only where what was pressed does not say
 * how many there are.
 */
export async function decideWhole(
  workbench: Workbench,
  turn: string,
  verdict: Verdict,
  saysHowMany: boolean,
): Promise<boolean> {
  const reviews = decisionsOf(workbench);
  const { hunks, documents } = reviews.countOf({ turn });
  if (hunks > 1 && !(saysHowMany && verdict === "accept")) {
    const word = verdict === "accept" ? "Accept" : "Reject";
    const where = documents > 1 ? ` in ${documents} documents` : "";
    const answer = await workbench.dialogs.choose({
      title: `${word} all ${hunks} changes${where}?`,
      text: "The changes of this turn belong together: they are decided as a whole. You can undo this.",
      choices: [
        { id: "yes", label: `${word} all ${hunks}`, isDangerous: verdict === "reject", isDefault: true },
      ],
    });
    if (answer !== "yes") return false;
  }
  return reviews.decide({ turn }, verdict);
}

/** Everything that is open of one agent, turn by turn; what others have done to the same lines stays. */
export async function decideAgent(
  workbench: Workbench,
  { name, turns, hunks }: TurnAgent,
  verdict: Verdict,
): Promise<void> {
  if (verdict === "reject") {
    const answer = await workbench.dialogs.choose({
      title: hunks === 1 ? `Reject the change of ${name}?` : `Reject all ${hunks} changes of ${name}?`,
      text: "The changes of the others stay. You can undo this.",
      choices: [{ id: "reject", label: "Reject them", isDangerous: true, isDefault: true }],
    });
    if (answer !== "reject") return;
  }
  for (const turn of turns) if (!(await decisionsOf(workbench).decide({ turn }, verdict))) return;
}

export async function decideAll(workbench: Workbench, verdict: Verdict): Promise<void> {
  const inDoubt = workbench.state.review.turns.reduce(
    (sum, turn) => sum + (turn.is_in_doubt ? turn.hunks : 0),
    0,
  );
  let during = false;
  if (verdict === "reject") {
    const count = workbench.state.review.files.reduce((sum, { hunks }) => sum + hunks.length, 0);
    const isOnDisk = workbench.state.review.files.some(({ is_on_disk }) => is_on_disk);
    const files = isOnDisk ? ", and so do their files on disk" : "";
    const answer = await workbench.dialogs.choose({
      title: count === 1 ? "Reject the change?" : `Reject all ${count} changes?`,
      text: `The documents go back to what was there before${files}. You can undo this.${doubtWords(inDoubt)}`,
      choices: [
        {
          id: "reject",
          label: inDoubt === 0 ? "Reject all" : "Reject the others",
          isDangerous: true,
          isDefault: true,
        },
        ...(inDoubt === 0 ? [] : [{ id: "during", label: "Reject these, too", isDangerous: true }]),
      ],
    });
    if (answer !== "reject" && answer !== "during") return;
    during = answer === "during";
  }
  await decisionsOf(workbench).decide({ everything: true, ...(during ? { during } : {}) }, verdict);
}

/** What is not rejected with everything else, unless that is said. */
function doubtWords(count: number): string {
  if (count === 0) return "";
  const changes = count === 1 ? "One change was" : `${count} changes were`;
  return ` ${changes} made during a turn, by its commands or by somebody else.`;
}

/** The turn of the change at the cursor, or else the only one that is open. */
function turnInFront(workbench: Workbench, review: OpenReview | undefined): string | undefined {
  const here = review?.hunkAtCursor()?.hunk.turns.at(-1);
  const { turns } = workbench.state.review;
  return here ?? (turns.length === 1 ? turns[0]?.turn : undefined);
}
