// What is in a tab: its lines, its outline, searches in it, and the turns that changed it. Lines count from 0.

import type { Operations } from "@stet/protocol/api/operation";
import { Fault, isFault } from "@stet/protocol/fault";
import { countLines, lineContent } from "@stet/text/lines";
import { outlineOf } from "@stet/text/outline/outline";
import type { DocumentState } from "@stet/workspace/documents/document-state";
import type { TabInfo } from "@stet/workspace/tabs/tabs";
import type { Host } from "../host.ts";
import type { RollBack } from "./rollback.ts";
import { searchTab } from "./search-tab.ts";
import { timeOf } from "./time-of.ts";

/** What one answer holds at most; `has_more` says that there is more. */
const maxReadLines = 20_000;
const maxReadCharacters = 2_000_000;
const maxTurns = 1000;
export interface OpenTab {
  readonly info: TabInfo;
  readonly state: DocumentState;
}

export function tabContentOperations(host: Host, rollBack: RollBack) {
  const { tabs, checkpoints } = host.workspace;

  const open = (id: string): OpenTab | Fault => {
    const info = tabs.info(id);
    if (isFault(info)) return info;
    const state = tabs.document(id);
    return isFault(state) ? state : { info, state };
  };

  return {
    async readLines({ params, query }) {
      const tab = open(params.tab_id);
      if (isFault(tab)) return tab;
      const { text } = tab.state.history;
      const total = countLines(text);
      const start = query.start_line;
      const end = Math.min(query.end_line ?? total - 1, total - 1);
      if (start > Math.max(0, total - 1) || (query.end_line ?? start) < start) {
        return outOfBounds(start, query.end_line, total);
      }
      const lines: string[] = [];
      let length = 0;
      for (
        let line = start;
        line <= end && lines.length < maxReadLines && length < maxReadCharacters;
        line += 1
      ) {
        const content = lineContent(text, line);
        length += content.length + 1;
        lines.push(content);
      }
      const last = start + lines.length - 1;
      return {
        version: tab.info.version,
        content: lines.join("\n"),
        lines: { start, end: last, total },
        has_more: last < total - 1,
      };
    },

    async outline({ params, query }) {
      const tab = open(params.tab_id);
      if (isFault(tab)) return tab;
      const { version, file_type } = tab.info;
      const outline = await outlineOf(tab.state.history.text, file_type, { maxDepth: query.max_depth });
      return { version, file_type, ...outline };
    },

    async searchTab({ params, query }, { signal }) {
      const tab = open(params.tab_id);
      return isFault(tab) ? tab : searchTab(host, tab, query, signal);
    },

    async turnHistory({ params }) {
      const tab = open(params.tab_id);
      if (isFault(tab)) return tab;
      const list = checkpoints.list({ document: tab.state.id, limit: maxTurns });
      return {
        turns: list.map(({ id, turn, kind, summary, createdAt }, index) => ({
          checkpoint_id: id,
          turn,
          number: list.length - index,
          kind,
          summary,
          created_at: timeOf(createdAt),
        })),
      };
    },

    async restoreTurn({ params, body }) {
      const tab = open(params.tab_id);
      if (isFault(tab)) return tab;
      // A turn may have touched other documents, too; those stay as they are.
      const only = { mode: "hard_all", documents: [tab.state.id] } as const;
      const report = await rollBack(body.checkpoint_id, only);
      if (isFault(report)) return report;
      const info = tabs.info(params.tab_id);
      return isFault(info) ? info : { checkpoint_id: report.checkpoint, version: info.version };
    },
  } satisfies Partial<Operations>;
}

function outOfBounds(start: number, end: number | undefined, total: number): Fault {
  return new Fault(
    "invalid_line_range",
    `There are no lines ${start} to ${end ?? "the end"}: the document has ${total} lines, from 0.`,
    "Ask for lines that exist; both ends are included.",
    { start_line: start, end_line: end ?? null, total_lines: total },
  );
}
