import assert from "node:assert/strict";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { type Fault, isFault } from "@stet/protocol/fault";
import { runs } from "@stet/testkit/depth";
import fc from "fast-check";
import type { LineEdit } from "./edits.ts";
import { hashLines } from "./hash.ts";
import { type History, startHistory } from "./history.ts";
import { countLines, lineContent } from "./lines.ts";
import { type EditRequest, type Policy, type Revised, revise } from "./revise.ts";

function textOf(content: string): Text {
  return Text.of(content.split("\n"));
}

function contents(text: Text): string[] {
  return Array.from({ length: countLines(text) }, (_, index) => lineContent(text, index));
}

type Request = Omit<EditRequest, "revision" | "origin" | "policy" | "edits"> &
  Partial<Pick<EditRequest, "revision" | "origin" | "policy">>;

function attempt(history: History, edits: readonly LineEdit[], request: Request = {}): Revised | Fault {
  const before = history.text.toString();
  const changes = history.changes.length;
  const policy: Policy = { kind: "rebase" };
  const revised = revise(history, { revision: history.revision, origin: "agent", policy, ...request, edits });
  assert.equal(history.text.toString(), before, "a text that was shown changed");
  assert.equal(history.changes.length, changes);
  return revised;
}

function done(history: History, edits: readonly LineEdit[], request: Request = {}): Revised {
  const revised = attempt(history, edits, request);
  assert.ok(!isFault(revised), isFault(revised) ? `${JSON.stringify(edits)}: ${revised.message}` : "");
  return revised;
}

function refused(history: History, edits: readonly LineEdit[], request: Request = {}): Fault {
  const fault = attempt(history, edits, request);
  assert.ok(isFault(fault), `${JSON.stringify(edits)} is accepted`);
  assert.ok(fault.message.length > 0 && fault.suggestion.length > 0);
  return fault;
}

function edited(content: string, ...edits: LineEdit[]): string {
  return done(startHistory(textOf(content)), edits).history.text.toString();
}

