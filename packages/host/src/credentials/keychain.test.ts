// The real Secret Service of Linux, in a session bus of the test's own: unlocked, locked, and absent.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { temporaryFolder } from "@stet/testkit/temporary";

const child = join(import.meta.dirname, "../../../testkit/src/keychain-child.ts");
const isThere = ["dbus-run-session", "gnome-keyring-daemon"].every(
  (program) => spawnSync("which", [program]).status === 0,
);
const skip = isThere ? false : "dbus-run-session or gnome-keyring-daemon is not installed";

/** Runs the child in a session of its own; `before` prepares its keyring. */
function inSession(t: TestContext, before: string, home = temporaryFolder(t)) {
  const script = `${before}\n"${process.execPath}" --disable-warning=ExperimentalWarning "${child}"`;
  const environment = {
    PATH: process.env.PATH ?? "",
    HOME: home,
    XDG_RUNTIME_DIR: home,
    XDG_DATA_HOME: join(home, "share"),
    STET_DATA_DIR: join(home, "stet"),
    STET_KEYCHAIN: "on",
  };
  const run = spawnSync("dbus-run-session", ["--", "bash", "-c", script], {
    env: environment,
    encoding: "utf8",
    timeout: 60_000,
  });
  assert.equal(run.status, 0, run.stderr);
  const told = JSON.parse(run.stdout.trim().split("\n").at(-1) ?? "");
  return { told, home, file: join(home, "stet", "credentials.json") };
}

const unlock = "printf secret | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1";

test("an unlocked keychain keeps the key, and no file does", { skip }, (t) => {
  const { told, file } = inSession(t, unlock);
  assert.deepEqual(told.added, "keychain");
  assert.equal(told.note, null);
  assert.equal(told.read, "key-of-the-test");
  assert.doesNotMatch(readFileSync(file, "utf8"), /key-of-the-test/);
  assert.equal(told.afterForgetting, 0);
});

test("a locked keychain is not waited for: the key is in a private file within a second, and that is said", {
  skip,
}, (t) => {
  const home = temporaryFolder(t);
  inSession(t, unlock, home);
  const locked = "gnome-keyring-daemon --start --components=secrets >/dev/null 2>&1";
  const { told, file } = inSession(t, locked, home);
  assert.equal(told.added, "file");
  assert.match(told.note, /in a file that only your account can read.*because the system's keychain/);
  assert.equal(told.read, "key-of-the-test");
  assert.equal(told.modeOfFile, "600");
  assert.ok(existsSync(file) && (statSync(file).mode & 0o077) === 0);
});

test("a keychain that waits for a person is given up, and the process ends", { skip }, (t) => {
  const stopped = `${unlock}\npid=$(pgrep -n gnome-keyring)\nkill -STOP "$pid"\ntrap 'kill -KILL "$pid"' EXIT`;
  const { told, file } = inSession(t, stopped);
  assert.equal(told.added, "file");
  assert.match(told.note, /the system's keychain does not answer; it may be locked/);
  assert.equal(told.read, "key-of-the-test");
  assert.ok(told.tookMilliseconds >= 700, "it really did not answer");
  assert.ok(existsSync(file));
});

test("without a keychain the key is in a private file", (t) => {
  const home = temporaryFolder(t);
  const run = spawnSync(process.execPath, ["--disable-warning=ExperimentalWarning", child], {
    env: {
      PATH: process.env.PATH ?? "",
      HOME: home,
      STET_DATA_DIR: join(home, "stet"),
      STET_KEYCHAIN: "off",
    },
    encoding: "utf8",
    timeout: 60_000,
  });
  assert.equal(run.status, 0, run.stderr);
  const told = JSON.parse(run.stdout);
  assert.equal(told.added, "file");
  assert.equal(told.read, "key-of-the-test");
  assert.equal(told.modeOfFile, "600");
});
