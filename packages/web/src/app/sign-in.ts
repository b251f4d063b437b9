// From the link to a signed-in page. The link's token leaves the address bar and the history before anything else happens.

import type { Client } from "@stet/client/client";
import type { Reply } from "@stet/protocol/api/route";
import type { Routes } from "@stet/protocol/api/routes";
import { type Fault, isFault } from "@stet/protocol/fault";

export type WorkspaceInfo = Reply<Routes["getWorkspace"]>;

export async function signIn(client: Client): Promise<WorkspaceInfo | Fault> {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (token !== null) {
    history.replaceState(null, "", location.pathname + location.search);
    const body = JSON.stringify({ token });
    // A link that was used before is no reason to stop: this browser may be signed in already.
    await fetch("/api/login", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
      credentials: "same-origin",
    }).catch(() => undefined);
  }
  return client.call("getWorkspace");
}

/** The session ends at the server, so a copy of its cookie is worth nothing, either. */
export async function signOut(): Promise<void> {
  await fetch("/api/logout", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: "{}",
    credentials: "same-origin",
  }).catch(() => undefined);
}

export function isSignedOut(value: unknown): value is Fault {
  return isFault(value) && value.error === "not_signed_in";
}
