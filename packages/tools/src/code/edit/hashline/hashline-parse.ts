// The language of edits by anchors.
//
//   input    =  [ "*** Begin Patch" ]  section+  [ "*** End Patch" ]        "*** Abort" ends it early, with a warning
//   section  =  "§" path  op+                                               blank lines before the first op mean nothing
//   op       =  "»" place  payload+          insert after the place
//            |  "«" place  payload+          insert before it
//            |  "≔" anchor [ ".." anchor ]  payload*       replace these lines; without payload, delete them
//   place    =  anchor | "BOF" | "EOF"
//   payload  =  any other line, as it is: blank lines too, up to the next op or section
//
// Books and statutes have lines that begin with », « and §. Behind an op such a line is payload, unless what follows the
// mark is an anchor, an attempt at one, or a path.

import { Fault, isFault } from "@stet/protocol/fault";
import { type Anchor, parseAnchor } from "@stet/text/anchors";

export type OpTarget = Anchor | "BOF" | "EOF";

interface OpBase {
  /** Where it stands in the input, 1-based. */
  readonly line: number;
  readonly payload: readonly string[];
}

export type HashlineOp = OpBase &
  (
    | { readonly kind: "after" | "before"; readonly place: OpTarget }
    | { readonly kind: "range"; readonly from: Anchor; readonly to: Anchor }
  );

export interface HashlineSection {
  /** As it was written. */
  readonly path: string;
  readonly line: number;
  readonly ops: readonly HashlineOp[];
}

export interface HashlineInput {
  readonly sections: readonly HashlineSection[];
  readonly warnings: readonly string[];
}

/** `isCut`: the input is not whole yet; its last line is left out, and so is an op that may still get its payload. */
export function parseHashline(input: string, isCut = false): HashlineInput | Fault {
  const lines = input.split(/\r?\n/);
  if (isCut || lines.at(-1) === "") lines.pop();
  return new Parser(lines, isCut).parse();
}

interface OpenSection {
  readonly path: string;
  readonly line: number;
  readonly ops: HashlineOp[];
}

class Parser {
  readonly #lines: readonly string[];
  readonly #isCut: boolean;
  readonly #sections: OpenSection[] = [];
  readonly #warnings: string[] = [];
  #hasBrackets = false;
  #payload: string[] | undefined;

  constructor(lines: readonly string[], isCut: boolean) {
    this.#lines = lines;
    this.#isCut = isCut;
  }

  parse(): HashlineInput | Fault {
    for (let index = 0; index < this.#lines.length; index += 1) {
      const text = this.#lines[index] ?? "";
      const mark = text.trim();
      if (mark === "*** Begin Patch" && this.#sections.length === 0) continue;
      if (mark === "*** Abort") {
        this.#warnings.push(
          `The input was aborted in line ${index + 1}: only what stands before it was applied.`,
        );
        break;
      }
      if (mark === "*** End Patch") {
        const fault = this.#behindEnd(index + 1);
        if (fault !== undefined) return fault;
        break;
      }
      const fault = this.#take(text, index + 1);
      if (fault !== undefined) return fault;
    }
    return this.#finish();
  }

