import { defineTool, type Tool } from "@stet/agent/tool";
import { isFault } from "@stet/protocol/fault";
import * as z from "zod";
import { prompt } from "../prompt.ts";
import type { ProjectContext } from "./project-toolset.ts";

const contextLines = 1;

export function searchProject({ workspace, turn, limits }: ProjectContext): Tool {
  return defineTool({
    name: "search_project",
    description: prompt(import.meta.url, "search_project"),
    mode: "shared",
    schema: z.object({
      query: z.string().min(1).describe("The exact text to find"),
      glob: z.string().optional().describe('Which files, for example "**/*.md"'),
      limit: z
        .number()
        .int()
        .positive()
        .optional()
        .describe(`At most so many places; ${limits.searchResults} unless given`),
    }),
    async execute({ query, glob, limit = limits.searchResults }, { signal }) {
      const wanted = Math.min(limit, limits.searchResultsCap);
      const { searchStaged } = await import("./search-staged.ts");
      const staged = searchStaged(turn, query, glob, contextLines);
      if (isFault(staged)) return staged;
      const found = await workspace.search({
        query,
        glob,
        limit: limits.searchResultsCap,
        contextLines,
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
