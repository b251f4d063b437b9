// `stet serve` over a folder of its own, with a scripted model: as a process of its own, for load and to be killed, or by a call
// in this process, which spares half a second of CPU.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Client } from "@stet/client/client";
import { noLocalServers } from "./no-local-servers.ts";
import { runStet, type TypedInput } from "./run-stet.ts";

const main = join(import.meta.dirname, "../../cli/src/main.ts");

export interface Served {
  readonly pid: number;
  readonly url: string;
  readonly token: string;
  readonly client: Client;
  /** Ends it as a terminal would, and waits for it. */
  stop(): Promise<void>;
  /** Ends it as a power cut would, where it is a process. */
  kill(): Promise<void>;
}

export interface ServedOptions {
  readonly root: string;
  readonly dataFolder: string;
  /** Of a scripted model. */
  readonly modelUrl: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Any that is free, unless given. */
  readonly port?: number;
  /** Serves a copy of the sample project, in the data folder, instead of `root`. */
  readonly isSample?: boolean;
  readonly as?: "call" | "process";
}

export async function serve(options: ServedOptions): Promise<Served> {
  const { root, dataFolder, modelUrl, environment, port = 0, isSample = false, as = "process" } = options;
  const folder = isSample ? ["--sample"] : ["--root", root];
  const args = ["serve", ...folder, "--port", String(port), "--json"];
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = {
    PATH,
    ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }),
    STET_DATA_DIR: dataFolder,
    XDG_CONFIG_HOME: dataFolder,
    HOME: dataFolder,
    // Nothing of a test goes into the keychain of whoever runs it.
    STET_KEYCHAIN: "off",
    ...noLocalServers,
    OPENAI_COMPATIBLE_BASE_URL: `${modelUrl}/v1`,
    STET_MODEL: "openai-compatible/scripted",
    ...environment,
  };
  const { line, ...server } = await (as === "call" ? call(args, root, env) : start(args, root, env));
  const { url, token, pid }: { url: string; token: string; pid: number } = JSON.parse(line);
  return { pid, url, token, client: new Client({ url, token }), ...server };
}

/** What it printed when it was ready, and how it is ended. */
type Ready = Pick<Served, "stop" | "kill"> & { readonly line: string };

async function call(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<Ready> {
  const ready = Promise.withResolvers<{ line: string; person: TypedInput }>();
  const ended = runStet(args, {
    cwd,
    env,
    async person(person) {
      await person.sees(/\n/);
      ready.resolve({ line: person.screen(), person });
    },
  });
  ended.then(
    ({ note }) => ready.reject(new Error(`the server ended before it was ready: ${note}`)),
    ready.reject,
  );
  const { line, person } = await ready.promise;
  const stop = async () => {
    person.interrupts();
    await ended;
  };
  return { line, stop, kill: stop };
}

async function start(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<Ready> {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", main, ...args], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const line = await Promise.race([
    once(createInterface({ input: child.stdout }), "line").then(([text]) => String(text)),
    exited.then(([code]) => {
      throw new Error(`the server ended with ${code} before it was ready`);
    }),
  ]);
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await exited;
  };
  return { line, stop: () => end("SIGTERM"), kill: () => end("SIGKILL") };
}
