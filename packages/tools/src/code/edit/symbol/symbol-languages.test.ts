// Symbol edits as a person would read them, language by language.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { openCodeFixture } from "@stet/testkit/code-fixture";
import { symbolEdit } from "./symbol-edit.ts";

async function after(t: TestContext, path: string, content: string, ...edits: object[]): Promise<string> {
  const at = await openCodeFixture(t, [symbolEdit], {
    files: { [path]: content },
    settings: { editMode: "symbol" },
  });
  const answer = await at.call("edit", { path, edits });
  if (answer.error !== undefined) return `${answer.error}: ${answer.text}`;
  return readFileSync(at.place.path(path), "utf8");
}

const json = '{\n  "name": "x",\n  "scripts": {\n    "test": "node",\n    "lint": "biome"\n  }\n}\n';

test("keys of JSON come and go with the commas that are needed", async (t) => {
  assert.equal(
    await after(
      t,
      "a.json",
      json,
      { op: "insert_after", symbol: "scripts.lint", content: '"build": "tsc",' },
      { op: "insert_before", symbol: "name", content: '"private": true' },
    ),
    '{\n  "private": true,\n  "name": "x",\n  "scripts": {\n    "test": "node",\n    "lint": "biome",\n    "build": "tsc"\n  }\n}\n',
  );
  assert.equal(
    await after(t, "a.json", json, { op: "delete", symbol: "scripts.lint" }),
    json.replace('"node",\n    "lint": "biome"', '"node"'),
  );
  assert.equal(
    await after(t, "a.json", json, { op: "replace", symbol: "name", content: '"name": "y"' }),
    json.replace('"x"', '"y"'),
  );
  assert.equal(
    await after(t, "a.json", json, { op: "replace", symbol: "scripts.lint", content: '"lint": "eslint",' }),
    json.replace('"biome"', '"eslint"'),
  );
});

test("keys that share a line are edited where they are, and their neighbours stay", async (t) => {
  const pkg = '{\n  "scripts": { "test": "node --test", "build": "tsc" },\n  "files": ["dist", "docs"]\n}\n';
  const test = '"test": "node --test"';
  for (const [edit, from, to] of [
    [
      { op: "insert_after", symbol: "scripts.test", content: '"lint": "biome"' },
      test,
      `${test}, "lint": "biome"`,
    ],
    [
      { op: "insert_before", symbol: "scripts.test", content: '"lint": "biome",' },
      test,
      `"lint": "biome", ${test}`,
    ],
    [
      { op: "insert_after", symbol: "scripts.build", content: '"lint": "biome"' },
      '"build": "tsc"',
      '"build": "tsc", "lint": "biome"',
    ],
    [{ op: "delete", symbol: "scripts.test" }, `${test}, `, ""],
    [{ op: "delete", symbol: "scripts.build" }, ', "build": "tsc"', ""],
    [{ op: "delete", symbol: "files[0]" }, '"dist", ', ""],
    [{ op: "replace", symbol: "scripts.test", content: '"test": "vitest"' }, "node --test", "vitest"],
    [
      { op: "replace", symbol: "scripts.test", content: '"check": "vitest"', rename: true },
      test,
      '"check": "vitest"',
    ],
  ] as const) {
    assert.equal(await after(t, "pkg.json", pkg, edit), pkg.replace(from, to), JSON.stringify(edit));
  }
  const split = '{ "a": 1,\n  "b": 2 }\n';
  assert.equal(await after(t, "a.json", split, { op: "delete", symbol: "b" }), '{ "a": 1 }\n');
  assert.equal(
    await after(t, "a.json", split, { op: "insert_after", symbol: "b", content: '"c": 3' }),
    '{ "a": 1,\n  "b": 2, "c": 3 }\n',
  );
});

