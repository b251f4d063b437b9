// What the first start after a crash does: every group on record is finished or taken back (see journal-intent.ts
// for which). Repeatable: a crash in here is settled by the next start.
//
// A record is input like any other. One that names a path outside the root, a protected one, or a folder that leads
// there is refused as a whole, and nothing it names is touched.

import { dirname } from "node:path/posix";
import { Fault, isFault } from "@stet/protocol/fault";
import { type Root, resolveFolder } from "../files/containment.ts";
import { type Intent, type IntentState, listIntents, readIntent, type Step } from "./journal-intent.ts";
import { finishGroup, type SettledFile, takeBackGroup } from "./journal-settle.ts";

export interface RecoveredGroup {
  readonly group: string;
  readonly tag: string | null;
  readonly files: readonly SettledFile[];
}

export interface RecoveryReport {
  /** Groups whose files are new now, but for those in conflict. */
  readonly finished: readonly RecoveredGroup[];
  /** Groups whose files are as before, but for those in conflict. */
  readonly takenBack: readonly RecoveredGroup[];
  /** Groups that stay on record: refused as forged or damaged, or to be tried again. */
  readonly left: readonly { readonly group: string; readonly fault: Fault }[];
}

/** Call before the first save, and not during one. */
export async function recoverGroups(
  journalFolder: string,
  root: Root,
  options: { step?: Step } = {},
): Promise<RecoveryReport | Fault> {
  const step = options.step ?? (() => undefined);
  const records = listIntents(journalFolder);
  if (isFault(records)) return records;
  const finished: RecoveredGroup[] = [];
  const takenBack: RecoveredGroup[] = [];
  const left: { group: string; fault: Fault }[] = [];
  for (const { group, state } of records) {
    const intent = readTrusted(journalFolder, root, group, state);
    const files = isFault(intent) ? intent : await settle(journalFolder, root, intent, state, step);
    if (isFault(intent)) left.push({ group, fault: intent });
    else if (isFault(files)) left.push({ group, fault: files });
    else (state === "ready" ? finished : takenBack).push({ group, tag: intent.tag, files });
  }
  return { finished, takenBack, left };
}

function settle(
  journalFolder: string,
  root: Root,
  intent: Intent,
  state: IntentState,
  step: Step,
): Promise<SettledFile[] | Fault> {
  if (state === "ready") return finishGroup(journalFolder, root, intent, step);
  return takeBackGroup(journalFolder, root, intent, state === "back", step);
}

function readTrusted(journalFolder: string, root: Root, group: string, state: IntentState): Intent | Fault {
  const intent = readIntent(journalFolder, group, state);
  if (isFault(intent)) return intent;
  if (intent.root !== root.path) {
    const message = `The journal's group ${group} belongs to the workspace ${intent.root}.`;
    return new Fault("path_outside", message, "Open that workspace to settle it.", { root: intent.root });
  }
  const folders = new Set([...intent.files.map((file) => file.target), ...intent.folders].map(dirname));
  for (const folder of folders) {
    const found = resolveFolder(root, folder);
    // A folder that is gone, or a file now, leads nowhere; that is for the settling to report.
    if (isFault(found) && (found.error === "path_outside" || found.error === "protected_path")) return found;
  }
  return intent;
}
