// The practice model's adapter to toolset tabs: documents in tabs, lines counted from 0, versions that guard each edit.
//
//   names      a tab is called by its title; where two have the same, by its path, else by its id
//   versions   every result has the version of its tab, and an edit names the last one
//   replacing  by the toolset's own tool, whatever the length

import { isRecord } from "@stet/protocol/json-record";
import type { ReplaceWish } from "./request.ts";
import { type Fields, Obstacle, type Steps } from "./steps.ts";
import {
  call,
  itemsIn,
  notWhole,
  numberIn,
  oneByOne,
  pageLines,
  type RowEdit,
  runNothing,
  type SearchHit,
  type ToolsetAdapter,
  textIn,
} from "./toolset.ts";

interface Tab {
  readonly id: string;
  readonly name: string;
  readonly isActive: boolean;
}

const searchLimit = 50;

export const tabsAdapter: ToolsetAdapter = {
  tools: [
    "list_tabs",
    "read_document",
    "search_document",
    "insert_lines",
    "replace_lines",
    "delete_lines",
    "find_and_replace",
  ],
  open(offered) {
    const versions = new Map<string, string>();
    let known: readonly Tab[] | undefined;

    function* tabs(): Steps<readonly Tab[] | Obstacle> {
      if (known !== undefined) return known;
      const value = yield* call(offered, "list_tabs", "I look which tabs are open.", {});
      if (value instanceof Obstacle) return value;
      const items = itemsIn(value, "tabs");
      const titles = items.map((item) => textIn(item, "title") ?? "");
      known = items.map((item, index): Tab => {
        const id = textIn(item, "tab_id") ?? "";
        const title = titles[index] ?? "";
        const isAlone = titles.indexOf(title) === titles.lastIndexOf(title);
        const isActive = item.is_active === true || id === textIn(value, "active_tab_id");
        const name = isAlone ? title : (textIn(item, "path") ?? id);
        note(item, id);
        return { id, name, isActive };
      });
      return known;
    }

    function* named(name: string): Steps<Tab | Obstacle> {
      const all = yield* tabs();
      if (all instanceof Obstacle) return all;
      const found = all.find((tab) => tab.name === name);
      return found ?? new Obstacle("invalid_tab_id", `There is no tab “${name}”; it may have been closed.`);
    }

    function note(value: Fields, id: string): void {
      const version = textIn(value, "version");
      if (version !== undefined) versions.set(id, version);
    }

    function* ask(tool: string, tab: Tab, thought: string, values: Fields): Steps<Fields | Obstacle> {
      const value = yield* call(offered, tool, thought, { ...values, tab_id: tab.id });
      if (!(value instanceof Obstacle)) note(value, tab.id);
      return value;
    }

    function* change(tool: string, tab: Tab, thought: string, values: Fields): Steps<Fields | Obstacle> {
      return yield* ask(tool, tab, thought, { ...values, version: versions.get(tab.id) });
    }

    function* changeLines(tab: Tab, { first, last, lines }: RowEdit, thought: string) {
      const content = contentOf(lines);
      const range = { start_line: first - 1, end_line: last - 1 };
      const value =
        last < first
          ? yield* change("insert_lines", tab, thought, { after_line: first - 2, content })
          : lines.length === 0
            ? yield* change("delete_lines", tab, thought, range)
            : yield* change("replace_lines", tab, thought, { ...range, content });
      return value instanceof Obstacle ? value : undefined;
    }

    function* replaced(path: string, request: ReplaceWish): Steps<number | Obstacle> {
      const tab = yield* named(path);
      if (tab instanceof Obstacle) return tab;
      const { from, to } = request;
      const thought = `I replace “${from}” in ${path}.`;
      const value = yield* change("find_and_replace", tab, thought, {
        find: from,
        replace: to,
        case_sensitive: !request.ignoresCase,
        whole_word: request.isWholeWord,
      });
      if (!(value instanceof Obstacle)) return numberIn(value, "replacements_made") ?? 0;
      return value.code === "no_match" ? 0 : value;
    }

    return {
      noun: "tab",
      run: runNothing,
      *list() {
        const all = yield* tabs();
        return all instanceof Obstacle ? all : all.map(({ name }) => name);
      },
      *front() {
        const all = yield* tabs();
        if (all instanceof Obstacle) return all;
        const front = all.find(({ isActive }) => isActive) ?? all[0];
        return front?.name ?? new Obstacle("invalid_tab_id", "No tab is open. Open a document first.");
      },
      *search(query, { path }) {
        const all = yield* tabs();
        if (all instanceof Obstacle) return all;
        const hits: SearchHit[] = [];
        let isComplete = true;
        for (const tab of all.filter(({ name }) => path === undefined || name === path)) {
          const options = { match_type: "exact", max_results: searchLimit, include_context: false };
          const thought = `I search ${tab.name} for “${query}”.`;
          const value = yield* ask("search_document", tab, thought, { query, ...options });
          if (value instanceof Obstacle) return value;
          const matches = itemsIn(value, "matches");
          for (const match of matches) {
            const line = (numberIn(match, "line") ?? 0) + 1;
            if (hits.some((hit) => hit.path === tab.name && hit.line === line)) continue;
            hits.push({ path: tab.name, line, text: textIn(match, "preview") ?? "" });
          }
          isComplete &&= matches.length >= (numberIn(value, "total_matches") ?? matches.length);
        }
        return { hits, isComplete };
      },
      *read(path) {
        const tab = yield* named(path);
        if (tab instanceof Obstacle) return tab;
        const lines: string[] = [];
        for (let pages = 0; pages < 100; pages += 1) {
          const thought = pages === 0 ? `I read ${path}.` : "";
          const value = yield* ask("read_document", tab, thought, { start_line: lines.length });
          if (value instanceof Obstacle) return value;
          const range = isRecord(value.lines) ? value.lines : {};
          const total = numberIn(range, "total") ?? 0;
          const end = numberIn(range, "end") ?? total - 1;
          const fresh = total === 0 ? [] : pageLines(textIn(value, "content") ?? "", end - lines.length + 1);
          lines.push(...fresh);
          // A note beside a single line says that its end is missing.
          if (fresh.length === 1 && value.note !== undefined) break;
          if (value.has_more !== true) return { path, lines };
          if (fresh.length === 0) break;
        }
        return notWhole(path);
      },
      *edit(reading, edits) {
        const tab = yield* named(reading.path);
        if (tab instanceof Obstacle) return { made: 0, obstacle: tab };
        return yield* oneByOne(edits, (edit, thought) => changeLines(tab, edit, thought));
      },
      // A removed word takes a space with it, which no call of the tool says.
      replace: (path, request) => (request.to === "" ? undefined : replaced(path, request)),
    };
  },
};

/** An empty last line needs a line break of its own: no content at all would delete. */
function contentOf(lines: readonly string[]): string {
  return lines.at(-1) === "" ? `${lines.join("\n")}\n` : lines.join("\n");
}
