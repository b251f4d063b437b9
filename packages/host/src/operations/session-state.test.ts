import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { noUsage } from "@stet/protocol/message";
import { modelOf, type PlayedReply } from "@stet/testkit/model-of";
import { TestService } from "@stet/testkit/test-service";
import { TestWorkspace } from "@stet/testkit/workspace";
import { addProjectRules } from "@stet/tools/permission/project-rules";

async function serve(t: TestContext, replies: readonly PlayedReply[]) {
  let index = 0;
  const model = modelOf(() => replies[index++] ?? { text: "?" });
  const workspace = new TestWorkspace(t, { "a.md": "one\n", "AGENTS.md": `Be brief. ${"x".repeat(4000)}` });
  const api = await TestService.open(t, workspace, model);
  const session = await api.session();
  const at = `/api/agent/sessions/${session}`;
  const ask = async (text: string, more: Record<string, unknown> = {}, status = "completed") =>
    api.until(await api.run(session, text, { toolset: "code", ...more }), status);
  return { api, model, workspace, session, at, ask };
}

const bash = (command: string): PlayedReply => ({ calls: [{ name: "bash", arguments: { command } }] });

test("the context is told by what fills it, and adds up", async (t) => {
  const { api, at, ask } = await serve(t, [
    { calls: [{ name: "read", arguments: { path: "a.md" } }] },
    { text: "word ".repeat(400), usage: { input: 9000, output: 500 } },
  ]);
  const before = await api.ok("GET", `${at}/context`);
  assert.equal(before.is_complete, false);
  await ask("What is in it?");
  const {
    parts,
    tokens: total,
    window,
    instruction_files,
    is_complete,
  } = await api.ok("GET", `${at}/context`);
  assert.deepEqual([is_complete, window, total], [true, 100_000, 9500]);
  const names = parts.map(({ name }: { name: string }) => name);
  assert.deepEqual(names, ["system", "instructions", "tools", "messages", "calls", "results"]);
  const sum = parts.reduce((all: number, { tokens }: { tokens: number }) => all + tokens, 0);
  assert.ok(Math.abs(sum - total) <= parts.length, `${sum} of ${total}`);
  assert.match(instruction_files[0].path, /AGENTS\.md$/);
  assert.ok(instruction_files[0].tokens >= 1000);
});

test("the cost is told by model, with what was left behind", async (t) => {
  const paid = (total: number) => ({ input: 100, output: 10, cost: { ...noUsage.cost, total } });
  const { api, at, ask } = await serve(t, [
    { text: "One.", usage: paid(0.5) },
    { text: "Two.", usage: paid(0.25) },
  ]);
  await ask("First.");
  const { messages } = await api.ok("GET", `${at}/messages`);
  await api.ok("POST", `${at}/branch`, { entry_id: messages[0].entry_id });
  await ask("Otherwise.");
  const [model, ...others] = (await api.ok("GET", `${at}/cost`)).models;
  assert.deepEqual(others, []);
  assert.deepEqual(
    [model.model, model.answers, model.cost_usd, model.input, model.cost_known],
    ["played/played", 2, 0.75, 200, true],
  );
});

test("rules of the project and the session are listed and taken back", async (t) => {
  const { api, session, workspace } = await serve(t, []);
  const rule = { tool: "bash", target: "npm test", effect: "allow" } as const;
  const other = { ...rule, target: "make" };
  addProjectRules(api.service.workspace.stateFolder, [rule]);
  api.service.sessionRules.add(session, [other]);
  const list = async () => (await api.ok("GET", `/api/permissions?session_id=${session}`)).rules;
  assert.deepEqual(await list(), [
    { ...rule, source: "project", from: "" },
    { ...other, source: "session", from: "" },
  ]);
  const remove = (source: string, given: object) =>
    api.ok("POST", "/api/permissions/remove", { source, session_id: session, ...given });
  assert.deepEqual(await remove("session", other), { removed: true });
  assert.deepEqual(await remove("session", other), { removed: false });
  assert.deepEqual(await remove("project", rule), { removed: true });
  assert.deepEqual(await list(), []);
  await api.service.close();
  const again = await TestService.open(t, workspace, modelOf([]));
  assert.deepEqual((await again.ok("GET", `/api/permissions?session_id=${session}`)).rules, []);
});

test("a permission mode that is chosen while a turn runs holds for its next call", async (t) => {
  const { api, session, at } = await serve(t, [
    bash("touch made"),
    { calls: [{ name: "write", arguments: { path: "b.md", content: "two\n" } }] },
    { text: "Done." },
  ]);
  const job = await api.run(session, "Make it.", { toolset: "code", permission: "ask" });
  const { job: asked } = await api.until(job, "waiting_for_user");
  await api.ok("PUT", `${at}/choices`, { permission: "plan" });
  const answer = { question_id: asked.question.question_id, answer: "deny" };
  await api.ok("POST", `/api/agent/jobs/${job}/clarify`, answer);
  const { events } = await api.until(job, "completed");
  assert.equal(events.filter(({ type }) => type === "clarification.requested").length, 1, "not asked again");
  const { messages } = await api.ok("GET", `${at}/messages`);
  const results = messages.filter(({ kind }: { kind: string }) => kind === "tool");
  assert.match(results[1].text, /plan/);
});

test("the person's edit of the list is the list: the model is told, and its tool goes on with it", async (t) => {
  const todo = (...ops: object[]): PlayedReply => ({ calls: [{ name: "todo", arguments: { ops } }] });
  const { api, model, at, ask } = await serve(t, [
    { calls: [{ name: "search_tool_bm25", arguments: { query: "todo list of tasks" } }] },
    todo({ op: "init", list: [{ phase: "Work", items: ["Read", "Write"] }] }),
    { text: "Planned." },
    todo({ op: "done", task: "Write it" }),
    { text: "Done." },
  ]);
  assert.equal(await api.refusal("PUT", `${at}/todo`, { markdown: "- [ ] x" }), "session_not_found");
  await ask("Plan it.");
  const planned = await api.ok("GET", `${at}/todo`);
  assert.equal(planned.markdown, "## Work\n- [/] Read\n- [ ] Write\n");
  const markdown = "- [~] Loose\n# Work\n* [x] Read\n- [ ] Write it\n";
  const edited = await api.ok("PUT", `${at}/todo`, { markdown });
  assert.equal(edited.markdown, "## Todos\n- [-] Loose\n\n## Work\n- [x] Read\n- [/] Write it\n");
  assert.deepEqual(await api.ok("PUT", `${at}/todo`, { markdown: edited.markdown }), edited, "round trip");
  assert.equal(await api.refusal("PUT", `${at}/todo`, { markdown: "Write it" }), "invalid_arguments");
  await ask("Go on.");
  const sent = JSON.stringify(model.requests[3]?.messages);
  assert.match(sent, /<system-reminder>.*Write it/s);
  assert.equal((await api.ok("GET", `${at}/todo`)).markdown, "## Work\n- [x] Write it\n");
  const { messages } = await api.ok("GET", `${at}/messages`);
  assert.ok(!JSON.stringify(messages).includes("system-reminder"), "the person is not shown it");
});
