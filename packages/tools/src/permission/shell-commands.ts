// A command line as the steps that it takes: every simple command, redirection and assignment in it, also those in
// substitutions, subshells, loops, functions and heredocs.
//
// - Never fewer than a shell would carry out. Which of them really happen (`if`, `||`) is not decided here: all are listed.
// - What the grammar reports an error for, or what is not known here, makes the whole line unparsed.
// - Each word and operator is read from the raw text beside the tree (shell-cursor.ts, shell-scan.ts). The list of forms that are
//   proven so is closed: functions, coprocesses, arithmetic commands, arrays, subscripts and descriptors beyond 2 are not on it,
//   nor, for a plain sh, what only bash knows (`[[ a || b ]]` runs a program b there). Anything else is a step more, a caution.
// - Folders follow `cd` in the way a shell does: `a && b` knows that `a` succeeded, a subshell changes nothing outside of it.

import type { Command, CommandNode, ParsedScript, PipelineNode, Statement, TestExpression } from "unbash";
import { parse } from "unbash";
import type { ShellCursor } from "./shell-cursor.ts";
import { after, anyOf, both, changesFolder, type Ends, either, endsOf } from "./shell-folder.ts";
import { SimpleCommands } from "./shell-simple.ts";
import type { Folders, ShellKind, ShellLine } from "./shell-step.ts";
import { textProblem } from "./shell-text.ts";

const maxDepth = 40;

const unaryTests = /^-[aefdrwxsLhnzbcgkpuOGNSt]$/;
const textTests = new Set(["=", "==", "!=", "<", ">", "-nt", "-ot", "-ef"]);
const numberTests = new Set(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"]);
const variableName = /^[A-Za-z_]\w*$/;

export function shellCommands(line: string, shell: ShellKind = "bash"): ShellLine {
  const problem = textProblem(line);
  if (problem !== undefined) return { kind: "unparsed", why: problem };
  try {
    return new Walker(line, shell === "bash").read(parse(line));
  } catch (error) {
    // The grammar throws for what it does not know, and a stack has an end.
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: "unparsed", why: `its grammar cannot be read (${reason})` };
  }
}

class Walker {
  readonly #simple: SimpleCommands;
  readonly #cursor: ShellCursor;
  #depth = 0;
  /** Once there are functions, a command may be one of them, and change the folder. */
  #hasFunctions = false;

