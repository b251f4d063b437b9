import assert from "node:assert/strict";
import { test } from "node:test";
import { delegationFixture, type Sent, scout } from "@stet/testkit/delegation-fixture";
import * as z from "zod";

const one = { id: "Look", description: "look around", assignment: "Where are the routes?" };
const call = { agent: "explore", tasks: [one] };

interface Refused {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly options?: Parameters<typeof delegationFixture>[0];
  readonly text: string;
}

const broken = {
  ...scout,
  name: "broken",
  from: ".stet/agents/broken.md",
  problem: "description is missing",
};
const formless = { ...scout, name: "formless", from: "formless.md", output: { type: "word" } };
const at = (agent: string, isRunning: boolean) => ({ standing: { "0-Look": { agent, isRunning } } });

const refusals: readonly Refused[] = [
  {
    name: "an agent that there is not",
    input: { ...call, agent: "scout" },
    options: { agents: [scout, { ...scout, name: "plan" }, broken] },
    text: 'There is no agent "scout". There are: explore, plan.',
  },
  {
    name: "an agent whose file cannot be used",
    input: { ...call, agent: "broken" },
    options: { agents: [broken] },
    text: "The agent broken cannot be used: description is missing (.stet/agents/broken.md).",
  },
  {
    name: "an agent whose output is no schema",
    input: { ...call, agent: "formless" },
    options: { agents: [formless] },
    text: 'The agent formless cannot be used: its output is no JSON Type Definition: the schema has the type "word", which there is not (formless.md).',
  },
  {
    name: "an agent that may not be sent from here",
    input: call,
    options: { refusal: () => "explore cannot send itself." },
    text: "explore cannot send itself.",
  },
  { name: "no tasks", input: { ...call, tasks: [] }, text: "There are no tasks: name at least one." },
  {
    name: "a task whose id is blank",
    input: { ...call, tasks: [one, { ...one, id: "  " }] },
    text: "Task 2 has no id.",
  },
  {
    name: "ids that differ in capitals only",
    input: { ...call, tasks: [one, { ...one, id: " look" }] },
    text: 'The id "look" is there twice; capitals do not count. Give each task one of its own.',
  },
  {
    name: "a schema that is no JSON",
    input: { ...call, schema: "{oops" },
    text: "The schema cannot be used: it is not JSON: Expected property name or '}' in JSON at position 1 (line 1 column 2). Write a JSON Type Definition as JSON text, or leave it out.",
  },
  {
    name: "a schema that is none",
    input: { ...call, schema: '{"type":"object"}' },
    text: 'The schema cannot be used: the schema has the type "object", which there is not. Write a JSON Type Definition as JSON text, or leave it out.',
  },
  {
    name: "a schema where task.simple forbids it",
    input: { ...call, schema: '{"type":"string"}' },
    options: { mode: "schema-free" },
    text: "The field schema is not allowed here: task.simple is schema-free. Describe the form of the result in the assignment.",
  },
  {
    name: "a context where task.simple forbids it",
    input: { ...call, context: "We use tabs." },
    options: { mode: "independent" },
    text: "The field context is not allowed here: task.simple is independent. Put everything that an agent needs into its assignment.",
  },
  {
    name: "an agent that is still at work",
    input: { ...call, tasks: [{ ...one, id: "0-Look" }] },
    options: at("explore", true),
    text: "0-Look is still at work. Say something to it with irc, or wait for it with job.",
  },
  {
    name: "an agent of another kind that is asked again",
    input: { ...call, tasks: [{ ...one, id: "0-Look" }] },
    options: at("plan", false),
    text: "0-Look is an agent of the kind plan, not explore. Ask it again with agent plan.",
  },
];

