// A refusal as data. Every package returns faults, none throws them: an exception is a bug.
//
// A fault says what is wrong and what to do next. Codes are stable; messages are for reading.

import type { ModelField } from "./model-stream.ts";

/** The codes in use, each with what it means to the one who gets it. */
export const faultCodes = {
  // documents
  unsupported_file_type: "not UTF-8 text",
  invalid_line_range: "lines out of bounds, or start after end",
  content_required: "empty content where content is needed",
  invalid_regex: "a pattern that is not valid, or that could run forever",
  no_match: "nothing in scope matches",
  no_change: "the edit would leave the document as it is",
  version_mismatch: "the document changed since the revision that was named",
  unknown_revision: "the revision never existed or is too old to rebase from",
  conflict: "something else changed the very lines that were targeted",
  stale_anchor: "an anchor does not fit the line that was shown",
  invalid_anchor: "not an anchor",
  ambiguous_match: "the text to find occurs more than once",
  large_deletion: "removes more than half of a long document without saying so",
  invalid_patch: "not a patch in the format that was announced",
  // workspace
  invalid_path: "not a path inside the workspace",
  path_outside: "leads out of the workspace",
  protected_path: "belongs to git or to Stet",
  file_not_found: "no such file",
  file_exists: "there is a file already",
  not_a_file: "a folder, device or other thing that is not a regular file",
  invalid_tab_id: "no such tab; it may have been closed",
  title_exists: "a tab with this title exists",
  external_change: "the file on disk is not the one that was last read or written",
  unknown_deletion: "no such deletion, or what was deleted is no longer kept",
  unknown_hunk: "no such hunk is open",
  unknown_turn: "no such turn",
  unknown_checkpoint: "no such checkpoint, or it was collected",
  turn_closed: "the turn has ended",
  nothing_to_undo: "nothing was decided that could be undone",
  workspace_busy: "another process holds the workspace",
  ledger_damaged: "the ledger cannot be read",
  store_damaged: "a file of Stet's own cannot be read",
  disk_full: "no space left on the disk",
  not_permitted: "the system refuses access",
  io_failed: "the system reported an error",
  search_failed: "the search could not be carried out",
  search_timeout: "the search took longer than its time limit",
  editing_locked: "an agent's turn holds all documents until it ends",
  turns_overlap: "changes of several turns cannot be told apart",
  whole_turn_only: "a turn is decided as a whole here",
  // sessions
  session_not_found: "no such session",
  session_damaged: "a part of the session cannot be read",
  session_busy: "another process is writing to the session",
  unsupported_session: "not a session, or one of a newer kind",
  ambiguous_session: "several sessions begin with that",
  unknown_entry: "no such entry in the session",
  unknown_artifact: "no such kept output",
  // jobs
  unknown_job: "no such job",
  unknown_message: "no such message waits; it was heard or taken back",
  unknown_question: "no such question is waiting for an answer",
  job_not_ready: "the job is not in a state that allows this",
  too_many_jobs: "more jobs at once than the limit",
  limit_reached: "a limit of the turn stopped it before there was an answer",
  model_failed: "the model could not be used, or failed",
  // tools
  unknown_tool: "no such tool is offered",
  invalid_arguments: "arguments that do not fit the tool's schema",
  tool_failed: "the tool broke; a bug of ours",
  tool_call_limit: "the turn has used up its tool calls",
  skipped: "not carried out, because something else came first",
  aborted: "stopped by the person",
  not_allowed: "the person or a rule did not allow it",
  redacted_text: "the new text holds a mark in the place of a secret; writing it would destroy the secret",
  generated_file: "a file that a program writes; an edit would be lost",
  too_large: "more than can be handled at once",
  not_readable: "a file that is not what its name says, or cannot be shown as text",
  stale_preview: "what was previewed is no longer what would happen",
  nothing_pending: "nothing waits to be applied or discarded",
  unknown_symbol: "no such function, class, heading or key in the file",
  unknown_address: "no such internal address",
  page_failed: "a page that could not be fetched",
  command_failed: "a command that could not be started or followed",
  partly_read: "text would go that the one who edits was not shown",
  embeddings_unavailable: "no search by meaning: no embedding model can be used",
  subagent_failed: "a subagent could not do its part, so nothing of the whole was done",
  // the server
  not_signed_in: "neither a valid token nor a session that still lives",
  link_used: "the link was exchanged before; each works once",
  foreign_request: "from a host or a page that is not ours",
  other_folder: "meant for another folder than the one that is served",
  too_many_attempts: "too many wrong tokens in a short time",
  unknown_route: "no such address",
  wrong_method: "the address exists, but not for this method",
  body_too_large: "a request that is larger than the limit",
  wrong_content_type: "a body that is not announced as JSON",
  upgrade_refused: "another protocol than HTTP; there is none",
  server_busy: "more requests at once than the limit",
  address_in_use: "another program listens there",
  internal_error: "a bug of ours",
} as const;

export type FaultCode = keyof typeof faultCodes;

export type FaultDetails = Readonly<Record<string, unknown>>;

/** What front ends read in the details of a fault, by its code. */
export interface KnownDetails {
  /** Where the first NUL byte is; a text that is only in another encoding has none. */
  unsupported_file_type: { readonly offset?: number };
  unknown_revision: { readonly was_made?: boolean };
  version_mismatch: { readonly was_made?: boolean };
  external_change: {
    readonly path?: string | null;
    readonly differences?: readonly { readonly path: string }[];
  };
  whole_turn_only: { readonly turn?: string };
  turns_overlap: { readonly turn?: string; readonly turns?: readonly { readonly turn: string }[] };
  workspace_busy: { readonly lock?: string; readonly pid?: number | null; readonly since?: string };
  /** Whom to mend: the provider and model that failed, and the field of its connection; none where there is nothing to set. */
  model_failed: {
    readonly provider?: string;
    readonly model?: string;
    readonly field?: ModelField;
    readonly turn?: string;
  };
  /** The status of a reply that says nothing else; `isUnreachable` where there was no reply, or not all of one. */
  io_failed: { readonly status?: number; readonly isUnreachable?: boolean };
}

type DetailsOf<Code extends FaultCode> = FaultDetails &
  (Code extends keyof KnownDetails ? KnownDetails[Code] : unknown);

export class Fault<Code extends FaultCode = FaultCode> {
  readonly error: Code;
  readonly message: string;
  readonly details: FaultDetails;
  /** What to do next, as a sentence. */
  readonly suggestion: string;

  constructor(error: Code, message: string, suggestion: string, details?: DetailsOf<Code>) {
    this.error = error;
    this.message = message;
    this.suggestion = suggestion;
    this.details = details ?? {};
  }
}

/** None for a fault of another code. */
export function detailsOf<Code extends keyof KnownDetails>(
  { error, details }: Fault,
  ...codes: readonly Code[]
): Partial<KnownDetails[Code]> {
  // The constructor's types guarantee the details of its code.
  return codes.some((code) => code === error) ? (details as KnownDetails[Code]) : {};
}

/**
 * Drops what may be a fault on purpose. A comment beside the call says why it need not be reported: what failed is a shortcut,
 * or is found and reported by what comes next.
 */
export function ignoreFault(_result: unknown): void {}

export function isFault(value: unknown): value is Fault {
  return value instanceof Fault;
}
