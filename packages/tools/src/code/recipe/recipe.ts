// Runs a task of the project's own runner. It is a command like any other: the same permission, the same sandbox.

import { defineTool } from "@stet/agent/tool";
import { isFault } from "@stet/protocol/fault";
import * as z from "zod";
import { cut } from "../../call-words.ts";
import { prompt } from "../../prompt.ts";
import { bash } from "../bash/bash.ts";
import type { BashTool } from "../bash/bash-context.ts";
import { detectTasks, projectFiles } from "./detect.ts";
import { resolveTask } from "./runner.ts";

export const recipe: BashTool = (context) => {
  const command = bash(context);
  const inputs = new WeakMap<object, { command: string; cwd?: string }>();
  return defineTool({
    name: "recipe",
    description: prompt(import.meta.url, "recipe"),
    traits: ["runs", "exclusive", "volatile"],
    words: ({ op }) => `Run the task ${cut(op)}`,
    schema: z.object({ op: z.string().describe("the task, then what is handed to it") }),
    async authorise({ op }, call) {
      const { workspace, commands } = context;
      const detected = await detectTasks(projectFiles(workspace), (name) => commands.hosts.hasProgram(name));
      const resolved = resolveTask(op, detected);
      if (isFault(resolved)) return resolved;
      const { folder } = resolved.task;
      const input = { command: resolved.command, ...(folder === undefined ? {} : { cwd: folder }) };
      inputs.set(call, input);
      return command.authorise?.(input, call);
    },
    async execute(_, call) {
      return command.execute(inputs.get(call), call);
    },
  });
};
