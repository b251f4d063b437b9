// Decisions on what the agent proposed, and the way back to before a turn.

import * as z from "zod";
import { faultReply, route } from "./route.ts";

export const reviewHunk = z.object({
  hunk_id: z.string(),
  old_start: z.number().int(),
  new_start: z.number().int(),
  removed: z.array(z.string()),
  added: z.array(z.string()),
  origins: z.array(z.string()),
  turns: z.array(z.string()),
  oversized_hunk: z.boolean().optional(),
  rationales: z.array(z.string()).describe("Why, in the agent's words; empty where it gave no reason"),
  reasons: z
    .array(z.object({ turn: z.string(), rationales: z.array(z.string()) }))
    .describe("The same, for each turn that made it"),
});
export type ReviewHunk = z.infer<typeof reviewHunk>;

/** A hunk whose decision can still be taken back. Its lines are where `new_start` says, in the text as it is now. */
export const decidedHunk = z.object({
  hunk_id: z.string(),
  verdict: z.enum(["accepted", "rejected"]),
  new_start: z.number().int(),
  lines: z.number().int().describe("How many lines of the text it covers now"),
});

const onDisk = z
  .boolean()
  .describe(
    "Whether the files hold these changes already, so that rejecting takes them back from disk at once",
  );

/** A turn with something to decide. */
export const openTurn = z.object({
  turn: z.string(),
  job_id: z.string().nullable(),
  session_id: z.string().nullable(),
  summary: z.string(),
  is_whole: z.boolean().describe("Whether all of it is accepted or rejected at once"),
  is_in_doubt: z
    .boolean()
    .optional()
    .describe("Whether it holds what was changed during another turn, by its commands or by somebody else"),
  is_on_disk: onDisk,
  agent: z.string().optional().describe("The agent that made it, where the session's own had sent it"),
  hunks: z.number().int(),
});

export type OpenTurn = z.infer<typeof openTurn>;

export const fileReview = z.object({
  document: z.number().int(),
  file_path: z.string().nullable(),
  title: z.string(),
  is_on_disk: onDisk,
  node: z
    .string()
    .optional()
    .describe("Where the document is a line that stands for a mode, a link, a folder…: what became of it"),
  hunks: z.array(reviewHunk),
});

export type FileReview = z.infer<typeof fileReview>;

const decision = z.object({
  documents: z.array(z.number().int()),
  hunk_ids: z.array(z.string()),
  kept: z
    .array(z.object({ path: z.string(), why: z.string() }))
    .optional()
    .describe(
      "Modes, links, folders… that could not follow, because they were changed since; they stay open",
    ),
});

export const alsoTurns = z
  .array(z.string())
  .max(1000)
  .describe(
    "Turns that may be decided along where their changes cannot be told from this one's (turns_overlap)",
  );

const selection = z.object({
  hunk_ids: z.array(z.string()).max(100_000).optional(),
  document: z.number().int().optional(),
  turn: z.string().optional(),
  also_turns: alsoTurns.optional(),
  everything: z.boolean().optional(),
  during: z
    .boolean()
    .optional()
    .describe("With everything: reject also what was changed during a turn, maybe by somebody else"),
});

export const checkpointFile = z.object({
  document: z.number().int(),
  file_path: z.string().nullable(),
  base_snapshot_hash: z.string(),
  hunks: z.array(
    z.object({
      hunk_id: z.string(),
      reverse_patch: z.string(),
      verdict: z
        .enum(["accepted", "rejected"])
        .nullable()
        .describe("How it was decided last; null where it was not, or that was undone"),
    }),
  ),
});

export const checkpoint = z.object({
  checkpoint_id: z.string(),
  session_id: z.string().nullable(),
  job_id: z.string().nullable(),
  turn: z.string(),
  kind: z.enum(["agent", "rollback"]),
  summary: z.string(),
  agent: z.string().optional().describe("The agent that made it, where the session's own had sent it"),
  rollback_of: z
    .object({
      turn: z.string(),
      is_whole: z.boolean().describe("Whether its documents went back to before it, whatever came later"),
    })
    .optional()
    .describe("Of a rollback: the turn that it took back"),
  created_at: z.iso.datetime(),
  affected_files: z.array(checkpointFile),
});

const origin = z.enum(["agent", "user", "disk"]);
const verdict = z.enum(["accepted", "rejected"]);
const texts = z.array(z.string()).readonly();
const makers = z.object({
  origins: z.array(origin).readonly(),
  turns: texts,
  layers: z
    .array(z.object({ turn: z.string().optional(), origins: z.array(origin).readonly(), lines: texts }))
    .readonly()
    .optional()
    .describe("The lines after each turn that made it, where several did"),
});

/** A piece of what is pending, from which a window makes its hunks by itself. */
export const pendingPiece = makers.extend({
  kind: z.enum(["open", "accepted", "rejected"]),
  id: z.number().int(),
  gap: z.number().int().describe("Lines between it and the piece before it"),
  lines: z.number().int().describe("Lines of the text"),
  other: texts.describe("The lines before it; of a decided piece, what taking it back would bring"),
  order: z.number().int().optional(),
  parts: z
    .array(z.object({ verdict, turns: texts, lines: texts, makers }))
    .readonly()
    .optional()
    .describe("Decisions on parts of it that can still be undone"),
});

