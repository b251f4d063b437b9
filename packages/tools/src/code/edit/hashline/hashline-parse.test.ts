import assert from "node:assert/strict";
import { test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import { must, refused } from "@stet/testkit/workspace";
import { parseHashline } from "./hashline-parse.ts";

const opsOf = (input: string) =>
  must(parseHashline(input)).sections.map(({ path, ops }) => [
    path,
    ...ops.map((op) => [
      op.kind === "range"
        ? `${op.from.line}${op.from.letters}..${op.to.line}${op.to.letters}`
        : `${op.kind} ${typeof op.place === "string" ? op.place : op.place.line}`,
      ...op.payload,
    ]),
  ]);

const wrong: readonly [name: string, input: string, message: string, error?: string][] = [
  ["no header", "»4fb\nx", 'input must begin with "§PATH" on the first non-blank line; got: "»4fb".'],
  ["nothing at all", "\n\n", 'input must begin with "§PATH"'],
  ["an empty header", "§\n»4fb\nx", 'Input header "§" is empty; provide a file path.'],
  [
    "a number without letters",
    "§a\n»41\nx",
    'line 2: expected a full anchor such as "119sr"; got "41".',
    "invalid_anchor",
  ],
  ["letters without a number", "§a\n»4fb\nx\n»th\ny", "line 4: expected a full anchor", "invalid_anchor"],
  [
    "an anchor with its text",
    "§a\n»4fb|x\ny",
    'line 2: expected a full anchor such as "119sr"; got "4fb|x".',
    "invalid_anchor",
  ],
  [
    "no anchor",
    "§a\n»4fb\nx\n»\ny",
    'line 4: expected a full anchor such as "119sr"; got "".',
    "invalid_anchor",
  ],
  ["no range", "§a\n≔", "line 2: explicit ranges are required for replacement"],
  ["a range of the end", "§a\n≔EOF\nx", "line 2: explicit ranges are required for replacement"],
  ["half a range", "§a\n≔4fb..", 'line 2: range must include exactly two full anchors separated by "..".'],
  ["three anchors", "§a\n≔4fb..5dm..6qx", "line 2: range must include exactly two full anchors"],
  ["an ellipsis", "§a\n≔4fb...6qx", "line 2: range must include exactly two full anchors"],
  ["a range with a dash", "§a\n≔4fb-6qx", "line 2: expected a full anchor", "invalid_anchor"],
  [
    "a range with a number",
    "§a\n≔4fb..6",
    'line 2: expected a full anchor such as "119sr"; got "6".',
    "invalid_anchor",
  ],
  ["a range backwards", "§a\n≔6qx..4fb", "line 2: range 6qx..4fb ends before it starts."],
  [
    "two hashes for a line",
    "§a\n≔4fb..4qx",
    "line 2: range 4fb..4qx uses two different hashes for the same line.",
  ],
  [
    "nothing to insert",
    "§a\n»4fb\n§b.ts\n»5dm\nx",
    "line 2: » and « operations require at least one verbatim payload line.",
  ],
  ["nothing to insert at the end", "§a\n»4fb", "line 2: » and « operations require at least one"],
  ["text before any op", "§a\nconst x = 1;", "line 2: payload line has no preceding », «, or ≔ operation"],
  ["an unknown op", "§a\n+4fb\nx", "line 2: unrecognized op. Use «ANCHOR, »ANCHOR or ≔A..B"],
  ["a section without ops", "§a\n§b\n≔4fb", "line 1: no operation follows §a."],
  ["only a header", "§a", "line 1: no operation follows §a."],
  [
    "text behind the end",
    "*** Begin Patch\n§a\n≔4fb\n*** End Patch\n§b\n≔4fb",
    "line 5: there is text behind *** End Patch",
  ],
];

for (const [name, input, message, error = "invalid_patch"] of wrong) {
  test(`${name} is refused, with what is wrong and in which line`, () => {
    const fault = refused(parseHashline(input));
    assert.ok(fault.message.startsWith(message), fault.message);
    assert.equal(fault.error, error);
  });
}

test("sections, ops and their lines are read as they are written", () => {
  const input = "§a.ts\n\n»4fb\nx\n\n«BOF\ny\n»EOF\nz\n≔4fb..6qx\n≔9ab\n\n§b.ts\n≔1ab..2cd\n  new\n";
  assert.deepEqual(opsOf(input), [
    ["a.ts", ["after 4", "x", ""], ["before BOF", "y"], ["after EOF", "z"], ["4fb..6qx"], ["9ab..9ab", ""]],
    ["b.ts", ["1ab..2cd", "  new"]],
  ]);
});

test("an envelope, several § and line ends of Windows mean nothing", () => {
  const input = "*** Begin Patch\r\n§§§a.ts\r\n≔4fb\r\nx\r\n*** End Patch\r\n";
  assert.deepEqual(opsOf(input), [["a.ts", ["4fb..4fb", "x"]]]);
});

test("what stands before an abort is read, with a warning", () => {
  const parsed = must(parseHashline("§a.ts\n≔4fb\nx\n*** Abort\n§b.ts\n≔nonsense"));
  assert.deepEqual(
    parsed.sections.map(({ path }) => path),
    ["a.ts"],
  );
  assert.match(parsed.warnings.join(), /aborted in line 4/);
});

test("headers in brackets, as answers show them, are understood", () => {
  assert.deepEqual(opsOf("[a.ts#1A2B]\n≔4fb\nx\n[b.ts#3C4D]\n≔5dm\n[not#header]\ny"), [
    ["a.ts#1A2B", ["4fb..4fb", "x"]],
    ["b.ts#3C4D", ["5dm..5dm", "[not#header]", "y"]],
  ]);
});

test("lines of a book and of a statute that begin with », « and § are content", () => {
  const lines = [
    "»Guten Tag«, sagte er.",
    "»Ja«",
    "« Bonjour »",
    "§ 433 Vertragstypische Pflichten",
    "§5 Abs. 2",
    "§",
    "»1914« stand da.",
  ];
  assert.deepEqual(opsOf(`§buch.md\n»4fb\n${lines.join("\n")}`), [["buch.md", ["after 4", ...lines]]]);
});

test("a header behind content is a header, whatever follows it", () => {
  assert.deepEqual(opsOf("§a.ts\n»4fb\nx\n§src/b.ts\n≔4fb\n§Makefile\n≔4fb"), [
    ["a.ts", ["after 4", "x"]],
    ["src/b.ts", ["4fb..4fb"]],
    ["Makefile", ["4fb..4fb"]],
  ]);
  assert.ok(
    isFault(parseHashline("§a.ts\n»4fb\nx\n§src/b.ts\n41th\ny")),
    "its wrong op is not content of a.ts",
  );
});

test("of an input that is still being written, only what is whole counts", () => {
  const read = (input: string) => {
    const { sections } = must(parseHashline(input, true));
    return sections.map(({ path, ops }) => [path, ...ops.map(({ payload }) => payload)]);
  };
  assert.deepEqual(read("§a.t"), []);
  assert.deepEqual(read("§a.ts\n≔4f"), []);
  assert.deepEqual(read("§a.ts\n≔4fb\n"), []);
  assert.deepEqual(read("§a.ts\n≔4fb\nx\ny"), [["a.ts", ["x"]]]);
  assert.deepEqual(read("§a.ts\n≔4fb\n≔5dm\nx\n"), [["a.ts", [], ["x"]]]);
});
