// On which revision of a file the hunks of a patch are placed.
//
// A model writes them for what it was shown. So all of them are looked for in the revision that was shown, then in those that
// were shown before; where they stand exactly comes before where they stand with other white space. If there is no revision
// that has them all, each goes where it fits. The lines that a hunk changes are followed to the newest revision from there;
// that the lines around them have changed since does no harm. A hunk that fits only the newest, which the model has not seen,
// does so by chance: it is shown, and taken when it comes again.

import type { Text } from "@codemirror/state";
import { isFault } from "@stet/protocol/fault";
import { type History, textAt } from "@stet/text/history";
import type { Miss } from "../../../locate/miss.ts";
import { isOpenEnded, notAsShown } from "./hunk-faults.ts";
import type { PatchHunk } from "./patch-hunk.ts";
import { type PatchSource, sourceOf } from "./patch-source.ts";
import { isMiss, type PlacedHunk, placeHunks } from "./place-hunks.ts";

export interface Basis {
  readonly revision: number;
  readonly text: Text;
}

export interface PlacedOn {
  readonly basis: Basis;
  readonly placed: readonly PlacedHunk[];
}

/** How many revisions are looked into. */
const maxRevisions = 9;

/** `meant` are the revisions that the model can have meant, the likeliest first. */
export function placeOnMeant(
  history: History,
  newest: Basis,
  meant: readonly number[],
  hunks: readonly PatchHunk[],
  path: string,
): PlacedOn[] | Miss {
  const bases = basesOf(history, newest, meant);
  const whole = placeOn(bases, hunks, path);
  if (whole !== undefined) return isMiss(whole) ? whole : [whole];
  const fault = placeHunks(bases.source(newest), hunks, path);
  if (!isMiss(fault)) return unseen(bases, fault, path);
  if (hunks.length === 1 || bases.order.length === 1 || fault.code === "conflict") return fault;
  const each: PlacedOn[] = [];
  for (const [index, hunk] of hunks.entries()) {
    const one = placeOn(bases, [hunk], path);
    if (one === undefined) {
      const chance = placeHunks(bases.source(newest), [hunk], path);
      return isMiss(chance) ? fault : unseen(bases, chance, path);
    }
    if (isMiss(one)) return one;
    each.push({ ...one, placed: one.placed.map((placed) => ({ ...placed, number: index + 1 })) });
  }
  return [...Map.groupBy(each, ({ basis }) => basis)].map(([basis, list]) => ({
    basis,
    placed: list.flatMap(({ placed }) => placed).sort((one, other) => one.at - other.at),
  }));
}

/** The first hunk that stands in none of the revisions that were shown. */
function unseen(bases: Bases, placed: readonly PlacedHunk[], path: string): Miss | [] {
  const chance = placed.find(({ hunk }) => !isPlaced(placeOn(bases, [hunk], path))) ?? placed[0];
  return chance === undefined ? [] : notAsShown({ ...chance, path }, chance.at);
}

function isPlaced(found: PlacedOn | Miss | undefined): boolean {
  return found !== undefined && !isMiss(found);
}

interface Bases {
  readonly newest: Basis;
  /** Those in which hunks are looked for. */
  readonly order: readonly Basis[];
  source(basis: Basis): PatchSource;
}

function basesOf(history: History, newest: Basis, meant: readonly number[]): Bases {
  const bases = meant.slice(0, maxRevisions).flatMap((revision): Basis[] => {
    if (revision === newest.revision) return [newest];
    const text = textAt(history, revision);
    return isFault(text) ? [] : [{ revision, text }];
  });
  const sources = new Map<Basis, PatchSource>();
  return {
    newest,
    order: bases.length > 0 ? bases : [newest],
    source(basis) {
      const known = sources.get(basis) ?? sourceOf(basis.text);
      sources.set(basis, known);
      return known;
    },
  };
}

/** A fault where the lines stand in what was shown, with a line left out: what happened since does not make it good. */
function placeOn(
  { order, source }: Bases,
  hunks: readonly PatchHunk[],
  path: string,
): PlacedOn | Miss | undefined {
  const found: PlacedOn[] = [];
  for (const basis of order) {
    const placed = placeHunks(source(basis), hunks, path);
    if (isMiss(placed) && isOpenEnded(placed) && basis !== order.at(-1)) return placed;
    if (isMiss(placed)) continue;
    if (placed.every(({ how }) => how === "exact")) return { basis, placed };
    found.push({ basis, placed });
  }
  return found[0];
}
