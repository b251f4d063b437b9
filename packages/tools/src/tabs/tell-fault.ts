// How this dialect tells a model of a fault: error, message and details, and what to do next.

import type { Fault } from "@stet/protocol/fault";

export function tellFault({ error, message, suggestion, details }: Fault): Readonly<Record<string, unknown>> {
  // A stack is for people.
  const { stack, ...told } = details;
  const { your_version, current_version } = told;
  const versions = error === "version_mismatch" ? { your_version, current_version } : {};
  return { error, message, ...versions, details: told, suggestion };
}
