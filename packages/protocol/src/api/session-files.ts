// Sessions as files: found in any folder, copied, shortened and exported.

import * as z from "zod";
import { route } from "./route.ts";

const time = z.iso.datetime().describe("UTC");
const bySession = z.object({ session_id: z.string() });
const colour = z.string().regex(/^#[0-9a-fA-F]{6}$/, "a colour like #1d2125");

export const foundSession = z.object({
  session_id: z.string(),
  title: z.string().nullable(),
  name: z.string().describe("The title, what was first asked, or the id, on one short line"),
  first_message: z.string(),
  message_count: z.number().int().nullable().describe("Known of short sessions"),
  folder: z.string(),
  is_here: z.boolean().describe("Whether it belongs to this folder; another one can be forked into it"),
  path: z.string(),
  created_at: time,
  updated_at: time,
  damage: z.string().nullable().describe("What is wrong with its file"),
});
export type FoundSession = z.infer<typeof foundSession>;

export const exportFormats = ["markdown", "html", "jsonl"] as const;

export const sessionFileRoutes = {
  findSessions: route({
    method: "GET",
    path: "/api/sessions",
    about: "Conversations that have a file, of this folder or of all, by what a person remembers of them.",
    query: z.object({
      folders: z.enum(["here", "all"]).default("here"),
      query: z
        .string()
        .max(1000)
        .optional()
        .describe("Words of the title, of anything that was said, of the id, the folder or the path"),
      limit: z.coerce.number().int().positive().max(1000).default(100),
    }),
    reply: z.object({ sessions: z.array(foundSession), truncated: z.boolean() }),
  }),
  forkSession: route({
    method: "POST",
    path: "/api/agent/sessions/:session_id/fork",
    about: "Copies a whole session, of this folder or of another one, into a new one here.",
    params: bySession,
    body: z.object({}),
    reply: z.object({ session_id: z.string() }),
  }),
  branchOff: route({
    method: "POST",
    path: "/api/agent/sessions/:session_id/branch_off",
    about: "Makes a new session that begins like this one up to an entry.",
    params: bySession,
    body: z.object({ entry_id: z.string().max(100) }),
    reply: z.object({
      session_id: z.string(),
      prefill: z.string().nullable().describe("The person's own words there, to be said again or otherwise"),
    }),
  }),
  compactSession: route({
    method: "POST",
    path: "/api/agent/sessions/:session_id/compact",
    about:
      "Lets the model sum up the older part of a conversation; ends without a change when it is aborted.",
    params: bySession,
    body: z.object({
      instructions: z.string().max(10_000).optional().describe("What the summary shall keep above all"),
    }),
    reply: z.object({
      summary: z.string(),
      short_summary: z.string(),
      tokens_before: z.number().int(),
      tokens_after: z.number().int(),
    }),
  }),
  exportSession: route({
    method: "GET",
    path: "/api/agent/sessions/:session_id/export",
    about: "A conversation as text to be kept or handed on: Markdown, a page, or lines that can be imported.",
    params: bySession,
    query: z.object({
      format: z.enum(exportFormats).default("markdown"),
      page_colour: colour.optional().describe("Of a page's background; it decides whether the page is dark"),
      card_colour: colour.optional(),
      info_colour: colour.optional(),
    }),
    reply: z.object({ name: z.string().describe("For a file"), text: z.string() }),
  }),
};
