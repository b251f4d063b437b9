import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import { type ChildReport, killEverywhere, runKilledChild } from "@stet/testkit/killed-child";
import { assertLaw } from "@stet/testkit/law";
import { temporaryFolder } from "@stet/testkit/temporary";
import { Workspace } from "./workspace.ts";

const child = join(import.meta.dirname, "../../testkit/src/crash-child.ts");
const start = "one\ntwo\nthree\nfour\n";
const saved = (isFirst: boolean) =>
  `typed by the person\none\n${isFirst ? "two" : "changed by the agent"}\nthree\nfour\nadded by the agent\n`;
const rolledBack = start;

interface Crash extends ChildReport {
  readonly root: string;
  readonly data: string;
}

async function crashAt(t: TestContext, step: number): Promise<Crash> {
  const folder = temporaryFolder(t, { "root/first.txt": start, "root/second.txt": start });
  const [root, data] = [join(folder, "root"), join(folder, "data")];
  return { root, data, ...(await runKilledChild(child, [root, data, String(step)])) };
}

/** What must be true after a kill at any step: everything reported done is there, everything else is whole or absent. */
async function checkAfter(crash: Crash): Promise<void> {
  const workspace = await Workspace.open(crash.root, { dataFolder: crash.data });
  if (isFault(workspace)) throw new Error(JSON.stringify(workspace));
  const names = ["first.txt", "second.txt"];
  const contents = names.map((name) => readFileSync(join(crash.root, name), "utf8"));
  const expected = [
    [start, start],
    [saved(true), saved(false)],
    [rolledBack, rolledBack],
  ];
  const stage = expected.findIndex((group) => group.every((content, index) => content === contents[index]));
  assert.ok(stage >= 0, `the group is neither old nor new: ${JSON.stringify(contents)}`);
  if (crash.done.includes("save") && !crash.done.includes("rollback"))
    assert.equal(contents[0], saved(true), "a finished save stays");
  if (crash.done.includes("save rollback")) assert.equal(contents[0], rolledBack);
  assert.deepEqual(readdirSync(crash.root).sort(), names, "no temporary file is left");

  for (const [index, name] of names.entries()) {
    const state = workspace.documents.open(name);
    if (isFault(state)) throw new Error(JSON.stringify(state));
    assertLaw(state.pending);
    const text = state.pending.current.toString();
    assert.equal(state.saved?.text.toString(), contents[index], "the ledger knows what is on disk");
    if (
      crash.done.filter((name) => name === "type").length > index &&
      !crash.steps.some((step) => step.includes("turns"))
    ) {
      assert.match(text, /typed by the person/);
    }
  }
  const [first, second] = names.map((name) => workspace.documents.open(name));
  if (isFault(first) || isFault(second) || first === undefined || second === undefined)
    throw new Error("not opened");
  const isChanged = (text: string) => /added by the agent/.test(text);
  assert.equal(
    isChanged(first.pending.current.toString()),
    isChanged(second.pending.current.toString()),
    "a turn is whole",
  );
  if (crash.done.includes("commit"))
    assert.ok(workspace.checkpoints.list().length >= 1, "a committed turn has its checkpoint");
  workspace.close();
}

test("a process killed at any step of its writes leaves every group and every turn whole", async (t) => {
  const steps = await killEverywhere(t, (step) => crashAt(t, step), checkAfter);
  assert.ok(steps > 30, `there are many steps to be killed at: ${steps}`);
});
