// The workspace as a whole: its files, its lock, its events, and what Stet itself can tell.

import { basename } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Operations } from "@stet/protocol/api/operation";
import { isFault } from "@stet/protocol/fault";
import { openHunkCount } from "@stet/workspace/documents/document-state";
import { workspaceLog } from "../events/logs.ts";
import type { Host } from "../host.ts";
import { version } from "../version.ts";
import { eventPage, eventStream } from "./log-reply.ts";
import { timeOf } from "./time-of.ts";

/** Milliseconds between two looks at the event loop; they are part of what is measured. */
const resolution = 20;

export function workspaceOperations(host: Host) {
  const { workspace, events, runner, log, limits } = host;
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();

  return {
    async getWorkspace() {
      await log.settled();
      const holder = workspace.lockHolder();
      const { path } = workspace.root;
      return {
        root: path,
        name: basename(path),
        is_sample: host.isSample,
        lock: {
          locked: holder !== undefined,
          job_id: holder === undefined ? null : events.lockedBy,
          since: holder === undefined ? null : timeOf(holder.since),
          purpose: holder?.purpose ?? null,
        },
        subagents_active: events.subagentsActive,
        jobs_running: runner.active,
        open_hunks: openHunks(host),
        cursor: log.cursor,
        notices: [...host.notices.list()],
      };
    },

    async workspaceEvents({ query }) {
      return eventPage(host, workspaceLog, query);
    },

    async streamWorkspaceEvents({ query }, caller) {
      return eventStream(host, workspaceLog, caller.lastEventId ?? query.cursor);
    },

    async listFiles({ query }, { signal }) {
      const listing = await workspace.list({ ...query, signal });
      return isFault(listing) ? listing : { files: [...listing.files], truncated: listing.truncated };
    },

    async searchFiles({ query }, { signal }) {
      const { capitals, ...asked } = query;
      const maxSnippetLines = limits.max_search_snippet_lines;
      const caseSensitive = capitals === "exact" || /\p{Lu}/u.test(asked.query);
      const found = await workspace.search({ ...asked, caseSensitive, maxSnippetLines, signal });
      if (isFault(found)) return found;
      const results = found.results.map(({ file_path, start_line, end_line, snippet }) => {
        return { file_path, start_line, end_line, snippet };
      });
      return { results, truncated: found.truncated };
    },

    async listPrompts({ query }) {
      const prompts = host.prompts();
      if (isFault(prompts)) return prompts;
      const { query: words = "", limit } = query;
      const found = words.trim() === "" ? prompts.recent(limit) : prompts.search(words, limit);
      if (isFault(found)) return found;
      return { prompts: found.map(({ prompt, createdAt }) => ({ text: prompt, at: timeOf(createdAt) })) };
    },

    async health() {
      return {
        status: "ok",
        version: version(),
        uptime_seconds: Math.round((Date.now() - host.startedAt) / 1000),
        event_loop_delay_ms: Math.max(0, Math.round(delay.percentile(99) / 10_000) / 100 - resolution),
        memory_mb: Math.round(process.memoryUsage.rss() / 1024 ** 2),
      };
    },
  } satisfies Partial<Operations>;
}

function openHunks({ workspace }: Host): number {
  let count = 0;
  for (const document of workspace.review.openDocuments()) {
    const state = workspace.ledger.state(document);
    if (state !== undefined) count += openHunkCount(state);
  }
  return count;
}
