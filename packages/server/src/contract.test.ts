// The API as its document describes it: a session, a job, polling by cursor, a question, a diff, and what becomes of it.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { replaceReply } from "@stet/testkit/line-hash";
import { dataOf } from "@stet/testkit/log-events";
import { modelOf, type PlayedReply } from "@stet/testkit/model-of";
import { TestService } from "@stet/testkit/test-service";
import { TestWorkspace } from "@stet/testkit/workspace";

const meeting = Array.from({ length: 60 }, (_, line) => `line ${line + 1}`).join("\n");

const replace = (start_line: number, new_text: string, file_path = "notes/meeting.md"): PlayedReply =>
  replaceReply({ "notes/meeting.md": meeting }, file_path, start_line, new_text);

const threeEdits: readonly PlayedReply[] = [
  { calls: [{ name: "search_project", arguments: { query: "line 1" } }] },
  replace(10, "TEN"),
  replace(30, "THIRTY"),
  replace(50, "FIFTY"),
  { text: "Three lines are changed." },
];

async function proposed(t: TestContext, replies: readonly PlayedReply[] = threeEdits) {
  const workspace = new TestWorkspace(t, { "notes/meeting.md": `${meeting}\n` });
  const api = await TestService.open(t, workspace, modelOf(replies));
  const session = await api.session();
  const job = await api.run(session, "Shout the tens.");
  const { events } = await api.until(job, "awaiting_review", "waiting_for_user");
  return { workspace, api, session, job, events };
}

function file(workspace: TestWorkspace): string {
  return readFileSync(workspace.path("notes/meeting.md"), "utf8");
}

test("a session is created, run, polled and applied hunk by hunk", async (t) => {
  const workspace = new TestWorkspace(t, { "notes/meeting.md": `${meeting}\n` });
  const model = modelOf(threeEdits);
  const api = await TestService.open(t, workspace, model);
  const created = await api.ok("POST", "/api/agent/sessions", {});
  assert.equal(created.status, "active");
  assert.ok(!Number.isNaN(Date.parse(created.created_at)));
  const started = await api.ok("POST", "/api/agent/run", {
    session_id: created.session_id,
    instruction: "Refactor these notes into sections",
    context_rows: [
      {
        id: "ctx_1",
        kind: "selection",
        file_path: "notes/meeting.md",
        start_line: 10,
        end_line: 40,
        content: "what was selected",
      },
    ],
    tool_config: { max_tool_calls: 12 },
  });
  assert.equal(started.status, "queued");
  const { events, job } = await api.until(started.job_id, "awaiting_review");
  assert.deepEqual(
    events.map(({ cursor }) => cursor),
    events.map(({ cursor }) => cursor).toSorted((one, other) => one - other),
  );
  const types = events.map(({ type }) => type);
  assert.equal(types[0], "job.started");
  assert.equal(types.filter((type) => type === "tool.call.requested").length, 4);
  assert.equal(types.filter((type) => type === "tool.call.completed").length, 4);
  assert.deepEqual(types.slice(-3), ["edits.proposed", "checkpoint.created", "diff.generated"]);
  const searched = dataOf(events, "tool.call.completed").find(({ tool }) => tool === "search_project");
  assert.equal(typeof searched?.result_count, "number");
  assert.match(JSON.stringify(model.requests[0]?.messages), /lines 10-40:\\nwhat was selected/);

  assert.equal(job.proposed_edits.length, 3);
  assert.deepEqual(job.proposed_edits[0], {
    edit_id: "e_1",
    file_path: "notes/meeting.md",
    operation: "replace",
    start_line: 10,
    end_line: 10,
    new_text: "TEN",
    expected_hash: `sha256:${createHash("sha256").update("line 10").digest("hex")}`,
  });
  const [bundle] = job.diff_bundle.files;
  assert.equal(bundle.file_path, "notes/meeting.md");
  assert.match(bundle.base_file_hash, /^sha256:[0-9a-f]{64}$/);
  assert.deepEqual(
    bundle.hunks.map((hunk: { patch: string; accepted: null; edit_ids: string[] }) => [
      hunk.patch,
      hunk.accepted,
      hunk.edit_ids,
    ]),
    [
      ["@@ -10 +10 @@\n-line 10\n+TEN", null, ["e_1"]],
      ["@@ -30 +30 @@\n-line 30\n+THIRTY", null, ["e_2"]],
      ["@@ -50 +50 @@\n-line 50\n+FIFTY", null, ["e_3"]],
    ],
  );
  assert.equal(file(workspace), `${meeting}\n`, "nothing is on disk before it is applied");

  const loaded = await api.ok("GET", `/api/agent/sessions/${created.session_id}`);
  assert.equal(loaded.last_job_id, job.job_id);
  assert.deepEqual(loaded.pending_review, { job_id: job.job_id, hunks: 3 });
  assert.equal(loaded.context_rows[0].id, "ctx_1");
  assert.equal(loaded.chat.at(0).text, "Refactor these notes into sections");
  assert.equal(loaded.chat.at(-1).text, "Three lines are changed.");
  assert.equal(loaded.chat.filter(({ role }: { role: string }) => role === "tool").length, 4);

  const [first, , third] = bundle.hunks.map((hunk: { hunk_id: string }) => hunk.hunk_id);
  const applied = await api.ok("POST", "/api/agent/apply", {
    session_id: created.session_id,
    job_id: job.job_id,
    accepted_hunk_ids: [first, third],
  });
  assert.deepEqual(applied, {
    status: "completed",
    applied_files: [{ file_path: "notes/meeting.md", applied_hunks: 2, rejected_hunks: 1 }],
  });
  assert.equal(file(workspace), `${meeting}\n`.replace("line 10", "TEN").replace("line 50", "FIFTY"));
  const after = await api.until(job.job_id, "completed");
  assert.deepEqual(after.events.map(({ type }) => type).slice(-3), [
    "apply.started",
    "review.updated",
    "apply.completed",
  ]);
  assert.deepEqual(
    after.job.diff_bundle.files[0].hunks.map(({ accepted }: { accepted: boolean }) => accepted),
    [true, false, true],
  );
  assert.notEqual(after.job.finished_at, null);
  assert.equal((await api.ok("GET", `/api/agent/sessions/${created.session_id}`)).pending_review, null);
});

