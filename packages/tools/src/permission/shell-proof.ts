// The proof that a line is what the grammar takes it for: its raw text is read once more from the first byte to the last, by
// the tree that the grammar made of it, and each byte has to be what the tree says.
//
// - Between words stand blanks, between commands operators, around lists the words and brackets of their kind.
// - Each word is read by the scanner in shell-scan.ts, and has to end where the tree says that it ends.
// - Only the kinds of nodes that have a method here are known. Functions, coprocesses, arithmetic commands, arrays, subscripts
//   and descriptors beyond 2 have none.
// - To a plain sh, what only bash knows is something else: `[[ a || b ]]` runs a program b there, `&>x` is `&` and `>x`.
//
// So an error of the grammar alone never makes a line understood: what it skips, joins or splits does not fit.

import {
  type AndOr,
  type Assignment,
  type Command,
  type CommandExpansionPart,
  type CommandNode,
  forEachChild,
  type HereDoc,
  type ParsedScript,
  type PipelineNode,
  type ProcessSubstitutionPart,
  type Redirection,
  type Statement,
  type SyntaxNode,
  type TestExpression,
  type Word,
} from "unbash";
import { scanBody, scanWord } from "./shell-scan.ts";
import type { ShellKind } from "./shell-step.ts";

export type Substitution = CommandExpansionPart | ProcessSubstitutionPart;

/** Where the line is something else than the tree says, or than is known here; undefined when all of it is proven. */
export function unprovenAt(line: string, script: ParsedScript, shell: ShellKind): number | undefined {
  const proof = new Proof(line, shell);
  return proof.script(script) ? undefined : proof.at;
}

/** What a word runs, by where it begins. */
export function substitutionsOf(word: Word): ReadonlyMap<number, Substitution> {
  const found = new Map<number, Substitution>();
  const look = (node: SyntaxNode): void => {
    if (node.type === "CommandExpansion" || node.type === "ProcessSubstitution") found.set(node.pos, node);
    else forEachChild(node, look);
  };
  forEachChild(word, look);
  return found;
}

