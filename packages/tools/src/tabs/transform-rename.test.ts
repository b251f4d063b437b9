import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { testData } from "@stet/testkit/data";
import { modelOf } from "@stet/testkit/model-of";
import { playedSubagents, subagentsOf } from "@stet/testkit/subagents-of";
import { TabsFixture } from "@stet/testkit/tabs-fixture";
import { must } from "@stet/testkit/workspace";
import { decodeDocument, encodeDocument } from "@stet/text/document";

/** Subagents that know no other form of a name. */
const named = () => playedSubagents({ report_name_forms: { forms: [] } });

test("a name is changed everywhere in a novel, and no other byte of the file", async (t) => {
  const path = testData(t, "books/moby-dick.txt");
  if (path === undefined) return;
  const bytes = readFileSync(path);
  const fixture = await TabsFixture.open(t, { "moby-dick.txt": bytes }, { subagents: named() });
  const [tab = ""] = fixture.tabs;
  const { version } = await fixture.call("read_document", { start_line: 0, end_line: 10 });
  const answer = await fixture.call("transform_document", {
    transformation: "character_rename",
    params: { old_name: "Ahab", new_name: "Elias" },
    output_mode: "in_place",
    version,
  });
  // Independent of our own search: plain replacements over the whole file.
  const source = bytes.toString("utf8");
  const expected = source
    .replaceAll("Ahabs", "Eliases")
    .replaceAll("Ahab", "Elias")
    .replaceAll("AHAB", "ELIAS");
  const occurrences = source.match(/ahab/gi)?.length;
  assert.ok(occurrences !== undefined && occurrences > 500);
  const { history, document } = must(fixture.workspace.tabs.in(fixture.turn, tab));
  const { format } = must(decodeDocument(bytes));
  const written = Buffer.from(must(encodeDocument({ text: history.text, format })));
  assert.ok(written.equals(Buffer.from(expected)));
  assert.equal(answer.status, "complete");
  assert.equal(answer.result_tab_id, tab);
  assert.notEqual(answer.version, version);
  assert.equal(answer.changes_made, occurrences);
  assert.equal(answer.summary, `Renamed 'Ahab' to 'Elias' in ${occurrences} locations across 22,333 lines`);
  must(fixture.turn.commit());
  const changed = source.split("\n").filter((line) => /ahab/i.test(line)).length;
  const hunks = fixture.workspace.review.file(document)?.hunks ?? [];
  assert.equal(
    hunks.reduce((sum, hunk) => sum + hunk.removed.length, 0),
    changed,
  );
  assert.ok(hunks.length > changed / 2);
});

test("a name that does not occur is told with how it is written", async (t) => {
  const fixture = await TabsFixture.open(t, { "story.md": "Tobias came.\n" }, { subagents: named() });
  const rename = (old_name: string) => ({
    transformation: "character_rename",
    params: { old_name, new_name: "Elias" },
  });
  const nowhere = await fixture.call("transform_document", rename("Mara"));
  assert.equal(nowhere.error, "no_match");
  const otherCase = await fixture.call("transform_document", rename("tobias"));
  assert.equal(otherCase.error, "no_match");
  assert.match(String(otherCase.suggestion), /"Tobias"/);
});

test("other names are decided on once, for the whole document", async (t) => {
  const story = "John Smith came. John sat down.\n\nSmith spoke to Mrs. Brown. Johnson left.\n";
  const subagents = playedSubagents({
    report_name_forms: {
      forms: [
        { form: "John", reason: "his first name" },
        { form: "Smith", reason: "his last name" },
      ],
    },
    plan_names: {
      forms: [
        { form: "John", replacement: "James" },
        { form: "Smith", replacement: "Brown" },
      ],
    },
  });
  const fixture = await TabsFixture.open(t, { "story.md": story }, { subagents });
  const params = { old_name: "John Smith", new_name: "James Brown" };
  const answer = await fixture.call("transform_document", { transformation: "character_rename", params });
  const text = fixture.text(String(answer.result_tab_id));
  assert.equal(text, "James Brown came. James sat down.\n\nBrown spoke to Mrs. Brown. Johnson left.\n");
  assert.equal(answer.changes_made, 3);
  const kinds = (answer.issues as { kind: string; line: number }[]).map(({ kind, line }) => [kind, line]);
  assert.deepEqual(kinds, [
    ["name_remains", 2],
    ["name_collision", 2],
  ]);
});

