// The tool edit in symbol mode: functions, classes, sections and keys are edited by their names.
//
// All symbols of a call are found in the file as it was shown, and all edits are made or none. Refused, with nothing changed:
// a symbol that was shown and is different now; a result that is not written as its language wants, if the file was; a
// replacement that no longer declares what it replaces, unless that is said; an edit that swallows other symbols.

import { defineTool, type ToolOutcome } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import { type LineEdit, type PlannedSplice, planEdits } from "@stet/text/edits";
import { type History, mapSpan } from "@stet/text/history";
import { changeOf, linesOf } from "@stet/text/lines";
import * as z from "zod";
import { editWords } from "../../../call-words.ts";
import { replacedLines } from "../../../locate/followed-edits.ts";
import { locateSymbols } from "../../../locate/locate-symbols.ts";
import { isMiss, refusalOf } from "../../../locate/miss.ts";
import { prompt } from "../../../prompt.ts";
import type { CodeContext, CodeTool } from "../../code-context.ts";
import type { OpenFile } from "../../code-files.ts";
import { rootPath } from "../../root-path.ts";
import { type CheckedEdit, checkEdit } from "../../structure/check-edit.ts";
import { languageOf } from "../../structure/languages.ts";
import { hasSymbols, keepSymbols, maxSymbolText, type SymbolItem } from "../../structure/symbols.ts";
import type { SyntaxProblem } from "../../structure/syntax.ts";
import { editOutcome } from "../edit-outcome.ts";
import { openForEdit } from "../open-for-edit.ts";
import { indentUnit } from "./indentation.ts";
import { planSymbolEdit, symbolOps } from "./plan-edit.ts";
import type { SymbolFile } from "./symbol-file.ts";

const schema = z.object({
  path: z.string().min(1),
  edits: z
    .array(
      z.object({
        op: z.enum(symbolOps),
        symbol: z.string().min(1).describe("Name or full path: Class.method, a.b, Heading > Sub"),
        content: z.string().optional(),
        occurrence: z.number().int().positive().optional().describe("Which of several, from 1"),
        rename: z.boolean().optional().describe("The replacement has another name on purpose"),
      }),
    )
    .min(1),
});

type Edit = z.infer<typeof schema>["edits"][number];

interface Planned {
  readonly edit: Edit;
  readonly item: SymbolItem;
  readonly edits: readonly LineEdit[];
}

export const symbolEdit: CodeTool = (context) =>
  defineTool({
    name: "edit",
    description: prompt(import.meta.url, "symbol-edit"),
    traits: ["edits", "exclusive"],
    words: editWords,
    schema,
    authorise: ({ path }, call) =>
      context.permit(
        {
          tool: "edit",
          targets: [{ kind: "path", path: rootPath(context.workspace, path), access: "write" }],
        },
        call,
      ),
    async execute({ path, edits }) {
      const target = openForEdit(context, path);
      if (isFault(target)) return target;
      if (target.kind === "missing") return missing(target.path);
      const unfit = unfitFile(target.file);
      if (unfit !== undefined) return unfit;
      const located = await locateSymbols(context.sight, target.file, edits);
      if (isMiss(located)) return refusalOf(context, target.file)(located);
      const { revision, text, symbols, items } = located;
      const file = { ...target.file, history: { ...target.file.history, text, revision } };
      const ground = symbolFile(file, symbols);
      const planned: Planned[] = [];
      for (const [index, item] of items.entries()) {
        const edit = edits[index];
        if (edit === undefined) break;
        const lineEdits = await planSymbolEdit(ground, item, edit.op, edit.content);
        if (isFault(lineEdits)) return lineEdits;
        planned.push({ edit, item, edits: lineEdits });
      }
      return apply(context, file, planned);
    },
  });

function missing(path: string): Fault {
  return new Fault("file_not_found", `${path} does not exist.`, "Use write to make a new file.", { path });
}

function unfitFile({ path, history }: OpenFile): Fault | undefined {
  if (!hasSymbols(path)) {
    return new Fault(
      "unknown_symbol",
      `The structure of ${path} is not known, so it has no symbols to edit by.`,
      "Use write to give the file its whole content.",
      { path },
    );
  }
  if (history.text.length <= maxSymbolText) return undefined;
  return new Fault(
    "too_large",
    `${path} is too long to look for symbols in: ${history.text.length} characters of at most ${maxSymbolText}.`,
    "Change it with a command, or split it first.",
    { path },
  );
}

