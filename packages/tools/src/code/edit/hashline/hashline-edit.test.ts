import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { Fault } from "@stet/protocol/fault";
import { type CodeFixture, openCodeFixture } from "@stet/testkit/code-fixture";
import { readAnchors, readLines, unknownLines } from "@stet/testkit/read-anchors";
import { must, personEdits } from "@stet/testkit/workspace";
import { read } from "../../read/read.ts";
import { hashlineEdit } from "./hashline-edit.ts";

const source = `import { x } from "x";

export function one() {
  return x(1);
}

export function two() {
  return x(2);
}
`;

async function openFixture(t: TestContext, files: Record<string, string | Uint8Array> = { "a.ts": source }) {
  const fixture = await openCodeFixture(t, [hashlineEdit], { files });
  const edit = (...lines: string[]) => fixture.call("edit", { input: lines.join("\n") });
  const disk = (name = "a.ts") => readFileSync(fixture.place.path(name), "utf8");
  return { fixture, edit, disk, at: readAnchors(fixture, Object.keys(files)[0] ?? "a.ts") };
}

const person = (fixture: CodeFixture, ...edits: Parameters<typeof personEdits>[2][]) =>
  personEdits(fixture.workspace, must(fixture.context.files.open("a.ts")).document, ...edits);

const withLine = (text: string, line: number, ...lines: string[]) =>
  text
    .split("\n")
    .toSpliced(line - 1, 1, ...lines)
    .join("\n");

