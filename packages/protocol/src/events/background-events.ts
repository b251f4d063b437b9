// What goes on between turns: background jobs, monitors, timers, and agents that work for another one.

import * as z from "zod";
import { agentView } from "../api/agents.ts";
import { deliverySource } from "../api/background.ts";
import { event } from "./event.ts";

const count = z.number().int().nonnegative();

export const backgroundEvents = [
  event(
    "delivery.received",
    z
      .object({ source: deliverySource, text: z.string() })
      .describe("What happened in the background became part of the conversation"),
  ),
  event(
    "task:subagent:lifecycle",
    agentView.describe("An agent began to work for another one, or has ended"),
  ),
  event("task:subagent:progress", agentView.describe("What it does now; not kept")),
  event(
    "background.changed",
    z
      .object({ session_id: z.string(), running: count, timers: count, waiting: count })
      .describe("Jobs, timers or deliveries of a session came or went: read them"),
  ),
  event(
    "agent.changed",
    z
      .object({ session_id: z.string(), agent: agentView })
      .describe("An agent that works in a session; not kept"),
  ),
] as const;
