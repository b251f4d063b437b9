import { strict as assert } from "node:assert";
import { test } from "node:test";
import { requestsOf } from "./request.ts";

/** Checks the fields that are given. */
function understands(text: string, expected: Readonly<Record<string, unknown>>): void {
  const requests = requestsOf(text);
  assert.equal(requests?.length, 1, `“${text}” gives ${JSON.stringify(requests)}`);
  const [request] = requests;
  const shown = Object.fromEntries(
    Object.keys(expected).map((key) => [key, request?.[key as keyof typeof request]]),
  );
  assert.deepEqual(shown, expected, text);
}

const novel = { kind: "file", name: "novel.md" };
const all = { kind: "all" };
const unsaid = { kind: "unsaid" };

test("a replacement is understood in many phrasings", () => {
  const mara = { kind: "replace", from: "Mara", to: "Nora" };
  understands("Replace Mara with Nora in novel.md", { ...mara, scope: novel });
  understands('replace "Mara" with "Nora" in novel.md', { ...mara, scope: novel });
  understands("Please rename Mara to Nora everywhere.", { ...mara, scope: all });
  understands("Could you rename the character Mara to Nora in all files?", { ...mara, scope: all });
  understands("change every Mara into Nora", { ...mara, scope: all });
  understands("In novel.md, change Mara to Nora.", { ...mara, scope: novel });
  understands("In `novel.md` replace 'Mara' by 'Nora'", { ...mara, scope: novel });
  understands("replace all occurrences of “Mara” with “Nora” throughout the project", {
    ...mara,
    scope: all,
  });
  understands("rename Mara to Nora (whole words only) in the whole book", { ...mara, scope: all });
  understands("rename Mara to Nora", { ...mara, scope: unsaid });
  understands("Mara should be called Nora in every file", { ...mara, scope: all });
  understands("I want you to replace Mara with Nora in the notes folder", {
    ...mara,
    scope: { kind: "folder", prefix: "notes" },
  });
  understands("rename Mara to Nora in notes/", { ...mara, scope: { kind: "folder", prefix: "notes" } });
  understands("replace Mara Voss with Nora Vane in notes/characters.md", {
    from: "Mara Voss",
    to: "Nora Vane",
    scope: { kind: "file", name: "notes/characters.md" },
  });
  understands("replace Mara with Nora in novel.md and notes/a.md", {
    ...mara,
    scope: { kind: "files", names: ["novel.md", "notes/a.md"] },
  });
  understands("in `a.md`, b.md and in c.md rename Mara to Nora", {
    ...mara,
    scope: { kind: "files", names: ["a.md", "b.md", "c.md"] },
  });
  understands("In the timeline, rename Mara to Nora", { ...mara, scope: { kind: "file", name: "timeline" } });
  understands("fix the typo Mara -> Nora in novel.md", { ...mara, scope: novel });
  understands("s/Mara/Nora/ in novel.md", { ...mara, scope: novel });
  understands("Change Mara's name to Nora in novel.md", { ...mara, scope: novel });
  understands("replace lamp with light in the kitchen", {
    from: "lamp",
    to: "light in the kitchen",
    guess: { to: "light", name: "kitchen" },
  });
  understands("Change 'the old man's coat' to 'a coat' in novel.md", {
    from: "the old man's coat",
    to: "a coat",
  });
  understands("replace foo.js with bar.js in notes.md", { from: "foo.js", to: "bar.js" });
  understands("replace cat with dog in novel.md, also inside words", { isWholeWord: false, scope: novel });
  understands("replace cat with dog in novel.md ignoring case", { ignoresCase: true, to: "dog" });
  understands("remove the word very from novel.md", { kind: "replace", from: "very", to: "", scope: novel });
});

test("Vietnamese replacements are understood", () => {
  understands("sửa 1 thành 2", { kind: "replace", from: "1", to: "2", language: "vi" });
  understands("Hãy đổi Mara thành Nora trong novel.md", {
    from: "Mara",
    to: "Nora",
    scope: novel,
    language: "vi",
  });
  understands("đổi “biển” thành “hồ” trong tất cả các tệp", { from: "biển", to: "hồ", scope: all });
  understands("sửa từ đèn thành lửa ở mọi nơi", { from: "đèn", to: "lửa", scope: all });
  understands("sửa dòng 3 thành Xin chào trong a.md", { kind: "setLine", line: 3, text: "Xin chào" });
});

