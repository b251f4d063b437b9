import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import test from "node:test";
import { Fault } from "@stet/protocol/fault";
import { type CodeFixture, openCodeFixture } from "@stet/testkit/code-fixture";
import { unknownLines } from "@stet/testkit/read-anchors";
import { read } from "./read.ts";

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

/** The numbers of the lines that were shown. */
function shown(text: string): number[] {
  return [...text.matchAll(/^(\d+)(?:[a-z]{2})?\|/gm)].map((match) => Number(match[1]));
}

function unknownRanges(fixture: CodeFixture, path: string): string {
  return unknownLines(fixture, path)
    .map(({ start, end }) => `${start + 1}-${end + 1}`)
    .join(" ");
}

test("a short file is shown whole, with anchors, and is known from then on", async (t) => {
  const fixture = await openCodeFixture(t, [read], { files: { "a.txt": "one\r\ntwo" } });
  const answer = await fixture.call("read", { path: "a.txt" });
  assert.match(answer.text, /^1[a-z]{2}\|one\n2[a-z]{2}\|two$/);
  assert.equal(unknownRanges(fixture, "a.txt"), "");
});

test("where edits are not made by anchors, lines have plain numbers", async (t) => {
  const fixture = await openCodeFixture(t, [read], {
    files: { "a.txt": "one\n" },
    settings: { editMode: "replace" },
  });
  assert.equal((await fixture.call("read", { path: "a.txt" })).text, "1|one");
});

test("raw has neither anchors nor numbers nor lines around the range", async (t) => {
  const fixture = await openCodeFixture(t, [read], { files: { "a.txt": numbered(20) } });
  assert.equal((await fixture.call("read", { path: "a.txt:5-6:raw" })).text, "line 5\nline 6");
  assert.equal((await fixture.call("read", { path: "a.txt:raw:19" })).text, "line 19\nline 20");
  assert.equal(unknownRanges(fixture, "a.txt"), "1-4 7-18");
});

test("a range comes with one line before and three behind, on the sides that it bounds", async (t) => {
  const fixture = await openCodeFixture(t, [read], { files: { "a.txt": numbered(20) } });
  assert.deepEqual(shown((await fixture.call("read", { path: "a.txt:5-6" })).text), [4, 5, 6, 7, 8, 9]);
  assert.deepEqual(shown((await fixture.call("read", { path: "a.txt:5+1" })).text), [4, 5, 6, 7, 8]);
  assert.deepEqual(shown((await fixture.call("read", { path: "a.txt:18" })).text), [17, 18, 19, 20]);
  assert.deepEqual(shown((await fixture.call("read", { path: "a.txt:1-2" })).text), [1, 2, 3, 4, 5]);
  assert.deepEqual(shown((await fixture.call("read", { path: "a.txt:19-99" })).text), [18, 19, 20]);
});

test("only the lines that were shown are known", async (t) => {
  const fixture = await openCodeFixture(t, [read], { files: { "a.txt": numbered(20) } });
  await fixture.call("read", { path: "a.txt:5-6" });
  assert.equal(unknownRanges(fixture, "a.txt"), "1-3 10-20");
});

test("a long file is shown in parts, each of which says where the next one begins", async (t) => {
  const fixture = await openCodeFixture(t, [read], {
    files: { "a.txt": numbered(700) },
    settings: { readLimit: 300 },
  });
  const lines: number[] = [];
  let path: string | undefined = "a.txt";
  while (path !== undefined) {
    const answer = await fixture.call("read", { path });
    lines.push(...shown(answer.text).filter((line) => line > (lines.at(-1) ?? 0)));
    path = /Read (\S+) to go on/.exec(answer.text)?.[1];
  }
  assert.deepEqual(
    lines,
    Array.from({ length: 700 }, (_, index) => index + 1),
  );
});

