import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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

test("a key is in no list of prompts, and in no export of a session that still holds one", async (t) => {
  const key = `ghp_${"aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1bC2dE3f"}`;
  const project = new StetProject(t);
  await project.stet(["-p", `How many words are in novel.md? ${key}`]);
  const prompts = (await project.stet(["sessions", "prompts"])).out;
  assert.match(prompts, /How many words are in novel\.md\? \[redacted:github-token\]/);
  const id = (await project.stet(["sessions"])).out.slice(0, 8);
  await project.stet(["sessions", "export", id, "talk.jsonl"]);
  // As a version before redaction wrote it.
  const lines = readFileSync(join(project.folder, "talk.jsonl"), "utf8");
  assert.match(lines, /redacted:github-token/);
  writeFileSync(join(project.folder, "old.jsonl"), lines.replaceAll("[redacted:github-token]", key));
  await project.stet(["sessions", "remove", id]);
  await project.stet(["sessions", "import", "old.jsonl"]);
  const old = (await project.stet(["sessions"])).out.slice(0, 8);
  for (const name of ["again.jsonl", "again.html", "again.md"]) {
    await project.stet(["sessions", "export", old, name]);
    const text = readFileSync(join(project.folder, name), "utf8");
    assert.match(text, /How many words/, name);
    assert.doesNotMatch(text, new RegExp(key), name);
  }
});

test("a session is forked as a whole, into another folder, too, and branched at an entry", async (t) => {
  const project = new StetProject(t, { "a.md": "one two\n", "other/b.md": "b\n" });
  await project.stet(["-p", "Find two in a.md"]);
  await project.stet(["--continue", "-p", "List the files"]);
  const id = (await project.stet(["sessions"])).out.slice(0, 8);
  const elsewhere = await project.stet(["-C", "other", "--resume", id, "-p", "List the files"]);
  assert.deepEqual([elsewhere.code, /stet sessions fork/.test(elsewhere.note)], [4, true]);
  const forked = await project.stet(["-C", "other", "sessions", "fork", id]);
  assert.equal(forked.code, 0, forked.note);
  assert.match((await project.stet(["-C", "other", "sessions"])).out, /Find two/);
  const shown = (await project.stet(["sessions", "show", id])).out.split("\n");
  const answer = shown.find((line) => /assistant: /.test(line)) ?? "";
  const branch = await project.stet(["sessions", "branch", id, answer.trim().split(" ")[0] ?? ""]);
  assert.equal(branch.code, 0, branch.note);
  const [, copy = ""] = /The branch is (\w+)/.exec(branch.out) ?? [];
  const told = (await project.stet(["sessions", "export", copy])).out;
  assert.match(told, /Find two/);
  assert.doesNotMatch(told, /List the files/);
});
