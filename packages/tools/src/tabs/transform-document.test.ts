import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelRequest } from "@stet/protocol/model-stream";
import { modelOf, type PlayedReply } from "@stet/testkit/model-of";
import { playedSubagents, subagentsOf } from "@stet/testkit/subagents-of";
import { TabsFixture } from "@stet/testkit/tabs-fixture";
import { must } from "@stet/testkit/workspace";

const tokenBudget = { initialRead: 6000, chunkSize: 600, responseReserve: 2000 };
/** Subagents that know no other form of a name, and cannot do anything else. */
const named = () => playedSubagents({ report_name_forms: { forms: [] } });

/** A story of several chapters, too long for one piece. */
function longStory(
  chapters = 12,
  sentence = "In London the fog was thick, and Tobias walked along the river with a lamp.",
): string {
  const paragraph = `${sentence} ${"Nobody spoke of it for a long while, and the boats went by. ".repeat(6)}\n\n`;
  return Array.from(
    { length: chapters },
    (_, index) => `# Chapter ${index + 1}\n\n${paragraph.repeat(5)}`,
  ).join("");
}

interface Numbered {
  readonly line: number;
  readonly content: string;
}

/** The lines that a transformer was shown. */
function shownLines(request: ModelRequest): Numbered[] {
  const prompt = String(request.messages[0]?.content);
  const document = /<document-(\w+)>\n([\s\S]*)\n<\/document-\1>/.exec(prompt)?.[2] ?? "";
  return document.split("\n").map((shown) => {
    const [, line, content = ""] = /^(\d+)\|(.*)$/.exec(shown) ?? [];
    return { line: Number(line), content };
  });
}

function taskOf(request: ModelRequest): Record<string, unknown> {
  return JSON.parse(/^<task>(.*)<\/task>$/m.exec(String(request.messages[0]?.content))?.[1] ?? "{}");
}

function called(request: ModelRequest, result: Record<string, unknown>): PlayedReply {
  return {
    calls: [{ name: request.tools[0]?.name ?? "", arguments: result }],
    usage: { input: 100, output: 10 },
  };
}

/** Answers analysers and the planner of a setting change; `rewrite` answers transformers. */
function settingModel(rewrite: (request: ModelRequest, index: number) => PlayedReply) {
  return modelOf((request, index) => {
    const tool = request.tools[0]?.name;
    if (tool === "report_terms") return called(request, { terms: [{ term: "London", note: "a city" }] });
    if (tool === "plan_changes") {
      return called(request, {
        glossary: [{ term: "London", replacement: "Tokyo" }],
        guidelines: ["Keep names."],
      });
    }
    return rewrite(request, index);
  });
}

function replacedLines(request: ModelRequest, from: string, to: string): PlayedReply {
  const edits = shownLines(request)
    .filter(({ content }) => content.includes(from))
    .map(({ line, content }) => ({
      start_line: line,
      end_line: line,
      content: content.replaceAll(from, to),
    }));
  return called(request, { edits });
}

const settingChange = {
  transformation: "setting_change",
  params: { old_setting: "London", new_setting: "Tokyo", adapt_details: true },
};

test("in place needs a version, and the right one; an unknown tab is told", async (t) => {
  const fixture = await TabsFixture.open(t, { "story.md": "Tobias came.\n" }, { subagents: named() });
  const rename = { transformation: "character_rename", params: { old_name: "Tobias", new_name: "Elias" } };
  const without = await fixture.call("transform_document", { ...rename, output_mode: "in_place" });
  assert.equal(without.error, "invalid_arguments");
  const stale = await fixture.call("transform_document", {
    ...rename,
    output_mode: "in_place",
    version: "77",
  });
  assert.equal(stale.error, "version_mismatch");
  const unknown = await fixture.call("transform_document", { ...rename, tab_id: "tab_99" });
  assert.equal(unknown.error, "invalid_tab_id");
  assert.equal(fixture.text(), "Tobias came.\n");
});

