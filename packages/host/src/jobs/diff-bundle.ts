// What a job proposed, as patches by file and hunk, each open or decided.
//
// An open hunk is told as it is now: the person may have changed it, and two may have become one. A decided one is told as
// the agent proposed it. What neither is open nor was decided is gone: its lines are as they were, or part of another hunk.

import type { DiffBundle } from "@stet/protocol/api/job";
import { isFault } from "@stet/protocol/fault";
import { hunkId } from "@stet/text/hunk-view";
import { isOpen } from "@stet/text/pending";
import type { CheckpointFile } from "@stet/workspace/checkpoints/checkpoints";
import type { ReviewHunk } from "@stet/workspace/review/review";
import type { Workspace } from "@stet/workspace/workspace";
import type { JobRecord, ProposedFile } from "../store/store.ts";
import type { ProposedEdits } from "./proposed-edits.ts";

interface PatchLines {
  readonly oldStart: number;
  readonly newStart: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** What is stored of a proposal when its turn is committed. */
export function proposalOf(workspace: Workspace, turn: string, edits: ProposedEdits): ProposedFile[] {
  const checkpoint = workspace.checkpoints.read(turn);
  if (isFault(checkpoint)) return [];
  return checkpoint.files.map(({ document, path, hunks }) => {
    const state = workspace.documents.state(document);
    return {
      document,
      baseFileHash: isFault(state) ? null : state.savedHash,
      edits: Object.fromEntries(hunks.map((hunk) => [hunk.id, edits.inHunk(path ?? "", hunk)])),
    };
  });
}

/** Undefined where the turn is not known any more. */
export function diffBundle(
  workspace: Workspace,
  job: string,
  turn: string,
  proposal: readonly ProposedFile[],
): DiffBundle | undefined {
  const checkpoint = workspace.checkpoints.read(turn);
  if (isFault(checkpoint)) return undefined;
  const decided = verdictsOn(workspace, turn);
  const proposed = new Map(proposal.map((file) => [file.document, file]));
  const files = checkpoint.files.map((file) => {
    const { baseFileHash = null, edits = {} } = proposed.get(file.document) ?? {};
    const hunks = hunksOf(workspace, turn, file, decided).map(({ id, lines, isAccepted, isOversized }) => ({
      hunk_id: id,
      patch: patchOf(lines),
      accepted: isAccepted,
      edit_ids: [...(edits[id] ?? [])],
      ...(isOversized ? { oversized_hunk: true } : {}),
    }));
    return { file_path: nameOf(workspace, file), base_file_hash: baseFileHash, hunks };
  });
  return { job_id: job, files };
}

/** Why each hunk of a job is proposed, in the agent's words; only hunks that it gave a reason for. */
export function rationalesByHunk({ edits, proposal }: Pick<JobRecord, "edits" | "proposal">) {
  const reasons = new Map<string, string>();
  for (const { edit_id, rationale = "" } of edits) {
    if (rationale.trim() !== "") reasons.set(edit_id, rationale.trim());
  }
  const byHunk = new Map<string, readonly string[]>();
  for (const file of proposal) {
    for (const [hunk, ids] of Object.entries(file.edits)) {
      const given = new Set(ids.flatMap((id) => reasons.get(id) ?? []));
      if (given.size > 0) byHunk.set(hunk, [...given]);
    }
  }
  return byHunk;
}

export function nameOf(workspace: Workspace, { document, path }: CheckpointFile): string {
  return path ?? workspace.documents.row(document)?.title ?? "";
}

interface BundleHunk {
  readonly id: string;
  readonly lines: PatchLines;
  readonly isAccepted: boolean | null;
  readonly isOversized: boolean;
}

function hunksOf(
  workspace: Workspace,
  turn: string,
  file: CheckpointFile,
  decided: ReadonlyMap<string, boolean>,
): BundleHunk[] {
  const open = openHunks(workspace, turn, file.document).map((hunk) => {
    return { id: hunk.id, lines: hunk, isAccepted: null, isOversized: hunk.oversized };
  });
  const isListed = new Set<string>(open.map(({ id }) => id));
  const closed = file.hunks.flatMap((hunk) => {
    const isAccepted = decided.get(hunk.id);
    if (isAccepted === undefined || isListed.has(hunk.id)) return [];
    return [{ id: hunk.id, lines: hunk, isAccepted, isOversized: false }];
  });
  return [...open, ...closed].sort((one, other) => one.lines.newStart - other.lines.newStart);
}

function openHunks(workspace: Workspace, turn: string, document: number): ReviewHunk[] {
  return (workspace.review.file(document)?.hunks ?? []).filter((hunk) => hunk.turns.includes(turn));
}

/** The names of a turn's hunks that wait for a decision, without making their lines. */
export function openHunkIds(workspace: Workspace, turn: string): string[] {
  return workspace.checkpoints.documentsOf(turn).flatMap((document) => {
    const pieces = workspace.ledger.state(document)?.pending.pieces ?? [];
    const own = pieces.filter((piece) => isOpen(piece) && piece.turns.includes(turn));
    return own.map((piece) => hunkId(document, piece.id));
  });
}

/** How each hunk of a turn was decided last; one that was reopened is not among them. */
export function verdictsOn(workspace: Workspace, turn: string): Map<string, boolean> {
  const checkpoint = workspace.checkpoints.read(turn);
  const verdicts = new Map<string, boolean>();
  if (isFault(checkpoint)) return verdicts;
  for (const { document, entryAfter, hunks } of checkpoint.files) {
    const known = workspace.review.verdicts(document, entryAfter);
    for (const { id } of hunks) {
      const verdict = known.on(id, turn);
      if (verdict !== null) verdicts.set(id, verdict === "accepted");
    }
    // The person's edits may have given a hunk another name since.
    for (const [id, verdict] of known.of(turn)) verdicts.set(id, verdict === "accepted");
  }
  return verdicts;
}

export function patchOf({ oldStart, newStart, removed, added }: PatchLines): string {
  const head = `@@ -${range(oldStart, removed.length)} +${range(newStart, added.length)} @@`;
  return [head, ...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)].join("\n");
}

/** The way back. */
export function reversePatchOf({ oldStart, newStart, removed, added }: PatchLines): string {
  return patchOf({ oldStart: newStart, newStart: oldStart, removed: added, added: removed });
}

/** An empty side names the line before it. */
function range(start: number, count: number): string {
  if (count === 1) return String(start);
  return `${count === 0 ? start - 1 : start},${count}`;
}
