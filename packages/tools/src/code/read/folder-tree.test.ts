import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { Fault } from "@stet/protocol/fault";
import { openCodeFixture } from "@stet/testkit/code-fixture";
import { read } from "./read.ts";

test("a folder is a tree of two levels with sizes and ages, the newest first", async (t) => {
  const files = { "old.txt": "x".repeat(2048), "new.txt": "hi", "src/a/b/deep.ts": "x", "src/main.ts": "x" };
  const fixture = await openCodeFixture(t, [read], { files });
  const past = (name: string, seconds: number) => {
    const time = Date.now() / 1000 - seconds;
    utimesSync(join(fixture.place.root, name), time, time);
  };
  past("old.txt", 3 * 86_400 + 60);
  past("new.txt", 90);
  past("src", 2 * 3600 + 60);
  past("src/a", 400 * 86_400);
  past(".keep", 800 * 86_400);
  for (const path of [".", "/", "./"]) {
    const { text } = await fixture.call("read", { path });
    assert.deepEqual(text.split("\n"), [
      "./",
      "new.txt (2 B, 1m ago)",
      "src/ (2h ago)",
      "  main.ts (1 B, just now)",
      "  a/ (1y ago)",
      "old.txt (2.0 KB, 3d ago)",
      ".keep (0 B, 2y ago)",
    ]);
  }
});

test("a folder inside shows twelve entries and how many more there are; the one asked for shows all", async (t) => {
  const names = Array.from({ length: 30 }, (_, index) => [`many/f${index}.txt`, "x"]);
  const fixture = await openCodeFixture(t, [read], { files: Object.fromEntries(names) });
  const root = await fixture.call("read", { path: "." });
  assert.equal(root.text.match(/^ {2}f\d+\.txt/gm)?.length, 12);
  assert.match(root.text, /^ {2}… 18 more$/m);
  const inside = await fixture.call("read", { path: "many" });
  assert.equal(inside.text.match(/^f\d+\.txt/gm)?.length, 30);
});

