import assert from "node:assert/strict";
import { test } from "node:test";
import { SearchQuery } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import { countMatches, matchWords } from "./find-tools.ts";

test("the search says how many it found, and which one is selected", () => {
  const told = (doc: string, from = 0, to = 0) => {
    const state = EditorState.create({ doc, selection: { anchor: from, head: to } });
    return matchWords(countMatches(state, new SearchQuery({ search: "sea" })));
  };
  assert.equal(told("land"), "None found");
  assert.equal(told("sea and sea"), "2 found");
  assert.equal(told("sea and sea", 8, 11), "2 of 2");
  assert.equal(told("sea ".repeat(1500)), "1,000+ found");
});
