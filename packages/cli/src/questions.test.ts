// What a person is asked while a turn runs, and what their keys do.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { RunOptions, TypedInput } from "@stet/testkit/run-stet";
import { startScriptedModel } from "@stet/testkit/scripted-model";
import type { ScriptedReply } from "@stet/testkit/scripted-model-reply";
import { StetProject } from "@stet/testkit/stet-project";

const poem = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";
const write = { name: "write", arguments: { path: "poem.md", content: poem.replace("four", "FOUR") } };
const run = (command: string) => ({ name: "bash", arguments: { command } });

async function turn(
  t: TestContext,
  replies: ScriptedReply[],
  person: (person: TypedInput) => unknown,
  options: Partial<RunOptions> = {},
  words: readonly string[] = [],
) {
  const server = await startScriptedModel(replies);
  t.after(() => server.close());
  const project = new StetProject(t, { "poem.md": poem });
  const env = { OPENAI_COMPATIBLE_BASE_URL: `${server.url}/v1` };
  const args = ["--model", "openai-compatible/m", "--toolset", "code", ...words, "-p", "go"];
  const stet = () => project.stet(args, { isTerminal: true, env, person, ...options });
  const ended = await stet();
  const told = () => JSON.stringify(server.requests.at(-1)?.messages);
  return { ...ended, project, requests: server.requests, told, env, stet };
}

const read = { toolCalls: [{ name: "read", arguments: { path: "poem.md" } }] };

test("Ctrl-C at a question stops the turn, and the model is not asked again", async (t) => {
  for (const as of ["call", "process"] as const) {
    const { code, requests, project, screen } = await turn(
      t,
      [{ toolCalls: [run("touch made.txt")] }, { toolCalls: [run("touch more.txt")] }, { text: "Done." }],
      async ({ sees, types }) => {
        await sees(/Ctrl-C stops the turn\.\s+> /);
        types("\u0003");
      },
      { as },
    );
    assert.equal(code, 130, screen);
    assert.equal(requests.length, 1);
    assert.throws(() => project.read("made.txt"));
  }
});

test("y and yes allow once, n and Enter deny, and words deny with what they say", async (t) => {
  const answers: [string, RegExp | undefined][] = [
    ["y\r", undefined],
    ["YES\r", undefined],
    ["1\r", undefined],
    ["n\r", /did not allow bash to do this\.[^T]*"/],
    ["\r", /did not allow bash to do this\.[^T]*"/],
    ["use npm\r", /They said: use npm/],
  ];
  for (const [typed, refusal] of answers) {
    const { code, project, told, screen } = await turn(
      t,
      [{ toolCalls: [run("echo made > made.txt; rm -f nothing")] }, { text: "Done." }],
      async ({ sees, types }) => {
        await sees(/> $/);
        types(typed);
      },
    );
    assert.equal(code, 0, screen);
    if (refusal === undefined) assert.equal(project.read("made.txt"), "made\n", typed);
    else {
      assert.throws(() => project.read("made.txt"), typed);
      assert.match(told(), refusal);
    }
  }
});

test("an edit is approved seeing its diff, with numbers and the lines around it", async (t) => {
  const { code, project, screen } = await turn(
    t,
    [read, { toolCalls: [write] }, { text: "Done." }],
    async ({ sees, types }) => {
      const end = await sees(/> $/);
      types("y\r");
      assert.ok(end > 0);
    },
  );
  assert.equal(code, 0, screen);
  assert.match(screen, /write wants to change poem\.md\..*3 three\n *- 4 four\n *\+ 4 FOUR\n.* 5 five/s);
  assert.match(project.read("poem.md"), /FOUR/);
});

test("a number that is not offered is asked again", async (t) => {
  const { code, project } = await turn(
    t,
    [{ toolCalls: [run("echo made > made.txt; rm -f nothing")] }, { text: "Done." }],
    async ({ sees, types }) => {
      await sees(/> $/);
      types("9\r");
      await sees(/There is no 9: 1 to \d/);
      types("y\r");
    },
  );
  assert.equal(code, 0);
  assert.equal(project.read("made.txt"), "made\n");
});

test("answers typed ahead reach the questions that they are for", async (t) => {
  const { code, project } = await turn(
    t,
    [
      { toolCalls: [run("echo a > a.txt; rm -f nothing")] },
      { toolCalls: [run("echo b > b.txt; rm -f nothing")] },
      { text: "Done." },
    ],
    async ({ sees, types }) => {
      await sees(/> $/);
      types("y\ry\r");
    },
  );
  assert.equal(code, 0);
  assert.deepEqual([project.read("a.txt"), project.read("b.txt")], ["a\n", "b\n"]);
});

test("what was allowed in this session is allowed when it is gone on with, and in no other", async (t) => {
  const change = (content: string): ScriptedReply[] => [
    read,
    { toolCalls: [{ name: "write", arguments: { path: "poem.md", content } }] },
    { text: "Done." },
  ];
  const server = await startScriptedModel([...change("a\n"), ...change("b\n"), ...change("c\n")]);
  t.after(() => server.close());
  const project = new StetProject(t, { "poem.md": poem });
  const env = { OPENAI_COMPATIBLE_BASE_URL: `${server.url}/v1` };
  const words = ["--model", "openai-compatible/m", "--toolset", "code", "-p", "go"];
  const allow = async ({ sees, types }: TypedInput) => {
    await sees(/2\. Allow in this session.*> $/s);
    types("2\r");
  };
  await project.stet(words, { env, isTerminal: true, person: allow });
  assert.equal(project.read("poem.md"), "a\n");
  const second = await project.stet(["--continue", ...words], { env });
  assert.equal(project.read("poem.md"), "b\n", second.note);
  await project.stet(words, { env });
  assert.equal(project.read("poem.md"), "b\n", "another session was not allowed anything");
});

test("where a pipe is in the way, the terminal itself is asked", async (t) => {
  const server = await startScriptedModel([
    { toolCalls: [run("echo a > a.txt; rm -f nothing")] },
    { text: "Done." },
  ]);
  t.after(() => server.close());
  const project = new StetProject(t, { "poem.md": poem });
  const env = { OPENAI_COMPATIBLE_BASE_URL: `${server.url}/v1`, STET: process.execPath };
  const main = new URL("./main.ts", import.meta.url).pathname;
  const { spawn } = await import("@lydell/node-pty");
  const words = `--disable-warning=ExperimentalWarning ${main} --model openai-compatible/m --toolset code -p go`;
  const child = spawn("sh", ["-c", `cat poem.md | "$STET" ${words} | cat > answer.txt`], {
    cwd: project.folder,
    env: { TERM: "xterm", NO_COLOR: "1", ...project.environment, ...env },
  });
  let screen = "";
  let isAnswered = false;
  child.onData((data) => {
    screen += data;
    if (/> $/.test(screen) && !isAnswered) {
      isAnswered = true;
      child.write("y\r");
    }
  });
  await new Promise((ended) => child.onExit(ended));
  assert.equal(project.read("a.txt"), "a\n", screen);
  assert.match(project.read("answer.txt"), /Done\./);
});
