// `stet serve`: the workspace in a browser, and its API for programs.
//
//   stet serve [--root DIR] [--port N] [--open] [--json]
//   stet serve --sample [--fresh]             a copy of the sample project, to try things on
//   stet serve --store postgres://…           shared with other servers, and with those who work (stet work)
//   stet serve --host ADDRESS --tls-cert FILE --tls-key FILE [--name NAME …]    for other machines
//
// The link holds the token. It is printed, and never part of a process's arguments: those can be seen by everyone.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Fault, isFault } from "@stet/protocol/fault";
import { boundGarbage } from "../bound-memory.ts";
import type { CommandContext, WordsOf } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { openBrowser } from "../open-browser.ts";
import { type Sample, sampleProject } from "../sample-project.ts";
import { type Running, startServer } from "../start-server.ts";
import { showFault } from "../terminal.ts";
import { usage } from "../with-folder.ts";

/** Whatever still hangs then is left behind. */
const longestStop = 4800;

export async function serve({ values }: WordsOf<"serve">, context: CommandContext): Promise<number> {
  const port = values.port === undefined ? undefined : Number(values.port);
  if (port !== undefined && port > 65_535)
    return usage(context, `--port takes a number from 0 to 65535, not ${values.port}.`);
  const [certificate, key] = [values["tls-cert"], values["tls-key"]];
  if ((certificate === undefined) !== (key === undefined))
    return usage(context, "--tls-cert and --tls-key belong together.");
  if (values.sample && values.root !== undefined)
    return usage(context, "--sample serves the sample project, and --root another folder: give one of them.");
  if (values.fresh && !values.sample)
    return usage(context, "--fresh makes the sample project anew: give it with --sample.");
  const tls = certificate === undefined || key === undefined ? undefined : readTls(context, certificate, key);
  if (isFault(tls)) return refused(context, tls);

  const stopped = stopSignal(context.signal);
  const sample = values.sample
    ? await sampleProject(context.environment, { isFresh: values.fresh })
    : undefined;
  if (isFault(sample)) return refused(context, sample);
  const running = await startServer(context, {
    root: sample?.folder ?? (values.root === undefined ? context.root : resolve(context.folder, values.root)),
    isSample: values.sample,
    port,
    store: values.store ?? context.environment.STET_STORE,
    place: {
      host: values.host,
      names: values.name ?? [],
      tls,
      allowsUnencryptedNetwork: values["allow-unencrypted-network"],
    },
  });
  if (isFault(running)) return refused(context, running);
  tell(context, running, sample, values.json);
  boundGarbage();
  const stopLinks = values.json ? () => {} : offerLinks(context, running);
  const removePage = values.open ? open(context, running) : () => {};
  await stopped;
  if (context.endsProcess) setTimeout(() => process.exit(exitCode.done), longestStop).unref();
  removePage();
  stopLinks();
  await running.close();
  return exitCode.done;
}

function tell(
  { terminal }: CommandContext,
  { listening, access, service }: Running,
  sample: Sample | undefined,
  asJson: boolean,
): void {
  const { url } = listening;
  const root = service.workspace.root.path;
  if (sample?.former !== undefined) terminal.note(`The sample project as it was is in ${sample.former}.\n`);
  if (asJson) {
    terminal.json({ url, token: access.token, root, pid: process.pid });
    return;
  }
  const what = sample === undefined ? "" : "the sample project, a short novel to try things on, in ";
  terminal.out(`Stet serves ${what}${terminal.style("bold", root)}\n\n  ${link(url, access.token)}\n\n`);
  const more = terminal.isInteractive ? " Press Enter for another." : "";
  terminal.note(
    `${terminal.style("dim", `The link signs one browser in, once.${more} Ctrl-C ends the server.`)}\n`,
  );
}

const link = (url: string, carried: string) => `${url}/#token=${carried}`;

/** With a code of its own: the link that was printed stays good for another browser. */
function open(
  { environment, terminal }: CommandContext,
  { listening, access, service }: Running,
): () => void {
  const { url, port } = listening;
  return openBrowser(link(url, access.newCode()), {
    environment,
    root: service.workspace.root.path,
    onFailed() {
      const tunnel = environment.SSH_CONNECTION
        ? ` From your own machine: ssh -L ${port}:127.0.0.1:${port} and the name of this one, then the link there.`
        : "";
      terminal.note(`No browser could be opened here. Open the link in one yourself.${tunnel}\n`);
    },
  });
}

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

/** Ctrl-C, or a polite request to end; a terminal that is closed (SIGHUP) is one, too. */
function stopSignal(interrupted: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const stop = () => {
      for (const name of ["SIGTERM", "SIGHUP"]) process.off(name, stop);
      done();
    };
    for (const name of ["SIGTERM", "SIGHUP"]) process.on(name, stop);
    if (interrupted.aborted) stop();
    interrupted.addEventListener("abort", stop, { once: true });
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

function refused({ terminal }: CommandContext, fault: Fault): number {
  showFault(terminal, fault);
  return exitCode.refused;
}