test("keys of YAML that share a line are edited where they are", async (t) => {
  const flow = "a: {b: 1, c: 2} # both\nd: [x, y]\nsteps:\n  - run: a\n    name: n\n";
  for (const [edit, from, to] of [
    [{ op: "delete", symbol: "a.b" }, "b: 1, ", ""],
    [{ op: "delete", symbol: "a.c" }, ", c: 2", ""],
    [{ op: "insert_after", symbol: "a.c", content: "e: 3" }, "c: 2", "c: 2, e: 3"],
    [{ op: "replace", symbol: "a.b", content: "b: 9" }, "b: 1", "b: 9"],
    [{ op: "delete", symbol: "d[1]" }, ", y", ""],
    [{ op: "replace", symbol: "a", content: "a: {}" }, "a: {b: 1, c: 2}", "a: {}"],
    [{ op: "insert_after", symbol: "steps[0].run", content: "if: yes" }, "run: a", "run: a\n    if: yes"],
    [{ op: "delete", symbol: "steps[0].run" }, "- run: a", "- "],
  ] as const) {
    assert.equal(await after(t, "a.yml", flow, edit), flow.replace(from, to), JSON.stringify(edit));
  }
});

test("JSON that would no longer be valid is refused", async (t) => {
  const result = await after(t, "a.json", json, { op: "replace", symbol: "name", content: '"name": }' });
  assert.match(result, /^invalid_arguments: .*would break a\.json/);
});

test("keys of YAML are edited at their depth", async (t) => {
  const yaml = "jobs:\n  test:\n    steps:\n      - run: a\n  lint:\n    steps: []\n";
  assert.equal(
    await after(
      t,
      "a.yml",
      yaml,
      { op: "replace", symbol: "jobs.lint", content: "lint:\n  steps:\n    - run: b" },
      { op: "insert_before", symbol: "jobs.test", content: "build:\n  steps: []" },
    ),
    "jobs:\n  build:\n    steps: []\n\n  test:\n    steps:\n      - run: a\n  lint:\n    steps:\n      - run: b\n",
  );
});

test("sections of Markdown are replaced, filled, put beside each other and deleted", async (t) => {
  const doc = "# Guide\n\nIntro.\n\n## Linux\n\nUse apt.\n\n## Mac\n\nUse brew.\n\n# End\n";
  assert.equal(
    await after(
      t,
      "a.md",
      doc,
      { op: "replace_body", symbol: "Guide > Linux", content: "Use dnf.\n\n    indented code" },
      { op: "insert_after", symbol: "## Mac", content: "## Windows\n\nUse winget." },
      { op: "replace_body", symbol: "End", content: "Bye." },
    ),
    "# Guide\n\nIntro.\n\n## Linux\n\nUse dnf.\n\n    indented code\n\n## Mac\n\nUse brew.\n\n## Windows\n\nUse winget.\n\n# End\n\nBye.\n",
  );
  assert.equal(
    await after(t, "a.md", doc, { op: "delete", symbol: "Mac" }),
    doc.replace("## Mac\n\nUse brew.\n\n", ""),
  );
});

const python = `import os


class A:
    """Doc."""

    @property
    def size(self):
        return 1

    def name(self): return "a"


def main():
    A()
`;

test("Python is edited with its decorators and at its depth", async (t) => {
  assert.equal(
    await after(
      t,
      "a.py",
      python,
      { op: "replace", symbol: "A.size", content: "@cached\ndef size(self):\n    return 2" },
      { op: "replace_body", symbol: "name", content: 'x = """\nraw\n"""\nreturn x' },
      { op: "insert_after", symbol: "main", content: "def more():\n    pass" },
    ),
    `import os


class A:
    """Doc."""

    @cached
    def size(self):
        return 2

    def name(self):
        x = """
raw
"""
        return x


def main():
    A()


def more():
    pass
`,
  );
  assert.match(
    await after(t, "a.py", python, { op: "replace_body", symbol: "main", content: "  \n" }),
    /^content_required/,
  );
});

