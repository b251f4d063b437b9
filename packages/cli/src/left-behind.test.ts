import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startScriptedModel } from "@stet/testkit/scripted-model";
import { StetProject } from "@stet/testkit/stet-project";

test("what a command did and rejecting does not take back is told: in the turn, in the review, after rejecting", async (t) => {
  const odd = "new\nline.txt";
  const project = new StetProject(t, { "n.txt": "one\n", "s.sh": "echo\n", [odd]: "first\n" });
  const command =
    "touch empty.txt; chmod +x s.sh; ln -s n.txt link2; mkdir d; echo more >> $'new\\nline.txt'; echo two >> n.txt";
  const model = await startScriptedModel([
    { toolCalls: [{ name: "bash", arguments: { command } }] },
    { text: "Done." },
  ]);
  t.after(() => model.close());
  const env = { OPENAI_COMPATIBLE_BASE_URL: `${model.url}/v1`, STET_MODEL: "openai-compatible/scripted" };
  const turn = await project.stet(["-p", "go", "--toolset", "code", "--permission", "full"], { env });
  assert.equal(turn.code, 0, turn.screen);
  const things = [
    "d (a new folder)",
    "empty.txt (a new empty file)",
    "link2 (a new link)",
    "s.sh (its mode, 644, is 755 now)",
  ];
  for (const thing of things) assert.ok(turn.note.includes(thing), `${thing} is not told:\n${turn.note}`);
  const told = model.requests.at(-1)?.messages.at(-1)?.text ?? "";
  assert.match(told, /Changed on disk: .*"new\\nline\.txt"/);
  assert.match(told, /Rejecting will not take this back: .*link2 \(a new link\)/);
  const review = (await project.stet(["review"])).out;
  assert.match(review, /"new\\nline\.txt" {2}1 hunk/);
  for (const thing of things) assert.ok(review.includes(thing), `${thing} is not told:\n${review}`);
  const rejected = await project.stet(["review", "reject", "--all"]);
  assert.match(rejected.out, /Not taken back: .*d \(a new folder\)/);
  assert.equal(project.read(odd), "first\n");
  assert.equal(project.read("n.txt"), "one\n");
  assert.ok(existsSync(join(project.folder, "d")));
  assert.equal(readFileSync(join(project.folder, "empty.txt"), "utf8"), "");
  assert.match((await project.stet(["review"])).out, /^Nothing is waiting for review\.\n$/);
});