for (const { name, input, options, text } of refusals) {
  test(`${name}: the call is refused in words with empty results, and nobody is sent`, async () => {
    for (const isAsync of [false, true]) {
      const fixture = delegationFixture({ ...options, isAsync });
      const answer = await fixture.task(input);
      assert.deepEqual([answer.text, answer.isError, answer.error], [text, true, undefined]);
      assert.deepEqual(answer.details.results, []);
      assert.deepEqual([fixture.sent.length, fixture.onSent.length], [0, 0]);
    }
  });
}

test("an id of 49 characters does not fit, one of 48 does", async () => {
  const fixture = delegationFixture();
  const long = await fixture.task({ ...call, tasks: [{ ...one, id: "x".repeat(49) }] });
  assert.equal(long.error, "invalid_arguments");
  const fitting = fixture.task({ ...call, tasks: [{ ...one, id: "x".repeat(48) }] });
  await fixture.untilSent(1);
  fixture.sent[0]?.end();
  assert.equal((await fitting).isError, false);
});

test("what an agent gets: its assignment, the context of all, and a name of its own", async () => {
  const fixture = delegationFixture();
  const tasks = [one, { id: " Deep ", description: " ", assignment: "Look deeper" }];
  const waiting = fixture.task({ agent: " Explore", tasks, context: "  We use tabs.\n", isolated: true });
  await fixture.untilSent(2);
  const given = fixture.sent.map(({ id, agent, description, assignment, context, isolated, schema }) => {
    return { id, agent: agent.name, description, assignment, context, isolated, schema };
  });
  const common = { agent: "explore", context: "We use tabs.", isolated: true, schema: undefined };
  assert.deepEqual(given, [
    { ...common, id: "0-Look", description: "look around", assignment: "Where are the routes?" },
    { ...common, id: "1-Deep", description: "Deep", assignment: "Look deeper" },
  ]);
  for (const child of fixture.sent) child.end();
  await waiting;
});

test("a call that waits shows how far each agent is, and tells all results in their order", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const fixture = delegationFixture();
  const waiting = fixture.task({ ...call, tasks: [one, { ...one, id: "Fix" }] });
  await fixture.untilSent(2);
  const [look, fix] = fixture.sent as readonly [Sent, Sent];
  look.step = "Read src/routes.ts";
  t.mock.timers.tick(150);
  fix.end({
    output: "",
    stderr: "It broke.",
    status: "failed",
    exitCode: 1,
    findings: [
      {
        title: "A leak",
        body: "…",
        priority: "P1",
        confidence: 0.9,
        file_path: "a.ts",
        line_start: 1,
        line_end: 2,
      },
    ],
  });
  await Promise.resolve();
  look.end({ output: " In src/routes.ts. \n", outputPath: "/sessions/s/0-Look.md" });
  const answer = await waiting;
  assert.deepEqual(answer.progress, [
    "0-Look: reads\n1-Fix: reads",
    "0-Look: Read src/routes.ts\n1-Fix: reads",
  ]);
  assert.deepEqual(answer.active, [2, 1, 0]);
  assert.equal(
    answer.text,
    "## 0-Look (explore) completed after 1.5 s, 110 tokens\nIn src/routes.ts.\n\n## 1-Fix (explore) failed after 1.5 s, 110 tokens\nIt broke.",
  );
  assert.equal(answer.isError, false, "one of them has done it");
  const { results, usage, outputPaths, progress } = answer.details;
  assert.deepEqual(
    results.map(({ index, id, exitCode, tokens }: Record<string, unknown>) => [index, id, exitCode, tokens]),
    [
      [0, "0-Look", 0, 110],
      [1, "1-Fix", 1, 110],
    ],
  );
  assert.equal(results[1].extractedToolData.report_finding[0].title, "A leak");
  assert.deepEqual([usage.input, usage.output, outputPaths], [200, 20, ["/sessions/s/0-Look.md"]]);
  assert.deepEqual(
    progress.map(({ status }: { status: string }) => status),
    ["completed", "failed"],
  );
});

