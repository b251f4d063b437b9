import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { isFault } from "@stet/protocol/fault";
import { temporaryFolder } from "@stet/testkit/temporary";
import { type FolderChange, type WatchOptions, watchFolder } from "./watch.ts";

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Collects what is reported, so that a test can wait for it however slow the machine is. */
class Reported {
  batches: (readonly FolderChange[])[] = [];

  get all(): string[] {
    return this.batches.flat().map((change) => `${change.kind} ${change.path}`);
  }

  async until(isDone: () => boolean): Promise<void> {
    for (const start = Date.now(); !isDone(); await pause(10)) {
      assert.ok(Date.now() - start < 5000, `only got ${this.all.slice(0, 20).join(", ")}`);
    }
  }

  /**
   * Waits for these and no others, in any order, and forgets everything reported so far. A file that is created
   * may be reported once more when its content has been written.
   */
  async expect(...changes: string[]): Promise<void> {
    await this.until(() => {
      const all = new Set(this.all);
      return changes.every((change) => all.has(change));
    });
    await pause(120);
    const isSecond = (change: string) => changes.includes(change.replace(/^update /, "create "));
    const others = this.all.filter((change) => !changes.includes(change) && !isSecond(change));
    assert.deepEqual(others, []);
    this.batches = [];
  }
}

async function watching(t: TestContext, root: string, options: WatchOptions = {}): Promise<Reported> {
  const reported = new Reported();
  const watch = await watchFolder(root, (changes) => reported.batches.push(changes), options);
  assert.ok(!isFault(watch), JSON.stringify(watch));
  t.after(() => watch.close());
  return reported;
}

test("a file created, modified, renamed and deleted is reported each time", async (t) => {
  const root = temporaryFolder(t, { "notes/a.md": "a" });
  const reported = await watching(t, root);
  writeFileSync(join(root, "notes/b.md"), "b");
  await reported.expect("create notes/b.md");
  appendFileSync(join(root, "notes/b.md"), "more");
  await reported.expect("update notes/b.md");
  renameSync(join(root, "notes/b.md"), join(root, "c ö\n.md"));
  await reported.expect("delete notes/b.md", "create c ö\n.md");
  rmSync(join(root, "notes/a.md"));
  await reported.expect("delete notes/a.md");
});

test("a save by renaming over the file is a change of that file", async (t) => {
  const root = temporaryFolder(t, { "a.md": "a", "b.md": "b" });
  const reported = await watching(t, root);
  const isAbout = (path: string) =>
    reported.all.some((change) => /^(create|update) /.test(change) && change.endsWith(path));
  for (const temporary of [".stet-1-0.tmp", ".a.md.swp"]) {
    writeFileSync(join(root, temporary), temporary);
    renameSync(join(root, temporary), join(root, "a.md"));
    await reported.until(() => isAbout(" a.md"));
    assert.ok(!reported.all.some((change) => change.includes(".stet-")));
    await pause(100);
    reported.batches = [];
  }
  renameSync(join(root, "b.md"), join(root, "b.md~"));
  writeFileSync(join(root, "b.md"), "new");
  rmSync(join(root, "b.md~"));
  await reported.until(() => isAbout(" b.md"));
  assert.ok(!reported.all.includes("delete b.md"), "a file that is there is not reported as deleted");
});

test("the contents of a folder that appears are reported, however fast they were", async (t) => {
  const root = temporaryFolder(t);
  const outside = temporaryFolder(t, { "x/y/z.md": "z", "x/node_modules/m.js": "m" });
  const reported = await watching(t, root);
  mkdirSync(join(root, "d/e"), { recursive: true });
  writeFileSync(join(root, "d/e/f.md"), "f");
  await reported.expect("create d", "create d/e", "create d/e/f.md");
  renameSync(join(outside, "x"), join(root, "x"));
  await reported.expect("create x", "create x/y", "create x/y/z.md");
  renameSync(join(root, "x"), join(root, "v"));
  await reported.expect("delete x", "create v", "create v/y", "create v/y/z.md");
  symlinkSync(outside, join(root, "link"));
  await reported.expect("create link");
});