test("an edit at the edge of a document goes wrong by a line or a line break", () => {
  const cases: [before: string, edit: LineEdit, after: string][] = [
    ["", { op: "append", content: "x" }, "x"],
    ["", { op: "append", content: "x\n" }, "x\n"],
    ["", { op: "append", content: "\n" }, "\n"],
    ["", { op: "insert", after: 0, content: "x\ny\n" }, "x\ny\n"],
    ["", { op: "set", content: "x\n" }, "x\n"],
    ["", { op: "extend", content: "\nx\n" }, "\nx\n"],
    ["a", { op: "extend", content: "x" }, "ax"],
    ["a", { op: "extend", content: "x\n" }, "ax\n"],
    ["a", { op: "extend", content: "\r\nx" }, "a\nx"],
    ["a\n", { op: "extend", content: "x" }, "a\nx"],
    ["a\n", { op: "extend", content: "\n" }, "a\n\n"],
    ["a", { op: "append", content: "x" }, "a\nx"],
    ["a", { op: "append", content: "x\n" }, "a\nx"],
    ["a", { op: "insert", after: 0, content: "x" }, "x\na"],
    ["a", { op: "insert", after: 1, content: "x\ny" }, "a\nx\ny"],
    ["a", { op: "replace", from: 1, to: 1, content: "x" }, "x"],
    ["a", { op: "replace", from: 1, to: 1, content: "" }, ""],
    ["a", { op: "delete", from: 1, to: 1 }, ""],
    ["a", { op: "set", content: "a\n" }, "a\n"],
    ["a", { op: "clear" }, ""],
    ["\n", { op: "append", content: "x" }, "\nx\n"],
    ["\n", { op: "insert", after: 0, content: "x" }, "x\n\n"],
    ["\n", { op: "replace", from: 1, to: 1, content: "x" }, "x\n"],
    ["\n", { op: "delete", from: 1, to: 1 }, ""],
    ["\n", { op: "set", content: "" }, ""],
    ["\n", { op: "clear" }, ""],
    ["a\n", { op: "append", content: "x" }, "a\nx\n"],
    ["a\n", { op: "append", content: "\n" }, "a\n\n"],
    ["a\n", { op: "insert", after: 1, content: "x" }, "a\nx\n"],
    ["a\n", { op: "replace", from: 1, to: 1, content: "x" }, "x\n"],
    ["a\n", { op: "replace", from: 1, to: 1, content: "\n" }, "\n"],
    ["a\n", { op: "delete", from: 1, to: 1 }, ""],
    ["a\n", { op: "set", content: "a" }, "a"],
    ["a\n", { op: "clear" }, ""],
    ["a\nb", { op: "delete", from: 2, to: 2 }, "a"],
    ["a\nb", { op: "delete", from: 1, to: 1 }, "b"],
    ["a\nb", { op: "delete", from: 1, to: 2 }, ""],
    ["a\nb", { op: "replace", from: 2, to: 2, content: "x\ny" }, "a\nx\ny"],
    ["a\nb\n", { op: "delete", from: 2, to: 2 }, "a\n"],
    ["a\nb\n", { op: "delete", from: 1, to: 2 }, ""],
    ["a\nb\n", { op: "insert", after: 2, content: "x" }, "a\nb\nx\n"],
    ["a\nb\n", { op: "set", content: "b\na\n" }, "b\na\n"],
    ["a\n\n", { op: "append", content: "x" }, "a\n\nx\n"],
    ["\r", { op: "replace", from: 1, to: 1, content: "x" }, "x\r"],
    ["\r\n\r", { op: "append", content: "x" }, "\r\n\r\nx"],
    ["a\r\nb\n", { op: "append", content: "x" }, "a\r\nb\nx\n"],
    ["a\nb\r\n", { op: "append", content: "x\ny" }, "a\nb\r\nx\r\ny\r\n"],
    ["a\nb\r\n", { op: "replace", from: 2, to: 2, content: "x" }, "a\nx\r\n"],
    ["a\nb\r\n", { op: "delete", from: 2, to: 2 }, "a\n"],
    ["a\r\nb\nc", { op: "replace", from: 3, to: 3, content: "x" }, "a\r\nb\nx"],
    ["\r\na", { op: "set", content: "x\n" }, "x\r\n"],
    ["a\nb\r\nc", { op: "set", content: "a\nb" }, "a\nb"],
    ["a\nb\r\n", { op: "set", content: "a\nb" }, "a\nb"],
    ["a\nb\r\n", { op: "set", content: "a\nb\nc\n" }, "a\nb\r\nc\r\n"],
    ["x😀", { op: "replace", from: 1, to: 1, content: "x😁" }, "x😁"],
  ];
  for (const [before, edit, after] of cases) {
    const history = startHistory(textOf(before));
    const { change, inverse, history: next, report } = done(history, [edit]);
    const name = `${JSON.stringify(before)} ${JSON.stringify(edit)}`;
    assert.equal(next.text.toString(), after, name);
    assert.equal(change.apply(history.text).toString(), after, name);
    assert.equal(inverse.apply(next.text).toString(), before, name);
    const grown = report.affected.reduce((sum, lines) => sum + lines.added - lines.removed, 0);
    assert.equal(
      grown,
      countLines(next.text) - countLines(history.text),
      `${name}: reports ${JSON.stringify(report)}`,
    );
  }
});

