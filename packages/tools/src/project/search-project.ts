import { defineTool, type Tool } from "@stet/agent/tool";
import { isFault } from "@stet/protocol/fault";
import { z } from "zod";
import { prompt } from "../prompt.ts";
import type { ProjectContext } from "./project-toolset.ts";

export function searchProject({ workspace, limits }: ProjectContext): Tool {
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
      const found = await workspace.search({ query, glob, limit: wanted, contextLines: 1, signal });
      if (isFault(found)) return found;
      const results = found.results.map(({ file_path, start_line, end_line, snippet }) => {
        return { file_path, start_line, end_line, snippet };
      });
      const total = found.total ?? undefined;
      return {
        content: { results, truncated: found.truncated, total },
        details: { query, count: results.length },
      };
    },
  });
}
