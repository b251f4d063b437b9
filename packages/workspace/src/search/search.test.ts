import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type FaultCode, isFault } from "@stet/protocol/fault";
import { temporaryFolder } from "@stet/testkit/temporary";
import { must, TestWorkspace } from "@stet/testkit/workspace";
import fc from "fast-check";
import { openRoot } from "../files/containment.ts";
import { type SearchOptions, type SearchOutcome, searchFiles } from "./search.ts";

async function search(rootPath: string, options: SearchOptions): Promise<SearchOutcome> {
  const outcome = await searchFiles(must(openRoot(rootPath)), options);
  assert.ok(!isFault(outcome), JSON.stringify(outcome));
  return outcome;
}

async function refusal(rootPath: string, options: SearchOptions): Promise<FaultCode | undefined> {
  const outcome = await searchFiles(must(openRoot(rootPath)), options);
  return isFault(outcome) ? outcome.error : undefined;
}

/** Where something was found: "path:first-last". */
async function places(rootPath: string, options: SearchOptions): Promise<string[]> {
  const { results } = await search(rootPath, options);
  return results.map((result) => `${result.file_path}:${result.start_line}-${result.end_line}`);
}

function numbered(count: number, mark: (line: number) => boolean): string {
  return Array.from({ length: count }, (_, index) => `${index + 1}${mark(index + 1) ? " hit" : ""}\n`).join(
    "",
  );
}

test("a result says where, what, and the exact place of every match", async (t) => {
  const root = temporaryFolder(t, { "notes/a.md": "first\nöne two öne\n", "b.md": "nothing" });
  assert.deepEqual(await search(root, { query: "öne" }), {
    results: [
      {
        file_path: "notes/a.md",
        start_line: 2,
        end_line: 2,
        snippet: "öne two öne",
        matches: [
          { line: 2, column: 1, length: 3 },
          { line: 2, column: 9, length: 3 },
        ],
      },
    ],
    truncated: false,
    total: 2,
    leftOut: [],
  });
  assert.deepEqual(await search(root, { query: "absent" }), {
    results: [],
    truncated: false,
    total: 0,
    leftOut: [],
  });
});

test("a query is text unless it is said to be a regular expression", async (t) => {
  const root = temporaryFolder(t, { "a.md": "f(x)\nfox\nFox hole\n-v\n$1.00^2\n" });
  assert.deepEqual(await places(root, { query: "f(x)" }), ["a.md:1-1"]);
  assert.deepEqual(await places(root, { query: "f[oö]x", isRegex: true }), ["a.md:2-2"]);
  assert.deepEqual(await places(root, { query: "^f.x$", isRegex: true, caseSensitive: false }), ["a.md:2-2"]);
  assert.deepEqual(await places(root, { query: "FOX", caseSensitive: false }), ["a.md:2-3"]);
  assert.deepEqual(await places(root, { query: "ho", wholeWord: true }), []);
  assert.deepEqual(await places(root, { query: "hole", wholeWord: true }), ["a.md:3-3"]);
  assert.deepEqual(await places(root, { query: "-v" }), ["a.md:4-4"]);
  assert.deepEqual(await places(root, { query: "$1.00^2" }), ["a.md:5-5"]);
});

test("context that overlaps or touches is one result", async (t) => {
  const root = temporaryFolder(t, { "a.md": numbered(30, (line) => [3, 6, 11, 20].includes(line)) });
  assert.deepEqual(await places(root, { query: "hit" }), [
    "a.md:3-3",
    "a.md:6-6",
    "a.md:11-11",
    "a.md:20-20",
  ]);
  assert.deepEqual(await places(root, { query: "hit", contextLines: 1 }), [
    "a.md:2-7",
    "a.md:10-12",
    "a.md:19-21",
  ]);
  assert.deepEqual(await places(root, { query: "hit", contextLines: 2 }), ["a.md:1-13", "a.md:18-22"]);
});

