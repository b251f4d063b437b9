// Failures that a wrong clock makes: signatures that carry the time, and certificates that hold between two dates.

import type { FailureFacts } from "./failure-facts.ts";

/** A server that signs requests by the time allows about this much. */
const allowedMs = 60_000;

/** How far this machine's clock is off the server's, where its `Date` header tells: a clause such as `3 hours behind`. */
export function clockDifference({ headers }: FailureFacts, now: number): string | undefined {
  const theirs = Date.parse(headers.date ?? "");
  const difference = now - theirs;
  if (Number.isNaN(difference) || Math.abs(difference) < allowedMs) return undefined;
  return `${durationOf(Math.abs(difference))} ${difference > 0 ? "ahead of" : "behind"}`;
}

function durationOf(milliseconds: number): string {
  const minutes = Math.round(milliseconds / 60_000);
  if (minutes < 120) return minutes === 1 ? "1 minute" : `${minutes} minutes`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}

/** A certificate that is out of date by this machine's clock. */
export function certificateClock(
  { codes }: FailureFacts,
  now: Date,
): { readonly what: string; readonly advice: string } | undefined {
  const isOld = codes.includes("cert_has_expired");
  if (!isOld && !codes.includes("cert_not_yet_valid")) return undefined;
  const today = now.toISOString().slice(0, 10);
  return {
    what: `${isOld ? "has expired" : "is not valid yet"} by the clock of this machine, which says ${today}`,
    advice: isOld
      ? "Set the clock if that date is wrong; else the server needs a new certificate."
      : "Set the clock if that date is wrong.",
  };
}
