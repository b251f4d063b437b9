import { strict as assert } from "node:assert";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { linesOf, rehearse } from "./rehearsal.ts";

const example = join(import.meta.dirname, "../../../../examples/lighthouse");
const lighthouse: Readonly<Record<string, string>> = Object.fromEntries(
  readdirSync(example, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path.slice(example.length + 1).replaceAll("\\", "/"), readFileSync(path, "utf8")]),
);

function textOf(files: ReadonlyMap<string, string> | Readonly<Record<string, string>>, path: string): string {
  const text = files instanceof Map ? files.get(path) : Reflect.get(files, path);
  assert.equal(typeof text, "string", path);
  return String(text);
}

test("a rename in all files changes every whole word and nothing else", async () => {
  const { files, answer, calls } = await rehearse({
    request: "Rename Mara to Nora in all files",
    files: lighthouse,
  });
  for (const [path, text] of Object.entries(lighthouse)) {
    assert.equal(files.get(path), text.replaceAll(/\bMara\b/g, "Nora"), path);
  }
  assert.match(answer, /replaced “Mara” with “Nora” 21 times in 5 files/);
  assert.match(answer, /novel\.md \(\d+\)/);
  assert.match(answer, /none is left/);
  assert.equal(calls[0]?.name, "search_project");
  assert.equal(calls.at(-1)?.name, "search_project");
});

test("possessive and hyphenated forms follow, longer words stay", async () => {
  const files = { "a.md": "Mara's lamp, a Mara-like Mara.\nMarathon, ToMara, Mara_x\n\nmara\n" };
  const played = await rehearse({ request: "replace Mara with Nora in a.md", files });
  assert.equal(
    textOf(played.files, "a.md"),
    "Nora's lamp, a Nora-like Nora.\nMarathon, ToMara, Mara_x\n\nmara\n",
  );
  assert.match(played.answer, /3 times in 1 file: a\.md \(3\)/);
});

test("neighbouring lines are one edit, others are their own", async () => {
  const files = { "a.md": "x\ncat\ncat\ny\ncat\n" };
  const { calls } = await rehearse({ request: "change cat to dog in a.md", files });
  const edits = calls
    .filter(({ name }) => name === "edit_file")
    .map((call) => [call.arguments.start_line, call.arguments.end_line]);
  assert.deepEqual(edits, [
    [5, 5],
    [2, 3],
  ]);
});

test("a replacement that holds the old text is made once", async () => {
  const played = await rehearse({
    request: 'replace "Mara" with "Mara Voss" in a.md',
    files: { "a.md": "Mara\n\nMara\n" },
  });
  assert.equal(textOf(played.files, "a.md"), "Mara Voss\n\nMara Voss\n");
});

test("a file is found by the words of its name", async () => {
  const { files, answer } = await rehearse({
    request: "replace Mara with Nora in the timeline",
    files: lighthouse,
  });
  assert.equal(textOf(files, "notes/timeline.md").includes("Mara"), false);
  assert.equal(files.get("novel.md"), lighthouse["novel.md"]);
  assert.match(answer, /notes\/timeline\.md/);
});

test("words behind the text that name no file belong to the text", async () => {
  const { files } = await rehearse({
    request: "replace lamp with light in the kitchen",
    files: { "a.md": "The lamp.\n", "b.md": "" },
  });
  assert.equal(textOf(files, "a.md"), "The light in the kitchen.\n");
});

test("removed words leave no double space", async () => {
  const { files } = await rehearse({
    request: "remove the word very from a.md",
    files: { "a.md": "a very good day, very\nvery well\n" },
  });
  assert.equal(textOf(files, "a.md"), "a good day,\nwell\n");
});

test("Vietnamese requests are answered in Vietnamese", async () => {
  const files = { "a.md": "số 1, số 10\nbiển đèn\n" };
  const one = await rehearse({ request: "sửa 1 thành 2", files });
  assert.equal(textOf(one.files, "a.md"), "số 2, số 10\nbiển đèn\n");
  assert.match(one.answer, /^Đã đổi “1” thành “2”: 1 chỗ trong 1 tệp/);
  const two = await rehearse({ request: "đổi biển thành hồ trong a.md", files });
  assert.equal(textOf(two.files, "a.md"), "số 1, số 10\nhồ đèn\n");
  const none = await rehearse({ request: "đổi sông thành hồ trong a.md", files });
  assert.match(none.answer, /không tìm thấy “sông”/);
});

