import assert from "node:assert/strict";
import { readFileSync, unlinkSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { openCodeDesk } from "@stet/testkit/code-desk";
import { readAnchors } from "@stet/testkit/read-anchors";
import { must, personEdits } from "@stet/testkit/workspace";
import type { CodeSettings } from "../../code-settings.ts";
import { replaceEdit } from "./replace-edit.ts";

const source = `import { x } from "x";

export function one() {
  return x(1);
}

export function two() {
  return x(2);
}
`;

interface Edit {
  readonly old_text: string;
  readonly new_text: string;
  readonly all?: boolean;
}

async function openDesk(t: TestContext, text = source, settings: Partial<CodeSettings> = {}) {
  const desk = await openCodeDesk(t, [replaceEdit], {
    files: { "a.ts": text },
    settings: { editMode: "replace", ...settings },
  });
  readAnchors(desk, "a.ts");
  const edit = (...edits: Edit[]) => desk.call("edit", { path: "a.ts", edits });
  const disk = (name = "a.ts") => readFileSync(desk.place.path(name), "utf8");
  return { desk, edit, disk };
}

const from = (old_text: string, new_text: string, all?: boolean): Edit =>
  all === undefined ? { old_text, new_text } : { old_text, new_text, all };

test("several texts are replaced as one, each looked for in the file before the call", async (t) => {
  const { edit, disk } = await openDesk(t);
  const answer = await edit(from("x(1)", "x(2)"), from("two", "three"), from("  return x(2);\n", ""));
  assert.equal(answer.error, undefined, answer.text);
  assert.equal(
    disk(),
    source.replace("  return x(2);\n", "").replace("x(1)", "x(2)").replace("two", "three"),
  );
  assert.match(
    answer.text,
    /^a\.ts:\n 2\|\n 3\|export function one\(\) \{\n-4\| {2}return x\(1\);\n\+4\| {2}return x\(2\);/,
  );
});

test("a text at several places is refused with all of them, unless all are meant", async (t) => {
  const { edit, disk } = await openDesk(t);
  const answer = await edit(from("export function ", "function "));
  assert.equal(answer.error, "ambiguous_match");
  const { message, details } = JSON.parse(answer.text);
  assert.match(
    message,
    /^old_text is at 2 places of a\.ts\. Nothing was changed\.\n 1\|import .*\n 2\|\n\*3\|export function one\(\) \{\n 4\|/,
  );
  assert.deepEqual(details.lines, [3, 7]);
  assert.equal(disk(), source);
  assert.equal((await edit(from("export function ", "function ", true))).error, undefined);
  assert.equal(disk(), source.replaceAll("export function ", "function "));
});

test("the line behind a quote of whole lines is joined to what comes in their place", async (t) => {
  const { edit, disk } = await openDesk(t, "one\ntwo\nthree\n");
  const answer = await edit(from("one\n", "ONE"));
  assert.equal(answer.error, "invalid_arguments");
  assert.match(answer.text, /line 2 of a\.ts would go on in its last line/);
  assert.equal(disk(), "one\ntwo\nthree\n");
  assert.equal((await edit(from("one\ntwo", "one two"))).error, undefined, "who means it can say it");
  assert.equal(
    (await edit(from("three\n", "THREE"))).error,
    undefined,
    "nothing stands behind the last line",
  );
  assert.match(disk(), /^one two\nTHREE\n?$/);
});

test("places that overlap are two places", async (t) => {
  const { edit } = await openDesk(t, "aXaXa\n");
  assert.equal((await edit(from("aXa", "b"))).error, "ambiguous_match");
});

test("a text that is nowhere is refused with the nearest place and the first line that differs", async (t) => {
  const { edit, disk } = await openDesk(t);
  const answer = await edit(from("export function two() {\n  return x(3);\n}", "gone"));
  assert.equal(answer.error, "no_match");
  const { message, details } = JSON.parse(answer.text);
  assert.match(
    message,
    /The nearest place is lines 7-9\. .*\n 4\| {2}return x\(1\);\n 5\|\}\n 6\|\n\*7\|export function two\(\) \{\n 8\| {2}return x\(2\);\n 9\|\}/,
  );
  assert.match(
    message,
    /The first line that differs is line 8: it is " {2}return x\(2\);", and old_text has " {2}return x\(3\);"/,
  );
  assert.deepEqual([details.start_line, details.end_line, details.differs_at], [7, 9, 8]);
  const misspelled = await edit(from("export funktion one() {", "gone"));
  assert.match(JSON.parse(misspelled.text).message, /The nearest place is lines 3-3/);
  assert.match((await edit(from("zzzzqqqq", "gone"))).text, /nothing there is like it/);
  assert.equal(disk(), source);
});

test("abbreviated text is refused, both to find and to write", async (t) => {
  const { edit, disk } = await openDesk(t);
  const found = await edit(from("export function one() {\n  // ...\n}", "gone"));
  assert.equal(found.error, "no_match");
  assert.match(found.text, /old_text is abbreviated/);
  const written = await edit(
    from("export function one() {\n  return x(1);\n}", "export function uno() {\n  // ... rest unchanged\n}"),
  );
  assert.equal(written.error, "invalid_arguments");
  assert.match(written.text, /leaves lines out/);
  assert.equal(disk(), source);
});

test("an ellipsis that is in the file can be edited", async (t) => {
  const { edit, disk } = await openDesk(t, "def f():\n    ...\n# ... rest unchanged\n");
  assert.equal(
    (await edit(from("    ...\n# ... rest unchanged", "    pass\n# ... rest unchanged"))).error,
    undefined,
  );
  assert.equal(disk(), "def f():\n    pass\n# ... rest unchanged\n");
});

test("edits that overlap are refused; those side by side are not", async (t) => {
  const { edit, disk } = await openDesk(t, "one two three\n");
  const answer = await edit(from("one two", "1 2"), from("two three", "2 3"));
  assert.equal(answer.error, "invalid_arguments");
  assert.match(answer.text, /edits\[0\] and edits\[1\] overlap in line 1 of a\.ts/);
  assert.equal((await edit(from("one ", "1 "), from("two", "2"), from(" three", " 3"))).error, undefined);
  assert.equal(disk(), "1 2 3\n");
});

test("white space behind the quoted line stays there, and does not move on to the last new line", async (t) => {
  const cases: [name: string, file: string, old: string, fresh: string, after: string][] = [
    ["new lines below it", "a  \nb\n", "a", "a\nnew", "a  \nnew\nb\n"],
    ["new lines for it", "a  \nb\n", "a", "A\nnew", "A\nnew\nb\n"],
    ["a part of a line", "x = a  \nb\n", "a", "a +\n  c", "x = a +\n  c  \nb\n"],
    ["a line of white space behind the quote", "a\n  \nb\n", "a\n", "A\nnew\n", "A\nnew\n  \nb\n"],
  ];
  for (const [name, file, old, fresh, after] of cases) {
    const { edit, disk } = await openDesk(t, file);
    assert.equal((await edit(from(old, fresh))).error, undefined, name);
    assert.equal(disk(), after, name);
  }
});

test("white space at line ends, other indentation and typography do not keep a text from being found, and stay", async (t) => {
  const cases: [name: string, file: string, old: string, fresh: string, after: string][] = [
    ["trailing space in the file", "a  \nb\t\nc\n", "a\nb\nc", "a\nB\nc", "a  \nB\t\nc\n"],
    ["trailing space in the quote", "a\nb\nc\n", "a  \nb\nc", "a  \nB\nc", "a\nB\nc\n"],
    [
      "indented further",
      "  if (x) {\n    go();\n  }\n",
      "if (x) {\n  go();\n}",
      "if (x) {\n  stop();\n  now();\n}",
      "  if (x) {\n    stop();\n    now();\n  }\n",
    ],
    [
      "indented less",
      "if (x) {\n  go();\n}\n",
      "    if (x) {\n      go();\n    }\n",
      "    if (x) {\n      go();\n      more();\n    }\n",
      "if (x) {\n  go();\n  more();\n}\n",
    ],
    [
      "tabs",
      "\tif (x) {\n\t\tgo();\n\t}\n",
      "    if (x) {\n        go();\n    }",
      "    if (x) {\n        stop();\n            now();\n    }",
      "\tif (x) {\n\t\tstop();\n\t\t\tnow();\n\t}\n",
    ],
    [
      "quotes and dashes",
      "He said: “Yes – it’s fine,” and left.\n",
      '"Yes - it\'s fine," and left',
      '"Yes - it\'s good," and stayed',
      "He said: “Yes – it’s good,” and stayed.\n",
    ],
    [
      "decomposed letters",
      "Cafe\u0301 au lait, cafe\u0301 noir\n",
      "Café au lait",
      "Café au rhum",
      "Cafe\u0301 au rhum, cafe\u0301 noir\n",
    ],
    ["lines that stay", "  a – b\n  c\n", "a - b\nc", "a - b\nd", "  a – b\n  d\n"],
  ];
  for (const [name, file, old, fresh, after] of cases) {
    const { edit, disk } = await openDesk(t, file);
    const answer = await edit(from(old, fresh));
    assert.equal(answer.error, undefined, `${name}: ${answer.text}`);
    assert.equal(disk(), after, name);
    const strict = await openDesk(t, file, { fuzzyReplace: false });
    assert.equal((await strict.edit(from(old, fresh))).error, "no_match", name);
  }
});

test("a text that is only similar is never taken for the one that was quoted", async (t) => {
  for (const old of [
    "return x(11);",
    "Return x(1);",
    "return  x(1);",
    "  return x(1);\n\n}",
    "function one()  {\n return x(1);",
  ]) {
    const { edit, disk } = await openDesk(t);
    assert.equal((await edit(from(old, "gone"))).error, "no_match", old);
    assert.equal(disk(), source);
  }
  const { edit } = await openDesk(t, "if a:\n    b\n  c\n");
  assert.equal(
    (await edit(from("  if a:\n    b\n  c", "gone"))).error,
    "no_match",
    "indentation that is not shifted as a whole",
  );
});

test("line ends, byte order mark and the end of the file stay as they are", async (t) => {
  const cases: [name: string, before: string, old: string, fresh: string, after: string][] = [
    ["CRLF", "a\r\nb\r\nc\r\n", "a\nb\n", "a\nB\nnew\n", "a\r\nB\r\nnew\r\nc\r\n"],
    ["CRLF in the quote", "a\nb\nc\n", "a\r\nb", "a\r\nB", "a\nB\nc\n"],
    ["byte order mark", "\ufeffa\nb\n", "a\nb", "A\nb", "\ufeffA\nb\n"],
    ["mixed", "a\r\nb\nc\r\nd", "b\nc", "B\nnew\nc", "a\r\nB\nnew\nc\r\nd"],
    ["no last line end", "a\nb", "b", "b\nc", "a\nb\nc"],
    ["a last line end that comes", "a\nb", "b", "b\n", "a\nb\n"],
    ["a last line end that goes", "a\nb\n", "b\n", "b", "a\nb"],
    ["the last line goes", "a\nb\n", "b\n", "", "a\n"],
    ["all goes", "a\n", "a\n", "", ""],
    ["CR", "a\rb\rc\r", "b\nc", "B\nc", "a\rB\rc\r"],
  ];
  for (const [name, before, old, fresh, after] of cases) {
    const { edit, disk } = await openDesk(t, before);
    const answer = await edit(from(old, fresh));
    assert.equal(answer.error, undefined, `${name}: ${answer.text}`);
    assert.equal(disk(), after, name);
  }
});

test("what the person did elsewhere stays, and the text is found wherever it is now", async (t) => {
  const { desk, edit, disk } = await openDesk(t);
  const { document } = must(desk.context.files.open("a.ts"));
  personEdits(desk.workspace, document, { op: "insert", after: 0, content: "// mine\n" });
  assert.equal((await edit(from("x(2)", "x(3)"))).error, undefined);
  assert.equal(disk(), `// mine\n${source.replace("x(2)", "x(3)")}`);
});

test("a text that was at two places when it was shown, and is at one now, is not guessed at", async (t) => {
  const { desk, edit, disk } = await openDesk(t, "go();\na\ngo();\nb\n");
  const { document } = must(desk.context.files.open("a.ts"));
  personEdits(desk.workspace, document, { op: "delete", from: 1, to: 1 });
  const answer = await edit(from("go();", "stop();"));
  assert.equal(answer.error, "ambiguous_match");
  assert.match(answer.text, /was at 2 places of a\.ts when you saw it, and is only in line 2 now/);
  readAnchors(desk, "a.ts");
  assert.equal((await edit(from("go();", "stop();"))).error, undefined);
  assert.equal(disk(), "a\nstop();\nb\n");
});

test("text that the person changed is not overwritten", async (t) => {
  const { desk, edit } = await openDesk(t);
  const { document } = must(desk.context.files.open("a.ts"));
  personEdits(desk.workspace, document, { op: "replace", from: 4, to: 4, content: "  return x(17);" });
  assert.equal((await edit(from("return x(1);", "return 1;"))).error, "conflict");
});

test("an empty old_text makes a new file or fills an empty one, and nothing else", async (t) => {
  const { desk, edit, disk } = await openDesk(t);
  const refused = await edit(from("", "new"));
  assert.equal(refused.error, "content_required");
  const make = (path: string, text: string) => desk.call("edit", { path, edits: [from("", text)] });
  assert.match((await make("sub/b.ts", "b\n")).text, /Created sub\/b\.ts \(1 line\)/);
  assert.equal(disk("sub/b.ts"), "b\n");
  assert.equal((await desk.call("edit", { path: "c.ts", edits: [from("a", "b")] })).error, "file_not_found");
  unlinkSync(desk.place.path("a.ts"));
  assert.equal((await edit(from("x(1)", "x(2)"))).error, "file_not_found");
  assert.equal((await edit(from("", "again\n"))).error, undefined);
  assert.equal(disk(), "again\n");
  const empty = await openDesk(t, "");
  assert.equal((await empty.edit(from("", "x\n"))).error, undefined);
  assert.equal(empty.disk(), "x\n");
});

test("what leads nowhere or changes nothing is refused", async (t) => {
  const { desk, edit } = await openDesk(t);
  const same = await edit(from("x(1)", "x(1)"));
  assert.equal(same.error, "no_change");
  assert.match(same.text, /Edits to a\.ts resulted in no changes being made\./);
  assert.equal((await desk.call("edit", { path: "../x", edits: [from("a", "b")] })).error, "path_outside");
  assert.equal((await desk.call("edit", { path: "a.ts", edits: [] })).error, "invalid_arguments");
  assert.equal(
    (await desk.call("edit", { path: desk.place.path("a.ts"), edits: [from("x(1)", "1")] })).error,
    undefined,
  );
});

test("only lines that change are part of the change", async (t) => {
  const { desk, edit } = await openDesk(t);
  await edit(from(source, source.replace("x(1)", "x(3)").replace("x(2)", "x(4)")));
  const splices = must(desk.context.files.open("a.ts")).history.changes.at(-1)?.splices;
  assert.deepEqual(
    splices?.map(({ at, removed }) => [at, removed]),
    [
      [3, 1],
      [7, 1],
    ],
  );
});
