// `stet -p` with agents: what is printed of them, what lands in the review, and what becomes of what goes on after the turn.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { RunOptions, TypedInput } from "@stet/testkit/run-stet";
import { type SeenRequest, startScriptedModel } from "@stet/testkit/scripted-model";
import type { ScriptedCall, ScriptedReply } from "@stet/testkit/scripted-model-reply";
import { StetProject } from "@stet/testkit/stet-project";

type Script = (request: SeenRequest, results: number) => ScriptedReply;

/** What the session's own agent says, and what each of those that it sends, found by its assignment. */
interface Cast {
  readonly main: readonly ScriptedReply[];
  readonly children?: Readonly<Record<string, Script>>;
}

const send = (ids: readonly string[], agent = "task"): ScriptedCall => ({
  name: "task",
  arguments: {
    agent,
    tasks: ids.map((id) => ({ id, description: `do ${id}`, assignment: `ASSIGNED ${id}` })),
  },
});
const back = (result: string): ScriptedReply => ({ toolCalls: [{ name: "yield", arguments: { result } }] });

async function perform(
  t: TestContext,
  { main, children = {} }: Cast,
  project = new StetProject(t, { "poem.md": poem }),
) {
  let said = 0;
  const model = await startScriptedModel((request) => {
    const [first] = request.messages;
    const id = first?.role === "user" ? /^ASSIGNED (\w+)/.exec(first.text)?.[1] : undefined;
    const script = id === undefined ? undefined : children[id];
    if (script !== undefined) {
      return script(request, request.messages.filter(({ role }) => role === "toolResult").length);
    }
    said += 1;
    return main[said - 1] ?? { text: `Nothing is left to say after ${main.length}.` };
  });
  t.after(() => model.close());
  const env = { OPENAI_COMPATIBLE_BASE_URL: `${model.url}/v1` };
  const stet = (args: readonly string[], options: Partial<RunOptions> = {}) =>
    project.stet(["--model", "openai-compatible/m", ...args], { env, ...options });
  return { stet, project, model };
}

const poem = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n";

/** Reads the poem, changes a line of it, and gives back a word. */
const changing =
  (line: number, text: string): Script =>
  (request, results) => {
    if (results === 0) return { toolCalls: [{ name: "read", arguments: { path: "poem.md:1" } }] };
    if (results > 1) return back(`changed line ${line}`);
    const anchor = new RegExp(`^[* ]?(${line}[a-z]{2})\\|`, "m").exec(
      JSON.parse(JSON.stringify(request.messages.at(-1)))?.text ?? "",
    )?.[1];
    return {
      toolCalls: [{ name: "edit", arguments: { input: `§poem.md\n≔${anchor}..${anchor}\n${text}\n` } }],
    };
  };

test("each agent has a line when it begins and one with its result, and the review says whose change is whose", async (t) => {
  const { stet, project } = await perform(t, {
    main: [{ toolCalls: [send(["Top", "End", "Look"])] }, { text: "All done." }],
    children: { Top: changing(2, "TWO"), End: changing(8, "EIGHT"), Look: () => back("it is a poem") },
  });
  const { code, out, note } = await stet(["-p", "Let @task agents do it."]);
  assert.deepEqual([code, out], [0, "All done.\n"], note);
  for (const id of ["0-Top", "1-End", "2-Look"]) {
    assert.match(note, new RegExp(`^↳ ${id} \\(task\\) begins: do ${id.slice(2)}$`, "m"));
    const path = new RegExp(
      `^✓ ${id} completed after \\d+\\.\\d s, \\d+ tokens, price unknown\\. Read it: (/.*/${id}\\.md)$`,
      "m",
    ).exec(note)?.[1];
    assert.ok(path !== undefined, note);
    const text = readFileSync(path, "utf8");
    assert.equal(
      text.trim(),
      { "0-Top": "changed line 2", "1-End": "changed line 8", "2-Look": "it is a poem" }[id],
    );
  }
  assert.match(note, /poem\.md:2 {2}\(by 0-Top\)[\s\S]*poem\.md:8 {2}\(by 1-End\)/);
  assert.equal(project.read("poem.md"), poem);
  const turn = /^What 1-End did: stet review accept --turn (\S+), /m.exec(note)?.[1] ?? "";
  assert.match((await project.stet(["review"])).out, /^poem\.md {2}2 hunks .* \(by 0-Top, 1-End\)$/m);
  const [file] = JSON.parse((await project.stet(["review", "--json"])).out);
  assert.deepEqual(
    file.hunks.map((hunk: { agents: string[] }) => hunk.agents),
    [["0-Top"], ["1-End"]],
  );
  assert.match(
    (await project.stet(["checkpoints"])).out,
    /1-End: ASSIGNED End[\s\S]*0-Top: ASSIGNED Top|0-Top: ASSIGNED Top[\s\S]*1-End: ASSIGNED End/,
  );
  assert.equal((await project.stet(["review", "reject", "--turn", turn])).code, 0);
  assert.equal((await project.stet(["review", "accept", "--all"])).code, 0);
  assert.equal(project.read("poem.md"), poem.replace("two", "TWO"));
});

