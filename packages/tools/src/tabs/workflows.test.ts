// What people ask for, as a model would do it, from the first call to the reviewed file.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Meaning } from "@stet/meaning/meaning";
import type { Embedder } from "@stet/protocol/embedding";
import { type PlayedCall, subagentsOf, type TabsAnswer, TabsFixture } from "@stet/testkit/tabs-fixture";
import { temporaryFolder } from "@stet/testkit/temporary";
import { must } from "@stet/testkit/workspace";

const call =
  (name: string, input: Record<string, unknown> = {}): PlayedCall =>
  () => ({ name, arguments: input });

/** A call with the version that the answer before it came with. */
const next =
  (name: string, input: Record<string, unknown> = {}): PlayedCall =>
  (answers) => ({ name, arguments: { ...input, version: answers.at(-1)?.version } });

function rangeOf(answer: TabsAnswer | undefined): { start: number; end: number } {
  return must(answer).lines as { start: number; end: number };
}

interface Found {
  readonly line: number;
  readonly context: { readonly start_line: number; readonly content: string };
}

function bestOf(answer: TabsAnswer | undefined): Found {
  const [best] = must(answer).matches as readonly Found[];
  return must(best);
}

/** The person accepts the turn and saves; returns a file's text. */
async function acceptAndSave(fixture: TabsFixture, name: string): Promise<string> {
  const committed = must(fixture.turn.commit());
  must(fixture.workspace.review.accept({ turn: committed.id }));
  must(await fixture.workspace.saving.save([...committed.documents]));
  return readFileSync(fixture.place.path(name), "utf8");
}

test("1. write me a story", async (t) => {
  const fixture = await TabsFixture.open(t, {});
  const [created] = await fixture.play(
    call("create_document", { title: "my_story.md", content: "Once upon a time...\n" }),
  );
  assert.equal(created?.version, "1");
  assert.equal(created?.status, "created");
  assert.equal(await acceptAndSave(fixture, "my_story.md"), "Once upon a time...\n");
});

const john = "John went out.\nNobody saw John.\nJohnson did.\n";

test("2A. change John to James: read, preview, replace with the same version", async (t) => {
  const fixture = await TabsFixture.open(t, { "story.md": john });
  const request = { find: "John", replace: "James", whole_word: true };
  const [read, preview, done] = await fixture.play(
    call("read_document"),
    next("find_and_replace", { ...request, preview: true }),
    next("find_and_replace", request),
  );
  assert.equal(read?.version, preview?.version);
  assert.equal(preview?.matches_found, 2);
  assert.equal(done?.replacements_made, 2);
  assert.equal(
    await acceptAndSave(fixture, "story.md"),
    "James went out.\nNobody saw James.\nJohnson did.\n",
  );
});

test("2B. change John to James throughout, with subagents", async (t) => {
  const subagents = subagentsOf({
    report_name_forms: () => ({ forms: [{ form: "Johnny", reason: "a short form" }] }),
    plan_names: () => ({ forms: [{ form: "Johnny", replacement: "Jimmy" }] }),
  });
  const text = `${john}"Johnny!" they called.\n`;
  const fixture = await TabsFixture.open(t, { "story.md": text }, { subagents });
  const [renamed] = await fixture.play(
    call("transform_document", {
      transformation: "character_rename",
      params: { old_name: "John", new_name: "James", update_pronouns: true },
    }),
  );
  assert.equal(renamed?.status, "complete");
  assert.equal(renamed?.changes_made, 3);
  assert.equal(fixture.text(), text);
  const result = fixture.text(String(renamed?.result_tab_id));
  assert.equal(result, 'James went out.\nNobody saw James.\nJohnson did.\n"Jimmy!" they called.\n');
});

const chapters = Array.from({ length: 5 }, (_, number) => {
  const paragraphs = Array.from({ length: 30 }, (_, at) => `Sentence ${at} of chapter ${number + 1}.`);
  return `# Chapter ${number + 1}\n\n${paragraphs.join("\n\n")}\n`;
}).join("\n");

