// What a person sees of a conversation, put together: what the session says, what the job at work adds, and what stands for
// the moment between the two.

import type { SessionMessage } from "@stet/protocol/api/sessions";
import type { Item } from "./items.ts";
import { type FailedJob, failureItems } from "./session-items.ts";

export interface ConversationTail {
  /** Whether a job is at work. */
  readonly isWorking: boolean;
  /** The items of the job at work, or of the last one until the session has been read again. */
  readonly live: readonly Item[];
  /** Time of the job's first event. */
  readonly liveSince: string | null;
  /** The message that was just sent, before its event arrives. */
  readonly pending: string | null;
  readonly lastJob: FailedJob | null;
}

/** What comes after the items of the session and of the job. */
export function restItems(tail: ConversationTail, messages: readonly SessionMessage[]): Item[] {
  const { pending, live, isWorking, lastJob, liveSince } = tail;
  if (pending !== null && !live.some((item) => item.kind === "user"))
    return [{ kind: "user", key: "pending", text: pending, entry: null, siblings: 0 }];
  if (!isWorking && live.length === 0 && pending === null) return failureItems(lastJob, messages);
  // A model may take a minute to begin, above all a local one: an empty space would look like nothing happening.
  return isWorking && live.at(-1)?.kind === "user"
    ? [{ kind: "waiting", key: "waiting", since: liveSince }]
    : [];
}
