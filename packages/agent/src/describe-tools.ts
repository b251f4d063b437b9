// Tools as a model is told of them. The result is kept, because a turn asks for it with every request.

import { toolParameters } from "@stet/model/tool-schema";
import type { ToolDescription } from "@stet/protocol/model-stream";
import type { Tool } from "./tool.ts";

const described = new WeakMap<Tool, ToolDescription>();

export function describeTools(tools: readonly Tool[]): ToolDescription[] {
  return tools.map((tool) => {
    const known = described.get(tool);
    if (known !== undefined) return known;
    const parameters = toolParameters(tool.schema);
    const description = { name: tool.name, description: tool.description, parameters };
    described.set(tool, description);
    return description;
  });
}
