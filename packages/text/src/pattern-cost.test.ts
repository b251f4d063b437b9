import assert from "node:assert/strict";
import { test } from "node:test";
import { runs } from "@stet/testkit/depth";
import fc from "fast-check";
import { patternShape } from "./pattern-cost.ts";

/** A backtracking engine for a small language, counting the characters and groups it tries. */
type Part =
  | { readonly kind: "character"; readonly character: string }
  | { readonly kind: "sequence" | "choice"; readonly parts: readonly Part[] }
  | { readonly kind: "repeat"; readonly part: Part; readonly min: number; readonly max: number }
  | { readonly kind: "look"; readonly part: Part };

function written(part: Part): string {
  switch (part.kind) {
    case "character":
      return part.character;
    case "sequence":
      return `(?:${part.parts.map(written).join("")})`;
    case "choice":
      return `(?:${part.parts.map(written).join("|")})`;
    case "repeat":
      return `${written(part.part)}{${part.min},${part.max === Number.POSITIVE_INFINITY ? "" : part.max}}`;
    case "look":
      return `(?=${written(part.part)})`;
  }
}

function countSteps(part: Part, text: string, most: number): number {
  let steps = 0;
  const run = (current: Part, at: number, done: (end: number) => boolean): boolean => {
    if (steps > most) return true;
    switch (current.kind) {
      case "character":
        steps += 1;
        return text[at] === current.character && done(at + 1);
      case "sequence": {
        const from = (index: number, position: number): boolean => {
          const next = current.parts[index];
          return next === undefined ? done(position) : run(next, position, (end) => from(index + 1, end));
        };
        return from(0, at);
      }
      case "choice":
        return current.parts.some((choice) => run(choice, at, done));
      case "look":
        return run(current.part, at, () => true) && done(at);
      case "repeat": {
        const again = (count: number, position: number): boolean =>
          (count < current.max &&
            run(
              current.part,
              position,
              (end) => (end > position || count < current.min) && again(count + 1, end),
            )) ||
          (count >= current.min && done(position));
        return again(0, at);
      }
    }
  };
  for (let at = 0; at < text.length; at += 1) run(part, at, () => false);
  return steps;
}

const { part } = fc.letrec<{ part: Part }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom("a", "b").map((character): Part => ({ kind: "character", character })),
    fc
      .tuple(fc.constantFrom("sequence", "choice"), fc.array(tie("part"), { minLength: 1, maxLength: 3 }))
      .map(([kind, parts]): Part => ({ kind, parts })),
    fc
      .tuple(
        tie("part"),
        fc.constantFrom([0, 1], [0, 3], [2, 2], [0, Number.POSITIVE_INFINITY], [1, Number.POSITIVE_INFINITY]),
      )
      .map(
        ([inner, [min = 0, max = 1]]): Part => ({
          kind: "repeat",
          part: inner.kind === "character" ? inner : { kind: "sequence", parts: [inner] },
          min,
          max,
        }),
      ),
    tie("part").map((inner): Part => ({ kind: "look", part: inner })),
  ),
}));

test("a pattern takes more steps than were estimated", () => {
  const text = fc
    .array(fc.constantFrom("a", "a", "a", "b"), { minLength: 1, maxLength: 12 })
    .map((letters) => letters.join(""));
  fc.assert(
    fc.property(part, text, (pattern, letters) => {
      new RegExp(written(pattern), "u");
      const estimated = patternShape(written(pattern)).steps(letters.length);
      const most = 20_000;
      const steps = countSteps(pattern, letters, most);
      assert.ok(
        steps <= estimated || steps > most,
        `${written(pattern)}: ${steps} steps, ${estimated} estimated`,
      );
      if (steps > most) assert.ok(estimated > most);
    }),
    { numRuns: runs(2000) },
  );
});

test("a dangerous part is not named", () => {
  const parts: [pattern: string, part: string | undefined][] = [
    ["x(a+)+y", "(a+)+"],
    ["(?:ab|a)*", "(?:ab|a)*"],
    ["(?=(?<n>a*)*)", "(?<n>a*)*"],
    ["((a{0,9}){9}){9}", "((a{0,9}){9}){9}"],
    ["(?:ab)*\\d+", undefined],
    ["[(a+)+]*\\(\\)+", undefined],
    ["(?:a|b)?(?:c|d){2}", undefined],
  ];
  for (const [pattern, expected] of parts)
    assert.equal(patternShape(pattern).explosivePart(10_000), expected, pattern);
});

test("what a pattern consists of is misread", () => {
  const steps = (pattern: string) => patternShape(pattern).steps(100);
  assert.equal(steps("abc"), 300);
  for (const character of [
    "\\p{Script=Han}",
    "\\u{1F600}",
    "\\uD83D",
    "\\x41",
    "\\cA",
    "\\*",
    "[\\]*+]",
    ".",
    "😀",
  ]) {
    assert.equal(steps(character), 100, character);
  }
  assert.equal(steps("^\\b$"), 300);
  assert.ok(steps("a*b*") > 1_000_000 && steps("a*b*") < 2_100_000);
  assert.ok(steps("(?=a*)(?=b*)") < 50_000, "look-arounds do not multiply");
  assert.ok(steps("(a{2})\\1") < steps("(a*)\\1"), "a reference costs what its group may match");
  assert.ok(steps("a{3}") < steps("a{3,}"));
});

test("groups are miscounted", () => {
  const { groupCount, groupNames } = patternShape("(a)(?:b)(?<c>[(](?=(d))(?<!e))\\((?<f>g)");
  assert.equal(groupCount, 4);
  assert.deepEqual(groupNames, { c: 2, f: 4 });
});
