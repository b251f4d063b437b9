// `stet serve`: the workspace in a browser, and its API for programs.
//
//   stet serve [--root DIR] [--port N] [--json]
//   stet serve --store postgres://…           shared with other servers, and with those who work (stet work)
//   stet serve --host ADDRESS --tls-cert FILE --tls-key FILE [--name NAME …]    for other machines
//
// The link holds the token, so it is printed and nothing else: a browser that we would start ourselves would show it in the
// list of processes.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { Fault, isFault } from "@stet/protocol/fault";
import type { Access } from "@stet/server/http/access";
import type { Listening, ListenOptions } from "@stet/server/http/listen";
import type { Service } from "@stet/server/service";
import type { CommandContext } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { openStore } from "../open-store.ts";
import { showFault } from "../terminal.ts";
import { usage } from "../with-workspace.ts";

const usualPort = 7878;
/** Whatever still hangs then is left behind. */
const longestStop = 4800;

const options = {
  root: { type: "string" },
  port: { type: "string" },
  host: { type: "string", default: "127.0.0.1" },
  name: { type: "string", multiple: true },
  "tls-cert": { type: "string" },
  "tls-key": { type: "string" },
  "allow-unencrypted-network": { type: "boolean", default: false },
  store: { type: "string" },
  json: { type: "boolean", default: false },
} as const;

interface Running {
  readonly listening: Listening;
  readonly access: Access;
  readonly service: Service;
}

export async function serve(args: readonly string[], context: CommandContext): Promise<number> {
  const { values } = parseArgs({ args: [...args], options });
  const port = values.port === undefined ? undefined : Number(values.port);
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port < 65_536))
    return usage(context, `--port takes a number from 0 to 65535, not ${values.port}.`);
  const [certificate, key] = [values["tls-cert"], values["tls-key"]];
  if ((certificate === undefined) !== (key === undefined))
    return usage(context, "--tls-cert and --tls-key belong together.");
  const tls = certificate === undefined || key === undefined ? undefined : readTls(context, certificate, key);
  if (isFault(tls)) return refused(context, tls);

  const stopped = stopSignal(context.signal);
  const address = values.store ?? context.environment.STET_STORE;
  const running = await start(context, resolve(context.folder, values.root ?? "."), port, address, {
    host: values.host,
    names: values.name ?? [],
    tls,
    allowsUnencryptedNetwork: values["allow-unencrypted-network"],
  });
  if (isFault(running)) return refused(context, running);
  tell(context, running, values.json);
  const stopLinks = values.json ? () => {} : offerLinks(context, running);
  await stopped;
  setTimeout(() => process.exit(exitCode.done), longestStop).unref();
  stopLinks();
  await running.listening.close();
  await running.service.close();
  return exitCode.done;
}

async function start(
  { environment, terminal }: CommandContext,
  root: string,
  port: number | undefined,
  address: string | undefined,
  place: Pick<ListenOptions, "host" | "names" | "tls" | "allowsUnencryptedNetwork">,
): Promise<Running | Fault> {
  const [{ Service }, { createHandlers }, { Access }, { createApp }, { listen }, { Site }, { Streams }] =
    await Promise.all([
      import("@stet/server/service"),
      import("@stet/server/routes/handlers"),
      import("@stet/server/http/access"),
      import("@stet/server/http/app"),
      import("@stet/server/http/listen"),
      import("@stet/server/http/site"),
      import("@stet/server/http/streams"),
    ]);
  const store = address ? await openStore(address, root, "serving", environment) : undefined;
  if (isFault(store)) return store;
  const service = await Service.open(root, {
    environment,
    indexes: true,
    onFault: (fault) => showFault(terminal, fault),
    ...(store === undefined ? {} : { store }),
  });
  if (isFault(service)) await store?.close();
  if (isFault(service)) return service.details.lock === "serve" ? alreadyServed(root, service) : service;
  const { limits } = service;
  const [access, site] = [new Access(), new Site()];
  const onError = (error: unknown) => {
    if (environment.STET_DEBUG) console.error(error);
  };
  const streams = new Streams(limits, onError);
  const app = createApp({ handlers: createHandlers(service), access, limits, site, streams, onError });
  const open = (at: number) => listen(app, { ...place, port: at, limits, site, streams });
  const usual = await open(port ?? usualPort);
  // A second folder is served beside the first, unless a port was asked for.
  const isTaken = isFault(usual) && usual.error === "address_in_use" && port === undefined;
  const listening = isTaken ? await open(0) : usual;
  if (!isFault(listening)) return { listening, access, service };
  await service.close();
  return listening;
}

function tell({ terminal }: CommandContext, { listening, access, service }: Running, asJson: boolean): void {
  const { url } = listening;
  const root = service.workspace.root.path;
  if (asJson) {
    terminal.out(`${JSON.stringify({ url, token: access.token, root, pid: process.pid })}\n`);
    return;
  }
  terminal.out(`Stet serves ${terminal.style("bold", root)}\n\n  ${link(url, access.token)}\n\n`);
  const more = terminal.isInteractive ? " Press Enter for another." : "";
  terminal.note(
    `${terminal.style("dim", `The link signs one browser in, once.${more} Ctrl-C ends the server.`)}\n`,
  );
}

const link = (url: string, carried: string) => `${url}/#token=${carried}`;

/** Each Enter prints a new link: for another browser, or when the first link was used up. */
function offerLinks({ terminal }: CommandContext, { listening, access }: Running): () => void {
  if (!terminal.isInteractive) return () => {};
  const print = () => terminal.out(`  ${link(listening.url, access.newCode())}\n`);
  process.stdin.on("data", print);
  return () => {
    process.stdin.off("data", print);
    process.stdin.pause();
  };
}

/** Ctrl-C, or a polite request to end. */
function stopSignal(interrupted: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (interrupted.aborted) done();
    interrupted.addEventListener("abort", () => done(), { once: true });
    process.once("SIGTERM", () => done());
    // The terminal was closed.
    process.once("SIGHUP", () => done());
  });
}

function readTls(
  context: CommandContext,
  certificate: string,
  key: string,
): { cert: string; key: string } | Fault {
  try {
    const read = (name: string) => readFileSync(resolve(context.folder, name), "utf8");
    return { cert: read(certificate), key: read(key) };
  } catch (error) {
    return new Fault(
      "file_not_found",
      `The certificate or its key cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
      "Name two PEM files with --tls-cert and --tls-key.",
    );
  }
}

function alreadyServed(root: string, { details }: Fault): Fault {
  return new Fault(
    "workspace_busy",
    `A server for ${root} is running already: process ${details.pid}, since ${details.since}.`,
    "Use its link; Enter in its terminal prints another. Or end it and start again.",
    details,
  );
}

function refused({ terminal }: CommandContext, fault: Fault): number {
  showFault(terminal, fault);
  return exitCode.refused;
}