test("3. add details to chapter 3", async (t) => {
  const fixture = await TabsFixture.open(t, { "book.md": chapters });
  const added = "A new paragraph,\nof two lines.\n";
  const [outline, read, inserted] = await fixture.play(
    call("get_outline"),
    (answers) => {
      const sections = must(answers[0]).outline as { line_start: number; line_end: number }[];
      const { line_start, line_end } = must(sections[2]);
      return { name: "read_document", arguments: { start_line: line_start, end_line: line_end } };
    },
    (answers) => {
      const { start } = rangeOf(answers[1]);
      const { version } = answers[1] ?? {};
      return { name: "insert_lines", arguments: { version, after_line: start + 1, content: added } };
    },
  );
  assert.equal(outline?.detection_method, "headings");
  assert.match(String(read?.content), /^# Chapter 3\n\nSentence 0 of chapter 3\./);
  assert.equal(inserted?.status, "success");
  assert.equal(
    await acceptAndSave(fixture, "book.md"),
    chapters.replace("# Chapter 3\n\n", `# Chapter 3\n\n${added}`),
  );
});

/** Knows what is about fighting, and what about databases. */
const embedder: Embedder = {
  id: "fights and databases",
  async embed(texts) {
    return texts.map((text) => {
      const counts = [/fight|battle|sword|dragon/gi, /database|host|port/gi, /the/gi].map(
        (topic) => 0.05 + [...text.matchAll(topic)].length,
      );
      const length = Math.hypot(...counts);
      return Float32Array.from(counts, (count) => count / length);
    });
  },
  async close() {},
};

function openMeaning(t: Parameters<typeof temporaryFolder>[0]): Meaning {
  const meaning = must(Meaning.open(temporaryFolder(t, {}), embedder));
  t.after(() => meaning.close());
  return meaning;
}

test("4. find the scene where Alice fights the dragon and expand it", async (t) => {
  const quiet = "The day was long and the river was slow, and Alice thought of home.\n\n".repeat(40);
  const scene = "With her sword Alice went into battle, and the dragon fell.";
  const fixture = await TabsFixture.open(
    t,
    { "tale.md": `${quiet}${scene}\n\n${quiet}` },
    { meaning: openMeaning(t) },
  );
  const expanded = `${scene}\nIt did not get up again.`;
  let line = -1;
  const [found, read, replaced] = await fixture.play(
    call("search_document", { query: "Alice fights the dragon" }),
    (answers) => {
      const start_line = bestOf(answers[0]).line;
      return { name: "read_document", arguments: { start_line, end_line: start_line + 10 } };
    },
    (answers) => {
      const { start } = rangeOf(answers[1]);
      line = start + String(answers[1]?.content).split("\n").indexOf(scene);
      const range = { start_line: line, end_line: line, content: expanded };
      return { name: "replace_lines", arguments: { ...range, version: answers[1]?.version } };
    },
  );
  assert.equal(found?.embedding_status, "ready");
  assert.equal(read?.version, found?.version);
  assert.deepEqual(replaced?.lines_affected, { removed: 1, added: 2, net_change: 1 });
  assert.equal(line, 80);
  assert.equal(await acceptAndSave(fixture, "tale.md"), `${quiet}${expanded}\n\n${quiet}`);
});

test("5. change this story from London to Tokyo, in place", async (t) => {
  const subagents = subagentsOf({
    rewrite_lines: () => ({ edits: [{ start_line: 1, end_line: 1, content: "It rained in Tokyo." }] }),
  });
  const fixture = await TabsFixture.open(t, { "story.md": "# Rain\nIt rained in London.\n" }, { subagents });
  const [, transformed] = await fixture.play(
    call("read_document"),
    next("transform_document", {
      transformation: "setting_change",
      params: { old_setting: "London", new_setting: "Tokyo", adapt_details: true },
      output_mode: "in_place",
    }),
  );
  assert.equal(transformed?.status, "complete");
  assert.equal(transformed?.result_tab_id, fixture.tabs[0]);
  assert.equal(await acceptAndSave(fixture, "story.md"), "# Rain\nIt rained in Tokyo.\n");
});

test("6. summarize this document to another tab", async (t) => {
  const subagents = subagentsOf({
    report_summary: () => ({ summary: "It rains in London.", key_points: ["It rains."] }),
  });
  const fixture = await TabsFixture.open(t, { "story.md": "# Rain\nIt rained in London.\n" }, { subagents });
  const [analyzed] = await fixture.play(call("analyze_document", { task: "summary" }));
  assert.equal(analyzed?.status, "complete");
  const { title } = must(fixture.workspace.tabs.in(fixture.turn, String(analyzed?.result_tab_id))).info;
  assert.equal(title, "story.md - summary");
  assert.match(fixture.text(String(analyzed?.result_tab_id)), /It rains in London\./);
});

test("7. edit this YAML section", async (t) => {
  const filler = Array.from({ length: 40 }, (_, at) => `key${at}: the value`).join("\n");
  const section = "database:\n  host: localhost\n  port: 5432";
  const fixture = await TabsFixture.open(
    t,
    { "config.yaml": `${filler}\n${section}\n${filler.replaceAll("key", "other")}\n` },
    { meaning: openMeaning(t) },
  );
  const [, , replaced] = await fixture.play(
    call("search_document", { query: "database configuration", match_type: "semantic" }),
    (answers) => {
      const { start_line, content } = bestOf(answers[0]).context;
      const line = start_line + content.split("\n").indexOf("database:");
      return { name: "read_document", arguments: { start_line: line, end_line: line + 2 } };
    },
    (answers) => {
      assert.equal(answers[1]?.content, section);
      const { start, end } = rangeOf(answers[1]);
      const content = "database:\n  host: db.example.org\n  port: 5433";
      const range = { start_line: start, end_line: end, content };
      return { name: "replace_lines", arguments: { ...range, version: answers[1]?.version } };
    },
  );
  assert.equal(replaced?.status, "success");
  assert.match(
    await acceptAndSave(fixture, "config.yaml"),
    /^database:\n {2}host: db\.example\.org\n {2}port: 5433$/m,
  );
});

test("8. generate JSON test data", async (t) => {
  const fixture = await TabsFixture.open(t, {});
  const content = '{"users": [{"name": "Ada"}]}\n';
  const [created] = await fixture.play(
    call("create_document", { title: "test_data.json", file_type: "json", content }),
  );
  assert.equal(created?.version, "1");
  assert.deepEqual(JSON.parse(await acceptAndSave(fixture, "test_data.json")), { users: [{ name: "Ada" }] });
});

test("two writes of one message with one version: the second is told that the first one moved it", async (t) => {
  const fixture = await TabsFixture.open(t, { "story.md": john });
  await fixture.call("read_document");
  const [first, second] = await fixture.play(() => [
    { name: "replace_lines", arguments: { version: "1", start_line: 0, end_line: 0, content: "A" } },
    { name: "replace_lines", arguments: { version: "1", start_line: 1, end_line: 1, content: "B" } },
  ]);
  assert.equal(first?.version, "2");
  assert.deepEqual(
    [second?.error, second?.your_version, second?.current_version],
    ["version_mismatch", "1", "2"],
  );
});

test("a turn that is rejected leaves every tab as it was, created ones gone", async (t) => {
  const fixture = await TabsFixture.open(t, { "story.md": john, "notes.md": "note\n" });
  await fixture.play(
    call("replace_lines", { version: "1", start_line: 0, end_line: 0, content: "changed" }),
    call("insert_lines", { tab_id: fixture.tabs[1], version: "1", after_line: 0, content: "changed" }),
    call("create_document", { title: "new.md", content: "new\n" }),
  );
  const committed = must(fixture.turn.commit());
  must(fixture.workspace.review.reject({ turn: committed.id }));
  const tabs = fixture.workspace.tabs.list();
  assert.deepEqual(
    tabs.map(({ title, version, size_chars }) => [title, version, size_chars]),
    [
      ["story.md", "1", john.length],
      ["notes.md", "1", 5],
    ],
  );
});
