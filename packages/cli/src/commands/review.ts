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
import type { FileReview } from "@stet/protocol/api/review";
import { Fault, isFault } from "@stet/protocol/fault";
import { visibleName } from "@stet/protocol/visible";
import type { CommandContext, WordsOf } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { formatHunks } from "../format-hunk.ts";
import { agentsOf, hunksIn, makersOf, nameOf, type TurnAgentNames } from "../hunk-lines.ts";
import { type Choice, countInDoubt, type OpenReview, saveDecided, withCommand } from "../review-decisions.ts";
import { type CommandApi, usage, withApi } from "../with-folder.ts";

export async function review(
  { values, positionals }: WordsOf<"review">,
  context: CommandContext,
): Promise<number> {
  const [verb = "list", ...names] = positionals;
  return withApi(context, async (api) => {
    const open = await api.call("listReview", { query: { compare: "true" } });
    if (isFault(open)) return open;
    switch (verb) {
      case "show":
        return show(api, open, context, names[0], values.json);
      case "accept":
      case "reject": {
        const choice = choiceOf(open, context, names, values);
        if (choice === undefined)
          return usage(context, `Say what to ${verb}: hunk ids, --file FILE, --turn TURN or --all.`);
        return isFault(choice) ? choice : decide(api, context, verb, choice);
      }
      case "undo":
        return undo(api, context, names);
      case "step":
        return (await import("../review-step.ts")).stepThrough(api, context);
      case "resolve": {
        const { resolveConflict, sideOf } = await import("../resolve-conflict.ts");
        const side = sideOf(values);
        const [name] = names;
        if (name === undefined || side === undefined)
          return usage(context, "Name the file, and one of --keep, --reload and --both.");
        return resolveConflict(api, open, context, pathOf(context, name), side);
      }
      default:
        return list(open, context, values.json);
    }
  });
}

/** As documents are named: from the workspace's folder. */
function pathOf({ root, folder }: CommandContext, name: string): string {
  return relative(root, resolve(folder, name));
}

function list(open: OpenReview, { terminal }: CommandContext, json: boolean): number {
  const { files, conflicts = [] } = open;
  const agents = agentsOf(open.turns);
  for (const { message, suggestion } of conflicts) terminal.note(`${message}\n${suggestion}\n`);
  if (json) terminal.json(withAgents(files, agents));
  else if (files.length === 0) terminal.out("Nothing is waiting for review.\n");
  for (const file of json ? [] : files) {
    const ids = file.hunks.map((hunk) => hunk.hunk_id).join(" ");
    const count = `${file.hunks.length} ${file.hunks.length === 1 ? "hunk" : "hunks"}`;
    const marks = [file.node ?? "", makersOf(file.hunks, agents)].filter((mark) => mark !== "");
    const mark = marks.length === 0 ? "" : `  (${marks.join(", ")})`;
    terminal.out(`${visibleName(nameOf(file))}  ${count}  ${ids}${mark}\n`);
  }
  if (!json) warnOfDoubt(terminal, open);
  return exitCode.done;
}

/** For programs: the agents of a hunk's turns, where the session's own had sent them. */
function withAgents(files: readonly FileReview[], agents: TurnAgentNames): readonly FileReview[] {
  const namesOf = (turns: readonly string[]) => turns.flatMap((turn) => agents.get(turn) ?? []);
  return files.map((file) => {
    const hunks = file.hunks.map((hunk) => {
      const names = namesOf(hunk.turns);
      return names.length === 0 ? hunk : { ...hunk, agents: names };
    });
    return { ...file, hunks };
  });
}

/** What rejecting everything leaves out, until it is confirmed. */
function warnOfDoubt(terminal: CommandContext["terminal"], open: OpenReview): void {
  const count = countInDoubt(open);
  if (count === 0) return;
  const hunks = count === 1 ? "1 hunk was" : `${count} hunks were`;
  const line = `${hunks} changed during a turn, by its commands or by somebody else. reject --all leaves that alone; add --during to reject it, too.\n`;
  terminal.note(terminal.style("yellow", line));
}

