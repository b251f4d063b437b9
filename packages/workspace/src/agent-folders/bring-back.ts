// What an agent did in a folder of its own, brought back into the workspace that the folder was made of.
//
// Texts are brought as splices of what the agent had begun with. Where the workspace's text has moved on since, those that
// fit land, and the others are conflicts with both sides. Everything that is no text (modes, links, binaries, folders) is
// changed on disk only while it is there what it was. All of it is staged in one held turn of the workspace.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Text } from "@codemirror/state";
import { type Fault, isFault } from "@stet/protocol/fault";
import { fitBehind } from "@stet/text/concurrent-splices";
import { diffTexts } from "@stet/text/diff";
import { changeOf, rawLines, withoutReturn } from "@stet/text/lines";
import { FileContents } from "../command-effects/contents.ts";
import { isPlainFile, lineOf } from "../command-effects/node.ts";
import type { DocumentState } from "../documents/document-state.ts";
import { hasFile } from "../documents/file-state.ts";
import type { TurnConflict } from "../turns/settle-copy.ts";
import type { Turn } from "../turns/turns.ts";
import type { Workspace } from "../workspace.ts";

export interface BroughtBack {
  readonly conflicts: readonly TurnConflict[];
  /** What is no text and stays in the folder, each with why: sentences. */
  readonly left: readonly string[];
}

export interface FolderResult {
  /** The workspace of the agent's folder, and its turns there. */
  readonly folder: Workspace;
  readonly turns: readonly string[];
}

export async function bringBack(
  workspace: Workspace,
  turn: Turn,
  { folder, turns }: FolderResult,
): Promise<BroughtBack | Fault> {
  const conflicts: TurnConflict[] = [];
  const nodes: number[] = [];
  /** Files that can be run, and that the workspace is to get. */
  const programs: string[] = [];
  const documents = new Set(turns.flatMap((id) => folder.checkpoints.documentsOf(id)));
  for (const document of documents) {
    const state = folder.documents.state(document);
    if (isFault(state)) return state;
    const path = folder.documents.row(document)?.path;
    if (folder.nodes.pathOf(document) !== undefined) nodes.push(document);
    else if (path !== null && path !== undefined) {
      const met = bringText(workspace, turn, { path, state, before: beforeOf(folder, turns, document) });
      if (isFault(met)) return met;
      conflicts.push(...met);
      if (met.length === 0 && isNew(workspace, path) && isProgram(folder, path)) programs.push(path);
    }
  }
  if (nodes.length + programs.length === 0) return { conflicts, left: [] };
  if (!turn.isImmediate) return { conflicts, left: nodes.map((node) => unproposed(folder, node)) };
  // The texts first: what has a mode may be one of them.
  const written = await workspace.writeTurn(turn);
  if (isFault(written)) return written;
  await workspace.witness.begin(turn);
  const left = bringNodes(workspace, folder, nodes);
  for (const path of programs) makeProgram(workspace, folder, path);
  await workspace.witness.finish(turn);
  return { conflicts, left };
}

function isNew(workspace: Workspace, path: string): boolean {
  const location = workspace.documents.locate(path);
  return !isFault(location) && !location.exists;
}

function isProgram(folder: Workspace, path: string): boolean {
  const node = folder.nodes.disk.read(path, false);
  return node?.kind === "file" && (node.mode & 0o111) !== 0;
}

/** The mode of a file that the turn has made is part of that. */
function makeProgram(workspace: Workspace, folder: Workspace, path: string): void {
  const [from, to] = [workspace, folder].map(({ nodes }) => nodes.disk.read(path, false));
  if (from?.kind === "file" && to?.kind === "file")
    workspace.nodes.disk.change(path, from, { ...from, mode: to.mode });
}

function unproposed(folder: Workspace, document: number): string {
  return `${folder.nodes.pathOf(document) ?? ""} was not brought back: it is no text, and cannot be proposed.`;
}

interface TextSide {
  readonly text: Text;
  readonly exists: boolean;
}

interface TextResult {
  readonly path: string;
  readonly state: DocumentState;
  readonly before: TextSide;
}

/** What a document was before the agent's first turn there. */
function beforeOf(folder: Workspace, turns: readonly string[], document: number): TextSide {
  for (const turn of turns) {
    const before = folder.checkpoints.before(turn, document);
    if (before !== undefined) return { text: before.pending.current, exists: hasFile(before, "current") };
  }
  return { text: Text.empty, exists: false };
}

function bringText(
  workspace: Workspace,
  turn: Turn,
  { path, state, before }: TextResult,
): TurnConflict[] | Fault {
  const after = state.pending.current;
  const exists = hasFile(state, "current");
  if (before.exists === exists && before.text.eq(after)) return [];
  const location = workspace.documents.locate(path);
  if (isFault(location)) return location;
  if (!location.exists) {
    if (!exists) return [];
    // The agent has made it, or somebody has removed it here meanwhile, and the agent's text is what is left of it.
    const made = turn.create(path, after.toString(), undefined, state.format);
    return isFault(made) ? made : [];
  }
  const opened = workspace.documents.open(path);
  if (isFault(opened)) return opened;
  const here = turn.read(opened.id);
  if (isFault(here)) return here;
  const now = here.text;
  const wholeConflict = (own: Text) => [
    { document: opened.id, line: 1, theirs: linesIn(now), own: exists ? linesIn(own) : [] },
  ];
  if (!before.exists) return now.eq(after) ? [] : wholeConflict(after);
  if (!exists) {
    if (!now.eq(before.text)) return wholeConflict(Text.empty);
    const removed = turn.remove(opened.id);
    return isFault(removed) ? removed : [];
  }
  const { ours, misfits } = fitBehind(diffTexts(before.text, after), diffTexts(before.text, now));
  if (ours.length > 0) {
    const lines = rawLines(changeOf(now, ours).apply(now), 0, changeOf(now, ours).apply(now).lines);
    const edits = [{ op: "set_raw", lines } as const];
    const { revision } = here;
    const staged = turn.edit(opened.id, { revision, policy: { kind: "rebase" }, edits, rewrite: true });
    if (isFault(staged)) return staged;
  }
  return misfits.map(({ own, from, to }) => {
    const theirs = rawLines(now, from, Math.min(to, now.lines)).map(withoutReturn);
    return { document: opened.id, line: from + 1, theirs, own: own.map(withoutReturn) };
  });
}

function linesIn(text: Text): string[] {
  return rawLines(text, 0, text.lines).map(withoutReturn);
}

function bringNodes(workspace: Workspace, folder: Workspace, documents: readonly number[]): string[] {
  const left: string[] = [];
  const contents = new FileContents(workspace.stateFolder);
  for (const document of documents) {
    const path = folder.nodes.pathOf(document) ?? "";
    const { base: before, current: to } = folder.nodes.sides(document);
    if (to?.kind === "file" && to.content !== undefined)
      contents.keep(to.content.id, readFileSync(join(folder.root.path, path)));
    const { disk } = workspace.nodes;
    // Of a text that was just written, only the mode is another.
    const from = isPlainFile(to) ? disk.read(path, false) : before;
    const kept = lineOf(from) === lineOf(to) ? undefined : disk.change(path, from, to);
    if (kept !== undefined) left.push(`${path} was not brought back: it ${kept.why}.`);
  }
  return left;
}
