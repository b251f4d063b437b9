// Work that goes on between the turns of a session: commands, monitors and agents in the background, timers, and what of
// them waits to be told.

import * as z from "zod";
import { route } from "./route.ts";

const time = z.iso.datetime().describe("UTC");
const bySession = z.object({ session_id: z.string() });

/** Why something is said in a conversation that nobody typed. */
export const deliverySource = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("job"),
    id: z.string(),
    label: z.string(),
    type: z.enum(["bash", "monitor", "task"]),
  }),
  z.object({ kind: z.literal("monitor"), id: z.string(), label: z.string() }),
  z.object({ kind: z.literal("timer"), id: z.string(), label: z.string().describe("What is to be asked") }),
  z.object({ kind: z.literal("note"), id: z.string(), label: z.string() }),
  z.object({ kind: z.literal("agent"), id: z.string().describe("Who said it"), label: z.string() }),
]);
export type DeliverySource = z.infer<typeof deliverySource>;

export const waitingDelivery = z.object({
  delivery_id: z.string(),
  source: deliverySource,
  text: z.string(),
  at: time,
});
export type WaitingDelivery = z.infer<typeof waitingDelivery>;

export const backgroundJob = z.object({
  job_id: z.string().describe("As the agent names it: bash-1, monitor-2, 0-Look"),
  type: z.enum(["bash", "monitor", "task"]),
  agent: z.string().describe("Who began it"),
  status: z.enum(["running", "completed", "failed", "cancelled"]),
  label: z.string(),
  duration_ms: z.number(),
  output: z.string().describe("The last lines so far, or what it came to"),
});
export type BackgroundJob = z.infer<typeof backgroundJob>;

export const timerView = z.object({
  timer_id: z.string(),
  agent: z.string(),
  cron_expression: z.string(),
  human: z.string().describe("As people say it"),
  recurring: z.boolean(),
  prompt: z.string(),
  next_at: time,
  expires_at: time.nullable(),
});
export type TimerView = z.infer<typeof timerView>;

const background = z.object({
  jobs: z.array(backgroundJob),
  timers: z.array(timerView),
  waiting: z.array(waitingDelivery).describe("What the agent was not told yet"),
  autonomy: z.object({
    mode: z.enum(["ask", "allowed"]).describe("Whether a delivery may begin a turn by itself"),
    turns: z.number().int().describe("Turns that began so in the last hour"),
    cost_usd: z.number().describe("What they cost"),
    held: z.string().nullable().describe("Why deliveries wait although they are allowed"),
  }),
});
export type Background = z.infer<typeof background>;

export const backgroundRoutes = {
  listBackground: route({
    method: "GET",
    path: "/api/agent/sessions/:session_id/background",
    about: "What runs in the background of a session, its timers, and what waits to be told.",
    params: bySession,
    reply: background,
  }),
  listAllBackground: route({
    method: "GET",
    path: "/api/background",
    about: "Sessions with work in the background.",
    reply: z.object({
      sessions: z.array(
        z.object({
          session_id: z.string(),
          title: z.string(),
          jobs: z.array(backgroundJob),
          timers: z.array(timerView),
        }),
      ),
    }),
  }),
  cancelBackground: route({
    method: "POST",
    path: "/api/agent/sessions/:session_id/background/cancel",
    about: "Ends background jobs and timers: those that are named, or all.",
    params: bySession,
    body: z.object({ ids: z.array(z.string()).max(1000).optional() }),
    reply: z.object({ cancelled: z.array(z.string()) }),
  }),
  putInBackground: route({
    method: "POST",
    path: "/api/agent/sessions/:session_id/background",
    about: "The command that the agent waits for goes on in the background.",
    params: bySession,
    body: z.object({}),
    reply: z.object({
      commands: z.array(z.string()).describe("What was put there; none where nothing was waited for"),
    }),
  }),
  deliver: route({
    method: "POST",
    path: "/api/agent/sessions/:session_id/deliveries",
    about: "Tells the agent what waits: in the turn at work, or in one of its own.",
    params: bySession,
    body: z.object({ delivery_ids: z.array(z.string()).max(1000).optional() }),
    reply: z.object({ delivered: z.number().int(), job_id: z.string().nullable() }),
  }),
  dismissDeliveries: route({
    method: "POST",
    path: "/api/agent/sessions/:session_id/deliveries/dismiss",
    about: "Drops what waits, without telling the agent.",
    params: bySession,
    body: z.object({ delivery_ids: z.array(z.string()).max(1000).optional() }),
    reply: z.object({ dismissed: z.number().int() }),
  }),
};
