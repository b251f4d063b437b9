import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type FaultCode, isFault } from "@stet/protocol/fault";
import { temporaryFolder } from "@stet/testkit/temporary";
import { type Location, openRoot, type Root, resolveFolder, resolveInside } from "./containment.ts";

type Hostile = readonly [path: string, code: FaultCode];

const asWritten: readonly Hostile[] = [
  // Nothing that could be a name.
  ["", "invalid_path"],
  ["   ", "invalid_path"],
  ["a\0b", "invalid_path"],
  ["notes.md\0.png", "invalid_path"],
  ["a\nb", "invalid_path"],
  ["a\rb", "invalid_path"],
  ["a\tb", "invalid_path"],
  ["a\x1b[31mb", "invalid_path"],
  ["a\x7fb", "invalid_path"],
  ["a\x85b", "invalid_path"],
  ["a\ud800b", "invalid_path"],
  ["\udc00", "invalid_path"],
  ["x".repeat(256), "invalid_path"],
  ["é".repeat(128), "invalid_path"],
  [`${"a/".repeat(2048)}b`, "invalid_path"],
  ["docs/", "not_a_file"],
  ["new/", "invalid_path"],
  [".", "not_a_file"],
  ["./", "not_a_file"],
  // Absolute, on whatever system.
  ["/", "path_outside"],
  ["/etc/passwd", "path_outside"],
  ["//etc/passwd", "path_outside"],
  ["C:\\Windows\\win.ini", "path_outside"],
  ["c:/Windows/win.ini", "path_outside"],
  ["C:notes.md", "path_outside"],
  ["\\\\server\\share\\x", "path_outside"],
  ["\\\\?\\C:\\x", "path_outside"],
  ["\\x", "path_outside"],
  ["file:///etc/passwd", "path_outside"],
  ["FILE:notes.md", "path_outside"],
  ["https://example.org/x", "invalid_path"],
  ["~", "path_outside"],
  ["~/.ssh/id_rsa", "path_outside"],
  ["~root/x", "path_outside"],
  // Upwards.
  ["..", "path_outside"],
  ["../x", "path_outside"],
  ["../../etc/passwd", "path_outside"],
  ["docs/../../x", "path_outside"],
  ["docs/../notes.md", "path_outside"],
  ["./../x", "path_outside"],
  ["docs/..", "path_outside"],
  ["..\\x", "path_outside"],
  ["docs\\..\\..\\x", "path_outside"],
  [".. /x", "path_outside"],
  [".\u200c./x", "path_outside"],
  ["．．/x", "path_outside"],
  ["‥/x", "path_outside"],
  ["docs/. /x", "invalid_path"],
  ["docs\\a.md", "invalid_path"],
  // git's and Stet's, in disguise.
  [".git", "protected_path"],
  [".git/config", "protected_path"],
  [".GIT/config", "protected_path"],
  [".Git/hooks/pre-commit", "protected_path"],
  ["./.git/config", "protected_path"],
  ["docs/.git/config", "protected_path"],
  ["docs/deep/.git", "protected_path"],
  ["docs//.git//config", "protected_path"],
  [".git./config", "protected_path"],
  [".git /config", "protected_path"],
  [".git . . /config", "protected_path"],
  ["git~1/config", "protected_path"],
  ["GIT~2/config", "protected_path"],
  [".git::$INDEX_ALLOCATION/config", "protected_path"],
  [".git:stream", "protected_path"],
  [".git ::$DATA", "protected_path"],
  [".git\\config", "protected_path"],
  ["docs\\.git\\config", "protected_path"],
  [".g\u200cit/config", "protected_path"],
  [".gi\u200dt/config", "protected_path"],
  ["\ufeff.git/config", "protected_path"],
  [".git\u200f/config", "protected_path"],
  [".g\u206ait/config", "protected_path"],
  [".g\u00adit/config", "protected_path"],
  [".git\ufe0f/config", "protected_path"],
  ["．ｇｉｔ/config", "protected_path"],
  [".ｇit/config", "protected_path"],
  ["․git/config", "protected_path"],
  [".gıt/config", "protected_path"],
  ["a／.git", "protected_path"],
  [".stet", "protected_path"],
  [".stet/ledger.db", "protected_path"],
  [".STET/ledger.db", "protected_path"],
  [".ſtet/ledger.db", "protected_path"],
  [".ﬆet/ledger.db", "protected_path"],
  ["docs/.stet", "protected_path"],
  [".stet.", "protected_path"],
  ["stet~1", "protected_path"],
  [".stet:x", "protected_path"],
];

