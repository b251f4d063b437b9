import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { endProcesses, isAlive, markerName, newMarker, processesOf, scanProcesses } from "./processes.ts";

function start(t: TestContext, marker: string, script: string): ChildProcess {
  const env = { PATH: process.env.PATH, [markerName]: marker };
  const child = spawn("bash", ["--norc", "-c", script], { env, stdio: "ignore" });
  t.after(() => endProcesses(marker));
  return child;
}

test("a marker finds its own processes and no others, however alike it is", async (t) => {
  const marker = newMarker();
  const one = start(t, `${marker}open-1`, "sleep 60; true");
  const eleven = start(t, `${marker}open-11`, "sleep 60; true");
  const other = start(t, `${newMarker()}open-1`, "sleep 60; true");
  while (processesOf(marker).length < 4 || processesOf(`${marker}open-1`).length < 2) await sleep(10);
  assert.ok(processesOf(`${marker}open-1`).includes(one.pid ?? 0));
  assert.equal(processesOf(`${marker}open-1`).includes(eleven.pid ?? 0), false);
  assert.equal(processesOf(marker).includes(other.pid ?? 0), false);
  await endProcesses(`${marker}open-1`);
  assert.deepEqual(processesOf(`${marker}open-1`), []);
  assert.equal(processesOf(`${marker}open-11`).length, 2);
  await endProcesses(marker);
  assert.deepEqual(processesOf(marker), []);
  assert.ok(isAlive(other.pid ?? 0));
});

test("a process without the marker counts by its parent, and this process never does", async (t) => {
  const marker = newMarker();
  start(t, `${marker}x`, `env -i /bin/sleep 60; true`);
  while (processesOf(marker).length < 2) await sleep(10);
  assert.equal(processesOf(marker).includes(process.pid), false);
  await endProcesses(marker);
  assert.deepEqual(processesOf(marker), []);
});

test("ending nothing takes no time", async () => {
  const started = performance.now();
  await endProcesses(newMarker());
  assert.ok(performance.now() - started < 1500);
});

test("a scan during which processes begin does not count as complete", {
  skip: process.platform !== "linux" && "reads /proc",
}, async (t) => {
  const marker = newMarker();
  start(t, `${marker}x`, "sleep 60; true");
  while (processesOf(marker).length < 2) await sleep(10);
  const scan = scanProcesses(marker, () => spawnSync("true"));
  assert.equal(scan.pids.length, 2);
  assert.equal(scan.isComplete, false);
});
