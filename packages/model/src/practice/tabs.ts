// The practice model's adapter to toolset tabs: documents in tabs, lines counted from 0, versions that guard each edit.
//
//   reading     page by page until nothing is left. That is for what needs every word: a long document costs many calls,
//               so whatever a tool of this toolset does in one call is done with it (practice-tabs-*.ts)
//   one turn    a document that would take more pages than a turn has calls for is not begun

import type { ToolDescription } from "@stet/protocol/model-stream";
import { tooLong } from "./edits.ts";
import { callsTo, itemsIn, numberIn, textIn } from "./fields.ts";
import type { Scope } from "./phrases.ts";
import type { Request } from "./request-lines.ts";
import { Obstacle, type Steps } from "./steps.ts";
import { applyEdit, changeLongTab, contentOf } from "./tabs-lines.ts";
import { analyseTab, countInTabs, createTab, findScene, outlineTab, summariseTab } from "./tabs-look.ts";
import { replaceInTabs, tidyLongTab } from "./tabs-replace.ts";
import { maxReadCharacters, readWindow, type Tab, TabsState, tabsTools as tools } from "./tabs-state.ts";
import { changeSetting, renameCharacter } from "./tabs-transform.ts";
import type { Desk } from "./target.ts";
import type { Ability, EditOptions, Hit, LineEdit, Reading, SearchAnswer, Toolset } from "./toolset.ts";
import { counted } from "./words.ts";

export const tabsToolNames: readonly string[] = Object.values(tools);

const abilities: Readonly<Record<Ability, string | undefined>> = {
  search: tools.search,
  read: tools.read,
  list: tools.list,
  ask: undefined,
  edit: tools.replace,
};

const searchLimit = 50;

export function tabsTools(offeredTools: readonly ToolDescription[]): Toolset | undefined {
  const offered = new Set(offeredTools.map(({ name }) => name));
  if (!tabsToolNames.some((name) => offered.has(name))) return undefined;
  const state = new TabsState(callsTo(offeredTools, tools), offered);
  return {
    noun: "tab",
    can: (ability) => offered.has(abilities[ability] ?? "") || (ability === "list" && !state.has("list")),
    tool: (ability) => abilities[ability] ?? "",
    place: (scope) => place(state, scope),
    skill: (desk, request) => ownSkill(state, desk, request),
    search: (query, thought, path) => search(state, query, thought, path),
    read: (path, thought) => readWhole(state, path, thought),
    list: (thought) => list(state, thought),
    ask: noQuestion,
    edit: (reading, edit, options) => editLines(state, reading, edit, options),
    rewrite: (reading, lines, options) => rewrite(state, reading, lines, options),
  };
}

function ownSkill(state: TabsState, desk: Desk, request: Request): Steps<string> | undefined {
  switch (request.kind) {
    case "replace":
      return request.isCharacter && request.to !== "" && state.has("transform")
        ? renameCharacter(state, desk, request)
        : replaceInTabs(state, desk, request);
    case "setting":
      return state.has("transform") ? changeSetting(state, desk, request) : undefined;
    case "insert":
    case "delete":
    case "setLine":
      return changeLongTab(state, desk, request);
    case "tidy":
      return tidyLongTab(state, desk, request);
    case "outline":
      return state.has("outline") ? outlineTab(state, desk, request) : undefined;
    case "summarise":
      return state.has("analyse") ? summariseTab(state, desk, request) : undefined;
    case "analyse":
      return state.has("analyse") ? analyseTab(state, desk, request) : undefined;
    case "findScene":
      return state.has("search") ? findScene(state, desk, request) : undefined;
    case "count":
      return countInTabs(state, desk, request);
    case "create":
      return state.has("create") ? createTab(state, request) : undefined;
    default:
      return undefined;
  }
}

