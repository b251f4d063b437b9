// Tabs: which documents are open, in which order, and their files.

import type { Operations } from "@stet/protocol/api/operation";
import { Fault, isFault } from "@stet/protocol/fault";
import { unknownTab } from "@stet/workspace/tabs/tab-faults";
import type { ListedTab, TabInfo } from "@stet/workspace/tabs/tabs";
import { type DocumentParts, documentText } from "./documents.ts";

/** A longer document gets its tab first, and its content later. */
const maxOpenedCharacters = 4_000_000;

interface NewTab {
  readonly path?: string | undefined;
  readonly title?: string | undefined;
  readonly content?: string | undefined;
}

export function tabOperations(parts: DocumentParts) {
  const { workspace, events } = parts;
  const { tabs } = workspace;

  const listed = ({ info, document, openHunks }: ListedTab) => ({ ...info, document, open_hunks: openHunks });
  /** Sends an event for a change of the tabs to every window. */
  const listedAgain = (done: TabInfo | Fault) => {
    events.look();
    if (isFault(done)) return done;
    const tab = tabs.listOpen().find(({ info }) => info.tab_id === done.tab_id);
    // Another process may have closed it by now.
    return tab === undefined ? unknownTab(done.tab_id) : listed(tab);
  };
  const openOne = ({ path, title, content }: NewTab) => {
    if (title !== undefined) {
      const location = path === undefined ? {} : { path };
      return listedAgain(tabs.create({ title, ...location, ...(content === undefined ? {} : { content }) }));
    }
    if (path === undefined) return nothingToOpen();
    const location = workspace.documents.locate(path);
    if (isFault(location)) return location;
    // A file that has a tab comes to the front.
    const known = tabs.list().find((tab) => tab.path === location.path);
    return listedAgain(known === undefined ? tabs.open(path) : tabs.activate(known.tab_id));
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
      const opened = await documentText(parts, tab.document);
      // A file that is not text has a tab all the same.
      return isFault(opened) ? tab : { ...tab, opened };
    },

    async activateTab({ params }) {
      return listedAgain(tabs.activate(params.tab_id));
    },

    async moveTab({ params, body }) {
      return listedAgain(tabs.move(params.tab_id, body.position));
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
      return isFault(saved) ? saved : listedAgain(tabs.info(id));
    },

    async reloadTab({ params }) {
      return workspace.lockedByTurn() ?? listedAgain(tabs.reload(params.tab_id));
    },
  } satisfies Partial<Operations>;
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
