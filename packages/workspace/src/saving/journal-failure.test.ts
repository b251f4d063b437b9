import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { type Fault, isFault } from "@stet/protocol/fault";
import { isOpenToAll, temporaryFolder } from "@stet/testkit/temporary";
import { openRoot, type Root, resolveInside } from "../files/containment.ts";
import { hashBytes } from "../files/files.ts";
import { type SaveOptions, saveGroup } from "./journal.ts";
import type { GroupWrite } from "./journal-plan.ts";
import { recoverGroups } from "./journal-recovery.ts";

interface Setting {
  root: Root;
  path: string;
  journal: string;
}

const oldFiles = { "a.md": "old a", "docs/b.md": "old b", "docs/c.md": "old c" };

function settingOf(t: TestContext, files: Record<string, string> = oldFiles): Setting {
  const inRoot = Object.entries(files).map(([name, content]) => [`root/${name}`, content] as const);
  const folder = temporaryFolder(t, Object.fromEntries(inRoot));
  mkdirSync(join(folder, "root"), { recursive: true });
  const root = openRoot(join(folder, "root"));
  assert.ok(!isFault(root));
  return { root, path: root.path, journal: join(folder, "journal") };
}

function write(root: Root, path: string, expected: string | null, content: string | Uint8Array): GroupWrite {
  const location = resolveInside(root, path);
  assert.ok(!isFault(location));
  const hash = expected === null ? null : hashBytes(Buffer.from(expected));
  const bytes = Buffer.from(content);
  return { location, bytes, hash: hashBytes(bytes), expected: hash };
}

/** A group that changes the three files and makes a fourth in a new folder. */
function groupOf(root: Root): GroupWrite[] {
  const changes = Object.entries(oldFiles).map(([path, content]) =>
    write(root, path, content, `new ${path}`),
  );
  return [...changes, write(root, "fresh/d.md", null, "new d")];
}

async function refusal(setting: Setting, writes: GroupWrite[], options: SaveOptions = {}): Promise<Fault> {
  const result = await saveGroup(setting.journal, setting.root, writes, options);
  assert.ok(isFault(result), "the group was saved");
  return result;
}

/** Everything below the folder, with its content. */
function snapshot(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
  const folders = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries([
    ...files.sort().map((file) => [file, readFileSync(file, "latin1")]),
    ...folders.sort().map((name) => [name, "folder"]),
  ]);
}

function assertNothingLeft({ journal }: Setting): void {
  if (existsSync(journal)) assert.deepEqual(readdirSync(journal), []);
}

test("a saved group is on disk, reported with hash and mode, and leaves nothing else", async (t) => {
  const setting = settingOf(t);
  const { root, path, journal } = setting;
  chmodSync(join(path, "a.md"), 0o755);
  const before = readdirSync(path, { recursive: true }).length;
  const result = await saveGroup(journal, root, [
    ...groupOf(root),
    { ...write(root, "run.sh", null, "#!/bin/sh\n"), mode: 0o750 },
  ]);
  assert.ok(!isFault(result), isFault(result) ? result.message : "");
  const plain = (0o666 & ~process.umask()).toString(8);
  assert.deepEqual(
    result.map((file) => [file.path, file.mode.toString(8)]),
    [
      ["a.md", "755"],
      ["docs/b.md", plain],
      ["docs/c.md", plain],
      ["fresh/d.md", plain],
      ["run.sh", "750"],
    ],
  );
  for (const file of result) {
    assert.equal(hashBytes(readFileSync(join(path, file.path))), file.hash);
    assert.equal(statSync(join(path, file.path)).mode & 0o7777, file.mode);
  }
  assert.equal(readdirSync(path, { recursive: true }).length, before + 3);
  assertNothingLeft(setting);
});

test("an empty group is saved without a trace", async (t) => {
  const { root, journal } = settingOf(t);
  assert.deepEqual(await saveGroup(journal, root, []), []);
  assert.ok(!existsSync(journal));
});

test("every file that is not as expected is listed, and nothing is written", async (t) => {
  const setting = settingOf(t);
  const { root, path } = setting;
  const writes = groupOf(root);
  writeFileSync(join(path, "a.md"), "someone's a");
  rmSync(join(path, "docs/b.md"));
  mkdirSync(join(path, "fresh"));
  writeFileSync(join(path, "fresh/d.md"), "someone's d");
  const before = snapshot(path);
  const fault = await refusal(setting, writes);
  assert.equal(fault.error, "external_change");
  assert.match(fault.message, /a\.md, docs\/b\.md, fresh\/d\.md are not on disk as last read/);
  assert.deepEqual(fault.details.differences, [
    { path: "a.md", expected: hashBytes(Buffer.from("old a")), found: hashBytes(Buffer.from("someone's a")) },
    { path: "docs/b.md", expected: hashBytes(Buffer.from("old b")), found: null },
    { path: "fresh/d.md", expected: null, found: hashBytes(Buffer.from("someone's d")) },
  ]);
  assert.deepEqual(snapshot(path), before);
  assertNothingLeft(setting);
});

