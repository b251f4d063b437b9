// Review in the terminal, one hunk after another, by single keys.

import { type Fault, isFault } from "@stet/protocol/fault";
import type { DecisionReport } from "@stet/workspace/review";
import type { Workspace } from "@stet/workspace/workspace";
import { exitCode } from "./exit-code.ts";
import { formatHunk } from "./format-hunk.ts";
import { readKey } from "./read-key.ts";
import type { Terminal } from "./terminal.ts";

export async function stepThrough(workspace: Workspace, terminal: Terminal): Promise<number | Fault> {
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
    const key = await readKey();
    terminal.note("\n");
    if (key === "q" || key === undefined) break;
    if (key === "s") skipped.add(hunk.id);
    let result = decisionOn(workspace, hunk.id, key);
    if (isFault(result) && result.error === "whole_turn_only") {
      const verb = key === "a" ? "Accept" : "Reject";
      terminal.note(`${result.message} ${verb} the whole turn? y or n  `);
      const answer = await readKey();
      terminal.note("\n");
      const selection = { turn: String(result.details.turn) };
      if (answer !== "y") continue;
      result = key === "a" ? workspace.review.accept(selection) : workspace.review.reject(selection);
    }
    if (isFault(result)) terminal.note(`${result.message}\n`);
    else for (const document of result?.documents ?? []) touched.add(document);
  }
  const saved = await workspace.saving.save([...touched]);
  if (isFault(saved)) return saved;
  if (saved.length > 0) terminal.out(`Saved ${saved.map((file) => file.path).join(", ")}.\n`);
  return exitCode.done;
}

function decisionOn({ review }: Workspace, hunk: string, key: string): DecisionReport | Fault | undefined {
  switch (key) {
    case "a":
      return review.accept({ hunks: [hunk] });
    case "r":
      return review.reject({ hunks: [hunk] });
    case "A":
      return review.accept("everything");
    case "u":
      return review.undo();
    default:
      return undefined;
  }
}
