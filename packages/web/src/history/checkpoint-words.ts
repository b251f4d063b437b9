// Checkpoints in a person's words.

import type { checkpoint } from "@stet/protocol/api/review";
import { cutText } from "@stet/protocol/cut-text";
import type * as z from "zod";
import { plural } from "../status/word-count.ts";

export type Checkpoint = z.infer<typeof checkpoint>;
export type CheckpointFile = Checkpoint["affected_files"][number];

interface TurnSummary {
  readonly kind: "agent" | "rollback";
  readonly summary: string;
}

/** What a turn was; a rollback names the turn that it took back, where that one is known. */
export function turnTitle(
  { kind, summary }: TurnSummary,
  summaryOf: (turn: string) => string | undefined,
): string {
  if (kind === "agent") return firstLine(summary) || "A turn without words";
  const rejected = /^Rejection of (\d+) hunk/.exec(summary)?.[1];
  if (rejected !== undefined) return `Rejected ${plural(Number(rejected), "change")} with words of yours`;
  if (summary.startsWith("You ")) return summary;
  const turn = /turn_\w+/.exec(summary)?.[0];
  const known = turn === undefined ? undefined : summaryOf(turn);
  const some = /^Rollback of (\d+) hunk/.exec(summary)?.[1];
  const what = known === undefined ? "an earlier turn" : `“${cutText(firstLine(known), 60)}”`;
  if (some !== undefined) return `Took back ${plural(Number(some), "change")} of ${what}`;
  if (known?.startsWith("You ") === true) return `Undid: ${known}`;
  if (known?.startsWith("Rejection") === true) return "Brought back words of yours";
  return known?.startsWith("Rollback") === true ? "Undid a rollback" : `Went back to before ${what}`;
}

export function sizeOf({ affected_files: files }: Pick<Checkpoint, "affected_files">): string {
  const hunks = files.reduce((sum, file) => sum + file.hunks.length, 0);
  const where = plural(files.length, "file");
  const rejected = files.flatMap((file) => file.hunks.filter(({ verdict }) => verdict === "rejected")).length;
  const refused = rejected === 0 ? "" : `, ${rejected === hunks ? "all" : rejected} rejected`;
  // A rollback is kept as whole files.
  return hunks === 0 ? where : `${plural(hunks, "change")} in ${where}${refused}`;
}

export function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0] ?? "";
}

const minute = 60_000;
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const dayAndYear = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

/** Near times as a distance, others as a time or a day. */
export function shownTime(iso: string, now: number): string {
  const at = new Date(iso);
  const minutes = Math.floor((now - at.getTime()) / minute);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  const today = new Date(now);
  if (at.toDateString() === today.toDateString()) return clock.format(at);
  const isThisYear = at.getFullYear() === today.getFullYear();
  return `${(isThisYear ? day : dayAndYear).format(at)}, ${clock.format(at)}`;
}

/** Whether everything that was typed is somewhere in the checkpoint's title or among its files. */
export function holdsWords(words: string, title: string, files: readonly (string | null)[]): boolean {
  const text = [title, ...files].join("\n").toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
