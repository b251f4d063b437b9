// A conflict between the text here and the file on disk, settled from the command line. What is dropped stays as a checkpoint.

import { relative, resolve } from "node:path";
import { Text } from "@codemirror/state";
import { Fault, isFault } from "@stet/protocol/fault";
import { contentOf, decodeDocument } from "@stet/text/document";
import { mergeLines } from "@stet/text/merge";
import type { DocumentState } from "@stet/workspace/documents/document-state";
import type { Workspace } from "@stet/workspace/workspace";
import type { CommandContext } from "./command.ts";
import { exitCode } from "./exit-code.ts";

export type KeptSide = "keep" | "reload" | "both";

/** Undefined where none or several are named. */
export function sideOf(named: Readonly<Record<KeptSide, boolean>>): KeptSide | undefined {
  const sides = (["keep", "reload", "both"] as const).filter((side) => named[side]);
  return sides.length === 1 ? sides[0] : undefined;
}

export async function resolveConflict(
  workspace: Workspace,
  { folder, terminal }: CommandContext,
  name: string,
  side: KeptSide,
): Promise<number | Fault> {
  const path = relative(workspace.root.path, resolve(folder, name));
  const opened = workspace.lockedByTurn() ?? workspace.documents.open(path);
  if (isFault(opened)) return opened;
  const compared = workspace.documents.disk.compare(opened.id);
  if (isFault(compared)) return compared;
  if (compared === undefined && opened.vanished === null) return noConflict(path);
  if (side === "both") {
    const joined = joinBoth(workspace, opened);
    if (isFault(joined)) return joined;
  }
  const settled =
    side === "reload"
      ? workspace.tabs.reloadDocument(opened.id)
      : workspace.saving.resolve(opened.id, side === "both" ? "settled" : "keep");
  if (isFault(settled)) return settled;
  const saved = side === "reload" ? [] : await workspace.saving.save([opened.id]);
  if (isFault(saved)) return saved;
  const done = { keep: "keeps the text here", reload: "has the file's text", both: "has the lines of both" };
  terminal.out(`${path} ${done[side]}.\n`);
  if (settled.checkpoint !== null)
    terminal.out(`What that replaced is kept: stet rollback ${settled.checkpoint}\n`);
  return exitCode.done;
}

/** Makes the document what both sides have: where they differ, the lines here and then the file's. */
function joinBoth({ documents }: Workspace, state: DocumentState): DocumentState | Fault {
  const found = documents.disk.find(state.id);
  if (isFault(found)) return found;
  if (found.content === null) return state;
  const disk = decodeDocument(found.content.bytes);
  if (isFault(disk)) return disk;
  const saved = state.saved ?? state.vanished ?? Text.empty;
  const regions = mergeLines(saved.toJSON(), state.pending.current.toJSON(), disk.text.toJSON());
  const lines = regions.flatMap(({ kind, ours, theirs }) => {
    return kind === "theirs" ? theirs : kind === "conflict" ? [...ours, ...theirs] : ours;
  });
  return documents.edit(state.id, {
    revision: state.history.revision,
    policy: { kind: "strict" },
    edits: [{ op: "set", content: contentOf(Text.of(lines)) }],
    origin: "user",
    rewrite: true,
  });
}

function noConflict(path: string): Fault {
  const message = `${path} is in no conflict with its file. Nothing was changed.`;
  return new Fault("no_change", message, "See `stet review` for what is open.", { path });
}
