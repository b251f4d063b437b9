// Tabs: which documents are open, reading and searching them, and the turns that changed them. Lines count from 0.

import type { Operations } from "@stet/protocol/api/operation";
import { Fault, isFault } from "@stet/protocol/fault";
import { countLines, lineContent } from "@stet/text/lines";
import { outlineOf } from "@stet/text/outline";
import type { DocumentState } from "@stet/workspace/documents/document-state";
import { unknownTab } from "@stet/workspace/tabs/tab-faults";
import type { ListedTab, TabInfo } from "@stet/workspace/tabs/tabs";
import type { Host } from "../host.ts";
import { documentText } from "./documents.ts";
import { timeOf } from "./job-view.ts";
import { rollback } from "./rollback.ts";
import { searchTab } from "./search-tab.ts";

type TabOperations = Pick<
  Operations,
  | "listTabs"
  | "openTab"
  | "activateTab"
  | "moveTab"
  | "closeTab"
  | "saveTab"
  | "reloadTab"
  | "readLines"
  | "outline"
  | "searchTab"
  | "turnHistory"
  | "restoreTurn"
>;

/** What one answer holds at most; `has_more` says that there is more. */
const maxReadLines = 20_000;
const maxReadCharacters = 2_000_000;
const maxTurns = 1000;
/** Whoever opens a longer document sees its tab first. */
const maxOpenedCharacters = 4_000_000;

interface NewTab {
  readonly path?: string | undefined;
  readonly title?: string | undefined;
  readonly content?: string | undefined;
}

export interface OpenTab {
  readonly info: TabInfo;
  readonly state: DocumentState;
}

export function tabOperations(host: Host): TabOperations {
  const { workspace, events } = host;
  const { tabs, checkpoints } = workspace;

  const listed = ({ info, document, openHunks }: ListedTab) => ({ ...info, document, open_hunks: openHunks });
  /** What was done to the tabs is told to everyone. */
  const told = (done: TabInfo | Fault) => {
    events.look();
    if (isFault(done)) return done;
    const tab = tabs.listOpen().find(({ info }) => info.tab_id === done.tab_id);
    // Another process may have closed it by now.
    return tab === undefined ? unknownTab(done.tab_id) : listed(tab);
  };
  const open = (id: string): OpenTab | Fault => {
    const info = tabs.info(id);
    if (isFault(info)) return info;
    const state = tabs.document(id);
    return isFault(state) ? state : { info, state };
  };

  const openOne = ({ path, title, content }: NewTab) => {
    if (title !== undefined) {
      const place = path === undefined ? {} : { path };
      return told(tabs.create({ title, ...place, ...(content === undefined ? {} : { content }) }));
    }
    if (path === undefined) return nothingToOpen();
    const location = workspace.documents.locate(path);
    if (isFault(location)) return location;
    // A file that has a tab comes to the front.
    const known = tabs.list().find((tab) => tab.path === location.path);
    return told(known === undefined ? tabs.open(path) : tabs.activate(known.tab_id));
  };

  return {
    async listTabs() {
      const list = tabs.listOpen();
      const active = list.find(({ info }) => info.is_active);
      return { tabs: list.map(listed), active_tab_id: active?.info.tab_id ?? null };
    },

    async openTab({ body }) {
      const tab = openOne(body);
      if (isFault(tab) || body.with_text !== true || tab.size_chars > maxOpenedCharacters) return tab;
      const opened = await documentText(host, tab.document);
      // A file that is not text has a tab all the same.
      return isFault(opened) ? tab : { ...tab, opened };
    },

    async activateTab({ params }) {
      return told(tabs.activate(params.tab_id));
    },

    async moveTab({ params, body }) {
      return told(tabs.move(params.tab_id, body.position));
    },

    async closeTab({ params }) {
      const closed = tabs.close(params.tab_id);
      events.look();
      return closed;
    },

    async saveTab({ params, body }) {
      const { tab_id: id } = params;
      const location = body.path === undefined ? undefined : workspace.documents.locate(body.path);
      if (isFault(location)) return location;
      const isElsewhere = location !== undefined && location.path !== pathOf(tabs.info(id));
      const saved = isElsewhere ? await tabs.saveAs(id, location.path) : await tabs.save(id);
      return isFault(saved) ? saved : told(tabs.info(id));
    },

    async reloadTab({ params }) {
      return workspace.lockedByTurn() ?? told(tabs.reload(params.tab_id));
    },

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
      const report = await rollback(host, body.checkpoint_id, only);
      if (isFault(report)) return report;
      const info = tabs.info(params.tab_id);
      return isFault(info) ? info : { checkpoint_id: report.checkpoint, version: info.version };
    },
  };
}

function pathOf(info: TabInfo | Fault): string | null {
  return isFault(info) ? null : info.path;
}

function nothingToOpen(): Fault {
  return new Fault(
    "invalid_arguments",
    "Nothing says what to open.",
    "Give the path of a file, or the title of a new document.",
  );
}

function outOfBounds(start: number, end: number | undefined, total: number): Fault {
  return new Fault(
    "invalid_line_range",
    `There are no lines ${start} to ${end ?? "the end"}: the document has ${total} lines, from 0.`,
    "Ask for lines that exist; both ends are included.",
    { start_line: start, end_line: end ?? null, total_lines: total },
  );
}
