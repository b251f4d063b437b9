import assert from "node:assert/strict";
import { test } from "node:test";
import { runs } from "@stet/testkit/depth";
import { replaceReply } from "@stet/testkit/line-hash";
import { modelOf, type PlayedReply } from "@stet/testkit/model-of";
import { TestService } from "@stet/testkit/test-service";
import { must, personEdits, TestWorkspace } from "@stet/testkit/workspace";

const replace = (path: string, line: number, text: string, rationale?: string): PlayedReply =>
  replaceReply(files, path, line, text, { rationale });

const files = { "a.md": "one\ntwo\nthree\nfour\nfive\nsix\n", "b.md": "eins\nzwei\n" };

interface Hunk {
  readonly hunk_id: string;
  readonly new_start: number;
  readonly rationales: string[];
}

test("each hunk says why it is proposed, and each turn whose it is", async (t) => {
  const model = modelOf([
    replace("a.md", 1, "ONE", "It is shouted."),
    replace("a.md", 5, "FIVE"),
    replace("b.md", 2, "ZWEI", " It is shouted. "),
    { text: "Done." },
  ]);
  const api = await TestService.open(t, new TestWorkspace(t, files), model);
  const session_id = await api.session();
  const job_id = await api.run(session_id, "Shout.");
  await api.until(job_id, "awaiting_review");
  const { files: open, turns } = await api.ok("GET", "/api/review");
  const reasons = open.map(({ hunks }: { hunks: Hunk[] }) => hunks.map(({ rationales }) => rationales));
  assert.deepEqual(reasons, [[["It is shouted."], []], [["It is shouted."]]]);
  assert.equal(turns.length, 1);
  const [{ turn, summary, ...told }] = turns;
  assert.deepEqual(told, { job_id, session_id, is_whole: false, is_on_disk: false, hunks: 3 });
  assert.deepEqual(turn, open[0].hunks[0].turns[0]);
  assert.match(summary, /Shout/);
  const one = await api.ok("GET", `/api/documents/${open[0].document}/review`);
  assert.deepEqual(one.hunks, open[0].hunks);
  assert.deepEqual(
    one.turns.map(({ hunks }: { hunks: number }) => hunks),
    [2],
    "only those of this document",
  );
});

test("what was decided is told with its lines, wherever they have moved, until it cannot be undone", async (t) => {
  const model = modelOf([
    replace("a.md", 1, "ONE\nand a half"),
    replaceReply(files, "a.md", 4, "THREE", { was: 3 }),
    replaceReply(files, "a.md", 7, "SIX", { was: 6 }),
    { text: "Done." },
  ]);
  const api = await TestService.open(t, new TestWorkspace(t, files), model);
  await api.until(await api.run(await api.session(), "Shout."), "awaiting_review");
  const { document, hunks } = (await api.ok("GET", "/api/review")).files[0];
  const [first, second, third] = hunks.map(({ hunk_id }: Hunk) => hunk_id);
  const look = () => api.ok("GET", `/api/documents/${document}/review`);
  await api.ok("POST", "/api/review/decide", { hunk_ids: [first], verdict: "accept" });
  await api.ok("POST", "/api/review/decide", { hunk_ids: [second], verdict: "reject" });
  const after = await look();
  assert.deepEqual(after.decided, [
    { hunk_id: first, verdict: "accepted", new_start: 1, lines: 2 },
    { hunk_id: second, verdict: "rejected", new_start: 4, lines: 1 },
  ]);
  assert.deepEqual([after.hunks[0].hunk_id, after.hunks[0].new_start], [third, 7]);
  const { text, revision } = await api.ok("GET", `/api/documents/${document}`);
  assert.equal(after.revision, revision);
  assert.equal(text.split("\n")[3], "three");

  const { workspace } = api.service;
  personEdits(workspace, document, { op: "insert", after: 2, content: "mine" });
  const moved = await look();
  assert.deepEqual(
    moved.decided.map(({ new_start }: Hunk) => new_start),
    [1, 5],
  );
  assert.equal(moved.revision, revision + 1);
  personEdits(workspace, document, { op: "replace", from: 5, to: 5, content: "three, mine" });
  assert.deepEqual(
    (await look()).decided.map(({ hunk_id }: Hunk) => hunk_id),
    [first],
  );
  assert.equal(await api.refusal("GET", "/api/documents/999/review"), "file_not_found");
});

test("a turn that is decided on as a whole is told so", async (t) => {
  const place = new TestWorkspace(t, files);
  const api = await TestService.open(t, place, modelOf([]));
  const { workspace } = api.service;
  const { id } = must(workspace.documents.open("b.md"));
  const turn = must(workspace.beginLockedTurn({ summary: "All of it" }));
  const { revision } = must(turn.read(id));
  const edits = [{ op: "replace", from: 1, to: 1, content: "EINS" }] as const;
  must(turn.edit(id, { revision, policy: { kind: "rebase" }, edits }));
  must(turn.commit());
  const [told] = (await api.ok("GET", "/api/review")).turns;
  assert.deepEqual(told, {
    turn: turn.id,
    job_id: null,
    session_id: null,
    summary: "All of it",
    is_whole: true,
    is_on_disk: false,
    hunks: 1,
  });
});

