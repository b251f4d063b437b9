import assert from "node:assert/strict";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { isFault } from "@stet/protocol/fault";
import { advance, startHistory } from "./history.ts";
import { changeOf } from "./lines.ts";
import { replaceAll } from "./replace-all.ts";

const start = startHistory(Text.of("Tobias went.\nNobody saw Tobias, or Tobiasina.\nThe end.\n".split("\n")));
const rename = {
  revision: 1,
  find: "Tobias",
  replacement: "Elias",
  options: { wholeWord: true },
  origin: "agent" as const,
};

function person(line: number, content: string) {
  return advance(start, changeOf(start.text, [{ at: line - 1, removed: 1, lines: [content] }]), {
    origin: "user",
  });
}

test("a rename changes whole words only, and reports how many", () => {
  const replaced = replaceAll(start, { ...rename, policy: { kind: "strict" } });
  assert.ok(!isFault(replaced));
  assert.equal(replaced.history.text.toString(), "Elias went.\nNobody saw Elias, or Tobiasina.\nThe end.\n");
  assert.deepEqual([replaced.matchesFound, replaced.replacementsMade, replaced.report.revision], [2, 2, 2]);
  assert.equal(replaced.inverse.apply(replaced.history.text).toString(), start.text.toString());
});

test("a stale rename is refused when strict, and moved when the lines are untouched", () => {
  const moved = advance(start, changeOf(start.text, [{ at: 0, removed: 0, lines: ["Title"] }]), {
    origin: "user",
  });
  const strict = replaceAll(moved, { ...rename, policy: { kind: "strict" } });
  assert.ok(isFault(strict) && strict.error === "version_mismatch");
  const rebased = replaceAll(moved, { ...rename, policy: { kind: "rebase" } });
  assert.ok(!isFault(rebased));
  assert.equal(
    rebased.history.text.toString(),
    "Title\nElias went.\nNobody saw Elias, or Tobiasina.\nThe end.\n",
  );
});

test("one line that the person changed meanwhile refuses the whole rename", () => {
  const result = replaceAll(person(1, "Tobias ran."), { ...rename, policy: { kind: "rebase" } });
  assert.ok(isFault(result) && result.error === "conflict");
});

test("a line that the person changed and that has no match does not matter", () => {
  const result = replaceAll(person(3, "The real end."), { ...rename, policy: { kind: "rebase" } });
  assert.ok(!isFault(result));
});
