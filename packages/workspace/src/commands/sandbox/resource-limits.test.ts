// Bounds on processes and memory. A test that makes many processes runs only where the kernel has confirmed the bound.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { noSandbox, openCommands } from "@stet/testkit/commands-fixture";
import { launchWords } from "../shell/launch-script.ts";
import { makeLimitGroup, type Resource, resourceLimits } from "./resource-limits.ts";

const noBox = noSandbox();

/** What a control group bounds here. */
const bounded = (() => {
  const group = makeLimitGroup(resourceLimits({ processes: 100 }));
  group.release();
  return group.bounded;
})();

function withoutGroup(resource: Resource): string | false {
  return bounded.includes(resource) ? false : "no control group can be made here";
}

test("a process is in its control group before it becomes the sandbox, and so is all that it starts", {
  skip: withoutGroup("processes"),
}, () => {
  const group = makeLimitGroup(resourceLimits({ processes: 50 }));
  const [entrance = ""] = group.entrances;
  const words = launchWords({ entrances: group.entrances, filter: undefined });
  const [file = "", ...rest] = [
    ...words,
    "/bin/sh",
    "-c",
    "cat /proc/self/cgroup; sh -c 'cat /proc/self/cgroup'",
  ];
  const { stdout } = spawnSync(file, rest, { encoding: "utf8" });
  const name = dirname(entrance).split("/").at(-1) ?? "";
  assert.equal(stdout.split(name).length - 1, 2);
  assert.equal(readFileSync(join(dirname(entrance), "pids.max"), "utf8").trim(), "50");
  group.release();
  assert.equal(existsSync(dirname(entrance)), false);
});

test("a command that forks a few hundred processes meets the bound, and the next command works", {
  skip: noBox || withoutGroup("processes"),
}, async (t) => {
  const fixture = openCommands(t, { limits: { processes: 60 } });
  const forks = "i=0; while [ $i -lt 300 ]; do sleep 2 & i=$((i+1)); done; echo begun $i";
  const end = await fixture.run(`${forks}; wait`, { timeoutSeconds: 2, hasOwnShell: true });
  assert.match(end.output.text, /Resource temporarily unavailable|retry/);
  assert.equal((await fixture.run("echo on")).output.text, "on\n");
});

test("a command outside of the sandbox is bounded as well", {
  skip: withoutGroup("processes"),
}, async (t) => {
  const fixture = openCommands(t, { limits: { processes: 61 }, inSandbox: false });
  const { output } = await fixture.run(
    "cat /sys/fs/cgroup/pids$(sed -n 's/.*:pids://p' /proc/self/cgroup)/pids.max /sys/fs/cgroup$(sed -n 's/^0:://p' /proc/self/cgroup)/pids.max 2>/dev/null",
  );
  assert.match(output.text, /^61$/m);
});

test("a command that takes more memory than it may is ended, and the next command works", {
  skip: noBox || (process.platform !== "linux" && "looks at /proc"),
}, async (t) => {
  const fixture = openCommands(t, { limits: { memoryBytes: 200 * 1024 ** 2 } });
  // Each process for itself stays below what a process may have; all of them together do not.
  const hold = 'my $x = "x" x (60 * 1024 * 1024); sleep 4';
  const end = await fixture.run(`for i in 1 2 3 4 5 6; do perl -e '${hold}' & done; wait; echo ended`, {
    timeoutSeconds: 15,
    hasOwnShell: true,
  });
  assert.match(end.output.text, /Killed|Out of memory/i);
  assert.equal((await fixture.run("echo on")).output.text, "on\n");
  const one = await fixture.run(`perl -e 'my $x = "x" x (400 * 1024 * 1024); print "out"'`);
  assert.equal(one.output.text.includes("out"), false);
});