test("git, Stet, node_modules and what the caller names stay silent", async (t) => {
  const root = temporaryFolder(t, { "sub/.git/HEAD": "", "node_modules/m/index.js": "", "out/log.txt": "" });
  const reported = await watching(t, root, { ignore: ["*.log", "/out/", "deep/cache"] });
  const silent = [
    ".git/index",
    "sub/.git/HEAD",
    ".stet/ledger.db",
    "node_modules/m/index.js",
    "sub/node_modules/x.js",
    ".stet-1-0.tmp",
    "sub/.stet-1-0.old",
    "a.log",
    "out/log.txt",
    "deep/cache/x",
  ];
  for (const path of silent) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), "changed");
  }
  writeFileSync(join(root, "sub/a.md"), "heard");
  await reported.expect("create deep", "create sub/a.md");
});

test("changes of one path within the window are one", async (t) => {
  const root = temporaryFolder(t, { "a.md": "a" });
  const reported = await watching(t, root, { debounceMs: 400 });
  for (const text of ["1", "2", "3"]) {
    writeFileSync(join(root, "a.md"), text);
    await pause(80);
  }
  await reported.until(() => reported.batches.length > 0);
  assert.deepEqual(reported.batches, [[{ path: "a.md", kind: "update" }]]);
});

test("many files at once are all reported", async (t) => {
  const root = temporaryFolder(t);
  mkdirSync(join(root, "d"));
  const reported = await watching(t, root);
  const expected = Array.from({ length: 1000 }, (_, index) => `create d/${index}.md`);
  for (const change of expected) writeFileSync(join(root, change.slice("create ".length)), "x");
  await reported.expect(...expected);
});

test("too many changes to keep become one that says everything may differ", async (t) => {
  const root = temporaryFolder(t);
  const outside = temporaryFolder(
    t,
    Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`x/${index}`, ""])),
  );
  const reported = await watching(t, root, { maxPending: 50, debounceMs: 400 });
  for (let index = 0; index < 60; index += 1) writeFileSync(join(root, `${index}.md`), "x");
  await reported.until(() => reported.batches.length > 0);
  assert.deepEqual(reported.batches, [[{ path: "", kind: "update" }]]);
  reported.batches = [];
  renameSync(join(outside, "x"), join(root, "x"));
  await reported.until(() => reported.batches.length > 0);
  assert.deepEqual(reported.batches, [[{ path: "", kind: "update" }]]);
  reported.batches = [];
  writeFileSync(join(root, "later.md"), "x");
  await reported.expect("create later.md");
});

test("when the folder itself goes, everything may have changed, and closing still works", async () => {
  const root = mkdtempSync(join(tmpdir(), "stet-test-"));
  const reported = new Reported();
  const watch = await watchFolder(root, (changes) => reported.batches.push(changes));
  assert.ok(!isFault(watch));
  rmSync(root, { recursive: true });
  await reported.until(() => reported.all.includes("update "));
  await watch.close();
});

test("after close nothing is reported, not even what was waiting", async (t) => {
  const root = temporaryFolder(t);
  const reported = new Reported();
  const watch = await watchFolder(root, (changes) => reported.batches.push(changes), { debounceMs: 400 });
  assert.ok(!isFault(watch));
  writeFileSync(join(root, "a.md"), "a");
  await pause(70);
  await Promise.all([watch.close(), watch.close()]);
  writeFileSync(join(root, "b.md"), "b");
  await pause(500);
  assert.deepEqual(reported.batches, []);
});

test("two watches of one folder do not disturb each other", async (t) => {
  const root = temporaryFolder(t);
  const kept = await watching(t, root);
  const closed = await watchFolder(root, () => assert.fail("it was closed"));
  assert.ok(!isFault(closed));
  await closed.close();
  writeFileSync(join(root, "a.md"), "a");
  await kept.expect("create a.md");
});

