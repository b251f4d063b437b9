// The session that the interactive mode begins with: a new one, the latest of the folder, or one by the start of its id.

import type { Api, CallableRoute } from "@stet/client/direct";
import { Fault, isFault } from "@stet/protocol/fault";

export type SessionStart =
  | { readonly kind: "new" }
  | { readonly kind: "latest" }
  | { readonly kind: "pick" }
  | { readonly kind: "named"; readonly id: string };

/** More than a folder has; the ids of all are compared. */
const mostSessions = 500;

/** Undefined for a new one. */
export async function sessionToOpen(
  api: Api<CallableRoute>,
  start: Extract<SessionStart, { kind: "latest" | "named" }>,
): Promise<string | undefined | Fault> {
  const reply = await api.call("listSessions", {
    query: { limit: start.kind === "latest" ? 20 : mostSessions },
  });
  if (isFault(reply)) return reply;
  if (start.kind === "latest")
    return reply.sessions.find(
      ({ status, last_job_id: job, title }) => status === "active" && (job !== null || title !== ""),
    )?.session_id;
  const wanted = start.id.toLowerCase();
  const found = reply.sessions.filter(({ session_id: id }) => id.toLowerCase().startsWith(wanted));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only.session_id;
  return found.length === 0 ? unknown(start.id) : ambiguous(start.id, found.length);
}

function unknown(id: string): Fault {
  return new Fault(
    "session_not_found",
    `There is no session ${id} in this folder.`,
    "Leave the id out to choose from a list, or look for it in other folders: stet sessions list --all.",
    { session_id: id },
  );
}

function ambiguous(id: string, count: number): Fault {
  return new Fault(
    "session_not_found",
    `${count} sessions of this folder begin with ${id}.`,
    "Give more of the id, or leave it out to choose from a list.",
    { session_id: id },
  );
}
