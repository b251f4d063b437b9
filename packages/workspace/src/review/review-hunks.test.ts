// What a person is asked to decide on when a model replaces a range of lines.

import assert from "node:assert/strict";
import { test } from "node:test";
import { agentEdits, must, TestWorkspace, textOf } from "@stet/testkit/workspace";

/** Paragraphs of one line each, with a blank line behind each. */
function novel(paragraphs: number): string[] {
  return Array.from({ length: paragraphs }, (_, at) => [
    `Paragraph ${at} has a heroine called Elena.`,
    "",
  ]).flat();
}

function rename(lines: readonly string[], isRenamed: (line: number) => boolean): string[] {
  return lines.map((line, at) => (isRenamed(at) ? line.replace("Elena", "Helena") : line));
}

test("a replaced range with a blank line less is one hunk for each place that changed", async (t) => {
  const lines = novel(10);
  const place = new TestWorkspace(t, { "a.md": lines.join("\n") });
  const workspace = await place.open();
  const { id } = must(workspace.documents.open("a.md"));
  const content = rename(lines.slice(2, 10), (at) => at === 0 || at === 6).toSpliced(3, 1);
  agentEdits(workspace, [[id, { op: "replace", from: 3, to: 10, content: `${content.join("\n")}\n` }]]);
  const { hunks } = must(workspace.review.file(id));
  assert.deepEqual(
    hunks.map(({ oldStart, removed, added }) => [oldStart, removed.length, added.length]),
    [
      [3, 1, 1],
      [6, 1, 0],
      [9, 1, 1],
    ],
  );
  must(workspace.review.reject({ hunks: [must(hunks[0]).id] }));
  assert.equal(textOf(workspace, id).split("\n")[2], lines[2]);
});

test("a book replaced with a blank line less is about as many hunks as words were changed", async (t) => {
  const lines = novel(1041);
  const place = new TestWorkspace(t, { "book.md": `${lines.join("\n")}\n` });
  const workspace = await place.open();
  const { id } = must(workspace.documents.open("book.md"));
  const content = rename(lines, (at) => at % 4 === 0 && at < 2080).toSpliced(1001, 1);
  agentEdits(workspace, [[id, { op: "replace", from: 1, to: 2082, content: `${content.join("\n")}\n` }]]);
  const { hunks } = must(workspace.review.file(id));
  assert.ok(hunks.length >= 520 && hunks.length <= 522, `${hunks.length} hunks`);
  assert.ok(hunks.every(({ removed, added }) => removed.length + added.length <= 3));
});
