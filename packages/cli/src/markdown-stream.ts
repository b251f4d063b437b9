// Markdown for a terminal, as it comes: headings and **strong** words bold, `code` coloured, bullets and quotes drawn. Everything
// else stays as it was written. A part of a mark at the end of a piece is held back until the next one tells what it is.

import type { Style } from "./terminal.ts";

type Paint = (style: Style, text: string) => string;

/** What may still become a mark at the start of a line. */
const undecided = /^ {0,8}(?:#{0,6}|`{0,2}|[-*+]|>|\d{1,3}[.)]?)?$/;

export class MarkdownStream {
  readonly #paint: Paint;
  #held = "";
  #isLineStart = true;
  #isHeading = false;
  #isStrong = false;
  #isCode = false;
  #isFenced = false;
  #isFenceLine = false;

  constructor(paint: Paint) {
    this.#paint = paint;
  }

  write(text: string): string {
    return this.#read(this.#held + text, false);
  }

  /** What was held back. */
  end(): string {
    return this.#read(this.#held, true);
  }

  #read(text: string, isLast: boolean): string {
    this.#held = "";
    let shown = "";
    let rest = text;
    while (rest !== "") {
      if (this.#isLineStart) {
        const newline = rest.indexOf("\n");
        const line = newline < 0 ? rest : rest.slice(0, newline);
        if (newline < 0 && !isLast && undecided.test(line)) {
          this.#held = rest;
          return shown;
        }
        const [mark, after] = this.#begin(line);
        shown += mark;
        rest = after + (newline < 0 ? "" : rest.slice(newline));
        this.#isLineStart = false;
        if (rest === "") break;
      }
      const [piece, left] = this.#inline(rest, isLast);
      shown += piece;
      if (left === rest) {
        this.#held = rest;
        return shown;
      }
      rest = left;
    }
    return shown;
  }

  /** The mark at the start of a line, as it is drawn, and the rest of the line. */
  #begin(line: string): [string, string] {
    if (/^ {0,3}```/.test(line)) {
      this.#isFenced = !this.#isFenced;
      this.#isFenceLine = true;
      return ["", line];
    }
    if (this.#isFenced) return ["", line];
    const heading = /^ {0,3}#{1,6} +/.exec(line);
    if (heading !== null) {
      this.#isHeading = true;
      return ["", line.slice(heading[0].length)];
    }
    const bullet = /^( *)[-*+] +/.exec(line);
    if (bullet !== null) return [`${bullet[1]}• `, line.slice(bullet[0].length)];
    const quote = /^ {0,3}> ?/.exec(line);
    return quote === null ? ["", line] : [this.#paint("dim", "│ "), line.slice(quote[0].length)];
  }

  /** One piece, as it is drawn, and what is left of the text; all of it where more has to come first. */
  #inline(text: string, isLast: boolean): [string, string] {
    if (text.startsWith("\n")) {
      this.#isLineStart = true;
      this.#isHeading = false;
      this.#isFenceLine = false;
      this.#isCode = false;
      return ["\n", text.slice(1)];
    }
    if (this.#isFenced || this.#isFenceLine) {
      const [line = ""] = text.split("\n");
      return [this.#paint(this.#isFenceLine ? "dim" : "cyan", line), text.slice(line.length)];
    }
    if (text.startsWith("`")) {
      this.#isCode = !this.#isCode;
      return ["", text.slice(1)];
    }
    if (!this.#isCode && text.startsWith("*")) {
      if (!isLast && text.length < 3 && /^\*+$/.test(text)) return ["", text];
      const isMark = text.startsWith("**") && (this.#isStrong || /^\*\*[^\s*]/.test(text));
      if (isMark) this.#isStrong = !this.#isStrong;
      return isMark ? ["", text.slice(2)] : [this.#painted("*"), text.slice(1)];
    }
    const [plain = ""] = (this.#isCode ? /^[^`\n]+/ : /^[^`*\n]+/).exec(text) ?? [text];
    return [this.#painted(plain), text.slice(plain.length)];
  }

  #painted(text: string): string {
    if (this.#isCode) return this.#paint("cyan", text);
    return this.#isHeading || this.#isStrong ? this.#paint("bold", text) : text;
  }
}