test("a new tab is named after the source, and a second one is told apart", async (t) => {
  const fixture = await TabsFixture.open(t, { "story.md": "Tobias came.\n" }, { subagents: named() });
  const rename = { transformation: "character_rename", params: { old_name: "Tobias", new_name: "Elias" } };
  const first = await fixture.call("transform_document", rename);
  const second = await fixture.call("transform_document", rename);
  assert.deepEqual(Object.keys(first), ["status", "result_tab_id", "changes_made", "summary"]);
  const { tabs } = (await fixture.call("list_tabs")) as { tabs: { tab_id: string; title: string }[] };
  const titleOf = (id: unknown) => tabs.find(({ tab_id }) => tab_id === id)?.title;
  assert.equal(titleOf(first.result_tab_id), "story.md - character_rename");
  assert.equal(titleOf(second.result_tab_id), "story.md - character_rename (2)");
  assert.equal(fixture.text(String(first.result_tab_id)), "Elias came.\n");
  assert.equal(fixture.text(fixture.tabs[0]), "Tobias came.\n");
  const { documents } = must(fixture.turn.commit());
  assert.equal(documents.length, 2);
});

test("missing parameters are named", async (t) => {
  const fixture = await TabsFixture.open(t, { "story.md": "Tobias came.\n" }, { subagents: named() });
  for (const [input, missing] of [
    [{ transformation: "character_rename", params: { old_name: "Tobias" } }, /new_name/],
    [{ transformation: "setting_change" }, /old_setting/],
    [{ transformation: "style_rewrite" }, /params.style/],
    [{ transformation: "custom" }, /custom_prompt/],
  ] as const) {
    const answer = await fixture.call("transform_document", input);
    assert.equal(answer.error, "invalid_arguments");
    assert.match(String(answer.message), missing);
  }
});

test("one plan holds for all chunks, and every chunk's edits are made at their own lines", async (t) => {
  const model = settingModel((request) => replacedLines(request, "London", "Tokyo"));
  const { subagents, budget } = subagentsOf(model);
  const story = longStory();
  const fixture = await TabsFixture.open(t, { "story.md": story }, { subagents, tokenBudget });
  const answer = await fixture.call("transform_document", settingChange);
  assert.equal(fixture.text(String(answer.result_tab_id)), story.replaceAll("London", "Tokyo"));
  assert.equal(answer.changes_made, 60);
  assert.equal(answer.issues, undefined);
  const transformers = model.requests.filter(({ tools }) => tools[0]?.name === "rewrite_lines");
  assert.ok(transformers.length > 5);
  for (const request of transformers) {
    assert.deepEqual(taskOf(request).guidelines, ["Keep names."]);
    assert.deepEqual(taskOf(request).glossary, [{ term: "London", replacement: "Tokyo" }]);
  }
  assert.equal(budget.spent.input, 100 * model.requests.length);
});

test("what the plan changes and a chunk left or changed otherwise is told", async (t) => {
  let number = 0;
  const model = settingModel((request) => {
    number += 1;
    return replacedLines(request, "London", number === 1 ? "London" : number === 2 ? "Kyoto" : "Tokyo");
  });
  const { subagents } = subagentsOf(model, { concurrency: 1 });
  const fixture = await TabsFixture.open(t, { "story.md": longStory() }, { subagents, tokenBudget });
  const answer = await fixture.call("transform_document", settingChange);
  const issues = answer.issues as { line: number; kind: string; message: string }[];
  assert.deepEqual(
    issues.map(({ kind }) => kind),
    ["term_remains", "term_inconsistent"],
  );
  const lines = fixture.text(String(answer.result_tab_id)).split("\n");
  assert.match(lines[issues[0]?.line ?? 0] ?? "", /London/);
});

for (const [name, reply] of [
  ["fails", { failure: { kind: "server", message: "The server is down." } }],
  ["returns nothing", {}],
  ["refuses", { text: "I would rather not." }],
  ["returns nonsense", { calls: [{ name: "rewrite_lines", arguments: { edits: "all of them" } }] }],
  [
    "edits lines of others",
    {
      calls: [
        { name: "rewrite_lines", arguments: { edits: [{ start_line: 0, end_line: 9999, content: "x" }] } },
      ],
    },
  ],
] satisfies [string, PlayedReply][]) {
  test(`nothing is staged when one of many subagents ${name}`, async (t) => {
    let count = 0;
    const model = settingModel((request) => {
      count += 1;
      return count > 3 ? reply : replacedLines(request, "London", "Tokyo");
    });
    const { subagents } = subagentsOf(model);
    const story = longStory();
    const fixture = await TabsFixture.open(t, { "story.md": story }, { subagents, tokenBudget });
    const { version } = await fixture.call("read_document", { end_line: 0 });
    const before = fixture.turn.state();
    const answer = await fixture.call("transform_document", {
      ...settingChange,
      output_mode: "in_place",
      version,
    });
    assert.equal(answer.error, "subagent_failed");
    assert.match(String(answer.message), /part \d+ of \d+ .*Nothing was changed/s);
    assert.equal(fixture.turn.state(), before);
    assert.equal(fixture.text(), story);
    assert.deepEqual(must(fixture.turn.commit()).documents, []);
  });
}