test("several edits of one group shift each other", () => {
  const before = "one\ntwo\nthree\nfour\nfive\n";
  const group: LineEdit[] = [
    { op: "insert", after: 0, content: "zero" },
    { op: "replace", from: 1, to: 2, content: "ONE" },
    { op: "insert", after: 2, content: "two and a half" },
    { op: "delete", from: 3, to: 3 },
    { op: "replace", from: 4, to: 4, content: "IV\nand more" },
    { op: "append", content: "six" },
  ];
  const after = "zero\nONE\ntwo and a half\nIV\nand more\nfive\nsix\n";
  assert.equal(edited(before, ...group), after);
  assert.equal(edited(before, ...group.toReversed()), after);
  assert.equal(edited("a\nb\n", { op: "delete", from: 1, to: 1 }, { op: "delete", from: 2, to: 2 }), "");
  assert.equal(edited("a\nb", { op: "delete", from: 2, to: 2 }, { op: "delete", from: 1, to: 1 }), "");
  assert.equal(edited("a\nb", { op: "delete", from: 2, to: 2 }, { op: "append", content: "c" }), "a\nc");
  assert.equal(edited("a\nb", { op: "append", content: "c" }, { op: "append", content: "d" }), "a\nb\nc\nd");
  assert.equal(
    edited("a", { op: "insert", after: 1, content: "c" }, { op: "insert", after: 0, content: "b" }),
    "b\na\nc",
  );
});

test("edits of one group that meet are both made", () => {
  const history = startHistory(textOf("1\n2\n3\n4\n"));
  const groups: [LineEdit, LineEdit, at: number][] = [
    [{ op: "replace", from: 1, to: 2, content: "x" }, { op: "delete", from: 2, to: 3 }, 2],
    [{ op: "delete", from: 2, to: 3 }, { op: "delete", from: 2, to: 3 }, 2],
    [{ op: "delete", from: 1, to: 4 }, { op: "insert", after: 2, content: "x" }, 3],
    [{ op: "clear" }, { op: "replace", from: 4, to: 4, content: "x" }, 4],
  ];
  for (const [one, other, at] of groups) {
    for (const edits of [
      [one, other],
      [other, one],
    ]) {
      const fault = refused(history, edits);
      assert.equal(fault.error, "invalid_line_range");
      assert.equal(fault.message, `Two edits of one group meet at line ${at}.`);
      assert.equal(fault.details.requested_start, at);
      assert.ok(Number(fault.details.requested_end) >= at);
      assert.equal(fault.details.document_lines, 4);
      assert.match(fault.suggestion, /Join them into one edit/);
    }
  }
});

test("lines that do not exist are edited, or refused without saying which exist", () => {
  const ranges: [from: number, to: number, message: string][] = [
    [500, 600, "Line range 500-600 exceeds document length of 3 lines."],
    [3, 4, "Line range 3-4 exceeds document length of 3 lines."],
    [4, 4, "Line 4 exceeds document length of 3 lines."],
    [3, 2, "Line range 3-2 ends before it starts."],
  ];
  for (const [from, to, message] of ranges) {
    for (const edit of [
      { op: "delete", from, to },
      { op: "replace", from, to, content: "x" },
    ] as const) {
      const fault = refused(startHistory(textOf("a\nb\nc\n")), [edit]);
      assert.equal(fault.error, "invalid_line_range");
      assert.equal(fault.message, message);
      assert.deepEqual(fault.details, { requested_start: from, requested_end: to, document_lines: 3 });
    }
  }
  const after = refused(startHistory(textOf("a\nb\nc")), [{ op: "insert", after: 4, content: "x" }]);
  assert.deepEqual(after.details, { requested_start: 4, requested_end: 4, document_lines: 3 });
  const empty = refused(startHistory(Text.empty), [{ op: "delete", from: 1, to: 1 }]);
  assert.equal(empty.message, "Line 1 does not exist: the document is empty.");
  assert.deepEqual(empty.details, { requested_start: 1, requested_end: 1, document_lines: 0 });
  for (const odd of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    for (const text of [textOf("a\nb\nc\n"), Text.empty]) {
      const history = startHistory(text);
      assert.equal(refused(history, [{ op: "delete", from: odd, to: 3 }]).error, "invalid_line_range");
      assert.equal(
        refused(history, [{ op: "replace", from: 1, to: odd, content: "x" }]).error,
        "invalid_line_range",
      );
      if (odd !== 0)
        assert.equal(
          refused(history, [{ op: "insert", after: odd, content: "x" }]).error,
          "invalid_line_range",
        );
    }
  }
});