test("text is added at the end, the start, after a line and under a heading", async () => {
  const files = { "a.md": "# A\n\none\n\n## B\n\ntwo\n" };
  const after = async (request: string) => textOf((await rehearse({ request, files })).files, "a.md");
  assert.equal(await after('append "three" to a.md'), "# A\n\none\n\n## B\n\ntwo\nthree\n");
  assert.equal(await after("append to a.md: three\nfour"), "# A\n\none\n\n## B\n\ntwo\nthree\nfour\n");
  assert.equal(await after('prepend "zero" to a.md'), "zero\n# A\n\none\n\n## B\n\ntwo\n");
  assert.equal(await after('insert "x" after line 3 in a.md'), "# A\n\none\nx\n\n## B\n\ntwo\n");
  assert.equal(await after('insert "x" before line 3 in a.md'), "# A\n\nx\none\n\n## B\n\ntwo\n");
  assert.equal(await after('insert "x" after the heading "B"'), "# A\n\none\n\n## B\nx\n\ntwo\n");
  assert.equal(
    await after('insert "x" before the line that contains "two" in a.md'),
    "# A\n\none\n\n## B\n\nx\ntwo\n",
  );
});

test("an empty file and a file without a last line break take an insertion", async () => {
  const files = { "empty.md": "", "open.md": "one" };
  const { files: one } = await rehearse({ request: 'append "x" to empty.md', files });
  assert.equal(textOf(one, "empty.md"), "x\n");
  const { files: two } = await rehearse({ request: 'append "x" to open.md', files });
  assert.equal(textOf(two, "open.md"), "one\nx");
});

test("an insertion goes through whichever line its hash is checked against", async () => {
  const files = { "a.md": "one\ntwo\nthree\n" };
  const { files: after, answer } = await rehearse({
    request: 'insert "x" after line 1 in a.md',
    files,
    insertionHash: "before",
  });
  assert.equal(textOf(after, "a.md"), "one\nx\ntwo\nthree\n");
  assert.match(answer, /I added 1 line to a\.md/);
});

test("lines are deleted by number, from the end and by content", async () => {
  const files = { "a.md": "one\ntwo TODO\nthree\nfour TODO\nfive\n" };
  const after = async (request: string) => textOf((await rehearse({ request, files })).files, "a.md");
  assert.equal(await after("delete lines 2 to 4 in a.md"), "one\nfive\n");
  assert.equal(await after("Remove line 1 from a.md."), "two TODO\nthree\nfour TODO\nfive\n");
  assert.equal(await after("delete the last two lines of a.md"), "one\ntwo TODO\nthree\n");
  assert.equal(await after("delete all lines containing TODO in a.md"), "one\nthree\nfive\n");
  assert.equal(await after("delete the line that contains three"), "one\ntwo TODO\nfour TODO\nfive\n");
  const beyond = await rehearse({ request: "delete lines 4 to 9 in a.md", files });
  assert.match(beyond.answer, /a\.md has 5 lines; there is no line 9/);
  assert.deepEqual(Object.fromEntries(beyond.files), files);
});

test("one line is rewritten", async () => {
  const files = { "a.md": "one\ntwo\n" };
  const { files: after, answer } = await rehearse({ request: "replace line 2 of a.md with 'zwei'", files });
  assert.equal(textOf(after, "a.md"), "one\nzwei\n");
  assert.match(answer, /from “two” to “zwei”/);
});

