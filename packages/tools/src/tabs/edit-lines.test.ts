import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { type TabsAnswer, TabsFixture } from "@stet/testkit/tabs-fixture";
import { must } from "@stet/testkit/workspace";
import fc from "fast-check";

const five = "zero\none\ntwo\nthree\nfour\n";

test("answers have exactly the documented fields", async (t) => {
  const fixture = await TabsFixture.open(t, { "a.txt": five });
  const tab_id = fixture.tabs[0];
  assert.deepEqual(await fixture.call("insert_lines", { version: "1", after_line: 1, content: "x\ny" }), {
    tab_id,
    version: "2",
    status: "success",
    inserted_at: { after_line: 1, lines_added: 2, new_lines: { start: 2, end: 3 } },
  });
  const replace = { version: "2", start_line: 2, end_line: 3, content: "z" };
  assert.deepEqual(await fixture.call("replace_lines", replace), {
    tab_id,
    version: "3",
    status: "success",
    lines_affected: { removed: 2, added: 1, net_change: -1 },
  });
  assert.deepEqual(await fixture.call("delete_lines", { version: "3", start_line: 2, end_line: 2 }), {
    tab_id,
    version: "4",
    status: "success",
    lines_deleted: 1,
  });
  assert.equal(fixture.text(), five);
});

test("the documented way to append: after the last line", async (t) => {
  for (const text of [five, five.trimEnd()]) {
    const fixture = await TabsFixture.open(t, { "a.txt": text });
    const { lines } = (await fixture.call("read_document")) as { lines?: { total: number } };
    const after_line = (lines?.total ?? 0) - 1;
    const answer = await fixture.call("insert_lines", { version: "1", after_line, content: "five" });
    assert.deepEqual(answer.inserted_at, { after_line: 4, lines_added: 1, new_lines: { start: 5, end: 5 } });
    assert.equal(fixture.text().trimEnd(), `${five}five`);
  }
});

test("line counts are true also where an empty line comes to stand at the end", async (t) => {
  const fixture = await TabsFixture.open(t, { "a.txt": "one\n\ntwo" });
  await fixture.call("read_document");
  const deleted = await fixture.call("delete_lines", {
    version: "1",
    start_line: 2,
    end_line: 2,
    dry_run: true,
  });
  assert.equal(deleted.lines_deleted, 2);
  const replaced = await fixture.call("replace_lines", {
    version: "1",
    start_line: 2,
    end_line: 2,
    content: "",
  });
  assert.deepEqual(replaced.lines_affected, { removed: 2, added: 0, net_change: -2 });
  assert.equal(fixture.text(), "one\n");
  const blank = await fixture.call("insert_lines", { version: "2", after_line: 0, content: "\n" });
  assert.deepEqual(blank.inserted_at, { after_line: 0, lines_added: 1, new_lines: { start: 1, end: 1 } });
});

interface Step {
  readonly op: "insert" | "replace" | "delete";
  readonly at: number;
  readonly count: number;
  readonly lines: readonly string[];
}

/** The tool's name and arguments for a step on a document of so many lines; undefined where there is no such step. */
function callOf(
  { op, at, count, lines }: Step,
  total: number,
): [string, Record<string, unknown>] | undefined {
  const content = lines.join("\n");
  if (op === "insert") return ["insert_lines", { after_line: (at % (total + 1)) - 1, content }];
  if (total === 0) return undefined;
  const start_line = at % total;
  const end_line = Math.min(total - 1, start_line + count);
  if (op === "delete") return ["delete_lines", { start_line, end_line }];
  return ["replace_lines", { start_line, end_line, content }];
}

