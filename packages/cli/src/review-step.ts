// Review one hunk after another, by single keys, typed or piped in.

import type { Reply } from "@stet/protocol/api/route";
import type { Routes } from "@stet/protocol/api/routes";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { CommandContext } from "./command.ts";
import { exitCode } from "./exit-code.ts";
import { formatHunks, type HunkInFile, hunksIn } from "./format-hunk.ts";
import { ctrlC } from "./keyboard.ts";
import {
  type Choice,
  countInDoubt,
  type OpenReview,
  saveDecided,
  turnOf,
  turnsToConfirm,
} from "./review-decisions.ts";
import type { CommandApi } from "./with-folder.ts";

interface Key {
  readonly help: string;
  readonly verdict?: "accept" | "reject";
  /** What it decides on. */
  choice?(open: HunkInFile): Choice;
}

const ofHunk = ({ hunk }: HunkInFile): Choice => ({ hunk_ids: [hunk.hunk_id] });
const ofFile = ({ file }: HunkInFile): Choice => ({ document: file.document });
const everything: Choice = { everything: true };

const keys: Readonly<Record<string, Key>> = {
  a: { help: "accept", verdict: "accept", choice: ofHunk },
  r: { help: "reject", verdict: "reject", choice: ofHunk },
  s: { help: "skip, and decide later" },
  b: { help: "back to the one before" },
  f: { help: "accept the whole file", verdict: "accept", choice: ofFile },
  F: { help: "reject the whole file", verdict: "reject", choice: ofFile },
  A: { help: "accept all", verdict: "accept", choice: () => everything },
  R: { help: "reject all, after a question", verdict: "reject", choice: () => everything },
  u: { help: "undo the latest decision" },
  q: { help: "quit; what was decided is saved" },
  "?": { help: "these keys" },
};

const briefly = "a accept · r reject · s skip · b back · f file · u undo · q quit · ? more";

export async function stepThrough(api: CommandApi, context: CommandContext): Promise<number | Fault> {
  const { terminal, signal } = context;
  let decided = 0;
  const touched = new Set<number>();
  let at = 0;
  let isShown = false;
  let isFirst = true;
  let left = 0;
  for (;;) {
    const review = await api.call("listReview", { query: {} });
    if (isFault(review)) return review;
    const open = hunksIn(review.files);
    left = open.length;
    if (isFirst && left === 0) terminal.out("Nothing is waiting for review.\n");
    isFirst = false;
    const current = open[at];
    if (current === undefined) break;
    if (!isShown) {
      terminal.out(`\n${(await formatHunks(terminal, api, [current])).join("")}`);
      terminal.note(terminal.style("dim", `${decided + at + 1} of ${decided + open.length}  ${briefly}  `));
    }
    isShown = false;
    const key = await terminal.keys.key(signal);
    terminal.note("\n");
    if (key === undefined || key === ctrlC || key === "q") break;
    if (key === "s") at += 1;
    else if (key === "b") at = Math.max(0, at - 1);
    else if (key === "?") terminal.note(allKeys());
    else if (key !== "u" && keys[key]?.verdict === undefined) {
      terminal.note(`${nameOfKey(key)} does nothing here; ? tells the keys.  `);
      isShown = true;
    } else {
      const report = await decideBy(key, current, review, api, context);
      if (report === undefined) continue;
      if (isFault(report)) {
        terminal.note(`${report.message} ${report.suggestion}\n`);
        continue;
      }
      const { hunk_ids: hunks, documents } = report;
      for (const document of documents) touched.add(document);
      decided = Math.max(0, decided + (key === "u" ? -hunks.length : hunks.length));
      if (key === "u") at = await positionOf(api, hunks[0]);
    }
  }
  const saved = await saveDecided(api, terminal, [...touched]);
  if (isFault(saved)) return saved;
  if (saved.length > 0) terminal.out(`Saved ${saved.join(", ")}.\n`);
  if (left > 0) terminal.out(`${left} ${left === 1 ? "hunk waits" : "hunks wait"} for a decision.\n`);
  return exitCode.done;
}

/** Where a hunk stands among the open ones. */
async function positionOf(api: CommandApi, id: string | undefined): Promise<number> {
  const review = await api.call("listReview", { query: {} });
  const open = isFault(review) ? [] : hunksIn(review.files);
  return Math.max(
    0,
    open.findIndex(({ hunk }) => hunk.hunk_id === id),
  );
}

type Decision = Reply<Routes["decide"]>;

/** Undefined where the person thought better of it. */
async function decideBy(
  key: string,
  open: HunkInFile,
  review: OpenReview,
  api: CommandApi,
  context: CommandContext,
): Promise<Decision | Fault | undefined> {
  const { verdict, choice } = keys[key] ?? {};
  if (verdict === undefined) return api.call("undoDecision", { body: {} });
  const chosen = key === "R" ? await everythingOf(review, context) : choice?.(open);
  if (chosen === undefined) return undefined;
  const decide = (body: Choice) => api.call("decide", { body: { ...body, verdict } });
  let report = await decide(chosen);
  // What belongs together is decided together, or not at all.
  while (isFault(report) && ["whole_turn_only", "turns_overlap"].includes(report.error)) {
    const also = turnsToConfirm(report);
    const what = verdict === "accept" ? "Accept" : "Reject";
    const which = also.length === 0 ? "the whole turn" : "them together";
    if (!(await confirm(`${report.message} ${what} ${which}?`, context))) return undefined;
    report = await decide({ turn: turnOf(report), also_turns: also });
  }
  return report;
}

/** What is in doubt is asked about on its own. Undefined where nothing is to be rejected. */
async function everythingOf(review: OpenReview, context: CommandContext): Promise<Choice | undefined> {
  const inDoubt = countInDoubt(review);
  const others = hunksIn(review.files).length - inDoubt;
  if (others > 0 && !(await confirm(`Reject all ${others}?`, context))) return undefined;
  if (inDoubt === 0) return everything;
  const were = `${inDoubt} ${others > 0 ? "more " : ""}${inDoubt === 1 ? "hunk was" : "hunks were"}`;
  const question = `${were} changed during a turn, by its commands or by somebody else. Reject ${inDoubt === 1 ? "it" : "them"}, too?`;
  if (await confirm(question, context)) return { everything: true, during: true };
  return others > 0 ? everything : undefined;
}

async function confirm(question: string, { terminal, signal }: CommandContext): Promise<boolean> {
  terminal.note(`${question} y or n  `);
  const answer = await terminal.keys.key(signal);
  terminal.note("\n");
  return answer === "y" || answer === "Y";
}

function allKeys(): string {
  return Object.entries(keys)
    .map(([key, { help }]) => `  ${key}  ${help}\n`)
    .join("");
}

function nameOfKey(key: string): string {
  return /^[!-~]$/.test(key) ? `"${key}"` : "That key";
}
