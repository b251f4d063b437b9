// Random scripts, run as calls of `bash` in turns over one folder, with writers in the background: whatever is different
// afterwards is in the review, rejecting brings the folder back byte for byte, and undoing that brings it again.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callTool } from "@stet/agent/call-tool";
import { optionTexts } from "@stet/protocol/question-text";
import { type CodeSettings, defaultCodeSettings } from "@stet/tools/code/code-settings";
import { codeToolset } from "@stet/tools/code/code-toolset";
import { SessionRules } from "@stet/tools/permission/session-rules";
import { Sight } from "@stet/tools/sight/sight";
import { toBytes } from "@stet/workspace/command-effects/raw-path";
import { Workspace } from "@stet/workspace/workspace";
import { Random } from "./random.ts";
import { differences, snapshotTree, type TreeSnapshot } from "./tree-snapshot.ts";
import { must } from "./workspace.ts";

/** Runs the commands of one turn to its end, and returns the turn's id. */
export async function runScripts(
  workspace: Workspace,
  commands: readonly string[],
  settings: Partial<CodeSettings> = {},
): Promise<string> {
  const turn = workspace.beginTurn({ summary: "scripts", isImmediate: true });
  const toolset = await codeToolset({
    workspace,
    turn,
    ask: async (question) => optionTexts(question)[0] ?? "",
    messages: () => [],
    readArtifact: undefined,
    sight: new Sight(),
    ports: {
      settings: { ...defaultCodeSettings, permissionMode: "auto-edit", ...settings },
      session: "s",
      sessionRules: new SessionRules(),
      environment: process.env,
      isInteractive: true,
      configFolders: { project: undefined, user: undefined },
      keepArtifact: undefined,
    },
  });
  try {
    for (const [index, command] of commands.entries()) {
      const call = { type: "toolCall" as const, id: `call_${index}`, name: "bash", arguments: { command } };
      await callTool(call, {
        batch: String(index),
        tools: toolset.tools,
        signal: new AbortController().signal,
        progress: () => {},
      });
    }
  } finally {
    await toolset.close?.();
  }
  must(await workspace.commitTurn(turn));
  return turn.id;
}

const names = [
  "a",
  "b",
  "c d",
  "-e",
  "f.txt",
  "sub/g",
  "sub/h",
  "sub/deep/i",
  "link",
  "$'n\\nl'",
  "$'bad\\xff'",
  "sub",
];

/** A word of the shell that begins with "./", so that a dash is no option. */
function nameOf(random: Random): string {
  const name = random.pick(names);
  return name.startsWith("$'") ? `./${name}` : `"./${name}"`;
}

function command(random: Random): string {
  const [one, other] = [nameOf(random), nameOf(random)];
  const text = random.pick(["one", "two\\nthree", "\\0\\1binary", "\\377\\376", "x\\r\\ny\\r\\n", "αβγ\\n"]);
  return random.pick([
    `printf '${text}' > ${one}`,
    `printf '${text}' >> ${one}`,
    `echo line ${random.below(100)} >> ${one}`,
    `: > ${one}`,
    `touch ${one}`,
    `mkdir -p ${one}`,
    `rm -rf ${one}`,
    `rmdir ${one}`,
    `mv -f ${one} ${other}`,
    `cp -r ${one} ${other}`,
    `ln -sfn ${other} ${one}`,
    `ln -s nowhere ${one}`,
    `chmod ${random.pick(["644", "755", "600", "444", "700", "500"])} ${one}`,
    `sed -i s/line/LINE/ ${one}`,
    `truncate -s ${random.below(4)} ${one}`,
    `head -c 100 /dev/zero | tr '\\0' q > ${one}`,
  ]);
}