test("a cursor gives only what comes after it, and the newest one nothing", async (t) => {
  const { api, job, events } = await proposed(t);
  const middle = events[4]?.cursor ?? 0;
  const page = await api.ok("GET", `/api/agent/jobs/${job}/events?cursor=${middle}&limit=2`);
  assert.deepEqual(page.events, events.slice(5, 7));
  assert.equal(page.next_cursor, events[6]?.cursor);
  const last = events.at(-1)?.cursor ?? 0;
  const end = await api.ok("GET", `/api/agent/jobs/${job}/events?cursor=${last}`);
  assert.deepEqual(end, { job_id: job, status: "awaiting_review", next_cursor: last, events: [] });
});

test("a question makes the job wait, and the answer makes it go on", async (t) => {
  const { api, job, events } = await proposed(t, [
    { calls: [{ name: "clarify_user", arguments: { question: "Terse or detailed?", options: ["terse"] } }] },
    replace(1, "ONE"),
    { text: "Done." },
  ]);
  const [asked] = dataOf(events, "clarification.requested");
  assert.equal(asked?.question, "Terse or detailed?");
  const waiting = await api.ok("GET", `/api/agent/jobs/${job}`);
  assert.equal(waiting.status, "waiting_for_user");
  const { question_id } = waiting.question;
  const clarify = `/api/agent/jobs/${job}/clarify`;
  assert.equal(
    await api.refusal("POST", clarify, { question_id: "q_other", answer: "x" }),
    "unknown_question",
  );
  const reply = await api.ok("POST", clarify, { question_id, answer: "Use concise headings only" });
  assert.deepEqual(reply, { job_id: job, status: "running" });
  assert.equal(await api.refusal("POST", clarify, { question_id, answer: "twice" }), "unknown_question");
  const done = await api.until(job, "awaiting_review");
  const received = done.events.find(({ type }) => type === "clarification.received");
  assert.deepEqual(received?.data, { question_id, answer: "Use concise headings only" });
  assert.equal(done.job.question, null);
});

test("a question can be skipped with no_user_answer", async (t) => {
  const model = modelOf([
    { calls: [{ name: "clarify_user", arguments: { question: "Which?" } }] },
    { text: "Then I leave it." },
  ]);
  const api = await TestService.open(t, new TestWorkspace(t, {}), model);
  const job = await api.run(await api.session(), "Do something.");
  const { job: waiting } = await api.until(job, "waiting_for_user");
  const { question_id } = waiting.question;
  await api.ok("POST", `/api/agent/jobs/${job}/clarify`, { question_id, answer: "no_user_answer" });
  const { events } = await api.until(job, "completed");
  assert.equal(events.at(-1)?.type, "job.completed");
  assert.match(JSON.stringify(model.requests[1]?.messages.at(-1)), /no_user_answer/);
});

test("a file that changed on disk since is a conflict: nothing is applied, and the job still waits", async (t) => {
  const { api, workspace, session, job: id } = await proposed(t);
  const { job } = await api.until(id, "awaiting_review");
  const hunks = job.diff_bundle.files[0].hunks.map((hunk: { hunk_id: string }) => hunk.hunk_id);
  const request = { session_id: session, job_id: id, accepted_hunk_ids: hunks };
  writeFileSync(workspace.path("notes/meeting.md"), `${meeting}\nand a new line\n`);
  const refused = await api.call("POST", "/api/agent/apply", request);
  assert.equal(refused.status, 409);
  assert.equal(refused.body.error, "conflict");
  assert.match(refused.body.suggestion, /again/);
  assert.equal(file(workspace), `${meeting}\nand a new line\n`);
  assert.equal((await api.ok("GET", `/api/agent/jobs/${id}`)).status, "awaiting_review");
  // What the watcher takes over meanwhile makes no difference.
  const { affected_files } = await api.ok("GET", `/api/agent/checkpoints/${job.checkpoint_id}`);
  api.service.workspace.saving.refresh(affected_files[0].document);
  assert.equal(await api.refusal("POST", "/api/agent/apply", request), "conflict");
});