test("a wrong edit in a group lets the others through, or content that cannot be saved gets in", () => {
  const history = startHistory(textOf("a\nb\n"));
  const good: LineEdit = { op: "append", content: "fine" };
  const bad: [edit: LineEdit, code: Fault["error"]][] = [
    [{ op: "delete", from: 3, to: 3 }, "invalid_line_range"],
    [{ op: "insert", after: 1, content: "" }, "content_required"],
    [{ op: "append", content: "" }, "content_required"],
    [{ op: "append", content: "a\0b" }, "invalid_arguments"],
    [{ op: "replace", from: 1, to: 1, content: "\ud83d" }, "invalid_arguments"],
    [{ op: "set", content: "\0" }, "invalid_arguments"],
  ];
  for (const [edit, code] of bad) {
    assert.equal(refused(history, [edit]).error, code);
    assert.equal(refused(history, [good, edit]).error, code);
    assert.equal(refused(history, [edit, good]).error, code);
  }
  assert.match(refused(history, [{ op: "append", content: "" }]).suggestion, /for one empty line give "\\n"/);
});

test("an edit that changes nothing is reported as done", () => {
  const history = startHistory(textOf("a\nb\r\nc"));
  const nothing: LineEdit[][] = [
    [],
    [{ op: "replace", from: 1, to: 3, content: "a\nb\nc" }],
    [{ op: "replace", from: 2, to: 2, content: "b\r\n" }],
    [{ op: "set", content: "a\nb\nc" }],
    [{ op: "set", content: "a\nb\r\nc" }],
    [
      { op: "insert", after: 0, content: "a" },
      { op: "delete", from: 1, to: 1 },
    ],
  ];
  for (const edits of nothing) {
    const fault = refused(history, edits);
    assert.equal(fault.error, "no_change", JSON.stringify(edits));
    assert.match(fault.message, /leave the document exactly as it is/);
  }
  assert.equal(refused(startHistory(Text.empty), [{ op: "clear" }]).error, "no_change");
  assert.equal(refused(startHistory(Text.empty), [{ op: "set", content: "" }]).error, "no_change");
});

test("writing back what was read changes lines that hold a lone CR", () => {
  const log = "start\n10%\r50%\r100%\ndone\r\nend\n";
  const history = startHistory(textOf(log));
  const seenText = contents(history.text).join("\n");
  assert.equal(refused(history, [{ op: "set", content: `${seenText}\n` }]).error, "no_change");
  assert.equal(refused(history, [{ op: "set", content: log }]).error, "no_change");
  assert.equal(
    refused(history, [{ op: "replace", from: 2, to: 2, content: "10%\r50%\r100%" }]).error,
    "no_change",
  );
  assert.equal(edited(log, { op: "set", content: log.replace("start", "go") }), log.replace("start", "go"));
  assert.equal(
    edited(log, { op: "replace", from: 2, to: 2, content: "10%\r99%\n" }),
    log.replace("50%\r100%", "99%"),
  );
  // Where no line has one, it is a line end like the others.
  assert.equal(edited("a\nb\n", { op: "replace", from: 1, to: 1, content: "x\ry" }), "x\ny\nb\n");
  assert.equal(edited("a\nb\n", { op: "set", content: "a\rx\rb\r" }), "a\nx\nb\n");
});

const word = fc.constantFrom("", "a", "b", "}", "😀", "longer");
const ending = fc.constantFrom("\n", "\n", "\r\n");
const document = fc
  .tuple(fc.array(fc.tuple(word, ending), { maxLength: 8 }), fc.constantFrom("", "", "last"))
  .map(([lines, last]) => textOf(lines.map(([content, end]) => content + end).join("") + last));
const newLines = fc.array(fc.constantFrom("x", "y", "", "😁"), { minLength: 1, maxLength: 3 });

interface Spec {
  readonly op: LineEdit["op"];
  readonly at: number;
  readonly length: number;
  readonly lines: readonly string[];
}

const spec = fc.record({
  op: fc.constantFrom<LineEdit["op"]>("insert", "replace", "delete", "append", "set", "set_raw", "clear"),
  at: fc.nat(20),
  length: fc.nat(3),
  lines: newLines,
});

