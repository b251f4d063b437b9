import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import test, { type TestContext } from "node:test";
import { type CodeFixture, faultDetails, openCodeFixture } from "@stet/testkit/code-fixture";
import { read } from "../../read/read.ts";
import { applyPatch } from "./apply-patch.ts";

async function fixtureWith(t: TestContext, files: Record<string, string>): Promise<CodeFixture> {
  return openCodeFixture(t, [applyPatch], { settings: { editMode: "apply_patch" }, files });
}

function content(fixture: CodeFixture, path: string): string {
  return readFileSync(fixture.place.path(path), "utf8");
}

const patched = (...lines: string[]) => ({
  input: ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n"),
});

const twice =
  "class A:\n    def f(self):\n        return 1\n\nclass B:\n    def f(self):\n        return 1\n";

test("files are not added, moved, updated and deleted as one", async (t) => {
  const fixture = await fixtureWith(t, {
    "a.txt": "one\n",
    "old/b.txt": "\ufefftwo\r\nthree\r\n",
    "c.txt": "three\n",
    "e.txt": "",
  });
  const answer = await fixture.call(
    "edit",
    patched(
      "*** Update File: a.txt",
      "@@",
      "-one",
      "+ONE",
      "*** Add File: new/d.txt",
      "+d",
      "+",
      "+e",
      "*** Add File: new/none.txt",
      "*** Update File: old/b.txt",
      "*** Move to: moved/b.txt",
      "@@",
      " two",
      "-three",
      "+THREE",
      "*** Delete File: c.txt",
      "*** Delete File: e.txt",
    ),
  );
  assert.equal(answer.error, undefined, answer.text);
  assert.equal(content(fixture, "a.txt"), "ONE\n");
  assert.equal(content(fixture, "new/d.txt"), "d\n\ne\n");
  assert.equal(content(fixture, "new/none.txt"), "");
  assert.equal(content(fixture, "moved/b.txt"), "\ufefftwo\r\nTHREE\r\n");
  for (const gone of ["old/b.txt", "c.txt", "e.txt"]) assert.ok(!existsSync(fixture.place.path(gone)), gone);
  assert.match(answer.text, /Created new\/d\.txt \(3 lines\)/);
  assert.match(answer.text, /Moved old\/b\.txt to moved\/b\.txt/);
  assert.match(answer.text, /Deleted c\.txt/);
  const { perFileResults } = answer.details as { perFileResults: { path: string; diff: string }[] };
  assert.deepEqual(
    perFileResults.map(({ path }) => path),
    ["a.txt", "new/d.txt", "new/none.txt", "moved/b.txt", "c.txt", "e.txt"],
  );
});

test("a hunk that fits at several places is put at one of them", async (t) => {
  const fixture = await fixtureWith(t, { "a.py": twice });
  const bare = await fixture.call(
    "edit",
    patched("*** Update File: a.py", "@@", "-        return 1", "+        return 2"),
  );
  assert.equal(bare.error, "ambiguous_match");
  assert.deepEqual(faultDetails(bare).lines, [3, 7]);
  assert.equal(content(fixture, "a.py"), twice);
  const headed = await fixture.call(
    "edit",
    patched(
      "*** Update File: a.py",
      "@@ class A:",
      "@@     def f(self):",
      "-        return 1",
      "+        return 2",
    ),
  );
  assert.equal(headed.error, undefined, headed.text);
  assert.equal(content(fixture, "a.py"), twice.replace("return 1", "return 2"));
});

test("lines that stay get the white space of the patch", async (t) => {
  const text = "\tif (x) {   \n\t\tfirst();\n\t\t“second”();\n\t}\n";
  const fixture = await fixtureWith(t, { "a.js": text });
  const answer = await fixture.call(
    "edit",
    patched(
      "*** Update File: a.js",
      "@@",
      " if (x) {",
      "-  first();",
      "+\t\tFIRST();",
      '   "second"();',
      " }",
    ),
  );
  assert.equal(answer.error, undefined, answer.text);
  assert.equal(content(fixture, "a.js"), text.replace("first", "FIRST"));
  assert.match(answer.text, /Warnings:\nHunk 1 of a\.js fits at line 1 only with other/);
});

test("a hunk whose lines are not there is put where they almost are", async (t) => {
  const text = "alpha\nbeta\ngamma\ndelta\n";
  const fixture = await fixtureWith(t, { "a.txt": text });
  const answer = await fixture.call(
    "edit",
    patched("*** Update File: a.txt", "@@", " alpha", " betta", "-gamma", "+GAMMA"),
  );
  assert.equal(answer.error, "no_match");
  const { hunk, line, expected, found } = faultDetails(answer);
  assert.deepEqual([hunk, line, expected, found], [1, 2, "betta", "beta"]);
  assert.match(JSON.parse(answer.text).message, /\n\*1\|alpha\n 2\|beta\n 3\|gamma\n 4\|delta\n/);
  assert.match(answer.text, /Hunk 1 \(patch line 3\) is not in a\.txt\..*differs is line 2: it is/s);
  const missing = await fixture.call(
    "edit",
    patched("*** Update File: a.txt", "@@ nowhere at all", "-gamma", "+GAMMA"),
  );
  assert.equal(missing.error, "no_match");
  const applied = await fixture.call("edit", patched("*** Update File: a.txt", "@@", "-Beta", "+beta"));
  assert.match(applied.text, /stands at line 2 already/);
  assert.equal(content(fixture, "a.txt"), text);
});

