// Lines of a long document in a tab: only the lines that an edit is about are read. Shorter documents are read whole and
// take the common way, which finds lines again when they moved (edits.ts).

import { itemsIn, numberIn } from "./fields.ts";
import { headingsNamed, shortened } from "./line-skills.ts";
import type { LineChoice, Place, Request } from "./request-lines.ts";
import { Obstacle, type Steps } from "./steps.ts";
import { flattened } from "./tabs-look.ts";
import { readWindow, type Tab, type TabsState } from "./tabs-state.ts";
import { choose, type Desk, pathsOf } from "./target.ts";
import type { LineEdit } from "./toolset.ts";
import { counted } from "./words.ts";

type LinesRequest = Request & { readonly kind: "insert" | "delete" | "setLine" };

/** What two or three reads return. */
const maxReadForLines = 60_000;
const searchLimit = 50;
const maxRuns = 8;

export function changeLongTab(
  state: TabsState,
  desk: Desk,
  request: LinesRequest,
): Steps<string> | undefined {
  if (request.scope.kind !== "file" || !state.isLong(request.scope.name, maxReadForLines)) return undefined;
  return changed(state, desk, request);
}

function* changed(state: TabsState, desk: Desk, request: LinesRequest): Steps<string> {
  const names = yield* pathsOf(desk, request.scope, "shall I change", false);
  if (names instanceof Obstacle) return names.sentence;
  const tab = yield* state.named(names[0] ?? "");
  if (tab instanceof Obstacle) return tab.sentence;
  if (request.kind === "insert") return yield* insertInto(state, desk, tab, request);
  if (request.kind === "delete") return yield* deleteFrom(state, desk, tab, request);
  return yield* setLineOf(state, tab, request);
}

/** Line numbers of an edit count from 1, those of the tools from 0. */
export function applyEdit(state: TabsState, tab: Tab, edit: LineEdit, thought: string) {
  if (edit.operation === "insert") {
    return state.edit("insert", tab, thought, { after_line: edit.before - 2, content: contentOf(edit.text) });
  }
  const range = { start_line: edit.first - 1, end_line: edit.last - 1 };
  if (edit.operation === "delete" && state.has("delete")) return state.edit("delete", tab, thought, range);
  const content = edit.operation === "delete" ? "" : contentOf(edit.text);
  return state.edit("replace", tab, thought, { ...range, content });
}

/** An empty last line needs a line break of its own: no content at all would delete. */
export function contentOf(text: string): string {
  return text === "" || text.endsWith("\n") ? `${text}\n` : text;
}

function* insertInto(
  state: TabsState,
  desk: Desk,
  tab: Tab,
  { text, place }: Request & { kind: "insert" },
): Steps<string> {
  const before = yield* insertionLine(state, desk, tab, place);
  if (before instanceof Obstacle) return before.sentence;
  const value = yield* applyEdit(
    state,
    tab,
    { operation: "insert", before, text },
    `I insert the text before line ${before}.`,
  );
  if (value instanceof Obstacle) return `I could not change ${tab.name}: ${value.sentence}`;
  const where =
    place.kind === "end" ? "at the end" : place.kind === "start" ? "at the start" : `as line ${before}`;
  return `I added ${counted(text.split("\n").length, "line")} to ${tab.name}, ${where}: “${shortened(text)}”.`;
}

function* insertionLine(state: TabsState, desk: Desk, tab: Tab, place: Place): Steps<number | Obstacle> {
  if (place.kind === "start") return 1;
  const line = place.kind === "end" ? undefined : yield* lineOf(state, desk, tab, place);
  if (line instanceof Obstacle) return line;
  const at = line ?? Math.max(1, tab.lines);
  const window = yield* readWindow(state, tab, `I look at line ${at} of ${tab.name}.`, at - 1, at - 1);
  if (window instanceof Obstacle) return window;
  if (line === undefined) return window.total + 1;
  if (line > window.total) return noSuchLine(tab, line, window.total);
  return place.kind !== "end" && place.side === "after" ? line + 1 : line;
}

function* lineOf(
  state: TabsState,
  desk: Desk,
  tab: Tab,
  place: Exclude<Place, { kind: "start" | "end" }>,
): Steps<number | Obstacle> {
  if (place.kind === "line") return place.line;
  if (place.kind === "text") {
    const lines = yield* linesWith(state, tab, place.text);
    return lines instanceof Obstacle ? lines : yield* onlyLine(desk, tab, place.text, lines);
  }
  const value = yield* state.ask("outline", tab, `I look for the heading “${place.title}”.`, {
    max_depth: 6,
  });
  if (value instanceof Obstacle) return value;
  const headings = flattened(itemsIn(value, "outline")).map(({ title, line, depth }) => ({
    title,
    line,
    level: depth + 1,
  }));
  return yield* onlyLine(
    desk,
    tab,
    place.title,
    headingsNamed(headings, place.title).map(({ line }) => line),
  );
}

