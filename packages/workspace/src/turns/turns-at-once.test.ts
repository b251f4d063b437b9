// Two turns over one document at the same time: each lands whole as it was meant, or is refused as a conflict.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import { must, refused, TestWorkspace, textOf } from "@stet/testkit/workspace";
import type { LineEdit } from "@stet/text/edits";
import fc from "fast-check";
import type { Workspace } from "../workspace.ts";
import type { Turn } from "./turns.ts";

const policy = { kind: "rebase" } as const;

function edit(turn: Turn, document: number, ...edits: LineEdit[]) {
  const { revision } = must(turn.read(document));
  return turn.edit(document, { revision, policy, edits });
}

for (const isImmediate of [false, true]) {
  const kind = isImmediate ? "that write at once" : "that are reviewed first";
  test(`two turns ${kind} and replace one line: the second is a conflict`, async (t) => {
    const place = new TestWorkspace(t, { "a.txt": "one\ntwo\nthree\n" });
    const [one, other] = [await place.open(), await place.open()];
    const { id } = must(one.documents.open("a.txt"));
    must(other.documents.open("a.txt"));
    const first = one.beginTurn({ isImmediate });
    const second = other.beginTurn({ isImmediate });
    must(edit(first, id, { op: "replace", from: 2, to: 2, content: "alpha = compute(1)" }));
    must(edit(second, id, { op: "replace", from: 2, to: 2, content: "beta = other(2)" }));
    must(await one.commitTurn(first));
    const fault = refused(await other.commitTurn(second));
    assert.equal(fault.error, "conflict");
    assert.match(fault.message, /Another turn has changed lines of a\.txt/);
    assert.equal(textOf(other, id), "one\nalpha = compute(1)\nthree\n");
    if (isImmediate) assert.equal(readFileSync(place.path("a.txt"), "utf8"), textOf(one, id));
  });
}

test("a turn is told of a conflict by its next call, and can make the edit again", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": "one\ntwo\nthree\n" });
  const workspace = await place.open();
  const { id } = must(workspace.documents.open("a.txt"));
  const first = workspace.beginTurn();
  const second = workspace.beginTurn();
  must(edit(second, id, { op: "replace", from: 2, to: 2, content: "second" }));
  const staged = must(second.read(id)).revision;
  must(edit(first, id, { op: "replace", from: 2, to: 2, content: "first" }));
  must(first.commit());
  assert.deepEqual(second.unsaved().length, 1, "a search does not take the message away");
  assert.equal(refused(second.read(id)).error, "conflict");
  const now = must(second.read(id));
  assert.equal(now.text.toString(), "one\nfirst\nthree\n");
  assert.ok(now.revision > staged, "no revision stands for two texts");
  const edits = [{ op: "replace", from: 2, to: 2, content: "on what is gone" }] as const;
  assert.equal(refused(second.edit(id, { revision: staged, policy, edits })).error, "conflict");
  must(edit(second, id, { op: "replace", from: 2, to: 2, content: "first, then second" }));
  must(second.commit());
  assert.equal(textOf(workspace, id), "one\nfirst, then second\nthree\n");
});

test("edits that were dropped without anyone being told are not committed as if nothing was", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": "one\ntwo\nthree\n", "b.txt": "b\n" });
  const workspace = await place.open();
  const [a, b] = ["a.txt", "b.txt"].map((name) => must(workspace.documents.open(name)).id);
  const turn = workspace.beginTurn();
  must(edit(turn, a ?? 0, { op: "replace", from: 2, to: 2, content: "agent" }));
  must(edit(turn, b ?? 0, { op: "append", content: "agent" }));
  writeFileSync(place.path("a.txt"), "one\nby hand\nthree\n");
  turn.unsaved();
  assert.equal(refused(await workspace.commitTurn(turn)).error, "conflict");
  assert.equal(textOf(workspace, b ?? 0), "b\n");
});

/** An edit of lines that are all different, each with a mark of its turn. */
const lineEdit = (mark: string) =>
  fc
    .record({
      op: fc.constantFrom("replace" as const, "insert" as const, "delete" as const, "append" as const),
      from: fc.nat(),
      length: fc.integer({ min: 1, max: 3 }),
      rows: fc.integer({ min: 1, max: 3 }),
    })
    .map(({ op, from, length, rows }) => (count: number, at: number): LineEdit => {
      const content = Array.from({ length: rows }, (_, row) => `${mark}${at}.${row}`).join("\n");
      const first = (from % count) + 1;
      if (op === "append") return { op, content };
      if (op === "insert") return { op, after: from % (count + 1), content };
      const to = Math.min(count, first + length - 1);
      return op === "delete" ? { op, from: first, to } : { op, from: first, to, content };
    });

const scenario = fc.record({
  count: fc.integer({ min: 3, max: 9 }),
  hasEnd: fc.boolean(),
  first: fc.array(lineEdit("A"), { minLength: 1, maxLength: 3 }),
  second: fc.array(lineEdit("B"), { minLength: 1, maxLength: 3 }),
  isImmediate: fc.boolean(),
});

test("two turns over one document, any edits: each lands whole or is a conflict, and no line is of both", async (t) => {
  const place = new TestWorkspace(t, {});
  const [one, other] = [await place.open(), await place.open()];
  let round = 0;
  await fc.assert(
    fc.asyncProperty(scenario, async ({ count, hasEnd, first, second, isImmediate }) => {
      const name = `${round++}.txt`;
      const lines = Array.from({ length: count }, (_, index) => `line ${index}`);
      writeFileSync(place.path(name), lines.join("\n") + (hasEnd ? "\n" : ""));
      const { id } = must(one.documents.open(name));
      must(other.documents.open(name));
      const turns = [begun(one, id, first, isImmediate), begun(other, id, second, isImmediate)] as const;
      const alone = turns.map(({ turn }) => must(turn.read(id)).text.toString());
      must(await one.commitTurn(turns[0].turn));
      assert.equal(textOf(other, id), alone[0]);
      const committed = await other.commitTurn(turns[1].turn);
      if (isFault(committed)) {
        assert.equal(committed.error, "conflict");
        assert.equal(textOf(one, id), alone[0], "a refused turn leaves nothing");
        return;
      }
      const text = textOf(one, id);
      const rows = text === "" ? [] : text.replace(/\n$/, "").split("\n");
      for (const [index, mark] of ["A", "B"].entries()) {
        const own = (alone[index] ?? "").split("\n").filter((row) => row.startsWith(mark));
        assert.deepEqual(
          rows.filter((row) => row.startsWith(mark)),
          own,
          "every line of a turn stands whole, in order",
        );
      }
      const stays = lines.filter((line) => alone.every((text) => text.split("\n").includes(line)));
      assert.deepEqual(
        rows.filter((row) => row.startsWith("line")),
        stays,
        "and what neither has taken away",
      );
      assert.equal(rows.filter((row) => !/^(line \d|[AB]\d\.\d)$/.test(row)).length, 0, rows.join("|"));
    }),
    { numRuns: 150 },
  );
});

function begun(
  workspace: Workspace,
  document: number,
  edits: readonly ((count: number, at: number) => LineEdit)[],
  isImmediate: boolean,
): { readonly turn: Turn } {
  const turn = workspace.beginTurn({ isImmediate });
  for (const [at, make] of edits.entries()) {
    const { text } = must(turn.read(document));
    const rows = text.toString().replace(/\n$/, "").split("\n");
    if (text.length === 0) continue;
    // What leaves nothing, or takes most away, is refused by other rules.
    edit(turn, document, make(rows.length, at));
  }
  return { turn };
}
