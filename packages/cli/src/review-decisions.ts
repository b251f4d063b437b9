// Decisions that a command makes: what it names, what it saves, and refusals to decide on a part of what belongs together,
// with the command that decides on all of it.

import type { Given, Reply } from "@stet/protocol/api/route";
import type { Routes } from "@stet/protocol/api/routes";
import { detailsOf, Fault, isFault } from "@stet/protocol/fault";
import type { Terminal } from "./terminal.ts";
import type { CommandApi } from "./with-folder.ts";

export type OpenReview = Reply<Routes["listReview"]>;
/** What to decide on. */
export type Choice = Omit<Given<Routes["decide"]>["body"], "verdict">;

/** How many open hunks were made while a turn went on, by it or by somebody else. */
export function countInDoubt({ files, turns }: OpenReview): number {
  const inDoubt = new Set(turns.filter((turn) => turn.is_in_doubt).map(({ turn }) => turn));
  return files.flatMap(({ hunks }) => hunks).filter((hunk) => hunk.turns.some((turn) => inDoubt.has(turn)))
    .length;
}

/** Writes what was decided, and tells of files that come back by it. Returns the paths. */
export async function saveDecided(
  api: CommandApi,
  terminal: Terminal,
  documents: readonly number[],
): Promise<string[] | Fault> {
  const reply = await api.call("saveDecided", { body: { documents: [...documents] } });
  if (isFault(reply)) return reply;
  for (const { file_path: path, was_deleted: isBack } of reply.saved)
    if (isBack) terminal.note(`${path} had been deleted on disk. It is there again.\n`);
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
