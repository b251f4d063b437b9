import { strict as assert } from "node:assert";
import { test } from "node:test";
import type { ToolCall } from "@stet/protocol/message";
import { type Played, play, tool, type Values } from "./rehearsal.ts";

const tools = [
  tool("search_paper", { query: "string", limit: "number" }),
  tool("get_context_lines", { lineNumber: "integer", before: "integer", after: "integer", ranges: "array" }),
  tool("write_append", { text: "string" }),
  tool("write_replace_line", { lineNumber: "number", text: "string", expected_rev: "number" }),
  tool("set_text", { text: "string" }),
  tool("clear_all", {}),
  tool("verify", {}),
];

type Intervene = (call: ToolCall, paper: Paper) => Values | undefined;

async function playOn(
  text: string,
  request: string,
  intervene?: Intervene,
  before?: Played["messages"],
): Promise<Played & { readonly text: string; readonly names: string[] }> {
  const paper = new Paper(text);
  const carryOut = (call: ToolCall) => intervene?.(call, paper) ?? paper.carryOut(call);
  const played = await play({ request, tools, carryOut, ...(before === undefined ? {} : { before }) });
  return { ...played, text: paper.text, names: played.calls.map(({ name }) => name) };
}

/** The tools as they answer, over one text. Lines count from 1; what follows a final line break is a line, too. */
class Paper {
  text: string;
  private readonly snapshot: string;

  constructor(text: string) {
    this.text = text;
    this.snapshot = text;
  }

  carryOut({ name, arguments: values }: ToolCall): Values {
    const lines = this.text.split("\n");
    switch (name) {
      case "search_paper": {
        const query = String(values.query).toLowerCase();
        const found = lines.flatMap((content, index) =>
          content.toLowerCase().includes(query) ? [{ line: index + 1, content }] : [],
        );
        const matches = Math.min(found.length, Number(values.limit));
        const results = found.slice(0, 5).map((line) => ({ match: line.content, lines: [line] }));
        const moreLines = found.slice(5, matches).map(({ line }) => line);
        return { success: true, matches, totalMatches: found.length, rev: 1, results, moreLines };
      }
      case "get_context_lines": {
        const ranges = Array.isArray(values.ranges) ? values.ranges : [];
        const numbers = lines.map((_, index) => index + 1);
        const shown = numbers.filter((line) => ranges.some(({ start, end }) => start <= line && line <= end));
        if (shown.length === 0 || ranges.length > 50)
          return { error: true, message: "Line number out of range." };
        const told = shown
          .slice(0, 400)
          .map((lineNumber) => ({ lineNumber, content: lines[lineNumber - 1] }));
        return { success: true, rows: lines.length, rev: 1, lines: told };
      }
      case "write_replace_line": {
        const line = Number(values.lineNumber);
        const text = String(values.text);
        if (text.includes("\n")) return { error: true, message: "Line text cannot contain newline" };
        if (line < 1 || line > lines.length) return { error: true, message: "Line number out of range." };
        this.text = lines.with(line - 1, text).join("\n");
        return { success: true, lineNumber: line, newRev: 2 };
      }
      case "write_append":
        this.text += String(values.text);
        return { success: true, appended: String(values.text).length, newRev: 2 };
      case "set_text":
        this.text = String(values.text);
        return { success: true, newLength: this.text.length, newRev: 2 };
      default: {
        const before = this.snapshot.split("\n");
        const added = lines.filter((line) => !before.includes(line)).length;
        const removed = before.filter((line) => !lines.includes(line)).length;
        return { success: true, diff: "", changes: { added, removed }, changed: added + removed > 0, rev: 2 };
      }
    }
  }
}

test("a replacement searches, looks, writes the line, verifies and answers", async () => {
  const { text, names, calls, answer, thoughts } = await playOn("1 2 4 3 34 34 2\nmột", "sửa 1 thành 2");
  assert.deepEqual(names, ["search_paper", "get_context_lines", "write_replace_line", "verify"]);
  assert.deepEqual(calls[1]?.arguments, { ranges: [{ start: 1, end: 1 }] });
  assert.deepEqual(calls[2]?.arguments, { lineNumber: 1, text: "2 2 4 3 34 34 2" });
  assert.equal(text, "2 2 4 3 34 34 2\nmột");
  assert.equal(
    answer,
    "Đã sửa “1” thành “2”: 1 chỗ, dòng 1. Kiểm tra: so với ban đầu, thêm 1 dòng, bớt 1 dòng.",
  );
  assert.match(thoughts.join(" "), /Tôi cần tìm “1”/);
});

test("every line that holds the text is written, and no other", async () => {
  const before = "a cat\ncatalogue\nCat\n  the cat's\nend\n";
  const { text, names, answer } = await playOn(before, "replace cat with dog in this paper");
  assert.equal(text, "a dog\ncatalogue\nCat\n  the dog's\nend\n");
  assert.equal(names.filter((name) => name === "write_replace_line").length, 2);
  assert.equal(names.at(-1), "verify");
  assert.match(
    answer,
    /replaced “cat” with “dog” 2 times, in lines 1 and 4\. Verified: .*2 lines added and 2 lines removed/,
  );
});

test("more lines than a turn has steps for are written as a whole", async () => {
  const before = Array.from({ length: 300 }, (_, index) => (index % 3 === 0 ? "cat" : `x ${index}`)).join(
    "\n",
  );
  const { text, names, answer } = await playOn(before, "replace cat with dog");
  assert.equal(text, before.replaceAll("cat", "dog"));
  assert.ok(names.length <= 14, names.join(" "));
  assert.equal(names.filter((name) => name === "set_text").length, 1);
  assert.match(answer, /“dog” 100 times/);
});

