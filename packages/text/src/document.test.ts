import assert from "node:assert/strict";
import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { isFault } from "@stet/protocol/fault";
import { testData } from "@stet/testkit/data";
import { runs } from "@stet/testkit/depth";
import fc from "fast-check";
import {
  checkContent,
  contentOf,
  type Document,
  decodeDocument,
  encodeDocument,
  type LineEnd,
  plainFormat,
} from "./document.ts";
import type { LineEdit } from "./edits.ts";
import { startHistory } from "./history.ts";
import { countLines, lineContent } from "./lines.ts";
import { revise } from "./revise.ts";

function decoded(bytes: Uint8Array | string): Document {
  const document = decodeDocument(typeof bytes === "string" ? Buffer.from(bytes) : bytes);
  assert.ok(!isFault(document), "a text file is refused");
  return document;
}

function encoded(document: Document): Buffer {
  const bytes = encodeDocument(document);
  assert.ok(!isFault(bytes), "a document cannot be written");
  return Buffer.from(bytes);
}

function editedBytes(document: Document, edit: LineEdit): Buffer {
  const revised = revise(startHistory(document.text), {
    revision: 1,
    policy: { kind: "strict" },
    edits: [edit],
    origin: "agent",
  });
  assert.ok(!isFault(revised), `${JSON.stringify(edit)} is refused`);
  return encoded({ ...document, text: revised.history.text });
}

const word = fc.constantFrom(
  "",
  "a",
  "}",
  "é",
  "日本",
  "😀",
  "e\u0301",
  "\u2028",
  "\u0085",
  "\f",
  "\u{10ffff}",
  " \t",
);
const lineEnd = fc.constantFrom("\n", "\r\n", "\r", "\n\r", "\r\r\n", "");
const pieces = fc.array(fc.tuple(fc.oneof(word, fc.string({ unit: "binary" })), lineEnd), { maxLength: 12 });
const uniform = fc
  .tuple(fc.array(word, { maxLength: 12 }), fc.constantFrom("\n", "\r\n", "\r"))
  .map(([lines, end]) => lines.join(end));
const content = fc
  .tuple(
    fc.constantFrom("", "\ufeff", "\ufeff\ufeff"),
    fc.oneof(
      pieces.map((all) => all.flat().join("")),
      uniform,
    ),
  )
  .map(([mark, body]) => mark + body.replaceAll("\0", ""));

test("opening and saving a file changes its bytes", () => {
  fc.assert(
    fc.property(content, (body) => {
      const bytes = Buffer.from(body);
      assert.deepEqual(encoded(decoded(bytes)), bytes);
    }),
    { numRuns: runs(3000) },
  );
});

test("a text that is still as it was decoded is told differently from its lines", () => {
  fc.assert(
    fc.property(content, (body) => {
      const { text } = decoded(Buffer.from(body));
      assert.equal(contentOf(text), text.toString());
    }),
    { numRuns: runs(1000) },
  );
});

test("a file that is not text is opened, or one that is text is refused", () => {
  const bytes = fc.oneof(fc.uint8Array({ maxLength: 12 }), fc.uint8Array({ min: 1, max: 127 }));
  fc.assert(
    fc.property(bytes, (file) => {
      const document = decodeDocument(file);
      assert.equal(isFault(document), !isUtf8(file) || file.includes(0));
      if (!isFault(document)) assert.deepEqual(encoded(document), Buffer.from(file));
    }),
    { numRuns: runs(3000) },
  );
});