const reserved = new Set(
  "! case coproc do done elif else esac fi for function if in select then time until while { } [[ ]]".split(
    " ",
  ),
);
const unaryTests = /^-[aefdrwxsLhnzbcgkpuOGNSt]$/;
const textTests = new Set(["=", "==", "!=", "<", ">", "-nt", "-ot", "-ef"]);
const numberTests = new Set(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"]);
const heredocEnd = /^(?:[A-Za-z_]\w*|'[\w -]+'|"[\w -]+"|\\[A-Za-z_]\w*)$/;

class Proof {
  at = 0;
  readonly #text: string;
  readonly #isBash: boolean;
  #limit: number;
  /** Heredocs whose bodies begin with the next line. */
  #pending: HereDoc[] = [];

  constructor(text: string, shell: ShellKind) {
    this.#text = text;
    this.#isBash = shell === "bash";
    this.#limit = text.length;
  }

  script(script: ParsedScript): boolean {
    if (script.errors !== undefined && script.errors.length > 0) return false;
    if (script.source !== undefined || script.shebang !== undefined) return false;
    return this.#list(script.commands, "open") && this.at === this.#limit && this.#pending.length === 0;
  }

  /** "closed": a word such as `then` follows, which is one only behind the end of a command. */
  #list(statements: readonly Statement[], end: "open" | "closed"): boolean {
    for (const [index, { command, background }] of statements.entries()) {
      if (!this.#space() || !this.#andOr(command)) return false;
      const isLast = index === statements.length - 1;
      if (!this.#endOfStatement(background === true, isLast && end === "open")) return false;
    }
    return this.#space();
  }

  #endOfStatement(isBackground: boolean, mayBeMissing: boolean): boolean {
    this.#blanks();
    const next = this.#next();
    if (isBackground) return next === "&" && !/[&>]/.test(this.#text.charAt(this.at + 1)) && this.#token("&");
    if (next === ";") return this.#text[this.at + 1] !== ";" ? this.#token(";") : mayBeMissing;
    return next === "\n" || next === "#" || mayBeMissing;
  }

  #andOr(node: AndOr | PipelineNode): boolean {
    if (node.type !== "AndOr") return this.#pipeline(node);
    return node.commands.every(
      (command, index) =>
        (index === 0 || (this.#token(node.operators[index - 1] ?? "?") && this.#space())) &&
        this.#pipeline(command),
    );
  }

  #pipeline(node: PipelineNode): boolean {
    if (node.type !== "Pipeline") return this.#node(node);
    for (const prefix of node.prefixes) {
      const word = this.#text.slice(prefix.pos, prefix.end);
      const isKnown = word === "!" || (this.#isBash && /^time(?: -p)?$/.test(word));
      if (!isKnown || !this.#keyword(word)) return false;
    }
    if (!this.#isBash && node.operators.includes("|&")) return false;
    return node.commands.every(
      (command, index) =>
        (index === 0 || (this.#token(node.operators[index - 1] ?? "?") && this.#space())) &&
        this.#node(command),
    );
  }

  #node(node: CommandNode): boolean {
    switch (node.type) {
      case "Command":
        return this.#command(node);
      case "Redirected":
        return this.#node(node.command) && node.redirects.every((redirect) => this.#redirection(redirect));
      case "Subshell":
        // Two of them would be arithmetic.
        return (
          this.#token("(") &&
          this.#next() !== "(" &&
          this.#list(node.body.commands, "open") &&
          this.#token(")")
        );
      case "BraceGroup":
        return this.#keyword("{") && this.#list(node.body.commands, "closed") && this.#keyword("}");
      case "If":
        return (
          this.#keyword("if") &&
          this.#list(node.clause.commands, "closed") &&
          this.#keyword("then") &&
          this.#list(node.then.commands, "closed") &&
          node.elif.every(
            (branch) =>
              this.#keyword("elif") &&
              this.#list(branch.clause.commands, "closed") &&
              this.#keyword("then") &&
              this.#list(branch.then.commands, "closed"),
          ) &&
          (node.else === undefined || (this.#keyword("else") && this.#list(node.else.commands, "closed"))) &&
          this.#keyword("fi")
        );
      case "While":
        return (
          this.#keyword(node.kind) &&
          this.#list(node.clause.commands, "closed") &&
          this.#body(node.body.commands)
        );
      case "For":
        return (
          this.#keyword("for") &&
          /^[A-Za-z_]\w*$/.test(node.name.text) &&
          this.#word(node.name) &&
          node.wordlist !== undefined &&
          this.#keyword("in") &&
          node.wordlist.every((word) => this.#word(word)) &&
          this.#endOfStatement(false, false) &&
          this.#space() &&
          this.#body(node.body.commands)
        );
      case "Case":
        return (
          this.#keyword("case") &&
          this.#word(node.word) &&
          this.#space() &&
          this.#keyword("in") &&
          node.items.every(
            ({ pattern, body, terminator }, index) =>
              this.#space() &&
              (this.#next() !== "(" || this.#token("(")) &&
              pattern.every((word, at) => (at === 0 || this.#token("|")) && this.#word(word, false)) &&
              this.#token(")") &&
              this.#list(body.commands, terminator === undefined ? "closed" : "open") &&
              (terminator === undefined ? index === node.items.length - 1 : this.#token(terminator)),
          ) &&
          this.#space() &&
          this.#keyword("esac")
        );
      case "TestCommand":
        return this.#isBash && this.#keyword("[[") && this.#test(node.expression) && this.#keyword("]]");
      default:
        return false;
    }
  }

  #body(statements: readonly Statement[]): boolean {
    return this.#keyword("do") && this.#list(statements, "closed") && this.#keyword("done");
  }

  #command(node: Command): boolean {
    if (node.name !== undefined && reserved.has(node.name.text)) return false;
    const named = node.name === undefined ? [] : [node.name];
    const all = [...node.prefix, ...named, ...node.suffix];
    return all.every((part, index) => {
      if (part.type === "Word") return this.#word(part, index > 0);
      return part.type === "Assignment" ? this.#assignment(part, index > 0) : this.#redirection(part);
    });
  }

  #assignment({ name, value, append, index, pos }: Assignment, isSeparate: boolean): boolean {
    if (append === true || index !== undefined || value.type !== "Word") return false;
    if (!/^[A-Za-z_]\w*$/.test(name)) return false;
    if (!this.#begin(pos, isSeparate) || !this.#token(`${name}=`) || value.pos !== this.at) return false;
    // Behind `name=` a bracket begins an array.
    return value.pos === value.end ? this.#isDelimited() && this.#next() !== "(" : this.#word(value, false);
  }

  #redirection(node: Redirection): boolean {
    const { descriptor, operator, pos } = node;
    if (!this.#isBash && /^(?:&>>?|<<<)$/.test(operator)) return false;
    if (!this.#begin(pos, descriptor !== undefined)) return false;
    if (descriptor !== undefined) {
      if (descriptor.type !== "FileDescriptor" || descriptor.value > 2) return false;
      if (!this.#token(String(descriptor.value)) || this.at !== descriptor.end) return false;
      if (!this.#text.startsWith(operator, this.at)) return false;
    }
    if (!this.#token(operator)) return false;
    if (node.type === "HereDoc") return this.#heredoc(node);
    if (node.target === undefined) return false;
    if (/^[<>]&$/.test(operator) && /^\d/.test(node.target.text) && !/^[012]$/.test(node.target.text)) {
      return false;
    }
    return this.#word(node.target, false);
  }

  #heredoc(node: HereDoc): boolean {
    const { delimiter } = node;
    this.#blanks();
    // In a substitution shells differ in where it ends.
    if (this.#limit !== this.#text.length) return false;
    if (delimiter === undefined || delimiter.pos !== this.at || !heredocEnd.test(delimiter.text))
      return false;
    if (delimiter.quoted !== /^['"\\]/.test(delimiter.text)) return false;
    if (delimiter.value !== delimiter.text.replace(/['"\\]/g, "")) return false;
    this.#pending.push(node);
    return this.#token(delimiter.text) && this.#isDelimited();
  }

  /** The body that begins here, line by line up to the one that ends it. */
  #heredocBody({ operator, delimiter, body, closing }: HereDoc): boolean {
    const from = this.at;
    if (body.pos !== from || delimiter === undefined) return false;
    for (;;) {
      const newline = this.#text.indexOf("\n", this.at);
      const end = newline === -1 || newline > this.#limit ? this.#limit : newline;
      const line = this.#text.slice(this.at, end);
      if ((operator === "<<-" ? line.replace(/^\t+/, "") : line) === delimiter.value) {
        if (closing?.end !== end) return false;
        if (!delimiter.quoted && scanBody(this.#text, from, this.at).kind === "doubt") return false;
        this.at = Math.min(end + 1, this.#limit);
        return true;
      }
      if (end === this.#limit) return false;
      this.at = end + 1;
    }
  }

  #word(word: Word, isSeparate = true): boolean {
    if (!this.#begin(word.pos, isSeparate)) return false;
    // A shell would look for the body of a heredoc in the middle of the word.
    if (this.#pending.length > 0 && this.#text.slice(word.pos, word.end).includes("\n")) return false;
    const found = substitutionsOf(word);
    const scanned = scanWord(this.#text, word.pos, this.#limit, (at) => {
      const part = found.get(at);
      return part !== undefined && this.#substitution(part) ? part.end : undefined;
    });
    if (scanned.kind === "doubt" || scanned.end !== word.end || scanned.end === word.pos) {
      this.at = scanned.kind === "doubt" ? Math.max(scanned.at, this.at) : scanned.end;
      return false;
    }
    this.at = word.end;
    return true;
  }

  #substitution({ pos, end, script }: Substitution): boolean {
    const { at } = this;
    const limit = this.#limit;
    const pending = this.#pending;
    const isQuoted = this.#text[pos] === "`";
    const inner = this.#text.slice(pos + 1, end - 1);
    if (script === undefined || (isQuoted && /[\\`"]/.test(inner))) return false;
    if (!this.#isBash && this.#text[pos] === "<") return false;
    this.at = pos + (isQuoted ? 1 : 2);
    if (this.#next() === "(") return false;
    this.#limit = end - 1;
    this.#pending = [];
    const isProven = this.script(script) && this.#text[end - 1] === (isQuoted ? "`" : ")");
    if (isProven) this.at = at;
    this.#limit = limit;
    this.#pending = pending;
    return isProven;
  }

  #test(expression: TestExpression): boolean {
    switch (expression.type) {
      case "TestUnary":
        return (
          unaryTests.test(expression.operator) &&
          this.#keyword(expression.operator) &&
          this.#word(expression.operand)
        );
      case "TestBinary": {
        const { left, operator, right } = expression;
        const isNumber = numberTests.has(operator) && [left, right].every(({ text }) => /^-?\d+$/.test(text));
        return (
          (isNumber || textTests.has(operator)) &&
          this.#word(left) &&
          this.#keyword(operator) &&
          this.#word(right)
        );
      }
      case "TestLogical":
        return expression.operands.every(
          (operand, index) => (index === 0 || this.#token(expression.operator)) && this.#test(operand),
        );
      case "TestNot":
        return expression.negations.every(() => this.#keyword("!")) && this.#test(expression.operand);
      case "TestGroup":
        return this.#token("(") && this.#test(expression.expression) && this.#token(")");
      default:
        return false;
    }
  }

  #next(): string {
    return this.at < this.#limit ? this.#text.charAt(this.at) : "";
  }

  /** Whether a word could not go on here. */
  #isDelimited(): boolean {
    return this.#next() === "" || /[\s;&|()<>]/.test(this.#next());
  }

  /** A part of a command that begins at `pos`, with blanks before it unless an operator is what separates it. */
  #begin(pos: number, isSeparate: boolean): boolean {
    const before = this.at;
    this.#blanks();
    return this.at === pos && (!isSeparate || this.at > before);
  }

  #blanks(): void {
    for (;;) {
      if (this.#next() === " " || this.#next() === "\t") this.at += 1;
      else if (this.at + 1 < this.#limit && this.#text.startsWith("\\\n", this.at)) this.at += 2;
      else return;
    }
  }

  #token(token: string): boolean {
    this.#blanks();
    if (!this.#text.startsWith(token, this.at) || this.at + token.length > this.#limit) return false;
    this.at += token.length;
    return true;
  }

  #keyword(word: string): boolean {
    return this.#token(word) && this.#isDelimited();
  }

  /** Blanks, comments and new lines, with the bodies of heredocs that begin there. */
  #space(): boolean {
    for (;;) {
      this.#blanks();
      if (this.#next() === "#") {
        const end = this.#text.indexOf("\n", this.at);
        this.at = end === -1 ? this.#text.length : end;
        // The bracket that ends a substitution would be part of the comment.
        if (this.at > this.#limit) return false;
      }
      if (this.#next() !== "\n") return true;
      this.at += 1;
      const pending = this.#pending.splice(0);
      if (!pending.every((heredoc) => this.#heredocBody(heredoc))) return false;
    }
  }
}
