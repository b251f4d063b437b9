// Checkpoints in a person's words.

import type { Checkpoint } from "@stet/client/rollback";
import { visibleName } from "@stet/protocol/visible";
import { timeAgo } from "@stet/session/session-listing";

/** What a turn was, in one line. */
export function checkpointTitle(
  { kind, summary, rollback_of: target }: Checkpoint,
  summaryOf: (turn: string) => string | undefined = () => undefined,
): string {
  const own = firstLine(summary);
  if (kind === "agent") return visibleName(own || "A turn without words");
  if (target === undefined) return visibleName(own || "A rollback");
  const known = firstLine(summaryOf(target.turn) ?? "");
  if (known.startsWith("Rollback ")) return "Undid a rollback";
  const what = known === "" ? "an earlier turn" : `“${visibleName(known)}”`;
  return target.is_whole ? `Went back to before ${what}` : `Took back changes of ${what}`;
}

/** When it was, and what it touched. */
export function checkpointDetail({ created_at: at, affected_files: files }: Checkpoint): string {
  const names = files.map(({ file_path: path }) => visibleName(path ?? "(not saved)"));
  const shown = names.slice(0, 3).join(", ");
  const rest = names.length > 3 ? ` and ${names.length - 3} more` : "";
  return `${timeAgo(Date.parse(at))}  ${shown}${rest}`;
}

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0] ?? "";
}
