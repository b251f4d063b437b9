import { defineTool, type Tool, type ToolOutcome } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import * as z from "zod";
import { prompt } from "../prompt.ts";
import type { ProjectContext } from "./project-toolset.ts";
import type { MeaningSearch } from "./search-by-meaning.ts";

const contextLines = 1;
const maxSnippet = 600;

export function searchProject(context: ProjectContext): Tool {
  const { workspace, turn, limits } = context;
  return defineTool({
    name: "search_project",
    description: prompt(import.meta.url, "search_project"),
    mode: "shared",
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
      const staged = searchStaged(turn, query, glob, contextLines);
      if (isFault(staged)) return staged;
      const found = await workspace.search({
        query,
        glob,
        limit: limits.searchResultsCap,
        contextLines,
        maxSnippetLines: limits.searchSnippetLines,
        signal,
      });
      if (isFault(found)) return found;
      const onDisk = found.results.filter((result) => !staged.paths.has(result.file_path));
      const all = [...onDisk, ...staged.places].sort((one, other) => {
        return one.file_path < other.file_path
          ? -1
          : one.file_path > other.file_path
            ? 1
            : one.start_line - other.start_line;
      });
      const results = all.slice(0, wanted).map(({ file_path, start_line, end_line, snippet }) => {
        return { file_path, start_line, end_line, snippet };
      });
      const truncated = found.truncated || all.length > wanted;
      return { content: { results, truncated }, details: { query, count: results.length, truncated } };
    },
  });
}

async function semantic(
  { workspace, turn, meaning }: ProjectContext,
  search: MeaningSearch,
): Promise<ToolOutcome | Fault> {
  const index = (await meaning?.()) ?? noMeaning();
  if (isFault(index)) return index;
  const { searchByMeaning } = await import("./search-by-meaning.ts");
  const answer = await searchByMeaning(workspace, index, search, turn);
  if (isFault(answer)) return answer;
  const { status, truncated } = answer;
  const results = answer.matches.map(({ key, startLine, endLine, score, text }) => ({
    file_path: key,
    start_line: startLine + 1,
    end_line: endLine + 1,
    score,
    snippet: text.slice(0, maxSnippet),
  }));
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
