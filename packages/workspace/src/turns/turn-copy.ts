// A document as a turn sees it: what the turn has staged, over everything that happens to the document meanwhile.

import { ChangeSet, type Text } from "@codemirror/state";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { TurnId } from "@stet/protocol/ids";
import { changeTo, firstMeeting, placeBoth } from "@stet/text/concurrent-splices";
import type { Format } from "@stet/text/document";
import { advance, type Change, changesSince, type History } from "@stet/text/history";
import { changeOf, type Splice, splicesOf } from "@stet/text/lines";
import type { Revised } from "@stet/text/revise";

/** What the turn does to the file itself, besides its text. */
export interface StagedFile {
  readonly kind: "made" | "removed";
  /** Of a new file. */
  readonly format?: Format | undefined;
}

export interface Copy {
  readonly history: History;
  /** The document's revision that the copy has caught up with. */
  readonly followed: number;
  /** From the document's text at that revision to the copy's text; undefined where nothing is staged. */
  readonly staged: ChangeSet | undefined;
  /** How many edits that took. */
  readonly steps: number;
  readonly file: StagedFile | undefined;
}

export function copyOf(history: History): Copy {
  return { history, followed: history.revision, staged: undefined, steps: 0, file: undefined };
}

export function withRevised(copy: Copy, { history, change }: Revised): Copy {
  const staged = copy.staged === undefined ? change : copy.staged.compose(change);
  return { ...copy, history, staged, steps: copy.steps + 1 };
}

/** The copy with a file that is made or removed, whatever its text. */
export function withFile(copy: Copy, file: StagedFile): Copy {
  return { ...copy, staged: copy.staged ?? ChangeSet.empty(copy.history.text.length), file };
}

/** Whether there is no file in the end, though there may be one on disk now. */
export function isRemoved({ file, history }: Copy): boolean {
  return file?.kind === "removed" && history.text.length === 0;
}

/**
 * Takes over what happened to the document since, beside what is staged. Where someone changed the very lines that are
 * staged, that is a conflict: both texts would stand in them, run together.
 */
export function followCopy(copy: Copy, history: History): Copy | StagedConflict | Fault {
  const since = changesSince(history, copy.followed);
  if (isFault(since)) return since;
  const [first] = since;
  if (first === undefined) return copy;
  const { staged } = copy;
  if (staged === undefined) return since.reduce(followed, copy);
  // A file is removed as it was read, and made where there was none: no line of it could be left alone by another change.
  const isMade = copy.file?.kind === "made" && staged.length === 0;
  if (copy.file?.kind === "removed" || isMade) return { conflict: first, line: first.splices[0]?.at ?? 0 };
  let ours = linesOnly(splicesOf(first.before, copy.history.text, staged), copy.history.text);
  let followedCopy = copy;
  for (const made of since) {
    const after = made.change.apply(made.before);
    const theirSplices = linesOnly(made.splices, after);
    const met = firstMeeting(ours, theirSplices);
    if (met !== undefined) return { conflict: made, line: met.at };
    const placed = placeBoth(ours, theirSplices);
    ours = placed.ours;
    const change = changeOf(after, ours);
    const { text } = followedCopy.history;
    const theirs = changeTo(text, change.apply(after), placed.theirs);
    const next = advance(followedCopy.history, theirs, made);
    followedCopy = { ...followedCopy, history: next, followed: made.revision, staged: change };
  }
  return followedCopy;
}

/** A text without lines has one raw line, which is none that anybody wrote. */
export function linesOnly(splices: readonly Splice[], after: Text): readonly Splice[] {
  return after.length > 0 ? splices : splices.map((splice) => ({ ...splice, lines: [] }));
}

function followed(copy: Copy, made: Change): Copy {
  return { ...copy, history: advance(copy.history, made.change, made), followed: made.revision };
}

/** A change of the document in lines that the turn has staged edits of. */
export interface StagedConflict {
  readonly conflict: Change;
  /** Where the two met, 0-based. */
  readonly line: number;
}

export function isStagedConflict(value: Copy | StagedConflict | Fault): value is StagedConflict {
  return !isFault(value) && "conflict" in value;
}

/** The copy as its document is, after what was staged: edits made on what the copy showed until now are rebased over that. */
export function withoutStaged(copy: Copy, document: History): Copy {
  const { text } = copy.history;
  const back = changeTo(text, document.text, []);
  const last = document.changes.at(-1);
  const history = advance(copy.history, back, { origin: last?.origin ?? "disk", turn: last?.turn });
  return { history, followed: document.revision, staged: undefined, steps: copy.steps + 1, file: undefined };
}

// A turn that waits for the person, as data: it can go on from there in another process.

export interface SuspendedTurn {
  readonly id: TurnId;
  readonly startedAt: number;
  readonly staged: readonly {
    readonly document: number;
    /** The document's revision that the change is made on. */
    readonly revision: number;
    readonly change: unknown;
    readonly steps: number;
    readonly file?: StagedFile | undefined;
  }[];
  /** Documents that were committed while the turn went on. */
  readonly published?: readonly number[];
  readonly created: readonly { readonly path: string | null; readonly title: string }[];
}