test("what git ignores and git's own folder are left out, unless the ignored folder is named", async (t) => {
  const files = {
    ".gitignore": "build/\n*.log\n",
    ".git/config": "x",
    "build/out.js": "x",
    "a.log": "x",
    "a.ts": "x",
    ".github/ci.yml": "x",
  };
  const fixture = await openCodeFixture(t, [read], { files });
  const { text } = await fixture.call("read", { path: "." });
  assert.doesNotMatch(text, /build|a\.log|\.git\//);
  assert.match(text, /^a\.ts/m);
  assert.match(text, /^\.github\//m);
  assert.match((await fixture.call("read", { path: "build" })).text, /out\.js/);
});

test("an empty folder says that it is empty, alone and in a tree", async (t) => {
  const fixture = await openCodeFixture(t, [read]);
  mkdirSync(join(fixture.place.root, "nothing"));
  assert.equal((await fixture.call("read", { path: "nothing" })).text, "nothing/\n(empty directory)");
  assert.match((await fixture.call("read", { path: "." })).text, /^nothing\/ /m);
});

test("a line selector caps the tree of a folder, and the rest can be read from there", async (t) => {
  const files = Object.fromEntries(["a", "b", "c", "d"].map((name) => [`src/${name}.ts`, "x"]));
  const fixture = await openCodeFixture(t, [read], { files });
  for (const [index, name] of ["a", "b", "c", "d"].entries()) {
    utimesSync(join(fixture.place.root, `src/${name}.ts`), 1000 - index, 1000 - index);
  }
  const names = async (path: string) => {
    const { text, error } = await fixture.call("read", { path });
    assert.equal(error, undefined);
    return text.split("\n").map((line) => line.replace(/ \(.*/, ""));
  };
  assert.deepEqual(await names("src:1-2"), [
    "src/",
    "a.ts",
    "b.ts",
    "[2 more lines. Read src:3, or a folder inside.]",
  ]);
  assert.deepEqual(await names("src:3"), ["src/", "c.ts", "d.ts"]);
  assert.deepEqual(await names("src:2+9"), ["src/", "b.ts", "c.ts", "d.ts"]);
  assert.match((await names("src:50"))[0] ?? "", /^Line 50 is behind the end: src has 4 lines/);
  assert.equal((await fixture.call("read", { path: "src/a.ts/" })).error, "not_a_file");
});

test("the end of a path finds the only file or folder that ends so, and says which", async (t) => {
  const fixture = await openCodeFixture(t, [read], {
    files: { "src/ui/button.ts": "here\n", "src/ui/other.ts": "x\n" },
  });
  const file = await fixture.call("read", { path: "ui/button.ts:1-1" });
  assert.match(
    file.text,
    /^\[Path 'ui\/button\.ts' not found; resolved to 'src\/ui\/button\.ts' via suffix match\]\n1[a-z]{2}\|here/,
  );
  const folder = await fixture.call("read", { path: "ui" });
  assert.match(folder.text, /resolved to 'src\/ui' via suffix match\]\nsrc\/ui\/\n/);
  const half = await fixture.call("read", { path: "tton.ts" });
  assert.equal(half.error, "file_not_found");
});

test("a name is found whatever apostrophe, space or composed letter it was saved with", async (t) => {
  const name = "Shot 1.02\u202fPM \u2019u\u0308\u2019.txt";
  const fixture = await openCodeFixture(t, [read], { files: { [`docs/${name}`]: "here\n" } });
  const answer = await fixture.call("read", { path: "docs/Shot 1.02 PM '\u00fc'.txt" });
  assert.match(answer.text, /via suffix match\]\n1[a-z]{2}\|here/);
});

test("several paths that end so are named and none is read", async (t) => {
  const fixture = await openCodeFixture(t, [read], { files: { "a/index.ts": "x\n", "b/index.ts": "x\n" } });
  const answer = await fixture.call("read", { path: "index.ts" });
  assert.equal(answer.error, "file_not_found");
  assert.match(answer.text, /a\/index\.ts, b\/index\.ts/);
});

test("a misspelt name is answered with names that come near", async (t) => {
  const fixture = await openCodeFixture(t, [read], {
    files: { "src/button.ts": "x\n", "src/Other.ts": "x\n" },
  });
  for (const [path, near] of [
    ["src/buton.ts", "src/button.ts"],
    ["src/button.tsx", "src/button.ts"],
    ["lib/other.ts", "src/Other.ts"],
  ]) {
    const answer = await fixture.call("read", { path });
    assert.equal(answer.error, "file_not_found");
    assert.ok(answer.text.includes(`Similar names: ${near}`), answer.text);
  }
  const nothing = await fixture.call("read", { path: "zzzzzz.py" });
  assert.match(nothing.text, /There is no zzzzzz\.py in the workspace\./);
});

test("a file that is found by its end has to be allowed by its own path", async (t) => {
  const fixture = await openCodeFixture(t, [read], {
    files: { "secret/key.txt": "hidden\n" },
    permit: async ({ targets }) => {
      const isSecret = targets.some((target) => target.kind === "path" && target.path.startsWith("secret/"));
      return isSecret ? new Fault("not_allowed", "no", "no") : undefined;
    },
  });
  const answer = await fixture.call("read", { path: "key.txt" });
  assert.equal(answer.error, "not_allowed");
  assert.doesNotMatch(answer.text, /hidden/);
});

test("links that lead out are neither listed nor found", async (t) => {
  const fixture = await openCodeFixture(t, [read], { files: { "a.txt": "x" } });
  symlinkSync("/etc", join(fixture.place.root, "etc"));
  assert.doesNotMatch((await fixture.call("read", { path: "." })).text, /etc|passwd/);
  assert.equal((await fixture.call("read", { path: "passwd" })).error, "file_not_found");
});
