// A checkpoint of the conversation, and the way back to it: what was looked at in between is replaced by a report, so that
// a long investigation costs no context afterwards. Files are not touched; what was edited stays edited.
//
// Whether a checkpoint is active is read from the conversation itself, so it survives a restart.

import { defineTool } from "@stet/agent/tool";
import { Fault } from "@stet/protocol/fault";
import type { Message } from "@stet/protocol/message";
import * as z from "zod";
import { cut } from "../../call-words.ts";
import { prompt } from "../../prompt.ts";
import type { CodeContext } from "../code-context.ts";

export const checkpoint = (context: Pick<CodeContext, "messages" | "shelf">) =>
  defineTool({
    name: "checkpoint",
    description: prompt(import.meta.url, "checkpoint"),
    traits: ["exclusive"],
    words: ({ goal }) => `Begin to look into: ${cut(goal)}`,
    schema: z.object({ goal: z.string().min(1).describe("what you want to find out") }),
    async execute({ goal }) {
      const active = activeCheckpoint(context.messages());
      if (active !== undefined) return alreadyActive(active.goal);
      context.shelf.offer(["rewind"]);
      const lines = [
        "Checkpoint created.",
        `Goal: ${goal}`,
        "Run your investigation, then call rewind with a concise report.",
      ];
      return { content: lines.join("\n"), details: { goal, startedAt: new Date().toISOString() } };
    },
  });

export const rewind = (context: Pick<CodeContext, "messages">) =>
  defineTool({
    name: "rewind",
    description: prompt(import.meta.url, "rewind"),
    traits: ["exclusive"],
    words: () => "Sum up what was found out",
    schema: z.object({
      report: z.string().min(1).describe("all that has to be remembered: findings, places, decisions"),
    }),
    async execute({ report }) {
      const active = activeCheckpoint(context.messages());
      if (active === undefined) return noneActive();
      const summary = `[Report of the investigation since the checkpoint. Goal: ${active.goal}]\n${report}`;
      return {
        content: "The conversation goes on from the checkpoint, with your report.",
        details: { goal: active.goal, report },
        rewind: { callId: active.callId, report: summary },
      };
    },
  });

export interface ActiveCheckpoint {
  readonly callId: string;
  readonly goal: string;
}

/** The newest checkpoint of the conversation that was not rewound to yet. */
export function activeCheckpoint(messages: readonly Message[]): ActiveCheckpoint | undefined {
  let active: ActiveCheckpoint | undefined;
  for (const message of messages) {
    // After a rewind the conversation goes on with the report, right behind the checkpoint.
    if (message.role === "user" && isReport(message.content)) active = undefined;
    if (message.role !== "toolResult" || message.isError) continue;
    if (message.toolName === "rewind") active = undefined;
    if (message.toolName === "checkpoint")
      active = { callId: message.toolCallId, goal: goalOf(message.details) };
  }
  return active;
}

/** What the model is told when it would end its turn in the middle of an investigation. */
export function checkpointReminder(messages: readonly Message[]): string | undefined {
  const active = activeCheckpoint(messages);
  if (active === undefined) return undefined;
  return `[A checkpoint is active (goal: ${active.goal}). Call rewind with what you found out before you end your turn.]`;
}

function isReport(content: unknown): boolean {
  const text = typeof content === "string" ? content : "";
  return text.startsWith("[Report of the investigation since the checkpoint.");
}

function goalOf(details: unknown): string {
  const parsed = z.object({ goal: z.string() }).safeParse(details);
  return parsed.success ? parsed.data.goal : "";
}

function alreadyActive(goal: string): Fault {
  return new Fault(
    "invalid_arguments",
    `Checkpoint already active. Its goal: ${goal}`,
    "Call rewind with a report first; checkpoints are not nested.",
  );
}

function noneActive(): Fault {
  return new Fault(
    "invalid_arguments",
    "There is no active checkpoint to go back to.",
    "Go on without rewinding.",
  );
}
