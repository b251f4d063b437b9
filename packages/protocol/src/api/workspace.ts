// The workspace as a whole: its files, its lock, its events, and what Stet itself can tell.

import * as z from "zod";
import { logEvent } from "../events/log-event.ts";
import { indexState, storageNotice } from "../events/workspace-events.ts";
import { route } from "./route.ts";

const cursor = z.coerce.number().int().nonnegative();

export const lockState = z.object({
  locked: z.boolean(),
  job_id: z.string().nullable(),
  since: z.iso.datetime().nullable(),
  purpose: z.string().nullable(),
});

const setting = z.object({
  name: z.string(),
  value: z.unknown(),
  source: z.string(),
  about: z.string(),
  values: z.array(z.unknown()).optional().describe("All that it can be, where these are few"),
});

export const workspaceRoutes = {
  getWorkspace: route({
    method: "GET",
    path: "/api/workspace",
    about: "The folder, whether an agent's turn locks it, and how much is going on.",
    reply: z.object({
      root: z.string(),
      name: z.string(),
      is_sample: z.boolean().describe("Whether this is a copy of the sample project, to be tried on"),
      lock: lockState,
      subagents_active: z.number().int(),
      jobs_running: z.number().int(),
      open_hunks: z.number().int(),
      cursor: z.number().int(),
      notices: z
        .array(storageNotice)
        .describe("Damage to Stet's own files, met since the server began; also the event storage.notice"),
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
    reply: z.object({ next_cursor: z.number().int(), events: z.array(logEvent) }),
  }),
  streamWorkspaceEvents: route({
    method: "GET",
    path: "/api/workspace/stream",
    about: "The same events as they happen.",
    query: z.object({ cursor: cursor.optional() }),
    reply: logEvent,
    isStream: true,
    ends: "It never ends by itself.",
  }),
  listFiles: route({
    method: "GET",
    path: "/api/files",
    about: "The files of the folder that are not ignored.",
    query: z.object({
      prefix: z.string().optional(),
      glob: z.string().optional(),
      limit: z.coerce.number().int().positive().max(200_000).default(2000),
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
      capitals: z
        .enum(["exact", "smart"])
        .default("exact")
        .describe("smart: they only count where the query has one"),
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
  createFile: route({
    method: "POST",
    path: "/api/files",
    about: "Makes a file, and the folders above it, at most 100. One that exists is refused.",
    body: z.object({ path: z.string().min(1).max(4096), content: z.string().default("") }),
    reply: z.object({ path: z.string() }),
  }),
  renameFile: route({
    method: "POST",
    path: "/api/files/rename",
    about: "Moves a file or a folder. Tabs, reviews and history go with it; nothing is replaced.",
    body: z.object({ from: z.string().min(1).max(4096), to: z.string().min(1).max(4096) }),
    reply: z.object({ from: z.string(), to: z.string(), files: z.number().int() }),
  }),
  deleteFile: route({
    method: "POST",
    path: "/api/files/delete",
    about: "Takes a file or a folder away, and keeps it, so that it can be brought back.",
    body: z.object({ path: z.string().min(1).max(4096) }),
    reply: z.object({ path: z.string(), deletion_id: z.string(), files: z.number().int() }),
  }),
  listDeletions: route({
    method: "GET",
    path: "/api/files/deleted",
    about: "What was deleted and can be brought back, the newest first.",
    reply: z.object({
      deletions: z.array(
        z.object({
          deletion_id: z.string(),
          path: z.string(),
          files: z.number().int(),
          at: z.iso.datetime(),
        }),
      ),
    }),
  }),
  restoreFile: route({
    method: "POST",
    path: "/api/files/restore",
    about: "Brings back what was deleted, unless there is something at its place.",
    body: z.object({ deletion_id: z.string().max(100) }),
    reply: z.object({ path: z.string(), files: z.number().int() }),
  }),
  getIndex: route({
    method: "GET",
    path: "/api/index",
    about: "How far the index for search by meaning is.",
    reply: indexState,
  }),
  pauseIndex: route({
    method: "POST",
    path: "/api/index",
    about: "Stops indexing in the background, or goes on with it.",
    body: z.object({ paused: z.boolean() }),
    reply: indexState,
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
  getConfig: route({
    method: "GET",
    path: "/api/config",
    about: "Every setting, its value and where it came from. Keys are never shown.",
    reply: z.object({
      settings: z.array(setting),
      limits: z.record(z.string(), z.number()),
    }),
  }),
  changeSetting: route({
    method: "PUT",
    path: "/api/config",
    about: "Changes one setting in your own configuration file; null brings its default back.",
    body: z.object({ name: z.string().min(1).max(200), value: z.unknown() }),
    reply: setting.describe("As it is in force now, which a flag or a variable may decide"),
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
