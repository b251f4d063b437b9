import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { openCodeFixture } from "@stet/testkit/code-fixture";
import { unknownLines } from "@stet/testkit/read-anchors";
import { anchorLetters } from "@stet/text/anchors";
import { astGrep } from "./ast-grep.ts";

const fixture = (t: TestContext, files: Record<string, string | Uint8Array>) =>
  openCodeFixture(t, [astGrep], { files });

/** The answer's text for one search over some files. */
async function found(t: TestContext, files: Record<string, string>, pat: string, paths = ["."]) {
  return await (await fixture(t, files)).call("ast_grep", { pat, paths });
}

test("matches are shown with anchors, continuation lines and what was captured", async (t) => {
  const at = await fixture(t, { "a.ts": "// é😀\nfoo(1);\nif (x) foo(\n  a,\n  b\n);\n" });
  const answer = await at.call("ast_grep", { pat: "foo($FIRST, $$$REST)", paths: ["a.ts"] });
  const line = (number: number, text: string) => `${number}${anchorLetters(text, number)}|${text}`;
  assert.equal(
    answer.text,
    [
      `*${line(3, "if (x) foo(")}`,
      ` ${line(4, "  a,")}`,
      ` ${line(5, "  b")}`,
      ` ${line(6, ");")}`,
      "meta: FIRST=a",
      "meta: REST=b",
    ].join("\n"),
  );
  assert.deepEqual(unknownLines(at, "a.ts"), [{ start: 0, end: 1 }]);
});

test("matches in several files are grouped by file, in order", async (t) => {
  const files = { "b.ts": "foo(1)\n", "a/x.ts": "\n\nfoo(2)\n", "c.ts": "bar()\n" };
  const answer = await found(t, files, "foo($A)");
  assert.match(
    answer.text,
    /^a\/x\.ts\n\*3[a-z]{2}\|foo\(2\)\nmeta: A=2\n\nb\.ts\n\*1[a-z]{2}\|foo\(1\)\nmeta: A=1$/,
  );
  assert.deepEqual(answer.details, {
    matchCount: 2,
    fileCount: 2,
    filesSearched: 3,
    limitReached: false,
    files: [
      { path: "a/x.ts", matches: 1 },
      { path: "b.ts", matches: 1 },
    ],
  });
});

test("every language can be searched, also where code on its own would mean something else", async (t) => {
  const cases: [string, string, string][] = [
    ["a.tsx", "const a = <p>{foo(1)}</p>;\n", "foo($A)"],
    ["a.js", "foo(1);\n", "foo($A)"],
    ["a.py", "x = foo(1)\n", "foo($A)"],
    ["a.go", "package a\n\nfunc f() {\n\tfmt.foo(1)\n}\n", "fmt.foo($A)"],
    ["a.rs", "fn f() { foo(1); }\n", "foo($A)"],
    ["A.java", "class A { void f() { foo(1); } }\n", "foo($A)"],
    ["a.c", "int f(void) { foo(1); return 0; }\n", "foo($A)"],
    ["a.css", "a { color: red; }\n", "color: red"],
    ["a.html", "<p>x</p>\n", "<p>$A</p>"],
  ];
  for (const [path, source, pattern] of cases) {
    const answer = await found(t, { [path]: source }, pattern, [path]);
    assert.equal(answer.error, undefined, `${path}: ${answer.text}`);
    assert.match(answer.text, /^\*\d+/, `${path}: ${answer.text}`);
  }
});

test("the same name twice means the same code twice; lower case is no variable", async (t) => {
  const files = { "a.ts": "a == a;\na == b;\n" };
  assert.match((await found(t, files, "$X == $X")).text, /\|a == a;/);
  assert.doesNotMatch((await found(t, files, "$X == $X")).text, /a == b/);
  assert.equal((await found(t, files, "$x == $x")).text, "No matches found");
});

test("over 50 matches come in pages", async (t) => {
  const at = await fixture(t, { "a.ts": "foo(1);\n".repeat(60), "b.ts": "foo(2);\n" });
  const first = await at.call("ast_grep", { pat: "foo($_)", paths: ["."] });
  assert.equal(first.text.match(/^\*/gm)?.length, 50);
  assert.match(first.text, /Result limit reached; narrow paths or use skip: 50\.$/);
  const second = await at.call("ast_grep", { pat: "foo($_)", paths: ["."], skip: 50.7 });
  assert.equal(second.text.match(/^\*/gm)?.length, 11);
  assert.doesNotMatch(second.text, /limit reached/);
  const none = await at.call("ast_grep", { pat: "foo($_)", paths: ["."], skip: 100 });
  assert.equal(none.text, "No matches after the first 100");
});

test("a file with syntax errors is searched, and told", async (t) => {
  const files = { "a.ts": "foo(1);\nconst = ;\n" };
  const answer = await found(t, files, "foo($A)");
  assert.match(answer.text, /^a\.ts\n\*1/);
  assert.match(answer.text, /Parse issues:\n- a\.ts: has syntax errors/);
  const none = await found(t, { "a.ts": "function foo( {\n" }, "foo(1)");
  assert.match(none.text, /^No matches found\. Parse issues mean the query may be mis-scoped/);
});

