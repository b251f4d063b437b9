// A compiled search pattern: plain text or a regular expression.
//
// A pattern that names a line break (\n), lets the dot match one ((?s)) or says "any character at all" ([\s\S]) is
// matched over the whole content; every other one line by line, so that ^ and $ mean the line, and \s+$ takes blank space
// at the end of a line and not the blank lines below. Matches do not overlap, and an empty match right behind another match
// is none: `.*` matches a line once.
//
// Regular expressions run on RE2, in linear time. What RE2 does not know (look-ahead, references to groups) runs on
// the engine of JavaScript, which backtracks: only if its cost for each line is small (pattern-cost.ts). As finding
// all matches may start over at each of them, all together must also end in a time proportional to the content.
//
// In RE2, \w, \d, \s and \b know ASCII only; \p{L} and \p{N} are letters and numbers of every script.

import { Fault } from "@stet/protocol/fault";
import { RE2JS } from "re2js";
import { patternShape } from "./pattern-cost.ts";

/** Some lines of a document, joined by "\n"; no line ends in "\r". */
export interface Content {
  readonly text: string;
  /** The number of the first line in the document. */
  readonly firstLine: number;
  readonly lines: number;
}

export interface PatternMatch {
  readonly from: number;
  readonly to: number;
  /** What each group matched, the first at index 0. */
  readonly groups: readonly (string | undefined)[];
}

/** Takes a match, or refuses it: then the search goes on one character behind where it began. */
export type TakeHit = (hit: PatternMatch) => boolean;

export interface Pattern {
  /** Offers all matches in order. */
  search(content: Content, take: TakeHit): Fault | undefined;
  readonly groupCount: number;
  /** The number of each named group, counted from 1. */
  readonly groupNames: Readonly<Record<string, number>>;
}

const noGroups: readonly string[] = [];

export function plainPattern(query: string, caseSensitive: boolean): Pattern {
  const wanted = query.replace(/\r\n?/g, "\n");
  // The engine folds case as Unicode's simple case folding does, one character for one, so offsets remain valid; a
  // lower-case copy of the content would not have the same length ("İ" becomes two characters).
  const folded = caseSensitive
    ? undefined
    : new RegExp(wanted.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "giu");
  const next = (text: string, position: number): PatternMatch | undefined => {
    if (folded === undefined) {
      const from = text.indexOf(wanted, position);
      return from < 0 ? undefined : { from, to: from + wanted.length, groups: noGroups };
    }
    folded.lastIndex = position;
    const found = folded.exec(text);
    return found === null
      ? undefined
      : { from: found.index, to: found.index + found[0].length, groups: noGroups };
  };
  return {
    groupCount: 0,
    groupNames: {},
    search({ text }, take) {
      // Half of a surrogate pair would match inside a character.
      if (!wanted.isWellFormed()) return undefined;
      for (let hit = next(text, 0); hit !== undefined; ) {
        hit = next(text, take(hit) ? hit.to : behind(text, hit.from));
      }
      return undefined;
    },
  };
}

/** The position behind the character at this one. */
function behind(text: string, position: number): number {
  return position + ((text.codePointAt(position) ?? 0) > 0xffff ? 2 : 1);
}

