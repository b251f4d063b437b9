// Headings that are only numbered: "1. Scope", "2)", "IV". A list has the same form, so they count when each stands
// alone between blank lines, their numbers follow each other from the first, and there is text between them.

import type { OutlineLine, OutlineScan } from "./blocks.ts";
import type { Announced } from "./chapters.ts";
import { withoutContents } from "./contents.ts";
import { ranks } from "./markers.ts";
import { romanValue } from "./numbers.ts";
import { displayTitle, isAllCaps } from "./titles.ts";

const form = /^(?:(\d{1,3}(?:\.\d{1,3}){0,3})|([IVXLC]{1,8}))(\.|\)|)(?:\s+(\S.{0,100}))?$/;

interface Numbered {
  readonly line: OutlineLine;
  readonly isRoman: boolean;
  readonly numbers: readonly number[];
}

/** `parts` are the headings under which the numbers may begin again. */
export function numberedHeadings(scan: OutlineScan, parts: readonly Announced[]): Announced[] {
  const candidates = scan.numbered.flatMap((candidate) => numberedAt(scan, candidate) ?? []);
  const listed = new Set(withoutContents(candidates.map(announced), scan).map(({ line }) => line));
  const all = candidates.filter(({ line: candidate }) => listed.has(candidate.line));
  const figures = inSequence(
    all.filter(({ isRoman }) => !isRoman),
    parts,
  );
  const romans = inSequence(
    all.filter(({ isRoman }) => isRoman),
    parts,
  );
  const best = romans.length > figures.length ? romans : figures;
  return best.map(announced);
}

function announced({ line: candidate, numbers }: Numbered): Announced {
  return {
    line: candidate.line,
    block: candidate.block,
    before: candidate.before,
    after: candidate.before + candidate.source.length,
    rank: ranks.chapter + (numbers.length - 1) / 10,
    key: `number:${numbers.join(".")}`,
    title: displayTitle(candidate.source),
    detectedBy: "numbered_heading",
  };
}

function numberedAt({ blocks }: OutlineScan, candidate: OutlineLine): Numbered | undefined {
  const block = blocks[candidate.block];
  const match = form.exec(candidate.source);
  if (match === null || block === undefined || block.end > block.start) return undefined;
  const [, figures, roman, mark, title = ""] = match;
  const numbers = figures?.split(".").map(Number) ?? [romanValue(roman ?? "") ?? 0];
  // "12 monkeys" and "I saw": a title needs a mark in front of it.
  if (title !== "" && mark === "" && numbers.length === 1) return undefined;
  const isSentence = /[.,;:!?”"’]$/.test(title) && !isAllCaps(title);
  if (title.length > 80 || isSentence || /^\p{Ll}/u.test(title)) return undefined;
  return { line: candidate, isRoman: roman !== undefined, numbers };
}

/** Those whose numbers follow each other with text between them; none where some have no text. */
function inSequence(all: readonly Numbered[], parts: readonly Announced[]): readonly Numbered[] {
  const taken: Numbered[] = [];
  let last: Numbered | undefined;
  let part = 0;
  for (const each of all) {
    let begins = false;
    for (let next = parts[part]; next !== undefined && next.line < each.line.line; next = parts[part]) {
      begins = true;
      part += 1;
    }
    const [top = 0] = each.numbers;
    const now: number | undefined = last?.numbers[0];
    if (each.numbers.length > 1) {
      if (now === top) taken.push(each);
      continue;
    }
    const isNext = now === undefined ? top <= 1 : top === now + 1 || (begins && top === 1);
    if (!isNext) continue;
    if (last !== undefined && !begins && each.line.before === last.line.before + last.line.source.length)
      return [];
    taken.push(each);
    last = each;
  }
  return taken.length > 1 ? taken : [];
}
