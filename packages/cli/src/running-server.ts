// The server that serves the folder of a command, where there is one: the command is carried out there, over the socket in
// the data folder, so that open windows see it at once.

import { existsSync } from "node:fs";
import type { Client } from "@stet/client/client";
import { detailsOf, Fault, isFault } from "@stet/protocol/fault";
import { socketPath } from "@stet/workspace/files/server-socket";
import { dataFolder } from "@stet/workspace/files/state-folder";
import type { CommandContext } from "./command.ts";

/** Undefined where nobody serves the folder, or a server was killed and left its socket. */
export async function runningServer({
  root,
  environment,
  signal,
}: Pick<CommandContext, "root" | "environment" | "signal">): Promise<Client | Fault | undefined> {
  const path = socketPath(root, dataFolder(environment));
  if (path === undefined || (process.platform !== "win32" && !existsSync(path))) return undefined;
  const [{ Client }, { httpFetch }, { version }] = await Promise.all([
    import("@stet/client/client"),
    import("@stet/model/network/http-fetch"),
    import("@stet/host/version"),
  ]);
  const send = httpFetch({}, path);
  const client = new Client({
    url: "http://localhost",
    root,
    fetch: (to, init = {}) =>
      send(to, { ...init, signal: init.signal ? AbortSignal.any([init.signal, signal]) : signal }),
  });
  const health = await client.call("health");
  if (isGone(health)) return undefined;
  if (isFault(health)) return health;
  return health.version === version() ? client : otherVersion(root, health.version, version());
}

/** Whether the server ended before it had answered. */
export function isGone(result: unknown): boolean {
  return isFault(result) && detailsOf(result, "io_failed").isUnreachable === true;
}

function otherVersion(root: string, theirs: string, ours: string): Fault {
  return new Fault(
    "conflict",
    `${root} is served by Stet ${theirs}, and this is Stet ${ours}. Nothing was done.`,
    "End that server, with Ctrl-C in its terminal, and start it again with this version; or use its own command.",
    { theirs, ours },
  );
}

export function serverGone(root: string): Fault {
  return new Fault(
    "io_failed",
    `The server for ${root} ended before it had answered.`,
    "Look at stet review: what it had done until then is kept, and nothing is done by half. Then run the command again.",
  );
}
