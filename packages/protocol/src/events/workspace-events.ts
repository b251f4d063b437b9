// What happens to the workspace: its documents, files, tabs, sessions and lock, its index, and Stet's own files.

import * as z from "zod";
import { pendingStep } from "../api/review.ts";
import { madeChange } from "../api/tabs.ts";
import { event } from "./event.ts";

/** The index for search by meaning, which is built in the background. */
export const indexState = z.object({
  state: z.enum(["off", "idle", "indexing", "paused"]),
  document: z.number().int().nullable().describe("What is being indexed"),
  title: z.string().nullable(),
  done: z.number().int().describe("Passages of it"),
  total: z.number().int(),
  waiting: z.number().int().describe("Documents that come after it"),
});
export type IndexState = z.infer<typeof indexState>;

/** Damage to a file of Stet's own that was met, with its path, and what to do. */
export const storageNotice = z.object({
  message: z.string(),
  suggestion: z.string(),
  at: z.iso.datetime(),
});
export type StorageNotice = z.infer<typeof storageNotice>;

const document = z.object({ document: z.number().int(), path: z.string().nullable() });
const nothing = z.object({});

export const workspaceEvents = [
  event(
    "document.changed",
    document.extend({
      ...madeChange.shape,
      change: madeChange.shape.change.nullable().describe("Null where it is long or not known any more"),
      pending: pendingStep.optional(),
    }),
  ),
  event("document.saved", document),
  event(
    "disk.conflict",
    z
      .object({
        document: z.number().int().nullable(),
        path: z.string().nullable(),
        message: z.string(),
        suggestion: z.string(),
      })
      .describe("A file was changed on disk where it meets what is open"),
  ),
  event("files.changed", nothing.describe("Files may have come or gone")),
  event("tabs.changed", nothing.describe("Read the tabs")),
  event("config.changed", z.object({ name: z.string() }).describe("A setting was changed: read them")),
  event("session.changed", z.object({ session_id: z.string() })),
  event(
    "session.compacting",
    z
      .object({ session_id: z.string(), is_running: z.boolean() })
      .describe("A summary of the older part of a conversation was begun, or is done"),
  ),
  event(
    "lock.changed",
    z.object({
      locked: z.boolean(),
      job_id: z.string().nullable(),
      purpose: z.string().nullable(),
    }),
  ),
  event("index.progress", indexState),
  event("storage.notice", storageNotice),
  event(
    "log.truncated",
    z
      .object({ oldest: z.number().int() })
      .describe("Events that this reader has not seen are not kept any more: read everything anew"),
  ),
] as const;