/** An edit that fits the text. */
function editFrom({ op, at, length, lines }: Spec, total: number): LineEdit {
  const content = `${lines.join("\n")}\n`;
  const from = (at % Math.max(1, total)) + 1;
  const to = Math.min(from + length, total);
  if (op === "insert") return { op, after: at % (total + 1), content };
  if (op === "append" || op === "set") return { op, content };
  if (op === "clear") return { op };
  if (op === "set_raw") return { op, lines: [...lines, ""] };
  if (total === 0) return { op: "append", content };
  return op === "delete" ? { op, from, to } : { op, from, to, content };
}

test("undoing an edit does not bring the bytes back", () => {
  fc.assert(
    fc.property(document, fc.array(spec, { maxLength: 4 }), (text, specs) => {
      let history = startHistory(text);
      const undo: { inverse: Revised["inverse"]; text: string }[] = [];
      for (const each of specs) {
        const revised = attempt(history, [editFrom(each, countLines(history.text))]);
        if (isFault(revised)) {
          assert.equal(revised.error, "no_change");
          continue;
        }
        undo.push({ inverse: revised.inverse, text: history.text.toString() });
        assert.equal(revised.change.apply(history.text).toString(), revised.history.text.toString());
        assert.equal(revised.history.revision, history.revision + 1);
        history = revised.history;
      }
      let current = history.text;
      for (const { inverse, text: content } of undo.reverse()) {
        current = inverse.apply(current);
        assert.equal(current.toString(), content);
      }
    }),
    { numRuns: runs(2000) },
  );
});

test("an edit gives other lines than a plain list of lines would", () => {
  fc.assert(
    fc.property(document, spec, (text, each) => {
      const before = contents(text);
      const edit = editFrom(each, before.length);
      const revised = attempt(startHistory(text), [edit]);
      const expected = [...before];
      if (edit.op === "insert") expected.splice(edit.after, 0, ...each.lines);
      if (edit.op === "append") expected.push(...each.lines);
      if (edit.op === "delete") expected.splice(edit.from - 1, edit.to - edit.from + 1);
      if (edit.op === "replace") expected.splice(edit.from - 1, edit.to - edit.from + 1, ...each.lines);
      const isWhole = edit.op === "set" || edit.op === "set_raw";
      if (isWhole) expected.splice(0, before.length, ...each.lines);
      if (edit.op === "clear") expected.splice(0);
      const after = isFault(revised) ? text : revised.history.text;
      // Without a final line break, a blank last line is one: "a" and "" are "a\n", which has one line.
      const isOpen = text.length > 0 && !text.toString().endsWith("\n");
      const endsInReturn = after.toString().endsWith("\r");
      if (isOpen && !isWhole && expected.at(-1) === "" && !endsInReturn) expected.pop();
      assert.deepEqual(contents(after), expected);
      if (isFault(revised)) assert.equal(revised.error, "no_change");
      else if (!isOpen) assertReport(text, revised);
    }),
    { numRuns: runs(3000) },
  );
});

/** The report, computed again from the two texts. */
function assertReport(before: Text, { report, history }: Revised): void {
  const old = contents(before);
  const now = contents(history.text);
  let at = 0;
  let oldLength = 0;
  let newLength = 0;
  let shift = 0;
  for (const { line, removed, added } of report.affected) {
    assert.deepEqual(
      now.slice(at, line - 1),
      old.slice(at - shift, line - 1 - shift),
      "a line that is not reported changed",
    );
    for (const each of old.slice(line - 1 - shift, line - 1 - shift + removed)) oldLength += each.length;
    for (const each of now.slice(line - 1, line - 1 + added)) newLength += each.length;
    at = line - 1 + added;
    shift += added - removed;
  }
  assert.deepEqual(now.slice(at), old.slice(at - shift), "a line that is not reported changed");
  assert.equal(shift, now.length - old.length);
  assert.deepEqual([report.oldLength, report.newLength], [oldLength, newLength]);
  assert.equal(report.revision, history.revision);
}