function symbolFile({ path, history }: OpenFile, symbols: readonly SymbolItem[]): SymbolFile {
  const language = languageOf(path);
  return { path, text: history.text, language, symbols, unit: indentUnit(history.text, language) };
}

async function apply(
  context: CodeContext,
  file: OpenFile,
  planned: readonly Planned[],
): Promise<ToolOutcome | Fault> {
  const { path, history } = file;
  // Lines of a symbol that stay are not part of the edit.
  const edits = planned
    .flatMap((plan) => plan.edits)
    .flatMap((edit): LineEdit[] => {
      if (edit.op !== "replace") return [edit];
      return replacedLines(history.text, edit.from, edit.to, linesOf(edit.content));
    });
  const splices = planEdits(history.text, edits);
  if (isFault(splices)) return splices;
  const after = changeOf(history.text, splices).apply(history.text);
  const checked = await checkEdit(path, history.text, after, splices);
  if (checked.problem !== undefined)
    return syntaxFault(path, checked.problem, after.line(checked.problem.line).text);
  const refused = lostName(path, planned, checked) ?? swallowed(path, history, splices, checked);
  if (refused !== undefined) return refused;
  const rewrite = planned.some(({ edit }) => edit.op === "delete" || edit.op === "replace");
  const results = await context.files.apply([
    { kind: "edit", file, revision: history.revision, edits, rewrite },
  ]);
  if (isFault(results)) return results;
  const now = results[0]?.history.text;
  if (now?.eq(after)) keepSymbols(path, now, checked.symbols);
  return editOutcome(context, results, exportWarnings(history, planned));
}

function syntaxFault(path: string, problem: SyntaxProblem, line: string): Fault {
  const { line: number, column, message } = problem;
  return new Fault(
    "invalid_arguments",
    `The edit would break ${path}: ${message} at line ${number}, column ${column} of the result. Nothing was changed.\n` +
      `${number}|${line.replace(/\r$/, "").slice(0, 200)}`,
    "Correct the content: give whole, balanced code for the symbol.",
    { path, line: number, column },
  );
}

/** A replacement that declares something else is more often a slip than a new name. */
function lostName(path: string, planned: readonly Planned[], { around }: CheckedEdit): Fault | undefined {
  const count = (list: readonly SymbolItem[], wanted: SymbolItem) =>
    list.filter((item) => item.path === wanted.path).length;
  for (const { edit, item } of planned) {
    if (edit.op !== "replace" || edit.rename === true) continue;
    const gone = planned.filter(
      (other) => other.item.path === item.path && (other.edit.op === "delete" || other.edit.rename === true),
    ).length;
    if (count(around.after, item) >= count(around.before, item) - gone) continue;
    return new Fault(
      "invalid_arguments",
      `The content for ${item.path} in ${path} does not declare ${item.name}. Nothing was changed.`,
      "Give the whole symbol with its name and signature; use replace_body for its inside, or rename: true for a new name.",
      { symbol: item.path },
    );
  }
  return undefined;
}

/** Symbols that the edit does not touch are there afterwards: an open bracket or fence can take them in. */
function swallowed(
  path: string,
  { text }: History,
  splices: readonly PlannedSplice[],
  { around }: CheckedEdit,
): Fault | undefined {
  const places = new Set(around.after.map((item) => `${item.to} ${item.name}`));
  for (const item of around.before) {
    const span = mapSpan({ first: text.lineAt(item.headStart).number - 1, last: item.to - 1 }, splices);
    // Markdown sections end where the next begins, so their ends may move.
    if ("at" in span || item.kind === "imports" || places.has(`${span.last + 1} ${item.name}`)) continue;
    if (around.after.some(({ name, from }) => name === item.name && from === span.first + 1)) continue;
    return new Fault(
      "invalid_arguments",
      `The edit would take in ${item.path} (line ${item.from} of ${path}), which it does not name. Nothing was changed.`,
      "Check the content for a bracket, quote or fence that is not closed.",
      { symbol: item.path },
    );
  }
  return undefined;
}

function exportWarnings({ text }: History, planned: readonly Planned[]): string[] {
  return planned
    .filter(({ edit, item }) => {
      if (edit.op !== "replace" || edit.content === undefined) return false;
      const head = text.sliceString(item.headStart, Math.min(item.headStart + 20, item.end));
      return /^(?:export|pub)\b/.test(head) && !/^\s*(?:export|pub|@)\b/m.test(edit.content);
    })
    .map(({ item }) => `${item.path} was exported and is not any more.`);
}
