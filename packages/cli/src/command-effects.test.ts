import assert from "node:assert/strict";
import { chmodSync, existsSync, lstatSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { startScriptedModel } from "@stet/testkit/scripted-model";
import { StetProject } from "@stet/testkit/stet-project";
import { differences, snapshotTree } from "@stet/testkit/tree-snapshot";

async function runCommand(t: TestContext, project: StetProject, command: string) {
  const model = await startScriptedModel([
    { toolCalls: [{ name: "bash", arguments: { command } }] },
    { text: "Done." },
  ]);
  t.after(() => model.close());
  const env = { OPENAI_COMPATIBLE_BASE_URL: `${model.url}/v1`, STET_MODEL: "openai-compatible/scripted" };
  const turn = await project.stet(["-p", "go", "--toolset", "code", "--permission", "full"], { env });
  assert.equal(turn.code, 0, turn.screen);
  return { turn, told: model.requests.at(-1)?.messages.at(-1)?.text ?? "" };
}

test("modes, links, folders, empty files and odd names are in the review, rejected and brought again", async (t) => {
  const odd = "new\nline.txt";
  const project = new StetProject(t, { "n.txt": "one\n", "s.sh": "echo\n", [odd]: "first\n" });
  const before = snapshotTree(project.folder);
  const { turn, told } = await runCommand(
    t,
    project,
    "touch empty.txt; chmod +x s.sh; ln -s n.txt link2; mkdir d; echo more >> $'new\\nline.txt'; echo two >> n.txt; printf '\\0' > bin",
  );
  const things = [
    "d (a new folder)",
    "empty.txt (a new empty file)",
    "link2 (a new link)",
    "s.sh (its mode, 644, is 755 now)",
    "bin (a new file that is not text)",
  ];
  for (const thing of things) assert.ok(turn.note.includes(thing), `${thing} is not told:\n${turn.note}`);
  assert.match(told, /Changed on disk: .*"new\\nline\.txt"/);
  const review = (await project.stet(["review"])).out;
  assert.match(review, /^link2 {2}1 hunk {2}\S+ {2}\(a new link\)$/m);
  assert.match(review, /^s\.sh {2}1 hunk {2}\S+ {2}\(its mode, 644, is 755 now\)$/m);
  const after = snapshotTree(project.folder);
  const rejected = await project.stet(["review", "reject", "--all"]);
  assert.equal(rejected.code, 0, rejected.screen);
  assert.deepEqual(differences(before, snapshotTree(project.folder)), []);
  assert.match((await project.stet(["review"])).out, /^Nothing is waiting for review\.\n$/);
  assert.equal((await project.stet(["review", "undo"])).code, 0);
  assert.deepEqual(differences(after, snapshotTree(project.folder)), []);
});

test("what the person did since stays: a file in the new folder, another mode, another link", async (t) => {
  const project = new StetProject(t, { "n.txt": "one\n", "s.sh": "echo\n" });
  await runCommand(t, project, "mkdir d; chmod 755 s.sh; ln -s n.txt link");
  const at = (name: string) => join(project.folder, name);
  writeFileSync(at("d/mine.txt"), "mine\n");
  chmodSync(at("s.sh"), 0o700);
  const rejected = await project.stet(["review", "reject", "--all"]);
  assert.match(rejected.out, /Left as it is, and open: d is not empty\./);
  assert.ok(existsSync(at("d/mine.txt")));
  assert.equal(lstatSync(at("s.sh")).mode & 0o777, 0o700);
  assert.ok(!existsSync(at("link")));
  assert.equal((await project.stet(["review", "undo"])).code, 0);
  assert.equal(readlinkSync(at("link")), "n.txt");
});

test("what is in doubt is left by reject --all and by R of review step, until it is said that it goes, too", async (t) => {
  for (const confirmed of [
    { command: ["review", "reject", "--all", "--during"], input: "" },
    { command: ["review", "step"], input: "Ry" },
  ]) {
    const project = new StetProject(t, { "f.txt": "one\n", "g.txt": "one\n", ".f.txt.swp": "an editor's" });
    await runCommand(t, project, "echo two >> f.txt; echo two >> g.txt");
    const step = await project.stet(["review", "step"], { input: "Rynq" });
    assert.match(step.screen, /Reject all 1\?.*1 more hunk was changed during a turn, by its commands/s);
    assert.deepEqual([project.read("f.txt"), project.read("g.txt")], ["one\ntwo\n", "one\n"]);
    const rejected = await project.stet(["review", "reject", "--all"]);
    assert.match(rejected.screen, /add --during to reject it, too/);
    assert.equal(project.read("f.txt"), "one\ntwo\n");
    const { command, input } = confirmed;
    assert.equal((await project.stet(command, { input })).code, 0);
    assert.equal(project.read("f.txt"), "one\n");
  }
});
