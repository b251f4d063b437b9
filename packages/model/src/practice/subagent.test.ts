import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelRequest } from "@stet/protocol/model-stream";
import { isSubagentRequest, subagentAnswer } from "./subagent.ts";

function request(tool: string, task: Record<string, unknown>, document: string): ModelRequest {
  const content = `<task>${JSON.stringify(task)}</task>\n\n<document-0a1b>\n${document}\n</document-0a1b>`;
  return {
    system: "",
    messages: [{ role: "user", content, timestamp: 0 }],
    tools: [{ name: tool, description: "", parameters: {} }],
  };
}

function resultOf(tool: string, task: Record<string, unknown>, document: string): Record<string, unknown> {
  const [part] = subagentAnswer(request(tool, task, document)) ?? [];
  assert.equal(part?.type, "toolCall", JSON.stringify(part));
  return part.type === "toolCall" ? part.arguments : {};
}

interface Named {
  readonly name: string;
  readonly aliases: readonly string[];
}

function names(document: string): (readonly [string, readonly string[]])[] {
  const { characters } = resultOf("report_characters", {}, document);
  return (characters as Named[]).map(({ name, aliases }) => [name, aliases]);
}

test("only a request that offers one tool of a subagent is one to a subagent", () => {
  const subagent = request("report_plot", {}, "Text.");
  const other = { ...subagent, tools: [{ name: "read_file", description: "", parameters: {} }] };
  const both = { ...subagent, tools: [...subagent.tools, ...other.tools] };
  assert.deepEqual([subagent, other, both].map(isSubagentRequest), [true, false, false]);
  assert.equal(subagentAnswer(other), undefined);
  assert.equal(subagentAnswer({ ...subagent, messages: [] }), undefined);
});

test("characters are people who act or have a title; words that begin sentences, places and things are not", () => {
  const document =
    "The door opened. But Captain Ahab stood there, and Ahab said nothing.\nQueequeg laughed in Nantucket. However, Starbuck\nasked for the Pequod. Whales came to Nantucket.";
  assert.deepEqual(names(document), [
    ["Ahab", ["Captain Ahab"]],
    ["Starbuck", []],
  ]);
});

test("the same characters from several parts become one", () => {
  const part = (name: string, ...aliases: string[]) => ({
    part: "",
    result: { characters: [{ name, aliases }] },
  });
  const document = JSON.stringify([
    part("Ahab", "Captain Ahab"),
    part("Ahab", "Old Ahab"),
    part("Peter Coffin"),
    part("Coffin"),
  ]);
  const { characters } = resultOf("merge_characters", {}, document);
  assert.deepEqual(
    (characters as Named[]).map(({ name, aliases }) => [name, aliases]),
    [
      ["Ahab", ["Captain Ahab", "Old Ahab"]],
      ["Coffin", ["Peter Coffin"]],
    ],
  );
});

test("a summary quotes the text, and nothing but sentences of it", () => {
  const document =
    "CHAPTER 1\n\nThe lamp of Mara was old. Rain fell on the lamp.\nMara lit the old lamp again in the rain.\n";
  const { summary, key_points } = resultOf("report_summary", {}, document);
  const flat = document.replace(/\s+/g, " ");
  for (const point of key_points as string[]) assert.ok(flat.includes(point), point);
  assert.match(String(summary), /^The lamp of Mara was old\./);
  assert.deepEqual(resultOf("report_summary", {}, "* * *").key_points, []);
});

interface Pronoun {
  readonly line: number;
  readonly word: string;
  readonly replacement: string;
  readonly occurrence: number;
}

test("pronouns near the name change, each at its own place, and those of others stay", () => {
  const document =
    "7|Mara took her lamp to her mother, and saw her in\n8|the rain. The lamp was hers.\n9|\n10|She left. Later Mara met Anna in her house.";
  const { edits } = resultOf("edit_pronouns", { names: ["Mara"], gender: "male" }, document);
  assert.deepEqual(
    (edits as Pronoun[]).map(({ line, word, replacement, occurrence }) => [
      line,
      word,
      replacement,
      occurrence,
    ]),
    [
      [7, "her", "his", 1],
      [7, "her", "his", 2],
      [7, "her", "him", 3],
      [8, "hers", "his", 1],
    ],
  );
  const [declined] =
    subagentAnswer(request("edit_pronouns", { names: ["Mara"], gender: "none" }, document)) ?? [];
  assert.equal(declined?.type, "text");
});

test("parts of a full name are found where they stand alone, and planned as parts of the new one", () => {
  const task = { old_name: "John Smith", new_name: "James Brown" };
  assert.deepEqual(resultOf("report_name_forms", task, "John\nSmith came. Smith sat."), {
    forms: [{ form: "Smith", reason: "part of John Smith" }],
  });
  assert.deepEqual(
    resultOf("plan_names", task, '{"form":"Smith","count":1,"sample":""}\n{"form":"Jack","count":1}'),
    {
      forms: [{ form: "Smith", replacement: "Brown" }],
    },
  );
});

test("a setting is replaced by its name; a style is declined in words", () => {
  const task = {
    transform: "setting_change",
    old_setting: "London",
    new_setting: "Tokyo",
    adapt_details: false,
  };
  assert.deepEqual(resultOf("rewrite_lines", task, "4|In London, Londoners\n5|left London."), {
    edits: [
      { start_line: 4, end_line: 4, content: "In Tokyo, Londoners" },
      { start_line: 5, end_line: 5, content: "left Tokyo." },
    ],
    questions: [],
  });
  for (const tool of ["report_terms", "plan_changes", "rewrite_lines"]) {
    const [part] = subagentAnswer(request(tool, { transform: "style_rewrite", style: "noir" }, "0|a")) ?? [];
    assert.match(part?.type === "text" ? part.text : "", /Connect a real model/);
  }
});
