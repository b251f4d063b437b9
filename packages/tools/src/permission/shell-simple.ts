// Simple commands: words, assignments and redirections, read from the raw text beside the grammar's tree, as steps.

import {
  type Assignment,
  type Command,
  type CommandExpansionPart,
  forEachChild,
  type HereDocBody,
  type ParsedScript,
  type ProcessSubstitutionPart,
  type Redirection,
  type Statement,
  type SyntaxNode,
  type Word,
} from "unbash";
import { ShellCursor } from "./shell-cursor.ts";
import { scanBody, scanWord } from "./shell-scan.ts";
import { type Folders, literalOf, literalWord, type ShellStep, type ShellWord } from "./shell-step.ts";

const maxSteps = 500;

const reserved = new Set(
  "! case coproc do done elif else esac fi for function if in select then time until while { } [[ ]]".split(
    " ",
  ),
);

/** What stands in substitutions, functions and the like. */
interface Lists {
  script(script: ParsedScript | undefined, folders: Folders): void;
  statement(statement: Statement, folders: Folders): void;
}

export class SimpleCommands {
  readonly steps: ShellStep[] = [];
  readonly cursor: ShellCursor;
  readonly isBash: boolean;
  /** Why the line cannot be understood. */
  problem: string | undefined;
  /** What positions count in: the line, or what is in backticks once their escapes are taken out. */
  text: string;
  readonly #lists: Lists;

  constructor(line: string, isBash: boolean, lists: Lists) {
    this.cursor = new ShellCursor(line);
    this.isBash = isBash;
    this.text = line;
    this.#lists = lists;
  }

  step(step: ShellStep): void {
    if (this.steps.length >= maxSteps) this.problem ??= `it has more than ${maxSteps} steps`;
    else this.steps.push(step);
  }

  caution(source: string, why: string): void {
    this.step({ kind: "caution", source, why });
  }

  /** Its words: none where it only assigns or redirects. */
  command(node: Command, folders: Folders): readonly ShellWord[] {
    const { name, prefix, suffix } = node;
    this.cursor.expect(name === undefined || !reserved.has(name.text));
    const words: ShellWord[] = [];
    for (const [index, part] of [...prefix, ...(name === undefined ? [] : [name]), ...suffix].entries()) {
      if (part.type === "Word") words.push(...this.word(part, folders, index > 0));
      else if (part.type !== "Assignment") this.redirection(part, folders);
      else if (index >= prefix.length) words.push(this.#argument(part, folders));
      else this.#assignment(part, name === undefined, index > 0, folders);
    }
    if (words.length > 0) this.step({ kind: "command", words, folders });
    return words;
  }

  #assignment(node: Assignment, isLasting: boolean, isSeparate: boolean, folders: Folders): void {
    this.step({ kind: "assignment", name: node.name, source: node.text, isLasting });
    this.#value(node, isSeparate, folders);
  }

