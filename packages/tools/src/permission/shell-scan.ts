// One word of a command line, read from its raw text: what a program gets, or the place where that is not certain.
//
// The list of what a word may be made of is closed. Whatever is not on it is a doubt, harmless or not:
//
//   bare      letters, digits, `_ . / + = : , @ % ^ -`, `#` and `!` behind something, `~` before `/` or in the middle, git's
//             `@{name}`, `\` and a character
//   quoted    '…', $'…' without \', and "…" with the expansions below
//   patterns  `*`, `?`, `[a-z]`, `[!a.]`, `[[:alpha:]]`
//   braces    `{}` and, in a word of plain letters, one `{a,b}` or `{1..9}`
//   expanded  `$name`, `$1`, `$?`, `${name}` with few operators and plain operands, `$((…))` of numbers
//   run       `$(…)`, `…` between backticks, `<(…)` as a whole word: whoever calls has to know where they end
//
// Subscripts that are no number, `${!name}`, `${name@P}`, `$"…"`, `$[…]`, extended patterns and the like are so not on it: they evaluate text.

export interface ScannedWord {
  readonly kind: "word";
  readonly end: number;
  /** What the program gets, where `form` is not "unknown"; with braces there are several, or none. */
  readonly values: readonly string[];
  readonly form: "literal" | "glob" | "unknown";
  /** The names of variables that it uses. */
  readonly variables: readonly string[];
}

export interface Doubt {
  readonly kind: "doubt";
  readonly at: number;
}

/** Where the substitution that begins at a position ends; undefined when it is not known to be one. */
export type EndOf = (at: number) => number | undefined;

