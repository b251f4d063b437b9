// The settings of agents that work for another one, and of work that goes on between turns.

import { isolationKinds, taskModes } from "@stet/protocol/agent-modes";
import * as z from "zod";

export const agentSettingsShape = () => ({
  "async.enabled": z
    .boolean()
    .describe(
      "whether commands, timers and agents may go on after the turn that began them; in stet -p only with --background wait",
    ),
  "async.idleMinutes": z
    .number()
    .positive()
    .describe("minutes after which a session that nobody looks at ends what goes on in it"),
  autonomy: z
    .enum(["ask", "allowed"])
    .describe("whether what happened in the background may begin a turn by itself, or waits for you"),
  "autonomy.maxTurns": z.number().int().positive().describe("turns an hour that may begin so in one session"),
  "autonomy.maxCost": z.number().positive().describe("US dollars an hour that they may cost"),
  "task.maxConcurrency": z
    .number()
    .int()
    .min(1)
    .max(200)
    .describe("agents that work at the same time in one session"),
  "task.maxRecursionDepth": z
    .number()
    .int()
    .min(0)
    .max(8)
    .describe("how deep agents may send others: 1 is the session's own agent only, 0 nobody"),
  "task.simple": z
    .enum(taskModes)
    .describe(
      "what a call of task may have beside its tasks: schema-free has no schema, independent no context either",
    ),
  "task.isolation.mode": z
    .enum(isolationKinds)
    .describe(
      "where agents' edits are until they end: staged, or in a folder of their own in which commands may write",
    ),
  "task.maxTokens": z
    .number()
    .int()
    .positive()
    .nullable()
    .describe("tokens that one agent may use; null: as many as its sender has left"),
  "task.maxCost": z
    .number()
    .positive()
    .nullable()
    .describe("US dollars that one agent may cost; null: as many as its sender has left"),
  "task.maxMinutes": z
    .number()
    .positive()
    .nullable()
    .describe("minutes that one agent may work; null: no limit"),
  "irc.enabled": z.boolean().describe("whether agents of a session may speak with each other"),
});

export type ConfiguredAgents = z.infer<z.ZodObject<ReturnType<typeof agentSettingsShape>>>;

export const agentDefaults: ConfiguredAgents = {
  "async.enabled": true,
  "async.idleMinutes": 30,
  autonomy: "ask",
  "autonomy.maxTurns": 12,
  "autonomy.maxCost": 1,
  "task.maxConcurrency": 8,
  "task.maxRecursionDepth": 2,
  "task.simple": "default",
  "task.isolation.mode": "ledger",
  "task.maxTokens": null,
  "task.maxCost": null,
  "task.maxMinutes": null,
  "irc.enabled": true,
};
