// The terminal as a person uses it, from the first question to the next day: real `stet` in tmux, a scripted model, and the
// screen as it is read.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type ModelScript, startScriptedModel } from "@stet/testkit/scripted-model";
import type { ScriptedReply } from "@stet/testkit/scripted-model-reply";
import { serve } from "@stet/testkit/served";
import { StetProject } from "@stet/testkit/stet-project";
import { hasTmux, TmuxPane } from "@stet/testkit/tmux";
import { isAlive } from "@stet/workspace/commands/shell/processes";

const skip = hasTmux ? false : "tmux is not installed";
const before = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n";

async function folder(t: TestContext, script: ModelScript) {
  const model = await startScriptedModel(script);
  t.after(() => model.close());
  const project = new StetProject(t, { "n.txt": before });
  const env = {
    ...project.environment,
    OPENAI_COMPATIBLE_BASE_URL: `${model.url}/v1`,
    STET_MODEL: "openai-compatible/scripted",
    SHELL: "/bin/sh",
    LANG: "C.UTF-8",
  };
  const open = (...args: string[]) => TmuxPane.start(t, args, { cwd: project.folder, env });
  return { model, project, env, open };
}

function call(name: string, args: Record<string, unknown>): ScriptedReply {
  return { toolCalls: [{ name, arguments: args }] };
}

async function until(holds: () => boolean): Promise<void> {
  const patience = performance.now() + 90_000;
  while (!holds()) {
    assert.ok(performance.now() < patience, String(holds));
    await new Promise((done) => setTimeout(done, 50));
  }
}

test("open, ask, answer a permission, steer, resume", { skip }, async (t) => {
  const { promise: isHeld, resolve: letGo } = Promise.withResolvers<void>();
  const { open, project, model } = await folder(t, async (_request, index) => {
    if (index === 0) return call("bash", { command: "echo from the agent > made.txt" });
    if (index === 1) {
      await isHeld;
      return { text: "It is **made**." };
    }
    return { text: `Answer ${index}.` };
  });
  const stet = await open("--toolset", "code");
  await stet.sees(/Ask for a change/);
  await stet.says("Make a file.");
  await stet.sees(/Permission/);
  const asked = await stet.sees(/echo from the agent > made\.txt/);
  assert.match(asked, /Allow once/);
  await new Promise((done) => setTimeout(done, 400));
  await stet.types("y");
  // A message that comes before the request is part of it, and never waits.
  await until(() => model.requests.length === 2);
  await stet.sees(/Waiting for the model/);
  await stet.says("Be brief.");
  await stet.sees(/next: Be brief\./);
  letGo();
  await stet.sees(/Answer 2\./);
  assert.equal(project.read("made.txt"), "from the agent\n");
  assert.match(JSON.stringify(model.requests[2]?.body), /Be brief\./);
  await stet.says("/quit");
  const left = await stet.sees(/To go on with this session: stet --resume (\w+)[\s\S]*left with 0/);
  const [, id = ""] = /stet --resume (\S+)/.exec(left) ?? [];
  const again = await open("--resume", id);
  const shown = await again.sees(/Answer 2\./);
  assert.match(shown, /Make a file\./);
  await again.says("And now?");
  await again.sees(/Answer 3\./);
});

test("changes are reviewed hunk by hunk, with the ledger that every front end has", { skip }, async (t) => {
  const after = before.replace("two", "2").replace("seven", "7");
  const { open, project } = await folder(t, [
    call("read", { path: "n.txt" }),
    call("write", { path: "n.txt", content: after }),
    { text: "It is written." },
  ]);
  const stet = await open("--toolset", "code", "--permission", "auto-edit", "Use digits there.");
  await stet.sees(/It is written\./);
  await stet.sees(/2 (hunks|changes)/);
  await stet.says("/review");
  await stet.sees(/Review 1 of 2[\s\S]*-\s*two[\s\S]*\+\s*2/);
  await stet.types("a");
  await stet.sees(/Review 1 of 1[\s\S]*-\s*seven[\s\S]*\+\s*7/);
  await stet.types("r");
  await stet.sees(/Rejected 1 hunk|Ask for a change/);
  await stet.press("Escape");
  await stet.sees(/Ask for a change/);
  await until(() => project.read("n.txt") === before.replace("two", "2"));
  await stet.says("/undo");
  await stet.sees(/Undo this turn\?/);
  await stet.types("y");
  await until(() => project.read("n.txt") === before);
  await stet.sees(/Ask for a change/);
  await stet.press("Escape");
  await stet.press("Escape");
  await stet.sees(/Session tree/);
  await stet.press("Down");
  await stet.press("Enter");
  const gone = await stet.sees(/❯ Use digits there\.\n─+/);
  assert.doesNotMatch(gone, /It is written\./, "the conversation is shown from there");
});

test("a session is found again in the picker, and forked beside a terminal that shows it", {
  skip,
}, async (t) => {
  const { open } = await folder(t, (_request, index) => ({ text: `Answer ${index}.` }));
  const first = await open("The first of them.");
  await first.sees(/Answer 0\./);
  const second = await open("--resume");
  await second.sees(/Sessions of this folder/);
  await second.press("Enter");
  await second.sees(/Answer 0\./);
  await second.says("Both see this.");
  await first.sees(/Answer 1\./);
  const third = await open("--continue");
  await third.sees(/Attach[\s\S]*Fork/);
  await third.press("Down");
  await third.press("Enter");
  await third.sees(/Ask for a change/);
  await third.says("Only here.");
  await third.sees(/Answer 2\./);
  assert.doesNotMatch(await first.screen(), /Only here\./);
});

