// Keys of vim: lines by the numbers that were read, from the bottom up so that none of them moves, and beside them the lines
// that are meant to be there.

import { vimEdit } from "../../../packages/tools/src/code/edit/vim/vim-edit.ts";
import type { Case } from "../cases.ts";
import { type IntendedChange, placesOf } from "../intended-changes.ts";
import type { CodeFormat, Fixture, Input } from "./code-format.ts";
import { namedLines, wantedFor } from "./hashline.ts";
import { refusalIn, ToldRows } from "./refusal-rows.ts";

export const vim: CodeFormat = {
  name: "stet code: vim",
  about:
    "Keys in a buffer of the revision that the model was shown; what they change is followed from there. The lines that " +
    "they are meant for can be quoted beside them.",
  mode: "vim",
  tool: vimEdit,
  /** A line that is longer than a call can type. */
  isUnsayable: (answer) => /keys are more than the \d+ that one call may have/.test(answer),
  needs: (one) => placesOf(one).map(namedLines),
  write(fixture) {
    const { slip } = fixture.one;
    if (slip === "none") return inputOf(fixture, numberedPlaces(fixture.one), 0);
    return slip === "off by one" ? inputOf(fixture, numberedPlaces(fixture.one), 1) : undefined;
  },
  rewrite(fixture, answer) {
    const refusal = refusalIn(answer);
    if (refusal === undefined) return undefined;
    const rows = new ToldRows(refusal);
    let isFresh = false;
    const found = rows.findAll(placesOf(fixture.one).map((place) => wantedFor(fixture.one, place)));
    const places = numberedPlaces(fixture.one).map((place, index) => {
      const at = found[index];
      if (at === undefined) return place;
      isFresh = true;
      return { ...place, at: place.removed.length > 0 ? at : at + 1 };
    });
    return isFresh ? inputOf(fixture, places, 0) : undefined;
  },
};

function inputOf({ path }: Fixture, places: readonly NumberedPlace[], shift: number): Input | undefined {
  // The start of the file has no number to get wrong.
  const numbered = places.filter(({ at, removed }) => at > 0 || removed.length > 0);
  if (shift > 0 && numbered.length === 0) return undefined;
  const keys = places.toReversed().map((place) => keysFor(place, numbered.includes(place) ? shift : 0));
  const expect = numbered.flatMap((place) => {
    const [first] = namedLines(place);
    const rows = place.removed.length > 0 ? place.removed : [place.above];
    return rows.map((text, index) => `${first + index + 1}|${text}`);
  });
  // Where lines come at the start, nothing but the start says where.
  return { path, keys, ...(numbered.length < places.length ? {} : { expect }) };
}

/** A place, and the line above it. */
interface NumberedPlace extends IntendedChange {
  readonly above: string;
}

function numberedPlaces(one: Case): NumberedPlace[] {
  return placesOf(one).map((place) => ({ ...place, above: one.seen.lines[place.at - 1]?.text ?? "" }));
}

function keysFor({ at, removed, added }: IntendedChange, shift: number): string {
  const typed = added.map((line) => line.replaceAll("<", "<lt>")).join("\n");
  const first = at + 1 + shift;
  if (removed.length === 0) return at + shift === 0 ? `ggO${typed}<Esc>` : `${at + shift}Go${typed}<Esc>`;
  if (added.length === 0) return `:${first},${first + removed.length - 1}d`;
  return `${first}G${removed.length}cc${typed}<Esc>`;
}
