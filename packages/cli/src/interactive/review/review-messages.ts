// What the keys of the review decide on, and what is said when it is done.

import type { Fault } from "@stet/protocol/fault";
import type { Decision, Verdict } from "../../review-decisions.ts";
import type { ReviewAction } from "./review-keys.ts";
import type { Scope } from "./review-session.ts";

export interface Message {
  readonly text: string;
  readonly token: "muted" | "success" | "warning" | "error";
}

export const decisions: Partial<Record<ReviewAction, readonly [Verdict, Scope]>> = {
  "review.accept": ["accept", "hunk"],
  "review.reject": ["reject", "hunk"],
  "review.acceptFile": ["accept", "file"],
  "review.rejectFile": ["reject", "file"],
  "review.acceptTurn": ["accept", "turn"],
  "review.rejectTurn": ["reject", "turn"],
  "review.acceptAll": ["accept", "everything"],
  "review.rejectAll": ["reject", "everything"],
};

/** `more`: what else there is to say where nothing stayed as it was. */
export function decidedMessage(done: string, { hunk_ids: hunks, kept = [] }: Decision, more = ""): Message {
  const count = hunks.length - kept.length;
  const what = `${done} ${count === 1 ? "1 hunk" : `${count} hunks`}.`;
  if (kept.length === 0) return { text: `${what}${more}`, token: "success" };
  const stays = kept.map(({ path, why }) => `${path} ${why}`).join(", ");
  return { text: `${what} Left as it is, and open: ${stays}.`, token: "warning" };
}

export function errorOf({ message, suggestion }: Fault): Message {
  return { text: `${message} ${suggestion}`, token: "error" };
}
