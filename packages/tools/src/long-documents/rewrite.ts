// Rewriting a whole document: another setting, another style, or whatever was asked for.
//
//   analysers    collect the terms that must be treated alike everywhere
//   planner      makes one glossary and one set of rules from them, for all chunks
//   transformers return edits of whole lines, each within its own chunk
//   checker      tells where the glossary was not followed
//
// A document of one chunk needs no plan: its one transformer sees all of it.

import { Fault, isFault } from "@stet/protocol/fault";
import { diffLines } from "@stet/text/diff";
import { countLines, linesOf } from "@stet/text/lines";
import type { Chunk } from "@stet/text/sentences/chunks";
import { count } from "./analysis-reports.ts";
import { chunkName, chunksOf, type SourceDocument } from "./document-chunks.ts";
import { inLineOrder, questionIssues } from "./issue.ts";
import { countNames } from "./names.ts";
import { numbered, type Piece, piecesOf, questionsWithin, replacementOf } from "./numbered-lines.ts";
import { changeBy, lineEditsOf, type Replacement } from "./replacements.ts";
import { checkTerms } from "./term-check.ts";
import type { Transformed } from "./transform.ts";
import {
  type Plan,
  planRole,
  type Rewrite,
  type RewriteEdit,
  rewriteRole,
  termsRole,
} from "./transform-kinds.ts";
import { assign, assignOne, type Workshop } from "./workshop.ts";

export async function rewriteDocument(
  workshop: Workshop,
  document: SourceDocument,
  rewrite: Rewrite,
): Promise<Transformed | Fault> {
  const { text } = document;
  const chunks = await chunksOf(document, workshop.chunkTokens);
  const plan = chunks.length === 1 ? noPlan : await planFor(workshop, text.toString(), chunks, rewrite);
  if (isFault(plan)) return plan;
  const shown = chunks.map((chunk) => piecesOf(text, chunk));
  const results = await assign(
    workshop,
    rewriteRole,
    chunks.map((chunk, index) => ({
      name: chunkName(chunk, chunks),
      task: { ...rewrite.task, section: chunk.heading, ...planWithin(plan, chunk.text) },
      context: chunk.before,
      document: numbered(shown[index] ?? []),
      check: ({ edits }: { edits: readonly RewriteEdit[] }) => problemWith(edits, shown[index] ?? []),
    })),
    { doing: "Rewriting parts", isKept: false },
  );
  if (isFault(results)) return results;
  const byChunk = results.map(({ edits }, index) => replacementsOf(edits, shown[index] ?? []));
  const change = changeBy(text, byChunk.flat());
  if (change.empty) return nothingChanged(rewrite);
  const edits = lineEditsOf(text, change);
  const changedLines = edits.reduce((sum, edit) => sum + ("from" in edit ? edit.to - edit.from + 1 : 0), 0);
  return {
    edits,
    changesMade: edits.length,
    summary: `${rewrite.done} in ${count(edits.length, "place")}: ${changedLines.toLocaleString("en-US")} of ${countLines(text).toLocaleString("en-US")} lines changed`,
    issues: inLineOrder([
      ...questionIssues(text, change, questionsWithin(results, shown)),
      ...checkTerms({ text, change, chunks, glossary: plan.glossary }),
    ]),
  };
}

const noPlan: Plan = { glossary: [], guidelines: [] };

async function planFor(
  workshop: Workshop,
  text: string,
  chunks: readonly Chunk[],
  rewrite: Rewrite,
): Promise<Plan | Fault> {
  const reports = await assign(
    workshop,
    termsRole,
    chunks.map((chunk) => ({
      name: `terms in ${chunkName(chunk, chunks)}`,
      task: rewrite.task,
      context: chunk.before,
      document: chunk.text,
    })),
    { doing: "Collecting terms", isKept: true },
  );
  if (isFault(reports)) return reports;
  const terms = await termsWithin(
    workshop.chunkTokens,
    text,
    reports.flatMap((report) => report.terms),
  );
  return assignOne(
    workshop,
    planRole,
    { name: "the plan", task: rewrite.task, document: terms.map((term) => JSON.stringify(term)).join("\n") },
    { doing: "Planning changes", isKept: false },
  );
}

