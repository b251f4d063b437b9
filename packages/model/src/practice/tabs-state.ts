// What the practice model knows of the open tabs while it works: their names, and the version that each one's last result
// told. An edit names that version, so an edit made on an older state is refused by the tool, not made by chance.
//
//   name     a tab is called by its title; where two have the same, by its path, else by its id
//   lines    count from 0 in these tools and from 1 in what is said to a person

import { type Call, fieldsIn, itemsIn, numberIn, textIn } from "./fields.ts";
import { type Fields, Obstacle, type Steps } from "./steps.ts";
import { filesNamed } from "./target.ts";

export interface Tab {
  /** Undefined where the tabs cannot be listed: then the one in front is meant. */
  readonly id: string | undefined;
  readonly name: string;
  readonly path: string;
  readonly isActive: boolean;
  readonly isText: boolean;
  readonly characters: number;
  readonly lines: number;
}

/** Some eight pages: a document that takes more calls than a turn has would be begun anew in the next one. */
export const maxReadCharacters = 200_000;

export const tabsTools = {
  list: "list_tabs",
  read: "read_document",
  search: "search_document",
  outline: "get_outline",
  create: "create_document",
  insert: "insert_lines",
  replace: "replace_lines",
  delete: "delete_lines",
  write: "write_document",
  findAndReplace: "find_and_replace",
  analyse: "analyze_document",
  transform: "transform_document",
} as const;

export type TabsTool = keyof typeof tabsTools;

const changing: ReadonlySet<TabsTool> = new Set([
  "create",
  "insert",
  "replace",
  "delete",
  "write",
  "findAndReplace",
  "analyse",
  "transform",
]);

export class TabsState {
  readonly offered: ReadonlySet<string>;
  private readonly call: Call<TabsTool>;
  private readonly versions = new Map<string | undefined, string>();
  private known: readonly Tab[] = [];
  private isCurrent = false;

  constructor(call: Call<TabsTool>, offered: ReadonlySet<string>) {
    this.call = call;
    this.offered = offered;
  }

  has(tool: TabsTool): boolean {
    return this.offered.has(tabsTools[tool]);
  }

  /** The tabs as they are now; listed again only if something was changed since. */
  *all(thought = "I look which tabs are open."): Steps<readonly Tab[] | Obstacle> {
    if (this.isCurrent) return this.known;
    if (!this.has("list")) {
      this.known = [unlisted];
      return this.known;
    }
    const value = yield* this.call("list", thought, {});
    if (value instanceof Obstacle) return value;
    const items = itemsIn(value, "tabs");
    const active = textIn(value, "active_tab_id");
    this.known = items.map((item) => tabOf(item, items, active));
    for (const item of items) this.note(item, textIn(item, "tab_id"));
    this.isCurrent = true;
    return this.known;
  }

  /** Whether a tab that was listed already has more characters. */
  isLong(name: string, characters: number): boolean {
    return (this.known.find((tab) => tab.name === name)?.characters ?? 0) > characters;
  }

  /** The tab with this very name. */
  *named(name: string): Steps<Tab | Obstacle> {
    const known = this.known.find((tab) => tab.name === name);
    if (known !== undefined) return known;
    const tabs = yield* this.all();
    if (tabs instanceof Obstacle) return tabs;
    return (
      tabs.find((tab) => tab.name === name) ??
      new Obstacle("invalid_tab_id", `There is no tab “${name}”; it may have been closed.`)
    );
  }

  *active(): Steps<Tab | Obstacle> {
    const tabs = yield* this.all();
    if (tabs instanceof Obstacle) return tabs;
    return (
      tabs.find((tab) => tab.isActive) ??
      tabs[0] ??
      new Obstacle("invalid_tab_id", "No tab is open. Open a document first, or tell me to create one.")
    );
  }

  /** The tabs that a person may mean by a name: of their titles, or of their paths. */
  *meant(name: string): Steps<readonly Tab[] | Obstacle> {
    const tabs = yield* this.all();
    if (tabs instanceof Obstacle) return tabs;
    const fitting = (nameOf: (tab: Tab) => string) => {
      const names = filesNamed(tabs.map(nameOf), name);
      return tabs.filter((tab) => names.includes(nameOf(tab)));
    };
    const titled = fitting((tab) => tab.name);
    return titled.length > 0 ? titled : fitting((tab) => tab.path);
  }

