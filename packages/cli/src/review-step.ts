// Review one hunk after another, by single keys, typed or piped in.

import { type Fault, isFault } from "@stet/protocol/fault";
import type { CommandContext } from "./command.ts";
import { exitCode } from "./exit-code.ts";
import { formatHunks } from "./format-hunk.ts";
import { type HunkInFile, hunksIn } from "./hunk-lines.ts";
import { ctrlC } from "./keyboard.ts";
import {
  type Choice,
  confirmRejectAll,
  type Decision,
  decideTogether,
  type OpenReview,
  saveDecided,
  type Verdict,
} from "./review-decisions.ts";
import type { CommandApi } from "./with-folder.ts";

interface Key {
  readonly help: string;
  readonly verdict?: Verdict;
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
  const saved = await saveDecided(api, terminal.note, [...touched]);
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
  const ask = (question: string) => confirm(question, context);
  const chosen = key === "R" ? await confirmRejectAll(review, ask) : choice?.(open);
  return chosen === undefined ? undefined : decideTogether(api, verdict, chosen, ask);
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
