// Work that goes on beside the conversation, on a real screen: agents with a line each, one read, steered and stopped, a command
// that is put into the background, and leaving while something runs.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type SeenRequest, startScriptedModel } from "@stet/testkit/scripted-model";
import type { ScriptedReply } from "@stet/testkit/scripted-model-reply";
import { serve } from "@stet/testkit/served";
import { StetProject } from "@stet/testkit/stet-project";
import { hasTmux, TmuxPane } from "@stet/testkit/tmux";

const skip = hasTmux ? false : "tmux is not installed";

type Script = (request: SeenRequest, said: string) => ScriptedReply | Promise<ScriptedReply>;

/** The script gets what the request says in all, to know whose it is. */
async function folder(t: TestContext, script: Script) {
  const model = await startScriptedModel((request) => script(request, JSON.stringify(request.body)));
  t.after(() => model.close());
  const project = new StetProject(t, { "n.txt": "one\ntwo\n", "tasks.md": "none\n" });
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

function sent(...ids: string[]): ScriptedReply {
  const tasks = ids.map((id) => ({ id, description: `about ${id}`, assignment: `Assignment of ${id}.` }));
  return call("task", { agent: "task", tasks });
}

/** Enter takes the first answer once keys count, and does nothing to the empty prompt after it. */
async function allows(stet: TmuxPane, question: RegExp): Promise<void> {
  while (question.test(await stet.screen())) await stet.press("Enter");
}

test("agents are watched, read, steered, answered and stopped, and what they found is told with its reason", {
  skip,
}, async (t) => {
  const look = Promise.withResolvers<void>();
  const wait = Promise.withResolvers<void>();
  t.after(() => wait.resolve());
  let looked = 0;
  const { open, model, project } = await folder(t, async (_request, said) => {
    if (said.includes("three of them.")) {
      if (said.includes("And now?")) return { text: "All is told." };
      const isSent = said.includes("3 agents work in the background");
      return isSent ? { text: "They work." } : sent("Look", "Wait", "Edit");
    }
    if (said.includes("Assignment of Look.")) {
      looked += 1;
      if (looked === 1) return call("read", { path: "n.txt" });
      if (looked === 2) {
        await look.promise;
        return call("read", { path: "tasks.md" });
      }
      return call("yield", { result: "It has two lines." });
    }
    if (said.includes("Assignment of Edit.")) {
      if (said.includes("made.txt")) return call("yield", { result: "It is made." });
      return call("write", { path: "made.txt", content: "by an agent\n" });
    }
    await wait.promise;
    return { text: "Never heard." };
  });
  const stet = await open("--toolset", "code", "--permission", "ask");
  await stet.sees(/scripted · ask/);
  await stet.types("Send @tas");
  await stet.sees(/task \(agent\)[\s\S]*tasks\.md/);
  await stet.press("Tab");
  await stet.says("three of them.");
  await stet.sees(/0-Look {2}Read n\.txt[\s\S]*1-Wait {2}begins[\s\S]*3 in background/);
  await stet.sees(/Permission of 2-Edit ─+\nwrite wants to change made\.txt\.[\s\S]*content: by an agent/);
  await allows(stet, /Permission of 2-Edit/);
  await stet.sees(/Agent 2-Edit: task: about Edit[\s\S]*2 in background · 1 not told/);
  await stet.says("/agents");
  await stet.sees(
    /Agents {2}2 at work[\s\S]*0-Look[\s\S]*1-Wait[\s\S]*2-Edit[\s\S]*It is made\. · 1 file changed/,
  );
  await stet.press("Enter");
  await stet.sees(/Assignment of Look\.[\s\S]*Read n\.txt/);
  await stet.types("t");
  await stet.sees(/To 0-Look:/);
  await stet.says("Be brief.");
  await stet.sees(/next: Be brief\.[\s\S]*0-Look hears this/);
  look.resolve();
  await stet.sees(/done {2}It has two lines\./);
  assert.match(JSON.stringify(model.requests.map(({ body }) => body)), /Be brief\./);
  await stet.press("Escape");
  await stet.sees(/Agents {2}1 at work/);
  await stet.press("Down");
  await stet.sees(/❯ \S+ 1-Wait/);
  await stet.types("x");
  await stet.sees(/Stop 1-Wait\?/);
  await stet.types("y");
  await stet.sees(/1-Wait[^\n]*stopped/);
  await stet.press("Escape");
  await stet.sees(/Agent 0-Look: [^\n]*about Look[\s\S]*told with your next message[\s\S]*3 not told/);
  await stet.says("/jobs");
  await stet.sees(/autonomy ask: 3 messages wait/);
  await stet.types("d");
  await stet.sees(/autonomy ask: 2 messages wait/);
  await stet.press("Escape");
  await stet.sees(/Ask for a change/);
  await stet.says("And now?");
  const told = await stet.sees(
    /→ Agent 0-Look: task: about Look[\s\S]*→ Agent 1-Wait \(cancelled\)[\s\S]*All is told\./,
  );
  assert.doesNotMatch(told, /→ Agent 2-Edit/, "it was dropped");
  assert.equal(project.read("made.txt"), "by an agent\n");
  await stet.says("/tree");
  await stet.sees(/Session tree[\s\S]*delivery: [\s\S]*0-Look/);
  await stet.press("Escape");
  await stet.sees(/Ask for a change/);
  await stet.says("/quit");
  await stet.sees(/left with 0/);
});

test("a command is put into the background, seen in /jobs, and leaving asks about it", {
  skip,
}, async (t) => {
  const { open } = await folder(t, (request) =>
    request.index === 0 ? call("bash", { command: "echo begun; sleep 300" }) : { text: "It goes on." },
  );
  const stet = await open("--toolset", "code", "--permission", "full");
  await stet.sees(/scripted · full/);
  await stet.says("Run it.");
  await stet.sees(/ctrl\+b to let it go on beside/);
  // With something written it is the key of the prompt.
  await stet.types("abc");
  await stet.press("C-b");
  await stet.types("X");
  await stet.sees(/❯ abXc/);
  await stet.press("C-c");
  await stet.sees(/Ask for a change/);
  await stet.press("C-b");
  await stet.sees(/In the background now: echo begun; sleep 300[\s\S]*It goes on\./);
  await stet.sees(/1 in background/);
  await stet.says("/jobs");
  await stet.sees(
    /Background {2}1 command[\s\S]*❯ \S+ bash-1 {2}echo begun; sleep 300[^\n]*runs[\s\S]*begun/,
  );
  await stet.press("Enter");
  await stet.sees(/bash-1 {2}echo begun; sleep 300[\s\S]*\nbegun/);
  await stet.press("Escape");
  await stet.sees(/Background {2}1 command/);
  await stet.press("Escape");
  await stet.sees(/Ask for a change/);
  await stet.says("/new");
  await stet.sees(/1 command goes on in the session before: \/resume/);
  await stet.says("/resume");
  await stet.sees(/Sessions of this folder 1[\s\S]*❯ Run it\./);
  await stet.press("Enter");
  await stet.sees(/It goes on\.[\s\S]*1 in background/);
  await stet.press("C-d");
  await stet.sees(/1 command would end with this terminal[\s\S]*❯ Stay[\s\S]*End it and leave/);
  await stet.press("Escape");
  await stet.sees(/Ask for a change/);
  await stet.says("/quit");
  await stet.sees(/❯ Stay/);
  await stet.press("Down");
  await stet.press("Enter");
  await stet.sees(/left with 0/);
});

test("the linear mode tells of agents and of what waits, and does by words what panels do", {
  skip,
}, async (t) => {
  const look = Promise.withResolvers<void>();
  t.after(() => look.resolve());
  let looked = 0;
  const { open, model } = await folder(t, async (_request, said) => {
    if (said.includes("Send two of them to @task")) {
      if (said.includes("It goes on after your turn; you are told")) return { text: "They work." };
      const isSent = said.includes("2 agents work in the background");
      return isSent ? call("bash", { command: "echo begun; sleep 300", async: true }) : sent("Look", "Ask");
    }
    if (said.includes("Assignment of Look.")) {
      looked += 1;
      if (looked === 1) return call("read", { path: "n.txt" });
      if (looked === 2) await look.promise;
      return call("yield", { result: "It has two lines." });
    }
    if (said.includes("Which one?")) return call("yield", { result: "It was answered." });
    const options = [{ label: "This" }, { label: "That" }];
    return call("ask", { questions: [{ id: "q", question: "Which one?", options }] });
  });
  const stet = await open("--linear", "--toolset", "code", "--permission", "full");
  await stet.sees(/Type a request and press Enter/);
  await stet.says("Send two of them to @task");
  await stet.sees(/Question of 1-Ask: Which one\?\n1: This\n2: That[\s\S]*Agent: They work\.\nReady\./);
  await stet.says("2");
  await stet.sees(/Note: Agent 1-Ask: task: about Ask\. The agent hears it with your next message/);
  await stet.says("/agents tell 0-look Be brief.");
  await stet.sees(/Note: 0-Look hears this/);
  look.resolve();
  await stet.sees(/Note: Agent 0-Look: task: about Look\./);
  assert.match(JSON.stringify(model.requests.map(({ body }) => body)), /Be brief\./);
  await stet.says("/agents read 0-Look");
  await stet.sees(/The conversation of 0-Look\nYou: Assignment of Look\.[\s\S]*You: Be brief\./);
  await stet.says("/jobs");
  await stet.sees(
    /delivery-1, not told[\s\S]*bash-\d, runs[^\n]*echo begun[\s\S]*autonomy ask: 2 messages wait/,
  );
  await stet.says("/jobs dismiss delivery-1");
  await stet.sees(/Note: Dropped 1 message/);
  await stet.says("/jobs tell");
  await stet.sees(
    /Note: The agent is told, in a turn of its own\.[\s\S]*Note: Agent 0-Look: [\s\S]*Agent: They work\.\nReady\./,
  );
  await stet.says("/agents");
  await stet.sees(/- critic {2}built in[\s\S]*changes nothing\.\n/);
  assert.match(
    await stet.history(),
    /0-Look \(task\), done[^\n]*\n[\s\S]*0 at work\. 2 agents[\s\S]*Agents that can be sent:/,
  );
  await stet.says("/quit");
  await stet.sees(/1 command would end with this\s+terminal[\s\S]*1: Stay\n2: End it and leave/);
  await stet.says("1");
  await stet.says("/jobs stop");
  await stet.sees(/Note: Stopped bash-\d\./);
  await stet.says("/quit");
  await stet.sees(/left with 0/);
});

test("attached to a server, leaving leaves the work running and says so", { skip }, async (t) => {
  const { open, project, model } = await folder(t, (request) => {
    return request.index === 0
      ? call("bash", { command: "sleep 300", async: true })
      : { text: "It goes on." };
  });
  const { HOME = "", STET_DATA_DIR: dataFolder = "" } = project.environment;
  const server = await serve({
    root: project.folder,
    dataFolder,
    modelUrl: model.url,
    environment: { HOME },
  });
  t.after(() => server.kill());
  const stet = await open("--toolset", "code", "--permission", "full");
  await stet.sees(/attached/);
  await stet.says("Run it.");
  await stet.sees(/It goes on\.[\s\S]*1 in background/);
  await stet.says("/quit");
  await stet.sees(/1 command goes on in the process that has this folder open[\s\S]*left with 0/);
  const { client } = server;
  const rest = await client.call("listAllBackground", {});
  assert.ok("sessions" in rest);
  assert.equal(rest.sessions[0]?.jobs[0]?.status, "running");
});
