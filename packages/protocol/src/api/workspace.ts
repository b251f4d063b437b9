// The workspace as a whole: its files, its lock, its events, and what Stet itself can tell.

import * as z from "zod";
import { jobEvent } from "./agent.ts";
import { route } from "./route.ts";

const cursor = z.coerce.number().int().nonnegative();

export const lockState = z.object({
  locked: z.boolean(),
  job_id: z.string().nullable(),
  since: z.iso.datetime().nullable(),
  purpose: z.string().nullable(),
});

export const workspaceRoutes = {
  getWorkspace: route({
    method: "GET",
    path: "/api/workspace",
    about: "The folder, whether an agent's turn locks it, and how much is going on.",
    reply: z.object({
      root: z.string(),
      name: z.string(),
      lock: lockState,
      subagents_active: z.number().int(),
      jobs_running: z.number().int(),
      open_hunks: z.number().int(),
      cursor: z.number().int(),
    }),
  }),
  workspaceEvents: route({
    method: "GET",
    path: "/api/workspace/events",
    about: "What happened to tabs, documents, reviews, jobs and the lock, after a cursor.",
    query: z.object({
      cursor: cursor.default(0),
      limit: z.coerce.number().int().positive().max(3000).default(500),
    }),
    reply: z.object({ next_cursor: z.number().int(), events: z.array(jobEvent) }),
  }),
  streamWorkspaceEvents: route({
    method: "GET",
    path: "/api/workspace/stream",
    about: "The same events as they happen.",
    query: z.object({ cursor: cursor.optional() }),
    reply: jobEvent,
    isStream: true,
  }),
  listFiles: route({
    method: "GET",
    path: "/api/files",
    about: "The files of the folder that are not ignored.",
    query: z.object({
      prefix: z.string().optional(),
      glob: z.string().optional(),
      limit: z.coerce.number().int().positive().max(20_000).default(2000),
    }),
    reply: z.object({ files: z.array(z.string()), truncated: z.boolean() }),
  }),
  searchFiles: route({
    method: "GET",
    path: "/api/search",
    about: "Finds exact text in all files.",
    query: z.object({
      query: z.string().min(1).max(10_000),
      glob: z.string().optional(),
      limit: z.coerce.number().int().positive().max(500).default(50),
    }),
    reply: z.object({
      results: z.array(
        z.object({
          file_path: z.string(),
          start_line: z.number().int(),
          end_line: z.number().int(),
          snippet: z.string(),
        }),
      ),
      truncated: z.boolean(),
    }),
  }),
  listPrompts: route({
    method: "GET",
    path: "/api/prompts",
    about: "What the person asked before, the newest first.",
    query: z.object({
      query: z.string().optional(),
      limit: z.coerce.number().int().positive().max(500).default(50),
    }),
    reply: z.object({ prompts: z.array(z.object({ text: z.string(), at: z.iso.datetime() })) }),
  }),
  listModels: route({
    method: "GET",
    path: "/api/models",
    about: "Which providers can be used here, why others cannot, and what a million tokens cost.",
    reply: z.object({
      current: z.string(),
      providers: z.array(
        z.object({
          name: z.string(),
          is_ready: z.boolean(),
          why: z.string(),
          example: z.string().optional(),
        }),
      ),
    }),
  }),
  getConfig: route({
    method: "GET",
    path: "/api/config",
    about: "Every setting, its value and where it came from. Keys are never shown.",
    reply: z.object({
      settings: z.array(
        z.object({ name: z.string(), value: z.unknown(), source: z.string(), about: z.string() }),
      ),
      limits: z.record(z.string(), z.number()),
    }),
  }),
  health: route({
    method: "GET",
    path: "/api/health",
    about: "Whether everything works, and how busy it is.",
    reply: z.object({
      status: z.literal("ok"),
      version: z.string(),
      uptime_seconds: z.number(),
      event_loop_delay_ms: z.number(),
      memory_mb: z.number(),
    }),
  }),
};