test("any edits do what they say to a plain list of lines, and a dry run tells the same beforehand", async (t) => {
  const step = fc.record({
    op: fc.constantFrom("insert", "replace", "delete"),
    at: fc.nat(20),
    count: fc.nat(3),
    lines: fc.array(fc.constantFrom("alpha", "beta", "gamma"), { minLength: 1, maxLength: 3 }),
  }) as fc.Arbitrary<Step>;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      const fixture = await TabsFixture.open(t, { "a.txt": five });
      await fixture.call("read_document");
      const lines = five.trimEnd().split("\n");
      let version = "1";
      for (const one of steps) {
        const called = callOf(one, lines.length);
        if (called === undefined) continue;
        const [name, input] = called;
        const tried = await fixture.call(name, { ...input, version, dry_run: true });
        const done = await fixture.call(name, { ...input, version });
        if (done.error !== undefined) {
          assert.equal(done.error, "no_change");
          assert.equal(tried.error, "no_change");
          continue;
        }
        assert.deepEqual({ ...tried, version: done.version, status: "success" }, done);
        assert.equal(tried.version, version);
        assert.notEqual(done.version, version);
        const start = Number(name === "insert_lines" ? Number(input.after_line) + 1 : input.start_line);
        const removed = name === "insert_lines" ? 0 : Number(input.end_line) - start + 1;
        const added = name === "delete_lines" ? [] : one.lines;
        lines.splice(start, removed, ...added);
        assertTold(done, start, removed, added.length);
        version = String(done.version);
        assert.deepEqual(fixture.text() === "" ? [] : fixture.text().replace(/\n$/, "").split("\n"), lines);
      }
    }),
    { numRuns: 15 },
  );
});

function assertTold(done: TabsAnswer, start: number, removed: number, added: number): void {
  if (done.lines_deleted !== undefined) assert.equal(done.lines_deleted, removed);
  if (done.lines_affected !== undefined) {
    assert.deepEqual(done.lines_affected, { removed, added, net_change: added - removed });
  }
  if (done.inserted_at !== undefined) {
    const new_lines = { start, end: start + added - 1 };
    assert.deepEqual(done.inserted_at, { after_line: start - 1, lines_added: added, new_lines });
  }
}

test("a change on disk meanwhile is a version mismatch, and a match text finds the lines again", async (t) => {
  const fixture = await TabsFixture.open(t, { "a.txt": five });
  await fixture.call("read_document");
  writeFileSync(fixture.place.path("a.txt"), `new\n${five}`);
  const { id } = must(fixture.workspace.documents.open("a.txt"));
  must(fixture.workspace.saving.refresh(id));
  const edit = { version: "1", start_line: 2, end_line: 2, content: "TWO" };
  const refused = await fixture.call("replace_lines", edit);
  assert.equal(refused.error, "version_mismatch");
  assert.equal(refused.your_version, "1");
  assert.notEqual(refused.current_version, "1");
  const done = await fixture.call("replace_lines", { ...edit, match_text: "two" });
  assert.deepEqual(done.adjusted_range, { start_line: 3, end_line: 3 });
  assert.equal(fixture.text(), "new\nzero\none\nTWO\nthree\nfour\n");
});

test("an empty match text is none", async (t) => {
  const fixture = await TabsFixture.open(t, { "a.txt": five });
  await fixture.call("read_document");
  const edit = { start_line: 2, end_line: 2, content: "TWO", match_text: "" };
  assert.equal((await fixture.call("replace_lines", { ...edit, version: "9" })).error, "version_mismatch");
  assert.equal((await fixture.call("replace_lines", { ...edit, version: "1" })).status, "success");
});

test("line ends of a file stay what they are", async (t) => {
  const fixture = await TabsFixture.open(t, { "dos.txt": "a\r\nb\r\nc\r\n" });
  await fixture.call("read_document");
  await fixture.call("replace_lines", { version: "1", start_line: 1, end_line: 1, content: "B\nBB" });
  const committed = must(fixture.turn.commit());
  must(fixture.workspace.review.accept({ turn: committed.id }));
  const { id } = must(fixture.workspace.documents.open("dos.txt"));
  must(await fixture.workspace.saving.save([id]));
  const { readFileSync } = await import("node:fs");
  assert.equal(readFileSync(fixture.place.path("dos.txt"), "utf8"), "a\r\nB\r\nBB\r\nc\r\n");
});

