// A command line as the steps that it takes: every simple command, redirection and assignment in it, also those in
// substitutions, subshells, loops, functions and heredocs.
//
// - Never fewer than a shell would carry out. Which of them really happen (`if`, `||`) is not decided here: all are listed.
// - What the grammar reports an error for, or what is not known here, makes the whole line unparsed.
// - What is not of the closed list of forms that shell-proof.ts knows is a step of its own, a caution.
// - Folders follow `cd` in the way a shell does: `a && b` knows that `a` succeeded, a subshell changes nothing outside of it.

import {
  type Assignment,
  type Command,
  type CommandNode,
  forEachChild,
  type ParsedScript,
  type PipelineNode,
  parse,
  type Redirection,
  type Statement,
  type SyntaxNode,
  type Word,
} from "unbash";
import { folderAfter } from "./shell-folder.ts";
import { unprovenAt } from "./shell-proof.ts";
import { scanBody } from "./shell-scan.ts";
import {
  type Folders,
  literalOf,
  type ShellKind,
  type ShellLine,
  type ShellStep,
  type ShellWord,
} from "./shell-step.ts";
import { textProblem } from "./shell-text.ts";
import { readWord } from "./shell-words.ts";

const maxSteps = 500;
const maxDepth = 40;
const maxFolders = 8;

export function shellCommands(line: string, shell: ShellKind = "bash"): ShellLine {
  const problem = textProblem(line);
  if (problem !== undefined) return { kind: "unparsed", why: problem };
  try {
    const script = parse(line);
    const walker = new Walker(line);
    walker.readScript(script, ["."]);
    if (walker.problem !== undefined) return { kind: "unparsed", why: walker.problem };
    const doubt = unprovenAt(line, script, shell);
    return {
      kind: "parsed",
      steps: doubt === undefined ? walker.steps : [...walker.steps, caution(line, doubt)],
    };
  } catch (error) {
    // The grammar throws for what it does not know, and a stack has an end.
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: "unparsed", why: `its grammar cannot be read (${reason})` };
  }
}

function caution(line: string, at: number): ShellStep {
  const source = line.slice(Math.max(0, at - 20), at + 20).trim();
  return { kind: "caution", source, why: "what this form of the shell's language does is not known here" };
}

/** Where a shell is after a step, by how the step ended. */
interface Ends {
  readonly success: Folders;
  readonly failure: Folders;
}

class Walker {
  readonly steps: ShellStep[] = [];
  problem: string | undefined;
  #depth = 0;
  /** Once there are functions, a command may be one of them, and change the folder. */
  #hasFunctions = false;
  /** What positions count in. */
  #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  readScript(script: ParsedScript | undefined, folders: Folders): Ends {
    const error = script?.errors?.[0];
    if (script === undefined || error !== undefined) {
      return this.#unparsed(`its grammar is not valid (${error?.message ?? "a part is missing"})`);
    }
    this.#depth += 1;
    if (this.#depth > maxDepth) return this.#unparsed("it is nested too deeply");
    const outer = this.#text;
    this.#text = script.source ?? outer;
    const ends = this.#readList(script.commands, folders);
    this.#text = outer;
    this.#depth -= 1;
    return ends;
  }