async function show(
  api: CommandApi,
  { files, turns }: OpenReview,
  context: CommandContext,
  wanted: string | undefined,
  json: boolean,
): Promise<number | Fault> {
  const { terminal } = context;
  const isWanted = (file: FileReview, hunk: string) =>
    wanted === undefined || [hunk, nameOf(file)].includes(wanted) || pathOf(context, wanted) === nameOf(file);
  const chosen = hunksIn(files).filter(({ file, hunk }) => isWanted(file, hunk.hunk_id));
  if (wanted !== undefined && chosen.length === 0) {
    return new Fault(
      "unknown_hunk",
      `${wanted} is neither an open hunk nor a file with open hunks.`,
      "See `stet review` for what is open.",
    );
  }
  if (json) {
    const shown = files.map((file) => {
      return { ...file, hunks: file.hunks.filter((hunk) => isWanted(file, hunk.hunk_id)) };
    });
    terminal.json(
      withAgents(
        shown.filter(({ hunks }) => hunks.length > 0),
        agentsOf(turns),
      ),
    );
  } else
    for (const text of await formatHunks(terminal, api, chosen, agentsOf(turns))) terminal.out(`${text}\n`);
  return exitCode.done;
}

function choiceOf(
  { files }: OpenReview,
  context: CommandContext,
  names: readonly string[],
  values: { file?: string; turn?: string; also?: string[]; all: boolean; during: boolean },
): Choice | Fault | undefined {
  if (values.all) return { everything: true, during: values.during };
  if (values.turn !== undefined) return { turn: values.turn, also_turns: values.also };
  if (values.file === undefined) return names.length === 0 ? undefined : { hunk_ids: [...names] };
  const wanted = [pathOf(context, values.file), values.file];
  const file = files.find((candidate) => wanted.includes(nameOf(candidate)));
  if (file !== undefined) return { document: file.document };
  const message = `${values.file} has no open hunks.`;
  return new Fault("unknown_hunk", message, "See `stet review` for what is open.");
}

async function decide(
  api: CommandApi,
  context: CommandContext,
  verb: "accept" | "reject",
  choice: Choice,
): Promise<number | Fault> {
  const { terminal } = context;
  const report = await api.call("decide", { body: { ...choice, verdict: verb } });
  if (isFault(report)) return withCommand(report, verb);
  const saved = await saveDecided(api, terminal.note, report.documents);
  if (isFault(saved)) return saved;
  const done = verb === "accept" ? "Accepted" : "Rejected";
  const files = saved.length === 0 ? "" : `; saved ${saved.join(", ")}`;
  const count = report.hunk_ids.length - (report.kept?.length ?? 0);
  terminal.out(`${done} ${count} ${count === 1 ? "hunk" : "hunks"}${files}.\n`);
  tellKept(context, report.kept);
  if (verb === "reject" && choice.everything && !choice.during) {
    const open = await api.call("listReview", { query: {} });
    if (!isFault(open)) warnOfDoubt(terminal, open);
  }
  return exitCode.done;
}

/** What stays as it is, and open. */
function tellKept(
  { terminal }: CommandContext,
  kept: readonly { readonly path: string; readonly why: string }[] = [],
): void {
  const words = kept.map(({ path, why }) => `${path} ${why}`).join(", ");
  if (kept.length > 0) terminal.out(terminal.style("yellow", `Left as it is, and open: ${words}.\n`));
}

async function undo(
  api: CommandApi,
  context: CommandContext,
  names: readonly string[],
): Promise<number | Fault> {
  const body = names.length === 0 ? {} : { hunk_ids: [...names] };
  const report = await api.call("undoDecision", { body });
  if (isFault(report)) return report;
  const saved = await saveDecided(api, context.terminal.note, report.documents);
  if (isFault(saved)) return saved;
  context.terminal.out(`Open again: ${report.hunk_ids.join(", ")}.\n`);
  tellKept(context, report.kept);
  return exitCode.done;
}
