// Whether all chunks followed the glossary: terms that remain, and terms that became something else in one chunk.

import type { Chunk } from "@stet/text/chunks";
import { type Issue, inLineOrder, places, shownLines } from "./issue.ts";
import { countNames, findNames } from "./names.ts";
import { inOrder, lineCounter, type Replacement, replaced } from "./replacements.ts";
import type { Plan } from "./transform-kinds.ts";

export interface RewrittenText {
  readonly after: string;
  readonly chunks: readonly Chunk[];
  /** What was replaced in each chunk. */
  readonly byChunk: readonly (readonly Replacement[])[];
  readonly glossary: Plan["glossary"];
}

export function checkTerms({ after, chunks, byChunk, glossary }: RewrittenText): Issue[] {
  const changing = glossary.filter(({ term, replacement }) => countNames(replacement, [term]).size === 0);
  if (changing.length === 0) return [];
  const terms = changing.map(({ term }) => term);
  const lineOf = lineCounter(after);
  const left = new Map<string, number[]>();
  const forms = changing.map(({ term, replacement }) => ({ form: term, replacement }));
  for (const { from, to } of findNames(after, forms).places) {
    const writing = after.slice(from, to).replace(/\s+/g, " ");
    const lines = left.get(writing) ?? [];
    lines.push(lineOf(from));
    left.set(writing, lines);
  }
  const issues: Issue[] = [...left].map(([term, lines]) => ({
    line: lines[0] ?? 0,
    kind: "term_remains",
    message: `“${term}” remains in ${places(lines.length)} (${shownLines(lines)}), although the plan changes it.`,
  }));
  const chunkLine = lineCounter(after);
  let shift = 0;
  for (const [index, chunk] of chunks.entries()) {
    const own = byChunk[index] ?? [];
    const line = chunkLine(chunk.from + shift);
    shift += own.reduce((sum, { from, to, insert }) => sum + insert.length - (to - from), 0);
    const met = countNames(chunk.text, terms);
    if (met.size === 0) continue;
    const written = replaced(chunk.text, chunk.from, inOrder(own));
    const found = countNames(written, [...terms, ...changing.map(({ replacement }) => replacement)]);
    for (const { term, replacement } of changing) {
      if (!met.has(term) || found.has(term) || found.has(replacement)) continue;
      const message = `Here “${term}” did not become “${replacement}” as the plan says, but something else.`;
      issues.push({ line, kind: "term_inconsistent", message });
    }
  }
  return inLineOrder(issues);
}
