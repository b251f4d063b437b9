import assert from "node:assert/strict";
import { test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import { type JobOutcome, Jobs, retentionMs } from "./jobs.ts";

function work() {
  const { promise: ended, resolve: end, reject: fail } = Promise.withResolvers<JobOutcome>();
  return { started: 0, ended, end, fail, controller: new AbortController(), output: () => "so far\n" };
}

test("a job goes from running to what it ended as, and keeps what it said", async () => {
  const jobs = new Jobs(10);
  const [good, bad, broken] = [work(), work(), work()];
  const { id } = jobs.add({ type: "bash", label: "make\nall", owner: "main" }, good);
  assert.deepEqual([id, jobs.get(id)?.label, jobs.get(id)?.outputText], ["bash-1", "make …", "so far\n"]);
  jobs.add({ type: "bash", label: "false", owner: "main" }, bad);
  jobs.add({ type: "task", label: "x", owner: "main" }, broken);
  good.end({ isFailed: false, text: "made" });
  bad.end({ isFailed: true, text: "no" });
  broken.fail(new Error("broke"));
  await jobs.firstToEnd(["task-3"]);
  const shown = jobs
    .all()
    .map(({ id, status, resultText, errorText }) => [id, status, resultText ?? errorText]);
  assert.deepEqual(shown, [
    ["bash-1", "completed", "made"],
    ["bash-2", "failed", "no"],
    ["task-3", "failed", "Error: broke"],
  ]);
});

test("a job that was cancelled stays cancelled, whatever its command says at its end", async () => {
  const jobs = new Jobs(10);
  const one = work();
  const { id } = jobs.add({ type: "bash", label: "sleep 9", owner: "main" }, one);
  assert.equal(jobs.cancel(id), "cancelled");
  assert.ok(one.controller.signal.aborted);
  one.end({ isFailed: true, text: "stopped" });
  await jobs.firstToEnd([id]);
  const { status, errorText } = jobs.get(id) ?? {};
  assert.deepEqual([status, errorText], ["cancelled", "stopped"]);
  assert.equal(jobs.cancel(id), "already_completed");
  assert.equal(jobs.cancel("bash-9"), "not_found");
});

test("one job more than the limit is refused, and a finished one makes room", () => {
  const jobs = new Jobs(1);
  const { id } = jobs.add({ type: "bash", label: "sleep 9", owner: "main" }, work());
  const refusal = jobs.refusal();
  assert.ok(isFault(refusal));
  assert.equal(refusal.error, "too_many_jobs");
  jobs.cancel(id);
  assert.equal(jobs.refusal(), undefined);
});

test("a job that ended is forgotten after five minutes, a running one is not", () => {
  let now = 0;
  const jobs = new Jobs(9, () => now);
  const { id } = jobs.add({ type: "bash", label: "one", owner: "main" }, work());
  const running = jobs.add({ type: "bash", label: "two", owner: "main" }, work());
  jobs.cancel(id);
  now = retentionMs;
  assert.equal(jobs.get(id)?.status, "cancelled");
  now += 1;
  assert.equal(jobs.get(id), undefined);
  assert.equal(jobs.cancel(id), "not_found");
  assert.deepEqual(
    jobs.running().map((job) => job.id),
    [running.id],
  );
});

test("an agent sees and cancels its own jobs only", () => {
  const jobs = new Jobs(9);
  const [one, other] = [jobs.of("main"), jobs.of("0-Child")];
  const { id } = one.add({ type: "bash", label: "make" }, work());
  assert.equal(other.get(id), undefined);
  assert.equal(other.cancel(id), "not_found");
  assert.deepEqual(other.all(), []);
  assert.equal(one.running().length, 1);
  other.cancelAll();
  assert.equal(one.cancel(id), "cancelled");
});

test("whoever listens is told of a beginning and of one end", async () => {
  const jobs = new Jobs(9);
  const told: string[] = [];
  const stop = jobs.listen(({ id, status }) => told.push(`${id} ${status}`));
  const [one, two] = [work(), work()];
  jobs.add({ type: "monitor", label: "tail", owner: "main" }, one);
  jobs.add({ type: "task", label: "look", owner: "main", id: "0-Look" }, two);
  jobs.cancel("monitor-1");
  one.end({ isFailed: true, text: "" });
  two.end({ isFailed: false, text: "" });
  await jobs.allEnded();
  stop();
  jobs.add({ type: "bash", label: "x", owner: "main" }, work());
  assert.deepEqual(told, ["monitor-1 running", "0-Look running", "monitor-1 cancelled", "0-Look completed"]);
});

test("more jobs at once than there is room for are refused as a whole", () => {
  const jobs = new Jobs(3);
  for (const label of ["one", "two"]) jobs.add({ type: "bash", label, owner: "main" }, work());
  assert.equal(jobs.refusal(1), undefined);
  const refusal = jobs.refusal(2);
  assert.ok(isFault(refusal));
  assert.equal(refusal.message, "2 jobs are running, and 2 more would be beyond the limit of 3.");
});

test("the end of a job that was cancelled is not taken for that of a later one with its name", async () => {
  const jobs = new Jobs(9);
  const [first, again] = [work(), work()];
  jobs.add({ type: "task", label: "look", owner: "main", id: "0-Look" }, first);
  jobs.cancel("0-Look");
  jobs.add({ type: "task", label: "look again", owner: "main", id: "0-Look" }, again);
  first.end({ isFailed: true, text: "stopped" });
  await first.ended;
  assert.equal(jobs.get("0-Look")?.status, "running");
  again.end({ isFailed: false, text: "found" });
  await jobs.firstToEnd(["0-Look"]);
  const { status, resultText } = jobs.get("0-Look") ?? {};
  assert.deepEqual([status, resultText], ["completed", "found"]);
});

test("ten thousand jobs that have ended leave nothing behind after five minutes", async () => {
  let now = 0;
  const jobs = new Jobs(100, () => now);
  for (let round = 0; round < 100; round += 1) {
    const begun = Array.from({ length: 100 }, work);
    for (const one of begun) {
      assert.equal(jobs.refusal(), undefined);
      jobs.add({ type: "bash", label: "x", owner: "main" }, one);
    }
    assert.ok(isFault(jobs.refusal()));
    for (const one of begun) one.end({ isFailed: false, text: "" });
    await jobs.allEnded();
    now += retentionMs / 10;
  }
  assert.ok(jobs.all().length <= 1100, `${jobs.all().length}`);
  now += retentionMs + 1;
  assert.deepEqual(jobs.all(), []);
});
