import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { Fault } from "@stet/protocol/fault";
import { lineHash, replaceReply } from "@stet/testkit/line-hash";
import { modelOf, type PlayedReply } from "@stet/testkit/model-of";
import { TestService } from "@stet/testkit/test-service";
import { must, TestWorkspace } from "@stet/testkit/workspace";

const replace = (file_path: string, start_line: number, new_text: string): PlayedReply =>
  replaceReply(files, file_path, start_line, new_text);

const files = { "a.md": "one\ntwo\nthree\nfour\nfive\n", "b.md": "eins\nzwei\n" };

interface PolledEvent {
  readonly type: string;
  readonly data: Record<string, unknown>;
}

async function told(api: TestService, type: string): Promise<PolledEvent["data"][]> {
  const { events }: { events: PolledEvent[] } = await api.ok(
    "GET",
    "/api/workspace/events?cursor=0&limit=3000",
  );
  return events.filter((event) => event.type === type).map(({ data }) => data);
}

test("decisions hunk by hunk count: when nothing is open any more, the job is completed", async (t) => {
  const model = modelOf([replace("a.md", 1, "ONE"), replace("a.md", 5, "FIVE"), { text: "Done." }]);
  const api = await TestService.open(t, new TestWorkspace(t, files), model);
  const id = await api.run(await api.session(), "Shout.");
  await api.until(id, "awaiting_review");
  const { files: open } = await api.ok("GET", "/api/review");
  const [first, second] = open[0].hunks;
  assert.deepEqual([first.removed, first.added, first.origins], [["one"], ["ONE"], ["agent"]]);
  await api.ok("POST", "/api/review/decide", { hunk_ids: [first.hunk_id], verdict: "accept" });
  assert.equal((await api.ok("GET", `/api/agent/jobs/${id}`)).status, "awaiting_review");
  const undone = await api.ok("POST", "/api/review/undo", {});
  assert.deepEqual(undone.hunk_ids, [first.hunk_id]);
  await api.ok("POST", "/api/review/decide", { hunk_ids: [first.hunk_id], verdict: "accept" });
  await api.ok("POST", "/api/review/decide", { document: open[0].document, verdict: "reject" });
  const { events, job } = await api.until(id, "completed");
  assert.deepEqual(events.at(-1)?.data, { outcome: "decided", accepted: 1, rejected: 1 });
  assert.deepEqual(
    job.diff_bundle.files[0].hunks.map(({ accepted }: { accepted: boolean }) => accepted),
    [true, false],
  );
  assert.equal(
    await api.refusal("POST", "/api/review/decide", { hunk_ids: [second.hunk_id], verdict: "accept" }),
    "unknown_hunk",
  );
  assert.equal(await api.refusal("POST", "/api/review/decide", { verdict: "accept" }), "invalid_arguments");
  const counts = (await told(api, "review.updated")).map(({ open_hunks }) => open_hunks);
  assert.deepEqual(counts, [2, 1, 2, 1, 0]);
});

test("what another process decides counts, too, and its changes are told", async (t) => {
  const place = new TestWorkspace(t, files);
  const api = await TestService.open(t, place, modelOf([replace("a.md", 1, "ONE"), { text: "Done." }]));
  const id = await api.run(await api.session(), "Shout.");
  await api.until(id, "awaiting_review");
  const terminal = await place.open();
  must(terminal.review.reject("everything"));
  must(terminal.tabs.open("b.md"));
  const { job } = await (async () => {
    api.service.events.catchUp();
    return api.until(id, "completed");
  })();
  assert.equal(job.status, "completed");
  const changes = await told(api, "document.changed");
  assert.deepEqual(
    changes.map(({ origin, revision }) => [origin, revision]),
    [
      ["agent", 2],
      ["user", 3],
    ],
  );
  assert.equal((await told(api, "tabs.changed")).length, 1);
});

test("apply after some hunks were decided and saved: what Stet wrote itself is no conflict", async (t) => {
  const place = new TestWorkspace(t, files);
  const model = modelOf([replace("a.md", 1, "ONE"), replace("a.md", 5, "FIVE"), { text: "Done." }]);
  const api = await TestService.open(t, place, model);
  const session_id = await api.session();
  const job_id = await api.run(session_id, "Shout.");
  const { job } = await api.until(job_id, "awaiting_review");
  const [first, second] = job.diff_bundle.files[0].hunks.map((hunk: { hunk_id: string }) => hunk.hunk_id);
  await api.ok("POST", "/api/review/decide", { hunk_ids: [first], verdict: "accept" });
  await api.ok("POST", "/api/review/save", {});
  assert.match(readFileSync(place.path("a.md"), "utf8"), /^ONE\n/);
  const applied = await api.ok("POST", "/api/agent/apply", {
    session_id,
    job_id,
    accepted_hunk_ids: [first, second],
  });
  assert.deepEqual(applied.applied_files, [{ file_path: "a.md", applied_hunks: 2, rejected_hunks: 0 }]);
  assert.match(readFileSync(place.path("a.md"), "utf8"), /^ONE\n(.*\n)*FIVE\n$/);
});

