// Tabs, and the documents behind them as several windows edit them at once. Lines count from 0 here.

import * as z from "zod";
import { route } from "./route.ts";

export const tabInfo = z.object({
  tab_id: z.string(),
  title: z.string(),
  path: z.string().nullable(),
  file_type: z.string(),
  version: z.string(),
  is_active: z.boolean(),
  is_dirty: z.boolean(),
  size_chars: z.number().int(),
  line_count: z.number().int(),
});

export const listedTab = tabInfo.extend({
  document: z.number().int(),
  open_hunks: z.number().int(),
});
export type ListedTab = z.infer<typeof listedTab>;

/** A document as a window begins to edit it. */
const documentText = z.object({
  document: z.number().int(),
  revision: z.number().int(),
  text: z.string(),
  pending: z.array(z.unknown()).describe("Pieces that are not decided, as package text stores them"),
  next_id: z.number().int(),
  cursor: z.number().int().describe("Workspace events after this one are not part of it yet"),
});

export type DocumentText = z.infer<typeof documentText>;

const byTab = z.object({ tab_id: z.string() });
const byDocument = z.object({ document: z.coerce.number().int() });
const line = z.coerce.number().int().nonnegative();

/** A change set as `ChangeSet.toJSON` of @codemirror/state gives it. */
export const changeSet = z.array(
  z.union([z.number().int().nonnegative(), z.tuple([z.number().int()]).rest(z.string())]),
);

export const madeChange = z.object({
  revision: z.number().int().describe("The revision that this change leads to"),
  origin: z.enum(["agent", "user", "disk"]),
  client: z.string().nullable().describe("The window that made it, where a window did"),
  change: changeSet,
});

interface OutlineEntry {
  title: string;
  level: number;
  line_start: number;
  line_end: number | null;
  detected_by?: string | undefined;
  children?: OutlineEntry[] | undefined;
}

const outlineEntry: z.ZodType<OutlineEntry> = z.object({
  title: z.string(),
  level: z.number().int(),
  line_start: z.number().int(),
  line_end: z.number().int().nullable(),
  detected_by: z.string().optional(),
  get children() {
    return z.array(outlineEntry).optional();
  },
});

export const searchMatch = z.object({
  line: z.number().int(),
  score: z.number(),
  preview: z.string(),
});

