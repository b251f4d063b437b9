// Hunks of a patch as edits of lines.
//
// All of them are looked for in one revision (source-text.ts). If none has them all, each goes where it fits. The lines that a
// hunk changes are followed to the newest revision from there; that the lines around them have changed since does no harm. A
// hunk that fits only the newest, which the model has not seen, does so by chance: it is shown, and taken when it comes again.

import { isFault } from "@stet/protocol/fault";
import type { LineEdit } from "@stet/text/edits";
import type { SeenDocument, Sight } from "../sight/sight.ts";
import { followedText } from "./followed-edits.ts";
import { type NamedHunk, oldLines } from "./hunk.ts";
import { changesOf, lineEditsOf, pieceEditsOf, piecesOf } from "./hunk-edits.ts";
import { changedSince, isMiss, type Miss } from "./miss.ts";
import { isOpenEnded, type PlacedHunk, placeHunks } from "./place-hunks.ts";
import { type Bases, type Basis, basesOf, countedSource, SourceText } from "./source-text.ts";
import { onlyNow, rowsAt } from "./text-miss.ts";

/** Edits of one revision, and the hunks that they make. */
export interface LocatedHunks {
  readonly revision: number;
  readonly edits: readonly LineEdit[];
  readonly placed: readonly PlacedHunk[];
}

/** Without a sight hunks are looked for in the newest text alone. */
export function locateHunks(
  sight: Sight | undefined,
  document: SeenDocument,
  hunks: readonly NamedHunk[],
): LocatedHunks[] | Miss {
  const bases = basesOf(sight, document, countedSource);
  const { newest } = bases;
  const end = hunks.findLast(({ hunk }) => hunk.end !== undefined)?.hunk.end;
  const found = onBases(bases, hunks);
  if (isMiss(found)) return withPieces(newest, hunks) ?? found;
  const located: LocatedHunks[] = [];
  for (const { basis, placed } of found) {
    // The last line of an older revision may not be the last one any more.
    const newEnd = basis === newest ? end : undefined;
    const edits = lineEditsOf(basis.text, changesOf(basis.source.lines, placed), newEnd);
    const after = followedText(document.history, basis.revision, edits);
    if (isFault(after)) return changedSince(document.path, after);
    located.push({ revision: basis.revision, edits, placed });
  }
  return located;
}

interface PlacedOn {
  readonly basis: Basis;
  readonly placed: readonly PlacedHunk[];
}

function onBases({ newest, likely }: Bases, hunks: readonly NamedHunk[]): PlacedOn[] | Miss {
  const whole = placeOn(likely, hunks);
  if (whole !== undefined) return isMiss(whole) ? whole : [whole];
  const miss = placeHunks(newest.source, hunks);
  if (!isMiss(miss)) return byChance(likely, miss);
  if (hunks.length === 1 || likely.length === 1 || miss.code === "conflict") return miss;
  const each: PlacedOn[] = [];
  for (const hunk of hunks) {
    const one = placeOn(likely, [hunk]);
    if (one === undefined) {
      const chance = placeHunks(newest.source, [hunk]);
      return isMiss(chance) ? miss : byChance(likely, chance);
    }
    if (isMiss(one)) return one;
    each.push(one);
  }
  return [...Map.groupBy(each, ({ basis }) => basis)].map(([basis, list]) => ({
    basis,
    placed: list.flatMap(({ placed }) => placed).sort((one, other) => one.at - other.at),
  }));
}

/** The first hunk that stands in none of the revisions that were shown. */
function byChance(likely: readonly Basis[], placed: readonly PlacedHunk[]): Miss | [] {
  const isShown = (found: PlacedOn | Miss | undefined) => found !== undefined && !isMiss(found);
  const chance = placed.find((hunk) => !isShown(placeOn(likely, [hunk]))) ?? placed[0];
  if (chance === undefined) return [];
  const last = chance.at + Math.max(1, oldLines(chance.hunk.lines).length) - 1;
  return onlyNow(chance.words, rowsAt(chance.at, last));
}

/** A miss where lines stand in what was shown with their neighbour left out: what happened since does not make that good. */
function placeOn(likely: readonly Basis[], hunks: readonly NamedHunk[]): PlacedOn | Miss | undefined {
  const found: PlacedOn[] = [];
  for (const basis of likely) {
    const placed = placeHunks(basis.source, hunks);
    if (isMiss(placed) && isOpenEnded(placed) && basis !== likely.at(-1)) return placed;
    if (isMiss(placed)) continue;
    if (placed.every(({ how }) => how === "exact")) return { basis, placed };
    found.push({ basis, placed });
  }
  return found[0];
}

/** Once more for a file whose lines also end in lone CRs. */
function withPieces({ revision, text }: Basis, hunks: readonly NamedHunk[]): LocatedHunks[] | undefined {
  const content = text.toString();
  if (!/\r(?!\n)/.test(content)) return undefined;
  const pieces = piecesOf(content);
  const lines = pieces.map((piece) => piece.text);
  const placed = placeHunks(new SourceText(lines), hunks);
  if (isMiss(placed)) return undefined;
  const end = hunks.findLast(({ hunk }) => hunk.end !== undefined)?.hunk.end;
  return [{ revision, edits: pieceEditsOf(pieces, changesOf(lines, placed), end), placed: [] }];
}