  /** `A=b` behind a command such as export: a word of it. */
  #argument(node: Assignment, folders: Folders): ShellWord {
    const { name, append, index, text: source, value } = node;
    if (value.type !== "Word" || append === true || index !== undefined) {
      this.#assignment(node, true, true, folders);
      return { kind: "unknown", source };
    }
    const words = this.#value(node, true, folders);
    const literal = words.length === 1 ? literalOf(words[0]) : undefined;
    // The name is known whatever is assigned to it, and the name is what matters.
    return { kind: "literal", value: `${name}=${literal ?? "…"}`, source };
  }

  #value({ name, value, append, index, pos }: Assignment, isSeparate: boolean, folders: Folders) {
    const { cursor } = this;
    cursor.expect(append !== true && index === undefined && /^[A-Za-z_]\w*$/.test(name));
    cursor.begin(pos, isSeparate);
    cursor.token(`${name}=`);
    cursor.expect(value.type === "Word" && value.pos === cursor.at);
    if (index !== undefined) this.word(index, folders);
    if (value.type !== "Word") return value.elements.flatMap((element) => this.word(element, folders));
    if (value.pos < value.end) return this.word(value, folders, false);
    // Behind `name=` a bracket begins an array.
    cursor.expect(cursor.isDelimited() && cursor.next() !== "(");
    return [literalWord("")];
  }

  redirection(node: Redirection, folders: Folders): void {
    const { cursor } = this;
    const { descriptor, operator, pos } = node;
    cursor.expect(this.isBash || !/^(?:&>>?|<<<)$/.test(operator));
    cursor.begin(pos, descriptor !== undefined);
    if (descriptor?.type === "FileDescriptorVariable") {
      const { name } = descriptor;
      cursor.expect(false);
      this.step({ kind: "assignment", name, source: `{${name}}`, isLasting: true });
    } else if (descriptor !== undefined) {
      cursor.token(String(descriptor.value));
      cursor.expect(descriptor.value <= 2 && cursor.at === descriptor.end);
      cursor.expect(cursor.text.startsWith(operator, cursor.at));
    }
    cursor.token(operator);
    if (node.type === "HereDoc") {
      if (node.closing === undefined) this.problem ??= "a heredoc in it has no end";
      cursor.heredoc(node);
      if (node.delimiter?.quoted !== true) this.#heredocBody(node.body, folders);
      return;
    }
    if (node.target === undefined) {
      this.problem ??= "a redirection leads nowhere";
      return;
    }
    const targets = this.word(node.target, folders, false);
    if (node.type === "HereString") return;
    const source = `${operator} ${node.target.text}`;
    const [target] = targets;
    if (target === undefined || targets.length > 1) {
      this.caution(source, "it is not clear where it leads");
      return;
    }
    if (operator === ">&" || operator === "<&") {
      cursor.expect(!/^\d/.test(node.target.text) || /^[012]$/.test(node.target.text));
      if (/^(?:\d+-?|-)$/.test(literalOf(target) ?? "")) return;
      if (operator === "<&") {
        this.caution(source, "it is not clear what it reads");
        return;
      }
    }
    this.step({ kind: "redirection", access: operator === "<" ? "read" : "write", target, source, folders });
  }

  /** Nothing is run in a body that is proven. */
  #heredocBody(body: HereDocBody, folders: Folders): void {
    const scanned = scanBody(this.text, body.pos, body.end);
    this.cursor.expect(scanned.kind === "word");
    if (scanned.kind === "word") this.#variables(scanned.variables);
    else this.inside(body, folders);
  }

  /** The words that a program gets for one word of the tree. */
  word(word: Word, folders: Folders, isSeparate = true): readonly ShellWord[] {
    const { cursor } = this;
    const { pos, end, text: source } = word;
    cursor.begin(pos, isSeparate);
    // A shell would look for the body of a heredoc in the middle of the word.
    cursor.expect(!cursor.isAwaitingHeredoc || !this.text.slice(pos, end).includes("\n"));
    const parts = substitutionsOf(word);
    const scan = (limit: number) => scanWord(this.text, pos, limit, (at) => parts.get(at)?.end);
    let scanned = scan(cursor.doubt === undefined ? cursor.limit : end);
    if (scanned.kind === "doubt" || scanned.end !== end || end === pos) {
      cursor.expect(false, scanned.kind === "doubt" ? scanned.at : scanned.end);
      scanned = scan(end);
    }
    cursor.at = end;
    if (cursor.doubt !== undefined) this.inside(word, folders);
    else for (const part of parts.values()) this.#substitution(part, folders);
    if (scanned.kind !== "word" || scanned.end !== end) {
      // What the grammar takes the word for is still good enough to warn of it.
      return [
        word.parts === undefined
          ? { kind: "literal", value: word.value, source }
          : { kind: "unknown", source },
      ];
    }
    this.#variables(scanned.variables);
    const { form, values } = scanned;
    if (form === "unknown") return [{ kind: form, source }];
    return values.map((value) => ({ kind: form, value, source: values.length === 1 ? source : value }));
  }

  #variables(names: readonly string[]): void {
    for (const name of names) this.step({ kind: "variable", name, source: `$${name}` });
  }

  #substitution({ pos, end, script }: Substitution, folders: Folders): void {
    const { cursor } = this;
    const isQuoted = this.text[pos] === "`";
    cursor.expect(!isQuoted || !/[\\`"]/.test(this.text.slice(pos + 1, end - 1)));
    cursor.expect(this.isBash || this.text[pos] !== "<");
    cursor.within(pos + (isQuoted ? 1 : 2), end - 1, () => {
      cursor.expect(cursor.next() !== "(");
      this.#lists.script(script, folders);
    });
    cursor.expect(this.text[end - 1] === (isQuoted ? "`" : ")"));
  }

  /** All that is below a node that is not proven. */
  inside(node: SyntaxNode, folders: Folders): void {
    forEachChild(node, (child) => {
      switch (child.type) {
        case "Statement":
          this.#lists.statement(child, folders);
          return;
        case "CommandExpansion":
        case "ProcessSubstitution":
          this.#substitution(child, folders);
          return;
        case "Script":
          this.#lists.script(child, folders);
          return;
        case "Command":
          this.command(child, folders);
          return;
        case "Word":
          this.word(child, folders);
          return;
        case "Redirect":
        case "HereString":
        case "HereDoc":
          this.redirection(child, folders);
          return;
        default:
          this.inside(child, folders);
      }
    });
  }
}

type Substitution = CommandExpansionPart | ProcessSubstitutionPart;

/** What a word runs, by where it begins. */
function substitutionsOf(word: Word): ReadonlyMap<number, Substitution> {
  const found = new Map<number, Substitution>();
  const look = (node: SyntaxNode): void => {
    if (node.type === "CommandExpansion" || node.type === "ProcessSubstitution") found.set(node.pos, node);
    else forEachChild(node, look);
  };
  forEachChild(word, look);
  return found;
}
