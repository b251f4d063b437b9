// Toolset code as a whole: a model does a real small change in a real repository. It adds a function with a test, runs the
// test, sees it fail, mends it, sees it pass; once in each edit mode.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import type { ModelRequest } from "@stet/protocol/model-stream";
import { anchorOf, lastAnswer, openTurnFixture } from "@stet/testkit/turn-fixture";
import { must } from "@stet/testkit/workspace";
import { type EditMode, editModes } from "@stet/tools/code/code-settings";

const files = {
  "package.json": '{\n  "name": "words",\n  "type": "module"\n}\n',
  "src/words.js":
    "/** How many words a text has. */\nexport function countWords(text) {\n  return text.split(/\\s+/).filter(Boolean).length;\n}\n",
  "test/words.test.js":
    'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { countWords } from "../src/words.js";\n\ntest("words are counted", () => {\n  assert.equal(countWords("two words"), 2);\n});\n',
};

const wrong =
  'export function initials(text) {\n  return text.split(" ").map((word) => word[0]).join("");\n}';
const mended =
  'export function initials(text) {\n  return text.split(" ").map((word) => word[0].toUpperCase()).join("");\n}';
const wrongLine = '  return text.split(" ").map((word) => word[0]).join("");';
const mendedLine = '  return text.split(" ").map((word) => word[0].toUpperCase()).join("");';

const testFile = `import assert from "node:assert/strict";
import { test } from "node:test";
import { initials } from "../src/words.js";

test("initials are capitals", () => {
  assert.equal(initials("ada lovelace"), "AL");
});
`;

interface Edits {
  /** Adds the function at the end of the file. */
  add(request: ModelRequest): Record<string, unknown>;
  mend(request: ModelRequest): Record<string, unknown>;
}

const path = "src/words.js";

const written: Readonly<Record<EditMode, Edits>> = {
  hashline: {
    add: () => ({ input: `§${path}\n»EOF\n\n${wrong}` }),
    mend: (request) => ({ input: `§${path}\n≔${anchorOf(request, wrongLine)}\n${mendedLine}` }),
  },
  replace: {
    add: () => {
      const last = "  return text.split(/\\s+/).filter(Boolean).length;\n}\n";
      return { path, edits: [{ old_text: last, new_text: `${last}\n${wrong}\n` }] };
    },
    mend: () => ({ path, edits: [{ old_text: wrongLine, new_text: mendedLine }] }),
  },
  patch: {
    add: () => {
      const added = ["", ...wrong.split("\n")].map((line) => `+${line}`).join("\n");
      return {
        edits: [
          {
            path,
            op: "update",
            diff: `@@\n   return text.split(/\\s+/).filter(Boolean).length;\n }\n${added}`,
          },
        ],
      };
    },
    mend: () => ({ edits: [{ path, op: "update", diff: `@@\n-${wrongLine}\n+${mendedLine}` }] }),
  },
  apply_patch: {
    add: () => {
      const added = ["", ...wrong.split("\n")].map((line) => `+${line}`).join("\n");
      const body = `@@\n   return text.split(/\\s+/).filter(Boolean).length;\n }\n${added}`;
      return { input: `*** Begin Patch\n*** Update File: ${path}\n${body}\n*** End Patch` };
    },
    mend: () => ({
      input: `*** Begin Patch\n*** Update File: ${path}\n@@\n-${wrongLine}\n+${mendedLine}\n*** End Patch`,
    }),
  },
  vim: {
    add: () => ({ path, keys: [`Go<CR>${wrong.replaceAll("\n", "<CR>")}<Esc>`] }),
    mend: () => ({ path, keys: ["/word\\[0\\]<CR>f]a.toUpperCase()<Esc>"] }),
  },
  symbol: {
    add: () => ({ path, edits: [{ op: "insert_after", symbol: "countWords", content: wrong }] }),
    mend: () => ({ path, edits: [{ op: "replace", symbol: "initials", content: mended }] }),
  },
};

const runTests = { name: "bash", arguments: { command: "node --test" } };

for (const mode of editModes) {
  test(`in mode ${mode}, a function is added with a test, the test fails, is mended and passes`, async (t) => {
    const fixture = await openTurnFixture(t, {
      files,
      settings: { "edit.mode": mode, "permission.mode": "auto-edit" },
    });
    const { add, mend } = written[mode];
    const { answers, finished } = await fixture.turn((request, index) => {
      if (index === 0) return { calls: [{ name: "read", arguments: { path } }] };
      if (index === 1) return { calls: [{ name: "edit", arguments: add(request) }] };
      if (index === 2)
        return {
          calls: [{ name: "write", arguments: { path: "test/initials.test.js", content: testFile } }],
        };
      if (index === 3 || index === 5) return { calls: [runTests] };
      if (index === 4) {
        assert.match(lastAnswer(request), /fail 1[\s\S]*exited with code 1|exited with code 1[\s\S]*fail 1/i);
        return { calls: [{ name: "edit", arguments: mend(request) }] };
      }
      return { text: "Done: initials are capitals now, and both tests pass." };
    });
    assert.ok(!isFault(finished));
    const errors = answers.filter(({ isError }) => isError);
    assert.deepEqual(
      errors.map(({ tool }) => tool),
      ["bash"],
      "only the run of tests that fails",
    );
    assert.match(answers.at(-1)?.text ?? "", /pass 2/);
    assert.doesNotMatch(answers.at(-1)?.text ?? "", /exit code/);
    assert.equal(finished.outcome, "completed");
    const expected = `${files[path]}\n${mended}\n`;
    assert.equal(readFileSync(fixture.place.path(path), "utf8"), expected);
    assert.deepEqual(
      fixture.workspace.review.list().map((file) => file.path),
      [path, "test/initials.test.js"],
    );
    must(fixture.workspace.review.reject({ turn: finished.turn ?? "" }));
    must(await fixture.workspace.settle(finished.documents));
    assert.equal(
      readFileSync(fixture.place.path(path), "utf8"),
      files[path],
      "rejecting brings the file back",
    );
  });
}