test("a call of which every agent failed has failed", async () => {
  const fixture = delegationFixture();
  const waiting = fixture.task(call);
  await fixture.untilSent(1);
  fixture.sent[0]?.end({ status: "failed", exitCode: 1 });
  assert.equal((await waiting).isError, true);
});

test("agents that are waited for are stopped with the call", async () => {
  const fixture = delegationFixture();
  const stop = new AbortController();
  const waiting = fixture.task(call, stop.signal);
  await fixture.untilSent(1);
  stop.abort();
  const { details } = await waiting;
  assert.deepEqual([details.results[0].status, details.results[0].abortReason], ["aborted", "stopped"]);
});

test("a long output is told by its beginning, with where the whole is; what does not fit, with both sides", async () => {
  const fixture = delegationFixture();
  const waiting = fixture.task(call);
  await fixture.untilSent(1);
  const conflict = { path: "a.ts", line: 3, theirs: ["now"], own: [] };
  fixture.sent[0]?.end({
    output: "x".repeat(5001),
    turn: "turn_1",
    changed: ["a.ts", "b.ts"],
    conflicts: [conflict, ...Array.from({ length: 10 }, () => ({ ...conflict, own: ["mine"] }))],
    patchPath: "/sessions/s/0-Look.patch",
  });
  const lines = (await waiting).text.split("\n");
  assert.equal(lines[1], "x".repeat(5000));
  assert.deepEqual(lines.slice(2, 9), [
    "[… 1 more characters: read agent://0-Look]",
    "Changed: a.ts, b.ts",
    "11 changes do not fit any more, and nothing was overwritten:",
    "a.ts:3",
    "  is now:",
    "  | now",
    "  was to be: (nothing)",
  ]);
  assert.deepEqual(lines.slice(-2), [
    "and 1 more",
    "What is not in the files is kept as a patch: agent://0-Look.patch",
  ]);
});

test("in the background each agent is a job, and the call returns at once", async () => {
  const fixture = delegationFixture({ isAsync: true });
  const answer = await fixture.task({ ...call, tasks: [one, { ...one, id: "Fix", description: "fix it" }] });
  assert.equal(
    answer.text,
    [
      "2 agents work in the background:",
      "- 0-Look: look around",
      "- 1-Fix: fix it",
      'You are told when each has ended. Wait with job {"poll": ["0-Look","1-Fix"]}, end one with job {"cancel": [ID]}.',
    ].join("\n"),
  );
  assert.deepEqual(answer.details.async, { state: "running", jobId: "0-Look", type: "task" });
  assert.deepEqual(answer.details.results, []);
  assert.deepEqual(
    answer.details.progress.map(({ id, status }: Record<string, unknown>) => [id, status]),
    [
      ["0-Look", "running"],
      ["1-Fix", "running"],
    ],
  );
  assert.deepEqual(fixture.onSent, [2]);
  const [look, fix] = fixture.sent as readonly [Sent, Sent];
  assert.equal(fixture.background.jobs.get("0-Look")?.outputText, "reads");
  look.end();
  assert.equal(fixture.background.jobs.cancel("1-Fix"), "cancelled");
  assert.ok(fix.isCancelled);
  await fixture.whole.jobs.allEnded();
  const [stopped, ended] = fixture.whole.deliveries.waiting();
  assert.match(stopped?.text ?? "", /id="1-Fix" type="task" status="cancelled"/);
  assert.match(
    ended?.text ?? "",
    /status="completed".*\nexplore: look around\n## 0-Look .*\nwhat 0-Look found\n/s,
  );
});

test("of an agent in the background that has said much, what did not fit is told all the same", async () => {
  const fixture = delegationFixture({ isAsync: true });
  await fixture.task(call);
  const line = "x".repeat(10_000);
  fixture.sent[0]?.end({
    output: "y".repeat(9000),
    turn: "turn_1",
    changed: ["a.ts"],
    conflicts: [{ path: "a.ts", line: 3, theirs: [line], own: ["mine"] }],
  });
  await fixture.whole.jobs.allEnded();
  const [ended] = fixture.whole.deliveries.waiting();
  const text = ended?.text ?? "";
  assert.ok(
    text.includes("[… 4000 more characters: read agent://0-Look]\nChanged: a.ts\n1 change does not fit"),
  );
  assert.match(text, /a\.ts:3\n {2}is now:\n {2}\| x{200}…\n {2}was to be:\n {2}\| mine\n<\/job-result>$/);
});

