// `stet review`: what is open, and decisions on it.
//
//   stet review                      list
//   stet review show [HUNK or FILE]  the hunks themselves
//   stet review accept HUNK …        or --file FILE, --turn TURN [--also TURN], --all [--during]; the same with reject
//   stet review undo [HUNK …]        the latest decision, or those named
//   stet review step                 one after another, by single keys
//   stet review resolve FILE         a conflict with the file on disk
//
// Files are compared first, so that what is listed and decided on is what is there.

import { relative, resolve } from "node:path";
import { Fault, isFault } from "@stet/protocol/fault";
import { visibleName } from "@stet/protocol/visible";
import type { KeptNode } from "@stet/workspace/command-effects/nodes";
import { shownPath } from "@stet/workspace/command-effects/raw-path";
import type { Selection } from "@stet/workspace/review/review";
import type { Workspace } from "@stet/workspace/workspace";
import type { CommandContext, WordsOf } from "../command.ts";
import { decisionsOf, saveDecided } from "../decisions-of.ts";
import { exitCode } from "../exit-code.ts";
import { formatHunk, nameOf } from "../format-hunk.ts";
import { stepThrough } from "../review-step.ts";
import { withCommand } from "../shared-hunks.ts";
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
    const count = `${file.hunks.length} ${file.hunks.length === 1 ? "hunk" : "hunks"}`;
    const node = file.node === undefined ? "" : `  (${file.node})`;
    terminal.out(`${visibleName(nameOf(file))}  ${count}  ${ids}${node}\n`);
  }
  const inDoubt = json ? 0 : workspace.review.countInDoubt();
  if (inDoubt > 0) terminal.note(terminal.style("yellow", doubtWords(inDoubt)));
  return exitCode.done;
}

/** What rejecting everything leaves out, until it is confirmed. */
function doubtWords(count: number): string {
  const hunks = count === 1 ? "1 hunk was" : `${count} hunks were`;
  return `${hunks} changed during a turn, by its commands or by somebody else. reject --all leaves that alone; add --during to reject it, too.\n`;
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
  values: { file?: string; turn?: string; also?: string[]; all: boolean; during: boolean },
): Selection | Fault | undefined {
  if (values.all) return values.during ? "everything and what is in doubt" : "everything";
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
  const decisions = decisionsOf(workspace, context);
  const report = await decisions[verb](selection);
  if (isFault(report)) return withCommand(report, verb);
  const saved = await saveDecided(decisions, context, report.documents);
  if (isFault(saved)) return saved;
  const done = verb === "accept" ? "Accepted" : "Rejected";
  const files = saved.length === 0 ? "" : `; saved ${saved.map((file) => file.path).join(", ")}`;
  const count = report.hunks.length - report.kept.length;
  context.terminal.out(`${done} ${count} ${count === 1 ? "hunk" : "hunks"}${files}.\n`);
  tellKept(context, report.kept);
  const inDoubt = verb === "reject" && selection === "everything" ? workspace.review.countInDoubt() : 0;
  if (inDoubt > 0) context.terminal.note(context.terminal.style("yellow", doubtWords(inDoubt)));
  return exitCode.done;
}

/** What stays as it is, and open. */
function tellKept({ terminal }: CommandContext, kept: readonly KeptNode[]): void {
  const words = kept.map(({ path, why }) => `${shownPath(path)} ${why}`).join(", ");
  if (kept.length > 0) terminal.out(terminal.style("yellow", `Left as it is, and open: ${words}.\n`));
}

async function undo(
  workspace: Workspace,
  context: CommandContext,
  names: readonly string[],
): Promise<number | Fault> {
  const decisions = decisionsOf(workspace, context);
  const report = await decisions.undo(names.length === 0 ? undefined : names);
  if (isFault(report)) return report;
  const saved = await saveDecided(decisions, context, report.documents);
  if (isFault(saved)) return saved;
  context.terminal.out(`Open again: ${report.hunks.join(", ")}.\n`);
  tellKept(context, report.kept);
  return exitCode.done;
}