test("insertions say what, and where", () => {
  const end = { kind: "end" };
  understands("append 'The end.' to novel.md", {
    kind: "insert",
    text: "The end.",
    place: end,
    scope: novel,
  });
  understands("Append The end. to novel.md", { text: "The end.", place: end, scope: novel });
  understands('add a line "The end." at the end of novel.md', { text: "The end.", place: end, scope: novel });
  understands("append to novel.md: The end.\nReally.", {
    text: "The end.\nReally.",
    place: end,
    scope: novel,
  });
  understands('prepend "Draft" to novel.md', { text: "Draft", place: { kind: "start" }, scope: novel });
  understands('add "Draft" to the top of novel.md', {
    text: "Draft",
    place: { kind: "start" },
    scope: novel,
  });
  understands('insert "x" after line 3 in novel.md', {
    text: "x",
    place: { kind: "line", line: 3, side: "after" },
  });
  understands('insert "x" before line 3 of novel.md', {
    place: { kind: "line", line: 3, side: "before" },
    scope: novel,
  });
  understands('insert "x" under the heading "Tobias Hale" in notes/characters.md', {
    place: { kind: "heading", title: "Tobias Hale", side: "after" },
  });
  understands('insert "x" after the heading Chapter 2 in novel.md', {
    text: "x",
    place: { kind: "heading", title: "Chapter 2", side: "after" },
    scope: novel,
  });
  understands('insert "x" after the line that contains "buoy" in novel.md', {
    place: { kind: "text", text: "buoy", side: "after" },
  });
  understands('insert "x" after the heading Chapter 1: The Lamp in novel.md', {
    text: "x",
    place: { kind: "heading", title: "Chapter 1: The Lamp", side: "after" },
  });
  understands("add Night three to the timeline", {
    text: "Night three",
    scope: { kind: "file", name: "timeline" },
  });
  understands("In the timeline, add '- Night three' at the end", {
    text: "- Night three",
    place: end,
    scope: { kind: "file", name: "timeline" },
  });
  understands('In novel.md, append "x"', { text: "x", place: end, scope: novel });
  understands('append "x" to the timeline', { text: "x", scope: { kind: "file", name: "timeline" } });
});

test("deletions name lines by number, end or content", () => {
  const range = (first: number, last: number) => ({ kind: "range", first, last });
  understands("delete lines 3 to 5 in novel.md", { kind: "delete", lines: range(3, 5), scope: novel });
  understands("Remove line 7 from novel.md.", { lines: range(7, 7), scope: novel });
  understands("delete lines 3-5 of novel.md", { lines: range(3, 5) });
  understands("Delete the second line of novel.md", { lines: range(2, 2), scope: novel });
  understands("delete the last line of novel.md", { lines: range(-1, -1) });
  understands("delete the first two lines of novel.md", { lines: range(1, 2) });
  understands("xóa dòng 2 đến 4 trong novel.md", { lines: range(2, 4), scope: novel });
  understands("delete the line that contains buoy in novel.md", {
    lines: { kind: "containing", text: "buoy", isEvery: false },
  });
  understands('remove all lines containing "TODO" from novel.md', {
    lines: { kind: "containing", text: "TODO", isEvery: true },
  });
});

