// Toolset tabs: edits of lines by number, counted from 0, on a version, with a text that says what stands there.
//
// Nobody else edits during a turn of this toolset. So what a person or another agent does happens between two turns: the
// second one goes on with what the first one read. What happens on disk happens in the middle of the turn.

import * as z from "zod";
import { must } from "../../../packages/testkit/src/workspace.ts";
import { Sight } from "../../../packages/tools/src/sight/sight.ts";
import { defaultTokenBudget } from "../../../packages/tools/src/tabs/tabs-context.ts";
import { tabsToolset } from "../../../packages/tools/src/tabs/tabs-toolset.ts";
import type { Turn } from "../../../packages/workspace/src/turns/turns.ts";
import type { Case } from "../cases.ts";
import { type IntendedChange, placesOf } from "../intended-changes.ts";
import type { Outcome } from "../judge.ts";
import type { RuleSet } from "../rule-set.ts";
import { type CaseFile, CaseFolder } from "./case-folder.ts";
import type { Input } from "./code-format.ts";
import { currentContent, isUntouched, letHappen } from "./happen.ts";
import { wantedFor } from "./hashline.ts";
import { answerOf, type ToolAnswer } from "./project.ts";
import { refusalIn, ToldRows } from "./refusal-rows.ts";

const page = z.object({
  version: z.string(),
  lines: z.object({ end: z.number() }),
  note: z.string().optional(),
});

const placeNow = z.object({ start_line: z.number(), document_lines: z.number(), content: z.string() });

interface Call {
  readonly tool: string;
  readonly input: Input;
}

export function tabsRuleSet(): RuleSet {
  const folder = new CaseFolder();
  return {
    name: "stet tabs: replace_lines, insert_lines",
    about:
      "Lines by number on a version that has to be the current one; on an older one the quoted text has to say where they are.",
    isOurs: true,
    async run(one) {
      const [place, ...more] = placesOf(one);
      // One call changes one place.
      if (place === undefined || more.length > 0 || !["none", "off by one", "abbreviated"].includes(one.slip))
        return undefined;
      const file = await folder.place(one);
      const { tab_id } = must(file.workspace.tabs.open(file.path));
      let turn = must(file.workspace.beginLockedTurn({ summary: "test" }));
      try {
        const sight = new Sight();
        let call = callsOf(file, turn, sight);
        const version = await read(call, tab_id, one);
        if (version === undefined) return undefined;
        if (one.drift.by !== "disk" && one.drift.steps.length > 0) {
          turn.discard();
          const real = await letHappen(file, one);
          turn = must(file.workspace.beginLockedTurn({ summary: "test" }));
          // The next turn of a session goes on with what it keeps.
          const kept = sight.save();
          call = callsOf(file, turn, new Sight(() => kept));
          return await edit(real, file, turn, call, { tab_id, version }, place);
        }
        const real = await letHappen(file, one);
        return await edit(real, file, turn, call, { tab_id, version }, place);
      } finally {
        turn.discard();
        file.workspace.tabs.close(tab_id);
      }
    },
    async close() {
      folder.close();
    },
  };
}

type Send = (name: string, input: Input) => Promise<ToolAnswer>;

function callsOf({ workspace }: CaseFile, turn: Turn, sight: Sight): Send {
  const { tools } = tabsToolset({
    workspace,
    turn,
    tokenBudget: defaultTokenBudget,
    meaning: undefined,
    subagents: undefined,
    sight,
  });
  return (name, input) => answerOf(tools, name, input);
}

/** The version that came with what was seen; undefined where a line is too long to be shown. */
async function read(call: Send, tab_id: string, { view }: Case): Promise<string | undefined> {
  let version: string | undefined;
  for (const [from, to] of view.shown) {
    for (let next = from; next <= to; ) {
      const { text } = await call("read_document", { tab_id, start_line: next, end_line: to });
      const parsed = page.parse(JSON.parse(text));
      if (parsed.note !== undefined) return undefined;
      version = parsed.version;
      next = parsed.lines.end + 1;
    }
  }
  return version;
}

async function edit(
  one: Case,
  file: CaseFile,
  turn: Turn,
  send: Send,
  { tab_id, version }: { readonly tab_id: string; readonly version: string },
  place: IntendedChange,
) {
  const written = callFor(one, place, version);
  if (written === undefined) return undefined;
  const before = currentContent(file);
  const outcomeOf = async ({ tool, input }: Call): Promise<Outcome> => {
    const { text, isRefused } = await send(tool, { tab_id, ...input });
    if (isRefused) return { kind: "refused", message: text };
    must(turn.commit());
    return { kind: "applied", content: currentContent(file) };
  };
  const outcome = await outcomeOf(written);
  if (outcome.kind === "refused" && !isUntouched(file, before))
    throw new Error(`case ${one.index}: a refused edit changed the document`);
  const again = outcome.kind === "refused" ? rewritten(one, place, outcome.message, version) : undefined;
  const retried = again === undefined ? undefined : await outcomeOf(again);
  return { outcome, written: JSON.stringify(written), retried, judgedAs: one };
}

