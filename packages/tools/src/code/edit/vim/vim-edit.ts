// The edit mode vim: keys in a buffer that stays open for the turn.
//
// The keys of a call are carried out whole or not at all. Unless told otherwise the buffer is saved at the end of the call,
// as the smallest change of lines, like every other edit.

import { Text } from "@codemirror/state";
import { defineTool, type ToolOutcome } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import { diffTexts } from "@stet/text/diff";
import { textAt } from "@stet/text/history";
import { keysOf } from "@stet/vim/keys";
import { runKeys } from "@stet/vim/normal";
import { screenOf, visibleSpan } from "@stet/vim/vim-screen";
import { VimSession } from "@stet/vim/vim-session";
import * as z from "zod";
import { editWords } from "../../../call-words.ts";
import { unclear } from "../../../locate/followed-edits.ts";
import { changedSince, refusalOf } from "../../../locate/miss.ts";
import { shownText } from "../../../locate/source-text.ts";
import { prompt } from "../../../prompt.ts";
import type { CodeContext, CodeTool } from "../../code-context.ts";
import type { FileResult, OpenFile } from "../../code-files.ts";
import { notFound } from "../edit-faults.ts";
import { compactDiff, editOutcome } from "../edit-outcome.ts";
import { openForEdit, permitEdit } from "../open-for-edit.ts";
import { expectedFault } from "./expected-rows.ts";

const maxKeys = 10_000;

const schema = z.object({
  path: z.string().min(1).describe("The file"),
  keys: z
    .union([z.string(), z.array(z.string())])
    .describe("Keys in normal mode; a list is carried out in order, each command line ends with its string"),
  expect: z
    .array(z.string())
    .optional()
    .describe(
      "Rows as they were read, number and text, that the keys change, delete or insert behind; refused where they touch others",
    ),
  save: z.boolean().optional().describe("false: keep the buffer, do not write the file yet"),
});

export const vimEdit: CodeTool = (context) => {
  const sessions = new Map<number, VimSession>();
  return defineTool({
    name: "edit",
    description: prompt(import.meta.url, "vim"),
    traits: ["edits", "exclusive"],
    words: editWords,
    schema,
    authorise: ({ path }, call) => permitEdit(context, path, call),
    async execute({ path, keys, expect = [], save = true }) {
      const target = openForEdit(context, path);
      if (isFault(target)) return target;
      if (target.kind === "missing")
        return notFound(target.path, "Make a new file with the write tool first.");
      const session = sessionOf(sessions, target.file, asShown(context, target.file));
      if (isFault(session)) return session;
      const before = session.vim;
      const fault =
        carryOut(session, keys) ?? expectedFault(target.path, before.buffer, session.vim.buffer, expect);
      if (fault !== undefined) {
        session.vim = before;
        return fault;
      }
      const isSaved = save || session.vim.wish !== undefined;
      return isSaved && session.isModified
        ? saveBuffer(context, session, target.file, before)
        : shown(context, session, target.file);
    },
  });
};

/** Line numbers are those of what the model was shown; what happened since is rebased over when the buffer is saved. */
function asShown({ sight }: CodeContext, file: OpenFile): OpenFile {
  const { revision, text } = shownText(sight, file);
  return { ...file, history: { ...file.history, text, revision } };
}

function sessionOf(
  sessions: Map<number, VimSession>,
  { document }: OpenFile,
  shown: OpenFile,
): VimSession | Fault {
  const known = sessions.get(document);
  if (known !== undefined) {
    // A buffer with changes of its own meets those of others when it is saved.
    if (known.revision !== shown.history.revision && !known.isModified) known.reload(shown);
    return known;
  }
  const session = VimSession.open(shown);
  if (!isFault(session)) sessions.set(document, session);
  return session;
}

