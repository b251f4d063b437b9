import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { Fault } from "@stet/protocol/fault";
import { type CodeFixture, openCodeFixture } from "@stet/testkit/code-fixture";
import { astEdit } from "./ast-edit.ts";
import type { PendingPreview } from "./resolve.ts";
import { resolve } from "./resolve.ts";

async function fixture(
  t: TestContext,
  files: Record<string, string>,
  editMode: "hashline" | "patch" = "hashline",
) {
  const pending: PendingPreview = { current: undefined };
  return await openCodeFixture(t, [astEdit(pending), resolve(pending)], { files, settings: { editMode } });
}

const read = (at: CodeFixture, path: string) => readFileSync(at.place.path(path), "utf8");

/** A source after one rule was applied to it. */
async function rewritten(
  t: TestContext,
  source: string,
  pat: string,
  out: string,
  path = "a.ts",
): Promise<string> {
  const at = await fixture(t, { [path]: source });
  const preview = await at.call("ast_edit", { ops: [{ pat, out }], paths: [path] });
  assert.equal(preview.error, undefined, preview.text);
  assert.equal(read(at, path), source, "a preview changes nothing");
  const answer = await at.call("resolve", { action: "apply" });
  assert.equal(answer.error, undefined, answer.text);
  assert.match(answer.text, /^Applied \d+ replacements? in 1 file\.$/);
  return read(at, path);
}

test("a preview shows the first lines of each change, and apply makes them", async (t) => {
  const at = await fixture(t, { "a.ts": "eq(a, b);\nok();\n", "d/b.ts": "eq(1, 2);\n" });
  const ops = [{ pat: "eq($A, $B)", out: "expect($A).toBe($B)" }];
  const preview = await at.call("ast_edit", { ops, paths: ["."] });
  assert.match(
    preview.text,
    /^a\.ts\n-1[a-z]{2}\|eq\(a, b\)\n\+1[a-z]{2}\|expect\(a\)\.toBe\(b\)\n\nd\/b\.ts\n-1/,
  );
  assert.deepEqual(preview.details, {
    totalReplacements: 2,
    filesTouched: 2,
    filesSearched: 2,
    applied: false,
    limitReached: false,
    fileReplacements: [
      { path: "a.ts", count: 1 },
      { path: "d/b.ts", count: 1 },
    ],
  });
  const answer = await at.call("resolve", { action: "apply", reason: "as planned" });
  assert.equal(answer.text, "Applied 2 replacements in 2 files.");
  assert.equal(read(at, "a.ts"), "expect(a).toBe(b);\nok();\n");
  assert.equal(read(at, "d/b.ts"), "expect(1).toBe(2);\n");
  assert.equal((await at.call("resolve", { action: "apply" })).error, "nothing_pending");
});

