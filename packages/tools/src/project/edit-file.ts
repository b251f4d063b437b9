// Structured edits. The hash says what the model believes to stand at the lines; it is compared before anything is staged.

import { defineTool, type Tool, type ToolOutcome } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import type { LineEdit } from "@stet/text/edits";
import { hashLines } from "@stet/text/hash";
import { type History, textAt } from "@stet/text/history";
import { countLines } from "@stet/text/lines";
import type { StagedReport } from "@stet/workspace/turns";
import * as z from "zod";
import { abbreviatedChange } from "../code/edit/abbreviated.ts";
import { prompt } from "../prompt.ts";
import { hashMismatch } from "./hash-mismatch.ts";
import type { ProjectContext } from "./project-toolset.ts";

const schema = z.object({
  file_path: z.string().min(1).describe("Path from the project's folder"),
  operation: z.enum(["replace", "insert", "delete"]),
  start_line: z.number().int().positive().describe("First line, from 1; insert puts new_text before it"),
  end_line: z.number().int().positive().optional().describe("Last line, inclusive; not for insert"),
  new_text: z.string().optional().describe("The new lines; not for delete"),
  expected_hash: z.string().optional().describe("The hash that read_file gave for exactly these lines"),
  rationale: z.string().optional().describe("Why, in a few words, for the person who reviews it"),
});

type Edit = z.infer<typeof schema>;

export function editFile(context: ProjectContext): Tool {
  return defineTool({
    name: "edit_file",
    description: prompt(import.meta.url, "edit_file"),
    mode: "exclusive",
    schema,
    async execute(edit, { batch }) {
      const opened = context.workspace.documents.open(edit.file_path);
      if (isFault(opened)) return opened.error === "file_not_found" ? create(context, edit, opened) : opened;
      const history = context.turn.read(opened.id);
      if (isFault(history)) return history;
      const lineEdit = lineEditOf(edit);
      if (isFault(lineEdit)) return lineEdit;
      const seen = context.shown.seenBy(batch, opened.id) ?? history.revision;
      const revision = placeByHash(history, seen, edit);
      if (isFault(revision)) {
        // What the refusal tells of is the newest revision, and the next call refers to that.
        context.shown.show(opened.id, history.revision);
        return revision;
      }
      const policy = { kind: "rebase" } as const;
      const report = await context.turn.step(() => {
        const staged = context.turn.edit(opened.id, { revision, policy, edits: [lineEdit] });
        if (isFault(staged)) return staged;
        const after = context.turn.read(opened.id);
        return (isFault(after) ? after : abbreviatedChange(edit.file_path, after)) ?? staged;
      });
      if (isFault(report)) return report;
      context.shown.show(opened.id, report.revision);
      return outcomeOf(context, opened.id, edit, report);
    },
  });
}

function create(context: ProjectContext, edit: Edit, missing: Fault): ToolOutcome | Fault {
  if (edit.operation !== "insert" || edit.start_line !== 1) return missing;
  const text = edit.new_text ?? "";
  const document = context.turn.create(
    edit.file_path,
    text.endsWith("\n") || text === "" ? text : `${text}\n`,
  );
  if (isFault(document)) return document;
  const history = context.turn.read(document);
  if (isFault(history)) return history;
  context.shown.show(document, history.revision);
  const total = countLines(history.text);
  return {
    content: { ok: true, file_path: edit.file_path, created: true, total_lines: total },
    details: { file_path: edit.file_path, rationale: edit.rationale, created: true },
  };
}

function lineEditOf(edit: Edit): LineEdit | Fault {
  const { operation, start_line, end_line = start_line, new_text = "" } = edit;
  if (operation === "delete") {
    if (new_text !== "")
      return invalid("A deletion has no new_text.", "Use replace to put other lines in their place.");
    return { op: "delete", from: start_line, to: end_line };
  }
  if (operation === "replace")
    return { op: "replace", from: start_line, to: end_line, content: new_text === "" ? "\n" : new_text };
  return { op: "insert", after: start_line - 1, content: new_text };
}

function invalid(message: string, suggestion: string): Fault {
  return new Fault("invalid_arguments", message, suggestion);
}

/**
 * The revision that the line numbers refer to: what the model was shown, where the hash fits there. Anything else is a
 * conflict; that the hash fits lines of these numbers in a newer revision is chance, since nobody told the model of it.
 */
function placeByHash(history: History, seen: number, edit: Edit): number | Fault {
  const { expected_hash, start_line, end_line = start_line } = edit;
  if (expected_hash === undefined) return seen;
  const text = textAt(history, seen);
  if (isFault(text)) return text;
  const isThere = end_line <= countLines(text) && start_line <= end_line;
  if (isThere && hashLines(text, start_line, end_line) === expected_hash) return seen;
  return hashMismatch(history, seen, { ...edit, expected_hash, end_line });
}

function outcomeOf(
  { turn }: ProjectContext,
  document: number,
  edit: Edit,
  report: StagedReport,
): ToolOutcome {
  const history = turn.read(document);
  const total = isFault(history) ? 0 : countLines(history.text);
  const removed = report.affected.reduce((sum, place) => sum + place.removed, 0);
  const added = report.affected.reduce((sum, place) => sum + place.added, 0);
  const end = report.affected.at(-1);
  const first = report.affected[0]?.line ?? edit.start_line;
  const last = end === undefined ? first - 1 : end.line + end.added - 1;
  const shift = added - removed;
  return {
    content: {
      ok: true,
      file_path: edit.file_path,
      start_line: first,
      end_line: last,
      lines_removed: removed,
      lines_added: added,
      total_lines: total,
      hash: isFault(history) || last < first ? undefined : hashLines(history.text, first, last),
      ...(shift === 0
        ? {}
        : { note: `Lines behind this place have moved by ${shift > 0 ? "+" : ""}${shift}.` }),
      ...(report.rebasedFrom === undefined ? {} : { moved_to_line: first }),
    },
    details: { file_path: edit.file_path, rationale: edit.rationale, report },
  };
}