test("a snippet is never longer than allowed, and no match is lost by that", async (t) => {
  const root = temporaryFolder(t, {
    "a.md": numbered(50, () => true),
    "b.md": numbered(50, (line) => line === 25),
  });
  const { results, total } = await search(root, { query: "hit", glob: "a.md" });
  assert.deepEqual(
    results.map((result) => [result.start_line, result.end_line, result.matches.length]),
    [
      [1, 20, 20],
      [21, 40, 20],
      [41, 50, 10],
    ],
  );
  assert.equal(total, 50);
  assert.deepEqual(await places(root, { query: "hit", glob: "b.md", contextLines: 100 }), ["b.md:16-34"]);
  assert.deepEqual(await places(root, { query: "hit", glob: "b.md", contextLines: 9, maxSnippetLines: 1 }), [
    "b.md:25-25",
  ]);
});

test("line ends of every kind are kept out of snippets, and lines are counted as the document counts them", async (t) => {
  const root = temporaryFolder(t, {
    "crlf.md": "one\r\nhit here\r\nthree\r\n",
    "cr.md": "one\rhit here\rthree\r",
    "bom.md": "\ufeffhit here\n",
    "mixed.md": "one\nhit\there\r\nhit \r here\n",
  });
  const { results } = await search(root, { query: "^hit.here$", isRegex: true, contextLines: 1 });
  assert.deepEqual(
    results.map((result) => [result.file_path, result.start_line, result.snippet]),
    [
      ["bom.md", 1, "hit here"],
      ["cr.md", 1, "one\nhit here\nthree"],
      ["crlf.md", 1, "one\nhit here\nthree"],
      ["mixed.md", 1, "one\nhit\there\nhit   here"],
    ],
  );
  const [old] = (await search(root, { query: "here", prefix: "cr.md" })).results;
  assert.deepEqual(old, {
    file_path: "cr.md",
    start_line: 1,
    end_line: 3,
    snippet: "one\nhit here\nthree",
    matches: [{ line: 2, column: 5, length: 4 }],
  });
});

test("a query of several lines is found across lines, whatever their ends", async (t) => {
  const root = temporaryFolder(t, { "a.md": "x\nöne (\ntwo y\n", "b.md": "x\r\nöne (\r\ntwo y\r\n" });
  const { results } = await search(root, { query: "(\ntwo" });
  const match = {
    start_line: 2,
    end_line: 3,
    snippet: "öne (\ntwo y",
    matches: [{ line: 2, column: 5, length: 5 }],
  };
  assert.deepEqual(results, [
    { file_path: "a.md", ...match },
    { file_path: "b.md", ...match },
  ]);
  assert.deepEqual(await places(root, { query: "x\\r?\\nöne", isRegex: true }), ["a.md:1-2", "b.md:1-2"]);
  assert.deepEqual(await places(root, { query: "x\\\\n", isRegex: true }), []);
});

test("a long line is cut around its match, between characters", async (t) => {
  const long = `${"😀".repeat(1000)}hit${"x".repeat(1000)}`;
  const root = temporaryFolder(t, {
    "a.md": `${long}\n`,
    "b.md": `hit${"x".repeat(1000)}\n${"y".repeat(1000)}\n`,
  });
  const { results } = await search(root, { query: "hit", maxLineLength: 40, contextLines: 1 });
  const [cut, atStart] = results.map((result) => result.snippet);
  assert.match(cut ?? "", /^…(😀)+hitx+…$/u);
  assert.ok((cut ?? "").length <= 40 && (cut ?? "").isWellFormed());
  assert.equal(atStart, `hit${"x".repeat(35)}…\n${"y".repeat(38)}…`);
  assert.deepEqual(results[0]?.matches, [{ line: 1, column: 2001, length: 3 }]);
});

