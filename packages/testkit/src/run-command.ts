// The `stet` command as a process of its own, run to its end.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const main = join(import.meta.dirname, "../../cli/src/main.ts");

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly note: string;
}

/** In `folder`/project, with everything that is the person's own below `folder`. */
export async function runCommand(
  folder: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<Ran> {
  const own = { STET_DATA_DIR: join(folder, "data"), XDG_CONFIG_HOME: join(folder, "config"), HOME: folder };
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", main, ...args], {
    cwd: join(folder, "project"),
    env: { PATH, NODE_COMPILE_CACHE, ...own, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, note] = ["", ""];
  child.stdout.on("data", (data) => {
    out += data;
  });
  child.stderr.on("data", (data) => {
    note += data;
  });
  const [code] = await once(child, "close");
  return { code, out, note };
}
