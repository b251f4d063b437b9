// Looking at tabs with the toolset's own tools: outline, summary, analysis, scenes and counts without reading every page;
// and a new document.

import { fieldsIn, itemsIn, numberIn, textIn } from "./fields.ts";
import { shortened } from "./line-skills.ts";
import { findText, summariseFile } from "./look.ts";
import type { Scope } from "./phrases.ts";
import type { Request } from "./request-lines.ts";
import { type Fields, Obstacle, type Steps, unreadable } from "./steps.ts";
import type { Tab, TabsState } from "./tabs-state.ts";
import { type Desk, pathsOf } from "./target.ts";
import { counted, listed } from "./words.ts";

type FileRequest = Request & { readonly kind: "list" | "outline" | "summarise" | "show" };

/** What one subagent would get; a shorter document is read and its own sentences are picked. */
const maxReadForSummary = 20_000;
const maxEntries = 200;
/** Below this, passages that have nothing in common with a description score as high. */
const weakScore = 0.4;

function* oneTab(
  state: TabsState,
  desk: Desk,
  request: { readonly scope: Scope },
  purpose: string,
): Steps<Tab | Obstacle> {
  const names = yield* pathsOf(desk, request.scope, purpose, false);
  if (names instanceof Obstacle) return names;
  const [name] = names;
  return yield* state.named(name ?? "");
}

export function* outlineTab(state: TabsState, desk: Desk, request: FileRequest): Steps<string> {
  const tab = yield* oneTab(state, desk, request, "shall I outline");
  if (tab instanceof Obstacle) return tab.sentence;
  let value = yield* state.ask("outline", tab, `I get the outline of ${tab.name}.`, { max_depth: 6 });
  // More than a result may hold: the highest level is enough to find one's way.
  if (value instanceof Obstacle && value.code === unreadable) {
    value = yield* state.ask("outline", tab, "That is too long; only the highest level.", { max_depth: 1 });
  }
  if (value instanceof Obstacle) return value.sentence;
  const entries = flattened(itemsIn(value, "outline"));
  const size = tab.lines > 0 ? ` (${counted(tab.lines, "line")})` : "";
  if (entries.length === 0) return `${tab.name} has no structure that can be seen${size}.`;
  const list = entries
    .slice(0, maxEntries)
    .map(({ depth, title, line }) => `${"  ".repeat(depth)}- ${shortened(title)} (line ${line})`);
  const rest = entries.length > maxEntries ? `\n…and ${entries.length - maxEntries} more.` : "";
  const isGuess = textIn(value, "detection_confidence") === "low";
  const doubt = isGuess ? "\nThe structure was guessed from the form of the text." : "";
  const note = isGuess ? undefined : textIn(value, "note");
  return `${tab.name}${size}:\n${list.join("\n")}${rest}${doubt}${note === undefined ? "" : `\n${note}`}`;
}

export interface Entry {
  readonly title: string;
  /** From 1. */
  readonly line: number;
  readonly depth: number;
}

export function flattened(items: readonly Fields[], depth = 0): readonly Entry[] {
  return items.flatMap((item): readonly Entry[] => [
    { title: textIn(item, "title") ?? "", line: (numberIn(item, "line_start") ?? 0) + 1, depth },
    ...flattened(itemsIn(item, "children"), depth + 1),
  ]);
}

export function* summariseTab(state: TabsState, desk: Desk, request: FileRequest): Steps<string> {
  const tab = yield* oneTab(state, desk, request, "shall I summarise");
  if (tab instanceof Obstacle) return tab.sentence;
  if (tab.characters <= maxReadForSummary) return yield* summariseFile(desk, request);
  return yield* analysed(state, tab, "summary");
}

export function* analyseTab(
  state: TabsState,
  desk: Desk,
  request: Request & { kind: "analyse" },
): Steps<string> {
  const tab = yield* oneTab(state, desk, request, "shall I look at");
  if (tab instanceof Obstacle) return tab.sentence;
  return yield* analysed(state, tab, request.task);
}

function* analysed(state: TabsState, tab: Tab, task: string): Steps<string> {
  const value = yield* state.ask("analyse", tab, `I work out the ${task} of ${tab.name}.`, { task });
  if (value instanceof Obstacle) return `I could not get the ${task} of ${tab.name}: ${value.sentence}`;
  const summary = textIn(value, "summary")?.trim() ?? "";
  const characters = itemsIn(fieldsIn(value, "details"), "characters").slice(0, 40).map(sayCharacter);
  const result = textIn(value, "result_title") ?? textIn(value, "result_tab_title");
  const id = textIn(value, "result_tab_id");
  const where = result ?? (id === undefined ? undefined : `“${tab.name} - ${task}” (${id})`);
  const parts = [
    `The ${task} of ${tab.name}:${summary === "" ? "" : ` ${summary}`}`,
    ...(characters.length === 0 ? [] : [characters.join("\n")]),
    ...(where === undefined ? [] : [`The whole result is in the tab ${where}.`]),
  ];
  return parts.join("\n");
}

function sayCharacter(character: Fields): string {
  const mentions = numberIn(character, "mentions");
  const first = numberIn(character, "first_appearance");
  const facts = [
    ...(mentions === undefined ? [] : [counted(mentions, "mention")]),
    ...(first === undefined ? [] : [`first in line ${first + 1}`]),
  ];
  return `- ${textIn(character, "name") ?? "?"}${facts.length === 0 ? "" : ` (${facts.join(", ")})`}`;
}

