// `stet review`: what is open, and decisions on it.
//
//   stet review                      list
//   stet review show [HUNK or FILE]  the hunks themselves
//   stet review accept HUNK …        or --file FILE, --turn TURN [--also TURN], --all; the same with reject
//   stet review undo [HUNK …]        the latest decision, or those named
//   stet review step                 one after another, by single keys
//   stet review resolve FILE         a conflict with the file on disk
//
// Files are compared first, so that what is listed and decided on is what is there.

import { relative, resolve } from "node:path";
import { Fault, isFault } from "@stet/protocol/fault";
import { visibleName } from "@stet/protocol/visible";
import { leftBehindWords } from "@stet/workspace/left-behind";
import type { Selection } from "@stet/workspace/review";
import type { Workspace } from "@stet/workspace/workspace";
import type { CommandContext, WordsOf } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { formatHunk, nameOf } from "../format-hunk.ts";
import { recordDecision } from "../record-decision.ts";
import { stepThrough } from "../review-step.ts";
import { saveDecided } from "../save-decided.ts";
import { withCommand } from "../shared-hunks.ts";
import type { Terminal } from "../terminal.ts";
import { usage, withWorkspace } from "../with-workspace.ts";

export async function review(
  { values, positionals }: WordsOf<"review">,
  context: CommandContext,
): Promise<number> {
  const [verb = "list", ...names] = positionals;
  return withWorkspace(context, async (workspace) => {
    const conflicts = workspace.compareInUse();
    switch (verb) {
      case "show":
        return show(workspace, context, names[0], values.json);
      case "accept":
      case "reject": {
        const selection = selectionOf(workspace, context.folder, names, values);
        if (selection === undefined)
          return usage(context, `Say what to ${verb}: hunk ids, --file FILE, --turn TURN or --all.`);
        return isFault(selection) ? selection : decide(workspace, context, verb, selection);
      }
      case "undo":
        return undo(workspace, context, names);
      case "step":
        return stepThrough(workspace, context);
      case "resolve": {
        const { resolveConflict, sideOf } = await import("../resolve-conflict.ts");
        const side = sideOf(values);
        const [name] = names;
        if (name === undefined || side === undefined)
          return usage(context, "Name the file, and one of --keep, --reload and --both.");
        return resolveConflict(workspace, context, name, side);
      }
      default:
        return list(workspace, context, values.json, conflicts);
    }
  });
}

function list(
  workspace: Workspace,
  { terminal }: CommandContext,
  json: boolean,
  conflicts: readonly Fault[],
): number {
  const files = workspace.review.list();
  for (const { message, suggestion } of conflicts) terminal.note(`${message}\n${suggestion}\n`);
  if (json) terminal.json(files);
  else if (files.length === 0) terminal.out("Nothing is waiting for review.\n");
  for (const file of json ? [] : files) {
    const ids = file.hunks.map((hunk) => hunk.id).join(" ");
    terminal.out(
      `${visibleName(nameOf(file))}  ${file.hunks.length} ${file.hunks.length === 1 ? "hunk" : "hunks"}  ${ids}\n`,
    );
  }
  const turns = files.flatMap((file) => file.hunks.flatMap((hunk) => hunk.turns));
  if (!json) tellLeftBehind(workspace, terminal, turns, "Rejecting will not take this back");
  return exitCode.done;
}

/** What commands did beside the texts of files. */
function tellLeftBehind(
  workspace: Workspace,
  terminal: Terminal,
  turns: Iterable<string>,
  said: string,
): void {
  const left = leftBehindWords(workspace.review.leftBehind(new Set(turns)));
  if (left.length > 0) terminal.out(terminal.style("yellow", `${said}: ${left.join(", ")}\n`));
}

function show(
  workspace: Workspace,
  { terminal, folder }: CommandContext,
  wanted: string | undefined,
  json: boolean,
): number | Fault {
  const files = workspace.review.list();
  const isWanted = (given: string, hunk: string, name: string) =>
    [hunk, name].includes(given) || relative(workspace.root.path, resolve(folder, given)) === name;
  const shown = files
    .map((file) => ({
      ...file,
      hunks: file.hunks.filter((hunk) => wanted === undefined || isWanted(wanted, hunk.id, nameOf(file))),
    }))
    .filter((file) => file.hunks.length > 0);
  if (wanted !== undefined && shown.length === 0) {
    return new Fault(
      "unknown_hunk",
      `${wanted} is neither an open hunk nor a file with open hunks.`,
      "See `stet review` for what is open.",
    );
  }
  if (json) terminal.json(shown);
  else
    for (const file of shown)
      for (const hunk of file.hunks) terminal.out(`${formatHunk(terminal, workspace, file, hunk)}\n`);
  return exitCode.done;
}

function selectionOf(
  workspace: Workspace,
  folder: string,
  names: readonly string[],
  values: { file?: string; turn?: string; also?: string[]; all: boolean },
): Selection | Fault | undefined {
  if (values.all) return "everything";
  if (values.turn !== undefined) return { turn: values.turn, also: values.also };
  if (values.file !== undefined) {
    const wanted = relative(workspace.root.path, resolve(folder, values.file));
    const file = workspace.review
      .list()
      .find((candidate) => [wanted, values.file].includes(nameOf(candidate)));
    if (file === undefined) {
      return new Fault(
        "unknown_hunk",
        `${values.file} has no open hunks.`,
        "See `stet review` for what is open.",
      );
    }
    return { document: file.document };
  }
  return names.length === 0 ? undefined : { hunks: names };
}

async function decide(
  workspace: Workspace,
  context: CommandContext,
  verb: "accept" | "reject",
  selection: Selection,
): Promise<number | Fault> {
  const report = await workspace.decide(() => workspace.review[verb](selection));
  if (isFault(report)) return withCommand(report, verb);
  await recordDecision(workspace, report, verb === "accept" ? "accepted" : "rejected", context);
  const saved = await saveDecided(workspace, context, report.documents);
  if (isFault(saved)) return saved;
  const done = verb === "accept" ? "Accepted" : "Rejected";
  const files = saved.length === 0 ? "" : `; saved ${saved.map((file) => file.path).join(", ")}`;
  context.terminal.out(
    `${done} ${report.hunks.length} ${report.hunks.length === 1 ? "hunk" : "hunks"}${files}.\n`,
  );
  const turns = verb === "reject" ? report.turns.map(({ turn }) => turn) : [];
  tellLeftBehind(workspace, context.terminal, turns, "Not taken back");
  return exitCode.done;
}

async function undo(
  workspace: Workspace,
  context: CommandContext,
  names: readonly string[],
): Promise<number | Fault> {
  const chosen = names.length === 0 ? undefined : { hunks: names };
  const report = await workspace.decide(() => workspace.review.undo(chosen));
  if (isFault(report)) return report;
  await recordDecision(workspace, report, "reopened", context);
  const saved = await saveDecided(workspace, context, report.documents);
  if (isFault(saved)) return saved;
  context.terminal.out(`Open again: ${report.hunks.join(", ")}.\n`);
  return exitCode.done;
}
