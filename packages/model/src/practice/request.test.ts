import { strict as assert } from "node:assert";
import { test } from "node:test";
import { requestOf } from "./request.ts";

/** Checks the fields that are given. */
function understands(text: string, expected: Readonly<Record<string, unknown>>): void {
  const request: Readonly<Record<string, unknown>> = { ...requestOf(text) };
  const found = Object.fromEntries(Object.keys(expected).map((key) => [key, request[key]]));
  assert.deepEqual(found, expected, text);
}

const novel = { kind: "files", names: ["novel.md"] };

test("a replacement is understood in both languages, with its scope", () => {
  const mara = { kind: "replace", from: "Mara", to: "Nora" };
  understands("Replace Mara with Nora in novel.md", { ...mara, scope: novel, language: "en" });
  understands("Please rename “Mara” to 'Nora' everywhere.", { ...mara, scope: { kind: "all" } });
  understands("In `novel.md` replace the word Mara by Nora", { ...mara, scope: novel });
  understands("Could you rename the character Mara to Nora in all files?", {
    ...mara,
    scope: { kind: "all" },
  });
  understands("rename Mara to Nora", { ...mara, scope: { kind: "unsaid" }, isWholeWord: true });
  understands("rename Mara to Nora in the notes folder", {
    ...mara,
    scope: { kind: "folder", prefix: "notes" },
  });
  understands("replace Mara with Nora in novel.md and notes/a.md", {
    ...mara,
    scope: { kind: "files", names: ["novel.md", "notes/a.md"] },
  });
  understands("replace foo.js with bar.js in notes.md", { from: "foo.js", to: "bar.js" });
  understands("replace cat with dog in novel.md, also inside words", { to: "dog", isWholeWord: false });
  understands("replace cat with dog in novel.md ignoring case", { to: "dog", ignoresCase: true });
  understands("remove the word very from novel.md", { kind: "replace", from: "very", to: "", scope: novel });
  understands("sửa 1 thành 2", { kind: "replace", from: "1", to: "2", language: "vi" });
  understands("đổi “biển” thành “hồ” trong tất cả các tệp", {
    from: "biển",
    to: "hồ",
    scope: { kind: "all" },
  });
  understands("đổi tên nhân vật Mara thành Nora trong bài viết này", { ...mara, scope: { kind: "front" } });
});

test("lines are named by number or by their end", () => {
  understands("append 'The end.' to novel.md", { kind: "insert", first: -1, text: "The end.", scope: novel });
  understands("Append The end. to novel.md", { text: "The end.", scope: novel });
  understands("append to novel.md: The end.\nReally.", { text: "The end.\nReally.", scope: novel });
  understands('add "Draft" to the top of novel.md', { kind: "insert", text: "Draft", first: 1 });
  understands('insert "x" after line 3 in novel.md', { text: "x", first: 4 });
  understands("delete lines 3-5 of novel.md", { kind: "delete", first: 3, last: 5, scope: novel });
  understands("delete the last line of novel.md", { first: -1, last: -1 });
  understands("replace line 4 in novel.md with BETA.", { kind: "set", first: 4, text: "BETA." });
  understands("sửa dòng 3 thành Xin chào trong a.md", { kind: "set", first: 3, text: "Xin chào" });
});

test("looking around and one command are understood", () => {
  understands("where is Tobias Hale mentioned?", { kind: "find", text: "Tobias Hale" });
  understands("which files mention 'radio'?", { kind: "find", text: "radio" });
  understands("List the files", { kind: "list" });
  understands("What files are there?", { kind: "list" });
  understands("outline of novel.md", { kind: "outline", scope: novel });
  understands("dàn ý của novel.md", { kind: "outline", scope: novel, language: "vi" });
  understands("tìm Mara", { kind: "find", text: "Mara", language: "vi" });
  understands("run `npm test; echo 1`", { kind: "command", command: "npm test; echo 1" });
  understands("run npm test.", { kind: "command", command: "npm test" });
});

test("what is not understood, unclear, or more than one wish is no request", () => {
  for (const text of [
    "Write me a poem",
    "run through the second chapter",
    "Run the tests",
    "replace lamp with light in the kitchen",
    "replace Mara with Nora in a.md, then create b.md",
    "rename Mara to Nora; delete line 3",
  ])
    assert.equal(requestOf(text), undefined, text);
});
