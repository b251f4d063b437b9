// Applying a job: its accepted hunks are written to disk, its others are rejected; all of it, or nothing and a fault.
//
// Nothing may have changed the files since the changes were proposed: where the disk is not what it was then, that is a
// conflict, and the job waits on. What Stet itself saved since does not count.

import type { AppliedFile } from "@stet/protocol/api/job";
import { Fault, isFault } from "@stet/protocol/fault";
import { readBytes } from "@stet/workspace/files/files";
import { unknownHunks } from "@stet/workspace/review/hunk-id";
import type { Workspace } from "@stet/workspace/workspace";
import type { EventLog } from "../events/event-log.ts";
import type { Decisions, WholeTurn } from "../review/decisions.ts";
import type { JobRecord } from "../store/store.ts";
import { nameOf, openHunkIds, verdictsOn } from "./diff-bundle.ts";
import type { JobProgress } from "./job-progress.ts";

interface Applying {
  readonly workspace: Workspace;
  readonly progress: JobProgress;
  readonly decisions: Decisions;
}

export async function applyJob(
  { workspace, progress, decisions }: Applying,
  job: JobRecord,
  log: EventLog,
  accepted: readonly string[],
  also: readonly string[] = [],
): Promise<AppliedFile[] | Fault> {
  const { turn } = job;
  if (job.status !== "awaiting_review" || turn === null) return notReady(job);
  const wanted = splitHunks(workspace, turn, accepted);
  if (isFault(wanted)) return wanted;
  const changed = changedFile(workspace, turn);
  if (isFault(changed)) return changed;
  if (changed !== undefined) {
    const fault = conflict(changed);
    await log.append("apply.conflict", { message: fault.message, file_path: changed });
    return fault;
  }
  await log.append("apply.started", { accepted: accepted.length, rejected: wanted.reject.length });
  const applied = await decideAndSave(workspace, decisions, { turn, ...wanted, also });
  if (isFault(applied)) {
    const { error, message } = applied;
    await log.append("apply.failed", { error, message });
    return applied;
  }
  await log.append("review.updated", { open_hunks: 0 });
  await progress.complete(job.id, log, "apply.completed", { applied_files: applied });
  return applied;
}

/** Finishes what a crash interrupted: everything was decided, and the files may not have been written yet. */
export async function finishApply(
  { workspace, progress, decisions }: Applying,
  { id, turn }: JobRecord,
  log: EventLog,
): Promise<undefined | Fault> {
  if (turn === null || openHunkIds(workspace, turn).length > 0) return undefined;
  const events = await log.read(0, Number.MAX_SAFE_INTEGER);
  const last = events.findLast(({ type }) => type.startsWith("apply."));
  if (last?.type !== "apply.started") return undefined;
  const applied = await decideAndSave(workspace, decisions, { turn, accept: [], reject: [], also: [] });
  if (isFault(applied)) return applied;
  await progress.complete(id, log, "apply.completed", { applied_files: applied });
  return undefined;
}

interface Wanted {
  readonly accept: readonly string[];
  readonly reject: readonly string[];
}

/** What is left to decide. A hunk that was accepted before may be named again; one that was rejected may not. */
function splitHunks(workspace: Workspace, turn: string, accepted: readonly string[]): Wanted | Fault {
  const open = new Set(openHunkIds(workspace, turn));
  const verdicts = verdictsOn(workspace, turn);
  const unknown = accepted.filter((id) => !open.has(id) && verdicts.get(id) !== true);
  if (unknown.length > 0) return unknownHunks(unknown);
  const accept = new Set(accepted.filter((id) => open.has(id)));
  return { accept: [...accept], reject: [...open].filter((id) => !accept.has(id)) };
}

/** A fault for the first file that is not on disk as it was when the changes were proposed. */
function changedFile(workspace: Workspace, turn: string): string | Fault | undefined {
  const checkpoint = workspace.checkpoints.read(turn);
  const files = isFault(checkpoint) ? [] : checkpoint.files;
  for (const { document, path, entryAfter } of files) {
    if (path === null) continue;
    if (workspace.ledger.changedOnDisk(document, entryAfter)) return path;
    const known = workspace.ledger.state(document)?.savedHash ?? null;
    const found = hashOnDisk(workspace, document);
    if (isFault(found)) return found;
    if (found !== known) return path;
  }
  return undefined;
}

function hashOnDisk(workspace: Workspace, document: number): string | null | Fault {
  const location = workspace.documents.locationOf(document);
  if (isFault(location)) return location;
  if (!location.exists) return null;
  const content = readBytes(workspace.root, location);
  if (!isFault(content)) return content.hash;
  return content.error === "file_not_found" ? null : content;
}

async function decideAndSave(
  workspace: Workspace,
  decisions: Decisions,
  whole: WholeTurn,
): Promise<AppliedFile[] | Fault> {
  const checkpoint = workspace.checkpoints.read(whole.turn);
  if (isFault(checkpoint)) return checkpoint;
  const counted = () => {
    const verdicts = [...verdictsOn(workspace, whole.turn)];
    return checkpoint.files.map((file) => {
      const own = verdicts.filter(([id]) => id.startsWith(`h_${file.document}_`));
      const applied = own.filter(([, isAccepted]) => isAccepted).length;
      return { ...file, applied, rejected: own.length - applied };
    });
  };
  // A document that has only a title is kept until it is saved under a path. What was rejected may be on disk already.
  const toSave = () => {
    const files = counted().filter(({ applied, path, document }) => {
      return path !== null && (applied > 0 || workspace.ledger.state(document)?.file.isThrough === true);
    });
    return files.map(({ document }) => document);
  };
  const saved = await decisions.apply(whole, toSave);
  if (isFault(saved)) return saved;
  return counted().map((file) => ({
    file_path: nameOf(workspace, file),
    applied_hunks: file.applied,
    rejected_hunks: file.rejected,
  }));
}

function conflict(path: string): Fault {
  return new Fault(
    "conflict",
    `${path} was changed on disk since these changes were proposed. Nothing was applied, and the job still waits.`,
    "Run the job again on the file as it is now, or decide on its hunks one by one in the review.",
    { file_path: path },
  );
}

function notReady({ id, status }: JobRecord): Fault {
  return new Fault(
    "job_not_ready",
    `The job ${id} does not await review: it is ${status}.`,
    "Apply a job whose status is awaiting_review.",
    { job_id: id, status },
  );
}