test("a turn is undone and brought back, and going back in the tree takes the files back, too", {
  skip,
}, async (t) => {
  const after = before.replace("two", "2");
  const { open, project } = await folder(t, [
    call("read", { path: "n.txt" }),
    call("write", { path: "n.txt", content: after }),
    { text: "It is written." },
  ]);
  const stet = await open("--toolset", "code", "--permission", "auto-edit", "Use digits there.");
  await stet.sees(/It is written\.[\s\S]*Ask for a change/);
  await stet.says("/undo");
  await stet.sees(/-\s*2\n[\s\S]*\+\s*two\n[\s\S]*Undo this turn\?/);
  await stet.types("y");
  await until(() => project.read("n.txt") === before);
  await stet.sees(/Undone[\s\S]*Ask for a change/);
  await stet.says("/redo");
  await stet.sees(/Bring back what was undone\?/);
  await stet.types("y");
  await until(() => project.read("n.txt") === after);
  await stet.sees(/Brought back[\s\S]*Ask for a change/);
  await stet.says("/tree");
  await stet.sees(/Session tree default (\d+) of \1/);
  await stet.press("Down");
  await stet.sees(/❯ • user: Use digits there\./);
  await stet.press("Enter");
  await stet.sees(/Take the files back, too\?/);
  await stet.types("y");
  await until(() => project.read("n.txt") === before);
  await stet.sees(/❯ Use digits there\./);
  await stet.press("C-c");
  await stet.sees(/Ask for a change/);
  await stet.says("/quit");
  await stet.sees(/left with 0/);
  const again = await open("--resume");
  await again.sees(/Sessions of this folder 1[\s\S]*Use digits there\./);
  await again.press("Enter");
  await again.sees(/Ask for a change/);
  await again.says("/tree");
  await again.sees(/assistant: It is written\./);
});

test("attached to a server, a question is answered there; killed, the terminal goes on by itself", {
  skip,
}, async (t) => {
  const { open, project, env, model } = await folder(t, (_request, index) =>
    index === 0 ? call("bash", { command: "echo from the agent > made.txt" }) : { text: `Answer ${index}.` },
  );
  const { HOME = "", STET_DATA_DIR: dataFolder = "" } = project.environment;
  const server = await serve({
    root: project.folder,
    dataFolder,
    modelUrl: model.url,
    environment: { HOME },
  });
  t.after(() => server.kill());
  const stet = await open("--toolset", "code");
  await stet.sees(/attached/);
  await stet.says("Make a file.");
  await stet.sees(/Permission/);
  const { client } = server;
  const jobs = await client.call("listJobs", { query: { status: "waiting_for_user" } });
  assert.ok("jobs" in jobs);
  const [job] = jobs.jobs;
  const params = { job_id: job?.job_id ?? "" };
  const body = { question_id: job?.question?.question_id ?? "", answer: "allow_once" };
  assert.ok("status" in (await client.call("clarify", { params, body })));
  await stet.sees(/Answer 1\./);
  assert.equal(project.read("made.txt"), "from the agent\n");
  await server.kill();
  await stet.types("Still there?");
  await stet.sees(/goes on by itself/);
  await stet.sees(/Still there\?/);
  await stet.press("Enter");
  await stet.sees(/Answer 2\./);
  assert.doesNotMatch(await stet.screen(), /attached/);
  assert.equal(env.STET_MODEL, "openai-compatible/scripted");
});

test("a terminal that is closed ends the process, and the session is kept", { skip }, async (t) => {
  const { open } = await folder(t, (_request, index) => ({ text: `Answer ${index}.` }));
  const stet = await open("Remember this.");
  await stet.sees(/Answer 0\./);
  const pid = await stet.processId();
  await stet.close();
  await until(() => !isAlive(pid));
  const again = await open("--continue");
  const screen = await again.sees(/Answer 0\./);
  assert.match(screen, /Remember this\./);
});

test("the linear mode writes every line once, and a question is answered by its number", {
  skip,
}, async (t) => {
  const { open, project } = await folder(t, [
    call("bash", { command: "echo from the agent > made.txt" }),
    { text: "It is made." },
  ]);
  const stet = await open("--linear", "--toolset", "code");
  await stet.sees(/Type a request and press Enter/);
  await stet.says("Make a file.");
  await stet.sees(/Permission: [\s\S]*1: Allow once/);
  await stet.says("9");
  await stet.sees(/Type a number from 1 to/);
  await stet.says("1");
  await stet.sees(/Agent: It is made\./);
  assert.equal(project.read("made.txt"), "from the agent\n");
  await stet.press("C-d");
  const screen = await stet.sees(/left with 0/);
  assert.equal(screen.match(/Agent: It is made\./g)?.length, 1);
  assert.equal(screen.match(/You: Make a file\./g)?.length, 1);
});

test("a command of the person's own is told to the agent behind one mark, and kept from it behind two", {
  skip,
}, async (t) => {
  const { open, model } = await folder(t, (_request, index) => ({ text: `Answer ${index}.` }));
  const stet = await open("Begin here.");
  await stet.sees(/Answer 0\./);
  await stet.says("!echo to be $((1 + 1)) told");
  await stet.sees(/to be 2 told/);
  await stet.says("!!echo a secret of $((2 + 2))");
  await stet.sees(/a secret of 4/);
  await stet.says("!sleep 300");
  await stet.sees(/\$ sleep 300/);
  await stet.press("Escape");
  await stet.sees(/stopped/);
  await stet.says("What did I run?");
  await stet.sees(/Answer 1\./);
  const heard = JSON.stringify(model.requests[1]?.body);
  assert.match(heard, /to be 2 told/);
  assert.doesNotMatch(heard, /secret of 4/);
});
