import { defineTool, type Tool } from "@stet/agent/tool";
import { isFault } from "@stet/protocol/fault";
import * as z from "zod";
import { cut } from "../call-words.ts";
import { leftOut } from "../permission/left-out.ts";
import { prompt } from "../prompt.ts";
import type { ProjectContext } from "./project-toolset.ts";

export function listFilesTool({ workspace, limits, readEffect }: ProjectContext): Tool {
  return defineTool({
    name: "list_files",
    description: prompt(import.meta.url, "list_files"),
    traits: ["reads"],
    words: ({ prefix }) => (prefix ? `List files in ${cut(prefix)}` : "List the files"),
    schema: z.object({
      prefix: z.string().optional().describe("Only below this folder"),
      glob: z.string().optional().describe('Which files, for example "**/*.md"'),
    }),
    async execute({ prefix, glob }, { signal }) {
      const listing = await workspace.list({ prefix, glob, limit: limits.listedFiles, signal });
      if (isFault(listing)) return listing;
      const effectOf = readEffect("list_files");
      const denied = listing.files.filter((file) => effectOf(file) === "deny");
      const files = listing.files.filter((file) => !denied.includes(file));
      const note = leftOut(effectOf, []).note(denied);
      const content = { files, ...(listing.truncated ? { truncated: true } : {}) };
      return {
        content: note === undefined ? content : { ...content, note },
        details: { count: files.length },
      };
    },
  });
}
