// What replaces a match. In a plain search it is literal; with a regular expression it may refer
// to the match as in JavaScript:
//
//   $&  the match    $1 … $99  a group    $<name>  a named group    $$  a dollar sign
//
// A number that is no group is literal ("$5 each"). A name that is no group is refused: the text it
// stands for would be lost without a word. Line breaks are "\n" here, however they were written.

import { Fault } from "@stet/protocol/fault";
import type { Pattern, PatternMatch } from "./pattern.ts";

/** Gives the text for a match, whose own text is given too. */
export type ReplacementTemplate = (hit: PatternMatch, matched: string) => string;

export function literalTemplate(replacement: string): ReplacementTemplate {
  const literal = withLineBreaks(replacement);
  return () => literal;
}

export function groupTemplate(replacement: string, pattern: Pattern): ReplacementTemplate | Fault {
  const parts: (string | number)[] = [];
  let literal = "";
  const refer = (group: number) => {
    parts.push(literal, group);
    literal = "";
  };
  const hasNames = Object.keys(pattern.groupNames).length > 0;
  const tokens = hasNames ? /\$(?:\$|&|(\d{1,2})|<([^>]*)>)|[^$]+|\$/g : /\$(?:\$|&|(\d{1,2}))|[^$]+|\$/g;
  const source = withLineBreaks(replacement);
  for (const [token, digits, name] of source.matchAll(tokens)) {
    if (token === "$$") literal += "$";
    else if (token === "$&") refer(0);
    else if (digits !== undefined) {
      const both = Number(digits);
      const first = Number(digits[0]);
      if (both >= 1 && both <= pattern.groupCount) refer(both);
      else if (digits.length === 2 && first >= 1 && first <= pattern.groupCount) {
        refer(first);
        literal += digits[1];
      } else literal += token;
    } else if (name !== undefined) {
      const group = pattern.groupNames[name];
      if (group === undefined) return unknownName(name, pattern);
      refer(group);
    } else literal += token;
  }
  parts.push(literal);
  return (hit, matched) =>
    parts
      .map((part) => (typeof part === "string" ? part : part === 0 ? matched : (hit.groups[part - 1] ?? "")))
      .join("");
}

function withLineBreaks(replacement: string): string {
  return replacement.replace(/\r\n?/g, "\n");
}

function unknownName(name: string, pattern: Pattern): Fault {
  const names = Object.keys(pattern.groupNames);
  return new Fault(
    "invalid_regex",
    `The replacement refers to a group "${name}", but the pattern has no group of this name.`,
    `Use one of its names (${names.join(", ")}), or write $$< for the characters "$<".`,
    { name, names },
  );
}
