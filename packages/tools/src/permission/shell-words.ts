// One word as the grammar sees it, as the words that a program gets. Whatever in it runs commands or has other effects is
// handed to the walker.

import type {
  ArithmeticExpression,
  ParameterExpansionPart,
  ParsedScript,
  TestExpression,
  Word,
  WordPart,
} from "unbash";
import type { ShellStep, ShellWord } from "./shell-step.ts";

/** Who is told of what a word does besides being a word. */
export interface WordVisitor {
  step(step: ShellStep): void;
  script(script: ParsedScript | undefined): void;
}

export function shellWords(word: Word, visitor: WordVisitor): readonly ShellWord[] {
  const source = word.text;
  const { parts } = word;
  if (parts === undefined) return [{ kind: "literal", value: word.value, source }];
  const braces = bracesOf(source);
  if (braces !== undefined) return braces;
  const [only] = parts;
  if (parts.length === 1 && only?.type === "ProcessSubstitution") {
    visitPart(only, visitor);
    // The program gets the name of a pipe.
    return [{ kind: "literal", value: "/dev/fd/63", source }];
  }
  let value = "";
  let isGlob = false;
  let isUnknown = false;
  for (const part of parts) {
    switch (part.type) {
      case "Literal":
      case "SingleQuoted":
        value += part.value;
        break;
      case "AnsiCQuoted":
        // Shells differ in what they make of the rarer escapes.
        if (/\\[^nrt\\'"]/.test(part.text)) isUnknown = true;
        value += part.value;
        break;
      case "Glob":
        value += part.value;
        isGlob = true;
        if (part.kind === "bracket" && part.parts.some((inner) => inner.type !== "Literal")) isUnknown = true;
        break;
      case "DoubleQuoted":
        for (const inner of part.parts) {
          if (inner.type === "Literal") value += inner.value;
          else isUnknown = true;
        }
        break;
      default:
        isUnknown = true;
    }
    visitPart(part, visitor);
  }
  if (isUnknown) return [{ kind: "unknown", source }];
  return [{ kind: isGlob ? "glob" : "literal", value, source }];
}

// `src/{a,b}.ts` with nothing in it that needs more than a split.
const plainBraces = /^([\w./@+-]*)\{([\w./@+-]*(?:,[\w./@+-]*)+)\}([\w./@+-]*)$/;

function bracesOf(source: string): readonly ShellWord[] | undefined {
  const match = plainBraces.exec(source);
  if (match === null) return undefined;
  const [, before = "", list = "", after = ""] = match;
  // A shell drops what is empty: `{,rm} x` runs rm.
  const values = list.split(",").map((choice) => before + choice + after);
  return values.flatMap((value) => (value === "" ? [] : [{ kind: "literal", value, source: value }]));
}

/** What a part does besides being text. */
export function visitPart(part: WordPart, visitor: WordVisitor): void {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return;
    case "SimpleExpansion":
      visitor.step({ kind: "variable", name: part.text.slice(1), source: part.text });
      return;
    case "ParameterExpansion":
      visitParameter(part, visitor);
      return;
    case "CommandExpansion":
    case "ProcessSubstitution":
      visitor.script(part.script);
      return;
    case "ArithmeticExpansion":
      if (part.expression === undefined) caution(visitor, part.text, "it is arithmetic that cannot be read");
      else visitArithmetic(part.expression, part.text, visitor);
      return;
    case "Glob":
    case "DoubleQuoted":
    case "LocaleString":
    case "ExtendedGlob":
    case "BraceExpansion":
      for (const inner of part.parts ?? []) visitPart(inner, visitor);
      return;
    default:
      caution(visitor, "", "it contains something that is not known here");
  }
}

function visitParameter(part: ParameterExpansionPart, visitor: WordVisitor): void {
  const { index, operation, parameter, prefix, text } = part;
  const inner = (word: Word | undefined) => (word === undefined ? [] : shellWords(word, visitor));
  visitor.step({ kind: "variable", name: parameter, source: text });
  // What such a name holds is evaluated once more, and may contain a substitution.
  if (prefix === "!") caution(visitor, text, "it follows a name to another one");
  if (index !== undefined) {
    const [word] = inner(index);
    if (word?.kind === "unknown" || !/^(?:\d+|[@*])$/.test(index.text)) {
      caution(visitor, text, "its index is evaluated, which can run commands");
    }
  }
  switch (operation?.type) {
    case undefined:
    case "Names":
      return;
    case "Default":
      inner(operation.operand);
      if (operation.operator.endsWith("=")) {
        visitor.step({ kind: "assignment", name: parameter, source: text, isLasting: true });
      }
      return;
    case "Remove":
      inner(operation.operand);
      return;
    case "Replace":
      inner(operation.pattern);
      inner(operation.replacement);
      return;
    case "CaseModification":
      inner(operation.operand);
      return;
    case "Slice":
      for (const bound of [operation.offset, operation.length]) {
        inner(bound);
        if (bound !== undefined && !/^\s*-?\d+$/.test(bound.text)) {
          caution(visitor, text, "its bounds are evaluated, which can run commands");
        }
      }
      return;
    case "Transform":
      inner(operation.operand);
      if (!/^[QULu]$/.test(operation.operand.text)) {
        caution(visitor, text, "its value is evaluated like a prompt, which can run commands");
      }
      return;
    default:
      caution(visitor, text, "it is an expansion that is not known here");
  }
}

/** Numbers are harmless. A name's value is evaluated again, and `a[$(rm x)]` is a valid value. */
export function visitArithmetic(
  expression: ArithmeticExpression,
  source: string,
  visitor: WordVisitor,
): void {
  const inner = (next: ArithmeticExpression) => visitArithmetic(next, source, visitor);
  switch (expression.type) {
    case "ArithmeticBinary":
      inner(expression.left);
      inner(expression.right);
      return;
    case "ArithmeticUnary":
      inner(expression.operand);
      return;
    case "ArithmeticTernary":
      inner(expression.test);
      inner(expression.consequent);
      inner(expression.alternate);
      return;
    case "ArithmeticGroup":
      inner(expression.expression);
      return;
    case "ArithmeticWord":
      for (const part of expression.parts ?? []) visitPart(part, visitor);
      if (!/^\s*(?:0[xX][\da-fA-F]+|\d+)\s*$/.test(expression.value)) {
        caution(visitor, source, "arithmetic with variables can run commands");
      }
      return;
    case "ArithmeticCommandExpansion":
      visitor.script(expression.script);
      caution(visitor, source, "what a command prints is evaluated, which can run commands");
      return;
    default:
      caution(visitor, source, "it is arithmetic that is not known here");
  }
}

const arithmeticTests = new Set(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"]);

/** `[[ … ]]`. */
export function visitTest(expression: TestExpression, visitor: WordVisitor): void {
  switch (expression.type) {
    case "TestUnary": {
      shellWords(expression.operand, visitor);
      const { operator, operand } = expression;
      if ((operator === "-v" || operator === "-R") && !/^\w+$/.test(operand.text)) {
        caution(visitor, operand.text, "a name with an index is evaluated, which can run commands");
      }
      return;
    }
    case "TestBinary":
      for (const side of [expression.left, expression.right]) {
        shellWords(side, visitor);
        if (arithmeticTests.has(expression.operator) && !/^-?\d+$/.test(side.text)) {
          caution(visitor, side.text, "comparing as numbers evaluates it, which can run commands");
        }
      }
      return;
    case "TestLogical":
      for (const operand of expression.operands) visitTest(operand, visitor);
      return;
    case "TestNot":
      visitTest(expression.operand, visitor);
      return;
    case "TestGroup":
      visitTest(expression.expression, visitor);
      return;
    default:
      caution(visitor, "[[", "it is a test that is not known here");
  }
}

function caution(visitor: WordVisitor, source: string, why: string): void {
  visitor.step({ kind: "caution", source, why });
}