test("a file of many bytes ends where one answer is full, and the hint where to read on is not lost", async (t) => {
  const line = `${"ü".repeat(500)}\n`;
  const fixture = await openCodeFixture(t, [read], { files: { "a.txt": line.repeat(4000) } });
  const answer = await fixture.call("read", { path: "a.txt" });
  assert.ok(Buffer.byteLength(answer.text) <= 50 * 1024);
  const last = shown(answer.text).at(-1) ?? 0;
  assert.ok(last > 40);
  assert.match(answer.text, new RegExp(`Read a.txt:${last + 1} to go on`));
  assert.equal(unknownRanges(fixture, "a.txt"), `${last + 1}-4000`);
});

test("a range of more lines than one answer holds is cut, and says so", async (t) => {
  const fixture = await openCodeFixture(t, [read], { files: { "a.txt": "x\n".repeat(9000) } });
  const answer = await fixture.call("read", { path: "a.txt:1-9000" });
  assert.ok(answer.text.split("\n").length <= 3000);
  assert.match(answer.text, /Read a\.txt:29\d\d to go on/);
});

test("a very long line is cut, told, not counted as known, and can be seen raw", async (t) => {
  const long = "x".repeat(30_000);
  const fixture = await openCodeFixture(t, [read], { files: { "a.txt": `short\n${long}\nshort\n` } });
  const answer = await fixture.call("read", { path: "a.txt" });
  assert.ok(answer.text.length < 3000);
  assert.match(answer.text, /Line 2 is cut after 2000 of 30000 characters. Read a.txt:2\+1:raw/);
  assert.equal(unknownRanges(fixture, "a.txt"), "2-2");
  assert.equal((await fixture.call("read", { path: "a.txt:2+1:raw" })).text, long);
  assert.equal(unknownRanges(fixture, "a.txt"), "");
});

test("a line that no answer can hold is cut between characters", async (t) => {
  const fixture = await openCodeFixture(t, [read], { files: { "a.txt": "😀".repeat(40_000) } });
  const answer = await fixture.call("read", { path: "a.txt:raw" });
  assert.ok(answer.text.isWellFormed() && !answer.text.includes("\ufffd"));
  assert.match(answer.text, /Line 1 is cut after \d+ of 80000 characters. It is longer than one answer/);
});

test("lines behind the end are explained and not refused", async (t) => {
  const fixture = await openCodeFixture(t, [read], { files: { "a.txt": numbered(3), "empty.txt": "" } });
  const behind = await fixture.call("read", { path: "a.txt:50" });
  assert.equal(behind.error, undefined);
  assert.match(behind.text, /a\.txt has 3 lines\. Use :1 to read from the start, or :3 for the last line/);
  const empty = await fixture.call("read", { path: "empty.txt:5" });
  assert.equal(empty.error, undefined);
  assert.match(empty.text, /Use :1/);
  assert.equal((await fixture.call("read", { path: "empty.txt" })).text, "(empty.txt is empty)");
});

test("selectors that cannot be meant are refused in the words that help", async (t) => {
  const fixture = await openCodeFixture(t, [read], { files: { "a.txt": numbered(3) } });
  const zero = await fixture.call("read", { path: "a.txt:0" });
  assert.equal(zero.error, "invalid_line_range");
  assert.match(zero.text, /Line selector 0 is invalid; lines are 1-indexed\. Use :1\./);
  for (const path of ["a.txt:3-1", "a.txt:3+0", "a.txt:2-", "a.txt:2,3", "a.txt:last"]) {
    assert.equal((await fixture.call("read", { path })).error, "invalid_line_range", path);
  }
});

test("a file whose name ends like a selector can be read", async (t) => {
  const fixture = await openCodeFixture(t, [read], { files: { "notes:50": "here\n" } });
  assert.match((await fixture.call("read", { path: "notes:50" })).text, /here/);
});

test("absolute paths inside the root, ./ and file:// lead to the same file", async (t) => {
  const fixture = await openCodeFixture(t, [read], { files: { "src/a.txt": "here\n" } });
  const absolute = join(fixture.workspace.root.path, "src/a.txt");
  for (const path of [absolute, "./src/a.txt", `file://${absolute}`, ` src/a.txt `, `${absolute}:1-1`]) {
    assert.match((await fixture.call("read", { path })).text, /^1[a-z]{2}\|here/, path);
  }
});