function* place(state: TabsState, scope: Scope): Steps<Scope | Obstacle> {
  if (scope.kind === "unsaid" || scope.kind === "current") {
    const tab = yield* state.active();
    return tab instanceof Obstacle ? tab : { kind: "file", name: tab.name };
  }
  if (scope.kind === "folder") {
    return new Obstacle(
      "question",
      `Tabs are in no folder, so I cannot tell which are in “${scope.prefix}”. Which tab do you mean?`,
    );
  }
  if (scope.kind === "all") return scope;
  const names: string[] = [];
  for (const name of scope.kind === "file" ? [scope.name] : scope.names) {
    const meant = yield* state.meant(name);
    if (meant instanceof Obstacle) return meant;
    const [only] = meant;
    names.push(only === undefined || meant.length > 1 ? name : only.name);
  }
  const [name] = names;
  return scope.kind === "file" && name !== undefined ? { kind: "file", name } : { kind: "files", names };
}

function* list(state: TabsState, thought: string): Steps<readonly string[] | Obstacle> {
  const tabs = yield* state.all(thought);
  return tabs instanceof Obstacle ? tabs : tabs.map((tab) => tab.name);
}

// biome-ignore lint/correctness/useYield: no tool of this toolset asks; the answer does.
function* noQuestion(): Steps<Obstacle> {
  return new Obstacle("not_offered", "There is no tool for asking here.");
}

function* search(
  state: TabsState,
  query: string,
  thought: string,
  path: string | undefined,
): Steps<SearchAnswer | Obstacle> {
  const one = path === undefined ? undefined : yield* state.named(path);
  if (one instanceof Obstacle) return one;
  const tabs = one === undefined ? yield* state.all() : [one];
  if (tabs instanceof Obstacle) return tabs;
  const hits: Hit[] = [];
  let isComplete = true;
  for (const tab of tabs.filter(({ isText }) => isText)) {
    const value = yield* state.ask("search", tab, thought, {
      query,
      match_type: "exact",
      max_results: searchLimit,
      include_context: false,
    });
    if (value instanceof Obstacle) return value;
    const matches = itemsIn(value, "matches");
    for (const match of matches) {
      const line = (numberIn(match, "line") ?? 0) + 1;
      if (hits.some((hit) => hit.path === tab.name && hit.startLine === line)) continue;
      hits.push({ path: tab.name, startLine: line, endLine: line, snippet: textIn(match, "preview") ?? "" });
    }
    isComplete &&= matches.length >= (numberIn(value, "total_matches") ?? matches.length);
  }
  return { hits, isComplete };
}

function* readWhole(state: TabsState, path: string, thought: string): Steps<Reading | Obstacle> {
  const tab = yield* state.named(path);
  if (tab instanceof Obstacle) return tab;
  if (tab.characters > maxReadCharacters) return unreadLength(tab);
  const lines: string[] = [];
  for (let pages = 0; pages < 100; pages += 1) {
    const page = yield* readWindow(state, tab, pages === 0 ? thought : "", lines.length);
    if (page instanceof Obstacle) return page;
    if (page.isCut) break;
    lines.push(...page.lines);
    if (!page.hasMore) return { path: tab.name, lines, isHashKnown: true };
    if (page.lines.length === 0) break;
  }
  return new Obstacle("cut", `${path} could not be read whole, so I leave it as it is.`);
}

function unreadLength(tab: Tab): Obstacle {
  return new Obstacle(
    "cut",
    `${tab.name} has ${counted(tab.characters, "character")}. That is more than I can read in one turn, and this cannot be done without reading all of it.`,
  );
}

function* editLines(
  state: TabsState,
  reading: Reading,
  edit: LineEdit,
  options: EditOptions,
): Steps<Obstacle | undefined> {
  const tab = yield* state.named(reading.path);
  if (tab instanceof Obstacle) return tab;
  const value = yield* applyEdit(state, tab, edit, options.thought);
  return value instanceof Obstacle ? value : undefined;
}

function* rewrite(
  state: TabsState,
  reading: Reading,
  lines: readonly string[],
  options: EditOptions,
): Steps<Obstacle | undefined> {
  const tab = yield* state.named(reading.path);
  if (tab instanceof Obstacle) return tab;
  const last = reading.lines.length - 1;
  // The range of all lines, so that what ends the last one stays as it is.
  const value =
    last < 0
      ? new Obstacle(tooLong, "There is nothing to replace.")
      : yield* state.edit("replace", tab, options.thought, {
          start_line: 0,
          end_line: last,
          content: contentOf(lines.join("\n")),
        });
  return value instanceof Obstacle ? value : undefined;
}