export const tabRoutes = {
  listTabs: route({
    method: "GET",
    path: "/api/tabs",
    about: "The open tabs, in order.",
    reply: z.object({ tabs: z.array(listedTab), active_tab_id: z.string().nullable() }),
  }),
  openTab: route({
    method: "POST",
    path: "/api/tabs",
    about: "Opens a file, or a new document with a title, in a tab in front.",
    body: z.object({
      path: z.string().max(4096).optional(),
      title: z.string().min(1).max(255).optional(),
      content: z.string().optional(),
      with_text: z
        .boolean()
        .optional()
        .describe("Asks for the document's text, too, as getDocument tells it. A very long one is left out"),
    }),
    reply: listedTab.extend({ opened: documentText.optional() }),
  }),
  activateTab: route({
    method: "POST",
    path: "/api/tabs/:tab_id/activate",
    about: "Brings a tab to the front.",
    params: byTab,
    body: z.object({}),
    reply: listedTab,
  }),
  moveTab: route({
    method: "POST",
    path: "/api/tabs/:tab_id/move",
    about: "Puts a tab at a place among the others, from 0.",
    params: byTab,
    body: z.object({ position: z.number().int().nonnegative() }),
    reply: listedTab,
  }),
  closeTab: route({
    method: "DELETE",
    path: "/api/tabs/:tab_id",
    about: "Closes a tab. What was not saved stays in the ledger.",
    params: byTab,
    reply: tabInfo,
  }),
  saveTab: route({
    method: "POST",
    path: "/api/tabs/:tab_id/save",
    about: "Writes what is decided of a tab's document, also under another path.",
    params: byTab,
    body: z.object({ path: z.string().max(4096).optional() }),
    reply: listedTab,
  }),
  reloadTab: route({
    method: "POST",
    path: "/api/tabs/:tab_id/reload",
    about: "Takes the file as it is on disk, instead of everything unsaved and undecided.",
    params: byTab,
    body: z.object({}),
    reply: listedTab,
  }),
  readLines: route({
    method: "GET",
    path: "/api/tabs/:tab_id/lines",
    about: "Lines of a document, both ends included.",
    params: byTab,
    query: z.object({ start_line: line.default(0), end_line: line.optional() }),
    reply: z.object({
      version: z.string(),
      content: z.string(),
      lines: z.object({ start: z.number().int(), end: z.number().int(), total: z.number().int() }),
      has_more: z.boolean(),
    }),
  }),
  outline: route({
    method: "GET",
    path: "/api/tabs/:tab_id/outline",
    about: "A document's structure.",
    params: byTab,
    query: z.object({ max_depth: z.coerce.number().int().positive().max(9).default(3) }),
    reply: z.object({
      version: z.string(),
      file_type: z.string(),
      detection_method: z.string(),
      detection_confidence: z.string().optional(),
      outline: z.array(outlineEntry),
      note: z.string().optional(),
      suggestion: z.string().optional(),
    }),
  }),
  searchTab: route({
    method: "GET",
    path: "/api/tabs/:tab_id/search",
    about: "Finds places by meaning, by exact text or by a pattern.",
    params: byTab,
    query: z.object({
      query: z.string().min(1).max(10_000),
      match_type: z.enum(["semantic", "exact", "regex"]).default("semantic"),
      max_results: z.coerce.number().int().positive().max(200).default(20),
    }),
    reply: z.object({
      version: z.string(),
      embedding_status: z.string().optional(),
      matches: z.array(searchMatch),
      total_matches: z.number().int(),
    }),
  }),
  turnHistory: route({
    method: "GET",
    path: "/api/tabs/:tab_id/turns",
    about: "The turns that changed a document, the newest first.",
    params: byTab,
    reply: z.object({
      turns: z.array(
        z.object({
          checkpoint_id: z.string(),
          turn: z.string(),
          number: z.number().int(),
          kind: z.enum(["agent", "rollback"]),
          summary: z.string(),
          created_at: z.iso.datetime(),
        }),
      ),
    }),
  }),
  restoreTurn: route({
    method: "POST",
    path: "/api/tabs/:tab_id/restore",
    about: "Brings back the state before a turn. That is a new turn, so it can be undone.",
    params: byTab,
    body: z.object({ checkpoint_id: z.string() }),
    reply: z.object({ checkpoint_id: z.string().nullable(), version: z.string() }),
  }),
  getDocument: route({
    method: "GET",
    path: "/api/documents/:document",
    about: "A document's text and revision, what is decided, and what is open.",
    params: byDocument,
    reply: documentText,
  }),
  changeDocument: route({
    method: "POST",
    path: "/api/documents/:document/changes",
    about: "A person's change, made on any revision that is still known.",
    params: byDocument,
    body: z.object({
      revision: z.number().int().nonnegative(),
      change: changeSet,
      client: z.string().min(1).max(100),
      change_id: z.string().max(100).optional().describe("Sent again with the same id, it is made once"),
    }),
    reply: z.object({
      revision: z.number().int(),
      changes: z.array(madeChange).describe("Everything since the given revision, the own change included"),
    }),
  }),
  diskState: route({
    method: "GET",
    path: "/api/documents/:document/disk",
    about: "Whether the file is still what was last read or written, and the three sides where it is not.",
    params: byDocument,
    reply: z.object({
      document: z.number().int(),
      file_path: z.string().nullable(),
      state: z.enum(["same", "changed", "gone", "unreadable", "no_file"]),
      saved: z.string().nullable().describe("As last read or written; only where the file has changed"),
      current: z.string().nullable().describe("As it is here; only where the file has changed"),
      disk: z.string().nullable().describe("As it is on disk; only where the file has changed and is text"),
    }),
  }),
  resolveDisk: route({
    method: "POST",
    path: "/api/documents/:document/disk",
    about:
      "Settles a conflict with the disk: keep replaces the file when saved, reload takes the file; both makes it what both have, and where they differ the lines of both; settled says that the document is what was put together of both, and what is open in it changes the file's lines. What is dropped by that is kept as a checkpoint.",
    params: byDocument,
    body: z.object({ choice: z.enum(["keep", "reload", "both", "settled"]) }),
    reply: z.object({
      document: z.number().int(),
      revision: z.number().int(),
      checkpoint_id: z
        .string()
        .nullable()
        .describe("A rollback to it brings back what was dropped; null where nothing was"),
    }),
  }),
  documentChanges: route({
    method: "GET",
    path: "/api/documents/:document/changes",
    about: "Everyone's changes after a revision.",
    params: byDocument,
    query: z.object({ revision: z.coerce.number().int().nonnegative() }),
    reply: z.object({ revision: z.number().int(), changes: z.array(madeChange) }),
  }),
};