test("find names files and lines", async () => {
  const { answer } = await rehearse({ request: "Where is Tobias Hale mentioned?", files: lighthouse });
  assert.match(answer, /“Tobias Hale” in 7 lines of 5 files/);
  assert.match(answer, /- notes\/characters\.md:7: ## Tobias Hale/);
  const lower = await rehearse({ request: "find tobias", files: lighthouse });
  assert.match(lower.answer, /found “Tobias”/);
  const none = await rehearse({ request: "find dragons", files: lighthouse });
  assert.match(none.answer, /found no “dragons” in any file/);
});

test("files are listed and outlined", async () => {
  const list = await rehearse({ request: "list files", files: lighthouse });
  assert.match(list.answer, /There are 10 files here:\n- README\.md\n- book\.yaml/);
  const notes = await rehearse({ request: "list the files in the notes folder", files: lighthouse });
  assert.match(notes.answer, /There are 3 files in notes/);
  const shown = await rehearse({ request: "show book.yaml", files: lighthouse });
  assert.match(shown.answer, /book\.yaml \(33 lines\):\n\ntitle: The Keeper/);
  const outline = await rehearse({ request: "outline of the novel", files: lighthouse });
  assert.match(
    outline.answer,
    /- The Keeper of Orrin Point \(line 1\)\n {2}- Chapter 1: The Lamp \(line 3\)/,
  );
  const code = await rehearse({ request: "outline tools/count-words.js", files: lighthouse });
  assert.match(code.answer, /- chaptersOf \(line 5\)\n- countWords/);
  const data = await rehearse({ request: "outline book.yaml", files: lighthouse });
  assert.match(data.answer, /- title \(line 1\)/);
});

test("a summary is made of the text's own sentences", async () => {
  const { answer } = await rehearse({ request: "summarise novel.md", files: lighthouse });
  const sentences = answer
    .split("\n")
    .slice(1)
    .map((line) => line.slice(2));
  assert.ok(sentences.length >= 3 && sentences.length <= 5);
  for (const sentence of sentences) assert.ok(textOf(lighthouse, "novel.md").includes(sentence), sentence);
  assert.match(sentences[0] ?? "", /^Mara Voss climbed/);
});

test("words, lines, occurrences and files are counted", async () => {
  const says = async (request: string) => (await rehearse({ request, files: lighthouse })).answer;
  const novel = textOf(lighthouse, "novel.md");
  assert.equal(
    await says("count the words in novel.md"),
    `novel.md has ${novel.match(/\S+/g)?.length.toLocaleString("en")} words.`,
  );
  assert.equal(
    await says("How many lines does novel.md have?"),
    `novel.md has ${linesOf(novel).length} lines.`,
  );
  assert.match(await says("how many times does Mara occur?"), /“Mara” occurs 21 times in 5 files/);
  assert.match(await says("how often is Mara mentioned in novel.md"), /“Mara” occurs 13 times in novel\.md/);
  assert.equal(await says("how many files are there?"), "There are 10 files.");
  assert.match(await says("count the words in all files"), /There are [\d,]+ words in 10 files/);
  assert.match(await says("count 'dragons'"), /does not occur in any file/);
});

test("white space is fixed in running text and left alone where it has a meaning", async () => {
  const files = { "a.md": "one  two \n    code  x\n| a  | b |\n```\nx  y\n```\nthree\t\n", "b.md": "fine\n" };
  const { files: after, answer } = await rehearse({
    request: "fix trailing whitespace and double spaces in all files",
    files,
  });
  assert.equal(textOf(after, "a.md"), "one two\n    code  x\n| a  | b |\n```\nx  y\n```\nthree\n");
  assert.match(answer, /fixed white space in 2 lines of 1 file: a\.md \(2\)/);
  assert.match(answer, /read the result again/);
  const clean = await rehearse({ request: "remove trailing white space in b.md", files });
  assert.match(clean.answer, /found no trailing white space in b\.md/);
});

test("heading levels change, within their bounds and outside fences", async () => {
  const files = { "a.md": "# A\n\n## B\n```\n# code\n```\n###### F\n" };
  const after = async (request: string) => textOf((await rehearse({ request, files })).files, "a.md");
  assert.equal(await after("demote all headings in a.md"), "## A\n\n### B\n```\n# code\n```\n###### F\n");
  assert.equal(await after("promote the headings in a.md"), "# A\n\n# B\n```\n# code\n```\n##### F\n");
  assert.equal(
    await after("change level 2 headings to level 4 in a.md"),
    "# A\n\n#### B\n```\n# code\n```\n###### F\n",
  );
  assert.equal(
    await after('demote the heading "A" in a.md by two levels'),
    "### A\n\n## B\n```\n# code\n```\n###### F\n",
  );
});

test("two wishes are carried out one after the other", async () => {
  const request = 'replace cat with dog in a.md, then append "The end." to a.md';
  const { files, answer } = await rehearse({ request, files: { "a.md": "cat\n" } });
  assert.equal(textOf(files, "a.md"), "dog\nThe end.\n");
  assert.match(answer, /replaced[\s\S]*\n\nI added/);
});

test("anything else is answered with what it can do and how to connect a real model", async () => {
  for (const request of ["Write a poem about the sea", "hello", "viết cho tôi một bài thơ"]) {
    const { answer, calls } = await rehearse({ request, files: lighthouse });
    assert.equal(calls.length, 0);
    for (const name of [
      "OPENAI_API_KEY",
      "ANTHROPIC_API_KEY",
      "GEMINI_API_KEY",
      "openai-compatible/NAME",
      "OPENAI_BASE_URL",
      "stet models",
    ]) {
      assert.ok(answer.includes(name), name);
    }
  }
  const rename = await rehearse({ request: "rename novel.md to book.md", files: lighthouse });
  assert.match(rename.answer, /no tool that renames a file/);
});

test("what was rejected before is not taken for what is asked now", async () => {
  const played = await rehearse({
    request:
      'Where is Mara mentioned?\n\n[The person rejected 1 of your changes: a.md: not "The Elias, a boat", keep "The Tobias, a boat"]',
    files: { "a.md": "Mara came.\n" },
  });
  assert.match(played.answer, /Mara/);
  assert.doesNotMatch(played.answer, /Elias/);
});