const thirty = Array.from({ length: 30 }, (_, line) => `line ${line}\n`).join("");

test("what a refusal shows can be replaced with the next call, without reading it again", async (t) => {
  const refusals: [string, Record<string, unknown>][] = [
    ["invalid_line_range", { version: "1", start_line: 28, end_line: 30 }],
    ["version_mismatch", { version: "9", start_line: 27, end_line: 29 }],
    ["no_match", { version: "9", start_line: 27, end_line: 29, match_text: "line of another text" }],
    ["ambiguous_match", { version: "9", start_line: 27, end_line: 29, match_text: "line" }],
    ["conflict", { version: "1", start_line: 25, end_line: 27, match_text: "line 27" }],
    ["partly_read", { version: "1", start_line: 27, end_line: 29 }],
  ];
  for (const [error, input] of refusals) {
    const fixture = await TabsFixture.open(t, { "a.txt": thirty });
    const refused = await fixture.call("replace_lines", { ...input, content: "new" });
    assert.equal(refused.error, error);
    const { current_version: version, now } = refused.details as Record<string, unknown>;
    const { start_line: first, content } = now as { start_line: number; content: string };
    const at = first + content.split("\n").indexOf("line 27");
    assert.equal(at, 27, error);
    const again = { version, start_line: at, end_line: at + 2, content: "new" };
    assert.equal((await fixture.call("replace_lines", again)).status, "success", error);
    assert.equal(fixture.text(), thirty.replace("line 27\nline 28\nline 29", "new"));
  }
});

test("what a refusal shows is not yet known to the other calls of the same message", async (t) => {
  const fixture = await TabsFixture.open(t, { "a.txt": thirty });
  const remove = (line: number) => {
    return { name: "delete_lines", arguments: { version: "1", start_line: line, end_line: line } };
  };
  const answers = await fixture.play(
    () => [remove(12), remove(12), remove(14)],
    () => remove(14),
  );
  const errors = answers.map(({ error }) => error);
  assert.deepEqual(errors, ["partly_read", "partly_read", "partly_read", undefined]);
  assert.equal(fixture.text(), thirty.replace("line 14\n", ""));
});

test("a line that a refusal shows in part is still not known", async (t) => {
  const long = "x".repeat(600);
  const fixture = await TabsFixture.open(t, { "a.txt": `first\n${long}\nlast\n` });
  const remove = { version: "1", start_line: 0, end_line: 2 };
  assert.equal((await fixture.call("delete_lines", { ...remove, end_line: 3 })).error, "invalid_line_range");
  const refused = await fixture.call("delete_lines", remove);
  assert.equal(refused.error, "partly_read");
  assert.deepEqual((refused.details as Record<string, unknown>).unread_ranges, [
    { start_line: 1, end_line: 1 },
  ]);
});

test("a quoted range between whose lines someone wrote loses only the lines that change, and no line behind it counts as read", async (t) => {
  const fixture = await TabsFixture.open(t, { "a.txt": thirty });
  await fixture.call("read_document", { start_line: 0, end_line: 0 });
  writeFileSync(fixture.place.path("a.txt"), thirty.replace("line 11\n", "someone's\nline 11\n"));
  const { id } = must(fixture.workspace.documents.open("a.txt"));
  must(fixture.workspace.saving.refresh(id));
  const done = await fixture.call("replace_lines", {
    version: "1",
    start_line: 10,
    end_line: 11,
    content: "line 10\nLINE 11\n",
    match_text: "line 10\nline 11\n",
  });
  assert.equal(done.status, "success");
  assert.deepEqual(done.adjusted_range, { start_line: 12, end_line: 12 });
  assert.equal(fixture.text(), thirty.replace("line 11\n", "someone's\nLINE 11\n"));
  const behind = { version: done.version, start_line: 13, end_line: 13 };
  assert.equal((await fixture.call("delete_lines", behind)).error, "partly_read");
});
