import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PaperFixture } from "@stet/testkit/paper-fixture";
import { must } from "@stet/testkit/workspace";
import { maxStateChars } from "./edit-tools.ts";

test("text is appended exactly, wherever the paper and the text break their lines", async (t) => {
  const cases: [before: string, text: string][] = [
    ["line 1\nline 2", "\nline 3\nline 4"],
    ["line 1\n", "line 2"],
    ["line 1\n", "line 2\n"],
    ["line 1", " goes on\nline 2\n"],
    ["line 1\n", "\n\n"],
    ["", "first"],
    ["", "\nsecond"],
  ];
  for (const [before, text] of cases) {
    const fixture = await PaperFixture.open(t, before);
    const answer = await fixture.done("write_append", { text });
    assert.equal(fixture.text, before + text);
    assert.deepEqual([answer.success, answer.appended, answer.newRev], [true, text.length, 2]);
  }
});

test("an append of nothing succeeds, with no new revision and no event", async (t) => {
  const fixture = await PaperFixture.open(t, "a");
  const { isError, answer, events } = await fixture.call("write_append", { text: "" });
  assert.deepEqual([isError, answer.success, answer.appended, answer.newRev], [false, true, 0, 1]);
  assert.deepEqual([fixture.text, events], ["a", []]);
});

test("set_text and clear_all: what is applied, and the state after it", async (t) => {
  const fixture = await PaperFixture.openSeen(t, "old\n".repeat(200));
  const set = await fixture.call("set_text", { text: "Chapter 1\nIntroduction\n\nContent here" });
  assert.deepEqual([set.answer.success, set.answer.newLength, set.answer.newRev], [true, 36, 2]);
  const [applied, state] = set.events;
  assert.ok(applied?.type === "paper.applied");
  const { timestamp, ...facts } = applied.data;
  assert.equal(typeof timestamp, "number");
  assert.deepEqual(facts, { op: "set_text", oldTextLen: 800, newTextLen: 36, newRev: 2 });
  assert.deepEqual(state, {
    type: "paper.state",
    data: { text: "Chapter 1\nIntroduction\n\nContent here", rev: 2, cols: 12, rows: 4 },
  });
  const cleared = await fixture.call("clear_all");
  assert.equal(cleared.answer.success, true);
  assert.deepEqual(
    cleared.events.map((event) => event.type),
    ["paper.applied", "paper.state"],
  );
  assert.deepEqual(cleared.events[1]?.data, { text: "", rev: 3, cols: 0, rows: 1 });
  const again = await fixture.call("clear_all");
  assert.deepEqual([again.isError, again.answer.changed, again.events], [false, false, []]);
  await fixture.done("write_replace_line", { lineNumber: 1, text: "begun anew" });
  assert.equal(fixture.text, "begun anew");
});

test("one line is replaced, and nothing beside it", async (t) => {
  const fixture = await PaperFixture.openSeen(t, "apple\nbanana\ncherry\n");
  const { answer, events } = await fixture.call("write_replace_line", { lineNumber: 2, text: "blueberry" });
  assert.deepEqual(answer, { success: true, lineNumber: 2, oldTextLen: 6, newTextLen: 9, newRev: 2 });
  assert.deepEqual(
    events.map((event) => event.type),
    ["paper.applied", "paper.state"],
  );
  await fixture.done("write_replace_line", { lineNumber: 1, text: "" });
  assert.equal(fixture.text, "\nblueberry\ncherry\n");
  // The paper ends in a line break: behind it is one more line, empty.
  await fixture.done("write_replace_line", { lineNumber: 4, text: "date" });
  assert.equal(fixture.text, "\nblueberry\ncherry\ndate");
  const same = await fixture.call("write_replace_line", { lineNumber: 4, text: "date" });
  assert.deepEqual([same.answer.success, same.answer.changed, same.events], [true, false, []]);
});

test("the guards of write_replace_line, in their order, each with what to do", async (t) => {
  const fixture = await PaperFixture.open(t, "one\ntwo");
  const messages: [args: Record<string, unknown>, message: string][] = [
    [{ lineNumber: 0, text: "1| a\nb" }, "Line text cannot contain newline"],
    [{ lineNumber: 0, text: "1| a" }, "Line text must not contain line prefix (e.g. '1|')"],
    [{ lineNumber: 0, text: "a" }, "Invalid line number"],
  ];
  for (const [args, message] of messages) {
    const answer = await fixture.refused("write_replace_line", args);
    assert.deepEqual([answer.error, answer.message], [true, message]);
    assert.ok(String(answer.suggestion).length > 10);
  }
  assert.equal(fixture.text, "one\ntwo");
});

test("a line number out of range says how many lines there are", async (t) => {
  const fixture = await PaperFixture.open(t, "one\ntwo");
  assert.deepEqual(await fixture.refused("write_replace_line", { lineNumber: 999, text: "x" }), {
    error: true,
    message: "Line number 999 out of range. Paper has only 2 lines.",
    suggestion: "Try search_paper('keyword') to find exact line number first",
  });
});

