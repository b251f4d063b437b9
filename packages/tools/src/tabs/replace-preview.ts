// What a replacement does, shown place by place: the line before and after, cut around the match where it is long.

import type { Text } from "@codemirror/state";
import type { ReplacePlan } from "@stet/text/find";

export interface ReplacePreview {
  /** On which the match begins, 0-based. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

export const maxPreviews = 20;
/** More than are shown, because the line of the last one shown may hold others. */
export const plannedForPreviews = 200;

const margin = 100;
/** Of a long match or replacement only the beginning is shown. */
const maxShown = 300;

type Replacement = ReplacePlan["replacements"][number];

export function previewsOf(text: Text, replacements: readonly Replacement[]): ReplacePreview[] {
  return replacements.slice(0, maxPreviews).map((replacement, index) => {
    return previewOf(text, replacements, index, replacement);
  });
}

function previewOf(
  text: Text,
  replacements: readonly Replacement[],
  index: number,
  { from, to }: Replacement,
): ReplacePreview {
  const first = text.lineAt(from);
  const last = to <= first.to ? first : text.lineAt(to);
  let start = Math.max(first.from, from - margin);
  let end = Math.min(last.to, to + margin);
  // A neighbour is shown whole, or limits what is shown.
  for (const [at, other] of replacements.entries()) {
    if (at < index && other.from < start && other.to >= start) start = other.to;
    if (at >= index && other.from <= end && other.to > end) end = other.from;
  }
  const shown = replacements.filter((other) => other.from >= start && other.to <= end);
  let before = "";
  let after = "";
  let done = start;
  const keep = (until: number): void => {
    const part = text.sliceString(done, until);
    before += part;
    after += part;
  };
  for (const other of shown) {
    keep(other.from);
    before += shortened(text, other.from, other.to);
    after += other.insert.length > maxShown ? `${other.insert.slice(0, maxShown)}...` : other.insert;
    done = other.to;
  }
  keep(end);
  const head = start > first.from ? "..." : "";
  const tail = end < last.to ? "..." : "";
  const tidy = (part: string) => `${head}${part}${tail}`.replace(/\r(?=\n|$)/g, "");
  return { line: first.number - 1, before: tidy(before), after: tidy(after) };
}

function shortened(text: Text, from: number, to: number): string {
  return to - from > maxShown ? `${text.sliceString(from, from + maxShown)}...` : text.sliceString(from, to);
}
