// What a tool call does, in a few words that are true before, while and after it is carried out.

import { codeToolWords } from "./code-tool-words.ts";
import { type Fields, quoted, cut as text } from "./words.ts";

/** `project` and `paper` count lines from 1 as people do; `tabs` counts from 0. */
const words: Readonly<Record<string, (fields: Fields) => string>> = {
  search_project: (fields) =>
    `Search ${fields.glob ? text(fields.glob) : "all files"} for ${quoted(fields.query)}`,
  read_file: (fields) => `Read ${text(fields.file_path)}${lines(fields.start_line, fields.end_line)}`,
  list_files: (fields) => (fields.prefix ? `List files in ${text(fields.prefix)}` : "List the files"),
  edit_file: editWords,
  list_tabs: () => "Look at the open tabs",
  read_document: (fields) => `Read the document${lines(fields.start_line, fields.end_line, 1)}`,
  search_document: (fields) => `Search the document for ${quoted(fields.query)}`,
  get_outline: () => "Look at the outline",
  create_document: (fields) => `Create ${text(fields.title)}`,
  insert_lines: (fields) => `Insert lines after line ${Number(fields.after_line) + 1}`,
  replace_lines: (fields) => `Replace${lines(fields.start_line, fields.end_line, 1).slice(1)}`,
  delete_lines: (fields) => `Delete${lines(fields.start_line, fields.end_line, 1).slice(1)}`,
  write_document: () => "Write the whole document",
  find_and_replace: (fields) => `Replace ${quoted(fields.find)} with ${quoted(fields.replace)}`,
  analyze_document: (fields) => `Analyse the document: ${text(fields.task)}`,
  transform_document: (fields) =>
    `Transform the document: ${text(fields.transformation).replaceAll("_", " ")}`,
  search_paper: (fields) => `Search the paper for ${quoted(fields.query)}`,
  search_chat: (fields) => `Search the conversation for ${quoted(fields.query)}`,
  search_tools: (fields) => `Look for a tool: ${quoted(fields.query)}`,
  get_context_lines: (fields) =>
    fields.lineNumber === undefined ? "Look at some lines" : `Look around line ${text(fields.lineNumber)}`,
  keep_search: (fields) => `Keep the search as ${quoted(fields.key)}`,
  retrieve_search: (fields) => `Look at the kept search ${quoted(fields.key)}`,
  get_kept_searches: () => "Look at the kept searches",
  clear_kept_search: (fields) => `Forget the kept search ${quoted(fields.key)}`,
  clear_all_kept_searches: () => "Forget all kept searches",
  write_append: (fields) => `Add ${quoted(fields.text)} at the end`,
  write_replace_line: (fields) => `Write line ${text(fields.lineNumber)} anew`,
  set_text: () => "Write the whole text",
  clear_all: () => "Clear the paper",
  verify: () => "Check the result",
  ...codeToolWords,
};

export function toolSentence(tool: string, given: unknown): string {
  const fields = typeof given === "object" && given !== null ? (given as Fields) : {};
  const known = Object.hasOwn(words, tool) ? words[tool] : undefined;
  const sentence = known?.(fields) ?? tool.replaceAll("_", " ");
  // It only shows what it would do.
  return fields.preview === true || fields.dry_run === true ? `Preview: ${sentence}` : sentence;
}

function editWords({ operation, file_path: path, start_line: start, end_line: end }: Fields): string {
  if (operation === "insert") return `Insert into ${text(path)} at line ${text(start)}`;
  const verb = operation === "delete" ? "Delete from" : "Edit";
  return `${verb} ${text(path)}${lines(start, end)}`;
}

function lines(start: unknown, end: unknown, shift = 0): string {
  if (typeof start !== "number") return "";
  const first = start + shift;
  const last = typeof end === "number" ? end + shift : undefined;
  if (last === undefined) return `, from line ${first}`;
  return last === first ? `, line ${first}` : `, lines ${first}–${last}`;
}

/** 340 ms, 2.4 s, 1 min 20 s. */
export function shownDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
