// Which calls of one message run at the same time: neighbouring shared ones together, an exclusive one alone.

import type { ToolCall } from "@stet/protocol/message";
import type { Tool } from "./tool.ts";

export function calledAtOnce(calls: readonly ToolCall[], tools: readonly Tool[]): ToolCall[][] {
  const groups: ToolCall[][] = [];
  let isOpen = false;
  for (const call of calls) {
    const tool = tools.find(({ name }) => name === call.name);
    const isShared = tool !== undefined && !tool.traits.includes("exclusive");
    const last = groups.at(-1);
    if (isShared && isOpen && last !== undefined) last.push(call);
    else groups.push([call]);
    isOpen = isShared;
  }
  return groups;
}
