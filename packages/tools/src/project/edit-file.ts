// Structured edits by line numbers. A number means the line that the model was shown under it, wherever that is now (see
// sight.ts). What is replaced or deleted was shown whole, or the call names its hash; otherwise the refusal shows the lines
// and their hash, so that the edit can be repeated from the refusal alone.

import { defineTool, type GivenArguments, type Tool, type ToolOutcome } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import type { LineEdit } from "@stet/text/edits";
import { hashLines } from "@stet/text/hash";
import type { History } from "@stet/text/history";
import { countLines } from "@stet/text/lines";
import type { StagedReport } from "@stet/workspace/turns/turn-report";
import * as z from "zod";
import { cut, lineWords } from "../call-words.ts";
import { creationDiff, editDiff } from "../edited-lines.ts";
import { abbreviatedChange } from "../locate/abbreviated.ts";
import type { LineRange } from "../locate/followed-edits.ts";
import { isLinesMiss, locateInsertion, locateLines } from "../locate/locate-lines.ts";
import { deniedReading } from "../permission/left-out.ts";
import { prompt } from "../prompt.ts";
import { type EditCall, mostOfFile, refused } from "./edit-refusals.ts";
import { openInTurn } from "./project-file.ts";
import type { ProjectContext } from "./project-toolset.ts";

const schema = z.object({
  file_path: z.string().min(1).describe("Path from the project's folder"),
  operation: z.enum(["replace", "insert", "delete"]),
  start_line: z.number().int().positive().describe("First line, from 1; insert puts new_text before it"),
  end_line: z.number().int().positive().optional().describe("Last line, inclusive; not for insert"),
  new_text: z
    .string()
    .optional()
    .describe("The new lines; not for delete. Empty in replace: one empty line, and delete takes lines away"),
  expected_hash: z
    .string()
    .optional()
    .describe(
      "The hash of exactly these lines, from read_file or a refusal; it confirms a change of lines that were not shown whole, or of most of the file",
    ),
  rationale: z.string().optional().describe("Why, in a few words, for the person who reviews it"),
});

type Edit = z.infer<typeof schema>;

interface Call extends EditCall {
  readonly edit: Edit;
}

const againToCreate =
  "The lines would be all that stands in it. If the person wants the file anew, repeat the call; else leave it deleted.";

export function editFile(context: ProjectContext): Tool {
  /** Files that the model was told to be deleted. */
  const deleted = new Set<string>();
  return defineTool({
    name: "edit_file",
    description: prompt(import.meta.url, "edit_file"),
    traits: ["edits", "exclusive"],
    words: wordsForEdit,
    schema,
    async execute(edit) {
      // A refusal shows lines of the file.
      const denied = deniedReading(context.readEffect("edit_file"), edit.file_path);
      if (denied !== undefined) return denied;
      const file = openInTurn(context, edit.file_path);
      if (isFault(file)) return file.error === "file_not_found" ? create(context, edit, file, deleted) : file;
      const call: Call = { sight: context.sight, file, edit };
      const aimed = aimedLines(call);
      if (isFault(aimed)) return aimed;
      const { turn } = context;
      const { revision } = file.history;
      const policy = { kind: "rebase" } as const;
      const edits = [lineEdit(edit, aimed)];
      // A hash names all that goes.
      const rewrite = edit.expected_hash !== undefined;
      const report = await turn.step(() => {
        const staged = turn.edit(file.document, { revision, policy, edits, rewrite });
        if (isFault(staged)) return staged;
        const after = turn.read(file.document);
        return (isFault(after) ? after : abbreviatedChange(edit.file_path, after)) ?? staged;
      });
      if (isFault(report))
        return report.error === "large_deletion" ? mostOfFile(call, report, aimed) : report;
      const history = turn.read(file.document);
      if (isFault(history)) return history;
      context.sight.wrote({ ...file, history }, revision);
      return outcomeOf(edit, aimed, report, file.history, history);
    },
  });
}

function create(
  context: ProjectContext,
  edit: Edit,
  missing: Fault,
  deleted: Set<string>,
): ToolOutcome | Fault {
  if (edit.operation !== "insert" || edit.start_line !== 1) return missing;
  if (missing.details.deleted === true && !deleted.has(edit.file_path)) {
    deleted.add(edit.file_path);
    return new Fault(missing.error, missing.message, againToCreate, missing.details);
  }
  const text = edit.new_text ?? "";
  const document = context.turn.create(
    edit.file_path,
    text.endsWith("\n") || text === "" ? text : `${text}\n`,
  );
  if (isFault(document)) return document;
  const history = context.turn.read(document);
  if (isFault(history)) return history;
  const total = countLines(history.text);
  const path = context.workspace.documents.row(document)?.path ?? edit.file_path;
  context.sight.wroteAll({ path, history });
  return {
    content: { ok: true, file_path: edit.file_path, created: true, total_lines: total },
    details: {
      file_path: edit.file_path,
      rationale: edit.rationale,
      created: true,
      diff: creationDiff(edit.file_path, history),
    },
  };
}

function lineEdit({ operation, new_text = "" }: Edit, { from, to }: LineRange): LineEdit {
  if (operation === "insert") return { op: "insert", after: from - 1, content: new_text };
  if (operation === "delete") return { op: "delete", from, to };
  return { op: "replace", from, to, content: new_text === "" ? "\n" : new_text };
}

/** The lines that go, or before which something comes, where they are now. */
function aimedLines(call: Call): LineRange | Fault {
  const { operation, start_line: from, end_line: to = from, new_text = "", expected_hash: hash } = call.edit;
  if (operation === "delete" && new_text !== "") {
    const suggestion = "Use replace to put other lines in their place.";
    return new Fault("invalid_arguments", "A deletion has no new_text.", suggestion);
  }
  const locate = operation === "insert" ? locateInsertion : locateLines;
  const found = locate(call.sight, call.file, { from, to, hash });
  return isLinesMiss(found) ? refused(call, found) : found;
}

function outcomeOf(
  edit: Edit,
  aimed: LineRange,
  report: StagedReport,
  was: History,
  history: History,
): ToolOutcome {
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
      total_lines: countLines(history.text),
      hash: last < first ? undefined : hashLines(history.text, first, last),
      ...(shift === 0
        ? {}
        : { note: `Lines behind this place have moved by ${shift > 0 ? "+" : ""}${shift}.` }),
      ...(aimed.from === edit.start_line ? {} : { moved_to_line: aimed.from }),
    },
    details: {
      file_path: edit.file_path,
      rationale: edit.rationale,
      report,
      diff: editDiff(edit.file_path, was, history),
    },
  };
}

function wordsForEdit({
  operation,
  file_path: path,
  start_line: start,
  end_line: end,
}: GivenArguments): string {
  if (operation === "insert") return `Insert into ${cut(path)} at line ${cut(start)}`;
  const verb = operation === "delete" ? "Delete from" : "Edit";
  return `${verb} ${cut(path)}${lineWords(start, end)}`;
}
