import { defineTool, type Tool, type ToolOutcome } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import { countLines, lineContent } from "@stet/text/lines";
import * as z from "zod";
import { answerBytes, maxAnswerBytes } from "../answer-size.ts";
import { cut, quoted } from "../call-words.ts";
import { leftOut } from "../permission/left-out.ts";
import { prompt } from "../prompt.ts";
import { peekInTurn } from "./project-file.ts";
import type { ProjectContext } from "./project-toolset.ts";
import type { MeaningSearch } from "./search-by-meaning.ts";
import type { FoundPlace } from "./search-staged.ts";

const contextLines = 1;
const maxSnippet = 600;

export function searchProject(context: ProjectContext): Tool {
  const { workspace, turn, limits } = context;
  return defineTool({
    name: "search_project",
    description: prompt(import.meta.url, "search_project"),
    traits: ["reads"],
    words: ({ glob, query }) => `Search ${glob ? cut(glob) : "all files"} for ${quoted(query)}`,
    schema: z.object({
      query: z.string().min(1).describe("The exact text to find, or with mode semantic what it is about"),
      mode: z
        .enum(["exact", "semantic"])
        .optional()
        .describe("exact unless given; semantic finds by meaning"),
      glob: z.string().optional().describe('Which files, for example "**/*.md"'),
      limit: z
        .number()
        .int()
        .positive()
        .optional()
        .describe(`At most so many places; ${limits.searchResults} unless given`),
    }),
    async execute({ query, mode = "exact", glob, limit = limits.searchResults }, { signal }) {
      const wanted = Math.min(limit, limits.searchResultsCap);
      if (mode === "semantic") return semantic(context, { query, glob, limit: wanted, signal });
      const { searchStaged } = await import("./search-staged.ts");
      const left = leftOut(context.readEffect("search_project"), glob === undefined ? [] : [glob]);
      const snippet = { context: contextLines, maxLines: limits.searchSnippetLines };
      const staged = searchStaged(turn, query, glob, snippet);
      if (isFault(staged)) return staged;
      const found = await workspace.search({
        query,
        glob,
        limit: limits.searchResultsCap,
        contextLines,
        maxSnippetLines: limits.searchSnippetLines,
        isLeftOut: left.isLeftOut,
        signal,
      });
      if (isFault(found)) return found;
      const onDisk = found.results.filter((result) => !staged.paths.has(result.file_path));
      const typed = staged.places.filter(({ file_path }) => !left.isLeftOut(file_path));
      const all = [...onDisk, ...typed].sort((one, other) => {
        return one.file_path < other.file_path
          ? -1
          : one.file_path > other.file_path
            ? 1
            : one.start_line - other.start_line;
      });
      const results = fitting(all.slice(0, wanted)).map(({ file_path, start_line, end_line, snippet }) => {
        return { file_path, start_line, end_line, snippet };
      });
      show(context, results);
      const truncated = found.truncated || all.length > results.length;
      const unshown = staged.places.map(({ file_path }) => file_path).filter(left.isLeftOut);
      const note = left.note([...new Set([...found.leftOut, ...unshown])]);
      const content = { results, truncated, ...(note === undefined ? {} : { note }) };
      return { content, details: { query, count: results.length, truncated } };
    },
  });
}

/** As many as one answer holds. */
function fitting<Place extends FoundPlace>(places: readonly Place[]): readonly Place[] {
  let bytes = 0;
  const end = places.findIndex(({ file_path, snippet }, index) => {
    bytes += answerBytes(snippet) + answerBytes(file_path) + 100;
    return bytes > maxAnswerBytes && index > 0;
  });
  return end < 0 ? places : places.slice(0, end);
}

/** The numbers were told with the files as they are now, where the lines are there as they were found. */
function show(context: ProjectContext, places: readonly FoundPlace[]): void {
  for (const [file_path, found] of Map.groupBy(places, (place) => place.file_path)) {
    const file = peekInTurn(context, file_path);
    if (isFault(file)) continue;
    const { history } = file;
    const total = countLines(history.text);
    for (const { start_line, snippet } of found) {
      for (const [index, shown] of snippet.split("\n").entries()) {
        const line = start_line + index;
        const content = line > total ? undefined : lineContent(history.text, line - 1);
        if (content === shown) context.sight.show(file, line, line);
        else if (content !== undefined && isCut(shown, content)) context.sight.show(file, line, line, false);
      }
    }
  }
}

/** Whether a long line was shown in part, with an ellipsis where it was cut. */
function isCut(shown: string, content: string): boolean {
  return shown.includes("…") && shown.split("…").every((part) => content.includes(part));
}

async function semantic(context: ProjectContext, search: MeaningSearch): Promise<ToolOutcome | Fault> {
  const { workspace, turn, meaning } = context;
  const index = (await meaning?.()) ?? noMeaning();
  if (isFault(index)) return index;
  const { searchByMeaning } = await import("./search-by-meaning.ts");
  const effectOf = context.readEffect("search_project");
  const isLeftOut = (path: string) => effectOf(path) !== "allow";
  const answer = await searchByMeaning(workspace, index, { ...search, isLeftOut }, turn);
  if (isFault(answer)) return answer;
  const { status, truncated } = answer;
  const results = answer.matches.map(({ key, startLine, endLine, bestLine, score, text }) => ({
    file_path: key,
    start_line: startLine + 1,
    end_line: endLine + 1,
    best_line: bestLine + 1,
    score,
    snippet: text.slice(0, maxSnippet),
  }));
  show(context, results);
  const content = { results, embedding_status: status, truncated };
  return { content, details: { query: search.query, count: results.length, truncated } };
}

function noMeaning(): Fault {
  return new Fault(
    "embeddings_unavailable",
    "Nothing can be searched by meaning here.",
    "Search for exact text instead: leave mode out.",
  );
}
