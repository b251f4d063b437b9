// A workspace put on a port: the service, the API over it, and the page.

import { existsSync, realpathSync } from "node:fs";
import type { Host } from "@stet/host/host";
import { detailsOf, Fault, isFault } from "@stet/protocol/fault";
import type { Access } from "@stet/server/http/access";
import type { Listening, ListenOptions } from "@stet/server/http/listen";
import { log } from "@stet/storage/operator-log";
import { freeSocket, socketPath } from "@stet/workspace/files/server-socket";
import { dataFolder } from "@stet/workspace/files/state-folder";
import type { CommandContext } from "./command.ts";
import { openStore } from "./open-store.ts";
import { pageFolder } from "./page-folder.ts";
import { showFault } from "./terminal.ts";

const usualPort = 7878;
/** The sample is there to show a change of many lines as one turn; the practice model makes it line by line. */
const sampleLimits = { STET_MAX_TOOL_CALLS_PER_JOB: "100" };

export interface Running {
  readonly listening: Listening;
  readonly access: Access;
  readonly service: Host;
  close(): Promise<void>;
}

export interface ServerOptions {
  readonly root: string;
  readonly isSample: boolean;
  /** Default: the usual one, or any other where that is taken. */
  readonly port: number | undefined;
  /** Of a shared store. */
  readonly store: string | undefined;
  readonly place: Pick<ListenOptions, "host" | "names" | "tls" | "allowsUnencryptedNetwork">;
}

export async function startServer(
  { environment, terminal }: CommandContext,
  { root, isSample, port, store: address, place }: ServerOptions,
): Promise<Running | Fault> {
  const [{ Host }, { Access }, { createApp }, { listen, listenOnSocket }, { Site }, { EventStreams }] =
    await Promise.all([
      import("@stet/host/host"),
      import("@stet/server/http/access"),
      import("@stet/server/http/app"),
      import("@stet/server/http/listen"),
      import("@stet/server/http/site"),
      import("@stet/server/http/streams"),
    ]);
  const store = address ? await openStore(address, root, "serving", environment) : undefined;
  if (isFault(store)) return store;
  const hosting =
    store === undefined
      ? undefined
      : (await import("@stet/postgres/postgres-hosting")).postgresHosting(store);
  const { claimRoot } = await import("@stet/workspace/files/served-root");
  // What is not there, or no folder, is refused when it is opened.
  const isClaimed = store === undefined && existsSync(root);
  const claim = isClaimed ? claimRoot(realpathSync(root), dataFolder(environment)) : undefined;
  if (isFault(claim)) return claim;
  const release = () => {
    process.off("exit", release);
    claim?.release();
  };
  process.once("exit", release);
  const service = await Host.open(root, {
    environment: isSample ? { ...sampleLimits, ...environment } : environment,
    indexes: true,
    onFault: (fault) => showFault(terminal, fault),
    ...(isSample ? { isSample } : {}),
    ...(hosting === undefined ? {} : { hosting }),
  });
  if (isFault(service)) {
    release();
    return detailsOf(service, "workspace_busy").lock === "serve" ? alreadyServed(root, service) : service;
  }
  const { limits, operations } = service;
  const [access, site] = [new Access(), new Site()];
  const onError = (error: unknown) => log("error", "request.broken", {}, error);
  const streams = new EventStreams(limits, onError);
  const page = pageFolder(environment);
  const { path: served } = service.workspace.root;
  const app = createApp({ operations, access, limits, site, root: served, streams, page, onError });
  const open = (at: number) => listen(app, { ...place, port: at, limits, site, streams });
  const usual = await open(port ?? usualPort);
  // A second folder is served beside the first, unless a port was asked for.
  const isTaken = isFault(usual) && usual.error === "address_in_use" && port === undefined;
  const listening = isTaken ? await open(0) : usual;
  const closeService = async () => {
    await service.close();
    release();
  };
  if (isFault(listening)) {
    await closeService();
    return listening;
  }
  /** Without it commands do the same on the ledger, which both know. */
  const commandSocket = async (path: string) => {
    const isFree = await freeSocket(path);
    if (isFree === false) return undefined;
    const socket = isFault(isFree) ? isFree : await listenOnSocket(app, path, { limits, streams });
    if (!isFault(socket)) return socket;
    log("warn", "server.socket", { message: socket.message });
    return undefined;
  };
  const path = socketPath(served, dataFolder(environment));
  const socket = path === undefined ? undefined : await commandSocket(path);
  const close = async () => {
    await listening.close();
    await socket?.close();
    await closeService();
  };
  return { listening, access, service, close };
}

function alreadyServed(root: string, fault: Fault): Fault {
  const details = detailsOf(fault, "workspace_busy");
  return new Fault(
    "workspace_busy",
    `A server for ${root} is running already: process ${details.pid}, since ${details.since}.`,
    "Use its link; Enter in its terminal prints another. Or end it, with Ctrl-C there, and start again.",
    details,
  );
}
