// Long documents: what the tools of toolset tabs take on a book of 1.27 MB.

import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callTool } from "@stet/agent/call-tool";
import { bareCapabilities } from "@stet/testkit/capabilities";
import { playedSubagents } from "@stet/testkit/subagents-of";
import { openToolset } from "@stet/tools/open-toolset";
import { must } from "../packages/testkit/src/workspace.ts";
import { Workspace } from "../packages/workspace/src/workspace.ts";
import type { Bench, Measured } from "./bench.ts";

const book = join(
  process.env.STET_TEST_DATA ?? join(import.meta.dirname, "../../shared/data"),
  "books/moby-dick.txt",
);

type Call = (tool: string, args: Record<string, unknown>) => Promise<Record<string, unknown>>;

/** Gives the tools over the book to whoever measures. */
async function withBook(measure: (call: Call, workspace: Workspace) => Promise<Measured>): Promise<Measured> {
  if (!existsSync(book))
    throw new Error("The book is not here; set STET_TEST_DATA to the test data's folder.");
  const folder = mkdtempSync(join(tmpdir(), "stet-bench-"));
  try {
    copyFileSync(book, join(folder, "moby-dick.txt"));
    const workspace = must(await Workspace.open(folder, { dataFolder: join(folder, ".data") }));
    must(workspace.tabs.open("moby-dick.txt"));
    const turn = must(workspace.beginLockedTurn());
    const subagents = playedSubagents({ report_name_forms: { forms: [] } });
    const offered = bareCapabilities({ workspace, turn, subagents: async () => subagents });
    const { tools } = must(await openToolset("tabs", offered));
    const call: Call = async (name, args) => {
      const called = await callTool(
        { type: "toolCall", id: "1", name, arguments: args },
        { batch: "1", tools, signal: new AbortController().signal, progress: () => {} },
      );
      const [part] = called.result.content;
      const text = part?.type === "text" ? part.text : "";
      if (called.result.isError) throw new Error(text);
      return JSON.parse(text);
    };
    const measured = await measure(call, workspace);
    turn.discard();
    workspace.close();
    return measured;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The median of many calls, after some to warm up; beside a plain way to do the same. */
async function warm(run: (round: number) => Promise<unknown>, plain: () => unknown): Promise<Measured> {
  const times: number[] = [];
  const others: number[] = [];
  for (let round = 0; round < 40; round += 1) {
    let started = performance.now();
    await run(round);
    if (round >= 10) times.push(performance.now() - started);
    started = performance.now();
    plain();
    if (round >= 10) others.push(performance.now() - started);
  }
  const [value, against] = [median(times), median(others)];
  return { value, unit: "ms", against, ratio: value / against };
}

function median(values: number[]): number {
  return values.sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

function read(): Promise<Measured> {
  return withBook((call) =>
    warm(
      (round) => call("read_document", { start_line: round * 500 }),
      () => readFileSync(book, "utf8").split("\n").slice(500, 1000).join("\n"),
    ),
  );
}

function outline(): Promise<Measured> {
  return withBook((call) =>
    warm(
      () => call("get_outline", {}),
      () => readFileSync(book, "utf8").match(/^CHAPTER .*$/gm),
    ),
  );
}

function search(): Promise<Measured> {
  const words = ["whale", "Queequeg", "harpoon", "the sea", "Starbuck"];
  return withBook((call) =>
    warm(
      (round) => call("search_document", { query: words[round % 5], match_type: "exact" }),
      () => execFileSync("grep", ["-n", "whale", book], { maxBuffer: 2 ** 26 }),
    ),
  );
}

async function rename(): Promise<Measured> {
  let best = Number.POSITIVE_INFINITY;
  let plain = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3; round += 1) {
    await withBook(async (call) => {
      const { version } = await call("read_document", { end_line: 0 });
      const params = { old_name: "Ahab", new_name: "Khan" };
      const started = performance.now();
      const answer = await call("transform_document", {
        transformation: "character_rename",
        params,
        output_mode: "in_place",
        version,
      });
      best = Math.min(best, (performance.now() - started) / 1000);
      if (Number(answer.changes_made) < 500) throw new Error(`only ${answer.changes_made} places`);
      return { value: 0, unit: "s", against: null, ratio: null };
    });
    const started = performance.now();
    execFileSync("sed", ["s/Ahab/Khan/g; s/AHAB/KHAN/g", book], { maxBuffer: 2 ** 26 });
    plain = Math.min(plain, (performance.now() - started) / 1000);
  }
  return { value: best, unit: "s", against: plain, ratio: best / plain };
}

const isUnder =
  (limit: number) =>
  ({ value }: Measured): boolean =>
    value < limit;

export const benches: readonly Bench[] = [
  {
    name: "documents/read",
    what: "read_document on Moby-Dick, warm: 6,000 tokens, counted",
    versus: "reading and splitting the file",
    goal: "under 30 ms",
    measure: read,
    isReached: isUnder(30),
  },
  {
    name: "documents/outline",
    what: "get_outline of Moby-Dick, warm: 135 chapters and the epilogue",
    versus: "one regular expression over the file, which finds the table of contents, too",
    goal: "under 30 ms",
    measure: outline,
    isReached: isUnder(30),
  },
  {
    name: "documents/search",
    what: "exact search_document on Moby-Dick, warm: places with context, all counted",
    versus: "grep -n, as a process",
    goal: "under 30 ms",
    measure: search,
    isReached: isUnder(30),
  },
  {
    name: "documents/rename",
    what: "character_rename of Ahab over Moby-Dick with a scripted model, staged for review",
    versus: "sed, which knows no word boundaries and asks nobody",
    goal: "under 5 s",
    measure: rename,
    isReached: isUnder(5),
  },
];
