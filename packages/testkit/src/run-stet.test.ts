import assert from "node:assert/strict";
import { test } from "node:test";
import { StetProject } from "./stet-project.ts";

test("a call and a process end alike", async (t) => {
  for (const args of [["--version"], ["review"], ["review", "dance"], ["-C", "missing", "review"]]) {
    const project = new StetProject(t, { "a.md": "one\n" });
    const called = await project.stet(args);
    assert.deepEqual(await project.stet(args, { as: "process" }), called, args.join(" "));
  }
});

test("a call leaves the process as it was", async (t) => {
  const project = new StetProject(t, { "a.md": "one\n" });
  const state = () => [
    process.cwd(),
    JSON.stringify(process.env),
    process.exitCode,
    process.eventNames().map((name) => `${String(name)} ${process.listenerCount(name)}`),
    process.stdin.eventNames().map((name) => `${String(name)} ${process.stdin.listenerCount(name)}`),
  ];
  await project.stet(["-p", "List the files"]);
  const before = state();
  assert.equal((await project.stet(["-p", "List the files"])).code, 0);
  assert.equal((await project.stet(["review", "dance"])).code, 2);
  assert.deepEqual(state(), before);
});

test("a person at a terminal is shown what a process writes, and types into it", async (t) => {
  const project = new StetProject(t, { "novel.md": "Tobias went out.\n" });
  await project.stet(["-p", "Rename Tobias to Elias in novel.md"]);
  const stepped = await project.stet(["review", "step"], {
    as: "process",
    isTerminal: true,
    person: async ({ sees, types }) => {
      await sees(/a accept/);
      types("a");
    },
  });
  assert.equal(stepped.code, 0, stepped.screen);
  assert.match(project.read("novel.md"), /Elias/);
});

test("a person who waits for what never comes fails the test with the screen", async (t) => {
  const project = new StetProject(t, {});
  const waiting = project.stet(["review"], { person: ({ sees }) => sees(/a rainbow/) });
  await assert.rejects(waiting, /rainbow.*never shown:\nNothing is waiting/s);
});