test("without anchors a change is named by line and column", async (t) => {
  const at = await fixture(t, { "a.ts": `  eq("${"x".repeat(200)}");\n` }, "patch");
  const { text } = await at.call("ast_edit", { ops: [{ pat: "eq($A)", out: "is($A)" }], paths: ["a.ts"] });
  assert.match(text, /^-1:3 eq\("x+…\n\+1:3 is\("x+…\n/);
  assert.ok(text.split("\n").every((line) => line.length < 130));
});

test("a discarded preview changes nothing and is gone", async (t) => {
  const at = await fixture(t, { "a.ts": "foo();\n" });
  await at.call("ast_edit", { ops: [{ pat: "foo()", out: "bar()" }], paths: ["a.ts"] });
  const answer = await at.call("resolve", { action: "discard", reason: "not yet" });
  assert.match(answer.text, /^Discarded .*nothing was changed\. Reason: not yet$/);
  assert.equal(read(at, "a.ts"), "foo();\n");
  assert.equal((await at.call("resolve", { action: "discard" })).error, "nothing_pending");
});

test("lists keep their commas, and an empty list takes its comma along", async (t) => {
  const source = "foo(1);\nfoo(1, 2, 3);\n";
  assert.equal(
    await rewritten(t, source, "foo($$$ARGS)", "bar(ctx, $$$ARGS)"),
    "bar(ctx, 1);\nbar(ctx, 1, 2, 3);\n",
  );
  assert.equal(await rewritten(t, "foo();\n", "foo($$$ARGS)", "bar(ctx, $$$ARGS)"), "bar(ctx);\n");
  assert.equal(await rewritten(t, "foo();\n", "foo($$$ARGS)", "bar($$$ARGS, ctx)"), "bar(ctx);\n");
});

test("captures over several lines keep their indentation, and strings their lines", async (t) => {
  const source = "function f() {\n    run(() => {\n        a();\n        b(`\nraw`);\n    });\n}\n";
  assert.equal(
    await rewritten(t, source, "run(() => { $$$BODY })", "{\n    $$$BODY\n}"),
    "function f() {\n    {\n        a();\n        b(`\nraw`);\n    };\n}\n",
  );
  assert.equal(
    await rewritten(
      t,
      "if (x) {\n  if (y) {\n    a({\n      k: 1,\n    });\n  }\n}\n",
      "if (y) { $$$B }",
      "$$$B",
    ),
    "if (x) {\n  a({\n    k: 1,\n  });\n}\n",
  );
});

test("what is deleted takes its line along where nothing else is on it", async (t) => {
  const source = "a();\n  console.log(1);\nb(); console.log(2);\n";
  assert.equal(await rewritten(t, source, "console.log($$$);", ""), "a();\nb(); \n");
});

test("line ends, byte order mark and a missing last line end stay", async (t) => {
  assert.equal(
    await rewritten(t, "\ufeffa();\r\nfoo('é😀');\r\nb()", "foo($A)", "bar(\n  $A\n)"),
    "\ufeffa();\r\nbar(\r\n  'é😀'\r\n);\r\nb()",
  );
  assert.equal(
    await rewritten(t, "a();\r\nfoo(1);\nb();\r\n", "foo($A)", "bar($A)"),
    "a();\r\nbar(1);\nb();\r\n",
  );
});

test("every language can be rewritten", async (t) => {
  const cases: [string, string, string][] = [
    ["a.py", "x = foo(1)\n", "x = bar(1)\n"],
    ["a.go", "package a\n\nfunc f() {\n\tfoo(1)\n}\n", "package a\n\nfunc f() {\n\tbar(1)\n}\n"],
    ["a.rs", "fn f() { foo(1); }\n", "fn f() { bar(1); }\n"],
    ["A.java", "class A { void f() { foo(1); } }\n", "class A { void f() { bar(1); } }\n"],
    ["a.c", "int f(void) { foo(1); return 0; }\n", "int f(void) { bar(1); return 0; }\n"],
    ["a.js", "foo(1);\n", "bar(1);\n"],
    ["a.tsx", "const a = <p>{foo(1)}</p>;\n", "const a = <p>{bar(1)}</p>;\n"],
  ];
  for (const [path, source, expected] of cases) {
    assert.equal(await rewritten(t, source, "foo($A)", "bar($A)", path), expected, path);
  }
});

test("rules that match nothing, or change nothing, make no preview", async (t) => {
  const at = await fixture(t, { "a.ts": "foo(1);\n" });
  for (const op of [
    { pat: "nope()", out: "x()" },
    { pat: "foo($A)", out: "foo($A)" },
  ]) {
    const answer = await at.call("ast_edit", { ops: [op], paths: ["a.ts"] });
    assert.equal(answer.text, "No replacements made");
    assert.equal((await at.call("resolve", { action: "apply" })).error, "nothing_pending");
  }
});

test("requests that cannot be meant are refused", async (t) => {
  const at = await fixture(t, { "a.ts": "f(f(1));\n", "b.py": "f(1)\n", "bad.ts": "f(1); const = ;\n" });
  const ask = async (ops: object[], paths = ["a.ts"]) => await at.call("ast_edit", { ops, paths });
  assert.equal((await ask([])).error, "invalid_arguments");
  assert.equal((await ask([{ pat: " ", out: "" }])).error, "invalid_arguments");
  assert.match(
    (
      await ask([
        { pat: "f($A)", out: "1" },
        { pat: " f($A)", out: "2" },
      ])
    ).text,
    /occurs twice/,
  );
  assert.match((await ask([{ pat: "f($A)", out: "g($B)" }])).text, /out uses \$B/);
  assert.match((await ask([{ pat: "f($A)", out: "g($$$A)" }])).text, /out uses \$\$\$A/);
  assert.match((await ask([{ pat: "f($A)", out: "g($A)" }])).text, /Overlapping replacements detected/);
  assert.match(
    (await ask([{ pat: "f($A)", out: "g(1)" }], ["."])).text,
    /several languages: typescript \(2\), python \(1\)/,
  );
  assert.match((await ask([{ pat: "f(1)", out: "g(" }])).text, /would break a\.ts.*line 1/);
  assert.equal((await ask([{ pat: "f(1)", out: "2" }], ["nope"])).error, "file_not_found");
  assert.equal((await ask([{ pat: "f(1)", out: "2" }], [""])).error, "invalid_path");
  const skipped = await ask([{ pat: "f(1)", out: "g(1)" }], ["bad.ts"]);
  assert.match(
    skipped.text,
    /^No replacements made\nParse issues:\n- bad\.ts: has syntax errors, and was left out$/,
  );
  const none = await ask([{ pat: "a(); b()", out: "c()" }]);
  assert.equal(none.error, undefined);
  assert.match(none.text, /^No replacements made\nParse issues:\n- pattern: /);
});

test("a preview that no longer fits is refused with the first file that differs", async (t) => {
  const ops = [{ pat: "foo($A)", out: "bar($A)" }];
  const changes: ((at: CodeFixture) => void)[] = [
    (at) => writeFileSync(at.place.path("b.ts"), "foo(3);\n"),
    (at) => writeFileSync(at.place.path("b.ts"), "// x\nfoo(2);\n"),
    (at) => writeFileSync(at.place.path("b.ts"), "ok();\n"),
  ];
  for (const change of changes) {
    const at = await fixture(t, { "a.ts": "foo(1);\n", "b.ts": "foo(2);\n" });
    await at.call("ast_edit", { ops, paths: ["."] });
    change(at);
    const now = read(at, "b.ts");
    const answer = await at.call("resolve", { action: "apply" });
    assert.equal(answer.error, "stale_preview");
    assert.match(answer.text, /b\.ts is no longer/);
    assert.equal(read(at, "a.ts"), "foo(1);\n");
    assert.equal(read(at, "b.ts"), now);
  }
  const at = await fixture(t, { "a.ts": "foo(1);\n" });
  await at.call("ast_edit", { ops, paths: ["."] });
  writeFileSync(at.place.path("new.ts"), "foo(9);\n");
  assert.match((await at.call("resolve", { action: "apply" })).text, /new\.ts is no longer/);
});

test("a generated file is not rewritten", async (t) => {
  const at = await fixture(t, { "a.ts": "// Code generated by x. DO NOT EDIT.\nfoo(1);\n" });
  const answer = await at.call("ast_edit", { ops: [{ pat: "foo($A)", out: "bar($A)" }], paths: ["."] });
  assert.equal(answer.error, "generated_file");
});

test("more files than the limit are told, and only those within it are rewritten", {
  timeout: 60_000,
}, async (t) => {
  const names = Array.from({ length: 1003 }, (_, index) => `f${String(index).padStart(4, "0")}.ts`);
  const at = await fixture(t, Object.fromEntries(names.map((name) => [name, "foo(1);\n"])));
  const preview = await at.call("ast_edit", { ops: [{ pat: "foo($A)", out: "bar($A)" }], paths: ["."] });
  assert.match(preview.text, /Limit reached; narrow paths\./);
  assert.match(preview.text, /\[800 more replacements\]/);
  assert.match(
    (await at.call("resolve", { action: "apply" })).text,
    /^Applied 1000 replacements in 1000 files/,
  );
  assert.equal(read(at, "f0999.ts"), "bar(1);\n");
  assert.equal(read(at, "f1000.ts"), "foo(1);\n");
});

test("applying asks for permission to write, and a refusal keeps the preview", async (t) => {
  const pending: PendingPreview = { current: undefined };
  const asked: string[] = [];
  const at = await openCodeFixture(t, [astEdit(pending), resolve(pending)], {
    files: { "a.ts": "foo(1);\n" },
    permit: async ({ targets }) => {
      for (const target of targets) if (target.kind === "path") asked.push(`${target.access} ${target.path}`);
      return asked.length === 2 ? new Fault("not_allowed", "Not now.", "Ask again.") : undefined;
    },
  });
  await at.call("ast_edit", { ops: [{ pat: "foo($A)", out: "bar($A)" }], paths: ["a.ts"] });
  assert.equal((await at.call("resolve", { action: "apply" })).error, "not_allowed");
  assert.equal(read(at, "a.ts"), "foo(1);\n");
  assert.equal((await at.call("resolve", { action: "apply" })).error, undefined);
  assert.deepEqual(asked, ["read a.ts", "write a.ts", "write a.ts"]);
});

test("a pattern that does not parse is told where it replaces nothing", async (t) => {
  const at = await fixture(t, { "a.ts": "if (x) go();\n" });
  const none = await at.call("ast_edit", { ops: [{ pat: "if (", out: "while (" }], paths: ["a.ts"] });
  assert.match(
    none.text,
    /^No replacements made\nParse issues:\n- pattern: "if \(" is not whole typescript code/,
  );
});
