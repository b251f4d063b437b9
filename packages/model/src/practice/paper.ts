// The practice model's adapter to toolset paper: one document, lines counted from 1.
//
//   replacing   search, look at the lines that were found, write each anew, verify. Line by line while there are few
//   the rest    reads the whole paper. One line is written as a line, text at the end is appended; whatever else moves
//               lines is the whole text written anew, and is refused for a paper that is too long for that
//   verify      once, after everything; what it counted is told

import type { ToolDescription } from "@stet/protocol/model-stream";
import { edited, tooLong } from "./edits.ts";
import { callsTo, fieldsIn, numberIn } from "./fields.ts";
import { replaceInPaper } from "./paper-replace.ts";
import {
  contextLines,
  isCutLine,
  maxRanges,
  PaperState,
  paperName,
  rangesOf,
  searchPaper,
  paperTools as tools,
} from "./paper-state.ts";
import type { Language } from "./request-lines.ts";
import { Obstacle, type Steps } from "./steps.ts";
import type { Ability, EditOptions, Hit, LineEdit, Reading, SearchAnswer, Toolset } from "./toolset.ts";
import { counted } from "./words.ts";

export const paperToolNames: readonly string[] = Object.values(tools);

const abilities: Readonly<Record<Ability, string | undefined>> = {
  search: tools.search,
  read: tools.context,
  list: undefined,
  ask: undefined,
  edit: tools.replaceLine,
};

const pageLines = 400;
const maxPages = 8;
/** What is written anew as a whole must have been read, and fit into one call. */
const maxRewrittenCharacters = 60_000;

export function paperTools(offeredTools: readonly ToolDescription[]): Toolset | undefined {
  const offered = new Set(offeredTools.map(({ name }) => name));
  if (!paperToolNames.some((name) => offered.has(name))) return undefined;
  const state = new PaperState(callsTo(offeredTools, tools), offered);
  return {
    noun: "paper",
    can: (ability) => ability === "list" || offered.has(abilities[ability] ?? ""),
    tool: (ability) => abilities[ability] ?? "",
    place,
    skill: (desk, request) =>
      request.kind === "replace" && state.has("search") && state.has("context")
        ? replaceInPaper(state, desk, request)
        : undefined,
    search: (query, thought) => search(state, query, thought),
    read: (_, thought) => readWhole(state, thought),
    list,
    ask: noQuestion,
    edit: (reading, edit, options) => editLines(state, reading, edit, options),
    isLineByLine: true,
    rewrite: (reading, lines, options) => rewrite(state, reading, lines, options),
    finish: (language) => finish(state, language),
  };
}

// biome-ignore lint/correctness/useYield: there is one paper, whatever was named.
function* place(): Steps<{ readonly kind: "file"; readonly name: string }> {
  return { kind: "file", name: paperName };
}

// biome-ignore lint/correctness/useYield: there is one paper, which needs no call to know.
function* list(): Steps<readonly string[]> {
  return [paperName];
}

// biome-ignore lint/correctness/useYield: no tool of this toolset asks; the answer does.
function* noQuestion(): Steps<Obstacle> {
  return new Obstacle("not_offered", "There is no tool for asking here.");
}

function* search(state: PaperState, query: string, thought: string): Steps<SearchAnswer | Obstacle> {
  const found = yield* searchPaper(state, query, thought);
  if (found instanceof Obstacle) return found;
  const untold = found.lines.filter(({ content }) => content === undefined);
  const more =
    untold.length === 0
      ? undefined
      : yield* contextLines(
          state,
          "I look at the other lines that it names.",
          rangesOf(untold.map(({ line }) => line)).slice(0, maxRanges),
        );
  if (more instanceof Obstacle) return more;
  const contents = new Map(more?.lines.map(({ line, content }) => [line, content]));
  const isSeen = untold.every(({ line }) => contents.has(line));
  const hits = found.lines
    .map(({ line, content }) => ({ line, content: content ?? contents.get(line) ?? "" }))
    .filter(({ content }) => content.toLowerCase().includes(query.toLowerCase()))
    .map(({ line, content }): Hit => ({ path: paperName, startLine: line, endLine: line, snippet: content }));
  return { hits, isComplete: found.isComplete && isSeen };
}

