// Pronouns of one character: transformers name each as line, word and which of that word in the line; code finds it there.
//
// Asked are chunks in which the character is named, and the chunk behind each of these: further on, nobody could tell whom
// a pronoun means.

import type { Text } from "@codemirror/state";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { Chunk } from "@stet/text/sentences/chunks";
import { chunkName } from "./document-chunks.ts";
import type { Issue, Question } from "./issue.ts";
import { type NameForm, type NamePlace, namePattern } from "./names.ts";
import { numbered, type Piece, piecesOf, questionsWithin } from "./numbered-lines.ts";
import { lineOf, type Replacement } from "./replacements.ts";
import { type PronounEdit, pronounCheckRole, pronounsRole } from "./transform-kinds.ts";
import { assign, type Workshop } from "./workshop.ts";

export interface PronounWork {
  readonly text: Text;
  readonly chunks: readonly Chunk[];
  readonly forms: readonly NameForm[];
  readonly places: readonly NamePlace[];
  readonly gender: string;
}

export interface PronounChanges {
  readonly replacements: readonly Replacement[];
  readonly questions: readonly Question[];
}

export async function pronounEdits(workshop: Workshop, work: PronounWork): Promise<PronounChanges | Fault> {
  const { text, chunks, forms, places, gender } = work;
  const named = chunksNaming(chunks, forms);
  const asked = chunks.filter((_, index) => named.has(index) || named.has(index - 1));
  const shown = asked.map((chunk) => piecesOf(text, chunk));
  const results = await assign(
    workshop,
    pronounsRole,
    asked.map((chunk, index) => {
      const pieces = shown[index] ?? [];
      return {
        name: `pronouns in ${chunkName(chunk, chunks)}`,
        task: { names: forms.map(({ form }) => form), gender },
        context: chunk.before,
        document: numbered(pieces),
        check: ({ edits }: { edits: readonly PronounEdit[] }) => {
          const placed = placePronouns(pieces, edits, places);
          return typeof placed === "string" ? placed : undefined;
        },
      };
    }),
    { doing: "Changing pronouns", isKept: false },
  );
  if (isFault(results)) return results;
  const replacements = results.flatMap(({ edits }, index) => {
    const placed = placePronouns(shown[index] ?? [], edits, places);
    return typeof placed === "string" ? [] : placed;
  });
  return { replacements, questions: questionsWithin(results, shown) };
}

function chunksNaming(chunks: readonly Chunk[], forms: readonly NameForm[]): Set<number> {
  const pattern = namePattern(
    forms.map(({ form }) => form),
    { ignoresCase: true },
  );
  return new Set(chunks.flatMap((chunk, index) => (chunk.text.search(pattern) >= 0 ? [index] : [])));
}

/** Where the edits are in the document; or what is wrong with one of them. */
export function placePronouns(
  pieces: readonly Piece[],
  edits: readonly PronounEdit[],
  names: readonly NamePlace[],
): Replacement[] | string {
  const byLine = new Map(pieces.map((piece) => [piece.line, piece]));
  const [start, end] = [pieces[0]?.from ?? 0, pieces.at(-1)?.to ?? 0];
  const near = names.filter((name) => name.from < end && start < name.to);
  const placed = new Map<number, Replacement>();
  for (const { line, word, replacement, occurrence } of edits) {
    const piece = byLine.get(line);
    if (piece === undefined) return `Line ${line} is not among the lines shown.`;
    if (!isOneWord(word) || !isOneWord(replacement))
      return `“${word}” → “${replacement}”: both must be single words.`;
    const at = nthWord(piece.content, word, occurrence);
    if (at === undefined) return `“${word}” number ${occurrence} is not in line ${line}.`;
    const from = piece.from + at;
    const to = from + word.length;
    if (near.some((name) => name.from < to && from < name.to))
      return `“${word}” in line ${line} is the name, not a pronoun.`;
    if (word !== replacement) placed.set(from, { from, to, insert: replacement });
  }
  return [...placed.values()];
}

function isOneWord(text: string): boolean {
  return /^[\p{L}\p{M}'’-]{1,20}$/u.test(text);
}

function nthWord(line: string, word: string, occurrence: number): number | undefined {
  const literal = word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const pattern = new RegExp(`(?<![\\p{L}\\p{M}\\p{N}])${literal}(?![\\p{L}\\p{M}\\p{N}])`, "gu");
  let count = 0;
  for (const match of line.matchAll(pattern)) {
    count += 1;
    if (count === occurrence) return match.index;
  }
  return undefined;
}

/** Reads the changed text again, as far as pronouns were changed in it, and tells what contradicts. */
export async function checkPronouns(
  workshop: Workshop,
  after: Text,
  ranges: readonly { readonly from: number; readonly to: number }[],
  { names, gender }: { readonly names: readonly string[]; readonly gender: string },
): Promise<Issue[] | Fault> {
  const parts = ranges.map(({ from, to }) => {
    const first = lineOf(after, from);
    const lines = after.sliceString(from, to).replace(/\n$/, "").split("\n");
    return {
      first,
      last: first + lines.length - 1,
      document: lines.map((line, index) => `${first + index}|${line}`).join("\n"),
    };
  });
  const results = await assign(
    workshop,
    pronounCheckRole,
    parts.map(({ first, last, document }, index) => ({
      name: `the check of part ${index + 1} of ${parts.length}`,
      task: { names, gender },
      document,
      check: ({ issues }: { issues: readonly { line: number }[] }) => {
        const outside = issues.find(({ line }) => line < first || line > last);
        return outside === undefined ? undefined : `Line ${outside.line} is not among the lines shown.`;
      },
    })),
    { doing: "Checking pronouns", isKept: false },
  );
  if (isFault(results)) return results;
  return results.flatMap(({ issues }) => issues.map((issue) => ({ ...issue, kind: "pronoun" }) as const));
}