/** Some commands in a row, some of them later, or in a process of their own that nobody waits for. */
export function randomScript(random: Random): string {
  const lines = Array.from({ length: random.between(1, 6) }, () => {
    const line = `${command(random)} 2>/dev/null`;
    const pause = (random.between(0, 12) / 100).toFixed(2);
    switch (random.below(6)) {
      case 0:
        return `(sleep ${pause}; ${line}) &`;
      case 1:
        return `(setsid sh -c 'sleep ${pause}' ; ${line}; sleep ${pause}; ${command(random)} 2>/dev/null) >/dev/null 2>&1 &`;
      default:
        return line;
    }
  });
  const last = random.chance(0.3) ? "wait" : random.chance(0.3) ? "sleep 0.05" : "true";
  return [...lines, last].join("\n");
}

/** `turns` turns of a few scripts each over one folder; returns how many scripts that were. */
export async function simulateScripts(seed: number, turns: number): Promise<number> {
  const random = new Random(seed);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "stet-scripts-")));
  const root = join(folder, "root");
  mkdirSync(join(root, "sub"), { recursive: true });
  for (const name of ["a", "f.txt", "sub/g"]) writeFileSync(join(root, name), `line of ${name}\nline\n`);
  writeFileSync(join(root, "b"), new Uint8Array([0, 1, 2, 255]));
  const workspace = must(await Workspace.open(root, { dataFolder: join(folder, "data") }));
  let count = 0;
  try {
    for (let turn = 0; turn < turns; turn += 1) {
      const scripts = Array.from({ length: random.between(1, 3) }, () => randomScript(random));
      count += scripts.length;
      const told = `seed ${seed}, turn ${turn}:\n${scripts.join("\n---\n")}\n`;
      const before = snapshotTree(root);
      const id = await runScripts(workspace, scripts);
      await checkTurn(workspace, root, { before, id, told, random });
    }
  } finally {
    workspace.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return count;
}

interface Checked {
  readonly before: TreeSnapshot;
  readonly id: string;
  readonly told: string;
  readonly random: Random;
}

async function checkTurn(
  workspace: Workspace,
  root: string,
  { before, id, told, random }: Checked,
): Promise<void> {
  const after = snapshotTree(root);
  const changed = differences(before, after);
  const listed = reviewedPaths(workspace);
  const missing = changed.filter((path) => !listed.has(path));
  assert.deepEqual(missing, [], `not in the review; ${told}`);
  if (changed.length === 0) {
    must(await workspace.decide(() => workspace.review.accept("everything")));
    return;
  }
  const isRollback = random.chance(0.2);
  const rejected = isRollback
    ? must(await workspace.rollback(id, { mode: "hard_all" }))
    : must(await workspace.decide(() => workspace.review.reject("everything")));
  assert.deepEqual(rejected.kept, [], `not taken back; ${told}`);
  same(before, snapshotTree(root), `${isRollback ? "rolled back" : "rejected"}; ${told}`);
  const undone =
    "checkpoint" in rejected
      ? must(await workspace.rollback(must(rejected.checkpoint ?? undefined), { mode: "hard_all" }))
      : must(await workspace.decide(() => workspace.review.undo()));
  assert.deepEqual(undone.kept, [], `not brought again; ${told}`);
  same(after, snapshotTree(root), `undone; ${told}`);
  const verdict = random.chance(0.5) ? "accept" : "reject";
  must(await workspace.decide(() => workspace.review[verdict]("everything")));
  same(verdict === "accept" ? after : before, snapshotTree(root), `${verdict}ed at last; ${told}`);
  assert.deepEqual(workspace.review.list(), [], `still open; ${told}`);
}

function same(wanted: TreeSnapshot, found: TreeSnapshot, told: string): void {
  const rows = differences(wanted, found).map((path) => {
    return `${JSON.stringify(path)}: ${JSON.stringify(wanted.get(path))} is ${JSON.stringify(found.get(path))}`;
  });
  assert.deepEqual(rows, [], told);
}

/** As the snapshot names them: a character for each byte. */
function reviewedPaths(workspace: Workspace): Set<string> {
  const paths = workspace.review
    .list()
    .map(({ document, path }) => path ?? workspace.nodes.pathOf(document) ?? "");
  return new Set(paths.map((path) => toBytes(path).toString("latin1")));
}