test("a link that leads elsewhere since it was resolved is an external change", async (t) => {
  const setting = settingOf(t, { ...oldFiles, "docs/same.md": "old a" });
  const { root, path } = setting;
  symlinkSync("a.md", join(path, "link.md"));
  const writes = [write(root, "link.md", "old a", "new")];
  rmSync(join(path, "link.md"));
  symlinkSync("docs/same.md", join(path, "link.md"));
  assert.equal((await refusal(setting, writes)).error, "external_change");
});

test("a location that leads out by now is refused again", async (t) => {
  const setting = settingOf(t);
  const { root, path } = setting;
  const outside = join(dirname(path), "outside");
  mkdirSync(outside);
  const writes = groupOf(root);
  renameSync(join(path, "docs"), join(outside, "docs"));
  symlinkSync(join(outside, "docs"), join(path, "docs"));
  assert.equal((await refusal(setting, writes)).error, "path_outside");
  assert.equal(readFileSync(join(outside, "docs/b.md"), "utf8"), "old b");
});

test("one file twice in a group is refused, under one name or two", async (t) => {
  const setting = settingOf(t);
  const { root, path } = setting;
  symlinkSync("a.md", join(path, "link.md"));
  linkSync(join(path, "docs/b.md"), join(path, "hard.md"));
  const twice = async (...writes: GroupWrite[]) =>
    assert.equal((await refusal(setting, writes)).error, "invalid_path");
  await twice(write(root, "a.md", "old a", "1"), write(root, "a.md", "old a", "2"));
  await twice(write(root, "a.md", "old a", "1"), write(root, "link.md", "old a", "2"));
  await twice(write(root, "docs/b.md", "old b", "1"), write(root, "hard.md", "old b", "2"));
  await twice(write(root, "new", null, "1"), write(root, "new", null, "2"));
  await twice(write(root, "new", null, "a file"), write(root, "new/inside", null, "in a folder"));
  assert.equal(readFileSync(join(path, "a.md"), "utf8"), "old a");
  assertNothingLeft(setting);
});

// Each is done just before the step of that name; afterwards everything is as it was but for their own change.
const meddlings: readonly [name: string, step: string, meddle: (path: string) => void][] = [
  ["writes to a file", "recheck", (path) => writeFileSync(join(path, "docs/c.md"), "theirs")],
  [
    "writes to a file in the last moment",
    "rename:2",
    (path) => writeFileSync(join(path, "docs/c.md"), "theirs"),
  ],
  ["writes as many bytes", "rename:1", (path) => writeFileSync(join(path, "docs/b.md"), "OLD B")],
  ["replaces a file", "rename:1", (path) => renameSync(join(path, "theirs"), join(path, "docs/b.md"))],
  ["removes a file", "rename:1", (path) => rmSync(join(path, "docs/b.md"))],
  ["removes a file before its old bytes are kept", "keep:1", (path) => rmSync(join(path, "docs/b.md"))],
  ["changes a mode", "rename:1", (path) => chmodSync(join(path, "docs/b.md"), 0o600)],
  ["creates the new file first", "rename:3", (path) => writeFileSync(join(path, "fresh/d.md"), "theirs")],
  [
    "puts a folder in a file's place",
    "rename:1",
    (path) => {
      rmSync(join(path, "docs/b.md"));
      mkdirSync(join(path, "docs/b.md"));
    },
  ],
];

for (const [name, stepName, meddle] of meddlings) {
  test(`someone who ${name} while a group is saved (${stepName}) is not overwritten`, async (t) => {
    const setting = settingOf(t, { ...oldFiles, theirs: "replaced" });
    const { root, path } = setting;
    const writes = groupOf(root);
    let expected: Record<string, string> = {};
    const fault = await refusal(setting, writes, {
      step: (step) => {
        if (step !== stepName) return;
        meddle(path);
        expected = Object.fromEntries(
          Object.entries(snapshot(path))
            .filter(([file]) => !file.includes(".stet-"))
            .map(([file, content]) => [file, content.replace(/^new (.*\/)?([a-c])\.md$/, "old $2")]),
        );
      },
    });
    assert.equal(fault.error, "external_change", fault.message);
    // The folder of the new file goes with it, unless someone has put something there.
    if (!existsSync(join(path, "fresh/d.md"))) delete expected[join(path, "fresh")];
    assert.deepEqual(snapshot(path), expected);
    assertNothingLeft(setting);
  });
}

