import { defineTool, type Tool } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import * as z from "zod";
import { cut } from "../call-words.ts";
import { prompt } from "../prompt.ts";
import { tabIn } from "./tab-in.ts";
import type { TabsContext } from "./tabs-context.ts";

export function createDocument(context: TabsContext): Tool {
  const { workspace, turn, sight } = context;
  return defineTool({
    name: "create_document",
    description: prompt(import.meta.url, "create_document"),
    traits: ["edits", "exclusive"],
    words: ({ title }) => `Create ${cut(title)}`,
    schema: z.object({
      title: z.string().describe("File name, for example story.md"),
      content: z.string().optional().describe("The text to begin with; empty unless given"),
      file_type: z
        .enum(["md", "txt", "json", "yaml"])
        .optional()
        .describe("The kind of text, where the title has no extension"),
    }),
    async execute({ title, content = "", file_type }) {
      const name = withExtension(title.trim(), file_type);
      if (isFault(name)) return name;
      const created = workspace.tabs.createIn(turn, { title: name, content });
      if (isFault(created)) return created;
      const tab = tabIn(context, created.tab_id);
      if (isFault(tab)) return tab;
      sight.wroteAll(tab);
      const told = {
        tab_id: tab.info.tab_id,
        title: tab.info.title,
        version: tab.info.version,
        status: "created",
      };
      return { content: told, details: told };
    },
  });
}

function withExtension(title: string, fileType: string | undefined): string | Fault {
  if (title === "" || /[\r\n\0]/.test(title)) {
    return new Fault(
      "invalid_arguments",
      title === "" ? "The title is empty." : "The title has a line break or a NUL in it.",
      "Give a file name of one line, for example story.md.",
      { title },
    );
  }
  if (fileType === undefined || /\.[\p{L}\p{N}]{1,10}$/u.test(title)) return title;
  return `${title}.${fileType}`;
}
