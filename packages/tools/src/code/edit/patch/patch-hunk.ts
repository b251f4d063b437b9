// The body of a hunk, as the modes apply_patch and patch write it:
//
//   @@                         where; several in a row narrow it down: @@ class A, then @@ def f
//   @@ text of a line          a line above the place, whole or in part
//   @@ -3,4 +3,5 @@ text       as in a unified diff; the numbers are only hints
//    context                   a line that is there and stays
//   -removed
//   +added
//   \ No newline at end of file
//   *** End of File            the hunk's last line is the last of the file
//
// The first @@ may be missing. A line without any character is an empty context line, as editors strip its space.

import { cutText } from "@stet/protocol/cut-text";
import { Fault, isFault } from "@stet/protocol/fault";
import type { FileEnd, Hunk, HunkLine } from "../../../locate/hunk.ts";

/** A line of a patch, with its number. */
export interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

const unifiedHeader = /^@@+ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@+ ?(.*)$/;

const endOfFile = "*** End of File";

export function parseHunks(lines: readonly NumberedLine[]): Hunk[] | Fault {
  const hunks: Hunk[] = [];
  let open: OpenHunk | undefined;
  const close = (): Fault | undefined => {
    if (open === undefined) return undefined;
    const hunk = open.close();
    open = undefined;
    if (isFault(hunk)) return hunk;
    hunks.push(hunk);
    return undefined;
  };
  for (const { number, text } of lines) {
    if (text.startsWith("@@")) {
      if (open?.hasLines) {
        const fault = close();
        if (fault !== undefined) return fault;
      }
      open ??= new OpenHunk(number);
      open.header(text);
      continue;
    }
    if (open === undefined && text.trim() === "") continue;
    open ??= new OpenHunk(number);
    const fault = open.add(number, text);
    if (fault !== undefined) return fault;
  }
  return close() ?? hunks;
}

class OpenHunk {
  readonly #line: number;
  readonly #headers: string[] = [];
  #heading: string | undefined;
  #hint: number | undefined;
  readonly #lines: HunkLine[] = [];
  #isAtEnd = false;
  #end: FileEnd | undefined;

  constructor(line: number) {
    this.#line = line;
  }

  get hasLines(): boolean {
    return this.#lines.length > 0;
  }

  header(text: string): void {
    const unified = unifiedHeader.exec(text);
    if (unified !== null) {
      this.#hint = Number(unified[1]);
      this.#heading = unified[2]?.trim() || undefined;
      return;
    }
    // The text of a line: its white space is part of it only behind the one that separates it.
    const header = text.replace(/^@@+ ?/, "").replace(/\s+@@+\s*$/, "");
    if (header.trim() !== "") this.#headers.push(header);
  }

  add(number: number, text: string): Fault | undefined {
    // With a space before it, it is a line of the file that reads so.
    if (text.trimEnd() === endOfFile) {
      this.#isAtEnd = true;
      return undefined;
    }
    if (this.#isAtEnd) {
      if (text.trim() === "") return undefined;
      return invalidPatch(
        number,
        `nothing can follow "${endOfFile}" in a hunk`,
        "begin the next one with @@",
      );
    }
    if (text.startsWith("\\")) {
      this.#end = this.#lines.at(-1)?.kind === "removed" ? "closed" : "open";
      return undefined;
    }
    const kind = kindOf(text);
    if (kind === undefined) return withoutPrefix(number, text);
    if (this.#end === "open" && kind !== "removed") this.#end = "closed";
    this.#lines.push({ kind, text: text.slice(1), isBare: text === "" });
    return undefined;
  }

  close(): Hunk | Fault {
    const line = this.#line;
    const headers = this.#headers;
    const heading = this.#heading;
    const hint = this.#hint;
    const lines = this.#lines;
    const isAtEnd = this.#isAtEnd;
    const end = this.#end;
    if (lines.every(({ kind }) => kind === "context")) {
      return invalidPatch(
        line,
        "this hunk has no line with - or +, so it changes nothing",
        "write removed lines with - and added lines with +",
      );
    }
    return { line, headers, heading, hint, lines: withoutBareEnd(lines), isAtEnd, end };
  }
}

/** Empty lines behind an added line can only separate; behind context they may be part of it. */
function withoutBareEnd(lines: readonly HunkLine[]): readonly HunkLine[] {
  const end = lines.findLastIndex(({ isBare }) => !isBare) + 1;
  return lines[end - 1]?.kind === "added" ? lines.slice(0, end) : lines;
}

function kindOf(text: string): HunkLine["kind"] | undefined {
  if (text === "" || text.startsWith(" ")) return "context";
  if (text.startsWith("-")) return "removed";
  return text.startsWith("+") ? "added" : undefined;
}

function withoutPrefix(number: number, text: string): Fault {
  const shown = JSON.stringify(cutText(text, 80));
  return invalidPatch(
    number,
    `${shown} does not begin with a space, - or +`,
    "begin a line that stays with a space, a removed one with -, an added one with +",
  );
}

export function invalidPatch(line: number, reason: string, expected: string): Fault {
  return new Fault(
    "invalid_patch",
    `The patch cannot be read at its line ${line}: ${reason}; ${expected}. Nothing was changed.`,
    "Correct that line and send the whole patch again.",
    { line },
  );
}

/** The lines of a patch; those of one that came with CRLF do not end in "\r". */
export function numberedLines(patch: string): NumberedLine[] {
  const lines = patch.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines.map((text, index) => ({ number: index + 1, text }));
}
