// Decisions that a person makes in the terminal: what they name, what is asked first, what is saved, and refusals to decide on
// a part of what belongs together, with the command that decides on all of it.

import type { Given, Reply } from "@stet/protocol/api/route";
import type { Routes } from "@stet/protocol/api/routes";
import { detailsOf, Fault, isFault } from "@stet/protocol/fault";
import { hunksIn } from "./hunk-lines.ts";
import type { CommandApi } from "./with-folder.ts";

export type OpenReview = Reply<Routes["listReview"]>;
/** What to decide on. */
export type Choice = Omit<Given<Routes["decide"]>["body"], "verdict">;

export type Verdict = Given<Routes["decide"]>["body"]["verdict"];
export type Decision = Reply<Routes["decide"]>;
/** Asks yes or no. */
export type Confirm = (question: string) => Promise<boolean>;

/** Decides, and asks where what belongs together is decided together or not at all. Undefined where the person says no. */
export async function decideTogether(
  api: CommandApi,
  verdict: Verdict,
  choice: Choice,
  confirm: Confirm,
): Promise<Decision | Fault | undefined> {
  const decide = (body: Choice) => api.call("decide", { body: { ...body, verdict } });
  let report = await decide(choice);
  while (isFault(report) && ["whole_turn_only", "turns_overlap"].includes(report.error)) {
    const also = turnsToConfirm(report);
    const what = verdict === "accept" ? "Accept" : "Reject";
    const which = also.length === 0 ? "the whole turn" : "them together";
    if (!(await confirm(`${report.message} ${what} ${which}?`))) return undefined;
    report = await decide({ turn: turnOf(report), also_turns: also });
  }
  return report;
}

/** Everything, to be rejected: what is in doubt is asked about on its own. Undefined where nothing is to be rejected. */
export async function confirmRejectAll(review: OpenReview, confirm: Confirm): Promise<Choice | undefined> {
  const inDoubt = countInDoubt(review);
  const others = hunksIn(review.files).length - inDoubt;
  if (others > 0 && !(await confirm(`Reject all ${others}?`))) return undefined;
  if (inDoubt === 0) return { everything: true };
  const were = `${inDoubt} ${others > 0 ? "more " : ""}${inDoubt === 1 ? "hunk was" : "hunks were"}`;
  const question = `${were} changed during a turn, by its commands or by somebody else. Reject ${inDoubt === 1 ? "it" : "them"}, too?`;
  if (await confirm(question)) return { everything: true, during: true };
  return others > 0 ? { everything: true } : undefined;
}

/** How many open hunks were made while a turn went on, by it or by somebody else. */
export function countInDoubt({ files, turns }: OpenReview): number {
  const inDoubt = new Set(turns.filter((turn) => turn.is_in_doubt).map(({ turn }) => turn));
  return files.flatMap(({ hunks }) => hunks).filter((hunk) => hunk.turns.some((turn) => inDoubt.has(turn)))
    .length;
}

/** Writes what was decided, and tells of files that come back by it. Returns the paths. */
export async function saveDecided(
  api: CommandApi,
  note: (text: string) => void,
  documents: readonly number[],
): Promise<string[] | Fault> {
  const reply = await api.call("saveDecided", { body: { documents: [...documents] } });
  if (isFault(reply)) return reply;
  for (const { file_path: path, was_deleted: isBack } of reply.saved)
    if (isBack) note(`${path} had been deleted on disk. It is there again.\n`);
  return reply.saved.map(({ file_path: path }) => path);
}

/** A refusal that names a turn says what to type instead; any other is told as it is. */
export function withCommand(fault: Fault, verb: "accept" | "reject"): Fault {
  const { error, message, details } = fault;
  const command = `stet review ${verb} --turn ${turnOf(fault)}`;
  if (error === "whole_turn_only")
    return new Fault(error, message, `Decide on all of it: ${command}`, details);
  if (error !== "turns_overlap") return fault;
  const also = turnsToConfirm(fault).map((turn) => ` --also ${turn}`);
  return new Fault(error, message, `Decide on both: ${command}${also.join("")}`, details);
}

/** The turn that belongs together. */
export function turnOf(fault: Fault): string {
  return detailsOf(fault, "whole_turn_only", "turns_overlap").turn ?? "";
}

/** The turns whose changes cannot be told from those that were to be decided. */
export function turnsToConfirm(fault: Fault): string[] {
  return (detailsOf(fault, "turns_overlap").turns ?? []).map(({ turn }) => turn);
}
