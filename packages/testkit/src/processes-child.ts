// One of several processes that edit the same files at the same time, as turns whose edits are on disk at once.
//
//   node processes-child.ts ROOT DATA SEED STEPS ROLE
//
// An `editor` edits; a `commander` runs commands that do, past Stet; a `reader` looks at every file again and again, as a window does that shows them, until its input ends.
//
// It waits for a line on its input, so that all begin together. Prints "did N" with the number of edits that went through;
// a refusal (another process was quicker) is none.

import { once } from "node:events";
import { readdirSync, readFileSync, renameSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isFault } from "@stet/protocol/fault";
import type { LineEdit } from "@stet/text/edits";
import { Workspace } from "@stet/workspace/workspace";
import { Random } from "./random.ts";
import { mustDo as must } from "./telling-child.ts";

const [root = "", dataFolder = "", seed = "1", steps = "10", role = "editor"] = process.argv.slice(2);
const random = new Random(Number(seed));
const workspace = must(await Workspace.open(root, { dataFolder }), "open");
// As `stet serve` does: what the watcher sees is compared at any time, not only when this process edits.
const watch = random.chance(0.5) ? must(await workspace.watch(() => {}), "watch") : undefined;
const names = readdirSync(root).filter((name) => name.endsWith(".txt"));
writeSync(1, "ready\n");
await once(process.stdin, "data");

let done = 0;
if (role === "reader") {
  let isOver = false;
  process.stdin.once("end", () => {
    isOver = true;
  });
  process.stdin.resume();
  while (!isOver) {
    for (const name of names) workspace.documents.open(name);
    await pause(0);
  }
}
for (let step = 0; role === "editor" && step < Number(steps); step += 1) {
  const turn = workspace.beginTurn({ summary: "processes", isImmediate: true });
  for (const name of random.chance(0.2) ? names : [random.pick(names)]) {
    const opened = workspace.documents.open(name);
    if (isFault(opened)) continue;
    const seen = turn.read(opened.id);
    if (isFault(seen)) continue;
    const edits = [editOf(seen.text.lines, step)];
    turn.edit(opened.id, { revision: seen.revision, policy: { kind: "rebase" }, edits });
  }
  if (random.chance(0.5)) await pause(random.below(4));
  const written = await workspace.writeTurn(turn);
  if (isFault(turn.conclude()) || isFault(written)) continue;
  done += 1;
  if (random.chance(0.3)) workspace.compareInUse();
}
for (let step = 0; role === "commander" && step < Number(steps); step += 1) {
  const turn = workspace.beginTurn({ summary: "command", isImmediate: true });
  await workspace.witness.begin(turn);
  command(random.pick(names), step);
  if (random.chance(0.5)) await pause(random.below(4));
  workspace.witness.pause(turn);
  await workspace.witness.finish(turn);
  if (!isFault(turn.conclude())) done += 1;
}
await watch?.close();
workspace.close();
writeSync(1, `did ${done}\n`);
process.exit(0);

function editOf(lines: number, step: number): LineEdit {
  const line = 1 + random.below(Math.max(1, lines - 1));
  const content = `${seed}:${step}`;
  if (random.chance(0.5)) return { op: "insert", after: line, content };
  return { op: "replace", from: line, to: line, content };
}

/** As `sed -i` does it. */
function command(name: string, step: number): void {
  const lines = readFileSync(join(root, name), "utf8").split("\n");
  lines.splice(random.below(lines.length - 1), random.below(2), `${seed}:${step}\r`);
  const temporary = join(root, `.${seed}-${step}`);
  writeFileSync(temporary, lines.join("\n"));
  renameSync(temporary, join(root, name));
}