test("tabs of Go stay tabs when the content has spaces", async (t) => {
  const go = "package a\n\ntype T struct{}\n\nfunc (t *T) M() int {\n\treturn 1\n}\n";
  assert.equal(
    await after(t, "a.go", go, {
      op: "replace",
      symbol: "T.M",
      content: "func (t *T) M() int {\n    if true {\n        return 2\n    }\n    return 3\n}",
    }),
    "package a\n\ntype T struct{}\n\nfunc (t *T) M() int {\n\tif true {\n\t\treturn 2\n\t}\n\treturn 3\n}\n",
  );
});

test("methods of Rust are told apart by what they implement", async (t) => {
  const rust = `struct P;

impl Display for P {
    fn fmt(&self) {}
}

impl Debug for P {
    fn fmt(&self) {}
}
`;
  assert.match(
    await after(t, "a.rs", rust, { op: "replace_body", symbol: "P::fmt", content: "x();" }),
    /^ambiguous_match/,
  );
  assert.equal(
    await after(t, "a.rs", rust, { op: "replace_body", symbol: "impl Debug for P.fmt", content: "x();" }),
    rust.replace(/(Debug for P \{\n {4}fn fmt\(&self\) )\{\}/, "$1{\n        x();\n    }"),
  );
});

test("code that shares its line with other code is replaced and deleted within it", async (t) => {
  const source = "const one = 1, two = 2;\nclass A { a() {} b() {} }\n";
  assert.equal(
    await after(t, "a.ts", source, { op: "replace", symbol: "two", content: "two = 3" }),
    source.replace("two = 2", "two = 3"),
  );
  assert.equal(
    await after(t, "a.ts", source, { op: "delete", symbol: "one" }, { op: "delete", symbol: "A.a" }),
    "const two = 2;\nclass A {  b() {} }\n",
  );
  assert.equal(
    await after(t, "a.ts", source, { op: "delete", symbol: "two" }),
    source.replace(", two = 2", ""),
  );
  assert.match(
    await after(t, "a.ts", source, { op: "insert_after", symbol: "A.a", content: "c() {}" }),
    /^invalid_arguments: .*shares line 2/,
  );
});

test("methods of an object literal come and go with their commas", async (t) => {
  const source = "export const api = {\n  get() {\n    return 1;\n  },\n  put() {}\n};\n";
  assert.equal(
    await after(
      t,
      "a.ts",
      source,
      { op: "insert_after", symbol: "api.put", content: "post() {\n  return 2;\n}" },
      { op: "replace", symbol: "api.get", content: "get() {\n  return 3;\n}" },
    ),
    "export const api = {\n  get() {\n    return 3;\n  },\n  put() {},\n  post() {\n    return 2;\n  }\n};\n",
  );
});

test("the comma, semicolon and comment behind a symbol stay", async (t) => {
  const source = "class A {\n  a = 1; // one\n  b = 2;\n}\n";
  assert.equal(
    await after(
      t,
      "a.ts",
      source,
      { op: "replace", symbol: "A.a", content: "a = 5;" },
      { op: "replace", symbol: "A.b", content: "b = 6" },
    ),
    "class A {\n  a = 5; // one\n  b = 6;\n}\n",
  );
  assert.equal(
    await after(t, "a.py", "x = 1  # one\n", { op: "replace", symbol: "x", content: "x = 2" }),
    "x = 2  # one\n",
  );
});

test("a symbol that loses its export is told", async (t) => {
  const at = await openCodeFixture(t, [symbolEdit], { files: { "a.ts": "export function a() {}\n" } });
  const edits = [{ op: "replace", symbol: "a", content: "function a() {\n  return 1;\n}" }];
  assert.match((await at.call("edit", { path: "a.ts", edits })).text, /a was exported and is not any more/);
});

test("a template string keeps its lines wherever it is put", async (t) => {
  const source = "class A {\n  m() {\n    return 1;\n  }\n}\n";
  assert.equal(
    await after(t, "a.ts", source, {
      op: "replace",
      symbol: "m",
      content: "m() {\n  return `\nraw\n  two\n`;\n}",
    }),
    "class A {\n  m() {\n    return `\nraw\n  two\n`;\n  }\n}\n",
  );
});
