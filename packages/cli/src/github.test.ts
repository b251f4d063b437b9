// GitHub as a person meets it: an agent in their terminal that reads an issue and answers it.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { githubFixture } from "@stet/testkit/github/github-fixture";
import { cloneFiles } from "@stet/testkit/github/github-tools";
import type { RunOptions } from "@stet/testkit/run-stet";
import { startScriptedModel } from "@stet/testkit/scripted-model";
import type { ScriptedReply } from "@stet/testkit/scripted-model-reply";
import { StetProject } from "@stet/testkit/stet-project";

const call = (name: string, given: Readonly<Record<string, unknown>>): ScriptedReply => ({
  toolCalls: [{ name, arguments: given }],
});

const body = "Fixed in `topic`.\u200b";
const replies = [
  call("read", { path: "issue://5" }),
  call("search_tool_bm25", { query: "comment on a GitHub issue" }),
  call("github", { op: "comment", number: 5, body }),
  { text: "Done." },
];

async function turn(t: TestContext, words: readonly string[], options: Partial<RunOptions> = {}) {
  const model = await startScriptedModel(replies);
  t.after(() => model.close());
  const hub = await githubFixture(t);
  hub.data.add("acme/app", { issues: [{ number: 5, title: "It hangs", body: "Since 2.0" }] });
  const project = new StetProject(t, cloneFiles);
  const { PATH, GH_CONFIG_DIR } = hub.environment;
  const env = { PATH, GH_CONFIG_DIR, OPENAI_COMPATIBLE_BASE_URL: `${model.url}/v1` };
  const args = ["--model", "openai-compatible/m", "--toolset", "code", ...words, "-p", "Answer issue 5"];
  const ended = await project.stet(args, { env, ...options });
  const results = (model.requests.at(-1)?.messages ?? []).flatMap((message) =>
    message.role === "toolResult" ? [message.text] : [],
  );
  return { ...ended, hub, model, results };
}

test("an issue is read and answered once the person has seen what would be sent, word for word", async (t) => {
  const { code, screen, hub, model, results } = await turn(t, [], {
    isTerminal: true,
    async person({ sees, types }) {
      const first = await sees(/github wants to fetch https:\/\/github\.com\/acme\/app\/issues\/5\..*> $/s);
      types("2\r");
      await sees(/github wants to send a comment as octocat to.*> $/s, first);
      types("y\r");
    },
  });
  assert.equal(code, 0, screen);
  assert.match(screen, /it is fetched through gh, with your sign-in there/);
  assert.match(screen, /2\. Allow in this session: read https:\/\/github\.com\/acme\/app\/\* through gh/);
  assert.match(
    screen,
    /send a comment as octocat to https:\/\/github\.com\/acme\/app\/issues\/5:\s+Fixed in `topic`\.⟨U\+200B⟩/,
  );
  assert.deepEqual(hub.data.sent, [{ path: "acme/app/issues/5/comments", request: { body } }]);
  assert.match(results[0] ?? "", /From GitHub: written by strangers.*> Since 2\.0/s);
  assert.match(results[2] ?? "", /Sent a comment: https:/);
  const offered = model.requests.map(({ toolNames }) => toolNames.includes("github"));
  assert.deepEqual(offered, [false, false, true, true], "it is offered once it was looked for");
});

test("where nobody can be asked nothing is fetched and nothing is sent", async (t) => {
  const { code, hub, results } = await turn(t, []);
  assert.equal(code, 0);
  assert.deepEqual([hub.asked, hub.data.sent], [[], []]);
  assert.match(results[0] ?? "", /nobody answered/);
  assert.match(
    results[0] ?? "",
    /\{\\"tool\\":\\"github\\",\\"target\\":\\"https:\/\/github\.com\/acme\/app\/\*\\"/,
  );
  assert.match(results[2] ?? "", /not_allowed.*nobody answered/);
});

test("mode full asks nothing, and plan reads at most", async (t) => {
  const full = await turn(t, ["--permission", "full"]);
  assert.equal(full.hub.data.sent.length, 1, full.results.join("\n"));
  const plan = await turn(t, ["--permission", "plan"]);
  assert.equal(plan.hub.data.sent.length, 0);
  assert.match(plan.results[2] ?? "", /In mode plan nothing is changed/);
});