test("looking and counting are understood", () => {
  understands("find Mara", { kind: "find", query: "Mara" });
  understands("where is Tobias Hale mentioned?", { kind: "find", query: "Tobias Hale" });
  understands("Where does the letter appear?", { kind: "find", query: "the letter" });
  understands("which files mention 'radio'?", { kind: "find", query: "radio" });
  understands("search for lamp in novel.md", { kind: "find", query: "lamp", scope: novel });
  understands("tìm Mara", { kind: "find", query: "Mara" });
  understands("list files", { kind: "list" });
  understands("what's in this project?", { kind: "list" });
  understands("What files are there?", { kind: "list" });
  understands("list the files in the notes folder", {
    kind: "list",
    scope: { kind: "folder", prefix: "notes" },
  });
  understands("show me novel.md", { kind: "show", scope: novel });
  understands("outline of novel.md", { kind: "outline", scope: novel });
  understands("show me the headings of the novel", {
    kind: "outline",
    scope: { kind: "file", name: "novel" },
  });
  understands("summarise novel.md", { kind: "summarise", scope: novel });
  understands("Give me a short summary of the timeline.", {
    kind: "summarise",
    scope: { kind: "file", name: "timeline" },
  });
  understands("What is novel.md about?", { kind: "summarise", scope: novel });
  understands("count the words in novel.md", { kind: "count", what: "words", scope: novel });
  understands("how many words does novel.md have?", { kind: "count", what: "words", scope: novel });
  understands("how many lines are in the timeline?", {
    kind: "count",
    what: "lines",
    scope: { kind: "file", name: "timeline" },
  });
  understands("How many times does Mara occur in novel.md?", {
    kind: "count",
    what: { text: "Mara" },
    scope: novel,
  });
  understands("how often is Tobias mentioned?", { kind: "count", what: { text: "Tobias" } });
  understands("count occurrences of 'lamp'", { kind: "count", what: { text: "lamp" } });
  understands("how many files are there?", { kind: "count", what: "files" });
});

test("white space and headings are understood", () => {
  understands("fix trailing whitespace in novel.md", {
    kind: "tidy",
    isTrailing: true,
    isDouble: false,
    scope: novel,
  });
  understands("remove trailing white space and double spaces everywhere", {
    isTrailing: true,
    isDouble: true,
    scope: all,
  });
  understands("Fix double spaces in the timeline", {
    isDouble: true,
    isTrailing: false,
    scope: { kind: "file", name: "timeline" },
  });
  understands("clean up the whitespace in all files", { isTrailing: true, isDouble: true, scope: all });
  understands("demote all headings in novel.md", {
    kind: "headings",
    change: { to: { by: 1 } },
    scope: novel,
  });
  understands("promote the headings of novel.md by two levels", { change: { to: { by: -2 } }, scope: novel });
  understands("make the headings in novel.md one level deeper", { change: { to: { by: 1 } }, scope: novel });
  understands("change level 2 headings to level 3 in novel.md", {
    change: { level: 2, to: { level: 3 } },
    scope: novel,
  });
  understands("make all headings in novel.md level 2", { change: { to: { level: 2 } }, scope: novel });
  understands("turn ## into ### in novel.md", { change: { level: 2, to: { level: 3 } }, scope: novel });
  understands('change the heading "The boy" to level 3 in notes/characters.md', {
    change: { title: "The boy", to: { level: 3 } },
  });
  understands('demote the heading "The boy" in notes/characters.md', {
    change: { to: { by: 1 }, title: "The boy" },
  });
});

test("two wishes joined by then are two requests", () => {
  const kinds = (text: string) => requestsOf(text)?.map(({ kind }) => kind);
  assert.deepEqual(kinds("Replace 'a' with 'b' in x.md and append 'End' to x.md"), ["replace", "insert"]);
  assert.deepEqual(kinds("find a and replace it with b in x.md"), ["replace"]);
  assert.deepEqual(kinds("find and replace a with b in x.md"), ["replace"]);
  assert.equal(kinds("replace 'a' with 'b' in x.md and sing 'c'"), undefined);
  const requests = requestsOf('Replace "a then b" with "c" in novel.md, then append "x" to novel.md');
  assert.deepEqual(
    requests?.map(({ kind }) => kind),
    ["replace", "insert"],
  );
});