test("with --review none what all of them did is saved, the same lines once", async (t) => {
  const { stet, project } = await perform(t, {
    main: [{ toolCalls: [send(["Top", "Other"])] }, { text: "All done." }],
    children: { Top: changing(2, "TWO"), Other: changing(2, "ZWEI") },
  });
  const { code, note } = await stet(["--review", "none", "-p", "Let @task do it."]);
  assert.equal(code, 0, note);
  assert.match(project.read("poem.md"), /^one\n(?:TWO|ZWEI)\nthree/);
  assert.match(note, /, 1 conflict\. Read it: /);
  assert.match(note, /^Saved poem\.md\.$/m);
  assert.match((await project.stet(["review"])).out, /Nothing is waiting/);
});

test("--mode json has every event: how agents begin, go on and end, and their own events under their id", async (t) => {
  const { stet } = await perform(t, {
    main: [{ toolCalls: [send(["Top"])] }, { text: "All done." }],
    children: { Top: changing(2, "TWO") },
  });
  const { code, out } = await stet(["--mode", "json", "-p", "Let @task do it."]);
  assert.equal(code, 0);
  interface Event {
    readonly type: string;
    readonly agent?: string;
    readonly data?: { readonly status: string; readonly turn: string | null };
    readonly turn?: string;
  }
  const events: Event[] = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const own = events.filter(({ agent }) => agent === "0-Top");
  const lifecycle = own
    .filter(({ type }) => type === "task:subagent:lifecycle")
    .map(({ data }) => data?.status);
  assert.deepEqual(lifecycle, ["pending", "running", "completed"]);
  for (const type of ["turn_start", "tool_start", "tool_end", "message", "turn_end", "review", "checkpoint"])
    assert.ok(
      own.some((event) => event.type === type),
      `${type} of the agent`,
    );
  assert.equal(events.filter(({ type, agent }) => type === "turn_end" && agent === undefined).length, 1);
  const ended = own.findLast(({ type }) => type === "task:subagent:lifecycle")?.data;
  assert.equal(own.find(({ type }) => type === "review")?.turn, ended?.turn);
});

test("an agent that fails says why, and the exit code is the turn's", async (t) => {
  const { stet } = await perform(t, {
    main: [{ toolCalls: [send(["Bad"])] }, { text: "It failed." }],
    children: {
      Bad: () => ({ toolCalls: [{ name: "yield", arguments: { error: "there is no such poem" } }] }),
    },
  });
  const { code, note } = await stet(["-p", "Let @task do it."]);
  assert.equal(code, 0, note);
  assert.match(note, /^✗ 0-Bad failed after .*\. It gave up: there is no such poem\. Read it: /m);
});

