// The turns so far, each with the files as they were before it, and the way back there.

import type { Operations } from "@stet/protocol/api/operation";
import { Fault, isFault } from "@stet/protocol/fault";
import type { Checkpoint } from "@stet/workspace/checkpoints/checkpoints";
import type { DocumentVerdicts } from "@stet/workspace/review/verdicts";
import { reversePatchOf } from "../jobs/diff-bundle.ts";
import type { ReviewParts } from "./review-view.ts";
import type { RollBack } from "./rollback.ts";
import { timeOf } from "./time-of.ts";

export interface CheckpointParts extends ReviewParts {
  readonly rollBack: RollBack;
}

export function checkpointOperations({ workspace, store, rollBack }: CheckpointParts) {
  const { checkpoints } = workspace;

  const verdictsOn = (list: readonly Checkpoint[]) => {
    const documents = new Set(list.flatMap(({ files }) => files.map(({ document }) => document)));
    return new Map([...documents].map((document) => [document, workspace.review.verdicts(document)]));
  };

  const viewOf = async (checkpoint: Checkpoint, verdicts: ReadonlyMap<number, DocumentVerdicts>) => {
    const job = await store.jobByTurn(checkpoint.turn);
    return {
      checkpoint_id: checkpoint.id,
      session_id: checkpoint.session,
      job_id: job?.id ?? null,
      turn: checkpoint.turn,
      kind: checkpoint.kind,
      summary: checkpoint.summary,
      ...(checkpoint.agent === undefined ? {} : { agent: checkpoint.agent }),
      ...(checkpoint.takesBack === undefined
        ? {}
        : { rollback_of: { turn: checkpoint.takesBack.turn, is_whole: checkpoint.takesBack.isWhole } }),
      created_at: timeOf(checkpoint.createdAt),
      affected_files: checkpoint.files.map(({ document, path, baseHash, hunks }) => ({
        document,
        file_path: path,
        base_snapshot_hash: baseHash,
        hunks: hunks.map((hunk) => ({
          hunk_id: hunk.id,
          reverse_patch: reversePatchOf(hunk),
          verdict: verdicts.get(document)?.on(hunk.id, checkpoint.turn) ?? null,
        })),
      })),
    };
  };

  return {
    async listCheckpoints({ query }) {
      const { session_id: session, document, limit } = query;
      const list = checkpoints.list({
        ...(session === undefined ? {} : { session }),
        ...(document === undefined ? {} : { document }),
        limit,
      });
      const verdicts = verdictsOn(list);
      return { checkpoints: await Promise.all(list.map((checkpoint) => viewOf(checkpoint, verdicts))) };
    },

    async getCheckpoint({ params }) {
      const checkpoint = checkpoints.read(params.checkpoint_id);
      return isFault(checkpoint) ? checkpoint : viewOf(checkpoint, verdictsOn([checkpoint]));
    },

    async diff3({ params, query }) {
      const checkpoint = checkpoints.read(params.checkpoint_id);
      if (isFault(checkpoint)) return checkpoint;
      const file = checkpoint.files.find(({ document, path }) => {
        return (path ?? workspace.documents.row(document)?.title) === query.file_path;
      });
      if (file === undefined) return notTouched(query.file_path, params.checkpoint_id);
      const sides = checkpoints.diff3(params.checkpoint_id, file.document);
      if (isFault(sides)) return sides;
      return {
        file_path: query.file_path,
        current_file: sides.current,
        checkpoint_base: sides.checkpointBase,
        agent_proposed: sides.agentProposed,
      };
    },

    async rollback({ params, body }) {
      const { checkpoint_id: id } = params;
      const { mode, hunk_ids: hunks, dry_run: dryRun } = body;
      if (mode === "scoped_selected" && hunks.length === 0) return noHunks();
      const request = mode === "hard_all" ? { mode } : { mode, hunks };
      const report = dryRun ? checkpoints.rollback(id, request, { dryRun }) : await rollBack(id, request);
      if (isFault(report)) return report;
      return {
        // What a dry run would be undone by is never made.
        checkpoint_id: dryRun ? null : report.checkpoint,
        documents: [...report.documents],
        rolled_back: [...report.rolledBack],
        conflicts: [...report.conflicts],
        patches: report.patches.map(({ document, path, patch }) => ({ document, file_path: path, patch })),
      };
    },
  } satisfies Partial<Operations>;
}

function notTouched(path: string, checkpoint: string): Fault {
  return new Fault(
    "file_not_found",
    `${path} is not among the files of the checkpoint ${checkpoint}.`,
    "Read the checkpoint to see its files.",
    { file_path: path, checkpoint_id: checkpoint },
  );
}

function noHunks(): Fault {
  return new Fault(
    "invalid_arguments",
    "scoped_selected takes back only hunks that are named, and none is.",
    "Name some in hunk_ids, or use hard_all. Nothing was changed.",
  );
}