export function* findScene(
  state: TabsState,
  desk: Desk,
  request: Request & { kind: "findScene" },
): Steps<string> {
  const { description, scope } = request;
  const names = yield* pathsOf(desk, scope, "shall I search", true);
  if (names instanceof Obstacle) return names.sentence;
  const places: string[] = [];
  let best = 0;
  for (const name of names) {
    const tab = yield* state.named(name);
    if (tab instanceof Obstacle) return tab.sentence;
    const value = yield* state.ask("search", tab, `I search ${tab.name} by meaning.`, {
      query: description,
      match_type: "semantic",
      max_results: 5,
    });
    if (value instanceof Obstacle) {
      if (value.code !== "embeddings_unavailable") return value.sentence;
      const literal = yield* findText(desk, { kind: "find", query: description, scope });
      return `A search by meaning is not possible here (${value.sentence.replace(/\.$/, "")}), so I searched for the very words. ${literal}`;
    }
    const matches = itemsIn(value, "matches");
    places.push(...matches.map((match) => sayPlace(match, tab, names.length > 1)));
    best = Math.max(best, ...matches.map((match) => numberIn(match, "score") ?? 1));
  }
  if (places.length === 0) return `I found no place like “${description}” in ${listed(names)}.`;
  const likely = places.length === 1 ? "The place" : "The places";
  const doubt = best < weakScore ? "No place is much like it. " : "";
  return `${doubt}${likely} in ${listed(names)} nearest in meaning to “${description}”:\n${places.join("\n")}`;
}

function sayPlace(match: Fields, tab: Tab, isNamed: boolean): string {
  const line = (numberIn(match, "line") ?? 0) + 1;
  const preview = textIn(match, "preview") ?? textIn(fieldsIn(match, "context"), "content") ?? "";
  const score = numberIn(match, "score");
  const sureness = score === undefined ? "" : ` (${Math.round(score * 100)} %)`;
  return `- ${isNamed ? `${tab.name}, line` : "line"} ${line}${sureness}: ${shortened(preview, 200)}`;
}

/** What a tool counts; undefined for what needs every word of the text. */
export function countInTabs(
  state: TabsState,
  desk: Desk,
  request: Request & { kind: "count" },
): Steps<string> | undefined {
  const { what } = request;
  if (what === "lines" && state.has("list")) return countLines(state, desk, request);
  if (typeof what !== "string" && state.has("findAndReplace"))
    return countText(state, desk, request, what.text);
  return undefined;
}

function* countLines(state: TabsState, desk: Desk, request: Request & { kind: "count" }): Steps<string> {
  const names = yield* pathsOf(desk, request.scope, "shall I count the lines of", true);
  if (names instanceof Obstacle) return names.sentence;
  const amounts: Amount[] = [];
  for (const name of names) {
    const tab = yield* state.named(name);
    if (tab instanceof Obstacle) return tab.sentence;
    amounts.push({ name, amount: tab.lines });
  }
  return `${sayAmounts(amounts, "line")}.`;
}

function* countText(
  state: TabsState,
  desk: Desk,
  request: Request & { kind: "count" },
  text: string,
): Steps<string> {
  const names = yield* pathsOf(desk, request.scope, "shall I count in", true);
  if (names instanceof Obstacle) return names.sentence;
  const amounts: Amount[] = [];
  for (const name of names) {
    const tab = yield* state.named(name);
    if (tab instanceof Obstacle) return tab.sentence;
    if (!tab.isText) continue;
    const value = yield* state.edit(
      "findAndReplace",
      tab,
      `I count “${text}” in ${name}; nothing is changed.`,
      {
        find: text,
        replace: "",
        case_sensitive: true,
        whole_word: true,
        preview: true,
      },
    );
    if (value instanceof Obstacle && value.code !== "no_match") return value.sentence;
    amounts.push({ name, amount: value instanceof Obstacle ? 0 : (numberIn(value, "matches_found") ?? 0) });
  }
  const found = amounts.filter(({ amount }) => amount > 0);
  if (found.length === 0) return `“${text}” does not occur in ${listed(names)}.`;
  const total = found.reduce((sum, { amount }) => sum + amount, 0);
  const places =
    found.length === 1
      ? listed(found.map(({ name }) => name))
      : `${counted(found.length, "tab")}: ${listed(
          found.map(({ name, amount }) => `${name} (${amount})`),
          20,
        )}`;
  return `“${text}” occurs ${counted(total, "time")} in ${places}.`;
}

interface Amount {
  readonly name: string;
  readonly amount: number;
}

function sayAmounts(amounts: readonly Amount[], noun: string): string {
  return listed(
    amounts.map(({ name, amount }) => `${name} has ${counted(amount, noun)}`),
    20,
  );
}

export function* createTab(state: TabsState, { title, text }: Request & { kind: "create" }): Steps<string> {
  const value = yield* state.create(title, text);
  if (value instanceof Obstacle) return `I could not create ${title}: ${value.sentence}`;
  const name = textIn(value, "title") ?? title;
  const size = text === "" ? "It is empty" : `It has ${counted(text.split("\n").length, "line")}`;
  return `I created ${name} in a new tab. ${size}.`;
}
