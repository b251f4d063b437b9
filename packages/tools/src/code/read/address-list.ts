// How what is kept under a scheme is told.

import { Fault } from "@stet/protocol/fault";

const maxListed = 200;

export function listed(scheme: string, names: readonly string[]): string {
  const shown = names.slice(0, maxListed).map((name) => `${scheme}://${name}`);
  return names.length > maxListed
    ? [...shown, `… ${names.length - maxListed} more`].join("\n")
    : shown.join("\n");
}

export function unknownAddress(address: string, scheme: string, names: readonly string[]): Fault {
  const there = names.slice(0, 20).map((name) => `${scheme}://${name}`);
  return new Fault(
    "unknown_address",
    there.length === 0
      ? `There is no ${address}: nothing is kept at ${scheme}://.`
      : `There is no ${address}. There is: ${there.join(", ")}${names.length > there.length ? ", …" : ""}.`,
    there.length === 0 ? "Go on without it." : "Read one of these.",
    { address, known: names.slice(0, 50) },
  );
}
