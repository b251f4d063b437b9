// `npm run fuzz [-- NAME [options]]`: the long runs of the fuzzers, one of them or all in turn. Each is a file below
// scripts/fuzz that takes its own options and returns how many of its cases failed; the short run of each is part of
// `npm test`.

import { runApi } from "./fuzz/api.ts";
import { runJudge } from "./fuzz/judge.ts";
import { runLedger } from "./fuzz/ledger.ts";
import { runProcesses } from "./fuzz/processes.ts";
import { runReach } from "./fuzz/reach.ts";
import { runScripts } from "./fuzz/scripts.ts";
import { runTerminal } from "./fuzz/terminal.ts";

/** Returns the number of failures. */
type Fuzzer = (args: string[]) => Promise<number>;

const fuzzers: Readonly<Record<string, Fuzzer>> = {
  ledger: runLedger,
  processes: runProcesses,
  api: runApi,
  judge: runJudge,
  reach: runReach,
  scripts: runScripts,
  terminal: runTerminal,
};

const [name, ...options] = process.argv.slice(2);
const chosen = name === undefined ? Object.keys(fuzzers) : [name];
let failures = 0;
for (const each of chosen) {
  const fuzzer = fuzzers[each];
  if (fuzzer === undefined) {
    console.error(`There is no fuzzer ${each}. There are: ${Object.keys(fuzzers).join(", ")}.`);
    failures += 1;
    continue;
  }
  console.log(`${each}:`);
  failures += await fuzzer(options);
}
process.exitCode = failures === 0 ? 0 : 1;
