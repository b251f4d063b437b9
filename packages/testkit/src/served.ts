// `stet serve` as a process of its own, over a folder of its own, with a scripted model: for load, and to be killed.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Client } from "@stet/client/client";

const main = join(import.meta.dirname, "../../cli/src/main.ts");

export interface Served {
  readonly child: ChildProcess;
  readonly url: string;
  readonly token: string;
  readonly client: Client;
  /** Ends it as a terminal would, and waits for it. */
  stop(): Promise<void>;
  /** Ends it as a power cut would. */
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
}

export async function serve({
  root,
  dataFolder,
  modelUrl,
  environment = {},
  port = 0,
  isSample = false,
}: ServedOptions): Promise<Served> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(
    process.execPath,
    [
      "--disable-warning=ExperimentalWarning",
      main,
      "serve",
      ...(isSample ? ["--sample"] : ["--root", root]),
      "--port",
      String(port),
      "--json",
    ],
    {
      cwd: root,
      env: {
        PATH,
        ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }),
        STET_DATA_DIR: dataFolder,
        XDG_CONFIG_HOME: dataFolder,
        HOME: dataFolder,
        OPENAI_COMPATIBLE_BASE_URL: `${modelUrl}/v1`,
        STET_MODEL: "openai-compatible/scripted",
        ...environment,
      },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const exited = once(child, "exit");
  const line = await Promise.race([
    once(createInterface({ input: child.stdout }), "line").then(([text]) => String(text)),
    exited.then(([code]) => {
      throw new Error(`the server ended with ${code} before it was ready`);
    }),
  ]);
  const { url, token }: { url: string; token: string } = JSON.parse(line);
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await exited;
  };
  return {
    child,
    url,
    token,
    client: new Client({ url, token }),
    stop: () => end("SIGTERM"),
    kill: () => end("SIGKILL"),
  };
}