  /** A call about one tab. What it tells of the tab's version is remembered. */
  *ask(tool: TabsTool, tab: Tab, thought: string, values: Fields): Steps<Fields | Obstacle> {
    const value = yield* this.call(tool, thought, { ...values, tab_id: tab.id });
    if (value instanceof Obstacle) return value;
    const isChange = changing.has(tool) && values.preview !== true;
    if (isChange) this.isCurrent = false;
    const version = textIn(value, "version");
    if (isChange && version === undefined) this.versions.delete(tab.id);
    this.note(value, tab.id);
    return value;
  }

  /** A call that edits: it names the version that was seen last. */
  *edit(tool: TabsTool, tab: Tab, thought: string, values: Fields): Steps<Fields | Obstacle> {
    const version = this.versions.get(tab.id) ?? (yield* this.freshVersion(tab));
    if (version instanceof Obstacle) return version;
    return yield* this.ask(tool, tab, thought, { ...values, version });
  }

  /** The version as it is now. */
  *freshVersion(tab: Tab): Steps<string | Obstacle> {
    const thought = `I look which version ${tab.name} has now.`;
    this.versions.delete(tab.id);
    this.isCurrent = false;
    const value = this.has("list")
      ? yield* this.all(thought)
      : yield* this.ask("read", tab, thought, { start_line: 0, end_line: 0 });
    if (value instanceof Obstacle) return value;
    return (
      this.versions.get(tab.id) ??
      new Obstacle("unknown_revision", `I could not learn the version of ${tab.name}.`)
    );
  }

  *create(title: string, content: string): Steps<Fields | Obstacle> {
    const value = yield* this.call("create", `I create the document ${title}.`, {
      title,
      content: content === "" ? undefined : content,
    });
    if (!(value instanceof Obstacle)) this.isCurrent = false;
    return value;
  }

  private note(value: Fields, tab: string | undefined): void {
    const version = textIn(value, "version");
    const about = textIn(value, "tab_id");
    if (version !== undefined && (about === undefined || tab === undefined || about === tab))
      this.versions.set(tab, version);
  }
}

const unlisted: Tab = {
  id: undefined,
  name: "the active tab",
  path: "",
  isActive: true,
  isText: true,
  characters: 0,
  lines: 0,
};

function tabOf(item: Fields, items: readonly Fields[], active: string | undefined): Tab {
  const id = textIn(item, "tab_id");
  const title = textIn(item, "title") ?? "";
  const path = textIn(item, "path") ?? "";
  const isOnly = (field: string, value: string) =>
    value !== "" && items.filter((other) => textIn(other, field) === value).length === 1;
  return {
    id,
    name: isOnly("title", title) ? title : isOnly("path", path) ? path : (id ?? title),
    path,
    isActive: item.is_active === true || (id !== undefined && id === active),
    isText: !/^(?:binary|unknown)$/.test(textIn(item, "file_type") ?? ""),
    characters: numberIn(item, "size_chars") ?? 0,
    lines: numberIn(item, "line_count") ?? 0,
  };
}

export interface Window {
  /** Without their line ends. */
  readonly lines: readonly string[];
  /** From 0. */
  readonly start: number;
  readonly total: number;
  readonly hasMore: boolean;
  /** The only line shown is longer than an answer, so its end is missing. */
  readonly isCut: boolean;
}

/** Some lines of a tab, from 0; as many as one answer holds where no last line is named. */
export function* readWindow(
  state: TabsState,
  tab: Tab,
  thought: string,
  first: number,
  last?: number,
): Steps<Window | Obstacle> {
  const value = yield* state.ask("read", tab, thought, { start_line: first, end_line: last });
  if (value instanceof Obstacle) return value;
  const told = fieldsIn(value, "lines");
  const total = numberIn(told, "total") ?? 0;
  const start = numberIn(told, "start") ?? first;
  const end = numberIn(told, "end");
  const content = (textIn(value, "content") ?? "").replaceAll("\r\n", "\n");
  const lines = total === 0 ? [] : content.split("\n");
  // A final line break ends the last line; it does not begin another.
  if (lines.at(-1) === "" && end !== undefined && lines.length > end - start + 1) lines.pop();
  return {
    lines,
    start,
    total,
    hasMore: value.has_more === true,
    isCut: lines.length === 1 && value.note !== undefined,
  };
}
