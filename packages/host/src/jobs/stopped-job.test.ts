// A job of toolset code that is stopped: what it has on disk stays there, and everyone is told so.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { modelOf } from "@stet/testkit/model-of";
import { TestService } from "@stet/testkit/test-service";
import { TestWorkspace } from "@stet/testkit/workspace";

test("a job that is stopped after its first edit says that it is kept, and it can be rejected", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": "one\n" });
  const model = modelOf([
    { calls: [{ name: "write", arguments: { path: "made.txt", content: "made\n" } }] },
    { calls: [{ name: "bash", arguments: { command: "sleep 60" } }] },
    { text: "Too late." },
  ]);
  const api = await TestService.open(t, place, model);
  const job_id = await api.run(await api.session(), "Make it.", { toolset: "code" });
  const { question_id } = (await api.until(job_id, "waiting_for_user")).job.question;
  await api.ok("POST", `/api/agent/jobs/${job_id}/clarify`, { question_id, answer: "Allow once" });
  while (!existsSync(place.path("made.txt"))) await pause(20);
  await api.ok("POST", `/api/agent/jobs/${job_id}/cancel`, {});
  const { job } = await api.until(job_id, "failed");
  assert.equal(job.error.error, "aborted");
  assert.match(job.error.message, /what it did until then is kept for review/);
  const { events } = await api.ok("GET", `/api/agent/jobs/${job_id}/events?cursor=0&limit=500`);
  const failed = events.find(({ type }: { type: string }) => type === "job.failed");
  const { files, turns } = await api.ok("GET", "/api/review");
  assert.deepEqual([turns[0].turn, turns[0].is_on_disk], [failed.data.turn, true]);
  assert.equal(files[0].file_path, "made.txt");
  await api.ok("POST", "/api/review/decide", { turn: failed.data.turn, verdict: "reject" });
  assert.equal(existsSync(place.path("made.txt")), false);
});

test("a job that is stopped before it changed anything leaves nothing", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": "one\n" });
  const model = modelOf([{ calls: [{ name: "write", arguments: { path: "made.txt", content: "made\n" } }] }]);
  const api = await TestService.open(t, place, model);
  const job_id = await api.run(await api.session(), "Make it.", { toolset: "code" });
  await api.until(job_id, "waiting_for_user");
  await api.ok("POST", `/api/agent/jobs/${job_id}/cancel`, {});
  const { job } = await api.until(job_id, "failed");
  assert.match(job.error.message, /nothing of it remains/);
  assert.deepEqual((await api.ok("GET", "/api/review")).files, []);
});

test("a job that used up its calls says so in its events, its record and its conversation", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": "one\n" });
  const model = modelOf((request, index) =>
    request.toolChoice === "none"
      ? { text: "That is all I could look at." }
      : { calls: [{ name: "search_project", arguments: { query: `word ${index}` } }] },
  );
  const api = await TestService.open(t, place, model);
  const session = await api.session();
  const job_id = await api.run(session, "Look everywhere.");
  const { job } = await api.until(job_id, "completed");
  assert.equal(model.requests.length, 13);
  assert.deepEqual([job.outcome, job.stop.limit, job.error], ["stopped", "tool_calls", null]);
  const { events } = await api.ok("GET", `/api/agent/jobs/${job_id}/events?cursor=0&limit=500`);
  const types = events.map(({ type }: { type: string }) => type);
  assert.equal(types.filter((type: string) => type === "tool.call.requested").length, 12);
  const reached = events.find(({ type }: { type: string }) => type === "limit.reached");
  assert.equal(reached.data.limit, "tool_calls");
  const { messages } = await api.ok("GET", `/api/agent/sessions/${session}/messages`);
  const stop = messages.at(-1);
  assert.deepEqual([stop.kind, stop.reason], ["stop", "tool_calls"]);
  assert.match(stop.text, /all 12 tool calls/);
});

test("a request of the window may make as many calls as the setting says", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": "one\n" });
  const model = modelOf((_, index) =>
    index < 60
      ? { calls: [{ name: "search_project", arguments: { query: `word ${index}` } }] }
      : { text: "Done." },
  );
  const api = await TestService.open(t, place, model);
  const tool_config = { max_tool_calls: "setting" };
  const job_id = await api.run(await api.session(), "Look everywhere.", { tool_config });
  const { job } = await api.until(job_id, "completed");
  assert.deepEqual([job.outcome, job.stop], ["completed", null]);
});

test("a first message whose answer is empty stays in its conversation, with the reason", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": "one\n" });
  const api = await TestService.open(t, place, modelOf([{}]));
  const session = await api.session();
  const { job } = await api.until(await api.run(session, "Hello?"), "failed");
  assert.deepEqual([job.outcome, job.error.error], ["stopped", "limit_reached"]);
  const { messages } = await api.ok("GET", `/api/agent/sessions/${session}/messages`);
  const kinds = messages.map(({ kind }: { kind: string }) => kind);
  assert.deepEqual(kinds, ["user", "stop"]);
  assert.equal(messages[1].reason, "empty_answer");
});