function* onlyLine(desk: Desk, tab: Tab, sought: string, lines: readonly number[]): Steps<number | Obstacle> {
  const [only] = lines;
  if (only === undefined)
    return new Obstacle("no_match", `I find no “${sought}” in ${tab.name}, so I changed nothing.`);
  if (lines.length === 1) return only;
  const options = lines.map((line) => `line ${line}`);
  const chosen = yield* choose(
    desk,
    `“${sought}” stands in ${lines.length} lines of ${tab.name}. Which one do you mean?`,
    options,
  );
  if (chosen instanceof Obstacle) return chosen;
  return lines[options.indexOf(chosen)] ?? only;
}

/** Every line that holds a text, from 1. */
function* linesWith(state: TabsState, tab: Tab, text: string): Steps<readonly number[] | Obstacle> {
  const value = yield* state.ask("search", tab, `I search ${tab.name} for “${text}”.`, {
    query: text,
    match_type: "exact",
    max_results: searchLimit,
    include_context: false,
  });
  if (value instanceof Obstacle) return value;
  const matches = itemsIn(value, "matches");
  const total = numberIn(value, "total_matches") ?? matches.length;
  if (total > matches.length) {
    return new Obstacle(
      "ambiguous_match",
      `“${text}” stands in ${tab.name} ${counted(total, "time")}, which is more than one search shows me. I changed nothing; name the line by its number or by a rarer text.`,
    );
  }
  const lines = matches.map((match) => (numberIn(match, "line") ?? 0) + 1);
  return [...new Set(lines)].sort((one, other) => one - other);
}

function* deleteFrom(
  state: TabsState,
  desk: Desk,
  tab: Tab,
  { lines: choice }: Request & { kind: "delete" },
): Steps<string> {
  const runs = yield* chosenRuns(state, desk, tab, choice);
  if (runs instanceof Obstacle) return runs.sentence;
  if (runs.length > maxRuns)
    return `The lines stand in ${runs.length} places of ${tab.name}, which is more than I can delete in one turn. I changed nothing.`;
  let gone = 0;
  // From the last to the first, so that the numbers of the others stay true.
  for (const [first, last] of runs.toReversed()) {
    const thought = gone === 0 ? `I start with the last place, line ${first}.` : "";
    const value = yield* applyEdit(state, tab, { operation: "delete", first, last }, thought);
    if (value instanceof Obstacle)
      return `${gone === 0 ? `I could not change ${tab.name}` : `I deleted ${counted(gone, "line")} from ${tab.name}, but not the rest`}: ${value.sentence}`;
    gone += last - first + 1;
  }
  const which = runs.map(([first, last]) => (first === last ? `${first}` : `${first} to ${last}`)).join(", ");
  return `I deleted ${counted(gone, "line")} (${which}) from ${tab.name}.`;
}

function* chosenRuns(
  state: TabsState,
  desk: Desk,
  tab: Tab,
  choice: LineChoice,
): Steps<readonly (readonly [number, number])[] | Obstacle> {
  if (choice.kind === "range") {
    const fromEnd = (line: number) => (line < 0 ? tab.lines + 1 + line : line);
    const [first, last] = [fromEnd(choice.first), fromEnd(choice.last)];
    const window = yield* readWindow(
      state,
      tab,
      `I look at line ${first} of ${tab.name}.`,
      first - 1,
      first - 1,
    );
    if (window instanceof Obstacle) return window;
    if (first < 1 || last < first || last > window.total)
      return noSuchLine(tab, last > window.total ? last : first, window.total);
    return [[first, last]];
  }
  const lines = yield* linesWith(state, tab, choice.text);
  if (lines instanceof Obstacle) return lines;
  if (lines.length > 1 && choice.isEvery) return lines.map((line) => [line, line] as const);
  const line = yield* onlyLine(desk, tab, choice.text, lines);
  return line instanceof Obstacle ? line : [[line, line]];
}

function* setLineOf(
  state: TabsState,
  tab: Tab,
  { line, text }: Request & { kind: "setLine" },
): Steps<string> {
  const window = yield* readWindow(state, tab, `I look at line ${line} of ${tab.name}.`, line - 1, line - 1);
  if (window instanceof Obstacle) return window.sentence;
  const old = window.lines[0];
  if (old === undefined || line > window.total) return noSuchLine(tab, line, window.total).sentence;
  if (old === text) return `Line ${line} of ${tab.name} already says that, so I changed nothing.`;
  const edit: LineEdit = { operation: "replace", first: line, last: line, text };
  const value = yield* applyEdit(state, tab, edit, `I rewrite line ${line}.`);
  if (value instanceof Obstacle) return `I could not change ${tab.name}: ${value.sentence}`;
  return `I changed line ${line} of ${tab.name} from “${shortened(old)}” to “${shortened(text)}”.`;
}

function noSuchLine(tab: Tab, line: number, total: number): Obstacle {
  return new Obstacle(
    "invalid_line_range",
    `${tab.name} has ${counted(total, "line")}; there is no line ${line}. I changed nothing.`,
  );
}
