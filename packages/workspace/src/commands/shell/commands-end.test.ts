// Nothing outlives its command's time, its turn, or Stet.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { noSandbox, openCommands } from "@stet/testkit/commands-fixture";
import { living, uniqueName } from "@stet/testkit/living-processes";
import { temporaryFolder } from "@stet/testkit/temporary";
import { must } from "@stet/testkit/workspace";
import { defaultSize } from "./terminal.ts";

const isLinux = process.platform === "linux";

for (const inSandbox of [false, true]) {
  const where = inSandbox ? "in the sandbox" : "outside the sandbox";
  const skip = !isLinux ? "looks at /proc" : inSandbox && noSandbox();

  const waysToStay: readonly [why: string, command: (name: string) => string][] = [
    ["waits", (name) => `exec -a ${name} sleep 300`],
    ["waits in a pipeline", (name) => `(exec -a ${name} sleep 300) | cat`],
    [
      "ignores that it is asked to end",
      (name) => `trap '' TERM INT HUP; (exec -a ${name} sleep 300); echo next`,
    ],
    ["starts something in the background and waits", (name) => `(exec -a ${name} sleep 300) & wait`],
    ["leaves its session", (name) => `setsid bash -c 'exec -a ${name} sleep 300'`],
    ["forks away twice", (name) => `setsid bash -c '(exec -a ${name} sleep 300) & exit'; sleep 300`],
    [
      "uses nohup and disown",
      (name) => `nohup bash -c 'exec -a ${name} sleep 300' >/dev/null 2>&1 & disown; sleep 300`,
    ],
    ["starts with an empty environment", (name) => `env -i /bin/bash -c 'exec -a ${name} sleep 300'`],
    ["is stopped", (name) => `(exec -a ${name} sleep 300) & kill -STOP $!; wait`],
    ["starts again what is killed", (name) => `trap '' TERM; while :; do (exec -a ${name} sleep 300); done`],
  ];
  // Most of it is waiting.
  describe(`${where}, at its time's end`, { concurrency: 5 }, () => {
    for (const [why, command] of waysToStay) {
      test(`a command ends with all its processes that ${why}`, {
        skip,
      }, async (t) => {
        const fixture = openCommands(t, { inSandbox });
        await fixture.run("x=1");
        const name = uniqueName();
        const end = await fixture.run(command(name), { timeoutSeconds: 1 });
        assert.deepEqual(
          [end.timedOut, end.cancelled, end.exitCode, end.shellEnded],
          [true, false, undefined, true],
        );
        assert.deepEqual(living(name), []);
        assert.ok(end.durationMs < 15_000, `${end.durationMs} ms`);
        assert.equal((await fixture.run("echo fine")).output.text, "fine\n");
      });
    }
  });

  test(`${where}: what would come next in a command is not begun when it is stopped`, { skip }, async (t) => {
    const fixture = openCommands(t, {
      inSandbox,
      files: { "root/script": "sleep 300\ntouch begun-by-script\n" },
    });
    const ends = await Promise.all(
      [
        "sleep 300; touch begun",
        "bash script; touch begun",
        "sleep 300 | cat; touch begun",
        "(sleep 300); touch begun",
      ].map((command) => fixture.run(command, { timeoutSeconds: 1 })),
    );
    assert.ok(ends.every((end) => end.timedOut));
    assert.deepEqual(
      readdirSync(fixture.root).sort(),
      inSandbox ? [".git", ".keep", ".stet", "script"] : [".keep", "script"],
    );
  });

  test(`${where}: a program that ends itself when asked has time to do so`, { skip }, async (t) => {
    const fixture = openCommands(t, { inSandbox });
    const command = "trap 'sleep 0.5; echo cleaned; exit' TERM; while :; do sleep 0.05; done";
    // On a busy machine it takes a while until the program has said how it wants to end.
    const end = await fixture.run(`bash -c ${JSON.stringify(command)}`, { timeoutSeconds: 3 });
    assert.ok(end.timedOut);
    assert.match(end.output.text, /cleaned/);
  });

  test(`${where}: programs are asked once, and by nothing but SIGTERM`, { skip }, async (t) => {
    const traps = "trap 'echo hung up' HUP; trap 'sleep 0.2; echo asked; exit' TERM";
    const command = `bash -c ${JSON.stringify(`${traps}; echo ready; while :; do sleep 0.01; done`)}`;
    // About one in twenty met it when they were let go on in any order.
    const ends = Array.from({ length: 20 }, async () => {
      const controller = new AbortController();
      const fixture = openCommands(t, { inSandbox });
      const running = fixture.commands.start({
        command,
        isSandboxed: inSandbox,
        network: false,
        timeoutSeconds: 60,
        signal: controller.signal,
        onOutput: () => controller.abort(),
      });
      const end = must(await running.ended);
      assert.match(end.output.text, /asked/);
      assert.doesNotMatch(end.output.text, /hung up/);
    });
    await Promise.all(ends);
  });

  test(`${where}: a command that is aborted ends with all its processes`, { skip }, async (t) => {
    const fixture = openCommands(t, { inSandbox });
    const name = uniqueName();
    const controller = new AbortController();
    const running = fixture.run(`echo begun; exec -a ${name} sleep 300`, { signal: controller.signal });
    while (living(name).length === 0) await sleep(10);
    controller.abort();
    const end = await running;
    assert.deepEqual([end.cancelled, end.timedOut, end.output.text], [true, false, "begun\n"]);
    assert.deepEqual(living(name), []);
    assert.equal((await fixture.refused("true", { signal: controller.signal })).error, "aborted");
  });

  test(`${where}: a flood ends in time, and little of it is kept`, { skip }, async (t) => {
    const fixture = openCommands(t, { inSandbox });
    const before = process.memoryUsage().rss;
    const end = await fixture.run("yes 'a long line that comes again and again'", { timeoutSeconds: 2 });
    assert.ok(end.timedOut && end.output.totalBytes > 10_000_000);
    assert.ok(process.memoryUsage().rss - before < 300 * 1024 ** 2);
    const line = await fixture.run("head -c 30000000 /dev/zero | tr '\\0' x");
    assert.equal(line.output.totalBytes, 30_000_000);
    assert.ok(line.output.text.length <= 50 * 1024);
  });

  test(`${where}: processes that replace each other faster than they are found end too`, {
    skip,
  }, async (t) => {
    const fixture = openCommands(t, { inSandbox });
    const name = uniqueName();
    // Twenty at a time, each of which starts its successor and ends: never more, never the same.
    writeFileSync(join(fixture.root, name), "trap '' TERM\nsleep 0.02\nsetsid bash \"$0\" &\n");
    const end = await fixture.run(`for i in {1..20}; do setsid bash ./${name} & done; sleep 300`, {
      timeoutSeconds: 1,
    });
    assert.ok(end.timedOut);
    await sleep(100);
    assert.deepEqual(living(name), []);
  });

  test(`${where}: a terminal's command ends at its time, also when it ignores that the terminal is gone`, {
    skip,
  }, async (t) => {
    const fixture = openCommands(t, { inSandbox });
    const name = uniqueName();
    const command = `trap '' HUP TERM; (exec -a ${name} sleep 300) & echo begun; wait; sleep 300`;
    const end = await fixture.run(command, { terminal: defaultSize, timeoutSeconds: 1 });
    assert.deepEqual([end.timedOut, end.output.text], [true, "begun\n"]);
    assert.deepEqual(living(name), []);
  });

  test(`${where}: after closing nothing is alive: not what runs, not what was left in the background`, {
    skip,
  }, async (t) => {
    const fixture = openCommands(t, { inSandbox });
    const name = uniqueName();
    const sleeper = `exec -a ${name} sleep 300`;
    await fixture.run(`(${sleeper}) & setsid nohup bash -c '(${sleeper}) & exit' >/dev/null 2>&1; disown -a`);
    await fixture.run(`setsid bash -c '(trap "" TERM HUP; ${sleeper}) & exit'`, { terminal: defaultSize });
    const running = fixture.run(sleeper);
    const own = fixture.run(sleeper, { hasOwnShell: true });
    // What a terminal in the sandbox leaves behind ends with the terminal.
    while (living(name).length < (inSandbox ? 4 : 5)) await sleep(10);
    await fixture.commands.close();
    assert.deepEqual(living(name), []);
    assert.ok((await running).cancelled && (await own).cancelled);
    assert.equal((await fixture.refused("true")).error, "aborted");
  });

  test(`${where}: nothing survives a Stet that was killed`, { skip }, async (t) => {
    const name = uniqueName();
    const folder = temporaryFolder(t, { "root/name": name });
    mkdirSync(join(folder, "state"));
    const script = join(import.meta.dirname, "../../../../testkit/src/commands-child.ts");
    const words = ["--disable-warning=ExperimentalWarning", script, folder, inSandbox ? "sandbox" : "open"];
    const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
    t.after(() => child.kill("SIGKILL"));
    await once(child.stdout, "data");
    while (living(name).length < 4) await sleep(10);
    child.kill("SIGKILL");
    await once(child, "exit");
    for (let round = 0; round < 150 && living(name).length > 0; round += 1) await sleep(20);
    assert.deepEqual(living(name), []);
  });
}

