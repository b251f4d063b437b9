// Review in the terminal, one hunk after another, by single keys.

import { type Fault, isFault } from "@stet/protocol/fault";
import type { DecisionReport } from "@stet/workspace/review";
import type { ToldVerdict } from "@stet/workspace/tell-decision";
import type { Workspace } from "@stet/workspace/workspace";
import type { CommandContext } from "./command.ts";
import { exitCode } from "./exit-code.ts";
import { formatHunk } from "./format-hunk.ts";
import { readKey } from "./read-key.ts";
import { recordDecision } from "./record-decision.ts";

const verdicts: Readonly<Record<string, ToldVerdict>> = {
  a: "accepted",
  A: "accepted",
  r: "rejected",
  u: "reopened",
};

export async function stepThrough(workspace: Workspace, context: CommandContext): Promise<number | Fault> {
  const { terminal } = context;
  const skipped = new Set<string>();
  const touched = new Set<number>();
  for (;;) {
    const next = workspace.review
      .list()
      .flatMap((file) => file.hunks.map((hunk) => ({ file, hunk })))
      .find(({ hunk }) => !skipped.has(hunk.id));
    if (next === undefined) break;
    const { file, hunk } = next;
    terminal.out(`\n${formatHunk(terminal, hunk, file.path ?? file.title)}`);
    terminal.note(terminal.style("dim", "a accept · r reject · s skip · u undo · A accept all · q quit  "));
    const key = await readKey(terminal.keys);
    terminal.note("\n");
    if (key === "q" || key === undefined) break;
    if (key === "s") skipped.add(hunk.id);
    let result = await decideOn(workspace, hunk.id, key);
    if (isFault(result) && result.error === "whole_turn_only") {
      const question = key === "a" ? "Accept" : "Reject";
      terminal.note(`${result.message} ${question} the whole turn? y or n  `);
      const answer = await readKey(terminal.keys);
      terminal.note("\n");
      const selection = { turn: String(result.details.turn) };
      if (answer !== "y") continue;
      const verb = key === "a" ? "accept" : "reject";
      result = await workspace.decide(() => workspace.review[verb](selection));
    }
    if (isFault(result)) terminal.note(`${result.message}\n`);
    const verdict = verdicts[key];
    if (!isFault(result) && result !== undefined && verdict !== undefined) {
      await recordDecision(workspace, result, verdict, context);
      for (const document of result.documents) touched.add(document);
    }
  }
  const saved = await workspace.saving.save([...touched]);
  if (isFault(saved)) return saved;
  if (saved.length > 0) terminal.out(`Saved ${saved.map((file) => file.path).join(", ")}.\n`);
  return exitCode.done;
}

async function decideOn(
  workspace: Workspace,
  hunk: string,
  key: string,
): Promise<DecisionReport | Fault | undefined> {
  const { review } = workspace;
  switch (key) {
    case "a":
      return workspace.decide(() => review.accept({ hunks: [hunk] }));
    case "r":
      return workspace.decide(() => review.reject({ hunks: [hunk] }));
    case "A":
      return workspace.decide(() => review.accept("everything"));
    case "u":
      return workspace.decide(() => review.undo());
    default:
      return undefined;
  }
}
