// Workspaces: saving many files, opening with much history.

import { execFileSync } from "node:child_process";
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { must } from "../packages/testkit/src/workspace.ts";
import { Workspace } from "../packages/workspace/src/workspace.ts";
import { type Bench, best, type Measured } from "./bench.ts";

async function inFolder<T>(action: (folder: string, dataFolder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "stet-bench-"));
  try {
    mkdirSync(join(folder, "root"));
    return await action(join(folder, "root"), join(folder, "data"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const savedFiles = 100;
const content = (round: number) => `round ${round}\n${"some text that stays as it is\n".repeat(130)}`;

function save(): Promise<Measured> {
  return inFolder(async (root, dataFolder) => {
    const names = Array.from({ length: savedFiles }, (_, index) => `file-${index}.txt`);
    for (const name of names) writeFileSync(join(root, name), content(0));
    const workspace = must(await Workspace.open(root, { dataFolder }));
    const documents = names.map((name) => must(workspace.documents.open(name)).id);
    let value = Number.POSITIVE_INFINITY;
    let against = Number.POSITIVE_INFINITY;
    for (let round = 1; round <= 7; round += 1) {
      for (const id of documents) {
        const { revision } = must(workspace.documents.state(id)).history;
        const edits = [{ op: "replace" as const, from: 1, to: 1, content: `round ${round}` }];
        must(workspace.documents.edit(id, { revision, policy: { kind: "strict" }, edits, origin: "user" }));
      }
      value = Math.min(value, await best(1, async () => must(await workspace.saving.save(documents))));
      against = Math.min(
        against,
        await best(1, () => {
          for (const name of names) {
            const descriptor = openSync(join(root, `plain-${name}`), "w");
            writeSync(descriptor, content(round));
            fsyncSync(descriptor);
            closeSync(descriptor);
          }
        }),
      );
    }
    workspace.close();
    return { value, unit: "ms", against, ratio: value / against };
  });
}

function open(): Promise<Measured> {
  return inFolder(async (root, dataFolder) => {
    for (let folder = 0; folder < 100; folder += 1) {
      mkdirSync(join(root, `folder-${folder}`));
      for (let file = 0; file < 100; file += 1) {
        writeFileSync(
          join(root, `folder-${folder}`, `file-${file}.txt`),
          `file ${file}\n${"line\n".repeat(20)}`,
        );
      }
    }
    execFileSync("git", ["init", "-q"], { cwd: root });
    await fillLedger(root, dataFolder);
    const value = await best(5, async () => {
      const workspace = must(await Workspace.open(root, { dataFolder }));
      const tab = must(workspace.tabs.open("folder-0/file-0.txt"));
      if (tab.line_count === 0) throw new Error("the document is empty");
      const listing = must(await workspace.list());
      if (listing.files.length !== 10_000)
        throw new Error(`10,000 files expected, ${listing.files.length} listed`);
      workspace.close();
    });
    const against = await best(3, () =>
      execFileSync("git", ["status", "--porcelain", "-uall"], { cwd: root, maxBuffer: 1e9 }),
    );
    return { value, unit: "ms", against, ratio: value / against };
  });
}

/** 100,000 changes, spread over the first hundred files. */
async function fillLedger(root: string, dataFolder: string): Promise<void> {
  const workspace = must(await Workspace.open(root, { dataFolder }));
  for (let file = 0; file < 100; file += 1) {
    const { id } = must(workspace.documents.open(`folder-0/file-${file}.txt`));
    must(
      workspace.ledger.write(() => {
        for (let change = 0; change < 1000; change += 1) {
          const { revision } = must(workspace.documents.state(id)).history;
          const edits = [
            {
              op: "replace" as const,
              from: (change % 20) + 1,
              to: (change % 20) + 1,
              content: `change ${change}`,
            },
          ];
          must(workspace.documents.edit(id, { revision, policy: { kind: "strict" }, edits, origin: "user" }));
        }
        return true;
      }),
    );
  }
  workspace.close();
}

export const benches: readonly Bench[] = [
  {
    name: "workspace/save",
    what: "journaled save of 100 files of 4 KB as one group, all or none",
    versus: "writing the same files one by one with fsync",
    goal: "at most 1.3 times",
    isReached: ({ ratio }) => (ratio ?? 9) <= 1.3,
    measure: save,
  },
  {
    name: "workspace/open",
    what: "opening a workspace of 10,000 files and a ledger of 100,000 changes, a tab in it, and listing its files",
    versus: "git status over the same files",
    goal: "under 300 ms",
    isReached: ({ value }) => value < 300,
    measure: open,
  },
];