test("only a job's own open hunks can be applied, in its own session, while it awaits review", async (t) => {
  const { api, session, job: id } = await proposed(t);
  const apply = (body: Record<string, unknown>) =>
    api.refusal("POST", "/api/agent/apply", {
      session_id: session,
      job_id: id,
      accepted_hunk_ids: [],
      ...body,
    });
  assert.equal(await apply({ accepted_hunk_ids: ["h_9_9"] }), "unknown_hunk");
  assert.equal(await apply({ accepted_hunk_ids: ["nonsense"] }), "unknown_hunk");
  assert.equal(await apply({ session_id: await api.session() }), "unknown_job");
  assert.equal(await apply({ job_id: "job_none" }), "unknown_job");
  await api.ok("POST", "/api/agent/apply", { session_id: session, job_id: id, accepted_hunk_ids: [] });
  assert.equal(await apply({}), "job_not_ready");
});

test("a checkpoint holds what was before; rolling back changes documents, and saving the files", async (t) => {
  const { api, workspace, session, job: id } = await proposed(t);
  const { job } = await api.until(id, "awaiting_review");
  const hunks = job.diff_bundle.files[0].hunks.map((hunk: { hunk_id: string }) => hunk.hunk_id);
  await api.ok("POST", "/api/agent/apply", { session_id: session, job_id: id, accepted_hunk_ids: hunks });
  const path = `/api/agent/checkpoints/${job.checkpoint_id}`;
  const checkpoint = await api.ok("GET", path);
  assert.equal(checkpoint.session_id, session);
  assert.equal(checkpoint.job_id, id);
  assert.deepEqual(
    checkpoint.affected_files[0].hunks.map(({ hunk_id }: { hunk_id: string }) => hunk_id),
    hunks,
  );
  assert.equal(checkpoint.affected_files[0].hunks[0].reverse_patch, "@@ -10 +10 @@\n-TEN\n+line 10");
  const sides = await api.ok("GET", `${path}/diff3?file_path=notes/meeting.md`);
  assert.equal(sides.checkpoint_base, `${meeting}\n`);
  assert.equal(sides.agent_proposed, sides.current_file);

  const preview = await api.ok("POST", `${path}/rollback`, { mode: "hard_all", hunk_ids: [], dry_run: true });
  assert.equal(preview.checkpoint_id, null);
  const scoped = await api.ok("POST", `${path}/rollback`, { mode: "scoped_selected", hunk_ids: [hunks[1]] });
  assert.deepEqual(scoped.rolled_back, [hunks[1]]);
  assert.match(file(workspace), /THIRTY/, "rolling back writes nothing");
  const saved = await api.ok("POST", "/api/review/save", {});
  assert.equal(saved.saved[0].file_path, "notes/meeting.md");
  assert.match(file(workspace), /TEN\n(.*\n)*line 30\n/);

  const hard = await api.ok("POST", `${path}/rollback`, { mode: "hard_all", hunk_ids: [] });
  await api.ok("POST", "/api/review/save", {});
  assert.equal(file(workspace), `${meeting}\n`);
  await api.ok("POST", `/api/agent/checkpoints/${hard.checkpoint_id}/rollback`, {
    mode: "hard_all",
    hunk_ids: [],
  });
  await api.ok("POST", "/api/review/save", {});
  assert.match(file(workspace), /TEN/, "a rollback can be rolled back");

  const { events } = await api.ok("GET", "/api/workspace/events?cursor=0");
  const types = events.map(({ type }: { type: string }) => type);
  assert.ok(types.includes("checkpoint.rollback.started") && types.includes("checkpoint.rollback.completed"));
  assert.equal(
    await api.refusal("POST", "/api/agent/checkpoints/ckpt_none/rollback", { mode: "hard_all" }),
    "unknown_checkpoint",
  );
});

test("a job that fails says why, and leaves nothing behind", async (t) => {
  const api = await TestService.open(
    t,
    new TestWorkspace(t, { "notes/meeting.md": meeting }),
    modelOf([replace(1, "ONE"), { failure: { kind: "authentication", message: "The key is wrong." } }]),
  );
  const { events, job } = await api.until(await api.run(await api.session(), "Go."), "failed");
  assert.equal(job.error.error, "model_failed");
  assert.equal(job.error.message, "The key is wrong.");
  assert.equal(events.at(-1)?.type, "job.failed");
  assert.deepEqual(await api.ok("GET", "/api/review"), { files: [], turns: [], unsaved: [] });
  assert.equal(job.checkpoint_id, null);
});