export function regexPattern(query: string, caseSensitive: boolean): Pattern | Fault {
  const source = withoutReturns(query);
  const isMultiline = reachesOverLines(source);
  const flags = (caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE) | (isMultiline ? RE2JS.MULTILINE : 0);
  let linear: RE2JS;
  try {
    linear = RE2JS.compile(asRe2(source), flags | RE2JS.LOOKBEHINDS);
  } catch (error) {
    const nativeFlags = `gu${caseSensitive ? "" : "i"}${isMultiline ? "m" : ""}`;
    return backtrackingPattern(source, nativeFlags, isMultiline, error);
  }
  const groupCount = linear.groupCount();
  return {
    groupCount,
    groupNames: linear.namedGroups(),
    search: (content, take) =>
      eachUnit(content, isMultiline, (unit, offset, limit) => {
        const matcher = linear.matcher(unit);
        let end = -1;
        for (let isFound = matcher.find(); isFound; ) {
          if (limit.isOver()) return limit.fault();
          const from = matcher.start();
          const to = matcher.end();
          const isNone = from === to && from === end;
          const groups = Array.from(
            { length: groupCount },
            (_, index) => matcher.group(index + 1) ?? undefined,
          );
          const isTaken = isNone || take({ from: offset + from, to: offset + to, groups });
          if (isTaken) end = to;
          const next = behind(unit, from);
          isFound = isTaken ? matcher.find() : next <= unit.length && matcher.find(next);
        }
        return undefined;
      }),
  };
}

const lineBreak = /(?:^|[^\\])(?:\\\\)*(?:\\n|\n)|\(\?[imU]*s/;
const characterClass = /\[(?:\\.|[^\]\\])*\]/gs;

/** Whether a regular expression is matched over line breaks, and not line by line. */
export function reachesOverLines(query: string): boolean {
  return lineBreak.test(query) || (query.match(characterClass) ?? []).some(isAnyCharacter);
}

/** A kind of characters and all others: the idiom for every character, line breaks included. */
function isAnyCharacter(written: string): boolean {
  return ["s", "d", "w"].some((kind) => {
    return written.includes(`\\${kind}`) && written.includes(`\\${kind.toUpperCase()}`);
  });
}

/** Content has no "\r" before "\n", so a pattern that asks for one means the line break. */
function withoutReturns(query: string): string {
  return query
    .replace(/\r\n?/g, "\n")
    .replace(/\\r\\n\?|\\r[?*]?\\n|\\./gs, (token) => (/^\\r./s.test(token) ? "\\n" : token));
}

/**
 * RE2 writes a code point as \x{1F600} where JavaScript has \u{1F600} or \uD83D\uDE00, and \p{Han} where JavaScript
 * has \p{Script=Han}.
 */
function asRe2(source: string): string {
  const pairs = /\\u([dD][89abAB][\da-fA-F]{2})\\u([dD][c-fC-F][\da-fA-F]{2})|\\./gs;
  const codes = /\\u(?:\{([\da-fA-F]+)\}|([\da-fA-F]{4}))|\\./gs;
  const properties = /\\([pP])\{(?:Script|sc|Script_Extensions|scx|General_Category|gc)=(\w+)\}|\\./gs;
  return source
    .replace(pairs, (token, high, low) => {
      if (high === undefined) return token;
      const code = ((Number.parseInt(high, 16) - 0xd800) << 10) + Number.parseInt(low, 16) - 0xdc00 + 0x10000;
      return `\\u{${code.toString(16)}}`;
    })
    .replace(codes, (token, braced, plain) => {
      const code = braced ?? plain;
      return code === undefined ? token : `\\x{${code}}`;
    })
    .replace(properties, (token, letter, value) => (letter === undefined ? token : `\\${letter}{${value}}`));
}

/** Calls for each line, or once for all of them, until there is a fault. */
function eachUnit(
  content: Content,
  isMultiline: boolean,
  call: (unit: string, offset: number, limit: TimeLimit, line: number) => Fault | undefined,
): Fault | undefined {
  const { text, firstLine, lines } = content;
  const limit = new TimeLimit(text.length);
  if (isMultiline) return call(text, 0, limit, firstLine);
  let from = 0;
  for (let line = firstLine; line < firstLine + lines; line += 1) {
    const lineBreak = text.indexOf("\n", from);
    const to = lineBreak < 0 ? text.length : lineBreak;
    const fault = limit.isOver() ? limit.fault() : call(text.slice(from, to), from, limit, line);
    if (fault !== undefined) return fault;
    from = to + 1;
  }
  return undefined;
}

