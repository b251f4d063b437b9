import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Fault } from "@stet/protocol/fault";
import { openBashFixture as openFixture } from "@stet/testkit/bash-fixture";
import { noSandbox } from "@stet/testkit/commands-fixture";
import type { BashDetails } from "./bash-answer.ts";

function detailsOf(answer: { details: unknown }): BashDetails {
  return answer.details as BashDetails;
}

test("a command's output is told as it is, and nothing else when all went well", async (t) => {
  const fixture = await openFixture(t);
  const answer = await fixture.call("bash", { command: "echo one; echo two >&2" });
  assert.equal(answer.text, "one\ntwo");
  const { durationMs, ...details } = detailsOf(answer);
  assert.deepEqual(details, {
    exitCode: 0,
    timedOut: false,
    cancelled: false,
    cwd: ".",
    truncated: false,
    artifact: undefined,
    jobId: undefined,
    isSandboxed: false,
    changed: [],
    lost: [],
  });
  assert.ok(durationMs >= 0);
  assert.equal((await fixture.call("bash", { command: "true" })).text, "(no output)");
});

test("an exit code that is not 0 is told and makes the answer an error, which is no refusal of the tool", async (t) => {
  const fixture = await openFixture(t);
  const answer = await fixture.call("bash", { command: "echo no >&2; (exit 3)" });
  assert.deepEqual(
    [answer.text, answer.isError, answer.error, detailsOf(answer).exitCode],
    ["no\n[Command exited with code 3]", true, undefined, 3],
  );
  assert.equal((await fixture.call("bash", { command: "true" })).isError, false);
});

test("the folder is told when it changes, and cwd is for one call", async (t) => {
  const fixture = await openFixture(t, { files: { "sub/a.txt": "x" } });
  assert.equal((await fixture.call("bash", { command: "cd sub" })).text, "(no output)\n[cwd: sub]");
  assert.equal((await fixture.call("bash", { command: "ls" })).text, "a.txt");
  const above = await fixture.call("bash", { command: "cat sub/a.txt", cwd: fixture.place.root });
  assert.equal(above.text, "x");
  assert.deepEqual(
    fixture.targets.map((target) => target.folder),
    [".", "sub", "."],
  );
  assert.equal((await fixture.call("bash", { command: "cd /usr" })).text, "(no output)\n[cwd: /usr]");
  assert.equal((await fixture.call("bash", { command: "ls", cwd: "../.." })).error, "path_outside");
  assert.equal((await fixture.call("bash", { command: "ls", cwd: "missing" })).error, "file_not_found");
});