test("an agent that is always waited for is, also where others go on in the background", async () => {
  const fixture = delegationFixture({ isAsync: true, agents: [{ ...scout, blocking: true }] });
  const waiting = fixture.task(call);
  await fixture.untilSent(1);
  assert.deepEqual(fixture.background.jobs.all(), []);
  fixture.sent[0]?.end();
  assert.match((await waiting).text, /what 0-Look found/);
});

test("more agents than there is room for are refused as a whole", async () => {
  const fixture = delegationFixture({ isAsync: true, maxJobs: 2 });
  const three = await fixture.task({ ...call, tasks: ["A", "B", "C"].map((id) => ({ ...one, id })) });
  assert.equal(
    three.text,
    "Failed to start background task jobs: 0 jobs are running, and 3 more would be beyond the limit of 2.",
  );
  assert.deepEqual([fixture.sent.length, fixture.onSent.length, three.details.results], [0, 0, []]);
  assert.equal(
    (await fixture.task({ ...call, tasks: ["A", "B"].map((id) => ({ ...one, id })) })).isError,
    false,
  );
  assert.match((await fixture.task(call)).text, /2 jobs are running, which is the limit/);
});

test("an agent that has ended is asked again by its name, beside new ones", async () => {
  const fixture = delegationFixture(at("Explore", false));
  const waiting = fixture.task({
    ...call,
    tasks: [
      { ...one, id: "New" },
      { ...one, id: "0-Look" },
    ],
  });
  await fixture.untilSent(2);
  assert.deepEqual(
    fixture.sent.map(({ id }) => id),
    ["0-New", "0-Look"],
  );
  for (const child of fixture.sent) child.end();
  await waiting;
});

test("the form of a result is the call's, else the agent's, else that of who sends it", async () => {
  const sources: unknown[] = [];
  const own = { ...scout, output: { enum: ["agent"] } };
  const inherited = { schema: z.literal("parent"), source: { enum: ["parent"] } };
  const schema = '{"enum":["call"]}';
  const cases = [
    { agents: [own], input: { ...call, schema } },
    { agents: [own], input: call },
    { agents: [scout], input: call },
    { agents: [scout], input: { ...call, schema } },
  ];
  for (const { agents, input } of cases) {
    const fixture = delegationFixture({ agents, inherited });
    const waiting = fixture.task(input);
    await fixture.untilSent(1);
    const [child] = fixture.sent;
    sources.push(child?.schema?.source);
    const fits = ["call", "agent", "parent"].filter(
      (value) => child?.schema?.schema.safeParse(value).success,
    );
    assert.deepEqual({ enum: fits }, child?.schema?.source);
    child?.end();
    await waiting;
  }
  assert.deepEqual(sources, [
    { enum: ["call"] },
    { enum: ["agent"] },
    { enum: ["parent"] },
    { enum: ["call"] },
  ]);
});

test("the tool names the agents that can be sent from here, and whether they are waited for", () => {
  const agents = [scout, { ...scout, name: "plan", description: "Plans" }, broken];
  const refusal = (agent: string) => (agent === "plan" ? "no" : undefined);
  const inTurn = delegationFixture({ agents, refusal }).description;
  assert.match(inTurn, /- explore: Looks around\n/);
  assert.doesNotMatch(inTurn, /- plan|- broken|\{\w+\}/);
  assert.match(inTurn, /The call returns when all of them have ended/);
  assert.match(delegationFixture({ agents, isAsync: true }).description, /They work in the background/);
});
