import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import { temporaryFolder } from "@stet/testkit/temporary";
import { openRoot, type Root, resolveInside } from "../files/containment.ts";
import { hashBytes } from "../files/files.ts";
import { saveGroup } from "./journal.ts";
import { type RecoveryReport, recoverGroups } from "./journal-recovery.ts";

interface Setting {
  root: Root;
  path: string;
  journal: string;
}

const names = ["a.md", "docs/b.md", "docs/c.md"];

function settingOf(t: TestContext): Setting {
  const files = Object.fromEntries(names.map((name) => [`root/${name}`, `old ${name}`]));
  const folder = temporaryFolder(t, { ...files, "outside/secret.txt": "secret" });
  const root = openRoot(join(folder, "root"));
  assert.ok(!isFault(root));
  return { root, path: root.path, journal: join(folder, "journal") };
}

/** Saves the three files and a new one, and stops for good before the named step. */
async function interrupt({ root, journal }: Setting, last: string): Promise<void> {
  const writes = [...names, "fresh/d.md"].map((name) => {
    const location = resolveInside(root, name);
    assert.ok(!isFault(location));
    const expected = location.exists ? hashBytes(Buffer.from(`old ${name}`)) : null;
    const bytes = Buffer.from(`new ${name}`);
    return { location, bytes, hash: hashBytes(bytes), expected, tag: `tag ${name}` };
  });
  const step = (name: string) => {
    if (name === last) throw new Error("crash");
  };
  await assert.rejects(saveGroup(journal, root, writes, { step, tag: "the group's" }), /crash/);
}

async function recovered({ root, journal }: Setting): Promise<RecoveryReport> {
  const report = await recoverGroups(journal, root);
  assert.ok(!isFault(report), isFault(report) ? report.message : "");
  return report;
}

function contentOf({ path }: Setting, name: string): string | null {
  const file = join(path, name);
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}

function assertTidy({ path, journal }: Setting): void {
  const left = readdirSync(path, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.includes(".stet"),
  );
  assert.deepEqual(left, []);
  assert.deepEqual(readdirSync(journal), []);
}

/** The temporary file of the group's file with this index. */
function temporaryOf({ path }: Setting, index: number): string {
  const found = readdirSync(path, { recursive: true, encoding: "utf8" }).find((name) =>
    name.endsWith(`-${index}.tmp`),
  );
  assert.ok(found !== undefined);
  return join(path, found);
}

/** Rewrites the record of the interrupted group. */
function forge({ journal }: Setting, change: (text: string) => string): void {
  const [record = ""] = readdirSync(journal);
  writeFileSync(join(journal, record), change(readFileSync(join(journal, record), "utf8")));
}

test("without a journal there is nothing to recover", async (t) => {
  assert.deepEqual(await recovered(settingOf(t)), { finished: [], takenBack: [], left: [] });
});

test("a group that was ready is finished, and reported with its tags", async (t) => {
  const setting = settingOf(t);
  await interrupt(setting, "recheck");
  const report = await recovered(setting);
  assert.deepEqual(report.takenBack, []);
  assert.deepEqual(report.left, []);
  const [group] = report.finished;
  assert.equal(group?.tag, "the group's");
  assert.deepEqual(
    group?.files,
    [...names, "fresh/d.md"].map((path) => ({ path, tag: `tag ${path}`, state: "new" })),
  );
  for (const name of [...names, "fresh/d.md"]) assert.equal(contentOf(setting, name), `new ${name}`);
  assertTidy(setting);
});

test("a group that was not ready is taken back, and reported with its tags", async (t) => {
  const setting = settingOf(t);
  await interrupt(setting, "ready");
  const report = await recovered(setting);
  const [group] = report.takenBack;
  assert.equal(group?.tag, "the group's");
  assert.deepEqual(
    group?.files,
    [...names, "fresh/d.md"].map((path) => ({ path, tag: `tag ${path}`, state: "old" })),
  );
  for (const name of names) assert.equal(contentOf(setting, name), `old ${name}`);
  assert.ok(!existsSync(join(setting.path, "fresh")));
  assertTidy(setting);
});

test("several groups are recovered, oldest first", async (t) => {
  const setting = settingOf(t);
  await interrupt(setting, "ready");
  await interrupt(setting, "recheck");
  const report = await recovered(setting);
  assert.equal(report.takenBack.length, 1);
  assert.equal(report.finished.length, 1);
  for (const name of names) assert.equal(contentOf(setting, name), `new ${name}`);
  assertTidy(setting);
});

test("what someone wrote after the crash stays, and is reported", async (t) => {
  const setting = settingOf(t);
  await interrupt(setting, "rename:1");
  writeFileSync(join(setting.path, "a.md"), "theirs");
  rmSync(join(setting.path, "docs/c.md"));
  writeFileSync(join(setting.path, "fresh/d.md"), "theirs too");
  const [group] = (await recovered(setting)).finished;
  assert.deepEqual(
    group?.files.map((file) => file.state),
    ["conflict", "new", "conflict", "conflict"],
  );
  assert.equal(contentOf(setting, "a.md"), "theirs");
  assert.equal(contentOf(setting, "docs/b.md"), "new docs/b.md");
  assert.equal(contentOf(setting, "docs/c.md"), null);
  assert.equal(contentOf(setting, "fresh/d.md"), "theirs too");
  const conflict = group?.files.find((file) => file.state === "conflict");
  assert.equal(conflict?.fault.error, "external_change");
  assert.match(conflict?.fault.message ?? "", /a\.md was changed after a save of it was interrupted/);
  assertTidy(setting);
});

