// How an agent that was sent gives back its result. The turn ends with it.

import type { Hook } from "@stet/agent/hooks";
import { defineTool, type Tool } from "@stet/agent/tool";
import { Fault } from "@stet/protocol/fault";
import * as z from "zod";
import { prompt } from "../prompt.ts";
import type { Assignment } from "./delegation.ts";

export const maxYieldReminders = 3;

export function yieldTool(assignment: Assignment): Tool {
  const { schema } = assignment;
  const result = (schema?.schema ?? z.string()).describe("What you were asked for");
  return defineTool({
    name: "yield",
    description: prompt(import.meta.url, "yield"),
    traits: ["exclusive"],
    words: ({ error }) => (error === undefined ? "Give back the result" : "Give up"),
    schema: z.object({
      result: result.optional(),
      error: z.string().optional().describe("Instead of a result: why it cannot be done"),
    }),
    async execute({ result: given, error }) {
      if (assignment.yielded !== undefined) {
        return new Fault(
          "not_allowed",
          "You have given back your result already.",
          "There is nothing more to do.",
        );
      }
      if ((given === undefined) === (error === undefined)) {
        return new Fault(
          "invalid_arguments",
          "Give either a result or an error.",
          "Call yield again with one of them.",
        );
      }
      assignment.yielded = error === undefined ? { result: given } : { error };
      return { content: "Received.", endsTurn: true };
    },
  });
}

/** Reminds an agent that would stop without giving anything back; the last time it can call nothing else. */
export function yieldReminder(assignment: Assignment): Hook {
  return {
    mayRepeat: true,
    atEnd() {
      if (assignment.yielded !== undefined || assignment.reminders >= maxYieldReminders) return undefined;
      assignment.reminders += 1;
      const isLast = assignment.reminders === maxYieldReminders;
      const urgency = isLast ? " This is the last reminder." : "";
      return `[Reminder ${assignment.reminders} of ${maxYieldReminders}: nobody gets what you write as text. Call yield with your result, or with an error.${urgency}]`;
    },
    async beforeRequest(request) {
      const isForced = assignment.reminders >= maxYieldReminders && assignment.yielded === undefined;
      return isForced ? { ...request, toolChoice: { tool: "yield" } } : undefined;
    },
  };
}
