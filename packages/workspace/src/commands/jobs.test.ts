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
  const { id } = jobs.add("bash", "make\nall", good);
  assert.deepEqual([id, jobs.get(id)?.label, jobs.get(id)?.outputText], ["bash-1", "make …", "so far\n"]);
  jobs.add("bash", "false", bad);
  jobs.add("task", "x", broken);
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
  const { id } = jobs.add("bash", "sleep 9", one);
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
  const { id } = jobs.add("bash", "sleep 9", work());
  const refusal = jobs.refusal();
  assert.ok(isFault(refusal));
  assert.equal(refusal.error, "too_many_jobs");
  jobs.cancel(id);
  assert.equal(jobs.refusal(), undefined);
});

test("a job that ended is forgotten after five minutes, a running one is not", () => {
  let now = 0;
  const jobs = new Jobs(9, () => now);
  const { id } = jobs.add("bash", "one", work());
  const running = jobs.add("bash", "two", work());
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
