// Decisions on files that hold what the agent wrote already: the disk follows with the reply.

import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { modelOf } from "@stet/testkit/model-of";
import { TestService } from "@stet/testkit/test-service";
import { must, TestWorkspace } from "@stet/testkit/workspace";

const song = "one\ntwo\nthree\n";
const changed = "one\nTWO\nthree\n";

/** A finished turn that changed a.txt, removed b.txt and made c.txt. */
async function setUp(t: TestContext) {
  const place = new TestWorkspace(t, { "a.txt": song, "b.txt": song });
  const api = await TestService.open(t, place, modelOf([{ text: "Done." }]));
  const { workspace } = api.service;
  const turn = workspace.beginTurn({ summary: "write", isImmediate: true });
  const { id, history } = must(workspace.documents.open("a.txt"));
  const edits = [{ op: "replace", from: 2, to: 2, content: "TWO" } as const];
  must(turn.edit(id, { revision: history.revision, policy: { kind: "rebase" }, edits }));
  must(turn.remove(must(workspace.documents.open("b.txt")).id));
  must(turn.create("c.txt", "made\n"));
  must(await workspace.writeTurn(turn));
  must(turn.commit());
  const disk = () => {
    const names = ["a.txt", "b.txt", "c.txt"].map((name) => place.path(name));
    return names.map((name) => (existsSync(name) ? readFileSync(name, "utf8") : null));
  };
  return { api, place, turn: turn.id, disk };
}

const written = [changed, null, "made\n"];
const before = [song, song, null];

test("rejecting takes a turn back from disk, and undoing that puts it there again", async (t) => {
  const { api, disk } = await setUp(t);
  assert.deepEqual(disk(), written);
  const { hunk_ids } = await api.ok("POST", "/api/review/decide", { everything: true, verdict: "reject" });
  assert.deepEqual(disk(), before);
  await api.ok("POST", "/api/review/undo", { hunk_ids });
  assert.deepEqual(disk(), written);
  await api.ok("POST", "/api/review/decide", { everything: true, verdict: "accept" });
  assert.deepEqual(disk(), written);
  assert.deepEqual((await api.ok("GET", "/api/review")).unsaved, []);
});

test("a rollback takes a turn back from disk, and can be rolled back itself", async (t) => {
  const { api, turn, disk } = await setUp(t);
  const path = (id: string) => `/api/agent/checkpoints/${id}/rollback`;
  const { checkpoint_id } = await api.ok("POST", path(turn), { mode: "hard_all", hunk_ids: [] });
  assert.deepEqual(disk(), before);
  await api.ok("POST", path(checkpoint_id), { mode: "hard_all", hunk_ids: [] });
  assert.deepEqual(disk(), written);
});

test("a rejection that the disk cannot follow is refused, and nothing is decided", async (t) => {
  const { api, place, disk } = await setUp(t);
  const byHand = "\0 no text any more";
  const { files } = await api.ok("GET", "/api/review");
  writeFileSync(place.path("a.txt"), byHand);
  const body = { everything: true, verdict: "reject" };
  assert.equal(await api.refusal("POST", "/api/review/decide", body), "external_change");
  assert.deepEqual(disk(), [byHand, null, "made\n"]);
  assert.deepEqual((await api.ok("GET", "/api/review")).files, files);
});

test("applying a job of toolset code takes back from disk what was not accepted", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": song });
  const model = modelOf([
    { calls: [{ name: "write", arguments: { path: "made.txt", content: "made\n" } }] },
    { text: "Done." },
  ]);
  const api = await TestService.open(t, place, model);
  const session_id = await api.session();
  const job_id = await api.run(session_id, "Make it.", { toolset: "code" });
  const { job } = await api.until(job_id, "waiting_for_user");
  const { question_id, options } = job.question;
  await api.ok("POST", `/api/agent/jobs/${job_id}/clarify`, { question_id, answer: options[0] });
  await api.until(job_id, "awaiting_review");
  assert.ok(existsSync(place.path("made.txt")));
  await api.ok("POST", "/api/agent/apply", { session_id, job_id, accepted_hunk_ids: [] });
  assert.ok(!existsSync(place.path("made.txt")));
});
