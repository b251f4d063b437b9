// Review one hunk after another, by single keys, typed or piped in.

import type { Decisions, Verdict } from "@stet/host/review/decisions";
import { type Fault, isFault } from "@stet/protocol/fault";
import type {
  DecisionReport,
  FileReview,
  Review,
  ReviewHunk,
  Selection,
} from "@stet/workspace/review/review";
import type { Workspace } from "@stet/workspace/workspace";
import type { CommandContext } from "./command.ts";
import { decisionsOf, saveDecided } from "./decisions-of.ts";
import { exitCode } from "./exit-code.ts";
import { formatHunk } from "./format-hunk.ts";
import { ctrlC } from "./keyboard.ts";
import { turnOf, turnsToConfirm } from "./shared-hunks.ts";

interface Waiting {
  readonly file: FileReview;
  readonly hunk: ReviewHunk;
}

interface Key {
  readonly help: string;
  readonly verdict?: Verdict;
  /** What it decides on. */
  selection?(waiting: Waiting): Selection;
}

const keys: Readonly<Record<string, Key>> = {
  a: { help: "accept", verdict: "accepted", selection: ({ hunk }) => ({ hunks: [hunk.id] }) },
  r: { help: "reject", verdict: "rejected", selection: ({ hunk }) => ({ hunks: [hunk.id] }) },
  s: { help: "skip, and decide later" },
  b: { help: "back to the one before" },
  f: { help: "accept the whole file", verdict: "accepted", selection: ofFile },
  F: { help: "reject the whole file", verdict: "rejected", selection: ofFile },
  A: { help: "accept all", verdict: "accepted", selection: () => "everything" },
  R: { help: "reject all, after a question", verdict: "rejected", selection: () => "everything" },
  u: { help: "undo the latest decision", verdict: "reopened" },
  q: { help: "quit; what was decided is saved" },
  "?": { help: "these keys" },
};

function ofFile({ file }: Waiting): Selection {
  return { document: file.document };
}

const briefly = "a accept · r reject · s skip · b back · f file · u undo · q quit · ? more";

export async function stepThrough(workspace: Workspace, context: CommandContext): Promise<number | Fault> {
  const { terminal, signal } = context;
  let decided = 0;
  const touched = new Set<number>();
  const decisions = decisionsOf(workspace, context);
  let at = 0;
  let isShown = false;
  if (openHunks(workspace).length === 0) terminal.out("Nothing is waiting for review.\n");
  for (;;) {
    const open = openHunks(workspace);
    const waiting = open[at];
    if (waiting === undefined) break;
    if (!isShown) {
      terminal.out(`\n${formatHunk(terminal, workspace, waiting.file, waiting.hunk)}`);
      terminal.note(terminal.style("dim", `${decided + at + 1} of ${decided + open.length}  ${briefly}  `));
    }
    isShown = false;
    const key = await terminal.keys.key(signal);
    terminal.note("\n");
    if (key === undefined || key === ctrlC || key === "q") break;
    if (key === "s") at += 1;
    else if (key === "b") at = Math.max(0, at - 1);
    else if (key === "?") terminal.note(allKeys());
    else if (keys[key]?.verdict === undefined) {
      terminal.note(`${nameOfKey(key)} does nothing here; ? tells the keys.  `);
      isShown = true;
    } else {
      const report = await decideBy(keys[key], key, waiting, open.length, { workspace, decisions }, context);
      if (report === undefined) continue;
      if (isFault(report)) {
        terminal.note(`${report.message} ${report.suggestion}\n`);
        continue;
      }
      if (key === "u") {
        const [first] = report.hunks;
        decided = Math.max(0, decided - report.hunks.length);
        at = Math.max(
          0,
          openHunks(workspace).findIndex(({ hunk }) => hunk.id === first),
        );
      } else decided += report.hunks.length;
      for (const document of report.documents) touched.add(document);
    }
  }
  const saved = await saveDecided(decisions, context, [...touched]);
  if (isFault(saved)) return saved;
  if (saved.length > 0) terminal.out(`Saved ${saved.map((file) => file.path).join(", ")}.\n`);
  const left = openHunks(workspace).length;
  if (left > 0) terminal.out(`${left} ${left === 1 ? "hunk waits" : "hunks wait"} for a decision.\n`);
  return exitCode.done;
}

function openHunks(workspace: Workspace): Waiting[] {
  return workspace.review.list().flatMap((file) => file.hunks.map((hunk) => ({ file, hunk })));
}

/** Undefined where the person thought better of it. */
async function decideBy(
  { verdict, selection }: Key,
  key: string,
  waiting: Waiting,
  openCount: number,
  { workspace, decisions }: { readonly workspace: Workspace; readonly decisions: Decisions },
  context: CommandContext,
): Promise<DecisionReport | Fault | undefined> {
  const { review } = workspace;
  const decide = (chosen: Selection) =>
    verdict === "accepted" ? decisions.accept(chosen) : decisions.reject(chosen);
  const chosen = key === "R" ? await everythingOf(review, openCount, context) : selection?.(waiting);
  if (chosen === undefined && key === "R") return undefined;
  let report = await (chosen === undefined ? decisions.undo() : decide(chosen));
  // What belongs together is decided together, or not at all.
  while (isFault(report) && ["whole_turn_only", "turns_overlap"].includes(report.error)) {
    const also = turnsToConfirm(report);
    const what = verdict === "accepted" ? "Accept" : "Reject";
    const which = also.length === 0 ? "the whole turn" : "them together";
    if (!(await confirm(`${report.message} ${what} ${which}?`, context))) return undefined;
    report = await decide({ turn: turnOf(report), also });
  }
  return report;
}

/** What is in doubt is asked about on its own. Undefined where nothing is to be rejected. */
async function everythingOf(
  review: Review,
  openCount: number,
  context: CommandContext,
): Promise<Selection | undefined> {
  const inDoubt = review.countInDoubt();
  const others = openCount - inDoubt;
  if (others > 0 && !(await confirm(`Reject all ${others}?`, context))) return undefined;
  if (inDoubt === 0) return "everything";
  const were = `${inDoubt} ${others > 0 ? "more " : ""}${inDoubt === 1 ? "hunk was" : "hunks were"}`;
  const question = `${were} changed during a turn, by its commands or by somebody else. Reject ${inDoubt === 1 ? "it" : "them"}, too?`;
  if (await confirm(question, context)) return "everything and what is in doubt";
  return others > 0 ? "everything" : undefined;
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