async function inAnotherProcess(root: string, script: string): Promise<string> {
  const url = JSON.stringify(import.meta.resolve("./watch.ts"));
  const lines = [`import { watchFolder } from ${url};`, `import { writeFileSync } from "node:fs";`, script];
  const options = { cwd: root, timeout: 10_000 };
  const node = ["--input-type=module", "--eval", lines.join("\n")];
  const { stdout } = await promisify(execFile)(process.execPath, node, options);
  return stdout.trim();
}

test("close lets the process come to its end", async (t) => {
  const output = await inAnotherProcess(
    temporaryFolder(t),
    `const watch = await watchFolder(process.cwd(), async () => { await watch.close(); console.log("closed"); });
    writeFileSync("a.md", "a");`,
  );
  assert.equal(output, "closed");
});

test("a watcher that cannot start is a fault, so that the caller can do without", async (t) => {
  const root = temporaryFolder(t, { "a.md": "a" });
  const missing = await watchFolder(join(root, "missing"), () => {});
  const file = await watchFolder(join(root, "a.md"), () => {});
  for (const fault of [missing, file]) assert.ok(isFault(fault) && fault.error === "io_failed");
  const badGlob = await watchFolder(root, () => {}, { ignore: ["{a"] });
  assert.ok(isFault(badGlob) && badGlob.error === "invalid_regex");

  const noBinary = await inAnotherProcess(
    root,
    `Object.defineProperty(process, "arch", { value: "abacus" });
    console.log((await watchFolder(process.cwd(), () => {})).message);`,
  );
  assert.match(noBinary, /cannot be watched: No prebuild/);
});

/** Limits of a user namespace of its own, so that only this process gets to feel them. */
const withLimit = (name: string, value: number, command: string) =>
  `echo ${value} > /proc/sys/user/${name} && exec ${command}`;

test("a system that has no watches left is a fault, and no process that hangs", async (t) => {
  const root = temporaryFolder(t, { "a/b/c/d.md": "d" });
  const url = JSON.stringify(import.meta.resolve("./watch.ts"));
  writeFileSync(
    join(root, "watch.mjs"),
    `import { watchFolder } from ${url};
    console.log((await watchFolder(process.cwd(), () => {})).message);`,
  );
  const run = (name: string, value: number) =>
    promisify(execFile)(
      "unshare",
      ["-Ur", "sh", "-c", withLimit(name, value, `"${process.execPath}" watch.mjs`)],
      {
        cwd: root,
        timeout: 5000,
      },
    );
  try {
    await promisify(execFile)("unshare", ["-Ur", "sh", "-c", withLimit("max_inotify_instances", 9, "true")]);
  } catch {
    t.skip("this system has no user namespaces to set limits in");
    return;
  }
  assert.match((await run("max_inotify_instances", 0)).stdout, /cannot be watched: .*EMFILE/);
  assert.match((await run("max_inotify_watches", 2)).stdout, /cannot be watched: .*No space left/);
});

test("a watcher that dies is started again, and everything may have changed", async (t) => {
  const canSignal = process.platform === "linux" && process.arch === "x64" && existsSync("/usr/bin/perl");
  if (!canSignal) return t.skip("needs Linux on x64, and perl to signal a thread");
  const root = temporaryFolder(t);
  const reported = await watching(t, root);
  const onSignal = () => {};
  process.on("SIGWINCH", onSignal);
  t.after(() => process.off("SIGWINCH", onSignal));
  // A signal to its very thread, which is one of these, interrupts its waiting. It takes that for the end.
  const threads = readdirSync("/proc/self/task").filter((id) => id !== String(process.pid));
  const tgkill = 234;
  const script = threads.map((thread) => `syscall(${tgkill}, ${process.pid}, ${thread}, 28);`).join(" ");
  await reported.until(() => {
    execFileSync("perl", ["-e", script]);
    return reported.batches.length > 0;
  });
  assert.deepEqual([...new Set(reported.all)], ["update "]);
  let attempts = 0;
  await reported.until(() => {
    attempts += 1;
    writeFileSync(join(root, `${attempts}.md`), "heard again?");
    return reported.all.some((change) => change.startsWith("create "));
  });
});