test("changes that are on disk already are told so, by file, by document and by turn", async (t) => {
  const write = (path: string) => ({
    calls: [{ name: "write", arguments: { path, content: "made\n" } }],
  });
  const model = modelOf([write("new.md"), { text: "Done." }, replace("b.md", 1, "EINS"), { text: "Done." }]);
  const api = await TestService.open(t, new TestWorkspace(t, files), model);
  const session_id = await api.session();
  const made = await api.run(session_id, "Make it.", { toolset: "code" });
  const { question_id } = (await api.until(made, "waiting_for_user")).job.question;
  await api.ok("POST", `/api/agent/jobs/${made}/clarify`, { question_id, answer: "Allow once" });
  await api.until(made, "awaiting_review");
  // A session keeps its toolset, so the other one is named.
  await api.until(await api.run(session_id, "Shout.", { toolset: "project" }), "awaiting_review");
  const { files: open, turns } = await api.ok("GET", "/api/review");
  const told = open.map((file: { file_path: string; is_on_disk: boolean }) => [
    file.file_path,
    file.is_on_disk,
  ]);
  assert.deepEqual(Object.fromEntries(told), { "new.md": true, "b.md": false });
  const of = (job: string) => turns.find(({ job_id }: { job_id: string }) => job_id === job)?.is_on_disk;
  assert.deepEqual([of(made), turns.length], [true, 2]);
  for (const { document, is_on_disk } of open) {
    assert.equal((await api.ok("GET", `/api/documents/${document}/review`)).is_on_disk, is_on_disk);
  }
});

test("a dry run of a rollback shows exactly what the rollback then does", async (t) => {
  const model = modelOf([replace("a.md", 1, "ONE"), replace("b.md", 1, "EINS"), { text: "Done." }]);
  const api = await TestService.open(t, new TestWorkspace(t, files), model);
  const { job } = await api.until(await api.run(await api.session(), "Shout."), "awaiting_review");
  await api.ok("POST", "/api/review/decide", { everything: true, verdict: "accept" });
  const path = `/api/agent/checkpoints/${job.checkpoint_id}/rollback`;
  const trace = () => ({
    entries: api.service.workspace.ledger.newestEntry(),
    checkpoints: api.service.workspace.checkpoints.list().length,
  });
  const before = trace();
  const { cursor } = await api.ok("GET", "/api/workspace");
  const dry = await api.ok("POST", path, { mode: "hard_all", dry_run: true });
  assert.deepEqual(trace(), before);
  assert.equal((await api.ok("GET", "/api/workspace")).cursor, cursor, "nobody is told of a dry run");
  const real = await api.ok("POST", path, { mode: "hard_all" });
  assert.deepEqual(real.patches, dry.patches);
  assert.deepEqual(
    real.patches.map(({ file_path }: { file_path: string }) => file_path),
    ["a.md", "b.md"],
  );
  assert.equal(real.patches[1].patch, "--- a/b.md\n+++ b/b.md\n@@ -1,2 +1,2 @@\n-EINS\n+eins\n zwei\n");
  const back = await api.ok("POST", `/api/agent/checkpoints/${real.checkpoint_id}/rollback`, {
    mode: "hard_all",
  });
  assert.match(back.patches[1].patch, /-eins\n\+EINS/);
});

test("a review of a thousand hunks in fifty files takes well under a fifth of a second to tell", async (t) => {
  const lines = Array.from({ length: 60 }, (_, line) => `Line ${line} of this file.`);
  const names = Array.from({ length: runs(50) }, (_, number) => `file-${number}.md`);
  const many = Object.fromEntries(names.map((name) => [name, `${lines.join("\n")}\n`]));
  const calls = names.flatMap((name) =>
    Array.from({ length: 20 }, (_, at) =>
      replaceReply(many, name, 1 + at * 3, `Changed ${at}.`, { rationale: `Reason ${at}.` }),
    ),
  );
  const replies: PlayedReply[] = [];
  for (let at = 0; at < calls.length; at += 100)
    replies.push({ calls: calls.slice(at, at + 100).flatMap((call) => call.calls ?? []) });
  const model = modelOf([...replies, { text: "Done." }], { contextWindow: 1_000_000 });
  const api = await TestService.open(t, new TestWorkspace(t, many), model);
  const job = await api.run(await api.session(), "Change it all.", { tool_config: { max_tool_calls: 1000 } });
  await api.until(job, "awaiting_review");
  const times: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    // Of the processor: others may be at work on the machine.
    const before = process.cpuUsage();
    const { files: open, turns } = await api.ok("GET", "/api/review");
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
    assert.equal(turns[0].hunks, 20 * names.length);
    assert.equal(open.length, names.length);
    assert.deepEqual(open.at(-1).hunks[19].rationales, ["Reason 19."]);
  }
  const usual = times.toSorted((one, other) => one - other)[2] ?? 0;
  t.diagnostic(`${usual.toFixed(0)} ms, with every reply checked against its schema`);
  assert.ok(usual < 200, `it took ${usual.toFixed(0)} ms`);
});