const delimiters = " \t\n;&|()<>";
const bare = /[\w./+=:,@%^-]/;
const bracket = /\[[!^]?(?:\[:[a-z]+:\]|[\w.,:@%+=-])+\]/y;
/** Without a comma or two dots they are letters: `{}` for find and xargs, `@{1}` for git. */
const plainBraces = /\{[\w/-]*\}/y;
const braceList = /^([\w./@+-]*)\{([\w./@+-]*(?:,[\w./@+-]*)+)\}([\w./@+-]*)$/;
const braceRange = /^[\w./@+-]*\{(?:\d+\.\.\d+|[a-z]\.\.[a-z])\}[\w./@+-]*$/;
const ansiQuoted = /\$'((?:[^'\\]|\\[^'])*)'/y;
const simpleVariable = /\$([A-Za-z_]\w*|[0-9?#@*$!-])/y;
const operand = "[\\w .,:/@%+*?-]*";
const parameter = new RegExp(
  `\\$\\{(?:#?([A-Za-z_]\\w*|[0-9?#@*])|([A-Za-z_]\\w*)\\[(?:\\d+|@)\\]|([A-Za-z_]\\w*|[0-9@*])(?::?[-+]${operand}|##?${operand}|%%?${operand}|//?[\\w.*?-]+/[\\w.-]*|:\\d+(?::\\d+)?|\\^\\^?|,,?))\\}`,
  "y",
);
const arithmetic = /\$\(\([\d\s+*/%-]+\)\)/y;

export function scanWord(text: string, from: number, limit: number, endOf: EndOf): ScannedWord | Doubt {
  return new Scanner(text, from, limit, endOf).word();
}

/** The body of a heredoc that is expanded. Nothing is run in it, so it is only right or not. */
export function scanBody(text: string, from: number, limit: number): ScannedWord | Doubt {
  return new Scanner(text, from, limit, () => undefined).body();
}

class Scanner {
  readonly #text: string;
  readonly #from: number;
  readonly #limit: number;
  readonly #endOf: EndOf;
  #at: number;
  #value = "";
  #form: ScannedWord["form"] = "literal";
  readonly #variables: string[] = [];

  constructor(text: string, from: number, limit: number, endOf: EndOf) {
    this.#text = text;
    this.#from = from;
    this.#limit = limit;
    this.#endOf = endOf;
    this.#at = from;
  }

  word(): ScannedWord | Doubt {
    if (this.#text.startsWith("<(", this.#at)) {
      // The program gets the name of a pipe.
      if (!this.#substitution() || !this.#isOver()) return this.#doubt();
      return this.#result(["/dev/stdin"], "literal");
    }
    while (!this.#isOver()) {
      const isBrace = this.#text[this.#at] === "{" && this.#text[this.#at + 1] !== "}";
      if (isBrace && this.#text[this.#at - 1] !== "@") return this.#braces();
      if (!this.#piece()) return this.#doubt();
    }
    // A tilde in quotes is a name, and no home.
    const isName = this.#value.startsWith("~") && this.#text[this.#from] !== "~";
    return this.#result([isName ? `./${this.#value}` : this.#value], this.#form);
  }

  body(): ScannedWord | Doubt {
    while (this.#at < this.#limit) {
      const character = this.#text[this.#at];
      if (character === "\\" || character === "`") return this.#doubt();
      if (character === "$" && !this.#expansion('"')) return this.#doubt();
      if (character !== "$") this.#at += 1;
    }
    return this.#result([], "unknown");
  }

  #isOver(): boolean {
    return this.#at >= this.#limit || delimiters.includes(this.#text.charAt(this.#at));
  }

  #piece(): boolean {
    const at = this.#at;
    const text = this.#text;
    const character = text.charAt(at);
    const next = at + 1 < this.#limit ? text.charAt(at + 1) : "";
    if (bare.test(character) || (character === "#" && at > this.#from)) return this.#take(character);
    switch (character) {
      case "'": {
        const end = text.indexOf("'", at + 1);
        if (end === -1 || end >= this.#limit) return false;
        this.#value += text.slice(at + 1, end);
        this.#at = end + 1;
        return true;
      }
      case '"':
        return this.#doubleQuoted();
      case "\\":
        if (next === "" || next === "\n") return false;
        this.#at += 1;
        return this.#takeLetter();
      case "*":
      case "?":
        this.#asGlob();
        return this.#take(character);
      case "[":
        return this.#bracket(next);
      case "]":
        // The end of a test.
        return at === this.#from && (next === "" || delimiters.includes(next)) && this.#take(character);
      case "~":
        return this.#tilde(next);
      case "!":
        // No shell of ours has a history, but at its beginning a word would look like a part of it.
        return (
          (at > this.#from || next === "" || next === "=" || delimiters.includes(next)) &&
          this.#take(character)
        );
      case "{": {
        const found = this.#match(plainBraces);
        this.#value += found?.[0] ?? "";
        return found !== undefined;
      }
      case "$":
        return this.#expansion("");
      case "`":
        return this.#substitution();
      default:
        return character > "\x7f" && this.#takeLetter();
    }
  }

  #take(character: string): boolean {
    this.#value += character;
    this.#at += character.length;
    return true;
  }

  /** Some systems take a byte of a longer character for a space. */
  #takeLetter(): boolean {
    const letter = String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0);
    const bytes = Buffer.from(letter);
    return !bytes.includes(0xa0) && !bytes.includes(0x85) && this.#take(letter);
  }

  #asGlob(): void {
    if (this.#form === "literal") this.#form = "glob";
  }

  #bracket(next: string): boolean {
    // The name of a command.
    if (this.#at === this.#from && (next === "" || delimiters.includes(next))) return this.#take("[");
    const found = this.#match(bracket);
    if (found === undefined) return false;
    this.#asGlob();
    this.#value += found[0];
    return true;
  }

  #tilde(next: string): boolean {
    const before = this.#text.charAt(this.#at - 1);
    const isFirst = this.#at === this.#from;
    if (isFirst && next !== "" && next !== "/" && !delimiters.includes(next)) return false;
    // In what looks like an assignment it is a home, and nobody can tell of what program.
    if (!isFirst && (before === "=" || before === ":")) this.#form = "unknown";
    return this.#take("~");
  }

  /** A whole word of letters with one pair of braces. */
  #braces(): ScannedWord | Doubt {
    let end = this.#from;
    while (end < this.#limit && !delimiters.includes(this.#text.charAt(end))) end += 1;
    const source = this.#text.slice(this.#from, end);
    this.#at = end;
    if (braceRange.test(source)) return this.#result([source], "unknown");
    const [, before = "", list, after = ""] = braceList.exec(source) ?? [];
    if (list === undefined) return this.#doubt();
    // A shell drops what is empty: `{,rm} x` runs rm.
    const values = list.split(",").map((choice) => before + choice + after);
    return this.#result(
      values.filter((value) => value !== ""),
      "literal",
    );
  }

  #doubleQuoted(): boolean {
    this.#at += 1;
    for (;;) {
      const character = this.#at < this.#limit ? this.#text.charAt(this.#at) : "";
      const next = this.#text.charAt(this.#at + 1);
      if (character === "") return false;
      if (character === '"') {
        this.#at += 1;
        return true;
      }
      if (character === "$") {
        if (!this.#expansion('"')) return false;
      } else if (character === "`") {
        if (!this.#substitution()) return false;
      } else if (character === "\\" && /[$`"\\]/.test(next)) {
        this.#value += next;
        this.#at += 2;
      } else if (character === "\\" && next === "\n") {
        return false;
      } else this.#take(character);
    }
  }

  /** At a dollar sign. */
  #expansion(quote: "" | '"'): boolean {
    const next = this.#at + 1 < this.#limit ? this.#text.charAt(this.#at + 1) : "";
    if (next === "'" && quote === "") return this.#ansiQuoted();
    if (next === "(" && this.#text.charAt(this.#at + 2) !== "(") return this.#substitution();
    if (next === "(") return this.#match(arithmetic) !== undefined && this.#asUnknown();
    const found = this.#match(simpleVariable) ?? this.#match(parameter);
    if (found !== undefined) {
      const name = found[1] ?? found[2] ?? found[3];
      if (name !== undefined) this.#variables.push(name);
      return this.#asUnknown();
    }
    // A dollar before what begins nothing is a dollar.
    const isPlain = quote === "" ? next === "" || delimiters.includes(next) : !/[{['($`\\A-Za-z_]/.test(next);
    return isPlain && this.#take("$");
  }

  #asUnknown(): boolean {
    this.#form = "unknown";
    return true;
  }

  #ansiQuoted(): boolean {
    const found = this.#match(ansiQuoted)?.[1];
    if (found === undefined) return false;
    const plain: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", "\\": "\\", '"': '"' };
    this.#value += found.replace(/\\(.)/gs, (_, letter: string) => {
      // Shells differ in what they make of the rarer escapes.
      if (plain[letter] === undefined) this.#form = "unknown";
      return plain[letter] ?? "";
    });
    return true;
  }

  #substitution(): boolean {
    const end = this.#endOf(this.#at);
    if (end === undefined || end > this.#limit) return false;
    this.#at = end;
    return this.#asUnknown();
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null || pattern.lastIndex > this.#limit) return undefined;
    this.#at = pattern.lastIndex;
    return found;
  }

  #doubt(): Doubt {
    return { kind: "doubt", at: this.#at };
  }

  #result(values: readonly string[], form: ScannedWord["form"]): ScannedWord {
    return { kind: "word", end: this.#at, values, form, variables: this.#variables };
  }
}
