// What a turn tells of what it staged, and of what it refused to stage.

import { ChangeSet } from "@codemirror/state";
import { Fault } from "@stet/protocol/fault";
import type { Origin } from "@stet/protocol/ids";
import { anchoredContext } from "@stet/text/anchors";
import type { History } from "@stet/text/history";
import { type IntegrityReport, integrityOf } from "@stet/text/integrity";
import { countLines } from "@stet/text/lines";
import { type EditReport, integrityOfNewest, type Revised } from "@stet/text/revise";
import type { StagedConflict } from "./turn-copy.ts";

/** What was staged, and proof that the rest of the document is as it was. */
export interface StagedReport extends EditReport {
  readonly integrity: IntegrityReport;
}

export interface ReplacementReport extends StagedReport {
  readonly matchesFound: number;
  readonly replacementsMade: number;
}

export function reportOf({ history, report }: Revised): StagedReport {
  const integrity = integrityOfNewest(history);
  // Either cannot be: a revision has just been made, and a change leaves alone what it does not name.
  if (integrity === undefined || !integrity.restIsIdentical)
    throw new Error("an edit changed text beside its target");
  return { ...report, integrity };
}

/** Of what is done to a file without text. */
export function unchangedReport({ text, revision }: History): StagedReport {
  const integrity = integrityOf(text, text, ChangeSet.empty(text.length), []);
  return { revision, oldLength: 0, newLength: 0, affected: [], integrity };
}

export function fileExists(path: string): Fault {
  const message = `${path} exists already.`;
  return new Fault("file_exists", message, "Edit that file, or choose another path.", { path });
}

const makers: Readonly<Record<Origin, string>> = {
  agent: "Another turn",
  user: "The person",
  disk: "Another program",
};

/** Someone changed the lines that a turn has staged edits of, before those were committed. */
export function stagedConflict(
  name: string,
  { conflict, line }: StagedConflict,
  { text, revision }: History,
  edits: number,
): Fault {
  const near = Math.max(1, Math.min(countLines(text), line + 1));
  return new Fault(
    "conflict",
    `${makers[conflict.origin]} has changed lines of ${name} that this turn had edited, at line ${line + 1}. What this ` +
      "turn had staged there is not kept: the two texts would have run together.",
    `Read ${name} again, and repeat the edits that still make sense.`,
    {
      path: name,
      changed_in: { revision: conflict.revision, origin: conflict.origin, turn: conflict.turn ?? null },
      edits_taken_back: edits,
      current_version: String(revision),
      current: countLines(text) === 0 ? [] : anchoredContext(text, near, 4),
    },
  );
}
