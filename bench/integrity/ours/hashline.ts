// Edits by anchors, as a writer makes them who copies the anchors from what was read.

import { hashlineEdit } from "../../../packages/tools/src/code/edit/hashline/hashline-edit.ts";
import type { Case } from "../cases.ts";
import { type IntendedChange, occurrences, placesOf } from "../intended-changes.ts";
import type { CodeFormat, Fixture } from "./code-format.ts";
import { refusalIn, ToldRows, type WantedRow } from "./refusal-rows.ts";
import type { VisibleRange } from "./shown-lines.ts";

export const hashline: CodeFormat = {
  name: "stet code: hashline",
  about:
    "Lines are named by number and two letters as they were shown, and followed from there through everything that " +
    "happened since.",
  mode: "hashline",
  tool: hashlineEdit,
  needs: (one) => placesOf(one).map(namedLines),
  write(fixture) {
    const { one } = fixture;
    if (one.slip === "none") return inputOf(fixture, opsOf(fixture));
    if (one.slip === "off by one") {
      // The number is read from the line below, the letters from the right one.
      const shifted = opsOf(fixture).map((op) => ({ ...op, anchors: op.anchors.map(shiftedAnchor) }));
      return shifted.some(({ anchors }) => anchors.length > 0) ? inputOf(fixture, shifted) : undefined;
    }
    if (one.slip !== "abbreviated") return undefined;
    const ops = opsOf(fixture).map((op) => ({ ...op, payload: abbreviated(op) }));
    return ops.some(({ payload }) => payload.includes("…")) ? inputOf(fixture, ops) : undefined;
  },
  rewrite(fixture, answer) {
    const refusal = refusalIn(answer);
    if (refusal === undefined) return undefined;
    const rows = new ToldRows(refusal);
    const ops = opsOf(fixture);
    // What says that lines were left out needs no anchors to be mended.
    if (refusal.error === "invalid_arguments") return inputOf(fixture, ops);
    const repeated = refusal.details.repeated;
    if (typeof repeated === "string") return inputOf(fixture, withNeighbour(fixture, ops, repeated));
    let isFresh = false;
    const wanteds = placesOf(fixture.one).map((place) => wantedFor(fixture.one, place));
    const found = rows.findAll(wanteds);
    const fresh = wanteds.map((wanted, index) => {
      const op = ops[index] ?? { mark: "≔", anchors: [], removed: [], payload: [] };
      const at = found[index];
      if (at === undefined) return op;
      isFresh = true;
      const anchors = [rows.anchor(at) ?? "", rows.anchor(at + wanted.block.length - 1) ?? ""];
      return { ...op, anchors: op.anchors.length === 1 ? anchors.slice(0, 1) : anchors };
    });
    return isFresh ? inputOf(fixture, fresh) : undefined;
  },
};

interface Op {
  readonly mark: string;
  /** None for the start of the file, one for an insertion. */
  readonly anchors: readonly string[];
  readonly removed: readonly string[];
  readonly payload: readonly string[];
}

/** The lines that an edit names: those that go, or the one that an insertion stands behind. */
export function namedLines({ at, removed }: IntendedChange): VisibleRange {
  return removed.length > 0 ? [at, at + removed.length - 1] : [Math.max(0, at - 1), Math.max(0, at - 1)];
}

/** The same by their text, for finding them again, with what was seen around them. */
export function wantedFor({ seen }: Case, place: IntendedChange): WantedRow {
  const [from, to] = namedLines(place);
  const texts = seen.lines.map(({ text }) => text);
  const isStart = place.removed.length === 0 && place.at === 0;
  const block = isStart ? [] : texts.slice(from, to + 1);
  return {
    block,
    before: texts.slice(Math.max(0, from - 3), from),
    after: texts.slice(to + 1, to + 4),
    seenAt: from,
    isOnly: !isStart && occurrences(texts, block) === 1,
  };
}

function opsOf({ one, shown }: Fixture): Op[] {
  return placesOf(one).map(({ at, removed, added }) => {
    const payload = added;
    if (removed.length === 0)
      return { mark: "»", anchors: at === 0 ? [] : [shown.at(at - 1).anchor], removed, payload };
    const anchors = [shown.at(at).anchor, shown.at(at + removed.length - 1).anchor];
    return { mark: "≔", anchors, removed, payload };
  });
}

/** A line that is meant twice is asked back where it stands beside the place: it is replaced along, by itself. */
function withNeighbour({ one, shown }: Fixture, ops: readonly Op[], repeated: string): Op[] {
  return placesOf(one).map(({ at, removed, added }, index) => {
    const op = ops[index] ?? { mark: "≔", anchors: [], removed, payload: added };
    const text = (line: number) => one.seen.lines[line]?.text ?? "";
    const [above, below] = [at - 1, at + removed.length];
    if (at > 0 && shown.at(above).anchor === repeated) {
      const anchors = removed.length === 0 ? [repeated] : [repeated, op.anchors.at(-1) ?? ""];
      return { ...op, mark: "≔", anchors, payload: [text(above), ...added] };
    }
    if (shown.at(below).anchor !== repeated) return op;
    const anchors = removed.length === 0 ? [repeated] : [op.anchors[0] ?? "", repeated];
    return { ...op, mark: "≔", anchors, payload: [...added, text(below)] };
  });
}

function inputOf({ path }: Fixture, ops: readonly Op[]): { input: string } {
  const written = ops.flatMap(({ mark, anchors, payload }) => [
    `${mark}${anchors.length === 0 ? "BOF" : [...new Set(anchors)].join("..")}`,
    ...payload,
  ]);
  return { input: `§${path}\n${written.join("\n")}\n` };
}

function shiftedAnchor(anchor: string): string {
  return anchor.replace(/^\d+/, (number) => String(Number(number) + 1));
}

function abbreviated({ removed, payload }: Op): readonly string[] {
  if (removed.length < 4 || payload.length < 4) return payload;
  return [payload[0] ?? "", "…", payload.at(-1) ?? ""];
}
