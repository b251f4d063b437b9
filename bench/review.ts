// Review: deciding one hunk among ten thousand.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { must } from "../packages/testkit/src/workspace.ts";
import { diffLines } from "../packages/text/src/diff.ts";
import { rawLines } from "../packages/text/src/lines.ts";
import { Workspace } from "../packages/workspace/src/workspace.ts";
import type { Bench, Measured } from "./bench.ts";

const hunks = 10_000;
const decisions = 500;

async function decide(): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), "stet-bench-"));
  try {
    writeFileSync(
      join(folder, "long.txt"),
      Array.from({ length: hunks * 10 }, (_, line) => `line ${line}\n`).join(""),
    );
    const workspace = must(await Workspace.open(folder, { dataFolder: join(folder, ".data") }));
    const { id, history } = must(workspace.documents.open("long.txt"));
    const turn = workspace.beginTurn();
    const edits = Array.from({ length: hunks }, (_, edit) => ({
      op: "replace" as const,
      from: edit * 10 + 1,
      to: edit * 10 + 1,
      content: `edit ${edit}`,
    }));
    must(turn.edit(id, { revision: history.revision, policy: { kind: "rebase" }, edits }));
    must(turn.commit());
    const open = workspace.review.file(id)?.hunks ?? [];
    if (open.length !== hunks) throw new Error(`${hunks} hunks expected, ${open.length} found`);
    const started = performance.now();
    for (let decision = 0; decision < decisions; decision += 1) {
      const selection = { hunks: [open[(decision * 17) % hunks]?.id ?? ""] };
      must(decision % 2 === 0 ? workspace.review.accept(selection) : workspace.review.reject(selection));
    }
    const value = (performance.now() - started) / decisions;
    const { pending } = must(workspace.documents.state(id));
    const diffing = performance.now();
    diffLines(
      rawLines(pending.base, 0, pending.base.lines),
      rawLines(pending.current, 0, pending.current.lines),
    );
    const against = performance.now() - diffing;
    workspace.close();
    return { value, unit: "ms", against, ratio: value / against };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const benches: readonly Bench[] = [
  {
    name: "review/decide",
    what: "accept or reject one hunk among 10,000 open ones, ledger included, on average",
    versus: "diffing the two texts again to find the remaining hunks",
    goal: "under 2 ms",
    isReached: ({ value }) => value < 2,
    measure: decide,
  },
];