test("an agent of a file of one's own is sent by its name, and without a session its result stands in its line", async (t) => {
  const project = new StetProject(t, { "poem.md": poem });
  const folder = join(String(project.environment.XDG_CONFIG_HOME), "stet", "agents");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "rhymer.md"),
    "---\ndescription: Finds rhymes\ntools: read\n---\nYou find RHYMES.\n",
  );
  let system = "";
  const cast = {
    main: [{ toolCalls: [send(["Rhyme"], "rhymer")] }, { text: "Done." }],
    children: {
      Rhyme: (request: SeenRequest) => {
        system = request.system;
        return back("none at all");
      },
    },
  };
  const { stet } = await perform(t, cast, project);
  const { code, note } = await stet(["--no-session", "-p", "Let @rhymer look."]);
  assert.equal(code, 0, note);
  assert.match(system, /You find RHYMES\./);
  assert.match(note, /^✓ 0-Rhyme completed after .*\. none at all\.$/m);
});

const question = (text: string): ScriptedReply => ({
  toolCalls: [{ name: "ask", arguments: { questions: [{ id: "q", question: text, options: [] }] } }],
});

test("agents ask one at a time, each under its name", async (t) => {
  const asking =
    (text: string): Script =>
    (request, results) =>
      results === 0 ? question(text) : back(JSON.stringify(request.messages.at(-1)));
  const { stet, model } = await perform(t, {
    main: [{ toolCalls: [send(["One", "Two"])] }, { text: "Done." }],
    children: { One: asking("Which colour?"), Two: asking("Which size?") },
  });
  const answers: Record<string, string> = { colour: "blue", size: "large" };
  const { code, screen } = await stet(["-p", "Let @task ask."], {
    isTerminal: true,
    person: async ({ sees, types, screen: written }) => {
      let from = 0;
      for (let count = 0; count < 2; count += 1) {
        from = await sees(/\d-(?:One|Two) asks: [\s\S]*?> /, from);
        const asked = /asks: Which (\w+)\?/.exec(written().slice(written().lastIndexOf("asks:")))?.[1] ?? "";
        assert.equal(
          [
            ...written()
              .slice(0, from)
              .matchAll(/ asks: /g),
          ].length,
          count + 1,
        );
        types(`${answers[asked]}\r`);
      }
    },
  });
  assert.equal(code, 0, screen);
  const given = model.requests.map(({ messages }) => JSON.stringify(messages.at(-1))).join("\n");
  assert.match(given, /blue/);
  assert.match(given, /large/);
});

test("Ctrl-C ends the turn with all of its agents", async (t) => {
  const silent: Script = () => ({ fault: { stallAfterBytes: 0 } });
  const { stet } = await perform(t, {
    main: [{ toolCalls: [send(["One", "Two"])] }],
    children: { One: silent, Two: silent },
  });
  const { code, screen } = await stet(["-p", "Let @task wait."], {
    isTerminal: true,
    person: async ({ sees, interrupts }) => {
      await sees(/1-Two \(task\) begins/);
      interrupts();
    },
  });
  assert.equal(code, 130, screen);
  for (const id of ["0-One", "1-Two"]) assert.match(screen, new RegExp(`✗ ${id} aborted after `));
});

const code = ["--toolset", "code", "--permission", "full"];
const left = (command: string): ScriptedReply => ({
  toolCalls: [{ name: "bash", arguments: { command, async: true } }],
});

test("what still runs when the turn ends is ended, which one line says", async (t) => {
  const { stet, project } = await perform(t, {
    main: [left("sleep 0.2; sleep 60; touch late.txt"), { text: "Done." }],
  });
  const { code: exit, note } = await stet([...code, "-p", "Go."]);
  assert.equal(exit, 0, note);
  assert.match(
    note,
    /^Ended, because the turn has: bash-1 \(sleep 0\.2; .*\)\. With --background wait such work is waited for\.$/m,
  );
  const json = await perform(t, { main: [left("sleep 60"), { text: "Done." }] }, project);
  const { out } = await json.stet([...code, "--mode", "json", "-p", "Go."]);
  const ended = out.split("\n").find((line) => line.includes("background_ended")) ?? "{}";
  assert.deepEqual(JSON.parse(ended), {
    type: "background_ended",
    jobs: [{ id: "bash-1", label: "sleep 60" }],
  });
  assert.equal(existsSync(join(project.folder, "late.txt")), false);
});

