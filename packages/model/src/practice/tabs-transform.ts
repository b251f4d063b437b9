// Transforming a whole document with the toolset's subagents: another name for a character, another setting. It is done in
// place, at the version that was seen; what is told is what the result counted, with the places that it has doubts about.

import { staleCodes } from "./edits.ts";
import { itemsIn, numberIn, textIn } from "./fields.ts";
import type { Scope } from "./phrases.ts";
import { type ReplaceRequest, refusalOf } from "./replace.ts";
import type { Language, Request } from "./request-lines.ts";
import { type Fields, Obstacle, type Steps } from "./steps.ts";
import { replaceInTabs, tabsOf } from "./tabs-replace.ts";
import { type Tab, type TabsState, tabsTools } from "./tabs-state.ts";
import type { Desk } from "./target.ts";
import { counted } from "./words.ts";

interface Transformation {
  readonly from: string;
  readonly to: string;
  readonly scope: Scope;
  readonly language: Language;
  readonly values: Fields;
  /** What was done, for a sentence: "renamed the character “A” to “B”". */
  readonly done: string;
}

const maxIssues = 5;

export function* renameCharacter(state: TabsState, desk: Desk, request: ReplaceRequest): Steps<string> {
  const refusal = refusalOf(request);
  if (refusal !== undefined) return refusal;
  const { from, to, language } = request;
  const isVietnamese = language === "vi";
  const said = yield* transformEach(state, desk, {
    ...request,
    values: {
      transformation: "character_rename",
      // Nothing was said about a change of gender, so pronouns stay.
      params: { old_name: from, new_name: to, update_pronouns: false },
    },
    done: isVietnamese
      ? `đổi tên nhân vật “${from}” thành “${to}”`
      : `renamed the character “${from}” to “${to}”`,
  });
  return said ?? (yield* replaceInTabs(state, desk, request));
}

export function* changeSetting(
  state: TabsState,
  desk: Desk,
  request: Request & { kind: "setting" },
): Steps<string> {
  const { from, to, language } = request;
  const said = yield* transformEach(state, desk, {
    ...request,
    values: {
      transformation: "setting_change",
      params: { old_setting: from, new_setting: to, adapt_details: false },
    },
    done:
      language === "vi"
        ? `đổi bối cảnh từ “${from}” sang “${to}”`
        : `changed the setting from “${from}” to “${to}”, by its name only,`,
  });
  return said ?? "I have no tool here that changes the setting of a text.";
}

/** Undefined where the tool turns out not to be there. */
function* transformEach(
  state: TabsState,
  desk: Desk,
  transformation: Transformation,
): Steps<string | undefined> {
  const tabs = yield* tabsOf(state, desk, transformation);
  if (tabs instanceof Obstacle) return tabs.sentence;
  const said: string[] = [];
  for (const tab of tabs) {
    const result = yield* transformed(state, tab, transformation);
    if (!(result instanceof Obstacle)) said.push(sayDone(tab, result, transformation));
    else if (result.code === "not_offered" || result.code === "unknown_tool") return undefined;
    else said.push(sayFailure(tab, result, transformation));
  }
  return said.join("\n");
}

function* transformed(state: TabsState, tab: Tab, { values }: Transformation): Steps<Fields | Obstacle> {
  const inPlace = { ...values, output_mode: "in_place" };
  const first = yield* state.edit("transform", tab, `I go through the whole of ${tab.name}.`, inPlace);
  if (!(first instanceof Obstacle) || !staleCodes.test(first.code)) return first;
  const version = yield* state.freshVersion(tab);
  if (version instanceof Obstacle) return version;
  return yield* state.edit("transform", tab, `${tab.name} had changed; once more.`, inPlace);
}

function sayDone(tab: Tab, result: Fields, { language, done }: Transformation): string {
  const isVietnamese = language === "vi";
  const changes = numberIn(result, "changes_made");
  const summary = textIn(result, "summary") ?? "";
  const told = (summary === "" ? "" : ` ${tabsTools.transform}: ${summary}`) + sayIssues(result, language);
  if (changes === 0) {
    const none = isVietnamese ? "Không có chỗ nào thay đổi trong" : "Nothing changed in";
    return `${none} ${tab.name}.${told}`;
  }
  if (isVietnamese) {
    const places = changes === undefined ? "" : `: ${changes.toLocaleString("en-US")} chỗ`;
    return `Đã ${done} trong ${tab.name}${places}.${told}`;
  }
  const places = changes === undefined ? "" : ` (${counted(changes, "change")})`;
  return `I ${done} in ${tab.name}${places}.${told}`;
}

function sayIssues(result: Fields, language: Language): string {
  const issues = itemsIn(result, "issues");
  if (issues.length === 0) return "";
  const total = numberIn(result, "issues_total") ?? issues.length;
  const shown = issues.slice(0, maxIssues).map((issue) => {
    const line = numberIn(issue, "line");
    return `\n- ${line === undefined ? "" : `line ${line + 1}: `}${textIn(issue, "message") ?? ""}`;
  });
  const more = total > shown.length ? `\n…and ${total - shown.length} more.` : "";
  return `\n${language === "vi" ? "Nên xem lại:" : "Please look at these places:"}${shown.join("")}${more}`;
}

function sayFailure(tab: Tab, { sentence }: Obstacle, { from, to, language }: Transformation): string {
  return language === "vi"
    ? `Chưa làm được trong ${tab.name}: ${sentence} Nếu chỉ cần đổi chữ, hãy nói: đổi “${from}” thành “${to}”.`
    : `That did not work in ${tab.name}: ${sentence} To change only the words, say: replace “${from}” with “${to}”.`;
}
