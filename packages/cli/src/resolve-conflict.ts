// A conflict between the text here and the file on disk, settled from the command line. What is dropped stays as a checkpoint.

import { Fault, isFault } from "@stet/protocol/fault";
import type { CommandContext } from "./command.ts";
import { exitCode } from "./exit-code.ts";
import type { OpenReview } from "./review-decisions.ts";
import type { CommandApi } from "./with-folder.ts";

export type KeptSide = "keep" | "reload" | "both";

/** Undefined where none or several are named. */
export function sideOf(named: Readonly<Record<KeptSide, boolean>>): KeptSide | undefined {
  const sides = (["keep", "reload", "both"] as const).filter((side) => named[side]);
  return sides.length === 1 ? sides[0] : undefined;
}

export async function resolveConflict(
  api: CommandApi,
  { files, unsaved }: OpenReview,
  { terminal }: CommandContext,
  path: string,
  side: KeptSide,
): Promise<number | Fault> {
  // A file without anything that is open or not saved follows the disk by itself.
  const known = files.find(({ file_path }) => file_path === path) ?? unsaved.find((one) => one.path === path);
  if (known === undefined) return noConflict(path);
  const { document } = known;
  const disk = await api.call("diskState", { params: { document } });
  if (isFault(disk)) return disk;
  if (disk.state === "same" || disk.state === "no_file") return noConflict(path);
  const settled = await api.call("resolveDisk", { params: { document }, body: { choice: side } });
  if (isFault(settled)) return settled;
  const saved =
    side === "reload" ? undefined : await api.call("saveDecided", { body: { documents: [document] } });
  if (isFault(saved)) return saved;
  const done = { keep: "keeps the text here", reload: "has the file's text", both: "has the lines of both" };
  terminal.out(`${path} ${done[side]}.\n`);
  if (settled.checkpoint_id !== null)
    terminal.out(`What that replaced is kept: stet rollback ${settled.checkpoint_id}\n`);
  return exitCode.done;
}

function noConflict(path: string): Fault {
  const message = `${path} is in no conflict with its file. Nothing was changed.`;
  return new Fault("no_change", message, "See `stet review` for what is open.", { path });
}
