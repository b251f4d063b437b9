// Refusals to decide on a part of what belongs together, with the command that decides on all of it.

import { detailsOf, Fault } from "@stet/protocol/fault";

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