test("a fork bomb is bounded", { skip: !isLinux ? "looks at /proc" : noSandbox() }, async (t) => {
  const fixture = openCommands(t);
  const name = uniqueName();
  // Far fewer than the limit of the sandbox, by a limit of the command's own; root is not bound by that one.
  const bound = process.getuid?.() === 0 ? 6 : 9;
  writeFileSync(
    join(fixture.root, name),
    `d=$1; [ $d -ge ${bound} ] && exec sleep 300\nbash ./${name} $((d+1)) & bash ./${name} $((d+1)) & wait\n`,
  );
  const end = await fixture.run(`ulimit -u 200 2>/dev/null; bash ./${name} 0`, { timeoutSeconds: 2 });
  assert.ok(end.timedOut);
  assert.deepEqual(living(name), []);
});

for (const inSandbox of [true, false]) {
  const skip = !isLinux ? "looks at /proc" : inSandbox && noSandbox();
  const where = inSandbox ? "in the sandbox" : "outside the sandbox";
  test(`what a command leaves running is known, also when its shell has ended, ${where}`, {
    skip,
  }, async (t) => {
    const { run, commands } = openCommands(t, { inSandbox });
    await run("true");
    assert.equal(commands.isAtWork, false);
    assert.equal((await run("sleep 20 & echo $! > pid; exit 3")).exitCode, 3);
    await sleep(100);
    assert.equal(commands.isAtWork, true, "beside no shell");
    await run("true");
    assert.equal(commands.isAtWork, true, "beside a shell");
    await run("kill $(cat pid)");
    while (commands.isAtWork) await sleep(10);
  });
}