test("binary, hidden and ignored files are not searched, with or without a glob", async (t) => {
  const late = Buffer.concat([Buffer.from(`hit\n${"text\n".repeat(100_000)}`), Buffer.from([0])]);
  const root = temporaryFolder(t, {
    ".gitignore": "ignored/\n",
    ".hidden.md": "hit",
    ".git/x.md": "hit",
    ".stet/x.md": "hit",
    "a.md": "hit",
    "ignored/a.md": "hit",
    "binary.md": Buffer.from("hit\0hit\n"),
    "late-binary.md": late,
  });
  symlinkSync("a.md", join(root, "link.md"));
  assert.deepEqual(await places(root, { query: "hit" }), ["a.md:1-1"]);
  assert.deepEqual(await places(root, { query: "hit", glob: "*.md" }), ["a.md:1-1"]);
  assert.deepEqual(await places(root, { query: "hit", prefix: "binary.md" }), []);
  assert.deepEqual(await places(root, { query: "hit", prefix: "ignored" }), ["ignored/a.md:1-1"]);
  assert.deepEqual(await places(root, { query: "hit", prefix: ".hidden.md" }), [".hidden.md:1-1"]);
  assert.deepEqual(await places(root, { query: "hit", prefix: "ignored", glob: "*.ts" }), []);
});

test("files with odd names are found, also by a glob", async (t) => {
  const names = [
    "-v.md",
    "a b .md",
    "a\nb.md",
    "[x]{y,z}*.md",
    "!.md",
    "#.md",
    "back\\slash.md",
    "ö😀.md",
    "end .md",
  ];
  const wanted = names.filter((name) => process.platform !== "win32" || !/[\n\\*]/.test(name));
  const root = temporaryFolder(t, Object.fromEntries(wanted.map((name) => [`d/${name}`, "hit"])));
  if (process.platform === "linux") {
    writeFileSync(Buffer.concat([Buffer.from(`${root}/d/`), Buffer.from([0xff]), Buffer.from(".md")]), "hit");
  }
  const expected = wanted.map((name) => `d/${name}:1-1`).sort();
  assert.deepEqual((await places(root, { query: "hit" })).sort(), expected);
  assert.deepEqual((await places(root, { query: "hit", glob: "d/*.md" })).sort(), expected);
  for (const name of wanted) {
    assert.deepEqual(await places(root, { query: "hit", prefix: `d/${name}` }), [`d/${name}:1-1`]);
  }
});

test("text that is not UTF-8 is shown as far as it can be read", async (t) => {
  const root = temporaryFolder(t, { "latin.txt": Buffer.from("f\xfcr hit\n", "latin1") });
  const { results } = await search(root, { query: "hit" });
  assert.equal(results[0]?.snippet, "f\ufffdr hit");
  assert.deepEqual(results[0]?.matches, [{ line: 1, column: 5, length: 3 }]);
});

test("over the limit the first results are given, and all matches are counted", async (t) => {
  const entries = Array.from({ length: 300 }, (_, index) => [
    `d${index % 6}/${index}.md`,
    "hit\n\nhit hit\n",
  ]);
  const root = temporaryFolder(t, Object.fromEntries(entries));
  const all = entries.flatMap(([path]) => [`${path}:1-1`, `${path}:3-3`]).sort();
  for (const glob of [undefined, "*.md"]) {
    const outcome = await search(root, { query: "hit", glob });
    assert.equal(outcome.results.length, 20);
    assert.deepEqual([outcome.truncated, outcome.total], [true, 900]);
    assert.deepEqual(await places(root, { query: "hit", glob, limit: 1000 }), all.slice(0, 500));
    assert.deepEqual(await places(root, { query: "hit", glob, limit: 0 }), all.slice(0, 1));
  }
});

test("a search with too many matches to count gives the same first results, every time", async (t) => {
  const entries = Array.from({ length: 200 }, (_, index) => [`d/${index}.md`, "hit\n\n".repeat(600)]);
  const root = temporaryFolder(t, { ...Object.fromEntries(entries), "d.md": "hit", "a.md": "no\n" });
  const first = await search(root, { query: "hit" });
  assert.deepEqual([first.truncated, first.total], [true, null]);
  assert.deepEqual(
    first.results.map((result) => `${result.file_path}:${result.start_line}`),
    Array.from({ length: 20 }, (_, index) => `d/0.md:${2 * index + 1}`),
  );
  assert.deepEqual(await search(root, { query: "hit" }), first);
  assert.deepEqual(await search(root, { query: "hit", glob: "d/*" }), first);
});

