// The practice model's adapter to toolset project: search_project, read_file, list_files, clarify_user, edit_file.
//
//   reading      page by page until the last line; a page that was cut is never used for an edit
//   hashes       sha256 of the target lines joined by "\n". If the hash that came with a page says otherwise, the exact
//                lines are read again before an edit and their own hash is used

import { createHash } from "node:crypto";
import type { ToolDescription } from "@stet/protocol/model-stream";
import { callsTo, numberIn, type OtherNames, type Call as ToolCall, textIn } from "./fields.ts";
import type { Scope } from "./phrases.ts";
import { type Fields, isFields, Obstacle, type Steps, unreadable } from "./steps.ts";
import type { Ability, EditOptions, Hit, LineEdit, Reading, SearchAnswer, Toolset } from "./toolset.ts";

const toolNames: Readonly<Record<Ability, string>> = {
  search: "search_project",
  read: "read_file",
  list: "list_files",
  ask: "clarify_user",
  edit: "edit_file",
};

export const projectToolNames: readonly string[] = Object.values(toolNames);

const otherNames: OtherNames = {
  file_path: ["path", "file", "filePath"],
  start_line: ["startLine", "from", "first_line"],
  end_line: ["endLine", "to", "last_line"],
  max_bytes: ["maxBytes"],
  new_text: ["newText", "content", "text"],
  expected_hash: ["expectedHash", "hash"],
  rationale: ["reason"],
  operation: ["op"],
  query: ["pattern", "text"],
  limit: ["max_results", "maxResults"],
};

const searchLimit = 50;
/** Small enough that the result reaches the model whole. */
const pageLines = 500;
const pageBytes = 32_768;
const maxPages = 400;

export function projectTools(tools: readonly ToolDescription[]): Toolset | undefined {
  const offered = new Set(tools.map(({ name }) => name));
  if (!projectToolNames.some((name) => offered.has(name))) return undefined;
  const call = callsTo(tools, toolNames, otherNames);
  return {
    noun: "file",
    can: (ability) => offered.has(toolNames[ability]),
    tool: (ability) => toolNames[ability],
    place,
    search: (query, thought, path) => search(call, query, thought, path),
    read: (path, thought) => readWhole(call, path, thought),
    list: (thought, prefix) => list(call, thought, prefix),
    ask: (question, options) => ask(call, question, options),
    edit: (reading, edit, options) => editLines(call, reading, edit, options),
  };
}

type Call = ToolCall<Ability>;

// biome-ignore lint/correctness/useYield: no file of a project is in front, which needs no call to know.
function* place(scope: Scope): Steps<Scope> {
  return scope.kind === "current" ? { kind: "unsaid" } : scope;
}

function* search(call: Call, query: string, thought: string, path?: string): Steps<SearchAnswer | Obstacle> {
  const value = yield* call("search", thought, { query, glob: path, limit: searchLimit });
  if (value instanceof Obstacle) {
    // More than a result may hold: then nothing is known but that there is more, and the caller narrows the search.
    if (value.code !== unreadable) return value;
    const here = { path: path ?? "", startLine: 1, endLine: 1, snippet: "" };
    return { hits: path === undefined ? [] : [here], isComplete: false };
  }
  const results = Array.isArray(value.results) ? value.results : [];
  const hits = results.filter(isFields).map(hitOf);
  return { hits, isComplete: value.truncated !== true && hits.length < searchLimit };
}

function hitOf(result: Fields): Hit {
  const startLine = numberIn(result, "start_line") ?? 1;
  return {
    path: textIn(result, "file_path") ?? textIn(result, "path") ?? "",
    startLine,
    endLine: numberIn(result, "end_line") ?? startLine,
    snippet: textIn(result, "snippet") ?? "",
  };
}

function* list(call: Call, thought: string, prefix?: string): Steps<readonly string[] | Obstacle> {
  const value = yield* call("list", thought, { prefix });
  if (value instanceof Obstacle) return value;
  const files = Array.isArray(value.files) ? value.files : [];
  return files.flatMap((file): string[] => {
    if (typeof file === "string") return [file];
    const path = isFields(file) ? (textIn(file, "file_path") ?? textIn(file, "path")) : undefined;
    return path === undefined ? [] : [path];
  });
}

function* ask(call: Call, question: string, options: readonly string[]): Steps<string | Obstacle> {
  const value = yield* call("ask", "This can be meant in more than one way, so I ask.", {
    question,
    options: options.length > 0 ? options : undefined,
  });
  if (value instanceof Obstacle) return value;
  const answer = textIn(value, "answer")?.trim() ?? "";
  return answer === "" || answer === "no_user_answer"
    ? new Obstacle("no_user_answer", "The question was not answered.")
    : answer;
}