test("nothing outside the root is read without permission, and never through a link or of git or Stet", async (t) => {
  const refusal = new Fault("not_permitted", "No.", "Ask.", {});
  const asked: string[] = [];
  const fixture = await openCodeFixture(t, [read], {
    files: { "a.txt": "here\n" },
    permit: async ({ targets }) => {
      const outside = targets.flatMap((target) =>
        "path" in target && target.path.startsWith("/") ? [target.path] : [],
      );
      asked.push(...outside);
      return outside.length > 0 ? refusal : undefined;
    },
  });
  symlinkSync("/etc", join(fixture.place.root, "etc"));
  symlinkSync("/etc/passwd", join(fixture.place.root, "passwd"));
  for (const path of ["etc/passwd", "passwd", "etc", "a/../../data"]) {
    assert.equal((await fixture.call("read", { path })).error, "path_outside", path);
  }
  for (const path of ["/etc/passwd", "../data", "~/.ssh/id_rsa", "/etc/passwd:1-2"]) {
    assert.equal((await fixture.call("read", { path })).error, "not_permitted", path);
  }
  assert.ok(asked.includes("/etc/passwd") && asked.some((path) => path.endsWith("/.ssh/id_rsa")));
  for (const path of [".git/config", ".stet/rules/x.md", ".GIT/HEAD"]) {
    assert.equal((await fixture.call("read", { path })).error, "protected_path", path);
  }
});