test("a folder or link that someone put in a file's place stays, and is reported", async (t) => {
  const setting = settingOf(t);
  await interrupt(setting, "recheck");
  rmSync(join(setting.path, "a.md"));
  mkdirSync(join(setting.path, "a.md"));
  rmSync(join(setting.path, "docs/b.md"));
  symlinkSync("../../outside/secret.txt", join(setting.path, "docs/b.md"));
  const [group] = (await recovered(setting)).finished;
  assert.deepEqual(
    group?.files.map((file) => file.state),
    ["conflict", "conflict", "new", "new"],
  );
  assert.equal(readFileSync(join(setting.path, "../outside/secret.txt"), "utf8"), "secret");
  assertTidy(setting);
});

test("new bytes that are missing or damaged are not put in place", async (t) => {
  const setting = settingOf(t);
  await interrupt(setting, "recheck");
  rmSync(temporaryOf(setting, 0));
  writeFileSync(temporaryOf(setting, 1), "damaged");
  const [group] = (await recovered(setting)).finished;
  assert.deepEqual(
    group?.files.map((file) => file.state),
    ["conflict", "conflict", "new", "new"],
  );
  assert.equal(contentOf(setting, "a.md"), "old a.md");
  assert.equal(contentOf(setting, "docs/b.md"), "old docs/b.md");
  assertTidy(setting);
});

test("a workspace whose folder was removed after the crash is reported, not rebuilt", async (t) => {
  const setting = settingOf(t);
  await interrupt(setting, "recheck");
  rmSync(join(setting.path, "docs"), { recursive: true });
  const [group] = (await recovered(setting)).finished;
  assert.deepEqual(
    group?.files.map((file) => file.state),
    ["new", "conflict", "conflict", "new"],
  );
  assert.ok(!existsSync(join(setting.path, "docs")));
  assertTidy(setting);
});

test("a draft of a record, which no effect followed, is removed", async (t) => {
  const setting = settingOf(t);
  await interrupt(setting, "intent-rename");
  assert.equal(readdirSync(setting.journal).length, 1);
  assert.deepEqual(await recovered(setting), { finished: [], takenBack: [], left: [] });
  assertTidy(setting);
});

const forgeries: readonly [name: string, code: string, change: (text: string) => string][] = [
  [
    "a target above the root",
    "path_outside",
    (text) => text.replace('"target":"a.md"', '"target":"../a.md"'),
  ],
  ["an absolute target", "path_outside", (text) => text.replace('"target":"a.md"', '"target":"/etc/a.md"')],
  ["a target in .git", "protected_path", (text) => text.replace('"target":"a.md"', '"target":".git/a.md"')],
  [
    "a target in Stet's state",
    "protected_path",
    (text) => text.replace('"target":"a.md"', '"target":".Stet/a"'),
  ],
  [
    "a target behind a link out",
    "path_outside",
    (text) => text.replace('"target":"a.md"', '"target":"out/a.md"'),
  ],
  ["a folder above the root", "path_outside", (text) => text.replace('["fresh"]', '["../outside"]')],
  ["a folder behind a link out", "path_outside", (text) => text.replace('["fresh"]', '["out/empty"]')],
  ["the root as target", "ledger_damaged", (text) => text.replace('"target":"a.md"', '"target":"."')],
  ["another group", "ledger_damaged", (text) => text.replace(/"group":"./, '"group":"z')],
  ["another root", "path_outside", (text) => text.replace(/"root":"[^"]*"/, '"root":"/"')],
  ["an unknown method", "ledger_damaged", (text) => text.replace('"method":"replace"', '"method":"shred"')],
  ["half of its text", "ledger_damaged", (text) => text.slice(0, text.length / 2)],
  ["no text", "ledger_damaged", () => ""],
  ["null", "ledger_damaged", () => "null"],
];

for (const state of ["ready", "recheck"]) {
  for (const [name, code, change] of forgeries) {
    test(`a record with ${name} is refused as a whole and reported (interrupted at ${state})`, async (t) => {
      const setting = settingOf(t);
      symlinkSync(join(dirname(setting.path), "outside"), join(setting.path, "out"));
      mkdirSync(join(setting.path, "out/empty"));
      await interrupt(setting, state);
      forge(setting, change);
      const report = await recovered(setting);
      assert.deepEqual(
        report.left.map((group) => group.fault.error),
        [code],
      );
      assert.deepEqual([report.finished, report.takenBack], [[], []]);
      for (const file of names) assert.equal(contentOf(setting, file), `old ${file}`);
      assert.deepEqual(readdirSync(join(setting.path, "out")), ["empty", "secret.txt"]);
      assert.equal(readdirSync(setting.journal).length, 1);
    });
  }
}

test("a refused record does not keep other groups from being recovered", async (t) => {
  const setting = settingOf(t);
  await interrupt(setting, "ready");
  forge(setting, () => "{");
  await interrupt(setting, "recheck");
  const report = await recovered(setting);
  assert.equal(report.left.length, 1);
  assert.equal(report.finished.length, 1);
  assert.equal(contentOf(setting, "a.md"), "new a.md");
});