test("characters of a story are told apart from text", () => {
  const ahab = { kind: "replace", from: "Ahab", to: "Captain John", isCharacter: true };
  understands("rename the character Ahab to Captain John", ahab);
  understands("đổi tên nhân vật Ahab thành Captain John", { ...ahab, language: "vi" });
  understands("Hãy đổi tên nhân vật “Ahab” thành “Captain John” trong story.md", {
    ...ahab,
    scope: { kind: "file", name: "story.md" },
  });
  understands("rename Ahab to Captain John", { ...ahab, isCharacter: false });
  understands("replace the character ; with ,", { from: ";", isCharacter: false });
});

test("the document in front may be meant by a word", () => {
  const current = { kind: "current" };
  understands("Change John to James in this story", { from: "John", to: "James", scope: current });
  understands("replace all John with James in the document", { to: "James", scope: current });
  understands("sửa 1 thành 2 trong bài viết", { from: "1", to: "2", scope: current });
  understands("summarise this document", { kind: "summarise", scope: current });
  understands("tóm tắt tài liệu này", { kind: "summarise", scope: current });
  understands("how many words does this story have?", { kind: "count", what: "words", scope: current });
  understands("append 'x' to this document", { kind: "insert", text: "x", scope: current });
  understands("rename Mara to Nora in all tabs", { scope: all });
  understands("change every Mara into Nora", { scope: all, isPlaced: false });
});

test("characters, plot, style and scenes are asked for", () => {
  const characters = { kind: "analyse", task: "characters" };
  understands("Who are the characters?", { ...characters, scope: unsaid });
  understands("list the main characters of novel.md", { ...characters, scope: novel });
  understands("Liệt kê các nhân vật trong novel.md", { ...characters, scope: novel });
  understands("nhân vật chính là ai?", characters);
  understands("what is the plot of novel.md?", { kind: "analyse", task: "plot", scope: novel });
  understands("describe the writing style", { kind: "analyse", task: "style" });
  understands("how many characters does novel.md have?", { kind: "count", what: "characters" });
  understands("find the scene where Alice meets the Queen", {
    kind: "findScene",
    description: "Alice meets the Queen",
  });
  understands("show me the passage about the storm in novel.md", {
    kind: "findScene",
    description: "the storm",
    scope: novel,
  });
  understands("tìm cảnh Alice gặp Nữ hoàng", { kind: "findScene", description: "Alice gặp Nữ hoàng" });
  understands('find the passage about "the old lamp"', { kind: "find", query: "the old lamp" });
});

test("another setting is no replacement of words", () => {
  const tokyo = { kind: "setting", from: "London", to: "Tokyo" };
  understands("Change this story from London to Tokyo", { ...tokyo, scope: unsaid });
  understands("move the setting from London to Tokyo in novel.md", { ...tokyo, scope: novel });
  understands("change the setting of this story from London to Tokyo", tokyo);
  understands("đổi bối cảnh từ London sang Tokyo", { ...tokyo, language: "vi" });
});

test("a new document has a title, and text where it is given", () => {
  understands("create a document poem.md", { kind: "create", title: "poem.md", text: "" });
  understands('create a new file "poem.md" with the text "Roses."', { title: "poem.md", text: "Roses." });
  understands("create a note todo.txt: buy milk", { title: "todo.txt", text: "buy milk" });
  understands('create src/a.ts with "let a;"', { kind: "create", title: "src/a.ts", text: "let a;" });
  understands("create notes.txt with the text Buy milk.", { title: "notes.txt", text: "Buy milk." });
  understands("create a.md:\n# A\n\nText.", { title: "a.md", text: "# A\n\nText." });
  understands("tạo tài liệu mới tho.md với nội dung “Hoa”", { kind: "create", title: "tho.md", text: "Hoa" });
});

test("what is not understood is not guessed at", () => {
  for (const text of [
    "find the scene where Alice fights the dragon and expand it",
    "create a document poem.md with a poem about the sea",
    "create poem.md with a poem about the sea",
    "create “suspense”",
    "Change the tone from formal to casual",
    "",
    "hello",
    "Write a poem about the sea",
    "What is the meaning of life?",
    "Make it more exciting",
    "Edit novel.md to be more exciting",
    "Add a scene about the storm to novel.md",
    "translate novel.md into French",
  ]) {
    assert.equal(requestsOf(text), undefined, text);
  }
});