  #readList(statements: readonly Statement[], folders: Folders): Ends {
    let ends: Ends = { success: folders, failure: folders };
    for (const statement of statements) {
      const before = either(ends.success, ends.failure);
      ends = this.#readStatement(statement, before);
    }
    return ends;
  }

  #readStatement({ command, background }: Statement, folders: Folders): Ends {
    const ends = this.#readAndOr(command, folders);
    return background === true ? { success: folders, failure: folders } : ends;
  }

  #readAndOr(node: Statement["command"], folders: Folders): Ends {
    if (node.type !== "AndOr") return this.#readPipeline(node, folders);
    const [first, ...rest] = node.commands;
    if (first === undefined) return this.#unparsed("a part of it is missing");
    let ends = this.#readPipeline(first, folders);
    for (const [index, command] of rest.entries()) {
      const isAnd = node.operators[index] === "&&";
      const next = this.#readPipeline(command, isAnd ? ends.success : ends.failure);
      ends = isAnd
        ? { success: next.success, failure: either(ends.failure, next.failure) }
        : { success: either(ends.success, next.success), failure: next.failure };
    }
    return ends;
  }

  #readPipeline(node: PipelineNode, folders: Folders): Ends {
    if (node.type !== "Pipeline") return this.#readNode(node, folders);
    const ends = node.commands.map((command) => this.#readNode(command, folders));
    const [only] = ends;
    if (only === undefined || ends.length > 1) return { success: folders, failure: folders };
    // A `!` turns the two around.
    const both = either(only.success, only.failure);
    return { success: both, failure: both };
  }

  #readNode(node: CommandNode, folders: Folders): Ends {
    const same: Ends = { success: folders, failure: folders };
    this.#depth += 1;
    if (this.#depth > maxDepth) return this.#unparsed("it is nested too deeply");
    try {
      switch (node.type) {
        case "Command":
          return this.#readCommand(node, folders);
        case "Redirected":
          for (const redirection of node.redirects) this.#readRedirection(redirection, folders);
          return this.#readNode(node.command, folders);
        case "Subshell":
          this.#readList(node.body.commands, folders);
          return same;
        case "BraceGroup":
          return this.#readList(node.body.commands, folders);
        case "If": {
          const branches: Folders[] = [];
          let last = this.#readList(node.clause.commands, folders);
          branches.push(after(this.#readList(node.then.commands, last.success)));
          for (const branch of node.elif) {
            last = this.#readList(branch.clause.commands, last.failure);
            branches.push(after(this.#readList(branch.then.commands, last.success)));
          }
          const otherwise = node.else;
          branches.push(otherwise ? after(this.#readList(otherwise.commands, last.failure)) : last.failure);
          return joined(branches);
        }
        case "While": {
          const inside = changesFolder(node) ? undefined : folders;
          this.#readList(node.clause.commands, inside);
          this.#readList(node.body.commands, inside);
          return { success: inside, failure: inside };
        }
        case "For":
        case "Select": {
          const inside = changesFolder(node) ? undefined : folders;
          this.#step({
            kind: "assignment",
            name: node.name.text,
            source: `for ${node.name.text}`,
            isLasting: true,
          });
          for (const word of node.wordlist ?? []) this.#words(word, folders);
          this.#readList(node.body.commands, inside);
          return { success: inside, failure: inside };
        }
        case "Case": {
          this.#words(node.word, folders);
          const branches: Folders[] = [folders];
          for (const item of node.items) {
            for (const pattern of item.pattern) this.#words(pattern, folders);
            // One case may fall through into the next.
            branches.push(after(this.#readList(item.body.commands, joined(branches).success)));
          }
          return joined(branches);
        }
        case "TestCommand":
          this.#readInside(node, folders);
          return same;
        default:
          return this.#readOther(node);
      }
    } finally {
      this.#depth -= 1;
    }
  }

  /** Arithmetic, functions, coprocesses: whatever commands there are in them, in whatever folder. */
  #readOther(node: CommandNode): Ends {
    if (node.type === "Function") {
      this.#step({ kind: "function", name: node.name.value, source: `${node.name.text}()` });
      this.#hasFunctions = true;
    }
    if (node.type === "Coproc") {
      this.#step({
        kind: "assignment",
        name: node.name?.text ?? "COPROC",
        source: "coproc",
        isLasting: true,
      });
    }
    this.#readInside(node, undefined);
    return { success: undefined, failure: undefined };
  }

  /** All that is below a node. */
  #readInside(node: SyntaxNode, folders: Folders): void {
    forEachChild(node, (child) => {
      switch (child.type) {
        case "Statement":
          this.#readStatement(child, folders);
          return;
        case "Script":
          this.readScript(child, folders);
          return;
        case "Command":
          this.#readCommand(child, folders);
          return;
        case "Word":
          this.#words(child, folders);
          return;
        case "Redirect":
        case "HereString":
        case "HereDoc":
          this.#readRedirection(child, folders);
          return;
        default:
          this.#readInside(child, folders);
      }
    });
  }

  #readCommand(node: Command, folders: Folders): Ends {
    const words: ShellWord[] = [];
    for (const part of node.prefix) {
      if (part.type !== "Assignment") this.#readRedirection(part, folders);
      else this.#readAssignment(part, node.name === undefined, folders);
    }
    if (node.name !== undefined) words.push(...this.#words(node.name, folders));
    for (const part of node.suffix) {
      if (part.type === "Word") words.push(...this.#words(part, folders));
      else if (part.type === "Assignment") words.push(this.#argument(part, folders));
      else this.#readRedirection(part, folders);
    }
    if (words.length === 0) return { success: folders, failure: folders };
    this.#step({ kind: "command", words, folders });
    if (this.#hasFunctions) return { success: undefined, failure: undefined };
    return { success: folderAfter(words, folders), failure: leavesFolder(words) ? undefined : folders };
  }

  #readAssignment(node: Assignment, isLasting: boolean, folders: Folders): void {
    const { name, index, text, value } = node;
    this.#step({ kind: "assignment", name, source: text, isLasting });
    if (index !== undefined) this.#words(index, folders);
    if (value.type === "Word") this.#words(value, folders);
    else for (const element of value.elements) this.#words(element, folders);
  }

  /** `A=b` behind a command such as export: a word of it. */
  #argument(node: Assignment, folders: Folders): ShellWord {
    const { name, append, index, text: source, value } = node;
    if (value.type !== "Word" || append === true || index !== undefined) {
      this.#readAssignment(node, true, folders);
      return { kind: "unknown", source };
    }
    const words = this.#words(value, folders);
    const literal = words.length === 1 ? literalOf(words[0]) : undefined;
    // The name is known whatever is assigned to it, and the name is what matters.
    return { kind: "literal", value: `${name}=${literal ?? "…"}`, source };
  }

  #readRedirection(node: Redirection, folders: Folders): void {
    const { descriptor } = node;
    if (descriptor?.type === "FileDescriptorVariable") {
      this.#step({
        kind: "assignment",
        name: descriptor.name,
        source: `{${descriptor.name}}`,
        isLasting: true,
      });
    }
    if (node.type === "HereDoc") {
      if (node.closing === undefined) this.#unparsed("a heredoc in it has no end");
      if (node.delimiter?.quoted === true) return;
      this.#readInside(node.body, folders);
      const scanned = scanBody(this.#text, node.body.pos, node.body.end);
      if (scanned.kind === "word") this.#readVariables(scanned.variables);
      return;
    }
    if (node.target === undefined) {
      this.#unparsed("a redirection leads nowhere");
      return;
    }
    const targets = this.#words(node.target, folders);
    if (node.type === "HereString") return;
    const { operator } = node;
    const source = `${operator} ${node.target.text}`;
    const [target] = targets;
    if (target === undefined || targets.length > 1) {
      this.#caution(source, "it is not clear where it leads");
      return;
    }
    if (operator === ">&" || operator === "<&") {
      if (/^(?:\d+-?|-)$/.test(literalOf(target) ?? "")) return;
      if (operator === "<&") {
        this.#caution(source, "it is not clear what it reads");
        return;
      }
    }
    const access = operator === "<" ? "read" : "write";
    this.#step({ kind: "redirection", access, target, source, folders });
  }

  #words(word: Word, folders: Folders): readonly ShellWord[] {
    const { variables, words } = readWord(word, this.#text);
    this.#readVariables(variables);
    this.#readInside(word, folders);
    return words;
  }

  #readVariables(names: readonly string[]): void {
    for (const name of names) this.#step({ kind: "variable", name, source: `$${name}` });
  }

  #step(step: ShellStep): void {
    if (this.steps.length >= maxSteps) this.#unparsed(`it has more than ${maxSteps} steps`);
    else this.steps.push(step);
  }

  #caution(source: string, why: string): void {
    this.#step({ kind: "caution", source, why });
  }

  #unparsed(why: string): Ends {
    this.problem ??= why;
    return { success: undefined, failure: undefined };
  }
}

