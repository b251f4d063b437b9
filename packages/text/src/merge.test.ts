import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { Text } from "@codemirror/state";
import { runs } from "@stet/testkit/depth";
import { temporaryFolder } from "@stet/testkit/temporary";
import fc from "fast-check";
import { type MergeRegion, mergeLines, mergeTexts } from "./merge.ts";

const labels = { ours: "ours", base: "base", theirs: "theirs" };

/** The settings of whoever runs the tests must not matter. */
const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };

interface Three {
  readonly base: string[];
  readonly ours: string[];
  readonly theirs: string[];
}

/** Documents whose lines come from `line`, with a few edits on each side, some of them on both. */
function threeSides(line: fc.Arbitrary<string>, length: number): fc.Arbitrary<Three> {
  const edit = fc.tuple(fc.nat(length), fc.nat(2), fc.array(line, { maxLength: 2 }));
  const edits = fc.array(edit, { maxLength: 4 });
  return fc
    .tuple(
      fc.array(line, { minLength: 1, maxLength: length }),
      edits,
      edits,
      fc.array(edit, { maxLength: 1 }),
    )
    .map(([base, ours, theirs, both]) => ({
      base,
      ours: edited(base, [...ours, ...both]),
      theirs: edited(base, [...theirs, ...both]),
    }));
}

/** All edits refer to the lines of the base, so that the same edit is at the same place on both sides. */
function edited(base: readonly string[], edits: readonly [number, number, string[]][]): string[] {
  const lines = base.map((line) => [line]);
  const tail: string[] = [];
  for (const [at, removed, added] of edits) {
    for (let index = at; index < at + removed && index < lines.length; index += 1) lines[index]?.splice(0);
    (lines[at] ?? tail).unshift(...added);
  }
  return [...lines.flat(), ...tail];
}

function contentOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/** What `git merge-file` makes of it, and how many conflicts it reports. */
function gitMerge(folder: string, { base, ours, theirs }: Three): { merged: string; conflicts: number } {
  writeFileSync(join(folder, "base"), contentOf(base));
  writeFileSync(join(folder, "ours"), contentOf(ours));
  writeFileSync(join(folder, "theirs"), contentOf(theirs));
  const args = [
    "merge-file",
    "-p",
    "--diff3",
    "-L",
    "ours",
    "-L",
    "base",
    "-L",
    "theirs",
    "ours",
    "base",
    "theirs",
  ];
  const result = spawnSync("git", args, { cwd: folder, env, encoding: "utf8" });
  assert.ok(result.status !== null && result.status < 128, result.stderr);
  return { merged: result.stdout, conflicts: result.status };
}

interface Comparison {
  /** Byte for byte what git writes. */
  clean: number;
  conflicting: number;
  /** Conflicts on both sides, but not around the same lines. */
  shifted: number;
  /** A conflict for one, none for the other. */
  undecided: number;
  /** No conflict for either, and another text. */
  contrary: Three[];
}

/** The merged lines, with conflicts between markers as `git merge-file --diff3` writes them. */
function formatDiff3(
  regions: readonly MergeRegion[],
  labels: Readonly<Record<"ours" | "base" | "theirs", string>>,
): string {
  const lines: string[] = [];
  for (const { kind, base, ours, theirs } of regions) {
    if (kind === "conflict") {
      lines.push(`<<<<<<< ${labels.ours}`, ...ours, `||||||| ${labels.base}`, ...base, "=======", ...theirs);
      lines.push(`>>>>>>> ${labels.theirs}`);
    } else {
      for (const line of kind === "theirs" ? theirs : ours) lines.push(line);
    }
  }
  return lines.map((line) => `${line}\n`).join("");
}

function compare(t: TestContext, samples: readonly Three[]): Comparison {
  const folder = temporaryFolder(t);
  const result: Comparison = { clean: 0, conflicting: 0, shifted: 0, undecided: 0, contrary: [] };
  for (const three of samples) {
    const git = gitMerge(folder, three);
    const regions = mergeLines(three.base, three.ours, three.theirs);
    const isConflict = regions.some(({ kind }) => kind === "conflict");
    if (isConflict !== git.conflicts > 0) result.undecided += 1;
    else if (formatDiff3(regions, labels) === git.merged) result[isConflict ? "conflicting" : "clean"] += 1;
    else if (isConflict) result.shifted += 1;
    else result.contrary.push(three);
  }
  return result;
}

test("documents of distinct lines merge differently than in git", (t) => {
  // Every line is another one, so there is one best alignment, and every byte must agree, also of the conflicts.
  let count = 0;
  const distinct = fc.constantFrom("a", "b", "").map((line) => {
    count += 1;
    return `${line}${count}`;
  });
  const result = compare(t, fc.sample(threeSides(distinct, 14), { numRuns: 150, seed: 5 }));
  assert.deepEqual([result.shifted, result.undecided, result.contrary], [0, 0, []]);
  assert.ok(result.clean > 30 && result.conflicting > 30, JSON.stringify(result));
});

