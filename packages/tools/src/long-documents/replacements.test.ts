import assert from "node:assert/strict";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { Random } from "@stet/testkit/random";
import { must } from "@stet/testkit/workspace";
import { planEdits } from "@stet/text/edits";
import { changeOf } from "@stet/text/lines";
import { numbered, piecesOf, replacementOf } from "./numbered-lines.ts";
import { changeBy, lineEditsOf, type Replacement } from "./replacements.ts";
import { problemWith, replacementsOf } from "./rewrite.ts";

const textOf = (content: string) => Text.of(content.split("\n"));

/** The text after the line edits, which must be what the replacements say. */
function applied(content: string, replacements: readonly Replacement[]): string {
  const text = textOf(content);
  const planned = must(planEdits(text, lineEditsOf(text, changeBy(text, replacements))));
  const after = changeOf(text, planned).apply(text).toString();
  assert.equal(after, replaced(content, replacements), JSON.stringify({ content, replacements }));
  return after;
}

function replaced(content: string, replacements: readonly Replacement[]): string {
  const fromLast = replacements.toSorted((one, other) => other.from - one.from);
  return fromLast.reduce(
    (text, { from, to, insert }) => text.slice(0, from) + insert + text.slice(to),
    content,
  );
}

test("replacements become edits of exactly the lines they touch", () => {
  const text = textOf("one\ntwo two\nthree\nfour\n");
  const change = changeBy(text, [
    { from: 8, to: 11, insert: "2" },
    { from: 4, to: 7, insert: "2" },
    { from: 18, to: 22, insert: "4" },
    { from: 0, to: 3, insert: "one" },
  ]);
  assert.deepEqual(lineEditsOf(text, change), [
    { op: "replace", from: 2, to: 2, content: "2 2\n" },
    { op: "replace", from: 4, to: 4, content: "4\n" },
  ]);
});

test("a replacement over a line break, of whole lines, at the end and of nothing", () => {
  assert.equal(applied("a b\nc d\n", [{ from: 2, to: 5, insert: "X\nY" }]), "a X\nY d\n");
  assert.equal(applied("a\nb\nc\n", [{ from: 2, to: 4, insert: "" }]), "a\nc\n");
  assert.equal(applied("a\nb", [{ from: 2, to: 3, insert: "B\nC" }]), "a\nB\nC");
  assert.equal(applied("a\nb\n", [{ from: 2, to: 2, insert: "x\n" }]), "a\nx\nb\n");
});

test("a line end that belongs to the text of a mixed file stays", () => {
  const text = Text.of(["John Smith came\r", "and John\r", "Smith left", ""]);
  const edits = lineEditsOf(text, changeBy(text, [{ from: 21, to: 32, insert: "Ann\r\nLee" }]));
  const after = changeOf(text, must(planEdits(text, edits))).apply(text);
  assert.equal(after.toString(), "John Smith came\r\nand Ann\r\nLee left\n");
});

test("a chunk's lines are shown with the document's numbers, also pieces of one long line", () => {
  const text = textOf("zero\none one\ntwo\n");
  assert.equal(numbered(piecesOf(text, { from: 5, to: 17 })), "1|one one\n2|two");
  const [piece] = piecesOf(text, { from: 9, to: 12 });
  assert.deepEqual([piece?.line, piece?.content, piece?.isWholeLine], [1, "one", false]);
  const pieces = piecesOf(text, { from: 9, to: 12 });
  assert.deepEqual(replacementOf(pieces, "1\n"), { from: 9, to: 12, insert: "1" });
});

test("an edit of lines keeps the lines in it that do not differ", () => {
  const content = "a\nb\nc\nd\n";
  const pieces = piecesOf(textOf(content), { from: 0, to: content.length });
  const edit = (content: string, start_line = 0, end_line = 3) => ({ start_line, end_line, content });
  const places = replacementsOf([edit("a\nB\nc\nD\n")], pieces);
  assert.deepEqual(places, [
    { from: 2, to: 4, insert: "B\n" },
    { from: 6, to: 8, insert: "D\n" },
  ]);
  assert.equal(applied(content, places), "a\nB\nc\nD\n");
  assert.equal(applied(content, replacementsOf([edit("a\nb\nc\nd\ne")], pieces)), "a\nb\nc\nd\ne\n");
  assert.equal(applied(content, replacementsOf([edit("", 1, 2)], pieces)), "a\nd\n");
  assert.equal(applied(content, replacementsOf([edit("x\n\nb", 1, 1)], pieces)), "a\nx\n\nb\nc\nd\n");
});

test("lines behind the last one come with it where the text has no line end", () => {
  const pieces = piecesOf(textOf("a\nb"), { from: 0, to: 3 });
  const places = replacementsOf([{ start_line: 0, end_line: 1, content: "a\nb\nc" }], pieces);
  const text = textOf("a\nb");
  const planned = must(planEdits(text, lineEditsOf(text, changeBy(text, places))));
  assert.equal(changeOf(text, planned).apply(text).toString(), "a\nb\nc");
});

test("edits outside the chunk, over each other, backwards or of nearly nothing are refused with the reason", () => {
  const content = `${"word ".repeat(50)}\n${"more ".repeat(50)}\nend\n`;
  const pieces = piecesOf(textOf(content), { from: 0, to: content.length });
  const edit = (start_line: number, end_line: number, content: string) => ({ start_line, end_line, content });
  assert.match(problemWith([edit(2, 3, "x")], pieces) ?? "", /within lines 0 to 2/);
  assert.match(problemWith([edit(2, 1, "x")], pieces) ?? "", /before the start/);
  assert.match(problemWith([edit(1, 2, "x"), edit(0, 1, "y")], pieces) ?? "", /both change line 1/);
  assert.match(problemWith([edit(0, 2, "")], pieces) ?? "", /Next to nothing/);
  assert.match(problemWith([edit(0, 2, "x".repeat(10_000))], pieces) ?? "", /ten times/);
  assert.match(problemWith([edit(1, 1, "1|more and more")], pieces) ?? "", /without them/);
  assert.equal(problemWith([edit(0, 0, "word"), edit(2, 2, "")], pieces), undefined);
});

test("line edits do what the replacements say, whatever they are", () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const random = new Random(seed);
    const content = `${Array.from({ length: random.below(30) + 1 }, () => random.pick(["a", "b", " ", "\n", "\n", "é", "𝄞"])).join("")}\n`;
    const starts: number[] = [0];
    for (const one of content.slice(0, -1)) starts.push((starts.at(-1) ?? 0) + one.length);
    const cuts = starts.filter(() => random.below(3) === 0);
    const replacements: Replacement[] = [];
    for (let index = 0; index + 1 < cuts.length; index += 2) {
      const insert = random.pick(["", "x", "x\ny", "\n", "z "]);
      replacements.push({ from: cuts[index] ?? 0, to: cuts[index + 1] ?? 0, insert });
    }
    applied(content, replacements);
  }
});
