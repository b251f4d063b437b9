import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { openCodeFixture } from "@stet/testkit/code-fixture";
import { readAnchors } from "@stet/testkit/read-anchors";
import { must } from "@stet/testkit/workspace";
import type { CodeTool } from "../code-context.ts";
import { hashlineEdit } from "./hashline/hashline-edit.ts";
import { replaceEdit } from "./replace/replace-edit.ts";

const source = "one\ntwo\nthree\nfour\n";

async function openPreview(t: TestContext, tool: CodeTool) {
  const fixture = await openCodeFixture(t, [tool], { files: { "a.ts": source } });
  const at = readAnchors(fixture, "a.ts");
  const preview = (partial: string) => tool(fixture.context).preview?.(partial);
  return { fixture, at, preview };
}

/** The arguments up to, and not including, what stands behind `mark`. */
const upTo = (args: unknown, mark: string) => {
  const text = JSON.stringify(args);
  return text.slice(0, text.indexOf(mark) + mark.length);
};

test("an edit by anchors is shown line by line as it is written, and nothing changes", async (t) => {
  const { fixture, at, preview } = await openPreview(t, hashlineEdit);
  const before = must(fixture.context.files.open("a.ts")).history;
  const args = { input: `§a.ts\n≔${at(2)}\nTWO\nmore\n§new.ts\n»BOF\nfresh\n` };
  assert.equal(await preview("{"), undefined);
  assert.equal(await preview(upTo(args, "§a")), undefined);
  assert.equal(await preview(upTo(args, "TW")), undefined, "a line that is cut off is not shown");
  assert.equal(
    await preview(upTo(args, "mo")),
    "--- a/a.ts\n+++ b/a.ts\n@@ -1,4 +1,4 @@\n one\n-two\n+TWO\n three\n four\n",
  );
  assert.match(
    (await preview(JSON.stringify(args))) ?? "",
    /\+TWO\n\+more\n three[\s\S]*\+\+\+ b\/new\.ts\n@@ -0,0 \+1 @@\n\+fresh\n$/,
  );
  assert.equal(must(fixture.context.files.open("a.ts")).history, before);
  assert.equal(readFileSync(fixture.place.path("a.ts"), "utf8"), source);
  assert.ok(!existsSync(fixture.place.path("new.ts")));
  assert.equal(fixture.workspace.documents.rowAt("new.ts"), undefined, "a new file leaves no name behind");
});

test("an edit by quoting is shown once the quoted text is whole", async (t) => {
  const { fixture, preview } = await openPreview(t, replaceEdit);
  const edits = [
    { old_text: "two\n", new_text: "TWO\nmore\n" },
    { old_text: "four", new_text: "FOUR" },
  ];
  const args = { path: "a.ts", edits };
  assert.equal(await preview(upTo(args, "two")), undefined);
  assert.match((await preview(upTo(args, "mor"))) ?? "", /-two\n\+TWO\n/);
  assert.match((await preview(upTo(args, "FOU"))) ?? "", /\+TWO\n\+more\n three\n four\n$/);
  assert.match((await preview(JSON.stringify(args))) ?? "", /-four\n\+FOUR\n$/);
  assert.equal(readFileSync(fixture.place.path("a.ts"), "utf8"), source);
});

test("what would be refused, and what is no JSON, has no preview", async (t) => {
  const { preview } = await openPreview(t, hashlineEdit);
  for (const input of ["§a.ts\n≔2zz\nx\n", "§../b\n»BOF\nx\n", "nonsense\n", "§missing.ts\n≔2zz\nx\n"]) {
    assert.equal(await preview(JSON.stringify({ input })), undefined, input);
  }
  for (const partial of ["", "null", "[1,", '{"input":5', "\0", '{"input":{"a":"b"}}'])
    assert.equal(await preview(partial), undefined, partial);
});

test("of a long diff the end is shown, where the model is", async (t) => {
  const { preview } = await openPreview(t, hashlineEdit);
  const lines = Array.from({ length: 2000 }, (_, index) => `line ${index}`);
  const diff = (await preview(JSON.stringify({ input: `§a.ts\n»BOF\n${lines.join("\n")}\n` }))) ?? "";
  assert.ok(diff.startsWith("…\n+line "));
  assert.ok(diff.endsWith("+line 1999\n one\n two\n three\n"));
  assert.ok(diff.length <= 6001);
});

test("a preview before a call does not change what the call's anchors refer to", async (t) => {
  const { fixture, at, preview } = await openPreview(t, hashlineEdit);
  const inputs = [`§a.ts\n»${at(1)}\nx`, `§a.ts\n≔${at(3)}\nTHREE`];
  for (const input of inputs) await preview(JSON.stringify({ input }));
  const answers = await fixture.callAll(inputs.map((input) => ({ tool: "edit", input: { input } })));
  assert.deepEqual(
    answers.map(({ error }) => error),
    [undefined, undefined],
  );
  assert.equal(readFileSync(fixture.place.path("a.ts"), "utf8"), "one\nx\ntwo\nTHREE\nfour\n");
});
