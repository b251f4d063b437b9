// The fourteen tools: their names, what they take, and who carries them out. What they say is in a .md beside this file.

import { defineTool, type GivenArguments, type Tool } from "@stet/agent/tool";
import type { Fault } from "@stet/protocol/fault";
import * as z from "zod";
import { cut, quoted } from "../call-words.ts";
import { prompt } from "../prompt.ts";
import { removeUnseen } from "../sight/unseen-text.ts";
import {
  executeClearAll,
  executeSetText,
  executeVerify,
  executeWriteAppend,
  executeWriteReplaceLine,
} from "./edit-executors.ts";
import type { Desk, Executor } from "./executor.ts";
import {
  executeClearAllKeptSearches,
  executeClearKeptSearch,
  executeGetKeptSearches,
  executeKeepSearch,
  executeRetrieveSearch,
} from "./kept-executors.ts";
import {
  executeGetContextLines,
  executeSearchChat,
  executeSearchPaper,
  executeSearchTools,
} from "./search-executors.ts";

const nothing = z.strictObject({});
const limit = z.number().optional().describe("At most so many results; 5 unless given");
const query = z.string().max(1000).describe("What to look for, in any language");
const search = z.object({ query, limit });
const key = z.object({
  key: z.string().max(100).describe("The name that the search is kept under, such as 'auth_results'"),
});
const lineNumber = z.number().describe("Line number, from 1");
const before = z.number().int().min(0).optional().describe("So many lines before it; 3 unless given");
const after = z.number().int().min(0).optional().describe("So many lines after it; 3 unless given");
const text = z.string();

const range = z.object({
  line: z.number().int().optional().describe("A line, with before and after around it"),
  before,
  after,
  start: z.number().int().optional().describe("First line of a range, instead of line"),
  end: z.number().int().optional().describe("Last line of that range, inclusive"),
});

const context = z.object({
  lineNumber: z.number().int().optional().describe("A line, from 1, with before and after around it"),
  before,
  after,
  ranges: z.array(range).max(100).optional().describe("More places: {line, before, after} or {start, end}"),
});

const replaceLine = z.object({
  lineNumber,
  text: text.describe(
    "The new line: the text alone, without a line prefix, with the indentation of the old line",
  ),
  expected_rev: z
    .number()
    .optional()
    .describe("The rev that you saw; the edit is refused if the paper has another one by now"),
  remove_unseen: removeUnseen,
});

const wholeText = z.object({ text: text.describe("The whole new text"), remove_unseen: removeUnseen });

const editing = ["write_append", "write_replace_line", "set_text", "clear_all"];

export function paperTools(desk: Desk): Tool[] {
  const tool = <Input>(
    name: string,
    schema: z.ZodType<Input>,
    execute: Executor<Input>,
    words: (given: GivenArguments) => string,
  ) =>
    defineTool({
      name,
      description: prompt(import.meta.url, name),
      traits: [editing.includes(name) ? "edits" : "reads", "exclusive"],
      words,
      schema,
      execute: (input, { batch, signal }) => execute(desk, input, { batch, signal }),
      tellFault,
    });
  return [
    tool("search_paper", search, executeSearchPaper, ({ query }) => `Search the paper for ${quoted(query)}`),
    tool(
      "search_chat",
      search,
      executeSearchChat,
      ({ query }) => `Search the conversation for ${quoted(query)}`,
    ),
    tool("search_tools", search, executeSearchTools, ({ query }) => `Look for a tool: ${quoted(query)}`),
    tool("get_context_lines", context, executeGetContextLines, ({ lineNumber: line }) =>
      line === undefined ? "Look at some lines" : `Look around line ${cut(line)}`,
    ),
    tool("keep_search", key, executeKeepSearch, ({ key }) => `Keep the search as ${quoted(key)}`),
    tool(
      "retrieve_search",
      key,
      executeRetrieveSearch,
      ({ key }) => `Look at the kept search ${quoted(key)}`,
    ),
    tool("get_kept_searches", nothing, executeGetKeptSearches, () => "Look at the kept searches"),
    tool(
      "clear_kept_search",
      key,
      executeClearKeptSearch,
      ({ key }) => `Forget the kept search ${quoted(key)}`,
    ),
    tool("clear_all_kept_searches", nothing, executeClearAllKeptSearches, () => "Forget all kept searches"),
    tool(
      "write_append",
      z.object({ text: text.describe("What to put at the end") }),
      executeWriteAppend,
      ({ text }) => `Add ${quoted(text)} at the end`,
    ),
    tool(
      "write_replace_line",
      replaceLine,
      executeWriteReplaceLine,
      ({ lineNumber: line }) => `Write line ${cut(line)} anew`,
    ),
    tool("set_text", wholeText, executeSetText, () => "Write the whole text"),
    tool("clear_all", nothing, executeClearAll, () => "Clear the paper"),
    tool("verify", nothing, executeVerify, () => "Check the result"),
  ];
}

function tellFault({ message, suggestion, details }: Fault): Record<string, unknown> {
  if (typeof details.instruction === "string") {
    return { error: true, message, instruction: details.instruction };
  }
  const current = details.current === undefined ? {} : { current: details.current };
  return { error: true, message, suggestion, ...current };
}
