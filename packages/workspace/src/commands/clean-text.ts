// What a program writes to a terminal, as plain text: colours, cursor movements, titles and other control sequences go,
// and a line that was drawn over and over (a progress bar) is what it was last.
//
// It works on a stream: a sequence may begin in one piece and end in the next. Memory is bounded: a control string or a
// line that does not end is passed on in parts.

const maxSequence = 4096;
/** A line longer than this is passed on in parts, of which what was passed on cannot be drawn over any more. */
const maxLine = 64 * 1024;

/** Everything but tab and line feed that needs a closer look. */
const special = /[^\P{Cc}\t\n]/u;

// How sequences begin and end, in their form with an escape and in that of one character.
const esc = "\u001b";
const csi = `(?:${esc}\\[|\u009b)[0-?]*[ -/]*`;
// Nothing that begins a sequence can be within one, so looking for an end never goes over the same text twice.
const osc = `(?:${esc}\\]|\u009d)\\P{Cc}*`;
const text = `(?:${esc}[PX^_]|[\u0090\u0098\u009e\u009f])[\\P{Cc}\\t\\n\\r]*`;
const stringEnd = `(?:${esc}\\\\|\u009c)`;
const short = `${esc}[ -/]*`;

const complete = [
  `${csi}[@-~]`,
  `${osc}(?:\u0007|${stringEnd})`,
  `${text}${stringEnd}`,
  `${short}[0-OQ-WYZ\`-~\\\\]`,
];
const begun = [csi, `${osc}${esc}?`, `${text}${esc}?`, short];

/** A whole sequence, the beginning of one at the end (which is kept), or a character that is only one of control. */
const controls = new RegExp(`${complete.join("|")}|((?:${begun.join("|")})$)|[^\\P{Cc}\\t\\n\\r\b]`, "gu");

export class CleanText {
  /** A control sequence that has begun. */
  #sequence = "";
  /** A line that has begun. */
  #line = "";

  /** The lines that are complete with this piece. */
  add(piece: string): string {
    const text = this.#line + this.#withoutSequences(piece);
    const end = text.lastIndexOf("\n") + 1;
    const lines = end === 0 ? "" : drawnOver(text.slice(0, end));
    this.#line = lastState(text.slice(end));
    if (this.#line.length <= maxLine) return lines;
    const begun = this.#line;
    this.#line = "";
    return lines + begun;
  }

  /** The line that is not complete yet. */
  get begun(): string {
    return this.#line.replace(/\r$/, "");
  }

  /** What is left when nothing more comes. */
  end(): string {
    const { begun } = this;
    this.#line = "";
    this.#sequence = "";
    return begun;
  }

  #withoutSequences(piece: string): string {
    const whole = this.#sequence + piece;
    this.#sequence = "";
    if (!special.test(whole)) return whole;
    return whole.replace(controls, (_, begun: string | undefined) => {
      if (begun === undefined) return "";
      // What is longer than any sequence is text after all.
      if (begun.length > maxSequence) return begun.replace(/[^\P{Cc}\t\n]/gu, "");
      this.#sequence = begun;
      return "";
    });
  }
}

/** Complete lines, each as it was last drawn. */
function drawnOver(lines: string): string {
  if (!lines.includes("\r") && !lines.includes("\b")) return lines;
  return lines
    .split("\n")
    .map((line) => lastState(line).replace(/\r$/, ""))
    .join("\n");
}

/** What a line looks like; a return at its end, which the next character would act upon, stays. */
function lastState(line: string): string {
  if (line.includes("\b")) return stepByStep(line);
  if (!line.includes("\r")) return line;
  const written = line.replace(/\r+$/, "");
  const shown = written.slice(written.lastIndexOf("\r") + 1);
  return written.length < line.length ? `${shown}\r` : shown;
}

function stepByStep(line: string): string {
  let shown: string[] = [];
  let isAtStart = false;
  for (const character of line) {
    if (character === "\r") isAtStart = true;
    else if (character === "\b") shown.length -= isAtStart || shown.length === 0 ? 0 : 1;
    else {
      if (isAtStart) shown = [];
      isAtStart = false;
      shown.push(character);
    }
  }
  return shown.join("") + (isAtStart ? "\r" : "");
}
