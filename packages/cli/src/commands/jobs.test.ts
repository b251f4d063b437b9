// `stet jobs` beside the server that runs them.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { BackgroundJob } from "@stet/protocol/api/background";
import { startScriptedModel } from "@stet/testkit/scripted-model";
import type { ScriptedReply } from "@stet/testkit/scripted-model-reply";
import { serve } from "@stet/testkit/served";
import { StetProject } from "@stet/testkit/stet-project";

const left: ScriptedReply = {
  toolCalls: [{ name: "bash", arguments: { command: "sleep 60", async: true } }],
};
const sent: ScriptedReply = {
  toolCalls: [
    {
      name: "task",
      arguments: { agent: "task", tasks: [{ id: "Look", description: "look", assignment: "ASSIGNED" }] },
    },
  ],
};
/** A terminal that obeys it gets another clipboard, and the rest of the line backwards. */
const evil = "\u001b]52;c;cHduZWQ=\u0007\u202e";
const hostile: ScriptedReply = {
  toolCalls: [
    {
      name: "bash",
      arguments: { command: "printf '\\033]0;title\\007 \\342\\200\\256 printed\\n'; sleep 60", async: true },
    },
    {
      name: "task",
      arguments: { agent: "task", tasks: [{ id: "Look", description: evil, assignment: "ASSIGNED" }] },
    },
  ],
};

interface Listed {
  readonly session_id: string;
  readonly jobs: readonly BackgroundJob[];
}

/** A server over a folder. A session with `Leave` leaves a command behind, one with `@task` an agent that says nothing. */
async function served(t: TestContext) {
  const model = await startScriptedModel(({ messages }) => {
    const [first] = messages;
    const asked = first?.role === "user" ? first.text : "";
    if (asked.startsWith("ASSIGNED")) return { fault: { stallAfterBytes: 0 } };
    const isBegun = messages.some(({ role }) => role === "toolResult");
    if (isBegun) return { text: "Begun." };
    return asked.includes("hostile") ? hostile : asked.includes("@task") ? sent : left;
  });
  const project = new StetProject(t, { "n.txt": "one\n" });
  const { HOME: home = "", STET_DATA_DIR: dataFolder = "" } = project.environment;
  const server = await serve({
    root: project.folder,
    dataFolder,
    modelUrl: model.url,
    environment: { HOME: home, XDG_CONFIG_HOME: project.environment.XDG_CONFIG_HOME ?? "" },
    as: "call",
  });
  t.after(async () => {
    await server.stop();
    await model.close();
  });
  const turn = async (instruction: string) => {
    const session = await server.client.call("createSession", { body: {} });
    assert.ok("session_id" in session);
    const { session_id } = session;
    const choices = { "permission.mode": "full" } as const;
    const job = await server.client.call("run", {
      body: { session_id, instruction, toolset: "code", ...choices },
    });
    assert.ok("job_id" in job, JSON.stringify(job));
    return session_id;
  };
  const listed = async (): Promise<Listed[]> => {
    const { code, out, note } = await project.stet(["jobs", "--json"]);
    assert.equal(code, 0, note);
    return JSON.parse(out);
  };
  const until = async (isThere: (jobs: readonly BackgroundJob[]) => boolean) => {
    const deadline = Date.now() + 20_000;
    for (;;) {
      const found = await listed();
      if (isThere(found.flatMap(({ jobs }) => jobs))) return found;
      assert.ok(Date.now() < deadline, JSON.stringify(found));
    }
  };
  return { project, turn, until, listed };
}

test("where nobody serves the folder nothing runs, and stopping says so", async (t) => {
  const project = new StetProject(t, {});
  assert.equal((await project.stet(["jobs"])).out, "Nothing runs in the background.\n");
  assert.equal((await project.stet(["jobs", "--json"])).out, "[]\n");
  const stopped = await project.stet(["jobs", "stop", "bash-1"]);
  assert.equal(stopped.code, 4);
  assert.match(stopped.note, /Nothing runs under bash-1\. Nothing was stopped\./);
  assert.equal((await project.stet(["jobs", "stop"])).code, 2);
});

test("commands and agents are listed by session, and end by their ids", async (t) => {
  const { project, turn, until } = await served(t);
  const first = await turn("Leave a command.");
  await until((jobs) => jobs.length === 1);
  const second = await turn("Leave one, too.");
  const third = await turn("Send an agent (@task).");
  const all = await until((jobs) => jobs.length === 3);
  assert.deepEqual(
    new Map(all.map(({ session_id, jobs }) => [session_id, jobs.map(({ job_id, type }) => [job_id, type])])),
    new Map([
      [first, [["bash-1", "bash"]]],
      [second, [["bash-1", "bash"]]],
      [third, [["0-Look", "task"]]],
    ]),
  );
  const { out } = await project.stet(["jobs"]);
  assert.match(out, new RegExp(`^${first.slice(0, 8)} .*\\n {4}bash-1 {2}command, .* s: sleep 60$`, "m"));
  assert.match(out, /^ {4}0-Look {2}agent, .* s: task: look/m);

  const unclear = await project.stet(["jobs", "stop", "bash-1"]);
  assert.equal(unclear.code, 4);
  assert.match(unclear.note, /bash-1 runs in several sessions: .*\. Nothing was stopped\./);
  const unknown = await project.stet(["jobs", "stop", "0-Look", "bash-7"]);
  assert.match(unknown.note, /Nothing runs under bash-7\. Nothing was stopped\./);
  const one = await project.stet(["jobs", "stop", "bash-1", "--session", first.slice(0, 8)]);
  assert.deepEqual([one.code, one.out], [0, "Stopped bash-1.\n"], one.note);
  await until((jobs) => jobs.length === 2);
  assert.equal((await project.stet(["jobs", "stop", "0-Look"])).out, "Stopped 0-Look.\n");
  assert.match((await project.stet(["jobs", "stop", "--all"])).out, /^Stopped .*bash-1.*\.\n$/);
  await until((jobs) => jobs.length === 0);
});

test("what runs steers no terminal, whatever it is called and prints", async (t) => {
  const { project, turn, until } = await served(t);
  await turn(`hostile @task ${evil}`);
  await until((jobs) => jobs.length === 2 && jobs.some(({ output }) => output.includes("printed")));
  const { out } = await project.stet(["jobs"], { isTerminal: true });
  assert.match(out, /⟨U\+202E⟩\n {4}bash-1 .*⟨U\+202E⟩ printed\n {4}0-Look .*task: ␛/);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come out
  assert.doesNotMatch(out, /\u001b|\u0007|\u202e/);
});
