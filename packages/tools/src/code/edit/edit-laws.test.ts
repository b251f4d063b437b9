// The law of editing by a model: what it wrote for the text that it was shown lands exactly on that text, whatever the person
// did elsewhere meanwhile; and if the person touched that text, nothing changes at all.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { type CodeFixture, openCodeFixture } from "@stet/testkit/code-fixture";
import { readAnchors } from "@stet/testkit/read-anchors";
import { must, personEdits } from "@stet/testkit/workspace";
import type { LineEdit } from "@stet/text/edits";
import fc from "fast-check";
import { hashlineEdit } from "./hashline/hashline-edit.ts";
import { replaceEdit } from "./replace/replace-edit.ts";

/** Many lines are alike, as in real files: numbers and letters alone do not tell them apart. */
const line = fc.constantFrom<string[]>("}", "", "  return;", "go();", "a", "b", "»x«", "const über = 1;");

const scenario = fc
  .record({
    before: fc.array(line, { minLength: 2, maxLength: 30 }),
    lineEnd: fc.constantFrom("\n", "\r\n"),
    hasEnd: fc.boolean(),
    from: fc.nat(),
    length: fc.integer({ min: 1, max: 4 }),
    fresh: fc.array(fc.string({ maxLength: 8 }), { maxLength: 4 }),
    above: fc.array(line, { maxLength: 3 }),
    isBeside: fc.boolean(),
    below: fc.array(line, { maxLength: 3 }),
    touched: fc.nat(),
  })
  .map(({ from, length, fresh, ...rest }) => {
    const first = from % rest.before.length;
    const last = Math.min(rest.before.length, first + length) - 1;
    // An empty last line without an end is no line.
    const hasEnd = rest.hasEnd || rest.before.at(-1) === "";
    // No two new lines are alike, and none is in the file.
    return {
      ...rest,
      hasEnd,
      first,
      last,
      fresh: fresh.map((text, index) => `new ${index} ${text.replaceAll(/[\r\n]/g, "")}`),
    };
  });

type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

const content = (list: readonly string[]) => list.map((one) => `${one}\n`).join("");
const whole = ({ lineEnd, hasEnd }: Scenario, list: readonly string[]) =>
  list.length === 0 ? "" : list.join(lineEnd) + (hasEnd ? lineEnd : "");

let round = 0;

/** A file that the model has read, and that the person has changed elsewhere since. */
function begin(fixture: CodeFixture, given: Scenario, lines = given.before) {
  round += 1;
  const name = `file-${round}.txt`;
  writeFileSync(fixture.place.path(name), whole(given, lines));
  const at = readAnchors(fixture, name);
  const { document } = must(fixture.context.files.open(name));
  const edits: LineEdit[] = [];
  const { above, below, first, last, isBeside } = given;
  const aboveAt = isBeside ? first : 0;
  if (above.length > 0) edits.push({ op: "insert", after: aboveAt, content: content(above) });
  if (below.length > 0) edits.push({ op: "insert", after: last + 1, content: content(below) });
  if (edits.length > 0) personEdits(fixture.workspace, document, ...edits);
  const expected = lines
    .toSpliced(last + 1, 0, ...below)
    .toSpliced(first, last - first + 1, ...given.fresh)
    .toSpliced(aboveAt, 0, ...above);
  return { name, at, document, expected, shift: above.length };
}

const options = { numRuns: 80 };

test("an edit by anchors lands on the lines that were shown, whatever else changed", async (t) => {
  const fixture = await openCodeFixture(t, [hashlineEdit]);
  await fc.assert(
    fc.asyncProperty(scenario, async (given) => {
      const { name, at, expected } = begin(fixture, given);
      const range = `≔${at(given.first + 1)}..${at(given.last + 1)}`;
      const answer = await fixture.call("edit", { input: `§${name}\n${range}\n${content(given.fresh)}` });
      assert.equal(answer.error, undefined, answer.text);
      assert.ok(!answer.text.includes("Warnings"), answer.text);
      assert.equal(readFileSync(fixture.place.path(name), "utf8"), whole(given, expected));
    }),
    options,
  );
});

test("an edit by anchors of lines that the person touched changes nothing", async (t) => {
  const fixture = await openCodeFixture(t, [hashlineEdit]);
  await fc.assert(
    fc.asyncProperty(scenario, async (given) => {
      const { name, at, document, shift } = begin(fixture, given);
      const touched = given.first + (given.touched % (given.last - given.first + 1)) + shift + 1;
      personEdits(fixture.workspace, document, {
        op: "replace",
        from: touched,
        to: touched,
        content: "the person's\n",
      });
      const before = must(fixture.context.files.open(name)).history;
      const range = `≔${at(given.first + 1)}..${at(given.last + 1)}`;
      const answer = await fixture.call("edit", { input: `§${name}\n${range}\n${content(given.fresh)}` });
      assert.ok(answer.error === "conflict" || answer.error === "stale_anchor", answer.text);
      assert.equal(must(fixture.context.files.open(name)).history, before);
      assert.equal(readFileSync(fixture.place.path(name), "utf8"), whole(given, given.before), "nor on disk");
    }),
    options,
  );
});

test("an edit by quoting lands on the text that was quoted, whatever else changed", async (t) => {
  const fixture = await openCodeFixture(t, [replaceEdit], { settings: { editMode: "replace" } });
  await fc.assert(
    fc.asyncProperty(scenario, async (given) => {
      const { lines, quoted, fresh } = quotable(given);
      const { name, expected } = begin(fixture, { ...given, fresh }, lines);
      const edits = [{ old_text: quoted.join("\n"), new_text: fresh.join("\n") }];
      const answer = await fixture.call("edit", { path: name, edits });
      assert.equal(answer.error, undefined, answer.text);
      assert.equal(readFileSync(fixture.place.path(name), "utf8"), whole(given, expected));
    }),
    options,
  );
});

test("an edit by quoting of text that the person touched changes nothing", async (t) => {
  const fixture = await openCodeFixture(t, [replaceEdit], { settings: { editMode: "replace" } });
  await fc.assert(
    fc.asyncProperty(scenario, async (given) => {
      const { lines, quoted, fresh } = quotable(given);
      const { name, document, shift } = begin(fixture, { ...given, fresh }, lines);
      const touched = given.first + (given.touched % quoted.length) + shift + 1;
      personEdits(fixture.workspace, document, {
        op: "replace",
        from: touched,
        to: touched,
        content: "the person's\n",
      });
      const before = must(fixture.context.files.open(name)).history;
      const edits = [{ old_text: quoted.join("\n"), new_text: fresh.join("\n") }];
      assert.equal((await fixture.call("edit", { path: name, edits })).error, "conflict");
      assert.equal(must(fixture.context.files.open(name)).history, before);
    }),
    options,
  );
});

/** What is quoted begins with a line that is nowhere else, and does not end in the break before an empty one. A text is replaced by a text, so at least one line remains. */
function quotable({ before, first, last, fresh }: Scenario) {
  const lines = before.with(last, before[last] || "b").with(first, "the only one");
  return { lines, quoted: lines.slice(first, last + 1), fresh: fresh.length === 0 ? ["new"] : fresh };
}
