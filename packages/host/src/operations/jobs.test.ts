// Jobs as callers of the API see them: what is refused at once, and what is told of them afterwards.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { modelOf, type PlayedReply } from "@stet/testkit/model-of";
import { TestService } from "@stet/testkit/test-service";
import { TestWorkspace } from "@stet/testkit/workspace";

const edits: PlayedReply[] = [
  { calls: [{ name: "read_file", arguments: { file_path: "a.md" } }] },
  {
    calls: [
      {
        name: "edit_file",
        arguments: { file_path: "a.md", operation: "replace", start_line: 1, end_line: 1, new_text: "ONE" },
      },
    ],
  },
  { text: "Done." },
];

test("a blank instruction and a model of nobody are refused before there is a job", async (t) => {
  const api = await TestService.open(t, new TestWorkspace(t, { "a.md": "one\n" }), modelOf(edits));
  const session_id = await api.session();
  const run = (body: object) => api.call("POST", "/api/agent/run", { session_id, ...body });
  assert.equal((await run({ instruction: "  \n " })).status, 400);
  const refused = await run({ instruction: "Hello.", model: "nonsense/foo" });
  assert.deepEqual([refused.status, refused.body.error], [400, "invalid_arguments"]);
  assert.match(refused.body.message, /no provider called nonsense/);
  assert.deepEqual((await api.ok("GET", "/api/agent/jobs")).jobs, []);
  assert.equal((await run({ instruction: "Hello.", model: "openai/gpt-5" })).status, 200);
});

test("whoever asks for too many jobs at once is told when to try again", async (t) => {
  const model = modelOf(() => ({ text: "Thinking …", delayMs: 60_000 }));
  const api = await TestService.open(t, new TestWorkspace(t, {}), model, { max_queued_jobs: 1 });
  const session_id = await api.session();
  for (;;) {
    const body = { session_id, instruction: "Slowly." };
    const reply = await api.fetch("POST", "/api/agent/run", body);
    if (reply.status === 200) continue;
    assert.deepEqual([reply.status, reply.headers.get("Retry-After")], [429, "5"]);
    break;
  }
});

test("a job's cursor is that of its newest event, also when it rests, and its events go on without a gap", async (t) => {
  const api = await TestService.open(t, new TestWorkspace(t, { "a.md": "one\n" }), modelOf(edits));
  const session = await api.session();
  const id = await api.run(session, "Shout.");
  await api.until(id, "awaiting_review");
  const newest = async () => {
    await api.service.logs.settled();
    const { events } = await api.ok("GET", `/api/agent/jobs/${id}/events?cursor=0`);
    const { cursor } = await api.ok("GET", `/api/agent/jobs/${id}`);
    return [events.at(-1).cursor, cursor];
  };
  const [last, cursor] = await newest();
  assert.equal(cursor, last);
  await api.ok("POST", "/api/review/decide", { everything: true, verdict: "accept" });
  await api.until(id, "completed");
  const { events } = await api.ok("GET", `/api/agent/jobs/${id}/events?cursor=${last}`);
  assert.deepEqual(
    events.map((event: { cursor: number }) => event.cursor),
    events.map((_: unknown, at: number) => last + 1 + at),
  );
  assert.ok(events.length > 0);
});

test("a decision that is undone waits for review again, and archiving leaves a session where it was", async (t) => {
  const api = await TestService.open(t, new TestWorkspace(t, { "a.md": "one\n" }), modelOf(edits));
  const session = await api.session();
  const id = await api.run(session, "Shout.");
  await api.until(id, "awaiting_review");
  const pending = async () => (await api.ok("GET", `/api/agent/sessions/${session}`)).pending_review;
  assert.deepEqual(await pending(), { job_id: id, hunks: 1 });
  await api.ok("POST", "/api/review/decide", { everything: true, verdict: "accept" });
  assert.equal(await pending(), null);
  await api.ok("POST", "/api/review/undo", {});
  assert.deepEqual(await pending(), { job_id: id, hunks: 1 });
  const { updated_at } = await api.ok("GET", `/api/agent/sessions/${session}`);
  const archived = await api.ok("POST", `/api/agent/sessions/${session}/archive`, { archived: true });
  assert.deepEqual([archived.status, archived.updated_at], ["archived", updated_at]);
});

test("a conflict with the disk is an event of the job", async (t) => {
  const place = new TestWorkspace(t, { "a.md": "one\n" });
  const api = await TestService.open(t, place, modelOf(edits));
  const session_id = await api.session();
  const job_id = await api.run(session_id, "Shout.");
  const { job } = await api.until(job_id, "awaiting_review");
  writeFileSync(place.path("a.md"), "another\n");
  const accepted_hunk_ids = [job.diff_bundle.files[0].hunks[0].hunk_id];
  const body = { session_id, job_id, accepted_hunk_ids };
  assert.equal(await api.refusal("POST", "/api/agent/apply", body), "conflict");
  const { events } = await api.ok("GET", `/api/agent/jobs/${job_id}/events?cursor=0`);
  const [told] = events.filter(({ type }: { type: string }) => type === "apply.conflict");
  assert.equal(told.data.file_path, "a.md");
});
