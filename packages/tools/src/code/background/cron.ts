// Prompts at set times: CronCreate, CronList, CronDelete. Each agent has its own.

import type { AgentBackground } from "@stet/agent/background/background";
import type { Timer } from "@stet/agent/timers/timers";
import { defineTool, type Tool } from "@stet/agent/tool";
import { cutText } from "@stet/protocol/cut-text";
import { isFault } from "@stet/protocol/fault";
import * as z from "zod";
import { cut } from "../../call-words.ts";
import { prompt } from "../../prompt.ts";

const maxPreview = 80;

export function cronTools(background: AgentBackground): Tool[] {
  return [cronCreate(background), cronList(background), cronDelete(background)];
}

function cronCreate(background: AgentBackground): Tool {
  return defineTool({
    name: "CronCreate",
    description: prompt(import.meta.url, "cron-create"),
    traits: ["volatile"],
    words: ({ prompt: asked }) => `Set a timer: ${cut(asked)}`,
    schema: z.object({
      cron_expression: z.string().describe("minute hour day-of-month month day-of-week, local time"),
      prompt: z.string().trim().min(1).max(20_000).describe("What to do when it is due"),
      recurring: z.boolean().describe("At every match, for seven days; false: once"),
    }),
    async execute({ cron_expression: expression, prompt: asked, recurring }) {
      const timer = await background.createTimer({ expression, prompt: asked, recurring });
      if (isFault(timer)) return timer;
      const { id, words, nextAt } = timer;
      return {
        content: `Scheduled ${id} (${words})`,
        details: {
          id,
          cron_expression: timer.expression,
          recurring,
          nextFireAt: new Date(nextAt).toISOString(),
        },
      };
    },
  });
}

function cronList(background: AgentBackground): Tool {
  return defineTool({
    name: "CronList",
    description: "List the timers of this session.",
    traits: ["volatile"],
    words: () => "List the timers",
    schema: z.object({}),
    async execute() {
      const timers = background.timers();
      const lines = timers.map(({ id, words, prompt: asked }) => `${id} (${words}): ${preview(asked)}`);
      return {
        content: lines.length === 0 ? "No scheduled jobs" : lines.join("\n"),
        details: { jobs: timers.map(detailsOf) },
      };
    },
  });
}

function cronDelete(background: AgentBackground): Tool {
  return defineTool({
    name: "CronDelete",
    description: "Remove a timer by its id.",
    traits: ["volatile"],
    words: ({ id }) => `Remove the timer ${cut(id)}`,
    schema: z.object({ id: z.string().describe("As CronCreate returned it") }),
    async execute({ id }) {
      const deleted = background.removeTimer(id);
      const content = deleted ? `Cancelled ${id}` : `Failed to remove scheduled task '${id}'`;
      return { content, details: { id, deleted }, isFailure: !deleted };
    },
  });
}

function detailsOf({ id, expression, recurring, prompt: asked, words }: Timer) {
  return { id, cron: expression, recurring, prompt: asked, humanSchedule: words };
}

function preview(text: string): string {
  return cutText(text.replace(/\s+/g, " ").trim(), maxPreview);
}
