import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { StetProject } from "@stet/testkit/stet-project";

interface Listed {
  readonly name: string;
  readonly source: string;
  readonly from: string;
  readonly problem: string | null;
}

test("a folder that has agents of its own asks for trust before they can be sent", async (t) => {
  const project = new StetProject(t, {});
  const shared = join(project.folder, ".stet", "agents");
  mkdirSync(shared, { recursive: true });
  writeFileSync(join(shared, "translator.md"), "---\ndescription: Translates\n---\nDo.\n");
  const { screen } = await project.stet(["-p", "list files"], {
    isTerminal: true,
    person: async ({ sees, types }) => {
      await sees(/has settings or agents of its own\. .*its \.stet\/agents be sent to work.*\n.*\(y\/n\) $/);
      types("y");
    },
  });
  assert.match((await project.stet(["agents"])).out, /^translator {2}this folder's/m, screen);
});

test("agents are listed with where each came from, what it may use, and what is wrong with its file", async (t) => {
  const project = new StetProject(t, {});
  const own = join(String(project.environment.XDG_CONFIG_HOME), "stet", "agents");
  const shared = join(project.folder, ".stet", "agents");
  for (const folder of [own, shared]) mkdirSync(folder, { recursive: true });
  const front =
    "---\ndescription: Finds rhymes\ntools: [read, search]\nspawns: explore\nmodel: a/b\n---\nFind.\n";
  writeFileSync(join(own, "rhymer.md"), front);
  writeFileSync(join(own, "explore.md"), "no front matter");
  writeFileSync(join(shared, "translator.md"), "---\ndescription: Translates\nthinking: loud\n---\nDo.\n");
  writeFileSync(join(shared, "plan.md"), "---\ndescription: Plans as we do\n---\nPlan.\n");

  const before = await project.stet(["agents"]);
  assert.equal(before.code, 0, before.note);
  assert.match(before.out, /^explore {2}built in\n {4}Looks around.*\n {4}tools: read, search, find/m);
  const rhymer = `rhymer  yours  ${join(own, "rhymer.md")}\n    Finds rhymes\n    tools: read, search; may send: explore; model: a/b\n`;
  assert.ok(before.out.includes(rhymer), before.out);
  assert.match(
    before.out,
    /^explore {2}yours {2}.*\n {4}cannot be used: it does not begin with front matter/m,
  );
  assert.doesNotMatch(before.out, /translator/);
  assert.match(before.note, /not used before you trust it: stet trust/);

  await project.stet(["trust"]);
  const after = await project.stet(["agents", "--json"]);
  assert.equal(after.note, "");
  const listed: Listed[] = JSON.parse(after.out);
  const of = (name: string) => listed.filter((agent) => agent.name === name);
  assert.deepEqual(
    of("plan").map(({ source, from }) => [source, from]),
    [["project", join(shared, "plan.md")]],
  );
  assert.match(of("translator")[0]?.problem ?? "", /its thinking is "loud"/);
  assert.deepEqual(
    of("explore").map(({ source, problem }) => [source, problem === null]),
    [
      ["builtin", true],
      ["user", false],
    ],
  );
});
