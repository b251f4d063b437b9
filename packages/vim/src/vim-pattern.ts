// Vim's regular expressions, written as the engine of packages/text reads them: in linear time where that can be, and with
// a bounded cost where it cannot (look-around, references). Nothing that could run forever is carried out.
//
// Magic, \v very magic, \V very nomagic, \M; \c and \C; \zs and \ze; \< \>; classes such as \s \d \h; \{n,m} \{-}; \@= \@!
// \@<= \@<!; \_s \_. and \n over lines.

import { Fault, isFault } from "@stet/protocol/fault";
import { type Pattern, regexPattern } from "@stet/text/pattern";

export interface VimPattern {
  readonly source: string;
  readonly pattern: Pattern;
  readonly isMultiline: boolean;
  /** Groups around what \zs and \ze leave out: what they match is not part of the match. */
  readonly lead: number | undefined;
  readonly tail: number | undefined;
  /** The engine's number of each group that the pattern counts, the first at index 0. */
  readonly groups: readonly number[];
}

const classes: Readonly<Record<string, string>> = {
  s: "[ \\t]",
  S: "[^ \\t]",
  d: "[0-9]",
  D: "[^0-9]",
  w: "[0-9A-Za-z_]",
  W: "[^0-9A-Za-z_]",
  x: "[0-9A-Fa-f]",
  X: "[^0-9A-Fa-f]",
  o: "[0-7]",
  h: "[A-Za-z_]",
  H: "[^A-Za-z_]",
  a: "[A-Za-z]",
  A: "[^A-Za-z]",
  l: "[a-z]",
  L: "[^a-z]",
  u: "[A-Z]",
  U: "[^A-Z]",
  i: "[0-9A-Za-z_]",
  k: "[\\p{L}\\p{N}_]",
  n: "\\n",
  t: "\\t",
  e: "\\x1b",
  r: "\\r",
};

const always = "\\^$.[]*+?(){}|";

export function vimPattern(source: string): VimPattern | Fault {
  const translated = new Translator(source).run();
  if (isFault(translated)) return translated;
  const pattern = regexPattern(translated.expression, translated.isCaseSensitive);
  if (isFault(pattern)) {
    return new Fault(
      pattern.error,
      `The pattern ${JSON.stringify(source)} is refused. ${pattern.message}`,
      pattern.suggestion,
      {
        ...pattern.details,
        pattern: source,
      },
    );
  }
  const { lead, tail, groups, isMultiline } = translated;
  return { source, pattern, isMultiline, lead, tail, groups };
}

interface Translated {
  readonly expression: string;
  readonly isCaseSensitive: boolean;
  readonly isMultiline: boolean;
  readonly lead: number | undefined;
  readonly tail: number | undefined;
  readonly groups: readonly number[];
}

class Translator {
  readonly #source: string;
  #at = 0;
  #magic: "v" | "m" | "M" | "V" = "m";
  #out: string[] = [];
  /** Where in `out` each open group begins. */
  readonly #opened: number[] = [];
  #isCaseSensitive = true;
  #isMultiline = false;
  #count = 0;
  readonly #groups: number[] = [];
  #lead: number | undefined;
  #tail: number | undefined;

  constructor(source: string) {
    this.#source = source;
  }