test("documents with many equal lines merge into another text than in git", (t) => {
  // Here a change can stand in several places, and git may choose another one: see the top of merge.ts. This may
  // move a conflict, rarely decide whether there is one, but never lead to another text without a conflict.
  const line = fc.constantFrom("a", "b", "c", "d", "e", "", "}");
  const result = compare(t, fc.sample(threeSides(line, 14), { numRuns: 200, seed: 6 }));
  assert.deepEqual(result.contrary, []);
  assert.ok(result.shifted + result.undecided <= 8, JSON.stringify(result));
  assert.ok(result.clean > 40 && result.conflicting > 40, JSON.stringify(result));
});

test("a side's lines are lost or doubled", () => {
  fc.assert(
    fc.property(threeSides(fc.constantFrom("a", "b", "c", ""), 20), ({ base, ours, theirs }) => {
      const regions = mergeLines(base, ours, theirs);
      for (const [side, lines] of Object.entries({ base, ours, theirs })) {
        const joined = regions.flatMap((region) => region[side as "base" | "ours" | "theirs"]);
        assert.deepEqual(joined, lines, side);
      }
      for (const region of regions) {
        const isSame = (one: "base" | "ours" | "theirs", other: "base" | "ours" | "theirs") =>
          JSON.stringify(region[one]) === JSON.stringify(region[other]);
        if (region.kind === "same") assert.ok(isSame("base", "ours") && isSame("base", "theirs"));
        if (region.kind === "ours") assert.ok(isSame("base", "theirs") && !isSame("base", "ours"));
        if (region.kind === "theirs") assert.ok(isSame("base", "ours") && !isSame("base", "theirs"));
        if (region.kind === "both") assert.ok(isSame("ours", "theirs") && !isSame("base", "ours"));
        if (region.kind === "conflict") assert.ok(!isSame("ours", "theirs"));
      }
    }),
    { numRuns: runs(1000) },
  );
});

function textOf(content: string): Text {
  return Text.of(content.split("\n"));
}

function merged(base: string, ours: string, theirs: string) {
  const { text, conflicts } = mergeTexts(textOf(base), textOf(ours), textOf(theirs));
  return { content: text.toString(), conflicts };
}

test("a side that changed nothing gets in the way of the other", () => {
  const content = fc.array(fc.constantFrom("a", "b", "", "c\r")).map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(content, content, (base, changed) => {
      assert.deepEqual(merged(base, changed, base), { content: changed, conflicts: [] });
      assert.deepEqual(merged(base, base, changed), { content: changed, conflicts: [] });
      assert.deepEqual(merged(base, changed, changed), { content: changed, conflicts: [] });
    }),
    { numRuns: runs(1000) },
  );
});

test("changes apart from each other are not both kept", () => {
  assert.deepEqual(merged("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\nd\n"), {
    content: "A\nb\nC\nd\n",
    conflicts: [],
  });
});

test("a conflict changes ours, or is reported at another line", () => {
  assert.deepEqual(merged("a\nb\nc\nd\n", "new\na\nb\nX\nd\n", "a\nb\nY\nYY\nd\n"), {
    content: "new\na\nb\nX\nd\n",
    conflicts: [{ line: 4, base: ["c"], ours: ["X"], theirs: ["Y", "YY"] }],
  });
});

test("both sides add to the end, and one addition is silently put before the other", () => {
  const { content, conflicts } = merged("a\n", "a\n\nb", "a\nc\n");
  assert.equal(content, "a\n\nb");
  assert.deepEqual(conflicts, [{ line: 2, base: [], ours: ["", "b"], theirs: ["c"] }]);
});

test("a newline at the end of the document is lost, or is a conflict without a difference", () => {
  assert.deepEqual(merged("a\nb\nc", "A\nb\nc", "a\nb\nc\n"), { content: "A\nb\nc\n", conflicts: [] });
  assert.deepEqual(merged("a\nb\n", "A\nb\n", "a\nb"), { content: "A\nb", conflicts: [] });
  assert.deepEqual(merged("a", "b\n", "b"), { content: "b\n", conflicts: [] });
  assert.deepEqual(merged("a\n", "b\n", "c"), {
    content: "b\n",
    conflicts: [{ line: 1, base: ["a"], ours: ["b"], theirs: ["c"] }],
  });
});

test("a long book is merged for seconds", () => {
  const base = Array.from({ length: 50_000 }, (_, index) => `line ${index}`);
  const ours = base.map((line, index) => (index % 100 === 0 ? `${line} ours` : line));
  const theirs = base.map((line, index) => (index % 100 === 50 ? `${line} theirs` : line));
  const started = performance.now();
  const result = mergeTexts(Text.of(base), Text.of(ours), Text.of(theirs));
  assert.ok(performance.now() - started < 3000, "a merge takes seconds");
  assert.deepEqual(result.conflicts, []);
  assert.equal(result.text.line(101).text, "line 100 ours");
  assert.equal(result.text.line(51).text, "line 50 theirs");
});
