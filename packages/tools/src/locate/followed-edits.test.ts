import assert from "node:assert/strict";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { isFault } from "@stet/protocol/fault";
import { advance, type History, startHistory } from "@stet/text/history";
import { changeOf } from "@stet/text/lines";
import { revise } from "@stet/text/revise";
import { followedEdits, type RangeEdit } from "./followed-edits.ts";

const started = (text: string) => startHistory(Text.of(text.split("\n")));

function typed(history: History, at: number, removed: number, ...lines: string[]): History {
  return advance(history, changeOf(history.text, [{ at, removed, lines }]), { origin: "user" });
}

/** The text after an edit of the first revision, or the fault's code. */
function made(start: History, now: History, edit: RangeEdit): string {
  const followed = followedEdits(now, start.revision, edit);
  if (isFault(followed)) return followed.error;
  const request = { revision: now.revision, policy: { kind: "strict" }, edits: followed.edits } as const;
  const revised = revise(now, { ...request, origin: "agent" });
  return isFault(revised) ? revised.error : revised.history.text.toString();
}

test("a line that an edit writes again as it is keeps it from landing, since someone typed beside that", () => {
  const start = started("alpha\nbeta\ngamma\n");
  const now = typed(start, 1, 0, "mine");
  const edit = (content: string): RangeEdit => ({ op: "replace", from: 1, to: 2, content });
  assert.equal(made(start, now, edit("alpha\nBETA\n")), "alpha\nmine\nBETA\ngamma\n");
  assert.equal(made(start, now, edit("alpha\n")), "alpha\nmine\ngamma\n");
  assert.equal(made(start, now, edit("ALPHA\nBETA\n")), "conflict");
  assert.equal(made(start, now, edit("alpha\nnew\nbeta\n")), "conflict", "before or behind what was typed?");
});

test("of two equal lines another one goes than was meant, since someone typed between them", () => {
  const start = started("alpha\nalpha\ngamma\n");
  const now = typed(start, 1, 0, "mine");
  assert.equal(made(start, now, { op: "replace", from: 1, to: 2, content: "alpha\n" }), "conflict");
});

test("untouched lines are edited where they are now, touched ones are not", () => {
  const start = started("one\ntwo\nthree\nfour\n");
  const now = typed(typed(start, 0, 0, "zero"), 4, 1, "FOUR");
  assert.equal(made(start, now, { op: "delete", from: 2, to: 3 }), "zero\none\nFOUR\n");
  assert.equal(
    made(start, now, { op: "insert", after: 2, content: "X" }),
    "zero\none\ntwo\nX\nthree\nFOUR\n",
  );
  assert.equal(
    made(start, now, { op: "insert", after: 0, content: "X" }),
    "X\nzero\none\ntwo\nthree\nFOUR\n",
  );
  assert.equal(made(start, now, { op: "delete", from: 4, to: 4 }), "conflict");
  assert.equal(made(start, now, { op: "insert", after: 4, content: "X" }), "conflict");
});