test("more files than fit into one command line are all searched", async (t) => {
  const folder = "a-folder-with-a-rather-long-name/".repeat(6);
  const entries = Array.from({ length: 1500 }, (_, index) => [
    `${folder}${index}.md`,
    index % 500 ? "no" : "hit",
  ]);
  const root = temporaryFolder(t, Object.fromEntries(entries));
  const outcome = await search(root, { query: "hit", glob: "*.md" });
  assert.equal(outcome.total, 3);
  assert.deepEqual(
    outcome.results.map((result) => result.file_path),
    [`${folder}0.md`, `${folder}1000.md`, `${folder}500.md`],
  );
});

test("a line full of matches, and one too long to read, are owned up to", async (t) => {
  const root = temporaryFolder(t, {
    "many.md": "x".repeat(5000),
    "huge.md": `${" ".repeat(5 * 1024 ** 2)}y\ny\n`,
  });
  const many = await search(root, { query: "x" });
  assert.deepEqual([many.results[0]?.matches.length, many.truncated, many.total], [100, true, 5000]);
  const huge = await search(root, { query: "y", glob: "huge.md" });
  assert.deepEqual([huge.truncated, huge.total], [true, null]);
  assert.deepEqual(await places(root, { query: "y", glob: "huge.md" }), ["huge.md:2-2"]);
});

test("what cannot be searched is refused with a reason", async (t) => {
  const root = temporaryFolder(t, { "a.md": "a" });
  assert.equal(await refusal(root, { query: "" }), "content_required");
  assert.equal(await refusal(root, { query: "(", isRegex: true }), "invalid_regex");
  assert.equal(await refusal(root, { query: "a", glob: "{a" }), "invalid_regex");
  assert.equal(await refusal(root, { query: "a", prefix: "../" }), "path_outside");
  assert.equal(await refusal(root, { query: "a", prefix: "missing" }), "file_not_found");
  assert.equal(await refusal(root, { query: "a\0" }), "invalid_arguments");
  assert.equal(await refusal(root, { query: "a", signal: AbortSignal.abort() }), "search_failed");
  if (process.platform === "win32") return;
  execFileSync("mkfifo", [join(root, "pipe")]);
  assert.equal(await refusal(root, { query: "a", prefix: "pipe" }), "not_a_file");
  assert.deepEqual(await places(root, { query: "a" }), ["a.md:1-1"]);
});

test("literal search finds what a plain loop over the lines finds", async (t) => {
  const root = temporaryFolder(t);
  const line = fc.string({ unit: fc.constantFrom("a", "b", "ö", "😀", " ", "…"), maxLength: 8 });
  const file = fc.record({ lines: fc.array(line, { maxLength: 12 }), end: fc.constantFrom("\n", "\r\n") });
  const files = fc.array(file, { minLength: 3, maxLength: 3 });
  const query = fc.string({ unit: fc.constantFrom("a", "b", "ö", "😀"), minLength: 1, maxLength: 2 });
  await fc.assert(
    fc.asyncProperty(files, query, fc.nat(3), async (contents, wanted, contextLines) => {
      const expected: [string, number, number][] = [];
      for (const [index, { lines, end }] of contents.entries()) {
        writeFileSync(join(root, `${index}.md`), lines.join(end));
        for (const [number, text] of lines.entries()) {
          for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
            expected.push([`${index}.md`, number + 1, at + 1]);
          }
        }
      }
      const { results, total } = await search(root, { query: wanted, contextLines, limit: 50 });
      const found = results.flatMap((result) =>
        result.matches.map((match) => [result.file_path, match.line, match.column]),
      );
      assert.deepEqual(found, expected);
      assert.equal(total, expected.length);
      for (const { file_path, start_line, end_line, snippet } of results) {
        const lines = contents[Number.parseInt(file_path, 10)]?.lines.slice(start_line - 1, end_line);
        assert.equal(snippet, lines?.join("\n"));
      }
    }),
    { numRuns: 60 },
  );
});