const mostLinesAbove = 25;

/**
 * The same edit in words that can be quoted: what comes at the start of the file is written together with the first line, and
 * where no quote from the place on is unique, the range begins further up.
 */
function quotable(one: Case, place: IntendedChange): IntendedChange {
  const lines = one.seen.lines.map(({ text }) => text);
  const isStart = place.removed.length === 0 && place.at === 0;
  if (!isStart && quoteFor(one, place) !== undefined) return place;
  const [first = ""] = lines;
  if (isStart) return { at: 0, removed: [first], added: [...place.added, first] };
  for (let above = 1; above <= mostLinesAbove && place.at - above >= 0; above += 1) {
    const at = place.at - above;
    const kept = lines.slice(at, place.at);
    const wider = { at, removed: [...kept, ...place.removed], added: [...kept, ...place.added] };
    if (quoteFor(one, wider) !== undefined) return wider;
  }
  return place;
}

function callFor(one: Case, given: IntendedChange, version: string): Call | undefined {
  const place = quotable(one, given);
  const { removed, added } = place;
  const shift = one.slip === "off by one" ? 1 : 0;
  const isShort = one.slip === "abbreviated";
  if (isShort && (removed.length < 4 || added.length < 4)) return undefined;
  const lines = isShort ? [added[0] ?? "", "…", added.at(-1) ?? ""] : added;
  const quote = quoteFor(one, place) ?? plainQuote(one, place);
  return callOf({ ...place, added: lines }, place.at + shift, version, quote);
}

/** Lines that stand elsewhere, too, are quoted as they are: with their number that is clear, unless the ones beside are equal. */
function plainQuote({ seen }: Case, { at, removed }: IntendedChange): string | undefined {
  const [from, to] = removed.length > 0 ? [at, at + removed.length] : [at - 1, at];
  const texts = seen.lines.map(({ text }) => text);
  const block = texts.slice(Math.max(0, from), to);
  if (from < 0 || block.every((text) => text.trim() === "")) return undefined;
  const isBeside = [-1, 1].some((shift) =>
    block.every((text, index) => texts[from + shift + index] === text),
  );
  return isBeside ? undefined : block.map((text) => `${text}\n`).join("");
}

function callOf(
  { removed, added }: IntendedChange,
  at: number,
  version: string,
  match_text: string | undefined,
): Call {
  const content = added.map((line) => `${line}\n`).join("");
  const quote = match_text === undefined ? {} : { match_text };
  if (removed.length === 0)
    return { tool: "insert_lines", input: { version, after_line: at - 1, content, ...quote } };
  const range = { start_line: at, end_line: at + removed.length - 1 };
  return { tool: "replace_lines", input: { version, ...range, content, ...quote } };
}

const mostContext = 25;

/** The lines that are meant, with as many behind them (before an insertion: above) as make the quote unique. */
function quoteFor({ seen }: Case, { at, removed }: IntendedChange): string | undefined {
  if (removed.length === 0 && at === 0) return undefined;
  const lines = seen.lines.map(({ text }) => text);
  const whole = `\n${lines.join("\n")}\n`;
  for (let more = 0; more <= mostContext; more += 1) {
    const quoted =
      removed.length > 0
        ? lines.slice(at, at + removed.length + more)
        : lines.slice(Math.max(0, at - 1 - more), at);
    const text = quoted.join("\n");
    // A single line may be quoted in part, so it has to be unique as a part of lines.
    const found = quoted.length === 1 ? text : `\n${text}\n`;
    if (text.trim() !== "" && whole.indexOf(found) === whole.lastIndexOf(found)) return `${text}\n`;
  }
  return undefined;
}

function rewritten(one: Case, given: IntendedChange, answer: string, version: string): Call | undefined {
  const place = quotable(one, given);
  const refusal = refusalIn(answer);
  if (refusal === undefined) return undefined;
  const current = refusal.details.current_version;
  const now = typeof current === "string" ? current : version;
  if (refusal.error === "invalid_arguments") return callOf(place, place.at, now, quoteFor(one, place));
  // The start of the document needs no lines to be found by.
  if (given.removed.length === 0 && given.at === 0) return callOf(given, 0, now, undefined);
  const rows = new ToldRows(refusal);
  const shown = placeNow.safeParse(refusal.details.now);
  if (shown.success) rows.add(shown.data.start_line, shown.data.content.split("\n"));
  const at = rows.find(wantedFor(one, given));
  if (at !== undefined) return callOf(given, given.removed.length > 0 ? at : at + 1, now, undefined);
  // What comes behind the last line needs no line to be found by, where the refusal says how many there are.
  const isAtEnd = given.removed.length === 0 && given.at === one.seen.lines.length;
  return isAtEnd && shown.success ? callOf(given, shown.data.document_lines, now, undefined) : undefined;
}