test("a file that cannot be edited is refused without saying why", () => {
  const refused: [name: string, bytes: number[], message: RegExp, details: object][] = [
    [
      "NUL",
      [0x61, 0x62, 0x00, 0x63],
      /^It holds a NUL byte at offset 2, so it is not a text file/,
      { offset: 2 },
    ],
    ["a PDF of plain letters", [0x25, 0x50, 0x44, 0x46, 0x2d, 0x31, 0x0a], /^It is a PDF, so/, {}],
    ["NUL first", [0x00], /NUL byte at offset 0/, { offset: 0 }],
    ["UTF-16", [0xff, 0xfe, 0x61, 0x00], /NUL byte at offset 3/, { offset: 3 }],
    ["Latin-1", [0x63, 0x61, 0x66, 0xe9], /^It is not valid UTF-8, so it is not a text file/, {}],
    ["cut off", [0x61, 0xe2, 0x82], /not valid UTF-8/, {}],
    ["overlong", [0xc0, 0xaf], /not valid UTF-8/, {}],
    ["surrogate", [0xed, 0xa0, 0x80], /not valid UTF-8/, {}],
    ["beyond Unicode", [0xf4, 0x90, 0x80, 0x80], /not valid UTF-8/, {}],
    ["half a byte order mark", [0xef, 0xbb], /not valid UTF-8/, {}],
  ];
  for (const [name, bytes, message, details] of refused) {
    const fault = decodeDocument(Uint8Array.from(bytes));
    assert.ok(isFault(fault), `${name} is opened as text`);
    assert.equal(fault.error, "unsupported_file_type", name);
    assert.match(fault.message, message, name);
    assert.deepEqual(fault.details, details, name);
    assert.match(fault.suggestion, /convert it to UTF-8/, name);
  }
});

test("a file's line ends are taken for others, or its lines counted wrong", () => {
  const files: [content: string, lineEnd: LineEnd, counted: number, raw: string[]][] = [
    ["", "\n", 0, [""]],
    ["a", "\n", 1, ["a"]],
    ["\n", "\n", 1, ["", ""]],
    ["\n\n", "\n", 2, ["", "", ""]],
    ["\r", "\r", 1, ["", ""]],
    ["\r\r\r", "\r", 3, ["", "", "", ""]],
    ["\r\n", "\r\n", 1, ["", ""]],
    ["a\nb", "\n", 2, ["a", "b"]],
    ["a\r\nb\r\n", "\r\n", 2, ["a", "b", ""]],
    ["a\rb\r", "\r", 2, ["a", "b", ""]],
    ["a\r\nb\n", "\n", 2, ["a\r", "b", ""]],
    ["a\nb\r\n", "\n", 2, ["a", "b\r", ""]],
    ["a\r\nb\r", "\n", 2, ["a\r", "b\r"]],
    ["a\r\r\nb\r\n", "\n", 2, ["a\r\r", "b\r", ""]],
    ["\r\n\r", "\n", 2, ["\r", "\r"]],
    ["\n\r", "\n", 2, ["", "\r"]],
    ["50%\r100%\nok\n", "\n", 2, ["50%\r100%", "ok", ""]],
  ];
  for (const [file, end, counted, raw] of files) {
    for (const mark of ["", "\ufeff"]) {
      const document = decoded(mark + file);
      const name = JSON.stringify(mark + file);
      assert.deepEqual(document.format, { byteOrderMark: mark !== "", lineEnd: end }, name);
      assert.equal(countLines(document.text), counted, name);
      assert.deepEqual(document.text.toJSON(), raw, name);
    }
  }
});

test("replacing one line changes a byte of another line, or the line's end", () => {
  fc.assert(
    fc.property(content, fc.nat(), fc.constantFrom("new", "x😀", "x😀\n", "new\r\n"), (body, pick, by) => {
      const document = decoded(body);
      const total = countLines(document.text);
      if (total === 0) return;
      const line = pick % total;
      const old = lineContent(document.text, line);
      const put = by.trimEnd();
      if (old === put) return;
      const { lineEnd: end, byteOrderMark } = document.format;
      const physical = (byteOrderMark ? body.slice(1) : body).split(end);
      const expected = physical.with(line, put + (physical[line] ?? "").slice(old.length));
      const bytes = editedBytes(document, { op: "replace", from: line + 1, to: line + 1, content: by });
      assert.equal(bytes.toString(), (byteOrderMark ? "\ufeff" : "") + expected.join(end));
    }),
    { numRuns: runs(3000) },
  );
});