test("the report of an edit names other lines, lengths or revisions than it changed", () => {
  const history = startHistory(textOf("one\r\ntwo\nthree\r\nfour\n"), 40);
  const { report } = done(history, [
    { op: "replace", from: 1, to: 1, content: "ONE\nand" },
    { op: "delete", from: 3, to: 3 },
    { op: "append", content: "five" },
  ]);
  assert.deepEqual(report, {
    revision: 41,
    oldLength: "one".length + "three".length,
    newLength: "ONEandfive".length,
    affected: [
      { line: 1, removed: 1, added: 2 },
      { line: 4, removed: 1, added: 0 },
      { line: 5, removed: 0, added: 1 },
    ],
  });
  const fresh = done(startHistory(Text.empty), [{ op: "append", content: "first\n" }]).report;
  assert.deepEqual(fresh, {
    revision: 2,
    oldLength: 0,
    newLength: 5,
    affected: [{ line: 1, removed: 0, added: 1 }],
  });
  const emptied = done(startHistory(textOf("a\nb")), [{ op: "clear" }]).report;
  assert.deepEqual(emptied, {
    revision: 2,
    oldLength: 2,
    newLength: 0,
    affected: [{ line: 1, removed: 2, added: 0 }],
  });
});

test("setting a whole text touches lines that stay the same", () => {
  const before = Array.from({ length: 40 }, (_, index) => `line ${index}`);
  const after = before.with(20, "changed").toSpliced(5, 1).toSpliced(30, 0, "new");
  const { report, history } = done(startHistory(textOf(`${before.join("\n")}\n`)), [
    { op: "set", content: `${after.join("\n")}\n` },
  ]);
  assert.deepEqual(contents(history.text), after);
  assert.deepEqual(report.affected, [
    { line: 6, removed: 1, added: 0 },
    { line: 20, removed: 1, added: 1 },
    { line: 31, removed: 0, added: 1 },
  ]);
});

// ---- edits made on an older revision

/** A document whose lines are all different, so that each can be found again by its content. */
const unique = fc
  .tuple(fc.integer({ min: 1, max: 8 }), fc.infiniteStream(ending), fc.boolean())
  .map(([count, ends, isEnded]) => {
    const lines = Array.from({ length: count }, (_, index) => `L${index + 1}${ends.next().value}`).join("");
    return textOf(isEnded ? lines : lines.replace(/\r?\n$/, ""));
  });
const singleEdit = fc.record({
  op: fc.constantFrom<LineEdit["op"]>("insert", "replace", "delete", "append"),
  at: fc.nat(20),
  length: fc.nat(3),
  lines: fc.constant(["N1", "N2"]),
});

test("an edit made on an older revision lands in another place, or on lines that changed since", () => {
  const others = fc.array(
    fc.record({
      op: fc.constantFrom<LineEdit["op"]>("insert", "replace", "delete", "append", "clear"),
      at: fc.nat(20),
      length: fc.nat(2),
    }),
    { maxLength: 5 },
  );
  fc.assert(
    fc.property(unique, others, singleEdit, (text, since, wanted) => {
      let history = startHistory(text);
      const seen = contents(text);
      const edit = editFrom(wanted, seen.length);
      let isTouched = false;
      for (const [index, each] of since.entries()) {
        const lines = [`O${index}.1`, `O${index}.2`].slice(each.length % 2);
        const revised = attempt(history, [editFrom({ ...each, lines }, countLines(history.text))], {
          origin: "user",
        });
        if (!isFault(revised)) history = revised.history;
        isTouched ||= expectedAfter(seen, contents(history.text), edit, wanted.lines) === undefined;
      }
      const expected = isTouched
        ? undefined
        : expectedAfter(seen, contents(history.text), edit, wanted.lines);
      const revised = attempt(history, [edit], { revision: 1, policy: { kind: "rebase" } });
      if (expected === undefined) {
        assert.ok(isFault(revised), "an edit of touched lines is made");
        assert.equal(revised.error, "conflict");
      } else {
        assert.ok(!isFault(revised), isFault(revised) ? revised.message : "");
        assert.deepEqual(contents(revised.history.text), expected);
        assert.equal(revised.report.rebasedFrom, history.revision === 1 ? undefined : 1);
        assert.equal(revised.inverse.apply(revised.history.text).toString(), history.text.toString());
      }
    }),
    { numRuns: runs(3000) },
  );
});