test("a new file and a deletion are applied with the rest; all files or none", async (t) => {
  const place = new TestWorkspace(t, files);
  const model = modelOf([
    {
      calls: [
        {
          name: "edit_file",
          arguments: { file_path: "new/c.md", operation: "insert", start_line: 1, new_text: "neu" },
        },
      ],
    },
    {
      calls: [
        {
          name: "edit_file",
          arguments: {
            file_path: "b.md",
            operation: "delete",
            start_line: 1,
            expected_hash: lineHash(files, "b.md", 1),
          },
        },
      ],
    },
    { text: "Done." },
  ]);
  const api = await TestService.open(t, place, model);
  const session_id = await api.session();
  const job_id = await api.run(session_id, "Tidy.");
  const { job } = await api.until(job_id, "awaiting_review");
  const hunks = job.diff_bundle.files.flatMap(
    ({ hunks }: { hunks: { hunk_id: string; edit_ids: string[] }[] }) => hunks,
  );
  assert.deepEqual(
    new Set(hunks.flatMap(({ edit_ids }: { edit_ids: string[] }) => edit_ids)),
    new Set(["e_1", "e_2"]),
  );
  const created = job.diff_bundle.files.find(
    ({ file_path }: { file_path: string }) => file_path === "new/c.md",
  );
  assert.equal(created.base_file_hash, null);
  const ids = hunks.map(({ hunk_id }: { hunk_id: string }) => hunk_id);
  await api.ok("POST", "/api/agent/apply", { session_id, job_id, accepted_hunk_ids: ids });
  assert.equal(readFileSync(place.path("new/c.md"), "utf8"), "neu\n");
  assert.equal(readFileSync(place.path("b.md"), "utf8"), "zwei\n");
});

test("where the files cannot be written, the decisions are taken back, and applying again works", async (t) => {
  const place = new TestWorkspace(t, files);
  const api = await TestService.open(t, place, modelOf([replace("a.md", 1, "ONE"), { text: "Done." }]));
  const session_id = await api.session();
  const job_id = await api.run(session_id, "Shout.");
  const { job } = await api.until(job_id, "awaiting_review");
  const request = { session_id, job_id, accepted_hunk_ids: [job.diff_bundle.files[0].hunks[0].hunk_id] };
  const { saving } = api.service.workspace;
  const save = saving.save.bind(saving);
  saving.save = async () => new Fault("disk_full", "No space is left.", "Make room.");
  assert.equal(await api.refusal("POST", "/api/agent/apply", request), "disk_full");
  const after = await api.until(job_id, "awaiting_review");
  assert.equal(after.events.at(-1)?.type, "apply.failed");
  assert.equal(after.job.diff_bundle.files[0].hunks[0].accepted, null);
  saving.save = save;
  await api.ok("POST", "/api/agent/apply", request);
  assert.match(readFileSync(place.path("a.md"), "utf8"), /^ONE\n/);
});

test("hunks that became one by what the person typed are one to apply", async (t) => {
  const place = new TestWorkspace(t, files);
  const model = modelOf([replace("a.md", 1, "ONE"), replace("a.md", 3, "THREE"), { text: "Done." }]);
  const api = await TestService.open(t, place, model);
  const session_id = await api.session();
  const job_id = await api.run(session_id, "Shout.");
  const { job } = await api.until(job_id, "awaiting_review");
  assert.equal(job.diff_bundle.files[0].hunks.length, 2);
  const { document } = (await api.ok("GET", "/api/review")).files[0];
  const { revision, text } = await api.ok("GET", `/api/documents/${document}`);
  // From within the first hunk to within the second.
  const change = [1, [text.indexOf("THREE"), "-"], text.length - 1 - text.indexOf("THREE")];
  await api.ok("POST", `/api/documents/${document}/changes`, { revision, change, client: "w" });
  const now = await api.ok("GET", `/api/agent/jobs/${job_id}`);
  const ids = now.diff_bundle.files[0].hunks.map(({ hunk_id }: { hunk_id: string }) => hunk_id);
  assert.equal(ids.length, 1);
  const applied = await api.ok("POST", "/api/agent/apply", { session_id, job_id, accepted_hunk_ids: ids });
  assert.deepEqual(applied.applied_files, [{ file_path: "a.md", applied_hunks: 1, rejected_hunks: 0 }]);
  assert.equal(readFileSync(place.path("a.md"), "utf8"), "O-HREE\nfour\nfive\n");
});

test("rejecting everything leaves what is in doubt, unless `during` says that it goes, too", async (t) => {
  const place = new TestWorkspace(t, files);
  const workspace = await place.open();
  const turns = ["one", "other"].map((summary) => workspace.beginTurn({ summary, isImmediate: true }));
  for (const turn of turns) await workspace.witness.begin(turn);
  await pause(20);
  writeFileSync(place.path("a.md"), "somebody's\n");
  for (const turn of turns) {
    await workspace.witness.finish(turn);
    must(await workspace.commitTurn(turn));
  }
  workspace.close();
  const api = await TestService.open(t, place, modelOf([]));
  const { turns: open } = await api.ok("GET", "/api/review");
  assert.deepEqual(
    open.map((turn: PolledEvent["data"]) => [turn.summary, turn.is_in_doubt]),
    [["During “one”", true]],
  );
  const reject = (more: object) =>
    api.ok("POST", "/api/review/decide", { everything: true, verdict: "reject", ...more });
  assert.deepEqual((await reject({})).hunk_ids, []);
  assert.equal(readFileSync(place.path("a.md"), "utf8"), "somebody's\n");
  assert.equal((await reject({ during: true })).hunk_ids.length, 1);
  assert.equal(readFileSync(place.path("a.md"), "utf8"), files["a.md"]);
});
