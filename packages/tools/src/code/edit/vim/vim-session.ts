// A file's vim buffer for one turn: opened on the file's text, kept between calls, and saved as edits of the revision that it
// was opened on. What others did to the file meanwhile is rebased over, or refuses the save; then the buffer is read again.

import type { Text } from "@codemirror/state";
import { Fault } from "@stet/protocol/fault";
import { countLines, rawLines, withoutReturn } from "@stet/text/lines";
import type { OpenFile } from "../../code-files.ts";
import { maxBufferLength } from "./buffer.ts";
import { Vim } from "./state.ts";

export class VimSession {
  vim: Vim;
  /** The revision that the buffer was read at or saved as. */
  revision: number;
  private endsInLineBreak: boolean;

  private constructor({ history }: OpenFile, vim: Vim) {
    this.vim = vim;
    this.revision = history.revision;
    this.endsInLineBreak = endsInLineBreak(history.text);
  }

  static open(file: OpenFile): VimSession | Fault {
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
    const { saved } = this.vim;
    return lines.length !== saved.length || lines.some((line, index) => line !== saved[index]);
  }

  /** The whole text as it is to be saved. A buffer of one empty line is an empty file. */
  get content(): string {
    const { lines } = this.vim.buffer;
    if (lines.length === 1 && lines[0] === "") return "";
    return lines.join("\n") + (this.endsInLineBreak ? "\n" : "");
  }

  /** Takes over what the file is now. The cursor stays, registers and the last search, too; undo begins anew. */
  reload(file: OpenFile): void {
    const lines = linesOf(file.history.text);
    this.vim = this.vim.withLines(lines);
    this.revision = file.history.revision;
    this.endsInLineBreak = endsInLineBreak(file.history.text);
  }

  /** The buffer is what the file is now. */
  markSaved(revision: number): void {
    this.revision = revision;
    this.vim.saved = [...this.vim.buffer.lines];
  }

  isSameAs(text: Text): boolean {
    const { lines } = this.vim.buffer;
    const now = linesOf(text);
    return lines.length === now.length && lines.every((line, index) => line === now[index]);
  }
}

function linesOf(text: Text): string[] {
  const lines = rawLines(text, 0, countLines(text)).map(withoutReturn);
  return lines.length === 0 ? [""] : lines;
}

function endsInLineBreak(text: Text): boolean {
  return countLines(text) < text.lines;
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
  return most?.[0] ?? "    ";
}