test("a second write within one tick of the file system's clock is not overwritten", async (t) => {
  const setting = settingOf(t);
  const file = join(setting.path, "a.md");
  const now = Date.now() / 1000;
  utimesSync(file, now, now);
  const step = (name: string) => {
    if (name !== "recheck") return;
    writeFileSync(file, "OLD A");
    utimesSync(file, now, now);
  };
  const fault = await refusal(setting, [write(setting.root, "a.md", "old a", "new a")], { step });
  assert.equal(fault.error, "external_change");
  assert.equal(readFileSync(file, "utf8"), "OLD A");
});

/** Mounts a small file system for the time of the action; skips the test where that is not possible. */
async function withMount(t: TestContext, folder: string, action: () => Promise<void>): Promise<void> {
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", folder], { stdio: "ignore" });
  } catch {
    t.skip("a small file system can only be mounted by root");
    return;
  }
  try {
    await action();
  } finally {
    execFileSync("umount", ["--lazy", folder]);
  }
}

function remount(folder: string, how: "ro" | "rw"): void {
  execFileSync("mount", ["-o", `remount,${how}`, folder]);
}

test("a full disk refuses the whole group and changes nothing", async (t) => {
  const setting = settingOf(t);
  const { root, path } = setting;
  const small = join(path, "small");
  await withMount(t, small, async () => {
    writeFileSync(join(small, "x.md"), "old x");
    writeFileSync(join(small, "y.md"), "old y");
    linkSync(join(small, "y.md"), join(small, "also-y.md"));
    const before = snapshot(path);
    const large = Buffer.alloc(200_000, "z");
    const cases = [
      [write(root, "small/x.md", "old x", large), write(root, "small/new.md", null, large)],
      [write(root, "small/x.md", "old x", large), write(root, "small/y.md", "old y", large)],
      [write(root, "small/x.md", "old x", Buffer.alloc(400_000, "z"))],
    ];
    for (const writes of cases) {
      const fault = await refusal(setting, [...groupOf(root), ...writes]);
      assert.equal(fault.error, "disk_full");
      assert.match(fault.message, /small\/.*\.md could not be written: the disk is full\./);
      assert.deepEqual(snapshot(path), before);
      assertNothingLeft(setting);
    }
  });
});

test("a full disk under the journal refuses the group before anything is touched", async (t) => {
  const setting = settingOf(t);
  await withMount(t, setting.journal, async () => {
    writeFileSync(join(setting.journal, "filler"), Buffer.alloc(256 * 1024 - 4096));
    const before = snapshot(setting.path);
    const many = Array.from({ length: 40 }, (_, index) =>
      write(setting.root, `new-${index}.md`, null, "new"),
    );
    assert.equal((await refusal(setting, many)).error, "disk_full");
    assert.deepEqual(snapshot(setting.path), before);
    assert.deepEqual(readdirSync(setting.journal), ["filler"]);
  });
});

test("a read-only folder refuses the whole group and changes nothing", async (t) => {
  const setting = settingOf(t);
  const { root, path } = setting;
  const small = join(path, "small");
  const refuse = async () => {
    const before = snapshot(path);
    const fault = await refusal(setting, [...groupOf(root), write(root, "small/x.md", "old x", "new x")]);
    assert.equal(fault.error, "not_permitted");
    const created = await refusal(setting, [...groupOf(root), write(root, "small/new/y.md", null, "new y")]);
    assert.equal(created.error, "not_permitted");
    assert.deepEqual(snapshot(path), before);
    assertNothingLeft(setting);
  };
  if (process.geteuid?.() !== 0) {
    mkdirSync(small);
    writeFileSync(join(small, "x.md"), "old x");
    chmodSync(small, 0o555);
    await refuse();
    chmodSync(small, 0o755);
    return;
  }
  await withMount(t, small, async () => {
    writeFileSync(join(small, "x.md"), "old x");
    remount(small, "ro");
    await refuse();
  });
});

