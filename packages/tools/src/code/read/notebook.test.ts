import assert from "node:assert/strict";
import test from "node:test";
import { openCodeFixture } from "@stet/testkit/code-fixture";
import { read } from "./read.ts";

const notebook = JSON.stringify({
  cells: [
    { cell_type: "markdown", metadata: {}, source: "# Title" },
    {
      cell_type: "code",
      source: ["import os\n", "print(os)"],
      outputs: [{ data: "big" }],
      execution_count: 1,
    },
    { cell_type: "code", source: [] },
  ],
  nbformat: 4,
});

test("a notebook is shown as its cells, without outputs", async (t) => {
  const fixture = await openCodeFixture(t, [read], { files: { "a.ipynb": notebook } });
  const { text } = await fixture.call("read", { path: "a.ipynb" });
  const plain = text.replace(/^\d+\|/gm, "");
  assert.ok(
    plain.startsWith(
      "# %% [markdown] cell:0\n# Title\n\n# %% [code] cell:1\nimport os\nprint(os)\n\n# %% [code] cell:2\n",
    ),
    plain,
  );
  assert.match(text, /3 cells, as text\. Outputs of 1 cells are left out/);
  assert.doesNotMatch(text, /big/);
  assert.match(
    (await fixture.call("read", { path: "a.ipynb:5-6" })).text,
    /^4\|# %% \[code\] cell:1\n5\|import os/,
  );
});

test("raw shows the notebook's JSON", async (t) => {
  const fixture = await openCodeFixture(t, [read], { files: { "a.ipynb": notebook } });
  assert.equal((await fixture.call("read", { path: "a.ipynb:raw" })).text, notebook);
});

test("what is no notebook is refused, and raw still shows it", async (t) => {
  const files = {
    "a.ipynb": "{ not json",
    "b.ipynb": '{"cells": 5}',
    "c.ipynb": '{"cells": [{"source": 7}]}',
  };
  const fixture = await openCodeFixture(t, [read], { files });
  for (const [path, content] of Object.entries(files)) {
    const answer = await fixture.call("read", { path });
    assert.equal(answer.error, "not_readable", path);
    assert.match(answer.text, /:raw to see its JSON/);
    assert.equal((await fixture.call("read", { path: `${path}:raw` })).text, content);
  }
});
