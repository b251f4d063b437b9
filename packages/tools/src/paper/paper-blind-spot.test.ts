// A model that edits a line number from memory: the edit lands on the line that was meant, or nowhere.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { PaperFixture } from "@stet/testkit/paper-fixture";
import { textOf } from "@stet/testkit/workspace";
import fc from "fast-check";

const lines = Array.from({ length: 100 }, (_, index) =>
  index === 9 ? "function A" : index === 79 ? "function B" : `line ${index + 1}`,
);
const fresh = ["n1", "n2", "n3", "n4", "n5"];
const longer = lines.toSpliced(10, 0, ...fresh);

async function knowing(t: TestContext): Promise<PaperFixture> {
  const fixture = await PaperFixture.open(t, lines.join("\n"));
  await fixture.done("get_context_lines", {
    ranges: [
      { start: 8, end: 12 },
      { start: 76, end: 90 },
    ],
  });
  return fixture;
}

function linesOf(fixture: PaperFixture): string[] {
  return fixture.text.split("\n");
}

test("the person puts five lines in: line 80 is followed to 85, and the model is told", async (t) => {
  const fixture = await knowing(t);
  fixture.person({ op: "insert", after: 10, content: fresh.join("\n") });
  const answer = await fixture.done("write_replace_line", { lineNumber: 80, text: "function B2" });
  assert.deepEqual([answer.lineNumber, answer.movedFrom], [85, 80]);
  assert.deepEqual(linesOf(fixture), longer.with(84, "function B2"));
  // Now it knows that lines have moved; 82 could be either line.
  const refusal = await fixture.refused("write_replace_line", { lineNumber: 82, text: "x" });
  assert.match(String(refusal.message), /line 82 is line 87 now/);
  assert.deepEqual(refusal.current, [
    { lineNumber: 82, content: "line 77" },
    { lineNumber: 87, content: "line 82" },
  ]);
  // The refusal has shown both lines, so either number is clear now.
  await fixture.done("write_replace_line", { lineNumber: 87, text: "was 82" });
  await fixture.done("write_replace_line", { lineNumber: 82, text: "was 77" });
  assert.deepEqual(linesOf(fixture), longer.with(84, "function B2").with(86, "was 82").with(81, "was 77"));
});

test("the model's own set_text puts five lines in: line 80 is refused with where it is, 85 then lands on it", async (t) => {
  const fixture = await knowing(t);
  const told = await fixture.done("set_text", { text: longer.join("\n") });
  assert.match(String(told.note), /find the next place/);
  for (const lineNumber of [85, 80]) {
    const refusal = await fixture.refused("write_replace_line", {
      lineNumber,
      text: "x",
      expected_rev: fixture.rev,
    });
    assert.match(
      String(refusal.message),
      new RegExp(`what was line ${lineNumber} is line ${lineNumber + 5} now`),
    );
  }
  assert.deepEqual(linesOf(fixture), longer);
  const found = await fixture.done("search_paper", { query: "function B" });
  assert.match(JSON.stringify(found.results), /"line":85,"content":"function B"/);
  const answer = await fixture.done("write_replace_line", { lineNumber: 85, text: "function B2" });
  assert.deepEqual([answer.lineNumber, answer.movedFrom], [85, undefined]);
  assert.deepEqual(linesOf(fixture), longer.with(84, "function B2"));
});

test("in the message that moves the lines itself, a later call is refused, too", async (t) => {
  const fixture = await knowing(t);
  await fixture.call("set_text", { text: longer.join("\n") }, "one message");
  const later = await fixture.call("write_replace_line", { lineNumber: 80, text: "x" }, "one message");
  assert.ok(later.isError);
  assert.deepEqual(linesOf(fixture), longer);
});

test("several edits that write everything anew leave no line that could be followed", async (t) => {
  const fixture = await knowing(t);
  await fixture.done("clear_all");
  await fixture.done("write_append", { text: longer.slice(0, 50).join("\n") });
  await fixture.done("write_append", { text: `\n${longer.slice(50).join("\n")}` });
  const refusal = await fixture.refused("write_replace_line", { lineNumber: 80, text: "x" });
  assert.match(String(refusal.message), /is not the line that you saw any more/);
  assert.deepEqual(linesOf(fixture), longer);
});

