import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { type AgentDefinition, byName, readAgent } from "./agent-definition.ts";
import { builtinAgents } from "./builtin/builtin-agents.ts";
import { isJtdProblem, jtdSchema } from "./jtd.ts";

const read = (text: string, name = "helper") =>
  readAgent({ path: `/agents/${name}.md`, name, text, source: "user" });

test("a file says who an agent is, what it may use and what it is told", async () => {
  const agent = await read(
    [
      "---",
      "description: Translates chapters",
      "tools: [read, edit]",
      "spawns: explore, critic",
      "output: {properties: {text: {type: string}}}",
      "model: openai/gpt-5",
      "thinking: off",
      "permission: ask",
      "blocking: true",
      "maxTokens: 5000",
      "color: blue",
      "---",
      "",
      "Translate.",
      "",
      "---",
      "Keep names.",
    ].join("\r\n"),
  );
  assert.equal(agent.problem, undefined);
  assert.deepEqual(
    { ...agent, output: JSON.stringify(agent.output) },
    {
      name: "helper",
      source: "user",
      from: "/agents/helper.md",
      description: "Translates chapters",
      prompt: "Translate.\r\n\r\n---\r\nKeep names.",
      tools: ["read", "edit"],
      spawns: ["explore", "critic"],
      output: '{"properties":{"text":{"type":"string"}}}',
      model: "openai/gpt-5",
      thinking: "off",
      toolset: undefined,
      permission: "ask",
      blocking: true,
      isolated: undefined,
      maxTokens: 5000,
      maxCost: undefined,
      maxMinutes: undefined,
    },
  );
});

test("a project's file chooses no model", async () => {
  const text = "---\ndescription: x\nmodel: openai/gpt-5\nthinking: low\n---\nText";
  const agent = await readAgent({ path: "/p/.stet/agents/x.md", name: "x", text, source: "project" });
  assert.deepEqual([agent.problem, agent.model, agent.thinking], [undefined, undefined, "low"]);
});

const wrong: readonly [string, RegExp][] = [
  ["Just text", /does not begin with front matter/],
  ["---\ndescription: x\nno end", /does not begin with front matter/],
  ["---\n- a\n- b\n---\nText", /no list of keys and values/],
  ["---\ndescription: [a\n---\nText", /front matter does not parse: .* at line 2, /],
  ["---\nname: a b\ndescription: x\n---\nText", /its name "a b"/],
  ["---\nname: x\n---\nText", /no description/],
  ["---\ndescription: x\n---\n", /told nothing/],
  ["---\ndescription: x\ntools: 5\n---\nText", /its tools is 5, and not a list of names/],
  ["---\ndescription: x\nthinking: much\n---\nText", /its thinking is "much", and not one of off,/],
  ["---\ndescription: x\nmaxCost: -1\n---\nText", /its maxCost is -1/],
  ["---\ndescription: x\nblocking: maybe\n---\nText", /its blocking is "maybe", and not true or false/],
];

for (const [text, problem] of wrong) {
  test(`${JSON.stringify(text)} is an agent with a problem that says what to mend`, async () => {
    const agent = await read(text);
    assert.match(agent.problem ?? "", problem);
  });
}

test("an own agent replaces a built-in one of its name, unless it cannot be used", async () => {
  const own = await read("---\nname: Explore\ndescription: Mine\n---\nLook.");
  const broken = await read("---\nname: plan\n---\nPlan.");
  const strange = await read("nothing", "strange");
  const found = byName([...builtinAgents(), own, broken, strange]);
  const named = (name: string): AgentDefinition | undefined =>
    found.find((agent) => agent.name.toLowerCase() === name);
  assert.equal(named("explore")?.description, "Mine");
  assert.equal(named("plan")?.source, "builtin");
  assert.match(named("strange")?.problem ?? "", /front matter/);
  assert.equal(found.length, builtinAgents().length + 1);
});

test("every built-in agent has a text of its own, and a result whose form is one", () => {
  const files = readdirSync(new URL("builtin", import.meta.url)).filter((name) => name.endsWith(".md"));
  const texts = builtinAgents().map((agent) => agent.prompt);
  assert.deepEqual(
    builtinAgents().map(({ name }) => name),
    [
      ..."explore plan designer reviewer task quick_task librarian executor architect planner critic".split(
        " ",
      ),
    ],
  );
  assert.equal(new Set(texts).size, files.length);
  for (const file of files)
    assert.ok(texts.includes(readFileSync(new URL(`builtin/${file}`, import.meta.url), "utf8").trim()), file);
  for (const { output } of builtinAgents())
    if (output !== undefined) assert.ok(!isJtdProblem(jtdSchema(output)));
});