test("a new name that holds the old one is not put where it stands already", async (t) => {
  const fixture = await TabsFixture.open(
    t,
    { "story.md": "Ahab came. Captain\nAhab sat.\n" },
    { subagents: named() },
  );
  const params = { old_name: "Ahab", new_name: "Captain Ahab" };
  const answer = await fixture.call("transform_document", { transformation: "character_rename", params });
  assert.equal(fixture.text(String(answer.result_tab_id)), "Captain Ahab came. Captain\nAhab sat.\n");
  assert.equal(answer.summary, "Renamed 'Ahab' to 'Captain Ahab' in 1 location across 2 lines");
});

test("pronouns change with the gender, for this character only", async (t) => {
  const story =
    "Tobias took his lamp. He looked at himself, and the lamp was his.\n\nMara saw Tobias and gave him bread.\n\nPeter closed his door.\n";
  const edit = (line: number, word: string, replacement: string, occurrence = 1) => {
    return { line, word, replacement, occurrence };
  };
  const female = [
    edit(0, "his", "her"),
    edit(0, "He", "She"),
    edit(0, "himself", "herself"),
    edit(0, "his", "hers", 2),
    edit(2, "him", "her"),
  ];
  const male = [
    edit(0, "her", "his"),
    edit(0, "She", "He"),
    edit(0, "herself", "himself"),
    edit(0, "hers", "his"),
    edit(2, "her", "him"),
  ];
  const subagents = playedSubagents({
    report_name_forms: { forms: [] },
    edit_pronouns: ({ messages }) => {
      const isFemale = String(messages[0]?.content).includes('"female"');
      return { edits: isFemale ? female : male, questions: [] };
    },
    check_pronouns: { issues: [] },
  });
  const fixture = await TabsFixture.open(t, { "story.md": story }, { subagents });
  const params = { old_name: "Tobias", new_name: "Thea", update_pronouns: true, gender: "female" };
  const answer = await fixture.call("transform_document", { transformation: "character_rename", params });
  assert.equal(
    fixture.text(String(answer.result_tab_id)),
    "Thea took her lamp. She looked at herself, and the lamp was hers.\n\nMara saw Thea and gave her bread.\n\nPeter closed his door.\n",
  );
  assert.equal(answer.changes_made, 7);
  const back = await fixture.call("transform_document", {
    tab_id: answer.result_tab_id,
    transformation: "character_rename",
    params: { old_name: "Thea", new_name: "Tobias", update_pronouns: true, gender: "male" },
  });
  assert.equal(fixture.text(String(back.result_tab_id)), story);
  const ungendered = await fixture.call("transform_document", {
    transformation: "character_rename",
    params: { old_name: "Tobias", new_name: "Thea", update_pronouns: true },
  });
  assert.equal(fixture.text(String(ungendered.result_tab_id)), story.replaceAll("Tobias", "Thea"));
  assert.match(JSON.stringify(ungendered.issues), /no gender was given/);
});

test("a pronoun edit that fits no word is told back, and then fails the whole", async (t) => {
  const model = modelOf((request) => {
    const tool = request.tools[0]?.name;
    const edits = [{ line: 0, word: "she", replacement: "he" }];
    const result = tool === "report_name_forms" ? { forms: [] } : { edits };
    return { calls: [{ name: tool ?? "", arguments: result }] };
  });
  const { subagents } = subagentsOf(model);
  const fixture = await TabsFixture.open(t, { "story.md": "Tobias came.\n" }, { subagents });
  const params = { old_name: "Tobias", new_name: "Thea", update_pronouns: true, gender: "female" };
  const answer = await fixture.call("transform_document", { transformation: "character_rename", params });
  assert.equal(answer.error, "subagent_failed");
  assert.match(String(answer.message), /“she” number 1 is not in line 0.*Nothing was changed/);
  assert.equal(model.requests.length, 3);
});