for (const inSandbox of [true, false]) {
  const skip = !isLinux ? "looks at /proc" : inSandbox && noSandbox();
  const where = inSandbox ? "in the sandbox" : "outside the sandbox";
  test(`when commands retire, only what was left to go on is alive, and it ends with its command, ${where}`, {
    skip,
  }, async (t) => {
    const { run, commands } = openCommands(t, { inSandbox });
    const [behind, away, left, lost] = [uniqueName(), uniqueName(), uniqueName(), uniqueName()];
    await run(`(exec -a ${behind} sleep 300) & setsid bash -c 'exec -a ${away} sleep 300' & disown -a`);
    const request = { timeoutSeconds: undefined, isSandboxed: inSandbox, network: false, hasOwnShell: true };
    const going = commands.start({
      ...request,
      command: `(exec -a ${lost} sleep 300) & bash -c 'exec -a ${left} sleep 1'; echo done`,
    });
    going.leave();
    while (living(left).length === 0) await sleep(10);
    assert.equal(await commands.retire(), true);
    assert.deepEqual([living(behind), living(away)], [[], []]);
    assert.equal(living(left).length, 1);
    const end = must(await going.ended);
    assert.match(end.output.text, /done/);
    await commands.closed;
    assert.deepEqual([living(left), living(lost)], [[], []]);
  });
}

test("commands that retire with nothing left to go on are closed", { skip: !isLinux }, async (t) => {
  const { run, commands } = openCommands(t, { inSandbox: false });
  await run("true");
  assert.equal(await commands.retire(), false);
  await commands.closed;
});