function carryOut(session: VimSession, written: string | readonly string[]): Fault | undefined {
  const keys = keysOf(written);
  if (keys.length > maxKeys) {
    return new Fault(
      "too_large",
      `${keys.length} keys are more than the ${maxKeys} that one call may have.`,
      "Send fewer keys, or use :s, :g and :normal for what repeats.",
    );
  }
  const { vim } = session;
  const trial = vim.copy();
  trial.feed(keys);
  const fault = runKeys(trial);
  if (fault === undefined) session.vim = trial;
  return fault;
}

async function saveBuffer(
  context: CodeContext,
  session: VimSession,
  file: OpenFile,
  before: VimSession["vim"],
): Promise<ToolOutcome | Fault> {
  const rewrite = session.vim.wish === "force";
  const edits = session.edits.map(({ edit }) => edit);
  const fault = unclearSave(session, file);
  if (fault !== undefined) return notSaved(context, session, file, before, fault);
  const results = await context.files.apply([
    { kind: "edit", file, revision: session.revision, edits, rewrite },
  ]);
  if (isFault(results)) return notSaved(context, session, file, before, results);
  const [result] = results;
  if (result === undefined) return shown(context, session, file);
  // Where nobody else changed the file, it is what the buffer is now.
  if (result.report?.rebasedFrom === undefined) session.markSaved(result.history.revision);
  else session.reload({ ...file, history: result.history });
  return saved(context, session, result);
}

/** What comes or goes among equal lines is only clear as long as they are what they were. */
function unclearSave({ revision, edits }: VimSession, { history }: OpenFile): Fault | undefined {
  const text = revision < history.revision ? textAt(history, revision) : undefined;
  if (text === undefined || isFault(text)) return undefined;
  for (const { edit, among } of edits) {
    if (among === undefined) continue;
    const fault = unclear(history, revision, text, { from: among.from + 1, to: among.to }, edit);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function notSaved(
  context: CodeContext,
  session: VimSession,
  file: OpenFile,
  before: VimSession["vim"],
  fault: Fault,
): Fault {
  if (fault.error === "large_deletion") {
    session.vim = before;
    const message = `${fault.message} None of the keys was carried out.`;
    return new Fault(
      fault.error,
      message,
      "If that is meant, send the keys again with :w! behind them.",
      fault.details,
    );
  }
  if (fault.error !== "conflict" && fault.error !== "unknown_revision") {
    session.vim = before;
    return fault;
  }
  const now = context.files.open(file.path);
  if (isFault(now)) return fault;
  session.reload(now);
  const note =
    "The buffer was read again, without what was not saved. Send the keys again for the text as it is now.";
  return refusalOf(context, now)({ ...changedSince(file.path, fault), note });
}

function saved(context: CodeContext, session: VimSession, result: FileResult): ToolOutcome {
  const outcome = editOutcome(context, [result]);
  const { from, to } = visibleSpan(session.vim);
  context.sight.show(result, from, to);
  return { ...outcome, content: `${screenOf(session.vim, result.path)}\n\n${String(outcome.content)}` };
}

/** Nothing was written: the buffer is what the file is, or its changes wait. */
function shown({ sight }: CodeContext, session: VimSession, file: OpenFile): ToolOutcome {
  const { vim } = session;
  const screen = screenOf(vim, file.path);
  const details = { path: file.path, line: vim.cursor.line + 1, isModified: session.isModified };
  if (!session.isModified) {
    const { from, to } = visibleSpan(vim);
    const isNewest = session.revision === file.history.revision;
    if (isNewest && file.history.text.length > 0) sight.show(file, from, to);
    return { content: screen, details };
  }
  const before = Text.of([...vim.saved.lines, ""]);
  const after = Text.of([...vim.buffer.lines, ""]);
  const diff = compactDiff(
    before,
    after,
    diffTexts(before, after),
    (line) => `${line}|${vim.buffer.line(line - 1)}`,
  );
  return { content: `${screen}\n\nNot saved yet:\n${diff.join("\n")}`, details };
}
