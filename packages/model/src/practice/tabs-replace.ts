// Replacing in tabs: previewed, then applied, whatever the length of the document. What is told is what the results counted.

import { staleCodes } from "./edits.ts";
import { numberIn, textIn } from "./fields.ts";
import type { Scope } from "./phrases.ts";
import { type ReplaceRequest, refusalOf, replaceText } from "./replace.ts";
import { answerOf, type Replacement } from "./replace-answer.ts";
import type { Request } from "./request-lines.ts";
import { type Fields, Obstacle, type Steps } from "./steps.ts";
import { maxReadCharacters, type Tab, type TabsState } from "./tabs-state.ts";
import { type Desk, pathsOf } from "./target.ts";
import { counted, removalOf } from "./words.ts";

/** What two or three reads return. */
const maxReadToTrim = 60_000;

export function* replaceInTabs(state: TabsState, desk: Desk, request: ReplaceRequest): Steps<string> {
  const refusal = refusalOf(request);
  if (refusal !== undefined) return refusal;
  if (!state.has("findAndReplace")) return yield* replaceText(desk, request);
  const tabs = yield* tabsOf(state, desk, request);
  if (tabs instanceof Obstacle) return tabs.sentence;
  const done: (Replacement & Made)[] = [];
  const obstacles: Obstacle[] = [];
  let areSpacesLeft = false;
  for (const tab of tabs) {
    let made = yield* replaceInTab(state, tab, changeOf(request));
    if (made instanceof Obstacle && made.code === "invalid_regex") {
      made = yield* replaceInTab(state, tab, plainChangeOf(request));
      areSpacesLeft = true;
    }
    if (made instanceof Obstacle) obstacles.push(made);
    else done.push(made);
  }
  const where = tabs.length === 1 ? tabs[0]?.name : undefined;
  const isInsideOnly = done.some((one) => one.isInsideOnly);
  const said = answerOf({ noun: "tab", request, done, obstacles, left: undefined, isInsideOnly, where });
  return areSpacesLeft ? `${said} The spaces around it were left as they are.` : said;
}

/** What a call replaces, and what to call that. */
interface Change {
  readonly what: string;
  readonly values: Fields;
}

function plainChangeOf({ from, to, ignoresCase, isWholeWord }: ReplaceRequest): Change {
  const values = { find: from, replace: to, case_sensitive: !ignoresCase, whole_word: isWholeWord };
  return { what: `replacing “${from}”`, values };
}

function changeOf(request: ReplaceRequest): Change {
  if (request.to !== "") return plainChangeOf(request);
  const { from: text, isWholeWord, ignoresCase } = request;
  const find = removalOf({ text, isWholeWord, ignoresCase }).source;
  const values = { find, replace: "", is_regex: true, case_sensitive: !ignoresCase };
  return { what: `removing “${text}” with a space beside it`, values };
}

/** Trailing white space of a document that is too long to be read; undefined where reading is as good. */
export function tidyLongTab(
  state: TabsState,
  desk: Desk,
  request: Request & { kind: "tidy" },
): Steps<string> | undefined {
  const { scope, isTrailing } = request;
  if (scope.kind !== "file" || !isTrailing || !state.has("findAndReplace")) return undefined;
  const most = request.isDouble ? maxReadCharacters : maxReadToTrim;
  return state.isLong(scope.name, most) ? trimLines(state, desk, request) : undefined;
}

function* trimLines(state: TabsState, desk: Desk, request: Request & { kind: "tidy" }): Steps<string> {
  const tabs = yield* tabsOf(state, desk, { from: "white space", scope: request.scope });
  if (tabs instanceof Obstacle) return tabs.sentence;
  const values = { find: "[ \t\u00a0]+$", replace: "", is_regex: true };
  const said: string[] = [];
  for (const tab of tabs) {
    const made = yield* replaceInTab(state, tab, { what: "taking away trailing white space", values });
    if (made instanceof Obstacle) said.push(`I could not change ${tab.name}: ${made.sentence}`);
    else if (made.count === 0)
      said.push(`I found no trailing white space in ${tab.name}, so I changed nothing.`);
    else said.push(`I fixed trailing white space in ${counted(made.count, "line")} of ${tab.name}.`);
    if (request.isDouble)
      said.push(
        "It is too long for me to tell double spaces in running text from those that align something, so I left them.",
      );
  }
  return said.join(" ");
}

/** The tabs that are meant. */
export function* tabsOf(
  state: TabsState,
  desk: Desk,
  request: { readonly from: string; readonly scope: Scope },
): Steps<readonly Tab[] | Obstacle> {
  const names = yield* pathsOf(desk, request.scope, `shall I change “${request.from}” in`, true);
  if (names instanceof Obstacle) return names;
  const tabs: Tab[] = [];
  for (const name of names) {
    const tab = yield* state.named(name);
    if (tab instanceof Obstacle) return tab;
    if (tab.isText || names.length === 1) tabs.push(tab);
  }
  return tabs;
}

function* replaceInTab(state: TabsState, tab: Tab, change: Change): Steps<(Replacement & Made) | Obstacle> {
  const once = () => previewAndApply(state, tab, change);
  const first = yield* once();
  if (!(first instanceof Obstacle)) return { ...first, isCorrected: false };
  if (!staleCodes.test(first.code)) return first;
  const version = yield* state.freshVersion(tab);
  if (version instanceof Obstacle) return version;
  const second = yield* once();
  return second instanceof Obstacle ? second : { ...second, isCorrected: true };
}

interface Made extends Omit<Replacement, "isCorrected"> {
  /** Nothing was found as a whole word, but inside of words. */
  readonly isInsideOnly: boolean;
}

function* previewAndApply(state: TabsState, tab: Tab, { what, values }: Change): Steps<Made | Obstacle> {
  const preview = yield* state.edit(
    "findAndReplace",
    tab,
    `I first look what ${what} would change in ${tab.name}.`,
    { ...values, preview: true },
  );
  if (preview instanceof Obstacle) return preview.code === "no_match" ? nothing(tab, {}) : preview;
  const found = numberIn(preview, "matches_found") ?? 0;
  if (found === 0) return nothing(tab, preview);
  const thought = `${counted(found, "place")} in ${tab.name}; I replace ${found === 1 ? "it" : "them"}.`;
  const applied = yield* state.edit("findAndReplace", tab, thought, values);
  if (applied instanceof Obstacle) return applied;
  const count = numberIn(applied, "replacements_made") ?? 0;
  return { path: tab.name, count, lines: count, isInsideOnly: false };
}

function nothing(tab: Tab, preview: Fields): Made {
  const isInsideOnly = /inside (?:of )?words/.test(textIn(preview, "note") ?? "");
  return { path: tab.name, count: 0, lines: 0, isInsideOnly };
}
