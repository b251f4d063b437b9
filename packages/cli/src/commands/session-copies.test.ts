import assert from "node:assert/strict";
import { test } from "node:test";
import { StetProject } from "@stet/testkit/stet-project";

test("a session that was exported as .jsonl is imported with everything that was said", async (t) => {
  const project = new StetProject(t);
  await project.stet(["-p", "How many words are in novel.md?"]);
  const id = (await project.stet(["sessions"])).out.slice(0, 8);
  assert.match((await project.stet(["sessions", "export", id, "talk.jsonl"])).out, /Written/);
  await project.stet(["sessions", "remove", id]);
  const { out, code } = await project.stet(["sessions", "import", "talk.jsonl"]);
  assert.equal(code, 0, out);
  const copy = (await project.stet(["sessions"])).out.slice(0, 8);
  assert.match((await project.stet(["sessions", "export", copy])).out, /How many words are in novel\.md\?/);
  assert.equal((await project.stet(["--resume", copy, "-p", "List the files"])).code, 0);
});

test("a session is forked as a whole, into another folder, too, and branched at an entry", async (t) => {
  const project = new StetProject(t, { "a.md": "one two\n", "other/b.md": "b\n" });
  await project.stet(["-p", "How many words are in a.md?"]);
  await project.stet(["--continue", "-p", "List the files"]);
  const id = (await project.stet(["sessions"])).out.slice(0, 8);
  const elsewhere = await project.stet(["-C", "other", "--resume", id, "-p", "List the files"]);
  assert.deepEqual([elsewhere.code, /stet sessions fork/.test(elsewhere.note)], [4, true]);
  const forked = await project.stet(["-C", "other", "sessions", "fork", id]);
  assert.equal(forked.code, 0, forked.note);
  assert.match((await project.stet(["-C", "other", "sessions"])).out, /How many words/);
  const shown = (await project.stet(["sessions", "show", id])).out.split("\n");
  const answer = shown.find((line) => /assistant: .*words/.test(line)) ?? "";
  const branch = await project.stet(["sessions", "branch", id, answer.trim().split(" ")[0] ?? ""]);
  assert.equal(branch.code, 0, branch.note);
  const [, copy = ""] = /The branch is (\w+)/.exec(branch.out) ?? [];
  const told = (await project.stet(["sessions", "export", copy])).out;
  assert.match(told, /How many words/);
  assert.doesNotMatch(told, /List the files/);
});
