// Decisions on what the agent proposed, and the way back to before a turn.

import type { Operations } from "@stet/protocol/api/operation";
import { Fault, isFault } from "@stet/protocol/fault";
import { storePieces } from "@stet/text/stored-pieces";
import type { Checkpoint } from "@stet/workspace/checkpoints/checkpoints";
import { shownPath } from "@stet/workspace/command-effects/raw-path";
import type { Selection } from "@stet/workspace/review/review";
import type { DocumentVerdicts } from "@stet/workspace/review/verdicts";
import type { Host } from "../host.ts";
import { reversePatchOf } from "../jobs/diff-bundle.ts";
import type { Decided } from "../review/decisions.ts";
import { timeOf } from "./job-view.ts";
import { ReviewView } from "./review-view.ts";
import { rollback, rollbackView } from "./rollback.ts";

type ReviewOperations = Pick<
  Operations,
  | "listReview"
  | "listDecided"
  | "documentReview"
  | "decide"
  | "undoDecision"
  | "saveDecided"
  | "listCheckpoints"
  | "getCheckpoint"
  | "diff3"
  | "rollback"
>;

/** How many decisions are listed, and in how many documents they are looked for. */
const mostDecided = 2000;
const mostDecidedDocuments = 200;

export function reviewOperations(host: Host): ReviewOperations {
  const { workspace, store, reviews, decisions } = host;
  const { review, checkpoints } = workspace;

  const decidedView = (document: number) => {
    return review.decided(document).map(({ id, verdict, newStart, lines }) => {
      return { hunk_id: id, verdict, new_start: newStart, lines };
    });
  };

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
    async listReview() {
      const files = review.list();
      const unsaved = unsavedWithFile(host).filter((id) => {
        const state = workspace.documents.state(id);
        return !isFault(state) && workspace.saving.isDirty(state);
      });
      const view = await ReviewView.of(host, files);
      return {
        files: files.map((file) => view.file(file)),
        turns: view.openTurns(files),
        unsaved: unsaved.map((document) => ({
          document,
          path: workspace.documents.row(document)?.path ?? "",
        })),
      };
    },

    async listDecided() {
      let left = mostDecided;
      const files = workspace.review.decidedDocuments(mostDecidedDocuments).flatMap((document) => {
        const row = workspace.documents.row(document);
        const decided = decidedView(document).slice(0, left);
        left -= decided.length;
        if (row === undefined || decided.length === 0) return [];
        return [{ document, file_path: row.path, title: row.title, decided }];
      });
      return { files };
    },

    async documentReview({ params, query }) {
      // Everything that is told of the text is taken from it before anything is waited for.
      const state = workspace.documents.state(params.document);
      if (isFault(state)) return state;
      const open = review.file(state.id);
      const decided = decidedView(state.id);
      const { pending } = state;
      const pieces = query.pieces === undefined ? undefined : storePieces(pending);
      const files = open === undefined ? [] : [open];
      const view = await ReviewView.of(host, files);
      return {
        document: state.id,
        revision: state.history.revision,
        is_on_disk: state.file.side === "current",
        hunks: open?.hunks.map((hunk) => view.hunk(hunk)) ?? [],
        decided,
        turns: view.openTurns(files),
        ...(pieces === undefined ? {} : { pending: { next_id: pending.nextId, pieces } }),
      };
    },

    async decide({ body }) {
      const selection = selectionOf(body);
      if (isFault(selection)) return selection;
      const decided = await decisions[body.verdict](selection);
      if (isFault(decided)) return decided;
      await reviews.settled();
      return decisionOf(decided);
    },

    async undoDecision({ body }) {
      const undone = await decisions.undo(body.hunk_ids);
      return isFault(undone) ? undone : decisionOf(undone);
    },

    async saveDecided({ body }) {
      const documents = body.documents ?? unsavedWithFile(host);
      const saved = await workspace.saving.save(documents);
      if (isFault(saved)) return saved;
      return { saved: saved.map(({ document, path }) => ({ document, file_path: path })) };
    },

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
      const report = dryRun
        ? checkpoints.rollback(id, request, { dryRun })
        : await rollback(host, id, request);
      if (isFault(report)) return report;
      return rollbackView(report, dryRun);
    },
  };
}

function decisionOf({ documents, hunks, kept }: Decided) {
  const told = kept.map(({ path, why }) => ({ path: shownPath(path), why }));
  return { documents: [...documents], hunk_ids: [...hunks], ...(told.length === 0 ? {} : { kept: told }) };
}

interface Choice {
  readonly hunk_ids?: readonly string[] | undefined;
  readonly document?: number | undefined;
  readonly turn?: string | undefined;
  readonly also_turns?: readonly string[] | undefined;
  readonly everything?: boolean | undefined;
  readonly during?: boolean | undefined;
}

function selectionOf(choice: Choice): Selection | Fault {
  const { hunk_ids, document, turn, also_turns: also, everything, during } = choice;
  // With both, it is about what the turn did in those hunks.
  const isInTurn = turn !== undefined;
  const chosen: Selection[] = [
    ...(hunk_ids === undefined || isInTurn ? [] : [{ hunks: hunk_ids }]),
    ...(document === undefined ? [] : [{ document }]),
    ...(isInTurn ? [{ turn, hunks: hunk_ids, also }] : []),
    ...(everything !== true ? [] : ([during ? "everything and what is in doubt" : "everything"] as const)),
  ];
  const [only] = chosen;
  if (only !== undefined && chosen.length === 1) return only;
  return new Fault(
    "invalid_arguments",
    only === undefined ? "Nothing says what to decide on." : "More than one thing says what to decide on.",
    "Give one of hunk_ids, document, turn (alone or with hunk_ids), or everything: true. Nothing was decided.",
  );
}

/** A document that has no file yet is saved by naming one. */
function unsavedWithFile({ workspace }: Host): number[] {
  const { documents } = workspace;
  return documents.unsavedIds().filter((id) => documents.row(id)?.path != null);
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
