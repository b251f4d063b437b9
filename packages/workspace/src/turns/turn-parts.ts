// The parts of a turn, when it is decided by itself.
//
// A hunk that several turns made is decided for one of them only as far as its part can be separated from the others' (see
// layers.ts of text). Where it cannot, the other turns have to be named, too: nothing of a turn is ever decided
// unasked. A turn that is decided on as a whole is then taken along as a whole.

import { Fault } from "@stet/protocol/fault";
import { hunkId } from "@stet/text/hunk-view";
import { rawLines } from "@stet/text/lines";
import { isOpen, type Located, locatePieces, type OpenPiece, partLeft } from "@stet/text/pending";
import type { DocumentState, Verdict } from "../documents/document-state.ts";

/** What of one document is decided: for each hunk the turns whose part of it. */
export interface Chosen {
  readonly state: DocumentState;
  readonly hunks: ReadonlyMap<number, ReadonlySet<string>>;
}

export interface TurnSelection {
  readonly turn: string;
  /** Only in these hunks of it; in all where none are named. */
  readonly hunks?: readonly string[] | undefined;
  /** Turns that may be decided along where their parts cannot be separated from this one's. */
  readonly also?: readonly string[] | undefined;
}

/** What is asked of the ledger: the documents of a turn, and whether it is decided on as a whole. */
export interface TurnLookup {
  states(turn: string): readonly DocumentState[];
  isWhole(turn: string): boolean;
  summary(turn: string): string;
}

export function choosePartsOf(
  lookup: TurnLookup,
  verdict: Verdict,
  { turn, hunks, also = [] }: TurnSelection,
): Chosen[] | Fault {
  const named = hunks === undefined ? undefined : new Set(hunks);
  const chosen = new Map<number, { state: DocumentState; hunks: Map<number, Set<string>> }>();
  const entangled: Entangled = { hunks: new Set(), turns: new Set() };
  const queue = [turn];
  for (const one of queue) {
    for (const state of lookup.states(one)) {
      const known = chosen.get(state.id) ?? { state, hunks: new Map<number, Set<string>>() };
      for (const located of locatePieces(state.pending)) {
        if (!isOpenPiece(located) || !located.piece.turns.includes(one)) continue;
        const { id } = located.piece;
        if (one === turn && named?.has(hunkId(state.id, id)) === false) continue;
        const wanted = new Set([...(known.hunks.get(id) ?? []), one]);
        const needed = othersNeeded(state, located, verdict, wanted);
        const isAllowed = needed.every((other) => also.includes(other));
        if (!isAllowed) {
          entangled.hunks.add(hunkId(state.id, id));
          for (const other of needed) entangled.turns.add(other);
          continue;
        }
        for (const other of needed) {
          wanted.add(other);
          if (lookup.isWhole(other) && !queue.includes(other)) queue.push(other);
        }
        known.hunks.set(id, wanted);
      }
      if (known.hunks.size > 0) chosen.set(state.id, known);
    }
  }
  return entangled.hunks.size > 0 ? cannotTellApart(lookup, turn, entangled) : [...chosen.values()];
}

function isOpenPiece(located: Located): located is Located<OpenPiece> {
  return isOpen(located.piece);
}

/** The fewest other turns with which these can be decided in a piece. */
function othersNeeded(
  { pending }: DocumentState,
  { piece, a }: Located<OpenPiece>,
  verdict: Verdict,
  wanted: ReadonlySet<string>,
): string[] {
  const others = piece.turns.filter((turn) => !wanted.has(turn));
  if (others.length === 0) return [];
  const base = rawLines(pending.base, a, a + piece.removed);
  const isApart = (turns: ReadonlySet<string>) => partLeft(piece, base, verdict, turns) !== undefined;
  if (isApart(wanted)) return [];
  const single = others.find((other) => isApart(new Set([...wanted, other])));
  return single === undefined ? others : [single];
}

/** Whether a turn's part of an open piece can be rejected by itself. */
export function canReject(state: DocumentState, id: number, turn: string): boolean {
  for (const located of locatePieces(state.pending)) {
    if (located.piece.id !== id || !isOpenPiece(located)) continue;
    return othersNeeded(state, located, "rejected", new Set([turn])).length === 0;
  }
  return false;
}

/** A sentence names so many turns; the details have all. */
const namedTurns = 3;

interface Entangled {
  readonly hunks: Set<string>;
  readonly turns: Set<string>;
}

function cannotTellApart(lookup: TurnLookup, turn: string, { hunks, turns }: Entangled): Fault {
  const others = [...turns].map((other) => ({ turn: other, summary: lookup.summary(other) }));
  const all = others.map(({ summary, turn: id }) => (summary === "" ? id : `“${summary}”`));
  const more = all.length - namedTurns;
  const names = more > 0 ? [...all.slice(0, namedTurns), `${more} more`].join(", ") : all.join(" and ");
  const count = hunks.size === 1 ? "One change" : `${hunks.size} changes`;
  return new Fault(
    "turns_overlap",
    `${count} of this turn cannot be told from what ${names} did to the same words. Nothing was decided.`,
    "Decide on them together by naming the other turns as well, or decide on the turn that came later first.",
    { turn, turns: others, hunk_ids: [...hunks] },
  );
}
