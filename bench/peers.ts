// Other agents beside ours: one small task, one scripted model, best of several runs. See docs/benchmarks.md.
//
// The runner and the peers are not part of this repository; they are looked for beside it, or where STET_PEERS says.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bench, Measured } from "./bench.ts";

const runner = join(process.env.STET_PEERS ?? join(import.meta.dirname, "../../shared/peers"), "run.mjs");
const installed = process.env.PEERS_DIR ?? join(tmpdir(), "stet-peers");
const root = join(import.meta.dirname, "..");

interface Row {
  readonly name: string;
  readonly first_request_ms: number;
  readonly whole_turn_ms: number;
  readonly tree_memory_mb: number;
  readonly first_request_bytes: number;
}

let measured: Promise<Row[]> | undefined;

/** Packs and installs ours, then runs all that are there, once for all rows. */
async function rows(): Promise<Row[]> {
  measured ??= (async () => {
    execFileSync(process.execPath, ["scripts/package.ts"], { cwd: root, stdio: "ignore" });
    const place = mkdtempSync(join(tmpdir(), "stet-packed-"));
    const install = [
      "install",
      "--no-audit",
      "--no-fund",
      "--loglevel=error",
      "--prefix",
      place,
      join(root, "dist/stet.tgz"),
    ];
    execFileSync("npm", install, { stdio: "ignore" });
    const peers = existsSync(installed) ? readdirSync(installed) : [];
    const output = execFileSync(process.execPath, [runner, "stet", ...peers, "--runs", "5", "--json"], {
      encoding: "utf8",
      env: {
        ...process.env,
        PEERS_DIR: installed,
        STET: `${process.execPath} ${join(place, "node_modules/stet/bin/stet.js")}`,
      },
    });
    return output
      .trim()
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line): Row => JSON.parse(line));
  })();
  return measured;
}

function bench(name: string, what: string, unit: string, goal: number, read: (row: Row) => number): Bench {
  return {
    name: `peers/${name}`,
    what,
    versus: "the best of the other agents that are installed",
    goal: `at most ${goal} ${unit}, and less than every peer`,
    isReached: ({ value, ratio }) => value <= goal && (ratio === null || ratio < 1),
    async measure(): Promise<Measured> {
      const all = await rows();
      const ours = all.find((row) => row.name === "stet");
      const others = all.filter((row) => row.name !== "stet").map(read);
      const value = ours === undefined ? Number.NaN : read(ours);
      const against = others.length === 0 ? null : Math.min(...others);
      return { value, unit, against, ratio: against === null ? null : value / against };
    },
  };
}

export const benches: readonly Bench[] = existsSync(runner)
  ? [
      bench(
        "first-request",
        "process start to the first request at the model server, packed",
        "ms",
        200,
        (row) => row.first_request_ms,
      ),
      bench("whole-turn", "a whole turn with one tool call, packed", "ms", 300, (row) => row.whole_turn_ms),
      bench("memory", "peak memory of the process tree", "MB", 100, (row) => row.tree_memory_mb),
      bench("request-size", "size of the first request", "bytes", 8192, (row) => row.first_request_bytes),
    ]
  : [];
