// A fault as an HTTP reply: one table from code to status.

import type { Fault, FaultCode } from "@stet/protocol/fault";

type FaultStatus =
  | 400
  | 401
  | 403
  | 404
  | 405
  | 409
  | 413
  | 415
  | 422
  | 426
  | 429
  | 500
  | 502
  | 503
  | 504
  | 507;

/** Codes that are not here are the caller's mistake: 400. */
const statuses: Partial<Record<FaultCode, FaultStatus>> = {
  not_signed_in: 401,
  link_used: 403,
  foreign_request: 403,
  not_allowed: 403,
  not_permitted: 403,
  path_outside: 403,
  protected_path: 403,

  unknown_route: 404,
  unknown_revision: 404,
  unknown_hunk: 404,
  unknown_turn: 404,
  unknown_checkpoint: 404,
  unknown_deletion: 404,
  unknown_entry: 404,
  unknown_artifact: 404,
  unknown_job: 404,
  unknown_message: 404,
  unknown_question: 404,
  unknown_tool: 404,
  unknown_symbol: 404,
  unknown_address: 404,
  file_not_found: 404,
  invalid_tab_id: 404,
  session_not_found: 404,
  no_match: 404,

  wrong_method: 405,

  conflict: 409,
  version_mismatch: 409,
  stale_anchor: 409,
  external_change: 409,
  other_folder: 409,
  editing_locked: 409,
  turns_overlap: 409,
  whole_turn_only: 409,
  title_exists: 409,
  file_exists: 409,
  job_not_ready: 409,
  turn_closed: 409,
  nothing_to_undo: 409,
  session_busy: 409,
  partly_read: 409,
  redacted_text: 409,
  generated_file: 409,
  stale_preview: 409,
  nothing_pending: 409,
  aborted: 409,

  body_too_large: 413,
  too_large: 413,
  wrong_content_type: 415,

  invalid_line_range: 422,
  invalid_regex: 422,
  invalid_anchor: 422,
  invalid_patch: 422,
  invalid_path: 422,
  unsupported_file_type: 422,
  unsupported_session: 422,
  content_required: 422,
  not_a_file: 422,
  not_readable: 422,
  no_change: 422,
  ambiguous_match: 422,
  ambiguous_session: 422,
  large_deletion: 422,

  upgrade_refused: 426,

  too_many_attempts: 429,
  too_many_jobs: 429,
  tool_call_limit: 429,

  internal_error: 500,
  tool_failed: 500,
  io_failed: 500,
  ledger_damaged: 500,
  store_damaged: 500,
  session_damaged: 500,
  search_failed: 500,
  command_failed: 500,
  subagent_failed: 502,
  page_failed: 502,
  model_failed: 502,
  workspace_busy: 503,
  server_busy: 503,
  embeddings_unavailable: 503,
  search_timeout: 504,
  disk_full: 507,
};

export function statusOf(fault: Fault): FaultStatus {
  return statuses[fault.error] ?? 400;
}

/** Headers that tell a caller when to try again, where trying again helps. */
function retryHeaders(fault: Fault): Record<string, string> {
  const { retry_after_seconds: seconds } = fault.details;
  if (typeof seconds === "number") return { "Retry-After": String(Math.max(1, Math.ceil(seconds))) };
  return statusOf(fault) === 503 ? { "Retry-After": "1" } : {};
}

export function faultBody({ error, message, details, suggestion }: Fault): string {
  return JSON.stringify({ error, message, details, suggestion });
}

export function faultResponse(fault: Fault, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(faultBody(fault), {
    status: statusOf(fault),
    headers: { "Content-Type": "application/json", ...retryHeaders(fault), ...headers },
  });
}