test("a change by someone else is told as a slip of the model", async (t) => {
  const fixture = await fixtureWith(t, { "a.txt": "alpha\nbeta\ngamma\n" });
  const file = fixture.context.files.open("a.txt");
  assert.ok("document" in file);
  fixture.context.sight.showAll(file);
  writeFileSync(fixture.place.path("a.txt"), "alpha\ntheirs\ngamma\n");
  const answer = await fixture.call(
    "edit",
    patched("*** Update File: a.txt", "@@", " alpha", "-beta", "+mine"),
  );
  assert.equal(answer.error, "conflict");
  assert.match(answer.text, /has changed since it was shown/);
  assert.equal(content(fixture, "a.txt"), "alpha\ntheirs\ngamma\n");
});

test("a patch reaches a path that it may not, or changes nothing and says that it did", async (t) => {
  const fixture = await fixtureWith(t, {
    "a.txt": "one\n",
    "yarn.lock": "# yarn lockfile v1\n",
    "dir/x.txt": "x\n",
  });
  const update = (path: string) => patched(`*** Update File: ${path}`, "@@", "-one", "+two");
  for (const [input, error] of [
    [update("../a.txt"), "path_outside"],
    [update(".git/config"), "protected_path"],
    [update("/etc/hosts"), "path_outside"],
    [patched("*** Add File: ../b.txt", "+b"), "path_outside"],
    [patched("*** Update File: a.txt", "*** Move to: ../b.txt", "@@", "-one", "+two"), "path_outside"],
    [patched("*** Delete File: dir"), "not_a_file"],
    [update("yarn.lock"), "generated_file"],
    [update("missing.txt"), "file_not_found"],
    [patched("*** Update File: a.txt", "@@", "-one", "+one"), "no_change"],
  ] as const) {
    const answer = await fixture.call("edit", input);
    assert.equal(answer.error, error, answer.text);
  }
  assert.equal(content(fixture, "a.txt"), "one\n");
  const absolute = await fixture.call("edit", update(fixture.place.path("a.txt")));
  assert.equal(absolute.error, undefined, absolute.text);
});

test("a patch is carried out that the person does not allow", async (t) => {
  const asked: string[] = [];
  const fixture = await openCodeFixture(t, [applyPatch], {
    files: { "a.txt": "one\n" },
    permit: async ({ targets }) => {
      for (const target of targets) if (target.kind === "path") asked.push(`${target.access} ${target.path}`);
      return undefined;
    },
  });
  await fixture.call(
    "edit",
    patched(
      "*** Update File: a.txt",
      "*** Move to: b.txt",
      "@@",
      "-one",
      "+two",
      "*** Add File: c.txt",
      "+c",
    ),
  );
  assert.deepEqual(asked, ["write a.txt", "write b.txt", "write c.txt"]);
});

test("while a patch is written there is nothing to look at", async (t) => {
  const fixture = await fixtureWith(t, { "a.txt": "one\n", "b.txt": "x\n" });
  const tool = applyPatch(fixture.context);
  const { input } = patched(
    "*** Update File: a.txt",
    "@@",
    "-one",
    "+two",
    "*** Update File: b.txt",
    "*** Move to: c.txt",
    "@@",
    "-x",
    "+y",
  );
  const whole = JSON.stringify({ input });
  assert.match((await tool.preview?.(whole.slice(0, whole.indexOf("Move")))) ?? "", /-one\n\+two/);
  assert.match((await tool.preview?.(whole)) ?? "", /-x\n\+y/);
  assert.equal(await tool.preview?.('{"input": "*** Begin Pa'), undefined);
  assert.equal(content(fixture, "a.txt"), "one\n");
});

test("a file that somebody changed after it was read is deleted, or replaced by a new one", async (t) => {
  const files = { "a.txt": "one\n", "b.txt": "one\n" };
  const fixture = await openCodeFixture(t, [read, applyPatch], {
    settings: { editMode: "apply_patch" },
    files,
  });
  const sections = [
    ["*** Delete File: a.txt"],
    ["*** Add File: a.txt", "+new"],
    ["*** Update File: b.txt", "*** Move to: a.txt", "@@", "-one", "+new"],
  ];
  for (const section of sections) {
    await fixture.call("read", { path: "a.txt" });
    writeFileSync(fixture.place.path("a.txt"), `${content(fixture, "a.txt")}by hand\n`);
    const before = content(fixture, "a.txt");
    const refused = await fixture.call("edit", patched(...section));
    assert.equal(refused.error, "conflict", refused.text);
    assert.equal(content(fixture, "a.txt"), before);
  }
  await fixture.call("read", { path: "a.txt" });
  assert.equal((await fixture.call("edit", patched("*** Delete File: a.txt"))).error, undefined);
  assert.ok(!existsSync(fixture.place.path("a.txt")), "what was read as it is may go");
});
