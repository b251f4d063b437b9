import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { modelOf } from "@stet/testkit/model-of";
import { playJobs } from "@stet/testkit/serve-child";
import { TestService } from "@stet/testkit/test-service";
import { must, TestWorkspace } from "@stet/testkit/workspace";

const child = join(import.meta.dirname, "../../testkit/src/serve-child.ts");

/** A folder whose server was killed with one job in every state. */
function killed(t: TestContext): { place: TestWorkspace; ids: Record<string, string> } {
  const place = new TestWorkspace(t, { "a.md": "one\ntwo\n", "b.md": "eins\nzwei\ndrei\n" });
  const args = ["--disable-warning=ExperimentalWarning", child, place.root, place.dataFolder];
  const { stdout, signal, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: 50_000 });
  assert.equal(signal, "SIGKILL", stderr);
  return { place, ids: JSON.parse(stdout) };
}

test("after a kill: what waits still waits and can be answered and applied, what ran has failed, what was queued begins", async (t) => {
  const { place, ids } = killed(t);
  const api = await TestService.open(t, place, modelOf(playJobs));
  const { review = "", waiting = "", running = "", queued = "" } = ids;

  const lost = await api.until(running, "failed");
  assert.match(lost.job.error.message, /Stet ended while this job was running, after 1 tool call/);
  assert.equal(lost.events.at(-1)?.type, "job.failed");
  await api.until(queued, "completed");

  const asked = await api.ok("GET", `/api/agent/jobs/${waiting}`);
  assert.equal(asked.status, "waiting_for_user");
  assert.equal(asked.question.question, "The last one, too?");
  const later = await api.run(asked.session_id, "Something else.");
  assert.equal(
    (await api.ok("GET", `/api/agent/jobs/${later}`)).status,
    "queued",
    "its session is not free yet",
  );
  const { question_id } = asked.question;
  await api.ok("POST", `/api/agent/jobs/${waiting}/clarify`, { question_id, answer: "Yes." });
  const { job, events } = await api.until(waiting, "awaiting_review");
  assert.deepEqual(
    job.diff_bundle.files[0].hunks.map(({ patch, edit_ids }: { patch: string; edit_ids: string[] }) => [
      patch,
      edit_ids,
    ]),
    [
      ["@@ -1 +1 @@\n-eins\n+EINS", ["e_1"]],
      ["@@ -3 +3 @@\n-drei\n+DREI", ["e_2"]],
    ],
  );
  const cursors = events.map(({ cursor }) => cursor);
  assert.equal(new Set(cursors).size, cursors.length);
  await api.until(later, "completed");
  const { chat } = await api.ok("GET", `/api/agent/sessions/${asked.session_id}`);
  assert.ok(chat.some(({ text }: { text: string }) => text.includes("Yes.")));

  const proposed = await api.ok("GET", `/api/agent/jobs/${review}`);
  assert.equal(proposed.status, "awaiting_review");
  const [hunk] = proposed.diff_bundle.files[0].hunks;
  const request = { session_id: proposed.session_id, job_id: review, accepted_hunk_ids: [hunk.hunk_id] };
  assert.equal((await api.ok("POST", "/api/agent/apply", request)).status, "completed");
  assert.equal(readFileSync(place.path("a.md"), "utf8"), "ONE\ntwo\n");
});

test("a job that waits can be cancelled after a kill; one whose file changed since says so when it is answered", async (t) => {
  const { place, ids } = killed(t);
  writeFileSync(place.path("b.md"), "ganz\nanders\n");
  const api = await TestService.open(t, place, modelOf(playJobs));
  const { waiting = "" } = ids;
  const { question } = await api.ok("GET", `/api/agent/jobs/${waiting}`);
  const answer = { question_id: question.question_id, answer: "Yes." };
  await api.ok("POST", `/api/agent/jobs/${waiting}/clarify`, answer);
  const { job } = await api.until(waiting, "failed");
  assert.equal(job.error.error, "unknown_revision");
  assert.equal(readFileSync(place.path("b.md"), "utf8"), "ganz\nanders\n");

  const again = killed(t);
  const other = await TestService.open(t, again.place, modelOf(playJobs));
  const cancelled = await other.ok("POST", `/api/agent/jobs/${again.ids.waiting}/cancel`, {});
  assert.equal(cancelled.status, "failed");
});

test("a service that is closed keeps what waits, and stops what runs with a reason", async (t) => {
  const place = new TestWorkspace(t, { "a.md": "one\ntwo\n", "b.md": "eins\nzwei\ndrei\n" });
  const first = await TestService.open(t, place, modelOf(playJobs));
  const waiting = await first.run(await first.session(), "waiting");
  await first.until(waiting, "waiting_for_user");
  const running = await first.run(await first.session(), "running");
  await first.listen(`/api/agent/jobs/${running}/stream`, ({ event }) => event === "message.delta");
  await first.service.close();
  const second = await TestService.open(t, place, modelOf(playJobs));
  assert.equal((await second.ok("GET", `/api/agent/jobs/${waiting}`)).status, "waiting_for_user");
  const { error } = await second.ok("GET", `/api/agent/jobs/${running}`);
  assert.match(error.message, /Stet was closed/);
});

test("an apply that was interrupted between its decisions and its files is finished", async (t) => {
  const place = new TestWorkspace(t, { "a.md": "one\ntwo\n" });
  const first = await TestService.open(t, place, modelOf(playJobs));
  const review = await first.run(await first.session(), "review");
  await first.until(review, "awaiting_review");
  await first.service.logs.with(`job:${review}`, (log) =>
    log.append("apply.started", { accepted: 1, rejected: 0 }),
  );
  await first.service.close();
  const workspace = await place.open();
  must(workspace.review.accept("everything"));
  workspace.close();
  assert.equal(readFileSync(place.path("a.md"), "utf8"), "one\ntwo\n");
  const second = await TestService.open(t, place, modelOf(playJobs));
  const { events } = await second.until(review, "completed");
  assert.equal(events.at(-1)?.type, "apply.completed");
  assert.equal(readFileSync(place.path("a.md"), "utf8"), "ONE\ntwo\n");
});