test("expected_rev is strict: a paper that moved on refuses the edit", async (t) => {
  const fixture = await PaperFixture.open(t, "one\ntwo");
  const { rev } = await fixture.done("get_context_lines", { lineNumber: 1 });
  fixture.person({ op: "replace", from: 2, to: 2, content: "TWO" });
  const stale = await fixture.refused("write_replace_line", { lineNumber: 1, text: "x", expected_rev: rev });
  assert.match(String(stale.message), /^Revision mismatch - concurrent edit detected/);
  await fixture.done("write_replace_line", { lineNumber: 1, text: "x", expected_rev: fixture.rev });
  assert.equal(fixture.text, "x\nTWO");
});

test("a line keeps its indentation unless the new text brings its own", async (t) => {
  const fixture = await PaperFixture.openSeen(t, "if (x) {\n    return value;\n\treturn;\n}");
  const kept = await fixture.done("write_replace_line", { lineNumber: 2, text: "return other;" });
  assert.deepEqual([kept.indentation, kept.newTextLen], ["kept", 17]);
  const own = await fixture.done("write_replace_line", { lineNumber: 3, text: "  return 2;" });
  assert.equal(own.indentation, undefined);
  assert.equal(fixture.text, "if (x) {\n    return other;\n  return 2;\n}");
  await fixture.done("write_replace_line", { lineNumber: 2, text: "" });
  assert.equal(fixture.text, "if (x) {\n\n  return 2;\n}");
});

test("line ends of the file stay what they were", async (t) => {
  const fixture = await PaperFixture.openSeen(t, "one\r\ntwo\r\nthree\r\n");
  await fixture.done("write_replace_line", { lineNumber: 2, text: "TWO" });
  await fixture.done("write_append", { text: "four\n" });
  const { workspace, document, turn } = fixture;
  must(turn.commit());
  must(workspace.review.accept("everything"));
  must(await workspace.saving.save([document]));
  const saved = readFileSync(join(workspace.root.path, "paper.txt"), "utf8");
  assert.equal(saved, "one\r\nTWO\r\nthree\r\nfour\r\n");
});

test("a tool that failed three times is stopped until the model has looked again", async (t) => {
  const fixture = await PaperFixture.open(t, "one\ntwo");
  const wrong = { lineNumber: 999, text: "x" };
  for (let time = 0; time < 3; time += 1) {
    assert.match(String((await fixture.refused("write_replace_line", wrong)).message), /out of range/);
  }
  const stopped = {
    error: true,
    message: "Tool 'write_replace_line' failed 3 times. Stopping.",
    instruction:
      "Please re-read context with search_paper() or get_context_lines() to find correct line number",
  };
  const right = { lineNumber: 1, text: "x" };
  assert.deepEqual(await fixture.refused("write_replace_line", right), stopped);
  assert.equal(fixture.text, "one\ntwo");
  // Another tool goes on; a search that finds nothing is no new start.
  await fixture.done("write_append", { text: "!" });
  await fixture.done("search_paper", { query: "not there at all" });
  assert.deepEqual(await fixture.refused("write_replace_line", right), stopped);
  await fixture.done("search_paper", { query: "two" });
  await fixture.done("write_replace_line", right);
  assert.equal(fixture.text, "x\ntwo!");
});

test("a line of which only a part was shown is not replaced before all of it was", async (t) => {
  const long = `${"word ".repeat(300)}needle ${"word ".repeat(300)}end`;
  const fixture = await PaperFixture.open(t, `short\n${long}`);
  const found = await fixture.done("search_paper", { query: "needle" });
  assert.match(JSON.stringify(found.results), /"isPart":true/);
  const refusal = await fixture.refused("write_replace_line", { lineNumber: 2, text: "x" });
  assert.match(String(refusal.message), /only a part of it was shown/);
  await fixture.done("get_context_lines", { lineNumber: 2, before: 0, after: 0 });
  await fixture.done("write_replace_line", { lineNumber: 2, text: "x" });
  assert.equal(fixture.text, "short\nx");
});

test("the state of a very long paper comes without its text", async (t) => {
  const line = `${"x".repeat(99)}\n`;
  const fixture = await PaperFixture.openSeen(t, line.repeat(maxStateChars / 100 + 1));
  const { events } = await fixture.call("write_replace_line", { lineNumber: 5, text: "five" });
  assert.deepEqual(events[1]?.data, { text: null, rev: 2, cols: 99, rows: maxStateChars / 100 + 2 });
  const [applied] = events;
  assert.ok(applied?.type === "paper.applied" && applied.data.lineNumber === 5);
});

test("a turn that has ended refuses every tool", async (t) => {
  const fixture = await PaperFixture.open(t, "one");
  fixture.turn.discard();
  for (const [name, args] of [
    ["search_paper", { query: "one" }],
    ["get_context_lines", { lineNumber: 1 }],
    ["write_append", { text: "x" }],
    ["verify", {}],
  ] as const) {
    assert.match(String((await fixture.refused(name, args)).message), /has ended/);
  }
});