test("a pattern that is none is refused, or told where it is one in another language", async (t) => {
  for (const pattern of ["", "  \n", "foo(); bar()"]) {
    const answer = await found(t, { "a.ts": "foo()\n" }, pattern);
    assert.equal(answer.error, "invalid_arguments", pattern);
  }
  const mixed = await found(t, { "a.ts": "foo(1);\n", "b.py": "foo(1)\n" }, "foo($A);");
  assert.match(mixed.text, /^a\.ts\n\*1/);
  assert.match(mixed.text, /- pattern: python: /);
});

test("bad paths and offsets are refused with what to do", async (t) => {
  const at = await fixture(t, { "a.ts": "foo()\n", "a.txt": "foo()\n" });
  const code = async (input: object) => (await at.call("ast_grep", { pat: "foo()", ...input })).error;
  assert.equal(await code({ paths: [] }), "invalid_arguments");
  assert.equal(await code({ paths: [""] }), "invalid_path");
  assert.equal(await code({ paths: ["nope"] }), "file_not_found");
  assert.equal(await code({ paths: ["../a.ts"] }), "path_outside");
  assert.equal(await code({ paths: ["/etc"] }), "path_outside");
  assert.equal(await code({ paths: [".git"] }), "file_not_found");
  assert.equal(await code({ paths: ["artifact://1"] }), "unknown_address");
  assert.equal(await code({ paths: ["artifact://*"] }), "unknown_address");
  assert.equal(await code({ paths: ["a.txt"] }), "no_match");
  assert.equal(await code({ paths: ["*.rs"] }), "no_match");
  assert.equal(await code({ paths: ["."], skip: -1 }), "invalid_arguments");
  assert.equal(await code({ paths: ["{a"] }), "invalid_regex");
  const partly = await at.call("ast_grep", { pat: "foo()", paths: ["nope", "a.ts"] });
  assert.match(partly.text, /\*1[a-z]{2}\|foo\(\)/);
  assert.match(partly.text, /nope: does not exist/);
});

test("globs, absolute paths, ignored and hidden files mean what they say", async (t) => {
  const at = await fixture(t, {
    "a.ts": "foo()\n",
    "s/b.ts": "foo()\n",
    "s/d/c.ts": "foo()\n",
    ".hidden/h.ts": "foo()\n",
    "out/o.ts": "foo()\n",
    ".gitignore": "out\n",
    "node_modules/m/m.ts": "foo()\n",
    "app/[id]/p.ts": "foo()\n",
  });
  symlinkSync("/etc", at.place.path("s/etc"));
  const files = async (...paths: string[]) => {
    const { details, text } = await at.call("ast_grep", { pat: "foo()", paths });
    assert.ok(typeof details === "object" && details !== null && "files" in details, text);
    return (details.files as { path: string }[]).map(({ path }) => path);
  };
  assert.deepEqual(await files("*.ts"), ["a.ts"]);
  assert.deepEqual(await files("s/*.ts"), ["s/b.ts"]);
  assert.deepEqual(await files("s/**/*.ts"), ["s/b.ts", "s/d/c.ts"]);
  assert.deepEqual(await files(at.place.path("s")), ["s/b.ts", "s/d/c.ts"]);
  assert.deepEqual(await files("."), [".hidden/h.ts", "a.ts", "app/[id]/p.ts", "s/b.ts", "s/d/c.ts"]);
  assert.deepEqual(await files("node_modules/**/*.ts"), ["node_modules/m/m.ts"]);
  assert.deepEqual(await files("app/[id]/p.ts"), ["app/[id]/p.ts"]);
  assert.deepEqual(await files("a.ts", "a.ts", "./a.ts"), ["a.ts"]);
});

test("looking through files makes no documents of those that are not shown", async (t) => {
  const at = await fixture(t, { "a.ts": "foo()\n", "b.ts": "bar()\n" });
  await at.call("ast_grep", { pat: "foo()", paths: ["."] });
  assert.equal(at.workspace.documents.rowAt("b.ts"), undefined);
  assert.notEqual(at.workspace.documents.rowAt("a.ts"), undefined);
});

test("a search that the person stops ends", async (t) => {
  const files = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [`f${index}.ts`, "foo(1);\n".repeat(500)]),
  );
  const at = await fixture(t, files);
  const slow = at.call("ast_grep", { pat: "foo($A, $B)", paths: ["."] }, AbortSignal.timeout(30));
  assert.equal((await slow).error, "aborted");
});

test("files that are not text are told and left out", async (t) => {
  const at = await fixture(t, { "a.ts": new Uint8Array([0x66, 0xff, 0x00]), "b.ts": "foo()\n" });
  const answer = await at.call("ast_grep", { pat: "foo()", paths: ["."] });
  assert.match(answer.text, /^b\.ts\n\*1/);
  assert.match(answer.text, /- a\.ts: It holds a NUL byte/);
});

test("a pattern that does not parse is told where it finds nothing, not where it matches", async (t) => {
  const files = { "a.ts": "if (x) class A {}\nclass B {}\n", "m.java": "class M { void f() {} }\n" };
  const broken = await found(t, files, "if (", ["a.ts"]);
  assert.match(
    broken.text,
    /^No matches found\. Parse issues .*\n.*\n- pattern: "if \(" is not whole typescript code: it does not parse$/,
  );
  assert.doesNotMatch((await found(t, files, "class $X", ["a.ts"])).text, /Parse issues/);
  for (const [path, whole] of [
    ["a.ts", "if ($A) { missing($$$) }"],
    ["m.java", "public int $M($$$) { $$$ }"],
  ] as const) {
    assert.equal((await found(t, files, whole, [path])).text, "No matches found");
  }
});
