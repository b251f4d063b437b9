import assert from "node:assert/strict";
import { readFileSync, unlinkSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { openCodeFixture } from "@stet/testkit/code-fixture";
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

async function openFixture(t: TestContext, text = source, settings: Partial<CodeSettings> = {}) {
  const fixture = await openCodeFixture(t, [replaceEdit], {
    files: { "a.ts": text },
    settings: { editMode: "replace", ...settings },
  });
  readAnchors(fixture, "a.ts");
  const edit = (...edits: Edit[]) => fixture.call("edit", { path: "a.ts", edits });
  const disk = (name = "a.ts") => readFileSync(fixture.place.path(name), "utf8");
  return { fixture, edit, disk };
}

const from = (old_text: string, new_text: string, all?: boolean): Edit =>
  all === undefined ? { old_text, new_text } : { old_text, new_text, all };

test("several texts are replaced as one, each looked for in the file before the call", async (t) => {
  const { edit, disk } = await openFixture(t);
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
  const { edit, disk } = await openFixture(t);
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
  const { edit, disk } = await openFixture(t, "one\ntwo\nthree\n");
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

test("a text that is nowhere is refused with the nearest place and the first line that differs", async (t) => {
  const { edit, disk } = await openFixture(t);
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
  const { edit, disk } = await openFixture(t);
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

test("edits that overlap are refused; those side by side are not", async (t) => {
  const { edit, disk } = await openFixture(t, "one two three\n");
  const answer = await edit(from("one two", "1 2"), from("two three", "2 3"));
  assert.equal(answer.error, "invalid_arguments");
  assert.match(answer.text, /edits\[0\] and edits\[1\] overlap in line 1 of a\.ts/);
  assert.equal((await edit(from("one ", "1 "), from("two", "2"), from(" three", " 3"))).error, undefined);
  assert.equal(disk(), "1 2 3\n");
});

test("a text that was at two places when it was shown, and is at one now, is not guessed at", async (t) => {
  const { fixture, edit, disk } = await openFixture(t, "go();\na\ngo();\nb\n");
  const { document } = must(fixture.context.files.open("a.ts"));
  personEdits(fixture.workspace, document, { op: "delete", from: 1, to: 1 });
  const answer = await edit(from("go();", "stop();"));
  assert.equal(answer.error, "ambiguous_match");
  assert.match(answer.text, /was at 2 places of a\.ts when you saw it, and is only in line 2 now/);
  readAnchors(fixture, "a.ts");
  assert.equal((await edit(from("go();", "stop();"))).error, undefined);
  assert.equal(disk(), "a\nstop();\nb\n");
});

test("an empty old_text makes a new file or fills an empty one, and nothing else", async (t) => {
  const { fixture, edit, disk } = await openFixture(t);
  const refused = await edit(from("", "new"));
  assert.equal(refused.error, "content_required");
  const make = (path: string, text: string) => fixture.call("edit", { path, edits: [from("", text)] });
  assert.match((await make("sub/b.ts", "b\n")).text, /Created sub\/b\.ts \(1 line\)/);
  assert.equal(disk("sub/b.ts"), "b\n");
  assert.equal(
    (await fixture.call("edit", { path: "c.ts", edits: [from("a", "b")] })).error,
    "file_not_found",
  );
  unlinkSync(fixture.place.path("a.ts"));
  assert.equal((await edit(from("x(1)", "x(2)"))).error, "file_not_found");
  assert.equal((await edit(from("", "again\n"))).error, undefined);
  assert.equal(disk(), "again\n");
  const empty = await openFixture(t, "");
  assert.equal((await empty.edit(from("", "x\n"))).error, undefined);
  assert.equal(empty.disk(), "x\n");
});

test("what leads nowhere or changes nothing is refused", async (t) => {
  const { fixture, edit } = await openFixture(t);
  const same = await edit(from("x(1)", "x(1)"));
  assert.equal(same.error, "no_change");
  assert.match(same.text, /Edits to a\.ts resulted in no changes being made\./);
  assert.equal((await fixture.call("edit", { path: "../x", edits: [from("a", "b")] })).error, "path_outside");
  assert.equal((await fixture.call("edit", { path: "a.ts", edits: [] })).error, "invalid_arguments");
  assert.equal(
    (await fixture.call("edit", { path: fixture.place.path("a.ts"), edits: [from("x(1)", "1")] })).error,
    undefined,
  );
});
