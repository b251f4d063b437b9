// Limits of the server. Each has a default and a variable of the environment that changes it.

import { Fault } from "@stet/protocol/fault";

export const defaultLimits = {
  max_tool_calls_per_job: 12,
  max_search_results_default: 20,
  max_search_results_cap: 50,
  max_search_snippet_lines: 20,
  max_read_bytes_default: 65_536,
  max_read_lines_default: 800,
  max_schema_retries: 5,
  max_hunk_lines: 80,
  max_hunk_bytes: 8192,
  poll_interval_ms: 2000,
  max_sessions: 25,
  max_jobs_per_session: 40,
  max_events_per_job: 3000,
  max_workspace_events: 10_000,
  completed_ttl_hours: 72,
  max_running_jobs: 4,
  max_queued_jobs: 200,
  max_body_bytes: 20 * 1024 * 1024,
  max_requests_at_once: 1000,
  max_streams_at_once: 2000,
  max_stream_backlog_bytes: 4 * 1024 * 1024,
  heartbeat_ms: 15_000,
} as const;

export type ServerLimits = { readonly [Name in keyof typeof defaultLimits]: number };

/** Hunks are derived from the ledger, in every process alike, so their size is not configurable. */
const fixedLimits: ReadonlySet<string> = new Set(["max_hunk_lines", "max_hunk_bytes"]);

/** `STET_MAX_TOOL_CALLS_PER_JOB=20` changes max_tool_calls_per_job. */
export function limitsFrom(environment: NodeJS.ProcessEnv): ServerLimits | Fault {
  const limits: Record<string, number> = { ...defaultLimits };
  for (const name of Object.keys(defaultLimits)) {
    const variable = `STET_${name.toUpperCase()}`;
    const text = environment[variable];
    if (text === undefined || text === "" || fixedLimits.has(name)) continue;
    const value = Number(text);
    if (!Number.isInteger(value) || value <= 0) {
      return new Fault(
        "invalid_arguments",
        `${variable} is ${JSON.stringify(text)}, which is no positive whole number.`,
        "Correct the variable, or remove it for the default.",
      );
    }
    limits[name] = value;
  }
  return limits as ServerLimits;
}