  run(): Translated | Fault {
    while (this.#at < this.#source.length) {
      const fault = this.#step();
      if (fault !== undefined) return fault;
    }
    if (this.#opened.length > 0) return this.#invalid("a group is not closed");
    if (this.#tail !== undefined) this.#out.push(")");
    const isCaseSensitive = this.#isCaseSensitive;
    const isMultiline = this.#isMultiline;
    const lead = this.#lead;
    const tail = this.#tail;
    const groups = this.#groups;
    return { expression: this.#out.join(""), isCaseSensitive, isMultiline, lead, tail, groups };
  }

  #step(): Fault | undefined {
    const character = String.fromCodePoint(this.#source.codePointAt(this.#at) ?? 0);
    this.#at += character.length;
    if (character !== "\\")
      return this.#isSpecial(character) ? this.#special(character) : this.#literal(character);
    const escaped = String.fromCodePoint(this.#source.codePointAt(this.#at) ?? 92);
    this.#at += escaped.length;
    if (escaped === "v" || escaped === "m" || escaped === "M" || escaped === "V") {
      this.#magic = escaped;
      return undefined;
    }
    if (escaped === "c" || escaped === "C") {
      this.#isCaseSensitive = escaped === "C";
      return undefined;
    }
    if (escaped === "z") return this.#bounds();
    if (escaped === "_") return this.#overLines();
    if (escaped === "%") return this.#percent();
    if (/[1-9]/.test(escaped)) {
      const group = this.#groups[Number(escaped) - 1];
      if (group === undefined) return this.#invalid(`there is no group ${escaped}`);
      return this.#atom(`\\${group}`);
    }
    if (/[A-Za-z]/.test(escaped)) {
      const known = classes[escaped];
      if (known === undefined) return this.#invalid(`\\${escaped} is not known`);
      if (escaped === "n") this.#isMultiline = true;
      return this.#atom(known);
    }
    if (escaped === "^" || escaped === "$") return this.#literal(escaped);
    // What is special by itself is literal with a backslash, and the other way round.
    return this.#isSpecial(escaped) || !canBeSpecial(escaped)
      ? this.#literal(escaped)
      : this.#special(escaped);
  }

  #isSpecial(character: string): boolean {
    if (this.#magic === "v") return "^$.*[~(){}|+?=<>@&%".includes(character);
    if (character === "^") return this.#isAtStart();
    if (character === "$") return this.#isAtEnd();
    if (this.#magic === "m") return ".*[~".includes(character);
    return false;
  }

  #isAtStart(): boolean {
    const before = this.#source.slice(0, this.#at - 1);
    return before === "" || /(?:\\\(|\\\||\\n|\\[vmMVcC]|\\zs|\\%\()$/.test(before);
  }

  #isAtEnd(): boolean {
    return /^(?:$|\\\)|\\\||\\n|\\ze|\\[cC]$)/.test(this.#source.slice(this.#at));
  }

  #literal(character: string): undefined {
    return this.#atom(always.includes(character) ? `\\${character}` : character);
  }

  #atom(expression: string): undefined {
    this.#out.push(expression);
    return undefined;
  }

  #special(character: string): Fault | undefined {
    switch (character) {
      case ".":
      case "^":
      case "$":
        return this.#atom(character);
      case "|":
        return this.#atom("|");
      case "(":
        this.#opened.push(this.#out.length);
        this.#count += 1;
        this.#groups.push(this.#count);
        return this.#atom("(");
      case ")":
        return this.#closeGroup();
      case "*":
        return this.#out.length === 0 || /[(|^]$/.test(this.#out.at(-1) ?? "")
          ? this.#literal("*")
          : this.#repeat("*");
      case "+":
        return this.#repeat("+");
      case "?":
      case "=":
        return this.#repeat("?");
      case "{":
        return this.#braces();
      case "<":
      case ">":
        return this.#atom("\\b");
      case "[":
        return this.#collection();
      case "@":
        return this.#around();
      case "%":
        return this.#percent();
      case "~":
        return this.#invalid("~ (the last replacement) is not supported");
      default:
        return this.#invalid(`${character} is not supported`);
    }
  }

  #closeGroup(): Fault | undefined {
    const start = this.#opened.pop();
    if (start === undefined) return this.#invalid("a group is closed that was not opened");
    this.#out.push(`${this.#out.splice(start).join("")})`);
    return undefined;
  }

  #repeat(how: string): Fault | undefined {
    const last = this.#out.pop();
    if (last === undefined) return this.#invalid(`${how} repeats nothing`);
    this.#out.push(last + how);
    return undefined;
  }

