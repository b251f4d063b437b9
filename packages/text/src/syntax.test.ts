import assert from "node:assert/strict";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { syntaxProblem } from "./syntax.ts";

function problem(path: string, content: string, before = ""): Promise<string | undefined> {
  return syntaxProblem(path, Text.of(content.split("\n")), Text.of(before.split("\n")));
}

test("JSON that does not parse is told with its line", async () => {
  assert.match((await problem("a.json", '{\n  "a": 1\n  "b": 2\n}\n')) ?? "", /not valid JSON.*line 3/);
  assert.equal(await problem("a.json", '{"a": 1}\n'), undefined);
  assert.equal(await problem("a.ts", "{bad"), undefined);
  assert.equal(await problem("a.json", ""), undefined);
});

test("a settings file that had comments before may have them now, and nothing worse", async () => {
  const before = '{\n  // why\n  "a": 1,\n}\n';
  assert.equal(await problem("tsconfig.json", before.replace("1", "2"), before), undefined);
  assert.match((await problem("tsconfig.json", '{\n  // why\n  "a": ,\n}\n', before)) ?? "", /line 3/);
  assert.match((await problem("tsconfig.json", before, '{"a": 1}')) ?? "", /comment/);
});

test("YAML that does not parse is told, and several documents in one file are fine", async () => {
  assert.match((await problem("a.yml", "a: [1, 2\nb: 3\n")) ?? "", /not valid YAML.*line/);
  assert.equal(await problem("a.yaml", "a: 1\n---\nb: 2\n"), undefined);
  assert.equal(await problem("a.yaml", "# nothing\n"), undefined);
});

test("Markdown: a code block without an end, and front matter that is no YAML", async () => {
  assert.match((await problem("a.md", "text\n\n```ts\nlet a;\n")) ?? "", /begins in line 3/);
  assert.equal(await problem("a.md", "```ts\nlet a;\n```\n\n~~~\n```\n~~~\n"), undefined);
  assert.equal(await problem("a.md", "```inline``` code\n"), undefined);
  assert.match((await problem("a.md", "---\ntitle: [a\n---\ntext\n")) ?? "", /front matter/);
  assert.equal(await problem("a.md", "---\n\nA rule, and no front matter: [a\n"), undefined);
});