/** One second, and one more for each million characters. */
class TimeLimit {
  readonly #end: number;

  constructor(length: number) {
    this.#end = performance.now() + 1000 + length / 1000;
  }

  isOver(): boolean {
    return performance.now() > this.#end;
  }

  fault(): Fault {
    return new Fault(
      "invalid_regex",
      "The search took too long and was stopped: the pattern reads far ahead at each place where it could match.",
      "Bound what repeats, for example .{0,200} in place of .*, or search in fewer lines.",
    );
  }
}

/** Longer lines are never given to the engine that backtracks. */
const maxUnit = 10_000;
/** For one line: about half a second. */
const maxSteps = 250_000_000;

function backtrackingPattern(
  source: string,
  flags: string,
  isMultiline: boolean,
  refusal: unknown,
): Pattern | Fault {
  let expression: RegExp;
  try {
    expression = new RegExp(source, flags);
  } catch (error) {
    return invalidSyntax(source, refusal, error);
  }
  const shape = patternShape(source);
  const explosive = shape.explosivePart(maxUnit);
  if (explosive !== undefined) return explodes(source, explosive);
  let safeLength = 0;
  return {
    groupCount: shape.groupCount,
    groupNames: shape.groupNames,
    search: (content, take) =>
      eachUnit(content, isMultiline, (unit, offset, limit, line) => {
        if (unit.length > safeLength) {
          const isCostly = unit.length > maxUnit || shape.steps(unit.length) > maxSteps;
          if (isCostly) return tooLong(source, isMultiline ? undefined : line, unit.length);
          safeLength = unit.length;
        }
        let end = -1;
        expression.lastIndex = 0;
        for (let found = expression.exec(unit); found !== null; found = expression.exec(unit)) {
          if (limit.isOver()) return limit.fault();
          const from = found.index;
          const to = from + found[0].length;
          const isNone = from === to && from === end;
          const isTaken = isNone || take({ from: offset + from, to: offset + to, groups: found.slice(1) });
          if (isTaken) end = to;
          expression.lastIndex = isTaken && to > from ? to : behind(unit, from);
        }
        return undefined;
      }),
  };
}

function invalidSyntax(source: string, refusal: unknown, error: unknown): Fault {
  const message = (thrown: unknown) => (thrown instanceof Error ? thrown.message : String(thrown));
  const linear = message(refusal).replace(/^error parsing regexp: /, "");
  const native = message(error).replace(/^Invalid regular expression: .*: /s, "");
  // Where RE2 only says that it does not know something, JavaScript's reason says what is wrong with it.
  const reason = /unsupported|invalid escape|invalid named capture/.test(linear) ? native : linear;
  return new Fault(
    "invalid_regex",
    `The pattern ${JSON.stringify(source)} is not a valid regular expression: ${reason}.`,
    "Correct the pattern; to find these very characters, search for plain text instead.",
    { pattern: source, reason },
  );
}

function explodes(source: string, part: string): Fault {
  return new Fault(
    "invalid_regex",
    `The pattern ${JSON.stringify(source)} could run forever: ${JSON.stringify(part)} repeats something that can ` +
      "itself match in several ways.",
    "Repeat a single character or class there, for example a+ in place of (a+)+ or [ab]+ in place of (a|b)+; or do " +
      "without look-ahead and references to groups: then every repetition is safe.",
    { pattern: source, part },
  );
}

function tooLong(source: string, line: number | undefined, length: number): Fault {
  const where =
    line === undefined
      ? `the ${length} characters that it must see as a whole, because it names a line break`
      : `line ${line} with its ${length} characters`;
  return new Fault(
    "invalid_regex",
    `The pattern ${JSON.stringify(source)} has look-ahead or references to groups, and could take too long for ${where}.`,
    "Bound what repeats, for example \\w{1,40} in place of \\w+; or do without look-ahead and references to groups.",
    { pattern: source, length, ...(line === undefined ? {} : { line }) },
  );
}