test("a line that the person changed meanwhile is refused, and shown", async (t) => {
  const fixture = await knowing(t);
  fixture.person({ op: "replace", from: 80, to: 80, content: "function B of mine" });
  const refusal = await fixture.refused("write_replace_line", { lineNumber: 80, text: "x" });
  assert.match(String(refusal.message), /is not the line that you saw any more/);
  assert.deepEqual(refusal.current, [{ lineNumber: 80, content: "function B of mine" }]);
  await fixture.done("write_replace_line", { lineNumber: 80, text: "x" });
  assert.equal(linesOf(fixture)[79], "x");
});

test("a number that was never shown is refused with its line, and lands when it is said again", async (t) => {
  const fixture = await PaperFixture.open(t, lines.join("\n"));
  const blind = await fixture.refused("write_replace_line", { lineNumber: 50, text: "fifty" });
  assert.match(String(blind.message), /was not shown to you/);
  assert.deepEqual(blind.current, [{ lineNumber: 50, content: "line 50" }]);
  await fixture.done("write_replace_line", { lineNumber: 50, text: "fifty" });
  fixture.person({ op: "insert", after: 60, content: "typed" });
  // Before the place that moved, there is only one line that can be meant.
  await fixture.done("write_replace_line", { lineNumber: 51, text: "fifty-one", remove_unseen: true });
  const refusal = await fixture.refused("write_replace_line", { lineNumber: 80, text: "x" });
  assert.match(String(refusal.message), /not shown after that; what was line 80 is line 81 now/);
  assert.match(String(refusal.suggestion), /search_paper/);
  const expected = lines.with(49, "fifty").with(50, "fifty-one").toSpliced(60, 0, "typed");
  assert.deepEqual(linesOf(fixture), expected);
});

test("lines that the model has just written into an empty paper can be edited by number", async (t) => {
  const fixture = await PaperFixture.open(t, "");
  await fixture.done("set_text", { text: "a\nb\nc" });
  await fixture.done("write_replace_line", { lineNumber: 2, text: "B" });
  await fixture.done("write_append", { text: "\nd\ne" });
  await fixture.done("write_replace_line", { lineNumber: 5, text: "E" });
  assert.equal(fixture.text, "a\nB\nc\nd\nE");
  // But a number that had another line in between is not clear.
  await fixture.done("set_text", { text: "new\na\nB\nc\nd\nE" });
  await fixture.refused("write_replace_line", { lineNumber: 4, text: "x" });
});

test("a call decided before the answer came does not count as having seen it", async (t) => {
  const fixture = await knowing(t);
  fixture.person({ op: "insert", after: 10, content: fresh.join("\n") });
  await fixture.call("get_context_lines", { lineNumber: 80 }, "together");
  const edited = await fixture.call(
    "write_replace_line",
    { lineNumber: 80, text: "function B2" },
    "together",
  );
  assert.equal(edited.answer.lineNumber, 85);
  assert.deepEqual(linesOf(fixture), longer.with(84, "function B2"));
});

