// A file's vim buffer for one turn: opened on the file's text, persistent between calls, and saved as edits of the revision that it
// was opened on. What others did to the file meanwhile is rebased over, or refuses the save; then the buffer is read again.

import type { Text } from "@codemirror/state";
import { Fault } from "@stet/protocol/fault";
import { type LineEdit, lineEdit } from "@stet/text/edits";
import { countLines, rawLines, withoutReturn } from "@stet/text/lines";
import { maxBufferLength } from "./buffer.ts";
import { changesBetween, type Gap } from "./line-identity.ts";
import { Vim } from "./state.ts";

/** A file's text at a revision. */
export interface VimFile {
  readonly path: string;
  readonly history: { readonly text: Text; readonly revision: number };
}

export interface VimEdit {
  readonly edit: LineEdit;
  /** Where it was found by comparing texts: then which one of equal lines is the target is ambiguous. */
  readonly among: Gap | undefined;
}

export class VimSession {
  vim: Vim;
  /** The revision that the buffer was read at or saved as. */
  revision: number;
  #endsInLineBreak: boolean;

  private constructor({ history }: VimFile, vim: Vim) {
    this.vim = vim;
    this.revision = history.revision;
    this.#endsInLineBreak = endsInLineBreak(history.text);
  }

  static open(file: VimFile): VimSession | Fault {
    const { text } = file.history;
    if (text.length > maxBufferLength) {
      return new Fault(
        "too_large",
        `${file.path} has ${text.length} characters; a buffer holds ${maxBufferLength}.`,
        "Edit it by other means, for example with a command.",
        { path: file.path },
      );
    }
    const lines = linesOf(text);
    return new VimSession(file, new Vim(lines, indentOf(lines)));
  }

  get isModified(): boolean {
    const { lines } = this.vim.buffer;
    const saved = this.vim.saved.lines;
    return lines.length !== saved.length || lines.some((line, index) => line !== saved[index]);
  }

  /** What the keys did since the buffer was read or saved, as the smallest change by lines. */
  get edits(): readonly VimEdit[] {
    const { lines } = this.vim.buffer;
    const { saved } = this.vim;
    const isEmpty = (list: readonly string[]) => list.length === 1 && list[0] === "";
    // One empty line stands for no line at all, and a lone CR would end a line that is given alone.
    const isWhole = isEmpty(saved.lines) || isEmpty(lines) || lines.some((line) => line.includes("\r"));
    if (isWhole) {
      return [{ edit: { op: "set", content: isEmpty(lines) ? "" : this.#content }, among: undefined }];
    }
    return changesBetween(saved, this.vim.buffer).map(({ at, removed, newAt, added, among }) => {
      return { edit: lineEdit({ at, removed, lines: lines.slice(newAt, newAt + added) }), among };
    });
  }

  get #content(): string {
    return this.vim.buffer.lines.join("\n") + (this.#endsInLineBreak ? "\n" : "");
  }

  /** Takes over what the file is now. The cursor stays, registers and the last search, too; undo begins anew. */
  reload(file: VimFile): void {
    const lines = linesOf(file.history.text);
    this.vim = this.vim.withLines(lines);
    this.revision = file.history.revision;
    this.#endsInLineBreak = endsInLineBreak(file.history.text);
  }

  /** The buffer is what the file is now. */
  markSaved(revision: number): void {
    this.revision = revision;
    this.vim.saved = this.vim.buffer.snapshot();
  }
}

function linesOf(text: Text): string[] {
  const lines = rawLines(text, 0, countLines(text));
  if (lines.length === 0) return [""];
  return lines.some((line) => line.endsWith("\r")) ? lines.map(withoutReturn) : lines;
}

/** What is typed into an empty file ends in a line break, as vim ends files. */
function endsInLineBreak(text: Text): boolean {
  return text.length === 0 || countLines(text) < text.lines;
}

/** One step of indentation, by what most lines add to the line above. */
export function indentOf(lines: readonly string[]): string {
  const steps = new Map<string, number>();
  let before = 0;
  for (const line of lines.slice(0, 2000)) {
    if (line.trim() === "") continue;
    if (line.startsWith("\t")) steps.set("\t", (steps.get("\t") ?? 0) + 1);
    const width = /^ */.exec(line)?.[0].length ?? 0;
    const step = width - before;
    if (step >= 2 && step <= 8) steps.set(" ".repeat(step), (steps.get(" ".repeat(step)) ?? 0) + 1);
    before = width;
  }
  const [most] = [...steps].sort((one, other) => other[1] - one[1]);
  // Where nothing is indented, tabs are part of the text: they are typed as they are.
  return most?.[0] ?? (lines.some((line) => line.includes("\t")) ? "\t" : "    ");
}
