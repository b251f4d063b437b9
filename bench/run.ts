// `npm run bench [names] [-- --json]`: measures, and prints one row for each benchmark.
//
// A name selects the benchmarks that begin with it: `npm run bench text`. With --json, each row is one JSON object
// on a line of its own: {name, value, unit, against, ratio}.
//
// `npm run bench -- integrity` counts how edits land instead (integrity/run.ts), with options of its own.

import { parseArgs } from "node:util";
import { growThreadPool } from "../packages/workspace/src/files/concurrently.ts";
import { progressLine } from "../scripts/progress-line.ts";
import type { Bench, Measured } from "./bench.ts";

/** Types of a browser are known to it, and to nothing else here. */
const inBrowser = "./browser.ts";

const suites: readonly (() => Promise<{ benches: readonly Bench[] }>)[] = [
  () => import("./text.ts"),
  () => import("./terminal-text.ts"),
  () => import("./review.ts"),
  () => import("./workspace.ts"),
  () => import("./commands.ts"),
  () => import("./documents.ts"),
  () => import("./edit-modes.ts"),
  () => import("./edit-modes-symbol.ts"),
  () => import("./read.ts"),
  () => import("./search.ts"),
  () => import("./meaning.ts"),
  () => import("./model.ts"),
  () => import("./models.ts"),
  () => import("./session.ts"),
  () => import("./server.ts"),
  () => import("./load.ts"),
  () => import("./agents.ts"),
  () => import("./growth.ts"),
  () => import("./terminal.ts"),
  () => import(inBrowser),
  () => import("./peers.ts"),
];

// As the command does.
growThreadPool();

if (process.argv[2] === "integrity") {
  const { runIntegrity } = await import("./integrity/run.ts");
  process.exit(await runIntegrity(process.argv.slice(3)));
}

const { values, positionals } = parseArgs({
  options: { json: { type: "boolean", default: false } },
  allowPositionals: true,
});
const all = (await Promise.all(suites.map((suite) => suite()))).flatMap((suite) => suite.benches);
const chosen =
  positionals.length === 0
    ? all
    : all.filter((bench) => positionals.some((name) => bench.name.startsWith(name)));
if (chosen.length === 0) {
  process.stderr.write(
    `No benchmark is called ${positionals.join(", ")}. There are: ${all.map((bench) => bench.name).join(", ")}.\n`,
  );
  process.exit(2);
}

const progress = progressLine();
for (const bench of chosen) {
  progress.show(`measuring ${bench.name} …`);
  const measured = await bench.measure();
  progress.clear();
  if (values.json) console.log(JSON.stringify({ name: bench.name, ...measured }));
  else console.log(describe(bench, measured));
}

function describe(bench: Bench, measured: Measured): string {
  const { value, unit, against, ratio } = measured;
  const mark = bench.isReached(measured) ? "reached" : "MISSED ";
  const compared = against === null ? "" : `, against ${format(against)} ${unit} (${bench.versus})`;
  const times = ratio === null ? "" : `, ratio ${format(ratio)}`;
  return `${mark} ${bench.name.padEnd(20)} ${format(value)} ${unit}${compared}${times}; goal: ${bench.goal}\n        ${bench.what}`;
}

function format(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3);
}