test("deleting the last line leaves half of the line end before it, or that end does not come back", () => {
  const document = decoded("a\nb\r\nc");
  assert.equal(editedBytes(document, { op: "delete", from: 3, to: 3 }).toString(), "a\nb");
  const revised = revise(startHistory(document.text), {
    revision: 1,
    policy: { kind: "strict" },
    edits: [{ op: "delete", from: 3, to: 3 }],
    origin: "agent",
  });
  assert.ok(!isFault(revised));
  const shorter = { ...document, text: revised.history.text };
  assert.equal(editedBytes(shorter, { op: "append", content: "d" }).toString(), "a\nb\r\nd");
  const undone = { ...document, text: revised.inverse.apply(shorter.text) };
  assert.equal(encoded(undone).toString(), "a\nb\r\nc");
  // A lone CR that the file ends in is one of its line ends.
  const closed = decoded("a\nb\r\nc\r");
  assert.equal(
    editedBytes(closed, { op: "replace", from: 1, to: 1, content: "A" }).toString(),
    "A\nb\r\nc\r",
  );
  assert.equal(encoded({ ...document, text: Text.empty }).length, 0);
});

test("editing one line of a book changes other bytes of it", (t) => {
  for (const name of ["books/alice-in-wonderland.txt", "books/moby-dick.txt"]) {
    const path = testData(t, name);
    if (path === undefined) return;
    const bytes = readFileSync(path);
    const document = decoded(bytes);
    assert.deepEqual(document.format, { byteOrderMark: true, lineEnd: "\r\n" });
    assert.deepEqual(encoded(document), bytes);
    const total = countLines(document.text);
    for (const line of [1, Math.floor(total / 2), total]) {
      const { from, to } = byteRangeOfLine(bytes, line);
      const content = `Line ${line}, “rewritten” 😀`;
      const replaced = editedBytes(document, { op: "replace", from: line, to: line, content });
      assert.ok(replaced.subarray(0, from).equals(bytes.subarray(0, from)), "bytes before the line differ");
      assert.ok(
        replaced.subarray(-(bytes.length - to)).equals(bytes.subarray(to)),
        "bytes behind the line differ",
      );
      assert.equal(replaced.subarray(from, replaced.length - (bytes.length - to)).toString(), content);
      const deleted = editedBytes(document, { op: "delete", from: line, to: line });
      assert.deepEqual(deleted, Buffer.concat([bytes.subarray(0, from), bytes.subarray(to + 2)]));
      const inserted = editedBytes(document, { op: "insert", after: line, content: "one\ntwo" });
      const parts = [bytes.subarray(0, to + 2), Buffer.from("one\r\ntwo\r\n"), bytes.subarray(to + 2)];
      assert.deepEqual(inserted, Buffer.concat(parts));
    }
  }
});

/** The bytes of a line of a CRLF file, without its end, found without any of our code. */
function byteRangeOfLine(bytes: Buffer, line: number): { from: number; to: number } {
  let from = bytes.indexOf("\ufeff") === 0 ? 3 : 0;
  for (let passed = 1; passed < line; passed += 1) from = bytes.indexOf("\r\n", from) + 2;
  return { from, to: bytes.indexOf("\r\n", from) };
}

test("half of an emoji is written to disk as a question mark", () => {
  const halves = ["\ud83d", "\ude00", "a\ud83d\nb", "\ude00\ud83d"];
  for (const half of halves) {
    const fault = encodeDocument({ text: Text.of(half.split("\n")), format: plainFormat });
    assert.ok(isFault(fault));
    assert.equal(fault.error, "unsupported_file_type");
    assert.match(fault.message, /half of a surrogate pair/);
    assert.equal(checkContent(half)?.error, "invalid_arguments");
  }
  assert.equal(checkContent("a\0b")?.error, "invalid_arguments");
  assert.equal(checkContent("whole 😀\r\n"), undefined);
});