/** What an event did to what is pending. `step` is null where that has to be read again. */
export const pendingStep = z.object({
  revision: z.number().int(),
  next_id: z.number().int().describe("With the revision, names the state afterwards"),
  is_on_disk: z.boolean(),
  step: z
    .discriminatedUnion("kind", [
      z.object({ kind: z.literal("change"), turn: z.string().optional() }),
      z.object({
        kind: z.literal("decision"),
        verdict,
        hunks: z.array(
          z.object({
            id: z.number().int(),
            turns: texts.optional(),
            isPart: z.boolean().optional(),
          }),
        ),
      }),
      z.object({ kind: z.literal("undo"), verdict, hunks: z.array(z.number().int()) }),
    ])
    .nullable(),
});
export type PendingStepView = z.infer<typeof pendingStep>;

const byCheckpoint = z.object({ checkpoint_id: z.string() });

export const reviewRoutes = {
  listReview: route({
    method: "GET",
    path: "/api/review",
    about:
      "Everything that waits for a decision, and the documents whose decided text is not in their file. With compare=true files are compared first, as the server does when they change.",
    query: z.object({ compare: z.literal("true").optional() }),
    reply: z.object({
      files: z.array(fileReview),
      turns: z.array(openTurn),
      unsaved: z.array(z.object({ document: z.number().int(), path: z.string() })),
      conflicts: z
        .array(faultReply)
        .optional()
        .describe("Where files were compared: what differs from both sides"),
    }),
  }),
  listDecided: route({
    method: "GET",
    path: "/api/review/decided",
    about:
      "Decisions that can still be undone, the documents that were decided last first, at most 2,000 hunks.",
    reply: z.object({
      files: z.array(
        z.object({
          document: z.number().int(),
          file_path: z.string().nullable(),
          title: z.string(),
          decided: z.array(decidedHunk),
        }),
      ),
    }),
  }),
  documentReview: route({
    method: "GET",
    path: "/api/documents/:document/review",
    about:
      "What is open and what was decided in one document, at the revision that is named. With pieces=true also the pieces that this follows from; `pending` of later events leads on from there.",
    params: z.object({ document: z.coerce.number().int() }),
    query: z.object({ pieces: z.literal("true").optional() }),
    reply: z.object({
      document: z.number().int(),
      revision: z.number().int(),
      is_on_disk: onDisk,
      hunks: z.array(reviewHunk),
      decided: z.array(decidedHunk),
      turns: z.array(openTurn),
      pending: z
        .object({ next_id: z.number().int(), pieces: z.array(pendingPiece) })
        .optional()
        .describe("Where pieces were asked for"),
    }),
  }),
  decide: route({
    method: "POST",
    path: "/api/review/decide",
    about:
      "Accepts or rejects hunks by id, by document, by turn (with hunk_ids: only what it did in those), or all of them. Files that hold the changes already follow at once; others when they are saved.",
    body: selection.extend({ verdict: z.enum(["accept", "reject"]) }),
    reply: decision,
  }),
  undoDecision: route({
    method: "POST",
    path: "/api/review/undo",
    about: "Takes back the latest decision, or those that are named.",
    body: z.object({ hunk_ids: z.array(z.string()).max(100_000).optional() }),
    reply: decision,
  }),
  saveDecided: route({
    method: "POST",
    path: "/api/review/save",
    about: "Writes what is decided to disk: all files or none.",
    body: z.object({ documents: z.array(z.number().int()).max(10_000).optional() }),
    reply: z.object({
      saved: z.array(
        z.object({
          document: z.number().int(),
          file_path: z.string(),
          was_deleted: z.boolean().optional().describe("Whether the file had been deleted on disk"),
        }),
      ),
    }),
  }),
  listCheckpoints: route({
    method: "GET",
    path: "/api/agent/checkpoints",
    about: "Checkpoints, the newest first.",
    query: z.object({
      session_id: z.string().optional(),
      document: z.coerce.number().int().optional(),
      limit: z.coerce.number().int().positive().max(1000).default(200),
    }),
    reply: z.object({ checkpoints: z.array(checkpoint) }),
  }),
  getCheckpoint: route({
    method: "GET",
    path: "/api/agent/checkpoints/:checkpoint_id",
    about: "The files of a turn as they were before it, with the way back for each hunk.",
    params: byCheckpoint,
    reply: checkpoint,
  }),
  diff3: route({
    method: "GET",
    path: "/api/agent/checkpoints/:checkpoint_id/diff3",
    about: "Three sides of one file: as it is, as it was before the turn, as the agent proposed it.",
    params: byCheckpoint,
    query: z.object({ file_path: z.string() }),
    reply: z.object({
      file_path: z.string(),
      current_file: z.string(),
      checkpoint_base: z.string(),
      agent_proposed: z.string(),
    }),
  }),
  rollback: route({
    method: "POST",
    path: "/api/agent/checkpoints/:checkpoint_id/rollback",
    about:
      "Back to before a turn, whole or by hunks. It changes the documents; files follow when they are saved, or at once where they hold what is open.",
    params: byCheckpoint,
    body: z.object({
      mode: z.enum(["hard_all", "scoped_selected"]),
      hunk_ids: z.array(z.string()).max(100_000).default([]),
      dry_run: z.boolean().default(false),
    }),
    reply: z.object({
      checkpoint_id: z.string().nullable().describe("Rolls this rollback back"),
      documents: z.array(z.number().int()),
      rolled_back: z.array(z.string()),
      conflicts: z.array(z.string()),
      patches: z
        .array(z.object({ document: z.number().int(), file_path: z.string().nullable(), patch: z.string() }))
        .describe("What it changes, or would change, in each document; unified"),
    }),
  }),
};