/** Where the lines are now tells what has to happen; undefined where they are no longer all there, side by side. */
function expectedAfter(
  seen: string[],
  now: string[],
  edit: LineEdit,
  lines: readonly string[],
): string[] | undefined {
  if (edit.op === "append") return [...now, ...lines];
  if (edit.op === "insert" && edit.after === 0) return [...lines, ...now];
  if (edit.op === "insert") {
    const at = now.indexOf(seen[edit.after - 1] ?? "");
    return at < 0 ? undefined : now.toSpliced(at + 1, 0, ...lines);
  }
  if (edit.op !== "replace" && edit.op !== "delete") return undefined;
  const target = seen.slice(edit.from - 1, edit.to);
  const at = now.indexOf(target[0] ?? "");
  if (at < 0 || target.some((line, index) => now[at + index] !== line)) return undefined;
  return now.toSpliced(at, target.length, ...(edit.op === "delete" ? [] : lines));
}

test("two independent edits give another text when the other one comes first", () => {
  let compared = 0;
  fc.assert(
    fc.property(
      unique,
      singleEdit,
      fc.array(singleEdit, { minLength: 1, maxLength: 3 }),
      (text, wanted, specs) => {
        const total = countLines(text);
        const edit = editFrom(wanted, total);
        const others = specs.map((each) => editFrom({ ...each, lines: ["O1", "O2"] }, total));
        if (
          others.some(
            (other) => gapOf(other, total) !== undefined && gapOf(other, total) === gapOf(edit, total),
          )
        )
          return;
        const history = startHistory(text);
        const oneFirst = attempt(history, [edit]);
        const otherFirst = attempt(history, others, { origin: "user" });
        if (isFault(oneFirst) || isFault(otherFirst) || isEmptied(oneFirst) || isEmptied(otherFirst)) return;
        const one = attempt(oneFirst.history, others, { revision: 1 });
        const other = attempt(otherFirst.history, [edit], { revision: 1 });
        if (isFault(one) || isFault(other)) return;
        compared += 1;
        assert.equal(one.history.text.toString(), other.history.text.toString());
      },
    ),
    { numRuns: runs(3000) },
  );
  assert.ok(compared > runs(3000) / 6, `only ${compared} pairs were compared`);
});

/** A text without lines has forgotten whether its last line had a line break. */
function isEmptied({ history }: Revised): boolean {
  return history.text.length === 0;
}

/** Where an insertion goes; of two at the same place, the order cannot be the same both ways. */
function gapOf(edit: LineEdit, total: number): number | undefined {
  if (edit.op === "insert") return edit.after;
  return edit.op === "append" ? total + 0.5 : undefined;
}

test("a whole text set on an older revision lands in another place", () => {
  const start = startHistory(textOf("a\n"));
  const moved = done(start, [{ op: "insert", after: 0, content: "z" }], { origin: "user" }).history;
  assert.equal(
    done(moved, [{ op: "set", content: "a\n\nb" }], { revision: 1 }).history.text.toString(),
    "z\na\n\nb",
  );
  assert.equal(done(moved, [{ op: "set", content: "a" }], { revision: 1 }).history.text.toString(), "z\na");
  const appended = done(start, [{ op: "append", content: "z" }], { origin: "user" }).history;
  assert.equal(
    done(appended, [{ op: "set", content: "b\na\n" }], { revision: 1 }).history.text.toString(),
    "b\na\nz\n",
  );
  const touched = done(start, [{ op: "replace", from: 1, to: 1, content: "mine" }], {
    origin: "user",
  }).history;
  assert.equal(refused(touched, [{ op: "set", content: "theirs\n" }], { revision: 1 }).error, "conflict");
});

