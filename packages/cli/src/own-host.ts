// A host of this process for a folder: no other data folder's process has it, and commands of the same account reach it through
// the socket of the folder.

import { existsSync, realpathSync } from "node:fs";
import type { Host, HostOptions } from "@stet/host/host";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { createApp } from "@stet/server/http/app";
import type { Listening } from "@stet/server/http/listen";
import type { EventStreams } from "@stet/server/http/streams";
import { log } from "@stet/storage/operator-log";
import { freeSocket, socketPath } from "@stet/workspace/files/server-socket";
import { dataFolder } from "@stet/workspace/files/state-folder";

export interface OwnHost {
  readonly host: Host;
  close(): Promise<void>;
}

/** Opens it, unless another process has the folder. With a shared store (`hosting`) several processes may. */
export async function openOwnHost(root: string, options: HostOptions): Promise<OwnHost | Fault> {
  const [{ Host }, { claimRoot }] = await Promise.all([
    import("@stet/host/host"),
    import("@stet/workspace/files/served-root"),
  ]);
  // What is not there, or no folder, is refused when it is opened.
  const isClaimed = options.hosting === undefined && existsSync(root);
  const claim = isClaimed ? claimRoot(realpathSync(root), dataFolder(options.environment)) : undefined;
  if (isFault(claim)) return claim;
  const release = () => {
    process.off("exit", release);
    claim?.release();
  };
  process.once("exit", release);
  const host = await Host.open(root, options);
  if (isFault(host)) {
    release();
    return host;
  }
  const close = async () => {
    await host.close();
    release();
  };
  return { host, close };
}

/** Undefined where it is not possible: commands then do the same on the ledger, which both know. */
export async function listenForCommands(
  app: ReturnType<typeof createApp>,
  { limits, workspace, environment }: Pick<Host, "limits" | "workspace" | "environment">,
  streams: EventStreams,
): Promise<Pick<Listening, "close"> | undefined> {
  const path = socketPath(workspace.root.path, dataFolder(environment));
  if (path === undefined) return undefined;
  const isFree = await freeSocket(path);
  if (isFree === false) return undefined;
  const { listenOnSocket } = await import("@stet/server/http/listen");
  const socket = isFault(isFree) ? isFree : await listenOnSocket(app, path, { limits, streams });
  if (!isFault(socket)) return socket;
  log("warn", "server.socket", { message: socket.message });
  return undefined;
}
