// Patterns of ast-grep, for one language at a time.
//
//   $NAME     one node; the same name twice means the same code twice      $_     one node, not kept
//   $$$NAME   any number of nodes, as few as fit                           $$$    the same, not kept
//
// In some languages a piece of code means something else on its own than inside of a function (`f(x)` in C declares, in Go
// it converts a type), so there a pattern is also tried where code stands.

import type { Rule } from "@ast-grep/napi";
import type { Language, Node, Parser } from "./languages.ts";

export interface Capture {
  readonly name: string;
  readonly isMany: boolean;
}

export interface CompiledPattern {
  readonly rule: Rule;
  readonly captures: readonly Capture[];
  /** Words that every match contains: a file without them need not be parsed. */
  readonly words: readonly string[];
  /** It is not whole code. It may match all the same (`class $X` does), but if it finds nothing this is likely why. */
  readonly isBroken: boolean;
}

const variable = /\$\$\$([A-Z_][A-Z0-9_]*)?|\$([A-Z_][A-Z0-9_]*)/g;

/** What a pattern keeps of a match. */
export function capturesOf(pattern: string): Capture[] {
  const found = new Map<string, Capture>();
  for (const [, many, one] of pattern.matchAll(variable)) {
    const name = many ?? one;
    if (name === undefined || name.startsWith("_")) continue;
    found.set(name, { name, isMany: many !== undefined });
  }
  return [...found.values()];
}

/** Where code stands that is not a declaration. */
const contexts: Readonly<Partial<Record<Language, readonly [string, string]>>> = {
  go: ["package p\nfunc f() {\n", "\n}\n"],
  c: ["void f() {\n", ";\n}\n"],
  css: ["a {\n", "\n}\n"],
  java: ["class A { void f() {\n", ";\n} }\n"],
};

/** The pattern for a language, or why it is none there. */
export function compilePattern(
  parser: Parser,
  language: Language,
  pattern: string,
): CompiledPattern | string {
  const inside = insideCode(parser, language, pattern);
  const problem = problemOf(parser, language, { pattern });
  if (problem !== undefined && inside === undefined) return problem;
  const rules: Rule[] = problem === undefined ? [{ pattern }] : [];
  if (inside !== undefined) rules.push(inside);
  const [first] = rules;
  const rule = rules.length === 1 && first !== undefined ? first : { any: rules };
  const isBroken = inside === undefined && hasErrors(parser, language, pattern);
  return { rule, captures: capturesOf(pattern), words: wordsOf(pattern), isBroken };
}

function problemOf(parser: Parser, language: Language, rule: Rule): string | undefined {
  try {
    parser.parse(language, "").findAll({ rule });
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return reason.split("|->").at(-1)?.trim().replace(/\s+/g, " ") ?? reason;
  }
}

/** Any name does, to see what kind of node stands there. */
function withNames(pattern: string): string {
  return pattern.replace(variable, (found) => found.replaceAll("$", "z"));
}

function hasErrors(parser: Parser, language: Language, pattern: string): boolean {
  const errors = parser.parse(language, withNames(pattern)).findAll({ rule: { kind: "ERROR" } });
  const names = new Set([...pattern.matchAll(variable)].map(([found]) => withNames(found)));
  // A name alone may be no code where a variable stands, such as for the parameters of a method in Java.
  return errors.some((node) => !names.has(node.text().trim()));
}

/** The pattern as code inside of a function; undefined where it is none there, or means the same as on its own. */
function insideCode(parser: Parser, language: Language, pattern: string): Rule | undefined {
  const around = contexts[language];
  if (around === undefined) return undefined;
  const [before, after] = around;
  const example = before + withNames(pattern) + after;
  const end = before.length + pattern.length;
  const root = parser.parse(language, example);
  if (root.has({ rule: { kind: "ERROR" } })) return undefined;
  let node: Node | undefined = root;
  let kind: string | undefined;
  while (node !== undefined) {
    const { start, end: last } = node.range();
    if (start.index === before.length && last.index === end && node.isNamed()) kind = String(node.kind());
    node = node
      .children()
      .find((child) => child.range().start.index <= before.length && child.range().end.index >= end);
  }
  if (kind === undefined) return undefined;
  const rule = { pattern: { context: before + pattern + after, selector: kind } };
  return problemOf(parser, language, rule) === undefined ? rule : undefined;
}

function wordsOf(pattern: string): string[] {
  return pattern.replace(variable, " ").match(/[\p{L}_][\p{L}\p{N}_]{2,}/gu) ?? [];
}

/** Whether a source may have a match at all. */
export function mayMatch({ words }: CompiledPattern, source: string): boolean {
  return words.every((word) => source.includes(word));
}

/** What a match has for a capture, as it stands in the source; undefined where it has none. */
export function captured(match: Node, { name, isMany }: Capture): { start: number; end: number } | undefined {
  if (!isMany) {
    const range = match.getMatch(name)?.range();
    return range && { start: range.start.index, end: range.end.index };
  }
  const nodes = match.getMultipleMatches(name);
  const first = nodes.at(0)?.range();
  const last = nodes.at(-1)?.range();
  return first && last && { start: first.start.index, end: last.end.index };
}
