// As many lines as fit a budget, from a line on.
//
// Lines are counted in blocks, because the tokens of many short lines are fewer together than one by one; only the block
// that does not fit is looked at line by line. A first line that is too long by itself is cut.

import type { Text } from "@codemirror/state";
import { rawLine, rawLines, withoutReturn } from "@stet/text/lines";
import { answerBytes, maxAnswerBytes } from "../answer-size.ts";
import type { TokenCounter } from "../count-tokens.ts";

export interface Window {
  readonly content: string;
  /** The last line shown, 0-based. */
  readonly end: number;
  readonly tokens: number;
  /** Where the only line shown is longer than the budget: how much of it is shown, in characters. */
  readonly cut: { readonly shown: number; readonly length: number } | undefined;
}

const blockLines = 32;
const blockCharacters = 4000;
/** A line is cut to a multiple of this. */
const slice = 1000;

/** Lines `start` to at most `last`, 0-based and inclusive; `start` must exist. */
export function windowOf(
  text: Text,
  start: number,
  last: number,
  budget: number,
  count: TokenCounter,
): Window {
  const shown: string[] = [];
  let tokens = 0;
  let bytes = 0;
  const take = (lines: readonly string[]): boolean => {
    const size = lines.reduce((sum, line) => sum + answerBytes(line) + 2, 0);
    if (bytes + size > maxAnswerBytes) return false;
    const cost = count(`${lines.join("\n")}\n`, budget);
    if (tokens + cost > budget) return false;
    for (const line of lines) shown.push(line);
    tokens += cost;
    bytes += size;
    return true;
  };
  for (let line = start; line <= last; ) {
    const block = blockAt(text, line, last);
    line += block.length;
    if (take(block)) continue;
    for (const one of block) if (!take([one])) break;
    break;
  }
  if (shown.length === 0) return cutLine(withoutReturn(rawLine(text, start)), start, budget, count);
  // What separates the last line from the next one is not part of the content.
  const content = shown.join("\n");
  const end = start + shown.length - 1;
  return { content, end, tokens: shown.length <= blockLines ? count(content) : tokens, cut: undefined };
}

function blockAt(text: Text, start: number, last: number): string[] {
  const lines: string[] = [];
  let characters = 0;
  for (const line of rawLines(text, start, Math.min(last + 1, start + blockLines))) {
    if (lines.length > 0 && characters + line.length > blockCharacters) break;
    characters += line.length;
    lines.push(withoutReturn(line));
  }
  return lines;
}

function cutLine(line: string, at: number, budget: number, count: TokenCounter): Window {
  let tokens = 0;
  let bytes = 0;
  let shown = 0;
  while (shown < line.length) {
    const end = characterEnd(line, shown + slice);
    const part = line.slice(shown, end);
    const cost = count(part, budget);
    bytes += answerBytes(part);
    if (shown > 0 && (tokens + cost > budget || bytes > maxAnswerBytes)) break;
    tokens += cost;
    shown = end;
  }
  return { content: line.slice(0, shown), end: at, tokens, cut: { shown, length: line.length } };
}

/** The position, or the one behind it where it would part a character. */
export function characterEnd(text: string, position: number): number {
  if (position >= text.length) return text.length;
  const unit = text.charCodeAt(position);
  return unit >= 0xdc00 && unit < 0xe000 ? position + 1 : position;
}

const samples = 8;
const sampleCharacters = 1000;
const estimates = new WeakMap<Text, number>();

/** About how many tokens a whole text has, from samples of it; exact where it is short. */
export function estimateTokens(text: Text, count: TokenCounter): number {
  const known = estimates.get(text);
  if (known !== undefined) return known;
  const estimate =
    text.length <= samples * sampleCharacters ? count(text.toString()) : sampledTokens(text, count);
  estimates.set(text, estimate);
  return estimate;
}

function sampledTokens(text: Text, count: TokenCounter): number {
  let tokens = 0;
  for (let index = 0; index < samples; index += 1) {
    const from = Math.floor((index * (text.length - sampleCharacters)) / (samples - 1));
    tokens += count(text.sliceString(from, from + sampleCharacters));
  }
  return Math.round((tokens * text.length) / (samples * sampleCharacters));
}
