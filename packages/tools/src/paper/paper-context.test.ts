import assert from "node:assert/strict";
import { test } from "node:test";
import { type PaperAnswer, PaperFixture } from "@stet/testkit/paper-fixture";

const paper = Array.from({ length: 60 }, (_, index) => `line ${index + 1}`).join("\n");

async function numbersOf(fixture: PaperFixture, args: Record<string, unknown>): Promise<unknown[]> {
  const { lines } = await fixture.done("get_context_lines", args);
  return (lines as PaperAnswer[]).map(({ lineNumber }) => lineNumber);
}

test("a line comes with three lines around it, or with as many as were asked for, none included", async (t) => {
  const fixture = await PaperFixture.open(t, paper);
  assert.deepEqual(await numbersOf(fixture, { lineNumber: 5 }), [2, 3, 4, 5, 6, 7, 8]);
  assert.deepEqual(await numbersOf(fixture, { lineNumber: 5, before: 2, after: 0 }), [3, 4, 5]);
  assert.deepEqual(await numbersOf(fixture, { lineNumber: 5, before: 0, after: 0 }), [5]);
  assert.deepEqual(await numbersOf(fixture, { lineNumber: 1 }), [1, 2, 3, 4]);
  assert.deepEqual(await numbersOf(fixture, { lineNumber: 61, before: 2 }), [59, 60]);
});

test("places are merged: each line once, in order, its target marked, its indentation counted", async (t) => {
  const fixture = await PaperFixture.open(t, "a\n    b\nc\n\td\ne\nf\ng\nh");
  const { answer, events } = await fixture.call("get_context_lines", {
    lineNumber: 4,
    before: 1,
    after: 0,
    ranges: [
      { start: 7, end: 99 },
      { line: 2, before: 0, after: 1 },
    ],
  });
  assert.deepEqual(answer, {
    success: true,
    params: {
      lineNumber: 4,
      before: 1,
      after: 0,
      ranges: [
        { start: 7, end: 99 },
        { line: 2, before: 0, after: 1 },
      ],
    },
    ranges: 3,
    rows: 8,
    rev: 1,
    lines: [
      { lineNumber: 2, content: "    b", isTarget: true, leadingSpaces: 4 },
      { lineNumber: 3, content: "c", isTarget: false, leadingSpaces: 0 },
      { lineNumber: 4, content: "\td", isTarget: true, leadingSpaces: 1 },
      { lineNumber: 7, content: "g", isTarget: false, leadingSpaces: 0 },
      { lineNumber: 8, content: "h", isTarget: false, leadingSpaces: 0 },
    ],
  });
  assert.deepEqual(events, [
    {
      type: "context.retrieved",
      data: {
        lineNumber: 4,
        context: [
          { lineNumber: 2, text: "    b" },
          { lineNumber: 3, text: "c" },
          { lineNumber: 4, text: "\td" },
          { lineNumber: 7, text: "g" },
          { lineNumber: 8, text: "h" },
        ],
        totalLines: 8,
      },
    },
  ]);
});

test("places outside are an error where nothing is left, and a note beside what there is", async (t) => {
  const fixture = await PaperFixture.open(t, paper);
  const refusal = await fixture.refused("get_context_lines", { lineNumber: 99 });
  assert.equal(refusal.message, "Line number 99 out of range. Paper has only 60 lines.");
  const some = await fixture.done("get_context_lines", {
    ranges: [
      { start: 1, end: 1 },
      { start: 90, end: 99 },
    ],
  });
  assert.equal((some.lines as unknown[]).length, 1);
  assert.match(String(some.note), /60 lines/);
});

test("many lines and long lines are shown up to a limit, with a note where to go on", async (t) => {
  const fixture = await PaperFixture.open(t, "x\n".repeat(1000));
  const many = await fixture.done("get_context_lines", { ranges: [{ start: 1, end: 1000 }] });
  assert.equal((many.lines as unknown[]).length, 400);
  assert.match(String(many.note), /from 401 on/);
  const wide = await PaperFixture.open(
    t,
    `${"ử".repeat(10_000)}\n${"y".repeat(30_000)}\n${"z".repeat(100_000)}`,
  );
  const first = await wide.done("get_context_lines", { ranges: [{ start: 1, end: 3 }] });
  assert.deepEqual(
    (first.lines as PaperAnswer[]).map(({ content }) => String(content).length),
    [10_000],
  );
  assert.match(String(first.note), /from 2 on/);
  const third = await wide.done("get_context_lines", { lineNumber: 3, before: 0 });
  assert.match(JSON.stringify(third.lines), /zz… \(94000 more characters\)/);
  const refusal = await wide.refused("write_replace_line", { lineNumber: 3, text: "z" });
  assert.match(String(refusal.message), /only a part of it was shown/);
});

test("verify compares with the beginning of the turn, however often it is called", async (t) => {
  const fixture = await PaperFixture.openSeen(t, "apple\nbanana\ncherry");
  const { answer, events } = await fixture.call("verify");
  assert.deepEqual([answer.diff, answer.changes, answer.changed], ["", { added: 0, removed: 0 }, false]);
  assert.deepEqual(events, [
    { type: "verify.result", data: { diff: "", added: 0, removed: 0, status: "ok" } },
  ]);
  await fixture.done("write_replace_line", { lineNumber: 1, text: "apricot" });
  await fixture.done("write_append", { text: "\ndate" });
  for (let time = 0; time < 2; time += 1) {
    const checked = await fixture.call("verify");
    assert.equal(checked.answer.diff, "- apple\n+ apricot\n  banana\n  cherry\n+ date");
    assert.deepEqual(checked.answer.changes, { added: 2, removed: 1 });
    assert.deepEqual(checked.answer.places, [
      { lineNumber: 1, removed: 1, added: 1 },
      { lineNumber: 4, removed: 0, added: 1 },
    ]);
  }
  await fixture.done("clear_all");
  const cleared = await fixture.done("verify");
  assert.deepEqual(
    [cleared.diff, cleared.changes],
    ["- apple\n- banana\n- cherry", { added: 0, removed: 3 }],
  );
  await fixture.done("set_text", { text: "apple\nbanana\ncherry" });
  assert.equal((await fixture.done("verify")).changed, false);
});

test("a long paper shows what differs; many differences are counted, with the first and the last", async (t) => {
  const fixture = await PaperFixture.openSeen(t, paper);
  await fixture.done("write_replace_line", { lineNumber: 30, text: "thirty" });
  assert.equal((await fixture.done("verify")).diff, "- line 30\n+ thirty");
  const upper = paper.split("\n").map((line, index) => (index % 10 === 0 ? line.toUpperCase() : line));
  await fixture.done("set_text", { text: upper.join("\n") });
  const { diff, changes } = await fixture.done("verify");
  assert.deepEqual(changes, { added: 6, removed: 6 });
  assert.equal(
    diff,
    "6 lines added, 6 removed\n- line 1\n+ LINE 1\n- line 11\n… 6 lines more …\n+ LINE 41\n- line 51\n+ LINE 51",
  );
});

test("verify says when the person has changed something meanwhile", async (t) => {
  const fixture = await PaperFixture.open(t, paper);
  fixture.person({ op: "delete", from: 60, to: 60 });
  const { diff, note } = await fixture.done("verify");
  assert.equal(diff, "- line 60");
  assert.match(String(note), /person/);
});
