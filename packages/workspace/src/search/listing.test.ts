import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type FaultCode, isFault } from "@stet/protocol/fault";
import { temporaryFolder } from "@stet/testkit/temporary";
import fc from "fast-check";
import { compileGlob } from "./glob.ts";
import { type ListingOptions, listFiles } from "./listing.ts";

async function files(rootPath: string, options: ListingOptions = {}): Promise<readonly string[]> {
  const listing = await listFiles(rootPath, options);
  assert.ok(!isFault(listing), JSON.stringify(listing));
  return listing.files;
}

async function refusal(rootPath: string, options: ListingOptions): Promise<FaultCode | undefined> {
  const listing = await listFiles(rootPath, options);
  return isFault(listing) ? listing.error : undefined;
}

/** A folder without a repository, in which ignore files nevertheless count. */
const project = {
  ".gitignore": "*.log\nbuild/\n!keep.log\n!.env\n",
  ".env": "secret",
  ".github/workflows/ci.yml": "on: push",
  "a.md": "a",
  "a/b.md": "b",
  "a/.gitignore": "*.tmp\n",
  "a/c.tmp": "c",
  "a/deep/d.tmp": "d",
  "a/deep/e.log": "e",
  "a/deep/f.ts": "f",
  "build/out.js": "out",
  "keep.log": "kept",
  "x.log": "x",
};

test("ignored and hidden files are not listed, in a folder that is not a repository", async (t) => {
  const root = temporaryFolder(t, project);
  assert.deepEqual(await files(root), ["a.md", "a/b.md", "a/deep/f.ts", "keep.log"]);
});

test("ignored files are not listed in a repository, nor in a folder of one", async (t) => {
  const root = temporaryFolder(t, { ...project, ".git/HEAD": "ref: refs/heads/main", "a/g.log": "g" });
  assert.deepEqual(await files(root), ["a.md", "a/b.md", "a/deep/f.ts", "keep.log"]);
  assert.deepEqual(await files(join(root, "a")), ["b.md", "deep/f.ts"]);
});

test("a .gitignore above the workspace that ignores everything does not empty it", async (t) => {
  const above = temporaryFolder(t, { ".gitignore": "*", "notes/.gitignore": "*.log", "notes/n/a.md": "a" });
  const root = join(above, "notes");
  writeFileSync(join(root, "n/b.log"), "b");
  assert.deepEqual(await files(root), ["n/a.md"]);
  assert.deepEqual(await files(root, { prefix: "n" }), ["n/a.md"]);
  mkdirSync(join(root, ".git"));
  assert.deepEqual(await files(root), ["n/a.md"]);
});

test("a home folder kept in git does not empty the workspaces in it", async (t) => {
  const home = temporaryFolder(t, { ".git/HEAD": "", ".gitignore": "*", "notes/a.md": "a" });
  const before = process.env.HOME;
  process.env.HOME = home;
  t.after(() => {
    if (before === undefined) delete process.env.HOME;
    else process.env.HOME = before;
  });
  assert.deepEqual(await files(join(home, "notes")), ["a.md"]);
});

test("hidden files are listed when asked for; what belongs to git or Stet never is", async (t) => {
  const root = temporaryFolder(t, {
    ...project,
    ".git/config": "",
    ".stet/ledger.db": "",
    "module/.git": "gitdir: elsewhere",
    "a/.Stet/x": "",
    "a/.stet-1-0.tmp": "",
    "a/.stet-1-0.old": "",
  });
  assert.deepEqual(await files(root, { hidden: true }), [
    ".env",
    ".github/workflows/ci.yml",
    ".gitignore",
    "a.md",
    "a/.gitignore",
    "a/b.md",
    "a/deep/f.ts",
    "keep.log",
  ]);
  assert.deepEqual(await files(root, { hidden: true, glob: "*.{db,tmp,old}" }), []);
});

test("a prefix narrows, and counts as asking for what is hidden or ignored", async (t) => {
  const root = temporaryFolder(t, project);
  assert.deepEqual(await files(root, { prefix: "a" }), ["a/b.md", "a/deep/f.ts"]);
  assert.deepEqual(await files(root, { prefix: "./a/deep/" }), ["a/deep/f.ts"]);
  assert.deepEqual(await files(root, { prefix: "a/../a/b.md" }), ["a/b.md"]);
  assert.deepEqual(await files(root, { prefix: ".github" }), [".github/workflows/ci.yml"]);
  assert.deepEqual(await files(root, { prefix: "build" }), ["build/out.js"]);
  assert.deepEqual(await files(root, { prefix: "." }), await files(root));
});

test("a prefix that leads outside, to git or to nothing is refused", async (t) => {
  const outside = temporaryFolder(t, { "secret.txt": "s" });
  const root = temporaryFolder(t, { "a/b.md": "b", ".git/config": "", ".stet/x": "", ".stet-1-0.tmp": "" });
  symlinkSync(outside, join(root, "way-out"));
  for (const prefix of ["..", "../x", "a/../..", outside, "/", "C:\\x", "way-out", "way-out/secret.txt"]) {
    assert.equal(await refusal(root, { prefix }), "path_outside", prefix);
  }
  for (const prefix of [".git", ".stet/x", ".stet-1-0.tmp"]) {
    assert.equal(await refusal(root, { prefix }), "protected_path", prefix);
  }
  assert.equal(await refusal(root, { prefix: "missing" }), "file_not_found");
  assert.equal(await refusal(root, { prefix: "a\0b" }), "invalid_path");
  assert.equal(await refusal(join(root, "gone"), {}), "file_not_found");
});

