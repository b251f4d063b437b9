// An edit that is written down exactly lands exactly, whatever changed elsewhere; where its own lines changed, it is refused.

import assert from "node:assert/strict";
import test from "node:test";
import { Text } from "@codemirror/state";
import { isFault } from "@stet/protocol/fault";
import { runs } from "@stet/testkit/depth";
import fc from "fast-check";
import { changesOf, edited, lineEditsOf } from "../../../locate/hunk-edits.ts";
import { isMiss } from "../../../locate/miss.ts";
import { placeHunks } from "../../../locate/place-hunks.ts";
import { countedSource } from "../../../locate/source-text.ts";
import { numberedLines, parseHunks } from "./patch-hunk.ts";

const line = fc.constantFrom("alpha", "beta", "}", "", "  x();", "\ty", "return 1;", "two words", "z");

/** Lines with a number here and there: some places are unique, many are not. */
const file = fc.array(fc.record({ text: line, isUnique: fc.boolean() }), { minLength: 1, maxLength: 25 });

interface Spec {
  readonly at: number;
  readonly removed: number;
  readonly added: readonly string[];
  readonly context: number;
}

const spec = fc.record({
  at: fc.nat(30),
  removed: fc.nat(3),
  added: fc.array(line, { maxLength: 3 }),
  context: fc.integer({ min: 0, max: 3 }),
});

function hunkOf(lines: readonly string[], { at, removed, added, context }: Spec): string {
  const from = Math.max(0, at - context);
  const to = Math.min(lines.length, at + removed + context);
  const part = (prefix: string, list: readonly string[]) => list.map((text) => `${prefix}${text}\n`).join("");
  return (
    "@@\n" +
    part(" ", lines.slice(from, at)) +
    part("-", lines.slice(at, at + removed)) +
    part("+", added) +
    part(" ", lines.slice(at + removed, to))
  );
}

const words = { name: "Hunk", path: "file", inFull: "", asThere: "", more: "" };

function applied(lines: readonly string[], diff: string): readonly string[] | string {
  const hunks = parseHunks(numberedLines(diff));
  if (isFault(hunks)) return hunks.error;
  const text = Text.of([...lines, ""]);
  const source = countedSource(text);
  const placed = placeHunks(
    source,
    hunks.map((hunk, index) => ({ hunk, number: index + 1, words })),
  );
  if (isMiss(placed)) return placed.code;
  return edited(text, lineEditsOf(text, changesOf(source.lines, placed), undefined))
    .toString()
    .split("\n")
    .slice(0, -1);
}

function fitted(each: Spec, total: number): Spec {
  const at = Math.min(each.at, total);
  return { ...each, at, removed: Math.min(each.removed, total - at) };
}

test("an exact hunk lands elsewhere than it was meant", () => {
  let landed = 0;
  fc.assert(
    fc.property(
      file,
      spec,
      fc.nat(40),
      fc.array(line, { minLength: 1, maxLength: 4 }),
      (parts, wanted, drift, strange) => {
        const lines = parts.map(({ text, isUnique }, index) => (isUnique ? `${text}#${index}` : text));
        const each = fitted(wanted, lines.length);
        if (each.removed === 0 && each.added.length === 0) return;
        const from = Math.max(0, each.at - each.context);
        const to = Math.min(lines.length, each.at + each.removed + each.context);
        // Someone adds lines above or below what the hunk names.
        const above = drift % 2 === 0;
        const place = above ? drift % (from + 1) : to + (drift % (lines.length - to + 1));
        const now = lines.toSpliced(place, 0, ...strange.map((text) => `${text} theirs`));
        const shift = above ? strange.length : 0;
        const expected = now.toSpliced(each.at + shift, each.removed, ...each.added);
        const result = applied(now, hunkOf(lines, each));
        if (typeof result === "string") {
          assert.ok(result === "ambiguous_match" || result === "invalid_patch", result);
          return;
        }
        // A hunk without any old line goes to the end by its own rule.
        if (to > from) assert.deepEqual(result, expected);
        landed += 1;
      },
    ),
    { numRuns: runs(3000) },
  );
  assert.ok(landed > runs(3000) / 3, `only ${landed} landed`);
});

test("a hunk lands although its lines have changed", () => {
  fc.assert(
    fc.property(file, spec, fc.nat(40), (parts, wanted, which) => {
      const lines = parts.map(({ text }, index) => `${text}#${index}`);
      const each = fitted(wanted, lines.length);
      const from = Math.max(0, each.at - each.context);
      const to = Math.min(lines.length, each.at + each.removed + each.context);
      if (to === from || (each.removed === 0 && each.added.length === 0)) return;
      const touched = from + (which % (to - from));
      const now = lines.with(touched, `${lines[touched]} theirs`);
      assert.equal(applied(now, hunkOf(lines, each)), "no_match");
    }),
    { numRuns: runs(2000) },
  );
});

test("several exact hunks of one file land elsewhere than they were meant", () => {
  fc.assert(
    fc.property(file, fc.array(spec, { minLength: 2, maxLength: 4 }), (parts, wanted) => {
      const lines = parts.map(({ text, isUnique }, index) => (isUnique ? `${text}#${index}` : text));
      const specs: Spec[] = [];
      let free = 0;
      for (const each of wanted
        .map((one) => fitted(one, lines.length))
        .sort((one, other) => one.at - other.at)) {
        const isOverlapping = each.at <= free && specs.length > 0;
        if (isOverlapping || each.removed === 0) continue;
        specs.push(each);
        free = each.at + each.removed;
      }
      if (specs.length === 0) return;
      let expected: readonly string[] = lines;
      for (const { at, removed, added } of specs.toReversed())
        expected = expected.toSpliced(at, removed, ...added);
      const result = applied(lines, specs.map((each) => hunkOf(lines, each)).join(""));
      if (typeof result === "string") assert.equal(result, "ambiguous_match");
      else assert.deepEqual(result, expected);
    }),
    { numRuns: runs(2000) },
  );
});
