// Toolset project: one edit of lines by their numbers, with the hash that came with exactly these lines when they were read.

import * as z from "zod";
import { callTool } from "../../../packages/agent/src/call-tool.ts";
import type { Tool } from "../../../packages/agent/src/tool.ts";
import { must } from "../../../packages/testkit/src/workspace.ts";
import { projectToolset } from "../../../packages/tools/src/project/project-toolset.ts";
import type { Case } from "../cases.ts";
import { type IntendedChange, placesOf } from "../intended-changes.ts";
import type { Outcome } from "../judge.ts";
import type { RuleSet } from "../rule-set.ts";
import { CaseFolder } from "./case-folder.ts";
import type { Input } from "./code-format.ts";
import { currentContent, isUntouched, letHappen } from "./happen.ts";
import { wantedFor } from "./hashline.ts";
import { refusalIn, ToldRows, type WantedRow } from "./refusal-rows.ts";

const page = z.object({
  hash: z.string(),
  end_line: z.number(),
  content: z.string(),
  has_more: z.boolean().optional(),
});

export function projectRuleSet(): RuleSet {
  const folder = new CaseFolder();
  return {
    name: "stet project: edit_file",
    about:
      "Lines by number, followed from the revision that was read; the hash of exactly these lines has to fit.",
    isOurs: true,
    async run(one) {
      const [place, ...more] = placesOf(one);
      // One call changes one place.
      if (place === undefined || more.length > 0 || !["none", "off by one", "abbreviated"].includes(one.slip))
        return undefined;
      const file = await folder.place(one);
      const turn = file.workspace.beginTurn({ summary: "test" });
      try {
        const { tools } = projectToolset(file.workspace, turn, async () => "");
        const call = (name: string, input: Input) =>
          answerOf(tools, name, { file_path: file.path, ...input });
        for (const [from, to] of one.view.shown) if (!(await readLines(call, from, to))) return undefined;
        const hash = await hashFor(call, one, place);
        const real = await letHappen(file, one);
        const before = currentContent(file);
        const input = inputFor(one, place, hash);
        if (input === undefined) return undefined;
        const outcomeOf = async ({ text, isRefused }: ToolAnswer): Promise<Outcome> => {
          if (isRefused) return { kind: "refused", message: text };
          must(turn.commit());
          return { kind: "applied", content: currentContent(file) };
        };
        const outcome = await outcomeOf(await call("edit_file", input));
        if (outcome.kind === "refused" && !isUntouched(file, before))
          throw new Error(`case ${one.index}: a refused edit changed the file`);
        const again = outcome.kind === "refused" ? rewritten(one, place, hash, outcome.message) : undefined;
        const retried = again === undefined ? undefined : await outcomeOf(await call("edit_file", again));
        return { outcome, written: JSON.stringify(input), retried, judgedAs: real };
      } finally {
        turn.discard();
      }
    },
    async close() {
      folder.close();
    },
  };
}

type Call = (name: string, input: Input) => Promise<ToolAnswer>;

/** What the model is told, and whether that is a refusal: one that is very long is cut, and no JSON any more. */
export interface ToolAnswer {
  readonly text: string;
  readonly isRefused: boolean;
}

export async function answerOf(tools: readonly Tool[], name: string, input: Input): Promise<ToolAnswer> {
  const call = { type: "toolCall", id: `call_${Math.random()}`, name, arguments: input } as const;
  const signal = new AbortController().signal;
  const { result, error } = await callTool(call, { batch: call.id, tools, signal, progress: () => {} });
  const text = result.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  return { text, isRefused: error !== undefined };
}

async function readLines(call: Call, from: number, to: number): Promise<boolean> {
  for (let next = from + 1; next <= to + 1; ) {
    const answer = pageIn(
      await call("read_file", { start_line: next, end_line: to + 1, max_bytes: pageBytes }),
    );
    if (answer === undefined) return false;
    next = answer.end_line + 1;
  }
  return true;
}

/** What is written as JSON is longer than it is, and has to fit one answer. */
const pageBytes = 24_000;

/** Undefined where a line is too long to be shown in one answer. */
function pageIn({ text }: ToolAnswer): z.infer<typeof page> | undefined {
  try {
    return page.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** The hash of the lines that go, or of the one that an insertion comes before; none behind the last line. */
async function hashFor(call: Call, { seen }: Case, place: IntendedChange): Promise<string | undefined> {
  const { at, removed } = place;
  if (removed.length === 0 && at >= seen.lines.length) return undefined;
  const end = removed.length === 0 ? at + 1 : at + removed.length;
  const answer = pageIn(await call("read_file", { start_line: at + 1, end_line: end }));
  return answer?.end_line === end ? answer.hash : undefined;
}

function inputFor(one: Case, place: IntendedChange, hash: string | undefined): Input | undefined {
  const { removed, added } = place;
  const shift = one.slip === "off by one" ? 1 : 0;
  // The hash of an equal line beside is the same: that is no slip any more, but a right edit of that line.
  const texts = one.seen.lines.map(({ text }) => text);
  const count = Math.max(1, removed.length);
  const isEqualBeside = texts
    .slice(place.at, place.at + count)
    .every((text, index) => texts[place.at + shift + index] === text);
  if (shift > 0 && hash !== undefined && isEqualBeside) return undefined;
  const isShort = one.slip === "abbreviated";
  if (isShort && (removed.length < 4 || added.length < 4)) return undefined;
  const lines = isShort ? [added[0] ?? "", "…", added.at(-1) ?? ""] : added;
  return editOf({ ...place, at: place.at + shift, added: lines }, hash);
}

function editOf({ at, removed, added }: IntendedChange, hash: string | undefined): Input {
  const expected = hash === undefined ? {} : { expected_hash: hash };
  const new_text = added.map((line) => `${line}\n`).join("");
  if (removed.length === 0) return { operation: "insert", start_line: at + 1, new_text, ...expected };
  const range = { start_line: at + 1, end_line: at + removed.length, ...expected };
  return added.length === 0
    ? { operation: "delete", ...range }
    : { operation: "replace", ...range, new_text };
}

function rewritten(
  one: Case,
  place: IntendedChange,
  hash: string | undefined,
  answer: string,
): Input | undefined {
  const refusal = refusalIn(answer);
  if (refusal === undefined) return undefined;
  if (refusal.error === "invalid_arguments") return editOf(place, hash);
  // What comes behind the last line has no line to be known by, and the refusal says how many there are.
  const total = refusal.details.document_lines;
  if (hash === undefined && typeof total === "number") return editOf({ ...place, at: total }, undefined);
  // What comes before the first line needs no line to be found by; where that is another one now, the refusal has its hash.
  const { start_line, current_hash } = refusal.details;
  if (place.removed.length === 0 && place.at === 0 && start_line === 1 && typeof current_hash === "string")
    return editOf(place, current_hash);
  const rows = new ToldRows(refusal);
  const at = rows.find(hashedBlock(one, place));
  if (at !== undefined) return editOf({ ...place, at }, hash);
  // Where the line behind an insertion is another one, the line before it tells the place, and no hash is needed.
  const above = place.removed.length > 0 || place.at === 0 ? undefined : rows.find(wantedFor(one, place));
  return above === undefined ? undefined : editOf({ ...place, at: above + 1 }, undefined);
}

/** The lines that the hash is of, which for an insertion is the one behind it. */
function hashedBlock(one: Case, { at, removed, added }: IntendedChange): WantedRow {
  const [below = ""] = one.seen.lines.slice(at).map(({ text }) => text);
  return wantedFor(one, { at, removed: removed.length > 0 ? removed : [below], added });
}