const onDisk: readonly Hostile[] = [
  ["file-out", "path_outside"],
  ["folder-out/secret.txt", "path_outside"],
  ["folder-out/new.txt", "path_outside"],
  ["folder-out/new/deep.txt", "path_outside"],
  ["relative-out", "path_outside"],
  ["chain-out", "path_outside"],
  ["sibling-out/x.txt", "path_outside"],
  ["dangling-out", "path_outside"],
  ["dangling-parent-out/x/y", "path_outside"],
  ["dangling-up", "path_outside"],
  ["loop", "invalid_path"],
  ["loop/x", "invalid_path"],
  ["loop-a", "invalid_path"],
  ["link-to-git/config", "protected_path"],
  ["link-to-git-file", "protected_path"],
  ["link-to-git-new", "protected_path"],
  ["link-to-stet/ledger.db", "protected_path"],
  ["docs", "not_a_file"],
  ["link-to-docs", "not_a_file"],
  ["link-to-root", "not_a_file"],
  ["pipe", "not_a_file"],
  ["socket", "not_a_file"],
  ["link-to-null", "path_outside"],
  ["notes.md/x", "invalid_path"],
  ["notes.md/", "invalid_path"],
];

const legal: readonly [path: string, plain: string][] = [
  ["notes.md", "notes.md"],
  ["./notes.md", "notes.md"],
  ["././docs//a.md", "docs/a.md"],
  ["docs/./a.md", "docs/a.md"],
  ["docs/new.md", "docs/new.md"],
  ["new/deep/er.md", "new/deep/er.md"],
  ["..foo", "..foo"],
  ["foo..", "foo.."],
  ["a..b", "a..b"],
  ["...", "..."],
  [".../x", ".../x"],
  [" x", " x"],
  ["x ", "x "],
  ["-rf", "-rf"],
  ["./~x", "~x"],
  ["a~1", "a~1"],
  ["./a:b", "a:b"],
  ['what?*|<>".md', 'what?*|<>".md'],
  [".github/workflows/ci.yml", ".github/workflows/ci.yml"],
  [".gitignore", ".gitignore"],
  [".gitattributes", ".gitattributes"],
  [".gitmodules", ".gitmodules"],
  ["foo.git", "foo.git"],
  ["foo.git/config", "foo.git/config"],
  ["git", "git"],
  [".stetson", ".stetson"],
  ["Grüße/naïve.md", "Grüße/naïve.md"],
  ["日本語/第一章.md", "日本語/第一章.md"],
  ["e\u0301.md", "e\u0301.md"],
  ["👩‍👩‍👧.md", "👩‍👩‍👧.md"],
  ["x".repeat(255), "x".repeat(255)],
];

function rootOf(t: TestContext): { root: Root; outside: string; path: string } {
  const folder = temporaryFolder(t, {
    "root/notes.md": "notes",
    "root/docs/a.md": "a",
    "root/.git/config": "[core]",
    "root/.stet/ledger.db": "",
    "outside/secret.txt": "secret",
    "root-sibling/x.txt": "sibling",
  });
  const path = join(folder, "root");
  const root = openRoot(path);
  assert.ok(!isFault(root));
  return { root, outside: join(folder, "outside"), path };
}

function assertRefused(root: Root, [path, code]: Hostile): void {
  const result = resolveInside(root, path);
  const shown = JSON.stringify(path.slice(0, 60));
  assert.ok(isFault(result), `${shown} was let through`);
  assert.equal(result.error, code, `${shown}: ${result.message}`);
  assert.match(result.message, /\.$/);
  assert.match(result.suggestion, /\.$/);
}

function located(result: ReturnType<typeof resolveInside>): Location {
  assert.ok(!isFault(result), isFault(result) ? result.message : "");
  return result;
}

test(`${asWritten.length} hostile paths are refused as written`, (t) => {
  const { root } = rootOf(t);
  for (const hostile of asWritten) assertRefused(root, hostile);
});