test("what cannot be taken back at once is taken back by the next recovery", async (t) => {
  const setting = settingOf(t);
  const { root, path, journal } = setting;
  const small = join(path, "small");
  await withMount(t, small, async () => {
    writeFileSync(join(small, "x.md"), "old x");
    const before = snapshot(path);
    const writes = [...groupOf(root), write(root, "small/x.md", "old x", "new x")];
    const step = (name: string) => {
      if (name === "rename:4") remount(small, "ro");
    };
    const fault = await refusal(setting, writes, { step });
    assert.equal(fault.error, "not_permitted");
    assert.equal(fault.details.unfinished, "not_permitted");
    assert.equal(readFileSync(join(path, "a.md"), "utf8"), "old a");
    assert.equal(readdirSync(journal).length, 1);

    const early = await recoverGroups(journal, root);
    assert.ok(!isFault(early));
    assert.deepEqual(
      early.left.map((group) => group.fault.error),
      ["not_permitted"],
    );

    remount(small, "rw");
    const report = await recoverGroups(journal, root);
    assert.ok(!isFault(report));
    assert.deepEqual(
      report.takenBack.flatMap((group) => group.files.map((file) => file.state)),
      Array(5).fill("old"),
    );
    assert.deepEqual(snapshot(path), before);
    assertNothingLeft(setting);
  });
});

test("a file that may not be replaced brings back those that were", async (t) => {
  const setting = settingOf(t);
  const { root, path } = setting;
  const fixed = join(path, "docs/b.md");
  const before = snapshot(path);
  const inode = statSync(join(path, "a.md")).ino;
  try {
    execFileSync("chattr", ["+i", fixed], { stdio: "ignore" });
    execFileSync("chattr", ["-i", fixed], { stdio: "ignore" });
  } catch {
    t.skip("files cannot be made immutable here");
    return;
  }
  const step = (name: string) => {
    if (name === "keep:1") execFileSync("chattr", ["+i", fixed]);
  };
  const fault = await refusal(setting, groupOf(root), { step });
  execFileSync("chattr", ["-i", fixed]);
  assert.equal(fault.error, "not_permitted");
  assert.match(fault.message, /docs\/b\.md could not be written/);
  assert.deepEqual(snapshot(path), before);
  assert.equal(statSync(join(path, "a.md")).ino, inode, "the very file came back");
  assertNothingLeft(setting);
});

test("without root's powers: a read-only file stays, someone else's file keeps its owner", (t) => {
  if (process.geteuid?.() !== 0) {
    t.skip("only root can become someone else");
    return;
  }
  const { path } = settingOf(t);
  if (!isOpenToAll(dirname(dirname(path)))) {
    t.skip(`only root may enter the temporary folder ${dirname(dirname(path))}`);
    return;
  }
  for (const folder of [dirname(path), path, join(path, "docs")]) chmodSync(folder, 0o777);
  chownSync(join(path, "a.md"), 65534, 65534);
  chmodSync(join(path, "a.md"), 0o444);
  chownSync(join(path, "docs/b.md"), 1234, 4321);
  chmodSync(join(path, "docs/b.md"), 0o666);
  const args = ["--input-type=module", "--eval", saveAsNobody, path, "a.md", "docs/b.md"];
  const child = spawnSync(process.execPath, args, {
    cwd: import.meta.dirname,
    encoding: "utf8",
  });
  assert.equal(child.stdout, "not_permitted\nsaved\n", child.stderr);
  assert.equal(readFileSync(join(path, "a.md"), "utf8"), "old a");
  assert.equal(readFileSync(join(path, "docs/b.md"), "utf8"), "new");
  const stats = statSync(join(path, "docs/b.md"));
  assert.deepEqual([stats.uid, stats.gid, stats.mode & 0o777], [1234, 4321, 0o666]);
});

/**
 * Saves each file that it is given in a group of its own, and prints what came of it. It becomes someone else after its
 * sources are read: they may be in a folder that only root may enter.
 */
const saveAsNobody = `
  import { openRoot, resolveInside } from "../files/containment.ts";
  import { hashBytes, readBytes } from "../files/files.ts";
  import { saveGroup } from "./journal.ts";
  const [path, ...names] = process.argv.slice(1);
  process.setgroups([]);
  process.setgid(65534);
  process.setuid(65534);
  const root = openRoot(path);
  for (const name of names) {
    const location = resolveInside(root, name);
    const expected = readBytes(root, location).hash;
    const bytes = Buffer.from("new");
    const write = { location, bytes, hash: hashBytes(bytes), expected };
    const saved = await saveGroup(path + "/../journal", root, [write]);
    console.log(saved.error ?? "saved");
  }
`;
