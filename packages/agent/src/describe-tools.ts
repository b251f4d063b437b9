// Tool definitions as they go into a model request.

import type { ToolDescription } from "@stet/protocol/model-stream";
import type { Tool } from "./tool.ts";

export function describeTools(tools: readonly Tool[]): ToolDescription[] {
  return tools.map((tool) => {
    const { name, description } = tool;
    return { name, description, parameters: tool.parameters() };
  });
}