test(`${onDisk.length} hostile paths are refused for what is on the disk`, async (t) => {
  const { root, outside, path } = rootOf(t);
  const link = (target: string, name: string) => symlinkSync(target, join(path, name));
  link(join(outside, "secret.txt"), "file-out");
  link(outside, "folder-out");
  link("../outside/secret.txt", "relative-out");
  link("relative-out", "chain-out");
  link("../root-sibling", "sibling-out");
  link(join(outside, "missing.txt"), "dangling-out");
  link(join(outside, "missing"), "dangling-parent-out");
  link("missing/../../outside/secret.txt", "dangling-up");
  link("loop", "loop");
  link("loop-b", "loop-a");
  link("loop-a", "loop-b");
  link(".git", "link-to-git");
  link(".git/config", "link-to-git-file");
  link("docs/.git/config", "link-to-git-new");
  link(join(path, ".stet"), "link-to-stet");
  link("docs", "link-to-docs");
  link(".", "link-to-root");
  link("/dev/null", "link-to-null");
  execFileSync("mkfifo", [join(path, "pipe")]);
  const server = createServer().listen(join(path, "socket"));
  t.after(() => server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  for (const hostile of onDisk) assertRefused(root, hostile);
});

test("a device in the workspace is not a file", (t) => {
  const { root, path } = rootOf(t);
  try {
    execFileSync("mknod", [join(path, "device"), "c", "1", "5"], { stdio: "ignore" });
  } catch {
    t.skip("device files can only be made by root");
    return;
  }
  assertRefused(root, ["device", "not_a_file"]);
});

test("odd but legal names are let through as named", (t) => {
  const { root, path } = rootOf(t);
  for (const [name, plain] of legal) {
    const location = located(resolveInside(root, name));
    assert.equal(location.path, plain);
    assert.equal(location.absolute, join(path, plain));
    assert.equal(location.exists, ["notes.md", "docs/a.md"].includes(plain));
  }
});

test("a link inside the workspace keeps its name and leads to the real file", (t) => {
  const { root, path } = rootOf(t);
  symlinkSync("docs/a.md", join(path, "short.md"));
  symlinkSync(join(path, "docs"), join(path, "papers"));
  symlinkSync("docs/later.md", join(path, "later.md"));
  symlinkSync("../root/docs/a.md", join(path, "roundabout.md"));
  const expect = (name: string, real: string, exists: boolean) =>
    assert.deepEqual(located(resolveInside(root, name)), { path: name, absolute: join(path, real), exists });
  expect("short.md", "docs/a.md", true);
  expect("papers/a.md", "docs/a.md", true);
  expect("papers/new/b.md", "docs/new/b.md", false);
  expect("later.md", "docs/later.md", false);
  expect("roundabout.md", "docs/a.md", true);
});

test("a root that is reached through a link is the real folder", (t) => {
  const { path } = rootOf(t);
  const alias = `${path}-alias`;
  symlinkSync(path, alias);
  const root = openRoot(alias);
  assert.ok(!isFault(root));
  assert.equal(root.path, realpathSync(path));
  assert.equal(located(resolveInside(root, "notes.md")).absolute, join(path, "notes.md"));
});

test("a root that is missing or a file is refused", (t) => {
  const { path } = rootOf(t);
  const code = (folder: string) => {
    const root = openRoot(folder);
    return isFault(root) ? root.error : undefined;
  };
  assert.equal(code(join(path, "missing")), "file_not_found");
  assert.equal(code(join(path, "notes.md")), "invalid_path");
});

test("the file system's root can be a workspace, with its git folders still protected", () => {
  const root = openRoot("/");
  assert.ok(!isFault(root));
  assert.equal(located(resolveInside(root, "etc/hosts")).absolute, "/etc/hosts");
  assertRefused(root, ["tmp/.git/config", "protected_path"]);
});

test("folders are found for listing, files and missing ones are not", (t) => {
  const { root, path, outside } = rootOf(t);
  symlinkSync(outside, join(path, "out"));
  const code = (name: string) => {
    const found = resolveFolder(root, name);
    return isFault(found) ? found.error : found.absolute;
  };
  assert.equal(code("."), path);
  assert.equal(code("docs/"), join(path, "docs"));
  assert.equal(code("notes.md"), "invalid_path");
  assert.equal(code("missing"), "file_not_found");
  assert.equal(code("out"), "path_outside");
  assert.equal(code(".git"), "protected_path");
});

test("a folder that becomes a link out is noticed by the next resolving", (t) => {
  const { root, path, outside } = rootOf(t);
  located(resolveInside(root, "docs/a.md"));
  renameSync(join(path, "docs"), join(path, "docs-before"));
  symlinkSync(outside, join(path, "docs"));
  assertRefused(root, ["docs/secret.txt", "path_outside"]);
  assertRefused(root, ["docs/a.md", "path_outside"]);
});

test("as many links as the kernel follows are followed, and no more", (t) => {
  const { root, path } = rootOf(t);
  mkdirSync(join(path, "chain"));
  writeFileSync(join(path, "chain", "0"), "end");
  for (let index = 1; index <= 41; index += 1)
    symlinkSync(String(index - 1), join(path, "chain", String(index)));
  assert.equal(located(resolveInside(root, "chain/40")).absolute, join(path, "chain", "0"));
  assertRefused(root, ["chain/41", "invalid_path"]);
});