test("a shell that ends is told, and the next command works", async (t) => {
  const fixture = await openFixture(t);
  assert.match(
    (await fixture.call("bash", { command: "exit 2" })).text,
    /\[Command exited with code 2\]\n\[The shell ended with it: .*fresh shell/,
  );
  assert.equal((await fixture.call("bash", { command: "echo on" })).text, "on");
});

test("a command that takes too long is stopped, and the answer says what to do", async (t) => {
  const fixture = await openFixture(t, { settings: { bashAutoBackground: false } });
  const answer = await fixture.call("bash", { command: "echo begun; sleep 60", timeout: 1 });
  assert.match(
    answer.text,
    /^begun\n\[Stopped after 1 s, with all its processes\. Give a longer timeout .*nobody can type/,
  );
  assert.ok(detailsOf(answer).timedOut);
  const terminal = await fixture.call("bash", { command: "read -p 'Name? ' x", timeout: 0.2, pty: true });
  assert.match(terminal.text, /^Name\? \n\[Stopped after 1 s.*nobody can type/);
});

test("a command that reads its input gets none, and does not wait", async (t) => {
  const fixture = await openFixture(t);
  assert.equal(
    (await fixture.call("bash", { command: "read x || echo nothing to read" })).text,
    "nothing to read",
  );
});

test("a long output is told by its end, and is read in parts from its artifact", async (t) => {
  const fixture = await openFixture(t);
  const answer = await fixture.call("bash", {
    command: "seq 1 100000; exit_with() { return 5; }; exit_with",
  });
  assert.ok(answer.text.length < 50 * 1024);
  assert.match(
    answer.text,
    /\n100000\n\[Shown: the last 2950 of 100000 lines, 588895 bytes in all\. The whole output is at artifact:\/\/1; read it in parts\.\]\n\[Command exited with code 5\]$/,
  );
  const kept = fixture.context.readArtifact?.(1, { line: 1, column: 1 }, { maxLines: 2 });
  assert.deepEqual(kept, { text: "1\n2", totalLines: 100_001, next: undefined });
  const { truncated, artifact } = detailsOf(answer);
  assert.deepEqual([truncated, artifact], [true, "artifact://1"]);
});

test("what is allowed is what is run: the variables are part of it", async (t) => {
  const fixture = await openFixture(t);
  const answer = await fixture.call("bash", {
    command: "echo $A; sh -c 'echo $B'",
    env: { A: "it's", B: "2" },
    network: true,
  });
  assert.equal(answer.text, "it's\n2");
  const [target] = fixture.targets;
  assert.deepEqual(target, {
    command: "export A='it'\\''s' B='2'\necho $A; sh -c 'echo $B'",
    folder: ".",
    network: true,
    writes: false,
  });
});

test("a command that is not allowed is not run", async (t) => {
  const refusal = new Fault("not_allowed", "No.", "Ask.");
  const fixture = await openFixture(t, { permitCommand: async () => refusal });
  assert.equal((await fixture.call("bash", { command: "touch made" })).error, "not_allowed");
  assert.equal(existsSync(join(fixture.place.root, "made")), false);
});

test("arguments that mean nothing are refused", async (t) => {
  const fixture = await openFixture(t);
  for (const input of [
    {},
    { command: "" },
    { command: "x", timeout: -1 },
    { command: "x", env: { "a b": "c" } },
    { command: "  " },
  ]) {
    assert.equal((await fixture.call("bash", input)).error, "invalid_arguments", JSON.stringify(input));
  }
});

test("what a command changed on disk is told in one line", async (t) => {
  const fixture = await openFixture(t, { changed: ["a.ts", "b.ts"] });
  const answer = await fixture.call("bash", { command: "echo done" });
  assert.equal(answer.text, "done\nChanged on disk: a.ts, b.ts");
  assert.deepEqual(detailsOf(answer).changed, ["a.ts", "b.ts"]);
});

test("output is shown while a command runs", async (t) => {
  const fixture = await openFixture(t);
  await fixture.call("bash", { command: "for i in 1 2 3; do echo step $i; sleep 0.15; done" });
  assert.ok(fixture.progress.length >= 2 && fixture.progress.length <= 8, `${fixture.progress.length}`);
  assert.match(fixture.progress[0] ?? "", /^step 1\n/);
});

test("a call that is aborted stops its command", async (t) => {
  const fixture = await openFixture(t);
  const controller = new AbortController();
  const answered = fixture.call("bash", { command: "echo begun; sleep 60" }, controller.signal);
  setTimeout(() => controller.abort(), 300);
  const answer = await answered;
  assert.match(answer.text, /Stopped before its end/);
  assert.ok(detailsOf(answer).cancelled);
});

const skip = noSandbox();

test("in the sandbox, a failure for want of the network or of rights comes with how to go on", {
  skip,
}, async (t) => {
  const fixture = await openFixture(t, { inSandbox: true });
  const away = await fixture.call("bash", { command: "cat </dev/tcp/127.0.0.1/9" });
  assert.match(away.text, /\[sandboxed: network is off.*network: true\]/);
  assert.ok(detailsOf(away).isSandboxed);
  const write = await fixture.call("bash", { command: "touch /usr/x" });
  assert.match(
    write.text,
    /Read-only file system\n\[Command exited with code 1\]\n\[sandboxed: only the workspace/,
  );
  const fine = await fixture.call("bash", { command: "echo connection refused" });
  assert.equal(fine.text, "connection refused");
});

test("a write of a command that was taken for a reading one is refused, and goes on as a writing one", {
  skip,
}, async (t) => {
  const fixture = await openFixture(t, { inSandbox: true, isReadOnly: true });
  for (const command of ["touch new", "mkdir a/b", 'node -e \'fs.writeFileSync("new", "")\'']) {
    const refused = await fixture.call("bash", { command });
    assert.ok(refused.isError);
  }
  const { text } = await fixture.call("bash", { command: "touch new" });
  assert.match(text, /Read-only file system\n.*\n\[sandboxed: this looked like .* only reads.*writes: true/);
  assert.ok(!existsSync(join(fixture.place.root, "new")));
  assert.equal((await fixture.call("bash", { command: "touch new", writes: true })).isError, false);
  assert.deepEqual(
    fixture.targets.map((target) => target.writes),
    [false, false, false, false, true],
  );
  assert.ok(existsSync(join(fixture.place.root, "new")));
});

test("that /tmp is another one outside of the sandbox is told where it matters", { skip }, async (t) => {
  let inSandbox = false;
  const permitCommand = async () => ({ isSandboxed: inSandbox, network: false, isReadOnly: false });
  const fixture = await openFixture(t, { permitCommand });
  const isTold = /ran outside the sandbox, where \/tmp is another/;
  assert.doesNotMatch(
    (await fixture.call("bash", { command: "ls -d /tmp" })).text,
    isTold,
    "there is only one",
  );
  inSandbox = true;
  await fixture.call("bash", { command: "echo x > /tmp/made" });
  inSandbox = false;
  assert.match((await fixture.call("bash", { command: "cat /tmp/made" })).text, isTold);
  assert.doesNotMatch((await fixture.call("bash", { command: "echo fine" })).text, isTold);
});

test("a network that was asked for and not allowed is told", { skip }, async (t) => {
  const fixture = await openFixture(t, { inSandbox: true, network: false });
  assert.match(
    (await fixture.call("bash", { command: "echo x", network: true })).text,
    /\[The network was asked for, but not allowed\]$/,
  );
});

test("a repository that was set aside is told with the reason and where it is now", { skip }, async (t) => {
  const fixture = await openFixture(t, { inSandbox: true, files: { "sub/file": "" } });
  const { text } = await fixture.call("bash", {
    command: "git init -q sub && git -C sub config core.fsmonitor ./evil",
  });
  assert.match(text, /sub\/\.git would make git run a program outside the sandbox \(core\.fsmonitor\)/);
  assert.match(text, /it is now sub\/\.git-refused-/);
});

test("a command with async goes on as a job, in a shell of its own", async (t) => {
  const fixture = await openFixture(t);
  await fixture.call("bash", { command: "x=1" });
  const started = await fixture.call("bash", {
    command: "echo begun; sleep 0.4; echo [$x]; exit 3",
    async: true,
  });
  assert.match(started.text, /^Started as a job\. Its id is bash-1\./);
  assert.equal(detailsOf(started).jobId, "bash-1");
  assert.equal((await fixture.call("bash", { command: "echo $x" })).text, "1");
  const answer = await fixture.call("job", { poll: ["bash-1", "bash-9"] });
  assert.match(
    answer.text,
    /^## Completed \(1\)\n- bash-1 \(bash\) failed after \d+\.\d s: echo begun; .*\nbegun\n\[\]\n\[Command exited with code 3\]$/,
  );
});

test("a command that takes long goes on as a job, and takes its shell along", async (t) => {
  const fixture = await openFixture(t, { settings: { bashBackgroundAfter: 1500 }, files: { "sub/x": "" } });
  await fixture.call("bash", { command: "x=1; cd sub" });
  const answer = await fixture.call("bash", { command: "sleep 3; echo $x" });
  assert.match(answer.text, /^It takes longer, so it goes on as a job.*Its id is bash-1/);
  assert.equal(
    (await fixture.call("bash", { command: "echo [$x]; pwd" })).text,
    `[]\n${fixture.place.root}/sub`,
  );
  const ended = await fixture.call("job", {});
  assert.match(ended.text, /## Completed \(1\)\n- bash-1 \(bash\) completed after .*\n1$/);
  const [job] = (ended.details as { jobs: { durationMs: number }[] }).jobs;
  assert.ok((job?.durationMs ?? 0) >= 3000, "counted from when the command was started");
});

test("more jobs than allowed are refused, and a long command then is waited for", async (t) => {
  const fixture = await openFixture(t, { settings: { maxJobs: 1, bashBackgroundAfter: 100 } });
  await fixture.call("bash", { command: "sleep 60", async: true });
  const refused = await fixture.call("bash", { command: "sleep 60", async: true });
  assert.equal(refused.error, "too_many_jobs");
  assert.equal((await fixture.call("bash", { command: "sleep 0.4; echo waited for" })).text, "waited for");
});

test("jobs end with the commands, as at the end of a turn", async (t) => {
  const fixture = await openFixture(t);
  await fixture.call("bash", { command: "sleep 60", async: true });
  fixture.background.jobs.cancelAll();
  await fixture.commands().close();
  assert.equal(fixture.background.jobs.get("bash-1")?.status, "cancelled");
  assert.equal((await fixture.call("bash", { command: "true" })).error, "aborted");
});

test("a command that is waited for goes on in the background when somebody puts it there", async (t) => {
  const fixture = await openFixture(t, { isAsync: true });
  const answered = fixture.call("bash", { command: "sleep 0.5; echo done" });
  while (fixture.background.foreground.labels().length === 0) await sleep(5);
  assert.deepEqual(fixture.background.foreground.putAside(), ["sleep 0.5; echo done"]);
  assert.match((await answered).text, /goes on as a job.*Its id is bash-1.*you are told when it has ended/);
  assert.deepEqual(fixture.background.foreground.labels(), []);
  assert.match((await fixture.call("job", {})).text, /bash-1 \(bash\) completed .*\ndone$/);
});
