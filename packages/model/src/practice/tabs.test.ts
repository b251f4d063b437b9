import { strict as assert } from "node:assert";
import { test } from "node:test";
import { fault, heard, tool, user } from "./rehearsal.ts";
import { playInTabs } from "./rehearsal-tabs.ts";

const story = "# One\n\nAhab saw the whale.\nAhab's ship sank.\n\n# Two\n\nIshmael lived.\n";
const tabs = { "story.md": story, "notes.md": "Ahab is old.\n" };
/** More than is read for anything that a tool can do in one call. */
const book = `${Array.from({ length: 4_000 }, (_, index) =>
  index % 1_000 === 7 ? `# Chapter ${Math.ceil(index / 1_000)}` : `Line ${index} of a long book about Ahab.`,
).join("\n")}\n`;

const names = (calls: readonly { readonly name: string }[]) => calls.map(({ name }) => name);

test("text is replaced in the tab in front: previewed, then applied", async () => {
  const {
    answer,
    calls,
    tabs: after,
  } = await playInTabs({ request: "replace Ahab with Captain John", tabs });
  assert.deepEqual(names(calls), ["list_tabs", "find_and_replace", "find_and_replace"]);
  assert.deepEqual(
    calls.slice(1).map((call) => [call.arguments.preview, call.arguments.version, call.arguments.tab_id]),
    [
      [true, "1", "tab_1"],
      [undefined, "1", "tab_1"],
    ],
  );
  assert.equal(after.text("story.md"), story.replaceAll("Ahab", "Captain John"));
  assert.equal(after.text("notes.md"), tabs["notes.md"]);
  assert.match(answer, /replaced “Ahab” with “Captain John” 2 times in 1 tab: story\.md \(2\)/);
});

test("a tab is named by its title or its path, and all tabs are all", async () => {
  for (const name of ["notes.md", "documents/notes.md", "the notes"]) {
    const { tabs: after } = await playInTabs({ request: `replace Ahab with John in ${name}`, tabs });
    assert.equal(after.text("notes.md"), "John is old.\n", name);
    assert.equal(after.text("story.md"), story);
  }
  const every = await playInTabs({ request: "replace Ahab with John in all tabs", tabs });
  assert.match(every.answer, /3 times in 2 tabs: story\.md \(2\) and notes\.md \(1\)/);
  const current = await playInTabs({ request: "Change every Ahab to John in this story", tabs });
  assert.match(current.answer, /2 times in 1 tab: story\.md/);
  assert.match(
    (await playInTabs({ request: "replace every Ahab with John", tabs })).answer,
    /1 tab: story\.md/,
  );
  const none = await playInTabs({ request: "replace Ahab with John in poem.md", tabs });
  assert.match(none.answer, /no tab “poem\.md” here/);
});

test("what is not there is said with where it was looked for", async () => {
  const none = await playInTabs({ request: "replace Starbuck with Stubb", tabs });
  assert.match(none.answer, /found no “Starbuck” in story\.md, so I changed nothing/);
  const inside = await playInTabs({ request: "replace whal with fish", tabs });
  assert.match(inside.answer, /stands only inside longer words/);
  assert.deepEqual(names(inside.calls), ["list_tabs", "find_and_replace"]);
});

test("a version that is too old is looked up once, and the replacement repeated", async () => {
  let isChanged = false;
  const { answer, tabs: after } = await playInTabs({
    request: "replace Ahab with John",
    tabs,
    intervene: (call, now) => {
      if (call.name === "find_and_replace" && call.arguments.preview !== true && !isChanged) {
        isChanged = true;
        now.change("story.md", (text) => `New.\n${text}`);
      }
      return undefined;
    },
  });
  assert.equal(after.text("story.md"), `New.\n${story.replaceAll("Ahab", "John")}`);
  assert.match(answer, /2 times in 1 tab.*changed meanwhile/);
});

test("a removed word leaves no double space", async () => {
  const play = { request: "remove the word very", tabs: { "a.md": "a very good day, very\nvery well\n" } };
  const { tabs: after, answer } = await playInTabs(play);
  assert.equal(after.text("a.md"), "a good day,\nwell\n");
  assert.match(answer, /removed “very” 3 times in 1 tab/);
  const plain = await playInTabs({
    ...play,
    intervene: (call) =>
      call.arguments.is_regex === true ? fault("invalid_regex", "The pattern is too costly.") : undefined,
  });
  assert.match(plain.answer, /removed “very” 3 times.*spaces around it were left/);
});

test("a character is renamed by the toolset, in place and at the version that was seen", async () => {
  for (const request of [
    "rename the character Ahab to Captain John",
    "đổi tên nhân vật Ahab thành Captain John",
  ]) {
    const { answer, calls } = await playInTabs({
      request,
      tabs: { "book.md": book },
      intervene: (call) =>
        call.name === "transform_document"
          ? {
              status: "complete",
              result_tab_id: "tab_1",
              changes_made: 145,
              summary: "Renamed in 145 locations",
            }
          : undefined,
    });
    assert.deepEqual(names(calls), ["list_tabs", "transform_document"]);
    assert.deepEqual(calls[1]?.arguments, {
      transformation: "character_rename",
      params: { old_name: "Ahab", new_name: "Captain John", update_pronouns: false },
      output_mode: "in_place",
      version: "1",
      tab_id: "tab_1",
    });
    assert.match(answer, /145/);
    assert.match(answer, /^(?:I renamed the character|Đã đổi tên nhân vật)/);
  }
  const failed = await playInTabs({ request: "rename the character Ahab to John", tabs });
  assert.match(failed.answer, /That did not work in story\.md: No subagent.*replace “Ahab”/);
  assert.equal(failed.tabs.text("story.md"), story);
  const without = await playInTabs({
    request: "rename the character Ahab to John",
    tabs,
    without: ["transform_document"],
  });
  assert.match(without.answer, /2 times in 1 tab/);
});

test("another setting is the toolset's work, and doubts about places are passed on", async () => {
  const issues = Array.from({ length: 7 }, (_, line) => ({
    line,
    kind: "term_remains",
    message: "“London” remains.",
  }));
  const { answer, calls } = await playInTabs({
    request: "Change this story from London to Tokyo",
    tabs,
    intervene: (call) =>
      call.name === "transform_document"
        ? { status: "complete", changes_made: 3, summary: "Done.", issues }
        : undefined,
  });
  assert.deepEqual(calls.at(-1)?.arguments.params, {
    old_setting: "London",
    new_setting: "Tokyo",
    adapt_details: false,
  });
  assert.match(answer, /setting from “London” to “Tokyo”, by its name only, in story\.md \(3 changes\)/);
  assert.match(answer, /\n- line 1: “London” remains\..*\n…and 2 more\./s);
});

test("lines are inserted, deleted and rewritten", async () => {
  const after = async (request: string) => (await playInTabs({ request, tabs })).tabs.text("story.md");
  assert.equal(await after('append "The end."'), `${story}The end.\n`);
  assert.equal(await after('insert "x" after line 1'), story.replace("# One\n", "# One\nx\n"));
  assert.equal(await after('prepend "x"'), `x\n${story}`);
  assert.equal(
    await after('insert "x" under the heading "Two" in story.md'),
    story.replace("# Two\n", "# Two\nx\n"),
  );
  assert.equal(
    await after("delete lines 3 to 4"),
    story.replace("Ahab saw the whale.\nAhab's ship sank.\n", ""),
  );
  assert.equal(await after("replace line 8 with 'Ishmael died.'"), story.replace("lived", "died"));
  assert.equal(
    await after("delete the line that contains whale"),
    story.replace("Ahab saw the whale.\n", ""),
  );
});

test("an empty line stays a line", async () => {
  const { tabs: after } = await playInTabs({
    request: "fix trailing white space",
    tabs: { "a.md": "one \n  \ntwo\n" },
  });
  assert.equal(after.text("a.md"), "one\n\ntwo\n");
});

test("many edits are one", async () => {
  const text = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? "x " : "y")).join("\n");
  const { tabs: after, calls } = await playInTabs({
    request: "fix trailing white space",
    tabs: { "a.md": text },
  });
  assert.equal(after.text("a.md"), text.replaceAll("x ", "x"));
  assert.equal(names(calls).filter((name) => name === "replace_lines").length, 1);
});

test("a book is edited without being read", async () => {
  const play = (request: string) => playInTabs({ request, tabs: { "book.md": book } });
  const lines = book.split("\n");
  const replaced = await play("replace Ahab with John");
  assert.equal(replaced.tabs.text("book.md"), book.replaceAll("Ahab", "John"));
  const appended = await play('append "The end."');
  assert.equal(appended.tabs.text("book.md"), `${book}The end.\n`);
  const inserted = await play('insert "x" before line 2000');
  assert.equal(inserted.tabs.text("book.md"), lines.toSpliced(1_999, 0, "x").join("\n"));
  const headed = await play('insert "x" after the heading "Chapter 3"');
  assert.equal(headed.tabs.text("book.md"), lines.toSpliced(2_008, 0, "x").join("\n"));
  const deleted = await play("delete lines 10 to 20");
  assert.equal(deleted.tabs.text("book.md"), lines.toSpliced(9, 11).join("\n"));
  const byText = await play('delete the line that contains "Line 3999 "');
  assert.equal(byText.tabs.text("book.md"), lines.toSpliced(3_999, 1).join("\n"));
  const set = await play("replace line 5 with 'x'");
  assert.equal(set.tabs.text("book.md"), lines.toSpliced(4, 1, "x").join("\n"));
  assert.match(set.answer, /line 5 of book\.md from “Line 4 of a long book about Ahab\.” to “x”/);
  const beyond = await play("delete lines 3999 to 5000");
  assert.match(beyond.answer, /has 4,000 lines; there is no line 5000/);
  const counted = await play("how often is Ahab mentioned?");
  assert.match(counted.answer, /“Ahab” occurs 3,996 times in book\.md/);
  assert.equal(counted.tabs.text("book.md"), book);
  assert.equal((await play("how many lines does this document have?")).answer, "book.md has 4,000 lines.");
  for (const { calls } of [replaced, appended, inserted, headed, deleted, byText, set, counted])
    assert.ok(calls.length <= 4, names(calls).join(" "));
  const many = await play('delete all lines containing "long"');
  assert.match(many.answer, /3,996 times, which is more than one search shows me. I changed nothing/);
});

test("what needs every word is read page by page", async () => {
  const { answer } = await playInTabs({ request: "count the words", tabs: { "book.md": book } });
  assert.equal(answer, `book.md has ${book.match(/\S+/g)?.length.toLocaleString("en-US")} words.`);
  const spaced = book.repeat(2).replaceAll("Ahab.", "Ahab. ");
  const trimmed = await playInTabs({ request: "fix trailing white space", tabs: { "book.md": spaced } });
  assert.equal(trimmed.tabs.text("book.md"), book.repeat(2));
  assert.match(trimmed.answer, /trailing white space in 7,992 lines of book\.md/);
  const huge = await playInTabs({ request: "count the words", tabs: { "huge.md": book.repeat(10) } });
  assert.match(huge.answer, /more than I can read in one turn/);
});

test("outlines come from the tool, with lines as people count them", async () => {
  const { answer, calls } = await playInTabs({ request: "outline", tabs });
  assert.deepEqual(names(calls), ["list_tabs", "get_outline"]);
  assert.equal(answer, "story.md (8 lines):\n- One (line 1)\n- Two (line 6)");
});

test("a long document is summarised and analysed by subagents, a short one by its sentences", async () => {
  const result = {
    status: "complete",
    result_tab_id: "tab_3",
    summary: "Found 2 characters.",
    details: { characters: [{ name: "Ahab", mentions: 234, first_appearance: 5 }, { name: "Ishmael" }] },
  };
  const play = (request: string, text: string) =>
    playInTabs({
      request,
      tabs: { "book.md": text },
      intervene: (call) => (call.name === "analyze_document" ? result : undefined),
    });
  const long = await play("summarise this document", book);
  assert.deepEqual(long.calls.at(-1)?.arguments, { tab_id: "tab_1", task: "summary" });
  assert.match(
    long.answer,
    /The summary of book\.md: Found 2 characters\..*tab “book\.md - summary” \(tab_3\)/s,
  );
  const short = await play("summarise", story);
  assert.match(short.answer, /these sentences of book\.md/);
  for (const request of ["Who are the characters?", "các nhân vật là ai?"]) {
    const { answer, calls } = await play(request, story);
    assert.equal(calls.at(-1)?.arguments.task, "characters");
    assert.match(answer, /- Ahab \(234 mentions, first in line 6\)\n- Ishmael\n/);
  }
  const failed = await playInTabs({ request: "what is the plot?", tabs });
  assert.match(failed.answer, /could not get the plot of story\.md: No subagent/);
});

test("a scene is found by meaning, or by its words where that is not possible", async () => {
  const matches = [{ line: 2, score: 0.92, preview: "Ahab saw the whale." }];
  const { answer, calls } = await playInTabs({
    request: "find the scene where the captain meets the monster",
    tabs,
    intervene: (call) =>
      call.name === "search_document"
        ? { tab_id: "tab_1", version: "1", matches, total_matches: 1 }
        : undefined,
  });
  assert.equal(calls.at(-1)?.arguments.match_type, "semantic");
  assert.equal(calls.at(-1)?.arguments.query, "the captain meets the monster");
  assert.match(answer, /story\.md nearest in meaning.*:\n- line 3 \(92 %\): Ahab saw the whale\./s);
  const weak = await playInTabs({
    request: "find the scene where people drink tea",
    tabs,
    intervene: (call) =>
      call.name === "search_document"
        ? { matches: [{ line: 7, score: 0.2, preview: "Ishmael lived." }] }
        : undefined,
  });
  assert.match(weak.answer, /^No place is much like it\. The place/);
  const literal = await playInTabs({
    request: "find the scene where Ahab saw the whale",
    tabs,
    intervene: (call) =>
      call.arguments.match_type === "semantic"
        ? fault("embeddings_unavailable", "No embedding model is configured.")
        : undefined,
  });
  assert.match(literal.answer, /search by meaning is not possible here.*story\.md:3/s);
});

test("documents are created, tabs listed and searched", async () => {
  const made = await playInTabs({ request: 'create a document poem.md with the text "Roses"', tabs });
  assert.equal(made.tabs.text("poem.md"), "Roses");
  assert.match(made.answer, /created poem\.md in a new tab\. It has 1 line/);
  const again = await playInTabs({ request: "create a new document notes.md", tabs });
  assert.match(again.answer, /could not create notes\.md: A tab with the title/);
  const list = await playInTabs({ request: "which tabs are open?", tabs });
  assert.equal(list.answer, "There are 2 tabs here:\n- story.md\n- notes.md");
  const found = await playInTabs({ request: "find Ahab", tabs });
  assert.match(found.answer, /“Ahab” in 2 lines of 1 tab:\n- story\.md:3/);
  const everywhere = await playInTabs({ request: "which tabs mention Ahab?", tabs });
  assert.match(everywhere.answer, /3 lines of 2 tabs/);
});

test("two wishes use the versions that the first one left", async () => {
  const { tabs: after } = await playInTabs({
    request: 'replace Ahab with John, then append "The end."',
    tabs,
  });
  assert.equal(after.text("story.md"), `${story.replaceAll("Ahab", "John")}The end.\n`);
});

test("tabs of the same title are told apart by their paths", async () => {
  const twins = {
    tabs: [
      { tab_id: "t1", title: "a.md", path: "x/a.md", version: "4", is_active: true },
      { tab_id: "t2", title: "a.md", path: "y/a.md", version: "9" },
    ],
  };
  const seen: unknown[] = [];
  await playInTabs({
    request: "replace cat with dog in y/a.md",
    tabs: {},
    intervene: (call) => {
      if (call.name === "list_tabs") return twins;
      seen.push([call.arguments.tab_id, call.arguments.version]);
      return { tab_id: "t2", version: "9", matches_found: 0, replacements_made: 0, preview: [] };
    },
  });
  assert.deepEqual(seen, [["t2", "9"]]);
});

test("no tab at all is said", async () => {
  const { answer } = await playInTabs({ request: "replace cat with dog", tabs: {} });
  assert.match(answer, /No tab is open/);
});

test("asked as a subagent, it answers with the one tool that it is offered", async () => {
  const prompt = '<task>{"analyse":"characters"}</task>\n<document-a1>\n0| Then Ahab spoke.\n</document-a1>';
  const message = await heard({
    system: "",
    messages: [user(prompt)],
    tools: [tool("report_characters", { characters: "array" })],
  });
  assert.deepEqual(
    message.content.map((part) => (part.type === "toolCall" ? part.name : part.type)),
    ["report_characters"],
  );
});