interface Page extends Reading {
  readonly totalLines: number;
  readonly isCut: boolean;
  readonly hash: string | undefined;
}

function* readWhole(call: Call, path: string, thought: string): Steps<Reading | Obstacle> {
  const lines: string[] = [];
  let isHashKnown = true;
  let most = pageLines;
  for (let count = 0; count < maxPages; count += 1) {
    const page = yield* readPage(call, path, thought, lines.length + 1, lines.length + most);
    if (page instanceof Obstacle && page.code === unreadable && most === pageLines) {
      most = Math.ceil(most / 8);
      continue;
    }
    if (page instanceof Obstacle) return page;
    lines.push(...page.lines);
    isHashKnown &&= page.isHashKnown;
    if (lines.length >= page.totalLines && !page.isCut) return { path: page.path, lines, isHashKnown };
    if (page.lines.length === 0) break;
  }
  return new Obstacle("cut", `${path} could not be read whole, so I leave it as it is.`);
}

function* readPage(
  call: Call,
  path: string,
  thought: string,
  first: number,
  last: number,
): Steps<Page | Obstacle> {
  const range = { file_path: path, start_line: first, end_line: last, max_bytes: pageBytes };
  const value = yield* call("read", thought, range);
  if (value instanceof Obstacle) return value;
  const content = (textIn(value, "content") ?? "").replaceAll("\r\n", "\n");
  const endLine = numberIn(value, "end_line");
  const totalLines = numberIn(value, "total_lines");
  const lines = content === "" && (totalLines === 0 || endLine === 0) ? [] : content.split("\n");
  // A final line break ends the last line; it does not begin another.
  const isOneMore = endLine === undefined ? lines.length > 1 : lines.length > endLine - first + 1;
  if (isOneMore && lines.at(-1) === "") lines.pop();
  const hash = textIn(value, "hash") ?? textIn(value, "lines_hash");
  return {
    path: textIn(value, "file_path") ?? path,
    lines,
    isHashKnown: hash === undefined || hash === hashOf(lines),
    totalLines: totalLines ?? first - 1 + lines.length,
    isCut: value.truncated === true && (endLine === undefined || endLine >= (totalLines ?? endLine)),
    hash,
  };
}

function* editLines(
  call: Call,
  reading: Reading,
  edit: LineEdit,
  options: EditOptions,
): Steps<Obstacle | undefined> {
  const said =
    edit.operation === "insert" && options.isRepeated ? insertionAsReplacement(reading, edit) : edit;
  const [first, last] = targetOf(said);
  const expectedHash = yield* expectedHashOf(call, reading, first, last);
  if (expectedHash instanceof Obstacle) return expectedHash;
  const place = said.operation === "insert" ? said.before : said.first;
  const value = yield* call("edit", options.thought, {
    file_path: reading.path,
    operation: said.operation,
    start_line: place,
    end_line: said.operation === "insert" ? undefined : said.last,
    new_text: said.operation === "delete" ? "" : said.text,
    expected_hash: expectedHash,
    rationale: options.reason,
  });
  return value instanceof Obstacle ? value : undefined;
}

/** The lines whose hash guards an edit: those that it changes; for an insertion the one that it precedes. */
function targetOf(edit: LineEdit): readonly [number, number] {
  return edit.operation === "insert" ? [edit.before, edit.before] : [edit.first, edit.last];
}

/** A tool that hashes an insertion's place in another way still takes a replacement of the line before it. */
function insertionAsReplacement(reading: Reading, edit: LineEdit & { operation: "insert" }): LineEdit {
  const before = reading.lines[edit.before - 2];
  if (before !== undefined) {
    return {
      operation: "replace",
      first: edit.before - 1,
      last: edit.before - 1,
      text: `${before}\n${edit.text}`,
    };
  }
  const next = reading.lines[0];
  return next === undefined
    ? edit
    : { operation: "replace", first: 1, last: 1, text: `${edit.text}\n${next}` };
}

function* expectedHashOf(
  call: Call,
  reading: Reading,
  first: number,
  last: number,
): Steps<string | undefined | Obstacle> {
  const lines = reading.lines.slice(first - 1, last);
  if (lines.length === 0) return undefined;
  if (reading.isHashKnown) return hashOf(lines);
  const page = yield* readPage(call, reading.path, "I need the exact hash of these lines.", first, last);
  if (page instanceof Obstacle) return page;
  if (page.lines.join("\n") !== lines.join("\n")) {
    return new Obstacle(
      "conflict",
      `Lines ${first} to ${last} of ${reading.path} changed while I was working.`,
    );
  }
  return page.hash ?? hashOf(lines);
}

function hashOf(lines: readonly string[]): string {
  return `sha256:${createHash("sha256").update(lines.join("\n")).digest("hex")}`;
}
