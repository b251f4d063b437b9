// A document as a turn sees it: what the turn has staged, over everything that happens to the document meanwhile.

import { ChangeSet } from "@codemirror/state";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { Format } from "@stet/text/document";
import { advance, changesSince, type History } from "@stet/text/history";
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

/** Takes over what happened to the document since, mapped over what is staged. */
export function followCopy(copy: Copy, history: History): Copy | Fault {
  const since = changesSince(history, copy.followed);
  if (isFault(since)) return since;
  let followed: Copy = copy;
  for (const made of since) {
    const { staged } = followed;
    const theirs = staged === undefined ? made.change : made.change.map(staged, true);
    followed = {
      ...followed,
      history: advance(followed.history, theirs, made),
      followed: made.revision,
      staged: staged?.map(made.change),
    };
  }
  return followed;
}
