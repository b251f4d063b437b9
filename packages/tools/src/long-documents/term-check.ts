// Whether all chunks followed the glossary: terms that remain, and terms that became something else in one chunk.

import type { ChangeSet, Text } from "@codemirror/state";
import type { Chunk } from "@stet/text/sentences/chunks";
import { type Issue, inLineOrder, linesByWriting, places } from "./issue.ts";
import { countNames, findNames } from "./names.ts";
import { lineOf } from "./replacements.ts";
import type { Plan } from "./transform-kinds.ts";

export interface RewrittenText {
  readonly text: Text;
  readonly change: ChangeSet;
  readonly chunks: readonly Chunk[];
  readonly glossary: Plan["glossary"];
}

export function checkTerms({ text, change, chunks, glossary }: RewrittenText): Issue[] {
  const changing = glossary.filter(({ term, replacement }) => countNames(replacement, [term]).size === 0);
  if (changing.length === 0) return [];
  const after = change.apply(text);
  const terms = changing.map(({ term }) => term);
  const forms = changing.map(({ term, replacement }) => ({ form: term, replacement }));
  const left = linesByWriting(after, findNames(after.toString(), forms).places);
  const issues: Issue[] = [...left].map(([term, lines]) => ({
    line: lines[0] ?? 0,
    kind: "term_remains",
    message: `“${term}” remains in ${places(lines)}, although the plan changes it.`,
  }));
  for (const { from, to, text: before } of chunks) {
    const met = countNames(before, terms);
    if (met.size === 0) continue;
    const start = change.mapPos(from, -1);
    const written = after.sliceString(start, change.mapPos(to, -1));
    const found = countNames(written, [...terms, ...changing.map(({ replacement }) => replacement)]);
    for (const { term, replacement } of changing) {
      if (!met.has(term) || found.has(term) || found.has(replacement)) continue;
      const message = `Here “${term}” did not become “${replacement}” as the plan says, but something else.`;
      issues.push({ line: lineOf(after, start), kind: "term_inconsistent", message });
    }
  }
  return inLineOrder(issues);
}
