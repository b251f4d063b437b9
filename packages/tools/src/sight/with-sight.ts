// Tools whose calls see what the model was shown before their message.

import type { Tool } from "@stet/agent/tool";
import type { Sight } from "./sight.ts";

export function withSight(tool: Tool, sight: Sight): Tool {
  return {
    ...tool,
    execute(input, call) {
      sight.enter(call.batch);
      return tool.execute(input, call);
    },
    ...(tool.preview === undefined
      ? {}
      : {
          preview(partial: string) {
            sight.preview();
            return tool.preview?.(partial) ?? Promise.resolve(undefined);
          },
        }),
  };
}
