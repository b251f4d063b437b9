// `npm run fuzz [-- NAME] [options]`: the long runs of the fuzzers. Each is a file below scripts/fuzz that takes its own
// options and returns how many of its cases failed; the short run of each is part of `npm test`.

import { runApi } from "./fuzz/api.ts";
import { runJudge } from "./fuzz/judge.ts";
import { runLedger } from "./fuzz/ledger.ts";
import { runProcesses } from "./fuzz/processes.ts";
import { runReach } from "./fuzz/reach.ts";
import { runScripts } from "./fuzz/scripts.ts";

/** Returns the number of failures. */
type Fuzzer = (args: string[]) => Promise<number>;

const fuzzers: Readonly<Record<string, Fuzzer>> = {
  ledger: runLedger,
  processes: runProcesses,
  api: runApi,
  judge: runJudge,
  reach: runReach,
  scripts: runScripts,
};

const [first, ...others] = process.argv.slice(2);
const isNamed = first !== undefined && !first.startsWith("-");
const fuzzer = fuzzers[isNamed ? first : "ledger"];
if (fuzzer === undefined) {
  console.error(`There is no fuzzer ${first}. There are: ${Object.keys(fuzzers).join(", ")}.`);
  process.exitCode = 2;
} else {
  process.exitCode = (await fuzzer(isNamed ? others : process.argv.slice(2))) === 0 ? 0 : 1;
}