// Puts a link to an outside folder in the place of `swapped`, and the folder back, as quickly as it can.
const swapping = `
const { renameSync } = require("node:fs");
process.stdout.write("ready");
for (;;) {
  try {
    renameSync("swapped", "kept");
    renameSync("link", "swapped");
    renameSync("swapped", "link");
    renameSync("kept", "swapped");
  } catch {}
}`;

/** Ends before the test does: a folder whose entries are renamed all the time cannot be removed. */
async function whileSwapping(folder: string, action: () => Promise<void>): Promise<void> {
  const child = spawn(process.execPath, ["-e", swapping], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exit = once(child, "exit");
  try {
    await once(child.stdout, "data");
    await action();
  } finally {
    child.kill("SIGKILL");
    await exit;
  }
}

test("a folder that is swapped for a link while a search runs shows nothing of what the link leads to", async (t) => {
  const inner = Object.fromEntries(
    Array.from({ length: 200 }, (_, index) => [`swapped/${index}.md`, "word inside\n"]),
  );
  const outer = Object.fromEntries(
    Array.from({ length: 200 }, (_, index) => [`secret/${index}.md`, "word OUTSIDE\n"]),
  );
  const folder = temporaryFolder(t, { ...prefixed("root/", inner), ...outer });
  symlinkSync(join(folder, "secret"), join(folder, "root/link"));
  const root = join(folder, "root");
  let shown = 0;
  await whileSwapping(root, async () => {
    for (let round = 0; round < 25; round += 1) {
      for (const { snippet } of (await search(root, { query: "word", limit: 500 })).results) {
        assert.equal(snippet, "word inside");
        shown += 1;
      }
    }
  });
  assert.ok(shown > 0, "no search met the folder itself");
});

test("a folder that is swapped for a link while files are listed tells no names of what the link leads to", async (t) => {
  const many = (folder: string, name: string) =>
    Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`${folder}/${name}-${index}.md`, ""]));
  const place = new TestWorkspace(t, many("swapped", "inside"));
  const outside = temporaryFolder(t, many("secret", "OUTSIDE"));
  symlinkSync(join(outside, "secret"), place.path("link"));
  const workspace = await place.open();
  let listed = 0;
  await whileSwapping(place.root, async () => {
    for (let round = 0; round < 25; round += 1) {
      const { files } = must(await workspace.list());
      assert.deepEqual(
        files.filter((path) => path.includes("OUTSIDE")),
        [],
      );
      listed += files.length;
    }
  });
  assert.ok(listed > 0, "no list met the folder itself");
});

function prefixed(prefix: string, files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [prefix + name, text]));
}

test("texts with byte order marks, in UTF-16, with other bytes and with any line ends are found", async (t) => {
  const root = temporaryFolder(t, {});
  const text = "first ö\r\nthe word\r\nlast\r\n";
  const utf16 = Buffer.from(`\ufeff${text}`, "utf16le");
  writeFileSync(join(root, "bom.md"), `\ufeff${text}`);
  writeFileSync(join(root, "le.md"), utf16);
  writeFileSync(join(root, "be.md"), Buffer.from(utf16).swap16());
  writeFileSync(join(root, "latin.md"), Buffer.from(text, "latin1"));
  writeFileSync(join(root, "cr.md"), text.replaceAll("\r\n", "\r"));
  writeFileSync(join(root, "back\\slash.md"), text);
  assert.deepEqual(await places(root, { query: "word", contextLines: 1 }), [
    "back\\slash.md:1-3",
    "be.md:1-3",
    "bom.md:1-3",
    "cr.md:1-3",
    "latin.md:1-3",
    "le.md:1-3",
  ]);
});
