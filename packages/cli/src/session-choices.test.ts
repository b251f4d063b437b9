// A session goes on with what was chosen in it.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type ModelScript, startScriptedModel } from "@stet/testkit/scripted-model";
import { StetProject } from "@stet/testkit/stet-project";

async function projectWith(t: TestContext, script: ModelScript) {
  const server = await startScriptedModel(script);
  t.after(() => server.close());
  const place = new StetProject(t, { "n.txt": "one\n" });
  const env = { OPENAI_COMPATIBLE_BASE_URL: `${server.url}/v1` };
  return { place, ask: (...args: string[]) => place.stet(args, { env }), requests: server.requests };
}

const answers: ModelScript = () => ({ text: "Yes." });
const code = ["--model", "openai-compatible/first", "--toolset", "code", "--permission", "plan"];

test("a session goes on with its model, its toolset and its permission, unless a flag says otherwise", async (t) => {
  const { ask, requests } = await projectWith(t, answers);
  await ask(...code, "-p", "One.");
  const on = await ask("--continue", "-p", "Two.");
  assert.deepEqual([on.code, on.out.trim()], [0, "Yes."]);
  assert.match(on.note, /Going on with openai-compatible\/first/);
  assert.deepEqual([requests[1]?.model, requests[1]?.toolNames], ["first", requests[0]?.toolNames]);
  await ask("--continue", "--model", "openai-compatible/second", "-p", "Three.");
  await ask("--continue", "-p", "Four.");
  assert.deepEqual(
    requests.map(({ model }) => model),
    ["first", "first", "second", "second"],
  );
  assert.equal((await ask("-p", "A new session.")).note.includes("practice model"), true);
});

test("a session keeps the permission that was chosen for it", async (t) => {
  const write = { toolCalls: [{ name: "write", arguments: { path: "new.txt", content: "x\n" } }] };
  const { ask, requests } = await projectWith(t, [{ text: "Yes." }, write, { text: "It is read only." }]);
  await ask(...code, "-p", "One.");
  await ask("--continue", "-p", "Write it.");
  assert.match(JSON.stringify(requests[2]?.body), /plan/);
});

test("where the model of a session cannot be had any more, no other one answers in its place", async (t) => {
  const { ask, place, requests } = await projectWith(t, answers);
  await ask("--model", "openai-compatible/first", "-p", "One.");
  const gone = await place.stet(["--continue", "-p", "Two."]);
  assert.notEqual(gone.code, 0);
  assert.match(
    gone.note,
    /This session goes on with openai-compatible\/first, which cannot be had: .*--model/s,
  );
  assert.doesNotMatch(gone.note + gone.out, /practice model/);
  assert.equal(requests.length, 1);
  assert.equal((await ask("--continue", "-p", "Three.")).code, 0);
});

test("tools that were found stay with the session, and one that was not says how to find it", async (t) => {
  const find = { toolCalls: [{ name: "search_tool_bm25", arguments: { query: "todo" } }] };
  const begin = {
    toolCalls: [
      { name: "todo", arguments: { ops: [{ op: "init", list: [{ phase: "Work", items: ["A", "B"] }] }] } },
    ],
  };
  const done = { toolCalls: [{ name: "todo", arguments: { ops: [{ op: "done", task: "A" }] } }] };
  const view = { toolCalls: [{ name: "todo", arguments: { ops: [{ op: "view" }] } }] };
  const calc = { toolCalls: [{ name: "calc", arguments: { expression: "1 + 1" } }] };
  const { ask, requests } = await projectWith(t, [
    find,
    begin,
    done,
    { text: "Begun." },
    view,
    calc,
    { text: "Seen." },
  ]);
  await ask("--model", "openai-compatible/first", "--toolset", "code", "-p", "Begin.");
  const { code: exit } = await ask("--continue", "-p", "Go on.");
  assert.equal(exit, 0);
  assert.ok(requests[4]?.toolNames.includes("todo"));
  const answered = requests[6]?.body.messages;
  const results = Array.isArray(answered) ? answered.map((message) => JSON.stringify(message)) : [];
  const seen = results.at(-3) ?? "";
  assert.match(seen, /B/);
  assert.doesNotMatch(seen, /\[x\] A/, "what was done before is not told again");
  assert.match(results.at(-1) ?? "", /calc is not offered yet.*search_tool_bm25/);
});
