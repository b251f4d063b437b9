// The arguments of a tool call, from the text that a model wrote.
//
// A finished text is JSON, or JSON that can be mended in exactly one way, or it is refused with what is wrong. It is never
// completed and never guessed: what was cut off may have been the part that mattered. Mending may change quotes, commas,
// white space, raw line ends in strings and Python's True, False, None, and nothing else; the law is that both texts are the
// same once those are taken away.

import { isRecord } from "@stet/protocol/json-record";
import { jsonrepair } from "jsonrepair";

export type Arguments = Readonly<Record<string, unknown>>;

export type ParsedArguments =
  | { readonly valid: true; readonly arguments: Arguments; readonly mended: boolean }
  | { readonly valid: false; readonly problem: string };

/** `mayBeEmpty`: the tool has no required parameter, so that no text at all is a call without arguments. */
export function parseArguments(text: string, mayBeEmpty: boolean): ParsedArguments {
  const parsed: ParsedArguments =
    text.trim() === "" ? { valid: true, arguments: {}, mended: false } : parseText(text);
  // Some clients write {} for an answer that broke off before the first character of the arguments.
  const isEmpty = parsed.valid && Object.keys(parsed.arguments).length === 0;
  return isEmpty && !mayBeEmpty ? { valid: false, problem: "there are no arguments at all" } : parsed;
}

function parseText(text: string): ParsedArguments {
  try {
    return asArguments(JSON.parse(text), false);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    const mended = mend(text);
    if (mended === undefined) return { valid: false, problem: `they are not valid JSON: ${problem}` };
    return asArguments(mended, true);
  }
}

function asArguments(value: unknown, mended: boolean): ParsedArguments {
  // Some servers encode the arguments twice; the inner text is then complete JSON by itself.
  if (typeof value === "string" && value.trimStart().startsWith("{")) {
    try {
      const inner: unknown = JSON.parse(value);
      if (isRecord(inner)) return { valid: true, arguments: inner, mended: true };
    } catch {
      return { valid: false, problem: "they are a string and not an object" };
    }
  }
  if (isRecord(value)) return { valid: true, arguments: value, mended };
  return { valid: false, problem: `they are ${describe(value)} and not an object` };
}

function mend(text: string): unknown {
  const bare = withoutFence(text);
  if (hasForeignEscape(bare) || countQuotes(bare) % 2 !== 0) return undefined;
  try {
    const repaired = jsonrepair(bare);
    if (skeleton(repaired) !== skeleton(bare)) return undefined;
    // Quotes inside a string that were not escaped: where the string ends is then a guess.
    if (count(repaired, '\\"') !== count(bare, '\\"')) return undefined;
    return JSON.parse(repaired);
  } catch {
    return undefined;
  }
}

function withoutFence(text: string): string {
  return /^\s*```(?:json)?\s*\n([\s\S]*?)\n?\s*```\s*$/.exec(text)?.[1] ?? text;
}

function skeleton(text: string): string {
  return text
    .replace(/\bTrue\b/g, "true")
    .replace(/\bFalse\b/g, "false")
    .replace(/\bNone\b/g, "null")
    .replace(/\\[nrtbf]/g, "")
    .replace(/[\s"'`,\\]/g, "");
}

/** An escape that JSON does not have, as in "\d": dropping the backslash would change what was written. */
function hasForeignEscape(text: string): boolean {
  return /(?<!\\)(?:\\\\)*\\[^"\\/bfnrtu']/.test(text);
}

function countQuotes(text: string): number {
  return count(text.replace(/\\./gs, ""), '"');
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

function describe(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : `a ${typeof value}`;
}
