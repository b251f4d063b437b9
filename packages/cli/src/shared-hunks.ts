// Refusals to decide on a part of what belongs together, with the command that decides on all of it.

import { Fault, type FaultDetails } from "@stet/protocol/fault";

/** A refusal that names a turn says what to type instead; any other is told as it is. */
export function withCommand(fault: Fault, verb: "accept" | "reject"): Fault {
  const { error, message, details } = fault;
  const command = `stet review ${verb} --turn ${details.turn}`;
  if (error === "whole_turn_only")
    return new Fault(error, message, `Decide on all of it: ${command}`, details);
  if (error !== "turns_overlap") return fault;
  const also = turnsToConfirm(details).map((turn) => ` --also ${turn}`);
  return new Fault(error, message, `Decide on both: ${command}${also.join("")}`, details);
}

/** The turns whose changes cannot be told from those that were to be decided. */
export function turnsToConfirm({ turns }: FaultDetails): string[] {
  if (!Array.isArray(turns)) return [];
  return turns.flatMap((one: unknown) => {
    const isTurn = typeof one === "object" && one !== null && "turn" in one && typeof one.turn === "string";
    return isTurn ? [String(one.turn)] : [];
  });
}