/** Terms that do occur, the most frequent first, as many as the budget holds. */
async function termsWithin(
  budget: number,
  text: string,
  reported: readonly { readonly term: string; readonly note: string }[],
): Promise<{ term: string; count: number; note: string }[]> {
  const { loadTokenCounter } = await import("../count-tokens.ts");
  const measure = await loadTokenCounter();
  const notes = new Map<string, string>();
  for (const { term, note } of reported) notes.set(term, notes.get(term) || note);
  const counts = countNames(text, [...notes.keys()]);
  const found = [...counts].map(([term, { count }]) => ({ term, count, note: notes.get(term) ?? "" }));
  found.sort((one, other) => other.count - one.count);
  let size = 0;
  return found.filter((term) => {
    size += measure(JSON.stringify(term)) + 1;
    return size <= budget;
  });
}

/** What a chunk's transformer is told of the plan: all rules, and the terms that it meets. */
function planWithin({ glossary, guidelines }: Plan, text: string): Readonly<Record<string, unknown>> {
  const met = countNames(
    text,
    glossary.map(({ term }) => term),
  );
  return { glossary: glossary.filter(({ term }) => met.has(term)), guidelines };
}

const nonsenseLength = 200;

/** What is wrong with a transformer's edits, as a sentence for it; undefined where they can be used. */
export function problemWith(edits: readonly RewriteEdit[], pieces: readonly Piece[]): string | undefined {
  const first = pieces[0]?.line ?? 0;
  const last = pieces.at(-1)?.line ?? -1;
  let next = first;
  for (const { start_line, end_line } of edits.toSorted((one, other) => one.start_line - other.start_line)) {
    if (start_line > end_line) return `Lines ${start_line} to ${end_line}: the end is before the start.`;
    if (start_line < first || end_line > last) {
      return `Lines ${start_line} to ${end_line} are not all within lines ${first} to ${last}, which are yours.`;
    }
    if (start_line < next) return `Two edits both change line ${start_line}. Join them into one.`;
    next = end_line + 1;
  }
  const marked = edits.find((edit) => hasNumbers(edit, pieces));
  if (marked !== undefined)
    return `The content for line ${marked.start_line} has line numbers in it. Write the lines without them.`;
  const length = pieces.reduce((sum, { content }) => sum + content.length + 1, 0);
  const change = replacementsOf(edits, pieces).reduce(
    (sum, { from, to, insert }) => sum + insert.length - (to - from),
    0,
  );
  if (length < nonsenseLength) return undefined;
  if (length + change <= length / 10)
    return "Next to nothing of the text would be left. Return edits that keep the text.";
  if (length + change >= length * 10)
    return "The text would grow to ten times its size. Return edits of the lines shown.";
  return undefined;
}

/** Whether the numbers that lines are shown with were taken for a part of them. */
function hasNumbers({ start_line, content }: RewriteEdit, pieces: readonly Piece[]): boolean {
  const old = pieces[start_line - (pieces[0]?.line ?? 0)]?.content ?? "";
  return content.startsWith(`${start_line}|`) && !old.startsWith(`${start_line}|`);
}

/** The edits as replacements of exactly the lines that differ. */
export function replacementsOf(edits: readonly RewriteEdit[], pieces: readonly Piece[]): Replacement[] {
  const first = pieces[0]?.line ?? 0;
  return edits.flatMap(({ start_line, end_line, content }) => {
    const old = pieces.slice(start_line - first, end_line - first + 1);
    if (!old.every(({ isWholeLine }) => isWholeLine)) {
      const replacement = replacementOf(old, content);
      const isSame = replacement?.insert === old.map((piece) => piece.content).join("\n");
      return replacement === undefined || isSame ? [] : [replacement];
    }
    const lines = linesOf(content);
    const diff = diffLines(
      old.map((piece) => piece.content),
      lines,
    );
    return diff.flatMap(({ at, removed, newAt, added }) => {
      const inserted = lines.slice(newAt, newAt + added);
      // Behind the last line there is nothing to put lines before, so they come with that line.
      const isBehind = at === old.length;
      const first = old[isBehind ? at - 1 : at];
      if (first === undefined) return [];
      const from = first.from;
      const to = isBehind ? first.end : (old[at + removed - 1]?.end ?? from);
      const written = isBehind ? [first.content, ...inserted] : inserted;
      return [
        {
          from,
          to: removed === 0 && !isBehind ? from : to,
          insert: written.map((line) => `${line}\n`).join(""),
        },
      ];
    });
  });
}

function nothingChanged({ kind }: Rewrite): Fault {
  return new Fault(
    "no_change",
    `The subagents found nothing to change for ${kind}.`,
    "Check the parameters against the text, for example with search_document.",
  );
}
