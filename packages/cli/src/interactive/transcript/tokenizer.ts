// Code line by line, by the comments, strings, numbers and words of its language: enough for colours, in constant time for each
// line, and what a line shows does not depend on the lines after it. The state between two lines is the comment or the string
// that is open.

import type { TextToken } from "../theme/theme.ts";
import { type LanguageRules, languageRules } from "./code-languages.ts";

export interface Piece {
  readonly text: string;
  readonly token: TextToken | undefined;
}

interface Open {
  readonly close: string;
  readonly token: TextToken;
}

export class Tokenizer {
  readonly #rules: LanguageRules | undefined;
  readonly #isDiff: boolean;
  readonly #isMarkup: boolean;
  #open: Open | undefined;

  constructor(language: string) {
    this.#rules = languageRules(language);
    this.#isDiff = language === "diff";
    this.#isMarkup = language === "html";
  }

  /** The pieces of the next line; where it is not whole, it may still grow, and comes again. */
  line(text: string, isWhole = true): Piece[] {
    const before = this.#open;
    const pieces = this.#pieces(text);
    if (!isWhole) this.#open = before;
    return pieces;
  }

  #pieces(text: string): Piece[] {
    if (this.#isDiff) return [{ text, token: diffToken(text) }];
    const rules = this.#rules;
    if (rules === undefined) return [{ text, token: undefined }];
    const pieces: Piece[] = [];
    let at = 0;
    const push = (end: number, token: TextToken | undefined) => {
      if (end > at) pieces.push({ text: text.slice(at, end), token });
      at = Math.max(at, end);
    };
    while (at < text.length) {
      if (this.#open !== undefined) {
        const { close, token } = this.#open;
        const end = closeOf(text, at, close);
        if (end === undefined) {
          push(text.length, token);
          break;
        }
        this.#open = undefined;
        push(end, token);
        continue;
      }
      const opened = this.#opens(rules, text, at);
      if (opened !== undefined) {
        const { length, open, isOneLine } = opened;
        const end = closeOf(text, at + length, open.close);
        if (end === undefined && !isOneLine) this.#open = open;
        push(end ?? text.length, open.token);
        continue;
      }
      const [end, token] = this.#word(rules, text, at);
      push(end, token);
    }
    return pieces;
  }

  #opens(rules: LanguageRules, text: string, at: number) {
    const startsWith = (sign: string) => text.startsWith(sign, at);
    const block = rules.blockComments.find(([open]) => startsWith(open));
    if (block !== undefined)
      return {
        length: block[0].length,
        open: { close: block[1], token: "syntaxComment" as const },
        isOneLine: false,
      };
    if (rules.lineComments.some(startsWith) && isCommentStart(text, at))
      return { length: 0, open: { close: "\n", token: "syntaxComment" as const }, isOneLine: true };
    const long = rules.longStrings.find(startsWith);
    const sign = long ?? rules.strings.find(startsWith);
    if (sign === undefined || (sign === "'" && /\w/.test(text[at - 1] ?? ""))) return undefined;
    const token = "syntaxString" as const;
    return { length: sign.length, open: { close: sign, token }, isOneLine: long === undefined };
  }

  /** The end of what stands at a position, and its colour. */
  #word(rules: LanguageRules, text: string, at: number): [number, TextToken | undefined] {
    const number = matchAt(/\d[\w.]*/y, text, at);
    if (number !== undefined) return [number, "syntaxNumber"];
    const end = matchAt(rules.name, text, at) ?? at;
    if (end > at) {
      const word = text.slice(at, end);
      if (this.#isMarkup)
        return [
          end,
          /[</]$/.test(text.slice(0, at))
            ? "syntaxKeyword"
            : text[end] === "="
              ? "syntaxVariable"
              : undefined,
        ];
      if (rules.keywords.has(rules.isCaseless ? word.toLowerCase() : word)) return [end, "syntaxKeyword"];
      if (text[end] === "(") return [end, "syntaxFunction"];
      if (word.startsWith("$") || word.startsWith("@")) return [end, "syntaxVariable"];
      return [end, rules.hasTypes && /^\p{Lu}/u.test(word) ? "syntaxType" : undefined];
    }
    const space = matchAt(/\s+/y, text, at);
    if (space !== undefined) return [space, undefined];
    const punctuation = matchAt(/[()[\]{},;]+/y, text, at);
    if (punctuation !== undefined) return [punctuation, "syntaxPunctuation"];
    const operator = matchAt(/[-+*/%=<>!&|^~?:.@]/y, text, at);
    if (operator !== undefined) return [operator, "syntaxOperator"];
    return [at + String.fromCodePoint(text.codePointAt(at) ?? 0).length, undefined];
  }
}

/** `#` inside a word, as in `$#` or `a#b`, begins no comment. */
function isCommentStart(text: string, at: number): boolean {
  return text[at] !== "#" || at === 0 || /[\s;(]/.test(text[at - 1] ?? "");
}

function matchAt(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** Behind the closing sign that no backslash escapes. */
function closeOf(text: string, from: number, close: string): number | undefined {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "\\" && close !== "*/" && close !== "-->") at += 1;
    else if (text.startsWith(close, at)) return at + close.length;
  }
  return undefined;
}

function diffToken(line: string): TextToken | undefined {
  if (/^(?:\+\+\+|---|diff |index )/.test(line)) return "syntaxComment";
  if (line.startsWith("@@")) return "syntaxFunction";
  if (line.startsWith("+")) return "toolDiffAdded";
  return line.startsWith("-") ? "toolDiffRemoved" : "toolDiffContext";
}
