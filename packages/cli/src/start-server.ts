// A workspace put on a port: the service, the API over it, and the page.

import type { Host } from "@stet/host/host";
import { detailsOf, Fault, isFault } from "@stet/protocol/fault";
import type { Access } from "@stet/server/http/access";
import type { Listening, ListenOptions } from "@stet/server/http/listen";
import { log } from "@stet/storage/operator-log";
import type { CommandContext } from "./command.ts";
import { openStore } from "./open-store.ts";
import { listenForCommands, openOwnHost } from "./own-host.ts";
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
  const [{ Access }, { createApp }, { listen }, { Site }, { EventStreams }] = await Promise.all([
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
  const own = await openOwnHost(root, {
    environment: isSample ? { ...sampleLimits, ...environment } : environment,
    indexes: true,
    onFault: (fault) => showFault(terminal, fault),
    ...(isSample ? { isSample } : {}),
    ...(hosting === undefined ? {} : { hosting }),
  });
  if (isFault(own)) return detailsOf(own, "workspace_busy").lock === "serve" ? alreadyServed(root, own) : own;
  const { host: service } = own;
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
  if (isFault(listening)) {
    await own.close();
    return listening;
  }
  const socket = await listenForCommands(app, service, streams);
  const close = async () => {
    await listening.close();
    await socket?.close();
    await own.close();
  };
  return { listening, access, service, close };
}

function alreadyServed(root: string, fault: Fault): Fault {
  const details = detailsOf(fault, "workspace_busy");
  return new Fault(
    "workspace_busy",
    `For ${root}, Stet is running already: process ${details.pid}, since ${details.since}.`,
    "Where that is a server, use its link; Enter in its terminal prints another. Or end it, with Ctrl-C there (/quit in an interactive stet), and start again.",
    details,
  );
}