test("symbolic links are not followed, and a prefix through one gives the real names", async (t) => {
  const root = temporaryFolder(t, { "real/a.md": "a" });
  symlinkSync("real", join(root, "link"));
  symlinkSync("real/a.md", join(root, "link.md"));
  symlinkSync("..", join(root, "real/loop"));
  assert.deepEqual(await files(root), ["real/a.md"]);
  assert.deepEqual(await files(root, { prefix: "link" }), ["real/a.md"]);
});

test("odd names are listed as they are; a name that is not UTF-8 is left out", async (t) => {
  const names = ["-v", "--files", "a\nb.md", "c d .md", "[x]{y}*.md", "ö😀.md", "!.md", "#.md"];
  const root = temporaryFolder(t, Object.fromEntries(names.map((name) => [name, name])));
  if (process.platform === "linux") {
    writeFileSync(Buffer.concat([Buffer.from(`${root}/bad`), Buffer.from([0xff])]), "bad");
  }
  assert.deepEqual(await files(root), [...names].sort());
  assert.deepEqual(await files(root, { prefix: "--files" }), ["--files"]);
});

test("a glob brings back neither ignored nor hidden files", async (t) => {
  const root = temporaryFolder(t, project);
  for (const glob of ["*", "**", "**/*"])
    assert.deepEqual(await files(root, { glob }), await files(root), glob);
  assert.deepEqual(await files(root, { glob: "*.log" }), ["keep.log"]);
  assert.deepEqual(await files(root, { glob: "*.md", prefix: "a" }), ["a/b.md"]);
  assert.deepEqual(await files(root, { glob: "!*.md" }), ["a/deep/f.ts", "keep.log"]);
  assert.deepEqual(await files(root, { glob: "**/*.yml", hidden: true }), [".github/workflows/ci.yml"]);
});

test("globs mean what a line of .gitignore would", () => {
  const cases: [glob: string, yes: string[], no: string[]][] = [
    ["*.md", ["a.md", "x/y/a.md", ".md"], ["a.mdx", "md"]],
    ["/*.md", ["a.md"], ["x/a.md"]],
    ["./x/*.md", ["x/a.md"], ["a.md", "x/y/a.md"]],
    ["x/**/a.md", ["x/a.md", "x/y/z/a.md"], ["xa.md", "x/ya.md", "q/x/a.md"]],
    ["**/x/*", ["x/a", "y/x/a"], ["x/a/b", "yx/a"]],
    ["x/**", ["x/a", "x/y/a"], ["x", "xx/a"]],
    ["x/", ["x/a", "x/y/a"], ["x", "y/x/a"]],
    ["**.ts", ["a.ts", "x/a.ts"], ["a.tsx"]],
    ["x**y", ["xay", "q/xy"], ["x/y"]],
    ["?.md", ["a.md", "😀.md"], ["ab.md", ".md"]],
    ["[a-c]x[!0-9].md", ["bxy.md"], ["dxy.md", "bx1.md"]],
    ["[]-]x", ["]x", "-x"], ["ax"]],
    ["x[!a]y", ["xby"], ["x/y", "xay"]],
    ["*.{ts,{js,mj}s}", ["a.ts", "a.jss", "a.mjs"], ["a.js"]],
    ["{src,test}/**/*.ts", ["src/a.ts", "test/x/a.ts"], ["a.ts", "lib/a.ts"]],
    ["\\*\\{.md", ["*{.md"], ["a{.md"]],
    ["!*.md", ["a.ts"], ["a.md"]],
  ];
  for (const [glob, yes, no] of cases) {
    const isWanted = compileGlob(glob);
    assert.ok(!isFault(isWanted), glob);
    for (const path of yes) assert.ok(isWanted(path), `${glob} means ${path}`);
    for (const path of no) assert.ok(!isWanted(path), `${glob} does not mean ${path}`);
  }
});

test("a glob that is not one is refused", () => {
  const globs = ["", "!", "{a", "[a", "x".repeat(1001), "{a,b}".repeat(10)];
  for (const glob of globs) {
    const fault = compileGlob(glob);
    assert.ok(isFault(fault) && fault.error === "invalid_regex", glob);
  }
});

test("no glob takes long, and every path is meant by itself, escaped", () => {
  const isWanted = compileGlob(`${"*a".repeat(50)}*b`);
  assert.ok(!isFault(isWanted));
  const start = performance.now();
  assert.ok(!isWanted("a".repeat(4000)));
  assert.ok(performance.now() - start < 1000);
  const path = fc.string({ unit: fc.constantFrom(..."ab*?[]{}!,\\-^."), minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(path, (name) => {
      const itself = compileGlob(name.replace(/[\\*?[\]{}!]/g, "\\$&"));
      assert.ok(!isFault(itself) && itself(name) && !itself(`${name}x`));
    }),
  );
});

test("over the limit the listing says so and is still sorted", async (t) => {
  const many = Array.from({ length: 300 }, (_, index) => [`d${index % 7}/${index}.md`, "x"]);
  const root = temporaryFolder(t, Object.fromEntries(many));
  const all = await files(root);
  assert.equal(all.length, 300);
  const listing = await listFiles(root, { limit: 299 });
  assert.ok(!isFault(listing));
  assert.equal(listing.truncated, true);
  assert.deepEqual(listing.files, all.slice(0, 299));
  const exact = await listFiles(root, { limit: 300 });
  assert.ok(!isFault(exact) && !exact.truncated && exact.files.length === 300);
});

test("a listing can be cancelled", async (t) => {
  assert.equal(await refusal(temporaryFolder(t), { signal: AbortSignal.abort() }), "search_failed");
});
