// `stet work`: carries out the jobs of folders that several processes share through PostgreSQL.
//
//   stet work --store postgres://user@host/database [--root DIR …] [--concurrency N] [--retries N]
//
// The address may also be in STET_STORE, and the password in PGPASSWORD or a password file: what stands on a command line
// can be read by everyone on the machine.

import { resolve } from "node:path";
import type { Host } from "@stet/host/host";
import type { PostgresStore } from "@stet/postgres/postgres-store";
import type { Worker, Workplace } from "@stet/postgres/worker";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { CommandContext, WordsOf } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { openStore } from "../open-store.ts";
import { showFault } from "../terminal.ts";
import { usage } from "../with-folder.ts";

/** Whatever still hangs then is left to the others: they take over what it had. */
const longestStop = 15_000;

interface WorkerHost {
  readonly store: PostgresStore;
  readonly service: Host;
}

export async function work({ values }: WordsOf<"work">, context: CommandContext): Promise<number> {
  const address = values.store ?? context.environment.STET_STORE;
  if (!address) return usage(context, "work needs --store postgres://user@host/database, or STET_STORE.");
  const [concurrency, retries] = [Number(values.concurrency), Number(values.retries)];

  const stopped = stopSignal(context.signal);
  const places: WorkerHost[] = [];
  for (const root of values.root ?? ["."]) {
    const place = await open(context, address, resolve(context.folder, root));
    if (isFault(place)) {
      showFault(context.terminal, place);
      for (const { service } of places) await service.close();
      return exitCode.refused;
    }
    places.push(place);
  }
  const worker = await start(context, places, concurrency, retries);
  for (const { service } of places) context.terminal.out(`Stet works in ${service.workspace.root.path}\n`);
  await stopped;
  if (context.endsProcess) setTimeout(() => process.exit(exitCode.done), longestStop).unref();
  await worker.stop();
  for (const { service } of places) await service.close();
  return exitCode.done;
}

async function open(context: CommandContext, address: string, root: string): Promise<WorkerHost | Fault> {
  const { environment, terminal } = context;
  const store = await openStore(address, root, "working", environment);
  if (isFault(store)) return store;
  const [{ Host }, { postgresHosting }] = await Promise.all([
    import("@stet/host/host"),
    import("@stet/postgres/postgres-hosting"),
  ]);
  const service = await Host.open(root, {
    environment,
    hosting: postgresHosting(store),
    watches: false,
    onFault: (fault) => showFault(terminal, fault),
  });
  return isFault(service) ? service : { store, service };
}

async function start(
  { terminal }: CommandContext,
  places: readonly WorkerHost[],
  concurrency: number,
  retries: number,
): Promise<Worker> {
  const { Worker } = await import("@stet/postgres/worker");
  const workplaces: Workplace[] = places.map(({ store, service }) => ({ store, runner: service.runner }));
  const words = { begun: "begins", rests: "is done or waits", lost: "was taken over by another process" };
  return Worker.start({
    workplaces,
    concurrency,
    retries,
    onJob: (job, what) => terminal.note(`${terminal.style("dim", `${job} ${words[what]}`)}\n`),
  });
}

/** Ctrl-C, or a polite request to end. */
function stopSignal(interrupted: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (interrupted.aborted) done();
    interrupted.addEventListener("abort", () => done(), { once: true });
    process.once("SIGTERM", () => done());
  });
}