test("whatever happens in between, an edit never lands on a line that was not meant", async (t) => {
  const first = await PaperFixture.open(t, "");
  const step = fc.oneof(
    fc.record({ kind: fc.constant("person insert" as const), at: fc.nat(40) }),
    fc.record({ kind: fc.constant("person delete" as const), at: fc.nat(40) }),
    fc.record({ kind: fc.constant("look" as const), at: fc.nat(40) }),
    fc.record({ kind: fc.constant("replace" as const), at: fc.nat(40) }),
    fc.record({ kind: fc.constant("set" as const), at: fc.nat(40) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const start = Array.from({ length: 30 }, (_, index) => `unique ${index}`);
      first.person({ op: "set", content: start.join("\n") });
      const fixture = new PaperFixture(first.workspace, first.document);
      // What the model believes to stand at each number, from the last answer that showed it, if any did.
      const believed = new Map<number, string>();
      let written = 0;
      for (const { kind, at } of steps) {
        const now = linesOf(fixture);
        const line = (at % now.length) + 1;
        // The person sees the document without what the turn has staged.
        const theirs = textOf(fixture.workspace, fixture.document).split("\n").length;
        const theirLine = (at % theirs) + 1;
        if (kind === "person insert")
          fixture.person({ op: "insert", after: theirLine - 1, content: `typed ${written++}` });
        else if (kind === "person delete" && theirs > 5)
          fixture.person({ op: "delete", from: theirLine, to: theirLine });
        else if (kind === "set") {
          // Lines that are staged and that the person has changed are a conflict, told once.
          const text = now.toSpliced(line, 0, `set ${written++}`).join("\n");
          if ((await fixture.call("set_text", { text })).isError) assert.deepEqual(linesOf(fixture), now);
        } else if (kind === "look") {
          const place = { lineNumber: line, before: 1, after: 1 };
          const { isError, answer } = await fixture.call("get_context_lines", place);
          if (isError) continue;
          const { lines: shown } = answer;
          for (const one of shown as { lineNumber: number; content: string }[]) {
            believed.set(one.lineNumber, one.content);
          }
        } else if (kind === "replace") {
          const text = `written ${written++}`;
          const { isError, answer } = await fixture.call("write_replace_line", { lineNumber: line, text });
          if (isError) {
            assert.deepEqual(linesOf(fixture), now);
            for (const one of (answer.current ?? []) as { lineNumber: number; content: string }[]) {
              believed.set(one.lineNumber, one.content);
            }
            continue;
          }
          const place = linesOf(fixture).indexOf(text);
          assert.equal(place + 1, answer.lineNumber);
          assert.deepEqual(linesOf(fixture), now.with(place, text));
          const meant = believed.get(line);
          if (meant !== undefined) assert.equal(now[place], meant, "an edit landed on another line");
          else assert.equal(place + 1, line);
          believed.set(place + 1, text);
        }
      }
      fixture.turn.discard();
      first.person({ op: "clear" });
    }),
    { numRuns: 100, seed: 7 },
  );
});

test("a line too long to be shown whole is replaced only when the call says so", async (t) => {
  const long = `needle ${"x".repeat(60_000)}`;
  const fixture = await PaperFixture.open(t, `one\n${long}\nthree`);
  await fixture.done("search_paper", { query: "needle" });
  const edit = { lineNumber: 2, text: "short" };
  const refusal = await fixture.refused("write_replace_line", edit);
  assert.match(String(refusal.suggestion), /too long to be shown whole.*remove_unseen: true/);
  const looked = await fixture.done("get_context_lines", { lineNumber: 2, before: 0, after: 0 });
  assert.match(JSON.stringify(looked.lines), /"isPart":true/);
  await fixture.refused("write_replace_line", edit);
  await fixture.done("write_replace_line", { ...edit, remove_unseen: true });
  assert.equal(fixture.text, "one\nshort\nthree");
});

test("a new text takes no lines away that were not shown, nor for a line that stands for them", async (t) => {
  const fixture = await PaperFixture.open(t, lines.join("\n"));
  await fixture.done("get_context_lines", { ranges: [{ start: 1, end: 20 }] });
  const blind = await fixture.refused("set_text", { text: "all anew" });
  assert.match(String(blind.message), /were not shown to you: 21-100/);
  // What stays need not be known.
  await fixture.done("set_text", { text: ["new", ...lines].join("\n") });
  const abbreviated = { text: "# New\n\n<!-- ... rest unchanged ... -->\n", remove_unseen: true };
  assert.match(String((await fixture.refused("set_text", abbreviated)).message), /rest unchanged/);
  await fixture.done("set_text", { text: "all anew", remove_unseen: true });
  assert.equal(fixture.text, "all anew");
});
