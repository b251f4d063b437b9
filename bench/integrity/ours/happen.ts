// What happens to a file between what the model saw and its edit, for real: the person types into the document, another
// agent's turn is carried out and written, or the file on disk is another one.

import { readFileSync, writeFileSync } from "node:fs";
import { isFault } from "../../../packages/protocol/src/fault.ts";
import { must } from "../../../packages/testkit/src/workspace.ts";
import { diffLines } from "../../../packages/text/src/diff.ts";
import { encodeDocument, type LineEnd } from "../../../packages/text/src/document.ts";
import type { LineEdit } from "../../../packages/text/src/edits.ts";
import { changeOf, type Splice } from "../../../packages/text/src/lines.ts";
import type { DocumentState } from "../../../packages/workspace/src/documents/document-state.ts";
import type { Case } from "../cases.ts";
import { type FileText, parseFile, renderFile } from "../file-text.ts";
import { carryOut } from "../intents.ts";
import type { CaseFile } from "./case-folder.ts";

/** Returns the case with the line ends that the lines of another agent really got. */
export async function letHappen(file: CaseFile, one: Case): Promise<Case> {
  const { by, steps } = one.drift;
  let before = one.seen;
  for (const after of steps) {
    if (by === "disk") writeFileSync(file.absolute, renderFile(after));
    else if (by === "person") personTypes(file, before, after);
    else await agentEdits(file, before, after);
    before = after;
  }
  return by === "agent" ? withRealEnds(one, currentContent(file)) : one;
}

/** As the workspace knows it: whoever looks here must not compare it with the file on the program's behalf. */
export function stateOf({ workspace, path }: CaseFile): DocumentState {
  const row = workspace.documents.rowAt(path);
  const known = row === undefined ? undefined : workspace.documents.state(row.id);
  return known === undefined || isFault(known) ? must(workspace.documents.open(path)) : known;
}

/** Whether a refused edit has left everything alone. A file that was changed on disk may have been taken in. */
export function isUntouched(file: CaseFile, before: string): boolean {
  const now = currentContent(file);
  return now === before || now === decoded(readFileSync(file.absolute));
}

/** What the document holds, as it would be written. */
export function currentContent(file: CaseFile): string {
  const { pending, format } = stateOf(file);
  return decoded(must(encodeDocument({ text: pending.current, format })));
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export function decoded(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

function personTypes(file: CaseFile, before: FileText, after: FileText): void {
  const { id, history, format } = stateOf(file);
  const change = changeOf(history.text, splicesOf(before, after, format.lineEnd));
  must(file.workspace.documents.change(id, { revision: history.revision, change, origin: "user" }));
}

async function agentEdits(file: CaseFile, before: FileText, after: FileText): Promise<void> {
  const { workspace } = file;
  const { id, format } = stateOf(file);
  const turn = workspace.beginTurn({ summary: "another agent", isImmediate: true });
  const { revision } = must(turn.read(id));
  const edits = splicesOf(before, after, format.lineEnd).map(lineEditOf);
  must(turn.edit(id, { revision, policy: { kind: "strict" }, edits }));
  must(await workspace.commitTurn(turn));
}

function lineEditOf({ at, removed, lines }: Splice): LineEdit {
  const content = lines.map((line) => `${line}\n`).join("");
  if (removed === 0) return { op: "insert", after: at, content };
  return { op: "replace", from: at + 1, to: at + removed, content };
}

/** By the identity of lines: which of several equal ones came, changed or went is known. */
function splicesOf(before: FileText, after: FileText, lineEnd: LineEnd): Splice[] {
  const lines = rawLinesOf(after, lineEnd);
  return diffLines(keysOf(before, lineEnd), keysOf(after, lineEnd)).map(
    ({ at, removed, newAt, added }): Splice => ({ at, removed, lines: lines.slice(newAt, newAt + added) }),
  );
}

/** As a document keeps them: where ends are mixed, a line that ends in CRLF keeps the CR. */
function rawLinesOf({ lines }: FileText, lineEnd: LineEnd): string[] {
  const raw = lines.map(({ text, end }) => (lineEnd === "\n" && end === "\r\n" ? `${text}\r` : text));
  return lines.at(-1)?.end === "" ? raw : [...raw, ""];
}

function keysOf({ lines }: FileText, lineEnd: LineEnd): string[] {
  const keys = lines.map(({ id, end }) => (lineEnd === "\n" && end === "\r\n" ? `${id} CR` : String(id)));
  return lines.at(-1)?.end === "" ? keys : [...keys, "end"];
}

function withRealEnds(one: Case, content: string): Case {
  const real = parseFile(content);
  const isSame =
    real.lines.length === one.now.lines.length &&
    real.lines.every(({ text }, index) => text === one.now.lines[index]?.text);
  if (!isSame) throw new Error(`case ${one.index} of seed ${one.seed}: the other agent wrote something else`);
  const lines = one.now.lines.map((line, index) => ({ ...line, end: real.lines[index]?.end ?? line.end }));
  const now: FileText = { ...one.now, lines };
  if (one.expected.kind === "refused") return { ...one, now };
  let lastId = 0;
  const file = carryOut(one.intent, one.seen, now, () => {
    lastId -= 1;
    return lastId;
  });
  return file === undefined ? { ...one, now } : { ...one, now, expected: { ...one.expected, file } };
}
