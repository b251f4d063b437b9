// What a turn tells of what it staged, and of what it refused to stage.

import { ChangeSet } from "@codemirror/state";
import { Fault } from "@stet/protocol/fault";
import type { History } from "@stet/text/history";
import { integrityOf } from "@stet/text/integrity";
import { integrityOfNewest, type Revised } from "@stet/text/revise";
import type { StagedReport } from "./turns.ts";

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