test("what is not there changes nothing, and nothing is verified", async () => {
  const { names, answer } = await playOn("catalogue\n", "sửa cat thành dog");
  assert.deepEqual(names, ["search_paper", "get_context_lines"]);
  assert.match(answer, /không tìm thấy “cat” như một từ riêng/);
  const none = await playOn("x", "replace cat with dog");
  assert.deepEqual(none.names, ["search_paper"]);
  assert.match(none.answer, /found no “cat”, so I changed nothing/);
});

test("text is appended to the end, whatever ends it", async () => {
  for (const [before, after] of [
    ["one", "one\nx"],
    ["one\n", "one\nx\n"],
    ["", "x"],
  ] as const) {
    const { text, names } = await playOn(before, 'append "x"');
    assert.equal(text, after);
    assert.deepEqual(names, ["get_context_lines", "write_append", "verify"]);
  }
});

test("lines in the middle are inserted and deleted by writing a short paper anew", async () => {
  const inserted = await playOn("one\ntwo\nthree\n", 'insert "x\ny" after line 1');
  assert.equal(inserted.text, "one\nx\ny\ntwo\nthree\n");
  assert.deepEqual(inserted.names, ["get_context_lines", "set_text", "verify"]);
  assert.match(
    inserted.answer,
    /I added 2 lines to the paper, as line 2.*Verified: .*2 lines added and 0 lines removed/,
  );
  assert.equal((await playOn("one\ntwo\nthree", "delete line 2")).text, "one\nthree");
  assert.equal((await playOn("one\ntwo\nthree\n", "xóa dòng 1 đến 2")).text, "three\n");
  const line = await playOn("one\ntwo\n", "sửa dòng 2 thành zwei");
  assert.equal(line.text, "one\nzwei\n");
  assert.deepEqual(line.names, ["get_context_lines", "write_replace_line", "verify"]);
});

test("a long paper is not written anew, and that is said", async () => {
  const long = `${Array.from({ length: 1_000 }, (_, index) => `line ${index} ${"x".repeat(80)}`).join("\n")}\n`;
  const refused = await playOn(long, 'insert "x" after line 500');
  assert.equal(refused.text, long);
  assert.equal(refused.names.includes("set_text") || refused.names.includes("verify"), false);
  assert.match(refused.answer, /could not change the paper: This moves lines.*append to it/);
  assert.equal((await playOn(long, 'append "x"')).text, `${long}x\n`);
  assert.equal((await playOn(long, "replace line 500 with x")).text.split("\n")[499], "x");
});

test("neighbouring lines are written as a whole, too", async () => {
  const before = Array.from({ length: 40 }, (_, index) => `cat ${index}`).join("\n");
  const { text, names, answer } = await playOn(before, "replace cat with dog");
  assert.equal(text, before.replaceAll("cat", "dog"));
  assert.equal(names.filter((name) => name === "set_text").length, 1);
  assert.match(answer, /“dog” 40 times/);
});

test("a long paper with many places is gone through in several turns, each with an answer", async () => {
  let text = Array.from({ length: 2_000 }, (_, index) => (index % 100 === 0 ? "cat" : `x ${index}`)).join(
    "\n",
  );
  const wanted = text.replaceAll("cat", "dog");
  const first = await playOn(text, "replace cat with dog");
  assert.ok(first.names.length <= 14, first.names.join(" "));
  assert.match(first.answer, /11 times.*Not everything went through: the tool calls .*“go on”.*Verified/);
  text = first.text;
  const second = await playOn(text, "go on", undefined, first.messages);
  assert.equal(second.text, wanted);
  assert.match(second.answer, /9 times/);
});

test("a line that changed meanwhile is found again", async () => {
  let isChanged = false;
  const { text, answer } = await playOn("one\ncat\n", "replace cat with dog", (call, paper) => {
    if (call.name !== "write_replace_line" || isChanged) return undefined;
    isChanged = true;
    paper.text = `zero\n${paper.text}`;
    return { error: true, message: "Lines have moved.", suggestion: "Look again.", current: [] };
  });
  assert.equal(text, "zero\none\ndog\n");
  assert.match(answer, /replaced “cat” with “dog” 1 time/);
});

test("a refusal is told, with what was done before it", async () => {
  const refuse: Intervene = (call) =>
    call.arguments.lineNumber === 2
      ? { error: true, message: "Line text must not contain line prefix" }
      : undefined;
  const { text, answer, names } = await playOn("cat\ncat | x\n", "replace cat with 1", refuse);
  assert.equal(text, "1\ncat | x\n");
  assert.match(answer, /1 time.*Not everything went through: Line text must not contain line prefix/);
  assert.equal(names.filter((name) => name === "verify").length, 1);
});

test("finding and counting need no file name", async () => {
  const text = Array.from({ length: 12 }, (_, index) => `cat ${index}`).join("\n");
  const found = await playOn(text, "find cat");
  assert.match(found.answer, /“cat” in 12 lines of the paper:\n- line 1: cat 0/);
  assert.match((await playOn(text, "count the words")).answer, /the paper has 24 words/);
  const outline = await playOn("# A\n\n## B\n", "dàn ý");
  assert.match(outline.answer, /- A \(line 1\)\n {2}- B \(line 3\)/);
  assert.match((await playOn(text, "who are the characters?")).answer, /no tool here.*toolset tabs/i);
});
