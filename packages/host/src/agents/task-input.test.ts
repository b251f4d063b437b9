// What a call of task may say: everything that does not fit is told in words, with no results, and nobody is sent.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type TestContext, test } from "node:test";
import {
  type AgentsFixtureOptions,
  delegates,
  newestResult,
  openAgentsFixture,
  yields,
} from "@stet/testkit/agents-fixture";

interface Refused {
  readonly text: string;
  readonly results: unknown;
}

type Given = Omit<AgentsFixtureOptions, "script">;

/** One call of task by the session's own agent. */
async function call(t: TestContext, input: Record<string, unknown>, given: Given = {}): Promise<Refused> {
  const fixture = await openAgentsFixture(t, {
    ...given,
    script: {
      "@task go": [{ calls: [{ name: "task", arguments: input }] }, { text: "Done." }],
      work: [yields("done")],
    },
  });
  await fixture.api.until(await fixture.ask("@task go"), "completed", "awaiting_review");
  const last = fixture.model.requests.at(-1);
  const result = last?.messages.findLast(({ role }) => role === "toolResult");
  assert.ok(last !== undefined && result?.role === "toolResult");
  assert.deepEqual(await fixture.agents(), [], "nobody was sent");
  const { results } = { results: undefined, ...(result.details as object | undefined) };
  return { text: newestResult(last), results };
}

const one = { id: "One", description: "one", assignment: "work" };

const refusals: readonly {
  readonly what: string;
  readonly input: Record<string, unknown>;
  readonly says: RegExp;
  readonly settings?: Record<string, unknown>;
}[] = [
  {
    what: "ids that are the same but for capitals",
    input: { agent: "task", tasks: [one, { ...one, id: "ONE" }] },
    says: /The id "ONE" is there twice; capitals do not count/,
  },
  {
    what: "an agent that there is not",
    input: { agent: "painter", tasks: [one] },
    says: /There is no agent "painter"\. There are: explore, plan, designer/,
  },
  {
    what: "a schema that is no JSON",
    input: { agent: "task", tasks: [one], schema: "{" },
    says: /The schema cannot be used: .*JSON Type Definition as JSON text/,
  },
  {
    what: "a schema that is no type definition",
    input: { agent: "task", tasks: [one], schema: '{"type": "colour"}' },
    says: /The schema cannot be used: /,
  },
  { what: "no tasks", input: { agent: "task", tasks: [] }, says: /There are no tasks: name at least one/ },
  {
    what: "an id of blanks",
    input: { agent: "task", tasks: [{ ...one, id: "  " }] },
    says: /Task 1 has no id/,
  },
  {
    what: "a schema where task.simple is schema-free",
    input: { agent: "task", tasks: [one], schema: '{"type": "string"}' },
    settings: { "task.simple": "schema-free" },
    says: /The field schema is not allowed here: task\.simple is schema-free/,
  },
  {
    what: "a context where task.simple is independent",
    input: { agent: "task", tasks: [one], context: "all" },
    settings: { "task.simple": "independent" },
    says: /The field context is not allowed here: task\.simple is independent/,
  },
];

for (const { what, input, says, settings = {} } of refusals) {
  test(`task refuses ${what}`, async (t) => {
    const { text, results } = await call(t, input, { settings });
    assert.match(text, says);
    assert.deepEqual(results, []);
  });
}

test("where task.maxRecursionDepth is 0 nobody is offered task", async (t) => {
  const fixture = await openAgentsFixture(t, {
    settings: { "task.maxRecursionDepth": 0 },
    script: { "@task go": [{ text: "Done." }] },
  });
  await fixture.api.until(await fixture.ask("@task go"), "completed");
  assert.deepEqual(namesIn(fixture.model.requests[0]), []);
});

function namesIn(request: { readonly tools: readonly { readonly name: string }[] } | undefined): string[] {
  return (request?.tools ?? []).map(({ name }) => name).filter((name) => name === "task");
}

test("an agent in a prompt is offered task, and without one it is not in the request", async (t) => {
  const fixture = await openAgentsFixture(t, { script: {} });
  for (const toolset of ["code", "project"]) {
    const before = fixture.model.requests.length;
    await fixture.api.until(await fixture.ask("@explore look", { toolset }), "completed");
    await fixture.api.until(await fixture.ask("look", { toolset }), "completed");
    const [named, plain] = fixture.model.requests.slice(before).filter(({ tools }) => tools.length > 0);
    assert.deepEqual([namesIn(named), namesIn(plain)], [["task"], []], toolset);
  }
});

const file = (front: string, text = "Do it.") => `---\n${front}\n---\n${text}\n`;

test("a front matter that does not parse is told to whoever asks for the agent, with its file", async (t) => {
  const agents = { "broken.md": file("name: [") };
  const { text, results } = await call(t, { agent: "broken", tasks: [one] }, { agents });
  assert.match(text, /The agent broken cannot be used: its front matter does not parse: .*broken\.md\)/);
  assert.deepEqual(results, []);
});

test("an agent whose output is no type definition cannot be sent", async (t) => {
  const agents = { "odd.md": file("description: odd\noutput: {type: colour}") };
  const { text } = await call(t, { agent: "odd", tasks: [one] }, { agents });
  assert.match(text, /The agent odd cannot be used: its output is no JSON Type Definition/);
});

test("the person's own agent replaces one that is built in, and a file that was just written counts", async (t) => {
  const agents = { "explore.md": file("name: Explore\ndescription: mine", "Mine alone.") };
  const fixture = await openAgentsFixture(t, {
    agents,
    script: {
      "@explore go": delegates("explore", [{ id: "One", assignment: "work" }]),
      work: [yields("done")],
    },
  });
  await fixture.api.until(await fixture.ask("@explore go"), "completed");
  const child = fixture.model.requests.find(({ system }) =>
    system.includes("You were sent by another agent"),
  );
  assert.match(child?.system ?? "", /Mine alone\./);
  assert.equal((await fixture.agents())[0]?.source, "user");
});

for (const isTrusted of [false, true]) {
  test(`a project's agents are there ${isTrusted ? "where it is trusted" : "only where it is trusted"}`, async (t) => {
    const fixture = await openAgentsFixture(t, {
      host: { isTrusted },
      script: {
        "@explore go": delegates("ours", [{ id: "One", assignment: "work" }]),
        work: [yields("done")],
      },
    });
    const path = fixture.place.path(".stet/agents/ours.md");
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, file("description: the project's"));
    await fixture.api.until(await fixture.ask("@explore go"), "completed");
    const agents = await fixture.agents();
    assert.deepEqual(
      agents.map(({ agent, source }) => [agent, source]),
      isTrusted ? [["ours", "project"]] : [],
    );
    const { agents: known } = await fixture.api.ok("GET", "/api/agents");
    assert.equal(
      known.some(({ name }: { name: string }) => name === "ours"),
      isTrusted,
    );
  });
}
