// Documents: editing, deriving hunks, memory.

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { Text } from "@codemirror/state";
import { isFault } from "../packages/protocol/src/fault.ts";
import { startHistory } from "../packages/text/src/history.ts";
import { hunksOf } from "../packages/text/src/hunks.ts";
import { changeOf } from "../packages/text/src/lines.ts";
import { nothingPending } from "../packages/text/src/pending.ts";
import { revise } from "../packages/text/src/revise.ts";
import { stage } from "../packages/text/src/stage.ts";
import { type Bench, best, type Measured } from "./bench.ts";

const lineOf = (index: number) => `This is line ${index} of a document that is longer than any screen.`;
const linesOf = (count: number) => Array.from({ length: count }, (_, index) => lineOf(index));

async function replaceLines(): Promise<Measured> {
  const lines = linesOf(1_000_000);
  const edits = 10_000;
  const place = (edit: number) => (edit * 7919) % lines.length;
  const start = startHistory(Text.of(lines));
  const value = await best(3, () => {
    let history = start;
    for (let edit = 0; edit < edits; edit += 1) {
      const line = place(edit) + 1;
      const request = [{ op: "replace", from: line, to: line, content: `replaced ${edit}` }] as const;
      const revised = revise(history, {
        revision: history.revision,
        policy: { kind: "strict" },
        edits: request,
        origin: "agent",
      });
      if (isFault(revised)) throw new Error(revised.message);
      history = revised.history;
    }
  });
  let whole = lines.join("\n");
  const sample = 20;
  const sampled = await best(1, () => {
    for (let edit = 0; edit < sample; edit += 1) {
      const split = whole.split("\n");
      split[place(edit)] = `replaced ${edit}`;
      whole = split.join("\n");
    }
  });
  const against = (sampled / sample) * edits;
  return { value, unit: "ms", against, ratio: against / value };
}

async function hunks(): Promise<Measured> {
  const derive = async (count: number) => {
    const text = Text.of(linesOf(count));
    const splices = Array.from({ length: 100 }, (_, edit) => ({
      at: edit * Math.floor(count / 100),
      removed: 1,
      lines: [`edit ${edit}`],
    }));
    const pending = stage(nothingPending(text), changeOf(text, splices), { origin: "agent" });
    // Long enough to be timed: one derivation takes well under a millisecond.
    const time = await best(30, () => {
      for (let round = 0; round < 20; round += 1)
        if (hunksOf(pending).length !== 100) throw new Error("100 hunks expected");
    });
    return time / 20;
  };
  const against = await derive(1000);
  const value = await derive(1_000_000);
  return { value, unit: "ms", against, ratio: value / against };
}

function memory(): Measured {
  const child = join(import.meta.dirname, "memory-child.ts");
  const flags = ["--expose-gc", "--disable-warning=ExperimentalWarning"];
  const output = execFileSync(process.execPath, [...flags, child], { encoding: "utf8" });
  const { used, bytes }: { used: number; bytes: number } = JSON.parse(output);
  const megabyte = 1024 * 1024;
  return { value: used / megabyte, unit: "MB", against: bytes / megabyte, ratio: used / bytes };
}

export const benches: readonly Bench[] = [
  {
    name: "text/replace-lines",
    what: "10,000 single-line replacements in a 1,000,000-line document, each a checked revision",
    versus: "split, replace and join the whole text each time; 20 measured and scaled",
    goal: "1,000 times faster",
    isReached: ({ ratio }) => (ratio ?? 0) >= 1000,
    measure: replaceLines,
  },
  {
    name: "text/hunks",
    what: "deriving the hunks of 100 edits in a 1,000,000-line document",
    versus: "the same in a 1,000-line document",
    goal: "at most 5 times",
    isReached: ({ ratio }) => (ratio ?? 9) <= 5,
    measure: hunks,
  },
  {
    name: "text/memory",
    what: "memory of an open 50 MB document",
    versus: "its bytes",
    goal: "at most 4 times",
    isReached: ({ ratio }) => (ratio ?? 9) <= 4,
    measure: memory,
  },
];
