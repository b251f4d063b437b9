// Search over a large tree, as toolset code does it, beside plain ripgrep.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codeCalls } from "../packages/testkit/src/code-fixture.ts";
import { must } from "../packages/testkit/src/workspace.ts";
import { search } from "../packages/tools/src/code/search/search.ts";
import { Workspace } from "../packages/workspace/src/workspace.ts";
import { type Bench, best, type Measured } from "./bench.ts";

const folders = 500;
const filesInFolder = 100;
const shown = 50;

/** 50,000 files of some 40 lines: one in a thousand has the rare word, all have the common one. */
function makeTree(root: string): void {
  for (let folder = 0; folder < folders; folder += 1) {
    const path = join(root, `group-${folder % 20}`, `folder-${folder}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < filesInFolder; file += 1) {
      const number = folder * filesInFolder + file;
      const lines = Array.from(
        { length: 40 },
        (_, line) => `  const value${line} = compute(${number}, ${line});`,
      );
      if (number % 1000 === 7) lines[20] = `  return needle(${number});`;
      writeFileSync(
        join(path, `file-${file}.ts`),
        `export function f${number}() {\n${lines.join("\n")}\n}\n`,
      );
    }
  }
}

function measure(pattern: string): () => Promise<Measured> {
  return async () => {
    const folder = mkdtempSync(join(tmpdir(), "stet-bench-search-"));
    try {
      makeTree(join(folder, "root"));
      const workspace = must(
        await Workspace.open(join(folder, "root"), { dataFolder: join(folder, "data") }),
      );
      const desk = codeCalls(workspace, [search]);
      const { rgPath } = await import("@vscode/ripgrep");
      const plain = () =>
        spawnSync(rgPath, ["--line-number", "--hidden", "--no-config", pattern, "."], {
          cwd: join(folder, "root"),
          stdio: ["ignore", "ignore", "ignore"],
        });
      const ours = () => desk.call("search", { pattern });
      await ours();
      plain();
      let value = Number.POSITIVE_INFINITY;
      let against = Number.POSITIVE_INFINITY;
      for (let round = 0; round < 7; round += 1) {
        value = Math.min(value, await best(1, ours));
        against = Math.min(against, await best(1, plain));
      }
      workspace.close();
      return { value, unit: "ms", against, ratio: value / against };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
}

const goal = {
  versus: "plain rg",
  goal: "at most 1.3 times",
  isReached: ({ ratio }: Measured) => (ratio ?? 0) <= 1.3,
};

export const benches: readonly Bench[] = [
  {
    name: "code/search",
    what: "50 matches in 50,000 files, as the tool answers them with anchors",
    measure: measure("needle\\("),
    ...goal,
  },
  {
    name: "code/search none",
    what: "no match in 50,000 files",
    measure: measure("nowhere\\w+"),
    ...goal,
  },
  {
    name: "code/search common",
    what: `the first ${shown} places of two million matches in 50,000 files`,
    measure: measure("compute"),
    ...goal,
  },
];