  constructor(line: string, isBash: boolean) {
    this.#simple = new SimpleCommands(line, isBash, {
      script: (script, folders) => this.#script(script, folders),
      statement: (statement, folders) => this.#statement(statement, true, folders),
    });
    this.#cursor = this.#simple.cursor;
  }

  read(script: ParsedScript): ShellLine {
    this.#script(script, ["."]);
    const { doubt: at, text } = this.#cursor;
    if (at !== undefined) {
      const source = text.slice(Math.max(0, at - 20), at + 20).trim();
      this.#simple.caution(source, "what this form of the shell's language does is not known here");
    }
    const { problem: why, steps } = this.#simple;
    return why === undefined ? { kind: "parsed", steps } : { kind: "unparsed", why };
  }

  #script(script: ParsedScript | undefined, folders: Folders): void {
    const error = script?.errors?.[0];
    if (script === undefined || error !== undefined) {
      this.#unparsed(`its grammar is not valid (${error?.message ?? "a part is missing"})`);
      return;
    }
    this.#cursor.expect(script.source === undefined && script.shebang === undefined);
    const { text } = this.#simple;
    this.#simple.text = script.source ?? text;
    this.#nested(() => this.#list(script.commands, "open", folders));
    this.#simple.text = text;
    this.#cursor.expect(this.#cursor.isAtEnd());
  }

  #nested(read: () => Ends): Ends {
    if (this.#depth >= maxDepth) return this.#unparsed("it is nested too deeply");
    this.#depth += 1;
    const ends = read();
    this.#depth -= 1;
    return ends;
  }

  /** "closed": a word such as `then` follows, which is one only behind the end of a command. */
  #list(statements: readonly Statement[], end: "open" | "closed", folders: Folders): Ends {
    let ends = both(folders);
    for (const [index, statement] of statements.entries()) {
      const isLast = index === statements.length - 1;
      ends = this.#statement(statement, isLast && end === "open", after(ends));
    }
    this.#cursor.space();
    return ends;
  }

  #statement({ command, background }: Statement, mayEndOpen: boolean, folders: Folders): Ends {
    this.#cursor.space();
    const ends = this.#andOr(command, folders);
    this.#cursor.endOfStatement(background === true, mayEndOpen);
    return background === true ? both(folders) : ends;
  }

  #andOr(node: Statement["command"], folders: Folders): Ends {
    if (node.type !== "AndOr") return this.#pipeline(node, folders);
    const [first, ...rest] = node.commands;
    if (first === undefined) return this.#unparsed("a part of it is missing");
    let ends = this.#pipeline(first, folders);
    for (const [index, command] of rest.entries()) {
      const isAnd = node.operators[index] === "&&";
      this.#cursor.token(isAnd ? "&&" : "||");
      this.#cursor.space();
      const next = this.#pipeline(command, isAnd ? ends.success : ends.failure);
      ends = isAnd
        ? { success: next.success, failure: either(ends.failure, next.failure) }
        : { success: either(ends.success, next.success), failure: next.failure };
    }
    return ends;
  }

  #pipeline(node: PipelineNode, folders: Folders): Ends {
    if (node.type !== "Pipeline") return this.#node(node, folders);
    for (const { pos, end } of node.prefixes) {
      const word = this.#simple.text.slice(pos, end);
      this.#cursor.expect(word === "!" || (this.#simple.isBash && /^time(?: -p)?$/.test(word)));
      this.#cursor.keyword(word);
    }
    const ends = node.commands.map((command, index) => {
      const operator = node.operators[index - 1];
      if (operator !== undefined) {
        this.#cursor.expect(this.#simple.isBash || operator === "|");
        this.#cursor.token(operator);
        this.#cursor.space();
      }
      return this.#node(command, folders);
    });
    const [only] = ends;
    if (only === undefined || ends.length > 1) return both(folders);
    // A `!` turns the two around.
    return both(after(only));
  }

  #node(node: CommandNode, folders: Folders): Ends {
    return this.#nested(() => this.#form(node, folders));
  }

  #form(node: CommandNode, folders: Folders): Ends {
    const cursor = this.#cursor;
    const closed = (word: string, { commands }: { commands: readonly Statement[] }, from: Folders) => {
      cursor.keyword(word);
      return this.#list(commands, "closed", from);
    };
    switch (node.type) {
      case "Command":
        return this.#command(node, folders);
      case "Redirected": {
        const ends = this.#node(node.command, folders);
        for (const redirection of node.redirects) this.#simple.redirection(redirection, folders);
        return ends;
      }
      case "Subshell":
        cursor.token("(");
        // Two of them would be arithmetic.
        cursor.expect(cursor.next() !== "(");
        this.#list(node.body.commands, "open", folders);
        cursor.token(")");
        return both(folders);
      case "BraceGroup": {
        const ends = closed("{", node.body, folders);
        cursor.keyword("}");
        return ends;
      }
      case "If": {
        const branches: Folders[] = [];
        let before = folders;
        for (const [index, branch] of [node, ...node.elif].entries()) {
          const tested = closed(index === 0 ? "if" : "elif", branch.clause, before);
          branches.push(after(closed("then", branch.then, tested.success)));
          before = tested.failure;
        }
        branches.push(node.else === undefined ? before : after(closed("else", node.else, before)));
        cursor.keyword("fi");
        return both(anyOf(branches));
      }
      case "While": {
        const inside = changesFolder(node) ? undefined : folders;
        closed(node.kind, node.clause, inside);
        closed("do", node.body, inside);
        cursor.keyword("done");
        return both(inside);
      }
      case "For":
      case "Select": {
        const inside = changesFolder(node) ? undefined : folders;
        const name = node.name.text;
        cursor.expect(node.type === "For" && variableName.test(name) && node.wordlist !== undefined);
        cursor.keyword("for");
        this.#simple.step({ kind: "assignment", name, source: `for ${name}`, isLasting: true });
        this.#simple.word(node.name, folders);
        cursor.keyword("in");
        for (const word of node.wordlist ?? []) this.#simple.word(word, folders);
        cursor.endOfStatement(false, false);
        cursor.space();
        closed("do", node.body, inside);
        cursor.keyword("done");
        return both(inside);
      }
      case "Case": {
        const branches: Folders[] = [folders];
        cursor.keyword("case");
        this.#simple.word(node.word, folders);
        cursor.space();
        cursor.keyword("in");
        for (const [index, { pattern, body, terminator }] of node.items.entries()) {
          cursor.space();
          if (cursor.next() === "(") cursor.token("(");
          for (const [at, word] of pattern.entries()) {
            if (at > 0) cursor.token("|");
            this.#simple.word(word, folders, false);
          }
          cursor.token(")");
          const end = terminator === undefined ? "closed" : "open";
          // One case may fall through into the next.
          branches.push(after(this.#list(body.commands, end, anyOf(branches))));
          if (terminator === undefined) cursor.expect(index === node.items.length - 1);
          else cursor.token(terminator);
        }
        cursor.space();
        cursor.keyword("esac");
        return both(anyOf(branches));
      }
      case "TestCommand":
        cursor.expect(this.#simple.isBash);
        cursor.keyword("[[");
        this.#test(node.expression, folders);
        cursor.keyword("]]");
        return both(folders);
      case "Function":
        this.#simple.step({ kind: "function", name: node.name.value, source: `${node.name.text}()` });
        this.#hasFunctions = true;
        break;
      case "Coproc": {
        const name = node.name?.text ?? "COPROC";
        this.#simple.step({ kind: "assignment", name, source: "coproc", isLasting: true });
        break;
      }
      default:
        break;
    }
    // Whatever commands there are in it, in whatever folder.
    cursor.expect(false);
    this.#simple.inside(node, undefined);
    return both(undefined);
  }

  #test(expression: TestExpression, folders: Folders): void {
    const cursor = this.#cursor;
    switch (expression.type) {
      case "TestUnary":
        cursor.expect(unaryTests.test(expression.operator));
        cursor.keyword(expression.operator);
        this.#simple.word(expression.operand, folders);
        return;
      case "TestBinary": {
        const { left, operator, right } = expression;
        const isNumber = numberTests.has(operator) && [left, right].every(({ text }) => /^-?\d+$/.test(text));
        cursor.expect(isNumber || textTests.has(operator));
        this.#simple.word(left, folders);
        cursor.keyword(operator);
        this.#simple.word(right, folders);
        return;
      }
      case "TestLogical":
        for (const [index, operand] of expression.operands.entries()) {
          if (index > 0) cursor.token(expression.operator);
          this.#test(operand, folders);
        }
        return;
      case "TestNot":
        for (const _ of expression.negations) cursor.keyword("!");
        this.#test(expression.operand, folders);
        return;
      case "TestGroup":
        cursor.token("(");
        this.#test(expression.expression, folders);
        cursor.token(")");
        return;
      default:
        cursor.expect(false);
        this.#simple.inside(expression, folders);
    }
  }

  #command(node: Command, folders: Folders): Ends {
    const words = this.#simple.command(node, folders);
    if (words.length === 0) return both(folders);
    if (this.#hasFunctions) return both(undefined);
    return endsOf(words, folders);
  }

  #unparsed(why: string): Ends {
    this.#simple.problem ??= why;
    return both(undefined);
  }
}
