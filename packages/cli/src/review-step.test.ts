import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { StetProject } from "@stet/testkit/stet-project";

const lines = Array.from({ length: 40 }, (_, index) => `Line ${index + 1}.`);
const text = lines.map((line, index) => ([5, 15, 25].includes(index) ? `${line} Tobias.` : line)).join("\n");

async function renamed(
  t: TestContext,
  files: Record<string, string> = { "a.md": `${text}\n` },
): Promise<StetProject> {
  const project = new StetProject(t, files);
  await project.stet(["-p", "Rename Tobias to Elias in all files"]);
  return project;
}

const count = (text: string, word: string) => text.split(word).length - 1;

test("every key of a chunk counts", async (t) => {
  for (const as of ["call", "process"] as const) {
    const project = await renamed(t);
    const { code, out } = await project.stet(["review", "step"], { input: "ara", as });
    assert.equal(code, 0);
    assert.equal(count(project.read("a.md"), "Elias"), 2, out);
    assert.match((await project.stet(["review"])).out, /Nothing is waiting/);
  }
});

test("a hunk is shown with its place among them, its lines' numbers and the lines around", async (t) => {
  const project = await renamed(t);
  const { screen } = await project.stet(["review", "step"], { input: "as" });
  assert.match(
    screen,
    /\n {2} *5 Line 5\.\n- +6 Line 6\. Tobias\.\n\+ +6 Line 6\. Elias\.\n {2} *7 Line 7\.\n/,
  );
  assert.match(screen, /1 of 3 .*2 of 3 .*3 of 3 /s);
  assert.match(screen, /2 hunks wait for a decision/);
});

test("an unknown key says so, ? tells the keys, b goes back, s leaves a hunk open", async (t) => {
  const project = await renamed(t);
  const { screen } = await project.stet(["review", "step"], { input: "x?sbrq" });
  assert.match(screen, /"x" does nothing here/);
  assert.match(screen, /F {2}reject the whole file/);
  assert.match(screen, /1 of 3 .*2 of 3 .*1 of 3 .*2 of 3 /s);
  assert.match((await project.stet(["review"])).out, /2 hunks/);
});

test("a file is decided as a whole, all of it is rejected after a question, and both can be undone", async (t) => {
  const project = await renamed(t, { "a.md": `${text}\n`, "b.md": `${text}\n` });
  await project.stet(["review", "step"], { input: "fq" });
  assert.equal(count(project.read("a.md"), "Elias"), 3);
  await project.stet(["review", "step"], { input: "Rn" });
  assert.match((await project.stet(["review"])).out, /b\.md {2}3 hunks/);
  const undone = await project.stet(["review", "step"], { input: "Ryuq" });
  assert.match(undone.screen, /Reject all 3\?/);
  assert.match((await project.stet(["review"])).out, /Nothing is waiting/);
});

test("where nothing is open, that is said", async (t) => {
  const project = new StetProject(t, {});
  assert.match((await project.stet(["review", "step"])).out, /Nothing is waiting for review/);
});

test("a rollback asks, says that nothing was done, and needs --yes where nobody can be asked", async (t) => {
  const project = await renamed(t);
  await project.stet(["review", "accept", "--all"]);
  const [checkpoint = ""] = /ckpt_\w+/.exec((await project.stet(["checkpoints"])).out) ?? [];
  const alone = await project.stet(["rollback", checkpoint]);
  assert.deepEqual([alone.code, /--yes/.test(alone.note)], [2, true]);
  const refused = await project.stet(["rollback", checkpoint], {
    isTerminal: true,
    person: async ({ sees, types }) => {
      await sees(/\(y\/n\)/);
      types("n");
    },
  });
  assert.match(refused.screen, /\(y\/n\) \nNothing was changed\.\n/);
  assert.equal(count(project.read("a.md"), "Elias"), 3);
  assert.equal((await project.stet(["rollback", checkpoint, "--yes"])).code, 0);
  assert.equal(count(project.read("a.md"), "Elias"), 0);
});