test("lines are inserted, replaced and deleted in one call, and the answer has fresh anchors", async (t) => {
  const { fixture, edit, disk, at } = await openFixture(t);
  const answer = await edit(
    "§a.ts",
    `»${at(1)}`,
    'import { y } from "y";',
    `≔${at(4)}`,
    "  return y(1);",
    `≔${at(7)}..${at(9)}`,
    "«BOF",
    "// top",
    "»EOF",
    "// end",
  );
  assert.equal(answer.error, undefined, answer.text);
  const expected = `// top\nimport { x } from "x";\nimport { y } from "y";\n\nexport function one() {\n  return y(1);\n}\n\n// end\n`;
  assert.equal(disk(), expected);
  assert.match(answer.text, /^a\.ts:\n\+1[a-z]{2}\|\/\/ top\n 2[a-z]{2}\|import/);
  assert.match(JSON.stringify(answer.details), /"op":"update","diff":"--- a\/a.ts.*"firstChangedLine":1/);
  const fresh = /\+6([a-z]{2})\| {2}return y/.exec(answer.text)?.[1];
  const again = await edit("§a.ts", `≔6${fresh}`, "  return 0;");
  assert.equal(again.error, undefined, again.text);
  assert.equal(disk(), withLine(expected, 6, "  return 0;"));
  assert.equal(must(fixture.context.files.open("a.ts")).history.text.toString(), disk());
});

for (const [name, op] of Object.entries({
  line: (at: (line: number) => string) => `≔${at(4)}`,
  "range around it": (at: (line: number) => string) => `≔${at(3)}..${at(5)}`,
  "excerpt after it": (at: (line: number) => string) => `»${at(4)}`,
  "excerpt before it": (at: (line: number) => string) => `«${at(4)}`,
})) {
  test(`a line that the person changed is not overwritten, and is shown: ${name}`, async (t) => {
    const { fixture, edit, disk, at } = await openFixture(t);
    person(fixture, { op: "replace", from: 4, to: 4, content: "  return x(17);\n" });
    const answer = await edit("§a.ts", op(at), "  return 4;");
    assert.equal(answer.error, "conflict");
    assert.match(answer.text, /a\.ts: Lines? [\s\S]*x\(17\)/);
    const now = must(fixture.context.files.open("a.ts")).history.text.toString();
    assert.equal(now, source.replace("x(1)", "x(17)"));
    assert.equal(disk(), source);
    const fresh = /(4[a-z]{2})\| {2}return x\(17\)/.exec(answer.text)?.[1];
    assert.equal((await edit("§a.ts", `≔${fresh}`, "  return 4;")).error, undefined);
  });
}

test("a line that fits nowhere is refused with all that is needed to repeat the edit", async (t) => {
  const { edit, disk, at } = await openFixture(t);
  const answer = await edit("§a.ts", `≔2${at(8).slice(1)}`, "  return 8;");
  assert.equal(answer.error, "stale_anchor");
  const { message } = JSON.parse(answer.text);
  assert.match(message, /^a\.ts: 2[a-z]{2} does not fit the file as it is now\./);
  assert.match(message, /\n\*2[a-z]{2}\|\n/, "the line that does not fit is marked");
  const fresh = /\n\*(8[a-z]{2})\| {2}return x\(2\)/.exec(message)?.[1];
  assert.equal(fresh, at(8), "and the place is shown to which it has moved");
  assert.equal(disk(), source);
  const again = await edit("§a.ts", `≔${fresh}`, "  return 8;");
  assert.equal(again.error, undefined, again.text);
});

test("an anchor that fits another line since lines moved is not guessed at", async (t) => {
  const text = `${"same();\nother();\n".repeat(10)}`;
  const { fixture, edit, disk, at } = await openFixture(t, { "a.ts": text });
  await edit("§a.ts", "»BOF", "// 1", "// 2");
  readLines(fixture, "a.ts", 1, 3);
  const answer = await edit("§a.ts", `≔${at(9)}`, "changed();");
  assert.equal(answer.error, "stale_anchor");
  const { message } = JSON.parse(answer.text);
  assert.match(message, /fits two places now[\s\S]*\*9[a-z]{2}\|same[\s\S]*\*11[a-z]{2}\|same/);
  const again = await edit("§a.ts", `≔11${at(9).slice(1)}`, "changed();");
  assert.equal(again.error, undefined, again.text);
  assert.equal(disk(), `// 1\n// 2\n${withLine(text, 9, "changed();")}`);
});

test("lines that do not exist, missing files and wrong places are refused with how it is right", async (t) => {
  const { fixture, edit, at } = await openFixture(t);
  const far = await edit("§a.ts", "»99zz", "x");
  assert.equal(far.error, "invalid_line_range");
  assert.match(far.text, /Line 99 does not exist \(file has 9 lines\)/);
  const missing = await edit("§b.ts", `»${at(1)}`, "x");
  assert.equal(missing.error, "file_not_found");
  assert.match(missing.text, /File not found: b\.ts/);
  for (const path of ["../a.ts", "/etc/passwd", ".git/config", "sub/../../a.ts"]) {
    const outside = await edit(`§${path}`, "»BOF", "x");
    assert.ok(["path_outside", "protected_path"].includes(outside.error ?? ""), `${path}: ${outside.text}`);
  }
  assert.equal((await edit(`§${fixture.place.path("a.ts")}`, `≔${at(4)}`, "  return 4;")).error, undefined);
});

test("what was changed already is not changed again", async (t) => {
  const { edit, at } = await openFixture(t);
  const answer = await edit("§a.ts", `≔${at(4)}`, "  return x(1);");
  assert.equal(answer.error, "no_change");
  assert.match(answer.text, /Edits to a\.ts resulted in no changes being made\./);
});

test("operations that meet are refused, those side by side are not", async (t) => {
  const { edit, disk, at } = await openFixture(t);
  for (const op of [`»${at(4)}`, `«${at(4)}`, `≔${at(5)}..${at(6)}`, `≔${at(4)}`]) {
    const answer = await edit("§a.ts", `≔${at(3)}..${at(5)}`, "x", op, "y");
    assert.equal(answer.error, "invalid_patch", op);
    assert.match(answer.text, /line 4: this operation meets the one in line 2/);
  }
  assert.equal(disk(), source);
  await edit("§a.ts", `≔${at(4)}`, "b", `»${at(4)}`, "c", `«${at(4)}`, "a");
  assert.equal(disk(), withLine(source, 4, "a", "b", "c"));
});

test("several files change together or not at all, and sections of one file are one", async (t) => {
  const { fixture, edit, disk, at } = await openFixture(t, { "a.ts": source, "b.ts": source });
  const b = readAnchors(fixture, "b.ts");
  const failed = await edit("§a.ts", `≔${at(4)}`, "x", "§new/c.ts", "»BOF", "c", "§b.ts", "≔4zz", "y");
  assert.ok(failed.error === "stale_anchor", failed.text);
  assert.deepEqual([disk("a.ts"), disk("b.ts")], [source, source]);
  assert.throws(() => disk("new/c.ts"));
  const done = await edit(
    "§a.ts",
    `»${at(1)}`,
    "x",
    "§new/c.ts",
    "»EOF",
    "2",
    "«BOF",
    "1",
    "§b.ts",
    `≔${b(4)}`,
    "y",
    "§./a.ts",
    `≔${at(4)}`,
    "z",
  );
  assert.equal(done.error, undefined, done.text);
  assert.equal(disk("a.ts"), withLine(source, 4, "z").replace("\n", "\nx\n"));
  assert.equal(disk("b.ts"), withLine(source, 4, "y"));
  assert.equal(disk("new/c.ts"), "1\n2\n");
  const { perFileResults } = done.details as { perFileResults: { path: string; op: string }[] };
  assert.deepEqual(
    perFileResults.map(({ path, op }) => [path, op]),
    [
      ["a.ts", "update"],
      ["new/c.ts", "create"],
      ["b.ts", "update"],
    ],
  );
});

test("an aborted input changes what stands before the mark, and says so", async (t) => {
  const { edit, disk, at } = await openFixture(t);
  const answer = await edit("*** Begin Patch", "§a.ts", `≔${at(4)}`, "  return 4;", "*** Abort", "rest");
  assert.match(answer.text, /Warnings:\nThe input was aborted in line 5/);
  assert.equal(disk(), withLine(source, 4, "  return 4;"));
});

test("generated files and files that are not text are left alone", async (t) => {
  const files = {
    "gen.ts": "// @generated\nx\n",
    "package-lock.json": "{}\n",
    "a.bin": new Uint8Array([0, 1, 2]),
  };
  const { edit } = await openFixture(t, { "a.ts": source, ...files });
  assert.equal((await edit("§gen.ts", "»EOF", "y")).error, "generated_file");
  assert.equal((await edit("§package-lock.json", "»EOF", "y")).error, "generated_file");
  assert.equal((await edit("§a.bin", "»EOF", "y")).error, "unsupported_file_type");
});

test("a rule is asked about every file before anything is read from the input", async (t) => {
  const asked: unknown[] = [];
  const fixture = await openCodeFixture(t, [hashlineEdit], {
    files: { "a.ts": source },
    permit: async ({ tool, targets }) => {
      asked.push([tool, targets]);
      return new Fault("not_allowed", "No.", "Ask.");
    },
  });
  const at = readAnchors(fixture, "a.ts");
  const answer = await fixture.call("edit", { input: `§./a.ts\n≔${at(4)}\nx\n§b.ts\n»BOF\ny` });
  assert.equal(answer.error, "not_allowed");
  assert.deepEqual(asked, [
    [
      "edit",
      [
        { kind: "path", path: "a.ts", access: "write" },
        { kind: "path", path: "b.ts", access: "write" },
      ],
    ],
  ]);
});

test("in a file of ten thousand lines, edits at both ends land while the person writes in between", async (t) => {
  const lines = Array.from({ length: 10_000 }, (_, index) => `line ${index % 7}`);
  const { fixture, edit, disk, at } = await openFixture(t, { "a.ts": `${lines.join("\n")}\n` });
  person(fixture, { op: "insert", after: 5000, content: "mine\n" });
  const answer = await edit("§a.ts", `≔${at(2)}`, "second", `≔${at(9999)}..${at(10_000)}`, "last");
  assert.equal(answer.error, undefined, answer.text);
  const expected = lines.toSpliced(9998, 2, "last").toSpliced(5000, 0, "mine").with(1, "second");
  assert.equal(disk(), `${expected.join("\n")}\n`);
  assert.ok(answer.text.length < 1000, "the answer is about what changed");
});

test("what the model knows of a file stays known when it edits it", async (t) => {
  const { fixture, edit, at } = await openFixture(t);
  await edit("§a.ts", `≔${at(4)}`, "  return 4;");
  assert.deepEqual(unknownLines(fixture, "a.ts"), []);
});

test("a line of which only the beginning was shown is not replaced, alone or in a range", async (t) => {
  const text = `first\n${"x".repeat(5000)}\nlast\n`;
  const fixture = await openCodeFixture(t, [hashlineEdit, read], { files: { "a.txt": text } });
  const disk = () => readFileSync(fixture.place.path("a.txt"), "utf8");
  const shown = (await fixture.call("read", { path: "a.txt" })).text;
  assert.ok(shown.length < 5000, "the line is cut");
  const [first, long, last] = [...shown.matchAll(/^(\d+[a-z]{2})\|/gm)].map(([, anchor]) => anchor);
  const edit = (input: string, more = {}) => fixture.call("edit", { input: `§a.txt\n${input}`, ...more });
  for (const input of [`≔${long}\ny`, `≔${first}..${last}\ny`, `≔${long}`]) {
    const refused = await edit(input);
    assert.equal(refused.error, "partly_read", input);
    assert.match(refused.text, /Line 2 of a\.txt has 5000 characters.*Nothing was changed/);
  }
  assert.equal(disk(), text);
  assert.equal((await edit(`≔${first}\nFIRST`)).error, undefined, "other lines can be edited");
  // The way out that the refusal names.
  assert.equal((await fixture.call("read", { path: "a.txt:2+1:raw" })).text, "x".repeat(5000));
  assert.equal((await edit(`≔${long}\nshort`)).error, undefined);
  assert.equal(disk(), "FIRST\nshort\nlast\n");
});

test("a line that was not shown whole goes where the call says so", async (t) => {
  const fixture = await openCodeFixture(t, [hashlineEdit, read], {
    files: { "a.txt": `${"x".repeat(5000)}\nlast\n` },
  });
  const [, long] = /^(1[a-z]{2})\|/.exec((await fixture.call("read", { path: "a.txt" })).text) ?? [];
  const answer = await fixture.call("edit", { input: `§a.txt\n≔${long}\nshort`, remove_unseen: true });
  assert.equal(answer.error, undefined, answer.text);
  assert.equal(readFileSync(fixture.place.path("a.txt"), "utf8"), "short\nlast\n");
});