test("a chunk that comes back empty is asked once more, and then nothing is staged", async (t) => {
  const model = settingModel((request) => {
    const lines = shownLines(request);
    const [first, last] = [lines[0]?.line ?? 0, lines.at(-1)?.line ?? 0];
    return called(request, { edits: [{ start_line: first, end_line: last, content: "" }] });
  });
  const { subagents } = subagentsOf(model, { concurrency: 1 });
  const fixture = await TabsFixture.open(t, { "story.md": longStory() }, { subagents, tokenBudget });
  const answer = await fixture.call("transform_document", settingChange);
  assert.equal(answer.error, "subagent_failed");
  assert.match(String(answer.message), /Next to nothing/);
  assert.equal(model.requests.filter(({ tools }) => tools[0]?.name === "rewrite_lines").length, 2);
});

test("a budget that is spent in the middle ends the work, and nothing is staged", async (t) => {
  const model = settingModel((request) => replacedLines(request, "London", "Tokyo"));
  const { subagents, budget } = subagentsOf(model, { limits: { maxTokens: 2500 }, concurrency: 1 });
  const story = longStory();
  const fixture = await TabsFixture.open(t, { "story.md": story }, { subagents, tokenBudget });
  const answer = await fixture.call("transform_document", settingChange);
  assert.equal(answer.error, "subagent_failed");
  assert.match(String(answer.message), /budget of turn is spent/);
  assert.ok(model.requests.some(({ tools }) => tools[0]?.name === "rewrite_lines"));
  assert.ok(budget.spent.input + budget.spent.output < 2500 + 110);
  assert.deepEqual(must(fixture.turn.commit()).documents, []);
});

test("the person's stop ends the work at once, and nothing is staged", async (t) => {
  const stop = new AbortController();
  const counts: number[] = [];
  const model = settingModel(() => ({ delayMs: 1_000_000 }));
  const { subagents } = subagentsOf(model);
  const fixture = await TabsFixture.open(t, { "story.md": longStory() }, { subagents, tokenBudget });
  const tool = fixture.tools.find(({ name }) => name === "transform_document");
  const context = {
    callId: "1",
    given: () => ({}),
    batch: "1",
    signal: stop.signal,
    progress: (text: string) => {
      if (text.startsWith("Rewriting")) setImmediate(() => stop.abort());
    },
    subagents: (active: number) => counts.push(active),
  };
  const fault = await tool?.execute(settingChange, context);
  assert.equal((fault as { error?: string }).error, "aborted");
  assert.equal(counts.at(-1), 0);
  assert.ok(Math.max(...counts) === 4);
  assert.deepEqual(must(fixture.turn.commit()).documents, []);
});

test("a line far longer than a chunk is rewritten piece by piece", async (t) => {
  const line = "In London the fog was thick, and Tobias walked on. ".repeat(800);
  const model = settingModel((request) => replacedLines(request, "London", "Tokyo"));
  const { subagents } = subagentsOf(model);
  const fixture = await TabsFixture.open(
    t,
    { "one-line.txt": `first\n${line}\nlast\n` },
    { subagents, tokenBudget },
  );
  const answer = await fixture.call("transform_document", settingChange);
  assert.equal(
    fixture.text(String(answer.result_tab_id)),
    `first\n${line.replaceAll("London", "Tokyo")}\nlast\n`,
  );
});

test("a subagent that answers in words ends the work, and its words are told", async (t) => {
  const fixture = await TabsFixture.open(t, { "story.md": longStory() }, { subagents: named(), tokenBudget });
  const style = await fixture.call("transform_document", {
    transformation: "style_rewrite",
    params: { style: "noir" },
  });
  assert.equal(style.error, "subagent_failed");
  assert.match(String(style.message), /I cannot understand a text/);
});
