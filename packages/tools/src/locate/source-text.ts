// The revisions of a document in which a text of the model is looked for.
//
// A model writes for what it was shown: the newest revision that was shown comes first, then those before it. One in which the
// text stands exactly comes before one in which it stands with other white space.

import type { Text } from "@codemirror/state";
import { isFault } from "@stet/protocol/fault";
import { textAt } from "@stet/text/history";
import { countLines, rawLines, withoutReturn } from "@stet/text/lines";
import { occurrences } from "@stet/text/occurrences";
import type { SeenDocument, Sight } from "../sight/sight.ts";
import { foldedAs, type ToleranceName } from "./tolerance.ts";

/** Lines without their ends, as texts are compared with them. */
export class SourceText {
  readonly lines: readonly string[];
  readonly #folded = new Map<ToleranceName, readonly string[]>();
  #content: string | undefined;
  #starts: readonly number[] | undefined;

  constructor(lines: readonly string[]) {
    this.lines = lines;
  }

  /** All lines, with what may differ left out. */
  at(how: ToleranceName): readonly string[] {
    const lines = how === "exact" ? this.lines : (this.#folded.get(how) ?? this.lines.map(foldedAs[how]));
    this.#folded.set(how, lines);
    return lines;
  }

  /** Where lines stand one after the other, in this way or a stricter one. */
  placesOf(wanted: readonly string[], how: ToleranceName): number[] {
    return occurrences(this.at(how), wanted.map(foldedAs[how]));
  }

  /** With plain line breaks. */
  get content(): string {
    this.#content ??= this.lines.join("\n");
    return this.#content;
  }

  /** Where a line, 0-based, begins in the content. */
  start(line: number): number {
    return this.#lineStarts[line] ?? 0;
  }

  end(line: number): number {
    return this.start(line) + (this.lines[line] ?? "").length;
  }

  /** The line, 0-based, that a position of the content is in. */
  lineAt(position: number): number {
    const starts = this.#lineStarts;
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  get #lineStarts(): readonly number[] {
    let at = 0;
    this.#starts ??= this.lines.map((line) => {
      at += line.length + 1;
      return at - line.length - 1;
    });
    return this.#starts;
  }
}

/** Behind a final line break stands an empty raw line, in which a quote may end. */
export function rawSource(text: Text): SourceText {
  return new SourceText(rawLines(text, 0, text.lines).map(withoutReturn));
}

export function countedSource(text: Text): SourceText {
  return new SourceText(rawLines(text, 0, countLines(text)).map(withoutReturn));
}

export interface Basis {
  readonly revision: number;
  readonly text: Text;
  readonly source: SourceText;
}

export interface Bases {
  readonly newest: Basis;
  /** Those in which a text can have been meant, the likeliest first. */
  readonly likely: readonly Basis[];
}

/** The text that the model was last shown; the newest where it was shown none, or that is forgotten. */
export function shownText(sight: Sight, document: SeenDocument): { revision: number; text: Text } {
  const { history } = document;
  const revision = sight.revision(document) ?? history.revision;
  const text = textAt(history, revision);
  return isFault(text) || text === history.text ? history : { revision, text };
}

/** How many revisions are looked into. */
const maxRevisions = 9;

/** Without a sight only the newest text can be meant. */
export function basesOf(
  sight: Sight | undefined,
  document: SeenDocument,
  sourceOf: (text: Text) => SourceText,
): Bases {
  const { history } = document;
  const newest = basisOf(history.revision, history.text, sourceOf);
  const revisions = sight?.quotable(document).slice(0, maxRevisions) ?? [];
  const likely = revisions.flatMap((revision): Basis[] => {
    if (revision === newest.revision) return [newest];
    const text = textAt(history, revision);
    return isFault(text) ? [] : [basisOf(revision, text, sourceOf)];
  });
  return { newest, likely: likely.length > 0 ? likely : [newest] };
}

function basisOf(revision: number, text: Text, sourceOf: (text: Text) => SourceText): Basis {
  let source: SourceText | undefined;
  return {
    revision,
    text,
    get source() {
      source ??= sourceOf(text);
      return source;
    },
  };
}