  #take(text: string, line: number): Fault | undefined {
    const path = this.#headerIn(text, line);
    if (path !== undefined) return this.#begin(path, line);
    const section = this.#sections.at(-1);
    if (section === undefined) return text.trim() === "" ? undefined : noHeader(text);
    if (isOp(text, this.#payload !== undefined)) {
      const fault = this.#closeOp();
      return fault ?? this.#openOp(section, text, line);
    }
    if (this.#payload !== undefined) this.#payload.push(text);
    else if (text.trim() !== "") return noOp(text, line);
    return undefined;
  }

  #headerIn(text: string, line: number): string | undefined {
    const bracketed = /^\[([^\]]+#[0-9A-Za-z]{2,16})\]\s*$/.exec(text)?.[1];
    if (bracketed !== undefined && (this.#sections.length === 0 || this.#hasBrackets)) {
      if (this.#payload === undefined || this.#isOpNext(line)) {
        this.#hasBrackets = true;
        return bracketed;
      }
    }
    const marked = /^§+(.*)$/.exec(text)?.[1];
    if (marked === undefined || this.#payload === undefined) return marked?.trim();
    // Among payload only what looks like a path begins a section: "§ 5 Abs. 2" is a line of a statute.
    if (/^(?:\S+[\\/]\S*|\S.*\.[A-Za-z]\w*(?:#\w+)?)\s*$/.test(marked)) return marked.trim();
    return /^[A-Za-z_.][\w.-]*(?:#\w+)?\s*$/.test(marked) && this.#isOpNext(line) ? marked.trim() : undefined;
  }

  /** Whether the next line that is not blank is an op; `line` is 1-based, so it is the index of the one that follows. */
  #isOpNext(line: number): boolean {
    const next = this.#lines.slice(line).find((text) => text.trim() !== "");
    return next !== undefined && isOp(next, true);
  }

  #begin(path: string, line: number): Fault | undefined {
    const fault = this.#closeOp() ?? this.#closeSection();
    if (fault !== undefined) return fault;
    if (path === "") return invalid('Input header "§" is empty; provide a file path.', line);
    this.#sections.push({ path, line, ops: [] });
    return undefined;
  }

  #closeSection(): Fault | undefined {
    const section = this.#sections.at(-1);
    if (section === undefined || section.ops.length > 0) return undefined;
    return invalid(`line ${section.line}: no operation follows §${section.path}.`, section.line);
  }

  #closeOp(): Fault | undefined {
    const op = this.#sections.at(-1)?.ops.at(-1);
    const payload = this.#payload;
    this.#payload = undefined;
    if (op === undefined || payload === undefined || op.kind === "range" || payload.length > 0)
      return undefined;
    return invalid(
      `line ${op.line}: » and « operations require at least one verbatim payload line.`,
      op.line,
      "Put the lines to insert below the operation; one empty line is one blank line.",
    );
  }

  #openOp(section: OpenSection, text: string, line: number): Fault | undefined {
    const payload: string[] = [];
    const op = parseOp(text, line, payload);
    if (isFault(op)) return op;
    section.ops.push(op);
    this.#payload = payload;
    return undefined;
  }

  #behindEnd(line: number): Fault | undefined {
    const rest = this.#lines.slice(line).findIndex((text) => text.trim() !== "");
    if (rest < 0) return undefined;
    return invalid(
      `line ${line + rest + 1}: there is text behind *** End Patch, which is not read. Nothing was changed.`,
      line + rest + 1,
      "Put all sections between *** Begin Patch and *** End Patch, or leave these two lines out.",
    );
  }

  #finish(): HashlineInput | Fault {
    if (this.#isCut) {
      const last = this.#sections.at(-1);
      if (this.#payload?.length === 0) last?.ops.pop();
      return { sections: this.#sections.filter(({ ops }) => ops.length > 0), warnings: this.#warnings };
    }
    const fault = this.#closeOp() ?? this.#closeSection();
    if (fault !== undefined) return fault;
    if (this.#sections.length === 0) return noHeader(this.#lines.find((line) => line.trim() !== "") ?? "");
    return { sections: this.#sections, warnings: this.#warnings };
  }
}

/** An anchor, or what was meant to be one. */
const attempt = /^\s*(?:\d+[\w*]{0,4}(?:\||\.\.|$)|[a-z]{2}\s*$|BOF\s*$|EOF\s*$|\d+[a-z]{2}\s+\S|\s*$)/i;

function isOp(text: string, isAmongPayload: boolean): boolean {
  const first = text[0];
  if (first === "≔") return true;
  if (first !== "»" && first !== "«") return false;
  return !isAmongPayload || attempt.test(text.slice(1).trimEnd());
}

function parseOp(text: string, line: number, payload: readonly string[]): HashlineOp | Fault {
  const rest = text.slice(1).trim();
  if (text[0] === "≔") return parseRange(rest, line, payload);
  const kind = text[0] === "»" ? "after" : "before";
  if (rest === "BOF" || rest === "EOF") return { kind, place: rest, line, payload };
  const place = anchorIn(rest, line);
  return isFault(place) ? place : { kind, place, line, payload };
}

function parseRange(rest: string, line: number, payload: readonly string[]): HashlineOp | Fault {
  if (rest === "" || rest === "BOF" || rest === "EOF") {
    return invalid(
      `line ${line}: explicit ranges are required for replacement: ≔A..B with two anchors, or ≔A for one line.`,
      line,
    );
  }
  const tokens = rest.split("..").map((token) => token.trim());
  const [first = "", last = first] = tokens;
  const isPair = tokens.length === 2 && first !== "" && last !== "" && !last.startsWith(".");
  if (tokens.length > 1 && !isPair) {
    return invalid(`line ${line}: range must include exactly two full anchors separated by "..".`, line);
  }
  const from = anchorIn(first, line);
  if (isFault(from)) return from;
  const to = anchorIn(last, line);
  if (isFault(to)) return to;
  if (to.line < from.line)
    return invalid(`line ${line}: range ${first}..${last} ends before it starts.`, line);
  if (to.line === from.line && to.letters !== from.letters) {
    return invalid(
      `line ${line}: range ${first}..${last} uses two different hashes for the same line.`,
      line,
    );
  }
  return { kind: "range", from, to, line, payload };
}

function anchorIn(token: string, line: number): Anchor | Fault {
  const anchor = parseAnchor(token);
  if (!isFault(anchor)) return anchor;
  return new Fault(
    "invalid_anchor",
    `line ${line}: expected a full anchor such as "119sr"; got "${token.slice(0, 40)}".`,
    "Copy the line number and the two letters left of the | from a line that was shown, and nothing else.",
    { line, token: token.slice(0, 200) },
  );
}

function noHeader(text: string): Fault {
  return invalid(
    `input must begin with "§PATH" on the first non-blank line; got: ${JSON.stringify(text.slice(0, 80))}. ` +
      'Example: "§src/foo.ts" then edit ops.',
    1,
  );
}

function noOp(text: string, line: number): Fault {
  const isMarked = /^\s*[«»≔<>+@-]/.test(text);
  return invalid(
    isMarked
      ? `line ${line}: unrecognized op. Use «ANCHOR, »ANCHOR or ≔A..B, with the new lines below it; got: ${JSON.stringify(text.slice(0, 80))}.`
      : `line ${line}: payload line has no preceding », «, or ≔ operation: ${JSON.stringify(text.slice(0, 80))}.`,
    line,
  );
}

function invalid(
  message: string,
  line: number,
  suggestion = "Correct it and send the whole input again; nothing of it was applied.",
): Fault {
  return new Fault("invalid_patch", message, suggestion, { line });
}