test("a clear of a document that the person wrote in meanwhile takes their lines away", () => {
  const start = startHistory(textOf("a\nb\n"));
  const grown = done(start, [{ op: "insert", after: 1, content: "mine" }], { origin: "user" }).history;
  assert.equal(refused(grown, [{ op: "clear" }], { revision: 1 }).error, "conflict");
});

test("one conflicting edit of a group lets the others through", () => {
  const start = startHistory(textOf("a\nb\nc\n"));
  const touched = done(start, [{ op: "replace", from: 3, to: 3, content: "mine" }], {
    origin: "user",
  }).history;
  const group: LineEdit[] = [
    { op: "replace", from: 1, to: 1, content: "A" },
    { op: "delete", from: 3, to: 3 },
  ];
  const fault = refused(touched, group, { revision: 1 });
  assert.equal(fault.error, "conflict");
  assert.deepEqual(fault.details.lines, { start: 3, end: 3 });
});

// ---- policies

const song = startHistory(textOf("one\ntwo\nthree\nfour\nthree and a half\nfive\n"), 5);
/** Two lines above, and one of the lines changed. */
const later = done(
  done(song, [{ op: "insert", after: 0, content: "title\n\n" }], { origin: "user" }).history,
  [{ op: "replace", from: 8, to: 8, content: "FIVE" }],
  { origin: "user" },
).history;

const strict = (): Policy => ({ kind: "strict" });

test("a strict edit of an older revision is made, or refused without the newest revision", () => {
  const edit: LineEdit = { op: "replace", from: 2, to: 2, content: "TWO" };
  assert.equal(done(song, [edit], { policy: strict() }).report.rebasedFrom, undefined);
  for (const revision of [5, 6, 8, 1]) {
    const fault = refused(later, [edit], { policy: strict(), revision });
    assert.equal(fault.error, "version_mismatch");
    assert.equal(
      fault.message,
      `The document changed since it was read: it is at revision 7, the edit was made on ${revision}.`,
    );
    assert.deepEqual(fault.details, { your_version: String(revision), current_version: "7" });
    assert.match(fault.suggestion, /Read the document again/);
  }
  assert.equal(refused(later, [edit], { revision: 8 }).error, "unknown_revision");
});

test("the same lines have another hash in a file with other line ends", () => {
  const expected = hashLines(textOf("a\nb\nc\n"), 1, 3);
  assert.equal(hashLines(textOf("a\r\nb\nc\r"), 1, 3), expected);
  assert.equal(expected, "sha256:ea7fb08b7a2dc4619ffb7c7bb38d95a2047935fa165d71b12efd3852a2e6d0cc");
  assert.notEqual(hashLines(textOf("a\nb"), 1, 2), hashLines(textOf("ab"), 1, 1));
});

test("most of a long document is taken away without a question", () => {
  const long = (count: number) =>
    startHistory(textOf(Array.from({ length: count }, (_, index) => `${index}\n`).join("")));
  const fault = refused(long(50), [{ op: "delete", from: 1, to: 26 }]);
  assert.equal(fault.error, "large_deletion");
  assert.equal(fault.message, "This edit would remove 26 of 50 lines, more than half of the document.");
  assert.match(fault.suggestion, /rewrite: true/);
  assert.deepEqual(fault.details, { removed: 26, document_lines: 50 });
  done(long(50), [{ op: "delete", from: 1, to: 26 }], { rewrite: true });
  done(long(50), [{ op: "delete", from: 1, to: 25 }]);
  done(long(49), [{ op: "clear" }]);
  for (const edit of [
    { op: "clear" },
    { op: "set", content: "short\n" },
    { op: "set", content: "" },
  ] as const) {
    assert.equal(refused(long(60), [edit]).error, "large_deletion", edit.op);
    done(long(60), [edit], { rewrite: true });
  }
  const rewritten = Array.from({ length: 60 }, (_, index) => `new ${index}\n`).join("");
  done(long(60), [{ op: "set", content: rewritten }]);
});
