// A check on the grammar: it forgives mistakes, and what it leaves out would run unseen. So between two statements there may
// be only what ends one, blanks and comments, and between two words only blanks.

import { type Command, forEachChild, type ParsedScript, type SyntaxNode } from "unbash";

interface Span {
  readonly pos: number;
  readonly end: number;
}

/** Text of a script that is part of nothing; undefined when all of it is. */
export function leftOut(script: ParsedScript, text: string): string | undefined {
  // The bodies of heredocs stand behind the statement that they belong to.
  const spans: Span[] = [...script.commands];
  for (const statement of script.commands) collectBodies(statement, spans);
  return gaps(script, spans, text)
    .map((gap) => gap.replace(/(^|[\s;&])#[^\n]*/g, "$1").replace(/\\\n|[\s;&]/g, ""))
    .find((gap) => gap !== "");
}

/** The same between the words of one command. */
export function leftOutOf(command: Command, text: string): string | undefined {
  const words: Span[] = [...command.prefix, ...command.suffix];
  if (command.name !== undefined) words.push(command.name);
  return gaps(command, words, text)
    .map((gap) => gap.replace(/\\\n|[ \t]/g, ""))
    .find((gap) => gap !== "");
}

function collectBodies(node: SyntaxNode, spans: Span[]): void {
  if (node.type === "HereDoc") spans.push({ pos: node.body.pos, end: node.closing?.end ?? node.body.end });
  // A script between escaped backticks counts its positions in a text of its own.
  if (node.type === "Script" && node.source !== undefined) return;
  forEachChild(node, (child) => collectBodies(child, spans));
}

function gaps({ pos, end }: Span, spans: readonly Span[], text: string): string[] {
  const found: string[] = [];
  let at = pos;
  for (const span of [...spans].sort((a, b) => a.pos - b.pos)) {
    if (span.pos > at) found.push(text.slice(at, span.pos));
    at = Math.max(at, span.end);
  }
  if (at < end) found.push(text.slice(at, end));
  return found;
}
