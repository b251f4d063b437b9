import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { openCodeFixture } from "@stet/testkit/code-fixture";
import { notebook } from "./notebook.ts";

const cells = [
  { cell_type: "markdown", metadata: {}, source: ["# Title\n", "text"] },
  {
    cell_type: "code",
    execution_count: 3,
    metadata: { tags: ["a"] },
    outputs: [{ data: 1 }],
    source: "x = 1",
  },
];

const plain = `${JSON.stringify({ cells, metadata: { k: 1 }, nbformat: 4, nbformat_minor: 5 }, null, 1)}\n`;

async function open(t: Parameters<typeof openCodeFixture>[0], text: string | Uint8Array = plain) {
  const fixture = await openCodeFixture(t, [notebook], { files: { "a.ipynb": text } });
  return {
    fixture,
    call: (input: Record<string, unknown>) =>
      fixture.call("notebook", { notebook_path: "a.ipynb", ...input }),
    text: () => readFileSync(fixture.place.path("a.ipynb"), "utf8"),
    json: () => JSON.parse(readFileSync(fixture.place.path("a.ipynb"), "utf8")),
  };
}

test("a cell's source is replaced, and nothing else of the file", async (t) => {
  const file = await open(t);
  const { details } = await file.call({ action: "edit", cell_index: 1, content: "x = 2\ny = 3" });
  assert.deepEqual(file.json().cells[1], { ...cells[1], source: ["x = 2\n", "y = 3"] });
  const expected = JSON.parse(plain);
  expected.cells[1].source = ["x = 2\n", "y = 3"];
  assert.equal(file.text(), `${JSON.stringify(expected, null, 1)}\n`);
  assert.equal((details as { totalCells: number }).totalCells, 2);
});

test("a new code cell has outputs, a Markdown cell has none", async (t) => {
  const file = await open(t);
  await file.call({ action: "insert", cell_index: 0, content: "print()" });
  await file.call({ action: "insert", cell_index: 3, cell_type: "markdown", content: "end\n" });
  const now = file.json().cells;
  assert.deepEqual(now[0], {
    cell_type: "code",
    execution_count: null,
    metadata: {},
    outputs: [],
    source: ["print()"],
  });
  assert.deepEqual(now[3], { cell_type: "markdown", metadata: {}, source: ["end\n"] });
  assert.equal(now.length, 4);
});

test("a deleted cell is told in the details", async (t) => {
  const file = await open(t);
  const { details } = await file.call({ action: "delete", cell_index: 0 });
  assert.deepEqual(file.json().cells, [cells[1]]);
  assert.equal((details as { cellSource: string }).cellSource, "# Title\ntext");
});

test("a notebook with four spaces and CRLF keeps both", async (t) => {
  const text = JSON.stringify({ cells }, null, 4).replaceAll("\n", "\r\n");
  const file = await open(t, text);
  await file.call({ action: "edit", cell_index: 0, content: "# New" });
  const now = file.text();
  assert.equal(now.replaceAll("\r\n", "").includes("\n"), false);
  assert.match(now, /\r\n {4}"cells": \[/);
  assert.deepEqual(JSON.parse(now).cells[0].source, ["# New"]);
});

const wrong: readonly [string, Record<string, unknown>, string, RegExp][] = [
  [
    "a cell that is not there",
    { action: "edit", cell_index: 2, content: "" },
    "invalid_arguments",
    /has 2 cells.*from 0 to 1/s,
  ],
  [
    "a place behind the end",
    { action: "insert", cell_index: 3, content: "" },
    "invalid_arguments",
    /from 0 to 2/,
  ],
  ["an edit without content", { action: "edit", cell_index: 0 }, "content_required", /content is needed/],
  [
    "a missing file",
    { action: "delete", cell_index: 0, notebook_path: "b.ipynb" },
    "file_not_found",
    /b\.ipynb/,
  ],
  [
    "another kind of file",
    { action: "delete", cell_index: 0, notebook_path: "a.json" },
    "not_readable",
    /\.ipynb/,
  ],
  [
    "a path out of the folder",
    { action: "delete", cell_index: 0, notebook_path: "../a.ipynb" },
    "path_outside",
    /./,
  ],
];

for (const [what, input, error, message] of wrong) {
  test(`${what} is refused`, async (t) => {
    const file = await open(t);
    const refused = await file.call(input);
    assert.equal(refused.error, error);
    assert.match(refused.text, message);
    assert.equal(file.text(), plain);
  });
}

for (const [what, text] of [
  ["text that is no JSON", "{cells"],
  ["JSON without cells", '{"a": 1}'],
] as const) {
  test(`${what} is refused, and left as it is`, async (t) => {
    const file = await open(t, text);
    assert.equal((await file.call({ action: "delete", cell_index: 0 })).error, "not_readable");
    assert.equal(file.text(), text);
  });
}