function either(a: Folders, b: Folders): Folders {
  if (a === undefined || b === undefined) return undefined;
  const all = [...new Set([...a, ...b])];
  return all.length > maxFolders ? undefined : all;
}

function after(ends: Ends): Folders {
  return either(ends.success, ends.failure);
}

function joined(branches: readonly Folders[]): Ends {
  const all = branches.reduce((sum, branch) => either(sum, branch), []);
  return { success: all, failure: all };
}

/** Whether a command may have changed the folder and failed nevertheless. */
function leavesFolder(words: readonly ShellWord[]): boolean {
  return folderAfter(words, ["."]) === undefined;
}

/** Whether something in a loop changes the folder: then nobody can tell how often. */
function changesFolder(node: SyntaxNode): boolean {
  let found = false;
  const look = (child: SyntaxNode): void => {
    if (child.type === "Command" && child.name !== undefined) {
      const words = [child.name, ...child.suffix.filter((part) => part.type === "Word")];
      const known: ShellWord[] = words.map((word) =>
        word.parts === undefined
          ? { kind: "literal", value: word.value, source: word.text }
          : { kind: "unknown", source: word.text },
      );
      if (folderAfter(known, ["."])?.join() !== ".") found = true;
    }
    forEachChild(child, look);
  };
  forEachChild(node, look);
  return found;
}