/** Goes on when the test has made the file, whatever the machine does meanwhile. */
const after = (file: string, command: string) => `until [ -e ${file} ]; do sleep 0.05; done; ${command}`;

/** Makes a file each time a turn has ended. */
const turnByTurn =
  ({ folder }: StetProject, ...files: readonly string[]) =>
  async ({ sees }: TypedInput) => {
    let from = 0;
    for (const file of files) {
      from = await sees(/ tokens in.*\n/, from);
      writeFileSync(join(folder, file), "");
    }
  };

test("--background wait waits, and tells the agent in a turn that follows", async (t) => {
  const { stet, project, model } = await perform(t, {
    main: [
      left(after("go", "echo made > made.txt; echo MADE IT")),
      { text: "Begun." },
      { text: "It is made." },
    ],
  });
  const args = [...code, "--background", "wait", "-p", "Go."];
  const { code: exit, out, note } = await stet(args, { person: turnByTurn(project, "go") });
  assert.deepEqual([exit, out], [0, "Begun.\nIt is made.\n"], note);
  assert.equal(project.read("made.txt"), "made\n");
  const told = model.requests.at(-1)?.messages.at(-1);
  assert.match(told?.role === "user" ? told.text : "", /<job-result id="bash-1"[\s\S]*MADE IT/);
  assert.match(note, /^made\.txt {2}\+1 −0 /m);
  assert.match(note, /^ {4}… goes on, /m);
  assert.match(note, /^← Command ended: until .* \(exit 0\)$/m);
  assert.doesNotMatch(note, /Ended, because/);
});

test("agents that go on after the turn are waited for, and their results told", async (t) => {
  const wait: ScriptedReply = {
    toolCalls: [{ name: "bash", arguments: { command: after("go", "true") } }],
  };
  const { stet, model, project } = await perform(t, {
    main: [{ toolCalls: [send(["Top"])] }, { text: "Sent." }, { text: "It came back." }],
    children: {
      Top: (request, results) => (results === 0 ? wait : changing(2, "TWO")(request, results - 1)),
    },
  });
  const args = ["--permission", "full", "--background", "wait", "-p", "Let @task do it."];
  const { code: exit, out, note } = await stet(args, { person: turnByTurn(project, "go") });
  assert.deepEqual([exit, out], [0, "Sent.\nIt came back.\n"], note);
  const told = model.requests.at(-1)?.messages.at(-1);
  assert.match(
    told?.role === "user" ? told.text : "",
    /<job-result id="0-Top" type="task"[\s\S]*changed line 2/,
  );
  assert.match(note, /\(by 0-Top\)/);
});

test("turns that follow are bounded, and what is left then is ended", async (t) => {
  const { stet, project } = await perform(t, {
    main: [
      {
        toolCalls: [
          ...(left(after("first", "echo first")).toolCalls ?? []),
          ...(left(after("second", "echo second")).toolCalls ?? []),
          ...(left("sleep 60").toolCalls ?? []),
        ],
      },
      { text: "Begun." },
      { text: "Heard one." },
      { text: "Heard another one, which may not be." },
    ],
  });
  const config = join(String(project.environment.XDG_CONFIG_HOME), "stet");
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, "config.json"), JSON.stringify({ "autonomy.maxTurns": 1 }));
  const args = [...code, "--background", "wait", "-p", "Go."];
  const person = turnByTurn(project, "first", "second");
  const { code: exit, out, note } = await stet(args, { person });
  assert.deepEqual([exit, out], [0, "Begun.\nHeard one.\n"], note);
  assert.match(
    note,
    /^Ended, because the turn has: bash-3 \(sleep 60\)\. As many turns have followed as may \(autonomy\.maxTurns: 1\)\.$/m,
  );
});
