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