  #braces(): Fault | undefined {
    const rest = /^(-?)(\d*)(,?)(\d*)\\?\}/.exec(this.#source.slice(this.#at));
    if (rest === null) return this.#invalid("{ is not closed, or does not hold numbers");
    this.#at += rest[0].length;
    const [, lazy, from = "", comma = "", to = ""] = rest;
    const isOpen = from === "" && to === "";
    const how = isOpen ? "*" : comma === "" ? `{${from}}` : `{${from || "0"},${to}}`;
    return this.#repeat(how + (lazy === "-" ? "?" : ""));
  }

  #collection(): Fault | undefined {
    const rest = this.#source.slice(this.#at);
    const found = /^(\^?\]?(?:\[:\w+:\]|\\[\]^\-\\etrnb]|[^\]])*)\]/.exec(rest);
    // A bracket that is not closed is a bracket.
    if (found === null) return this.#literal("[");
    this.#at += found[0].length;
    const inside = (found[1] ?? "").replace(/\[:\w+:\]|\\[\]^\-\\etrnb]|\\|\[|^(\^?)\]/g, (token, caret) => {
      if (token.startsWith("[:")) return token;
      if (token.endsWith("]") && token.length <= 2 && !token.startsWith("\\")) return `${caret ?? ""}\\]`;
      if (token === "\\") return "\\\\";
      if (token === "\\e") return "\\x1b";
      return token === "[" ? "\\[" : token;
    });
    return this.#atom(`[${inside}]`);
  }

  #around(): Fault | undefined {
    const rest = /^(=|!|<=|<!|>)/.exec(this.#source.slice(this.#at));
    const last = this.#out.pop();
    if (rest === null || last === undefined || rest[1] === ">")
      return this.#invalid("@ is used in an unknown way");
    this.#at += rest[0].length;
    return this.#atom(`(?${rest[1]}${last})`);
  }

  #percent(): Fault | undefined {
    const rest = this.#source.slice(this.#at);
    if (rest.startsWith("(")) {
      this.#at += 1;
      this.#opened.push(this.#out.length);
      return this.#atom("(?:");
    }
    return this.#invalid("\\% is only known as \\%(");
  }

  #overLines(): Fault | undefined {
    const kind = this.#source[this.#at] ?? "";
    this.#at += 1;
    this.#isMultiline = true;
    if (kind === ".") return this.#atom("(?:.|\\n)");
    if (kind === "^" || kind === "$") return this.#atom(kind);
    const known = classes[kind];
    if (known === undefined) return this.#invalid(`\\_${kind} is not known`);
    return this.#atom(`(?:${known}|\\n)`);
  }

  /** \zs and \ze: what is before or behind becomes a group that is not part of the match. */
  #bounds(): Fault | undefined {
    const kind = this.#source[this.#at] ?? "";
    this.#at += 1;
    if (this.#opened.length > 0) return this.#invalid(`\\z${kind} inside of a group is not supported`);
    if (kind === "s") {
      this.#count += 1;
      this.#lead = 1;
      for (const [index, group] of this.#groups.entries()) this.#groups[index] = group + 1;
      this.#out = [`(${this.#out.join("").replace(/\\([1-9])/g, (_, digit) => `\\${Number(digit) + 1}`)})`];
      return undefined;
    }
    if (kind === "e") {
      this.#count += 1;
      this.#tail = this.#count;
      return this.#atom("(");
    }
    return this.#invalid(`\\z${kind} is not known`);
  }

  #invalid(reason: string): Fault {
    return new Fault(
      "invalid_regex",
      `The pattern ${JSON.stringify(this.#source)} is not valid here: ${reason}.`,
      "Write it with \\v and plain groups, or find the place with a line number.",
      { pattern: this.#source },
    );
  }
}

function canBeSpecial(character: string): boolean {
  return "^$.*[~(){|+?=<>@%".includes(character);
}