function* readWhole(state: PaperState, thought: string): Steps<Reading | Obstacle> {
  const lines: string[] = [];
  for (let pages = 0; pages < maxPages; pages += 1) {
    const start = lines.length + 1;
    const range = { start, end: start + pageLines - 1 };
    const page = yield* contextLines(state, pages === 0 ? thought : "", [range]);
    if (page instanceof Obstacle) return page;
    lines.push(...page.lines.map(({ content }) => content));
    const isLast = page.rows === undefined ? page.lines.length < pageLines : lines.length >= page.rows;
    if (lines.some(isCutLine)) break;
    if (isLast) return readingOf(lines);
    if (page.lines.length === 0) break;
  }
  return new Obstacle(
    "cut",
    "The paper is too long for me to read whole in one turn, so I leave it as it is.",
  );
}

function readingOf(lines: readonly string[]): Reading {
  // What stands behind the final line break is no line of the text; writing it anew puts the break back.
  const isClosed = lines.length > 1 && lines.at(-1) === "";
  const isEmpty = lines.length === 1 && lines[0] === "";
  return {
    path: paperName,
    lines: isClosed || isEmpty ? lines.slice(0, -1) : lines,
    isHashKnown: true,
    isClosed,
  };
}

function* editLines(
  state: PaperState,
  reading: Reading,
  edit: LineEdit,
  options: EditOptions,
): Steps<Obstacle | undefined> {
  if (edit.operation === "replace" && edit.first === edit.last && !edit.text.includes("\n")) {
    const values = { lineNumber: edit.first, text: edit.text };
    const value = yield* state.edit("replaceLine", options.thought, values);
    return value instanceof Obstacle ? value : undefined;
  }
  const isAtEnd = edit.operation === "insert" && edit.before === reading.lines.length + 1;
  if (!isAtEnd || !state.has("append"))
    return yield* rewrite(state, reading, edited(reading.lines, edit), options);
  const isEmpty = reading.lines.length === 0;
  const text = reading.isClosed ? `${edit.text}\n` : isEmpty ? edit.text : `\n${edit.text}`;
  const value = yield* state.edit("append", options.thought, { text });
  return value instanceof Obstacle ? value : undefined;
}

function* rewrite(
  state: PaperState,
  reading: Reading,
  lines: readonly string[],
  options: EditOptions,
): Steps<Obstacle | undefined> {
  const text = lines.join("\n") + (reading.isClosed && lines.length > 0 ? "\n" : "");
  if (text.length > maxRewrittenCharacters) {
    return new Obstacle(
      tooLong,
      `This moves lines, so the whole paper would have to be written anew, and it has ${counted(text.length, "character")}. That is too much for one call. I can change single lines of it, and append to it.`,
    );
  }
  const thought = options.thought === "" ? "The whole text is written anew." : options.thought;
  const value = yield* state.edit("setText", thought, { text });
  return value instanceof Obstacle ? value : undefined;
}

function* finish(state: PaperState, language: Language): Steps<string | undefined> {
  if (!state.isEdited || !state.has("verify")) return undefined;
  const thought = language === "vi" ? "Tôi kiểm tra kết quả." : "I verify the result.";
  const value = yield* state.ask("verify", thought, {});
  if (value instanceof Obstacle) {
    return language === "vi"
      ? `Chưa kiểm tra được: ${value.sentence}`
      : `I could not verify it: ${value.sentence}`;
  }
  const changes = { ...value, ...fieldsIn(value, "changes") };
  const [added, removed] = [numberIn(changes, "added"), numberIn(changes, "removed")];
  if (added === undefined || removed === undefined) return undefined;
  return language === "vi"
    ? `Kiểm tra: so với ban đầu, thêm ${added} dòng, bớt ${removed} dòng.`
    : `Verified: against the paper as it was, ${counted(added, "line")} added and ${counted(removed, "line")} removed.`;
}