test("pipes, sockets and devices are refused at once", { timeout: 10_000 }, async (t) => {
  const fixture = await openCodeFixture(t, [read]);
  execFileSync("mkfifo", [join(fixture.place.root, "pipe")]);
  const server = createServer().listen(join(fixture.place.root, "socket"));
  t.after(() => server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  for (const path of ["pipe", "socket", "pipe:1-5"]) {
    assert.equal((await fixture.call("read", { path })).error, "not_a_file", path);
  }
  assert.equal((await fixture.call("read", { path: "/dev/zero" })).error, "not_a_file");
});

test("what may be read outside the root is shown with its range, folders with their names, and links are asked for by both ends", async (t) => {
  const asked: string[] = [];
  const fixture = await openCodeFixture(t, [read], {
    permit: async ({ targets }) => {
      asked.push(...targets.flatMap((target) => ("path" in target ? [target.path] : [])));
      return undefined;
    },
  });
  const beside = join(fixture.place.folder, "beside");
  mkdirSync(join(beside, "deep"), { recursive: true });
  writeFileSync(join(beside, "log.txt"), numbered(9));
  writeFileSync(join(beside, "b.bin"), Buffer.from([0, 255]));
  symlinkSync(join(beside, "log.txt"), join(beside, "link"));
  const part = (await fixture.call("read", { path: `${beside}/log.txt:4-5` })).text;
  assert.match(part, /4\|line 4\n5\|line 5/);
  assert.match(part, /can be read here, not edited/);
  assert.match((await fixture.call("read", { path: "../beside" })).text, /deep\/\n.*log\.txt/s);
  assert.match((await fixture.call("read", { path: `${beside}/link` })).text, /line 9/);
  assert.ok(asked.includes(join(beside, "link")) && asked.includes(join(beside, "log.txt")));
  assert.equal((await fixture.call("read", { path: `${beside}/b.bin` })).error, "unsupported_file_type");
  assert.equal((await fixture.call("read", { path: `${beside}/none` })).error, "file_not_found");
});

test("a file that the system does not let anyone read says so", {
  skip: process.getuid?.() === 0,
}, async (t) => {
  const fixture = await openCodeFixture(t, [read], { files: { "a.txt": "here\n" } });
  chmodSync(join(fixture.place.root, "a.txt"), 0);
  assert.equal((await fixture.call("read", { path: "a.txt" })).error, "not_permitted");
});

test("what is not UTF-8 text is named for what it seems to be", async (t) => {
  const files = {
    "utf16.txt": Buffer.from("\ufeffhello", "utf16le"),
    "latin.txt": Buffer.from("caf\xe9\n", "latin1"),
    prog: Buffer.from("7f454c4602010100000000", "hex"),
    "data.bin": Buffer.from([1, 2, 0, 3]),
  };
  const fixture = await openCodeFixture(t, [read], { files });
  const kinds = { "utf16.txt": /UTF-16/, "latin.txt": /Latin-1/, prog: /ELF/, "data.bin": /binary/ };
  for (const [path, kind] of Object.entries(kinds)) {
    const answer = await fixture.call("read", { path });
    assert.equal(answer.error, "not_readable", path);
    assert.match(answer.text, kind);
  }
});

test("long code is shown as a summary, and what it leaves out is not known", async (t) => {
  const body = Array.from({ length: 40 }, (_, index) => `  const value${index} = ${index};`).join("\n");
  const code = ["one", "two", "three"].map((name) => `export function ${name}() {\n${body}\n}\n`).join("\n");
  const fixture = await openCodeFixture(t, [read], { files: { "a.ts": code } });
  const answer = await fixture.call("read", { path: "a.ts" });
  assert.match(answer.text, /^1[a-z]{2}\|export function one\(\) \{ \.\.\. \}$/m);
  assert.match(
    answer.text,
    /\[\d+ lines across 3 elided regions; read a\.ts:raw or a line range like a\.ts:1-42 /,
  );
  assert.doesNotMatch(answer.text, /value7/);
  assert.notEqual(unknownLines(fixture, "a.ts"), "");
  const part = await fixture.call("read", { path: "a.ts:1-42" });
  assert.match(part.text, /value7 = 7/);
});

test("what was changed on disk meanwhile is what is read", async (t) => {
  const fixture = await openCodeFixture(t, [read], { files: { "a.txt": "one\n" } });
  await fixture.call("read", { path: "a.txt" });
  writeFileSync(join(fixture.place.root, "a.txt"), "two\n");
  assert.match((await fixture.call("read", { path: "a.txt" })).text, /\|two/);
});

test("a path, the file that a link leads to, and a page are asked for before they are read", async (t) => {
  const asked: string[] = [];
  const fixture = await openCodeFixture(t, [read], {
    files: { "secret/a.txt": "hidden\n" },
    permit: async ({ targets }) => {
      for (const target of targets)
        asked.push(target.kind === "path" ? `${target.access} ${target.path}` : target.kind);
      return new Fault("not_allowed", "no", "no");
    },
  });
  symlinkSync("secret/a.txt", join(fixture.place.root, "link.txt"));
  for (const path of ["secret/a.txt:1-2", "link.txt", "https://example.com/x", "secret/b.zip:c/d:5"]) {
    assert.equal((await fixture.call("read", { path })).error, "not_allowed", path);
  }
  const wanted = ["read secret/a.txt", "read link.txt", "read secret/a.txt", "url", "read secret/b.zip"];
  assert.deepEqual(asked, wanted);
});

test("a file whose name ends like a selector is asked for by its whole name", async (t) => {
  const asked: string[] = [];
  const fixture = await openCodeFixture(t, [read], {
    files: { "notes:50": "hidden\n" },
    permit: async ({ targets }) => {
      for (const target of targets) if (target.kind === "path") asked.push(target.path);
      return asked.includes("notes:50") ? new Fault("not_allowed", "no", "no") : undefined;
    },
  });
  assert.equal((await fixture.call("read", { path: "notes:50" })).error, "not_allowed");
});

test("an empty path is refused before anything else", async (t) => {
  const fixture = await openCodeFixture(t, [read]);
  assert.equal((await fixture.call("read", { path: "  " })).error, "invalid_arguments");
  assert.equal((await fixture.call("read", {})).error, "invalid_arguments");
});
