// What came of an edit, compared with what should have. Line ends of new lines may be any that the file has; everything
// else is compared byte by byte.

import { type Case, driftedLines } from "./cases.ts";
import { type FileText, type Line, parseFile } from "./file-text.ts";

/** What a rule set did with an edit. */
export type Outcome =
  | { readonly kind: "applied"; readonly content: string }
  | { readonly kind: "refused"; readonly message: string };

export type CaseVerdict = "right" | "wrong" | "refused right" | "refused needlessly";

export interface CaseJudgement {
  readonly verdict: CaseVerdict;
  /** Something that the person, another agent or the disk wrote is gone. */
  readonly isLost: boolean;
  /** A line end or the byte order mark of a line that the edit does not name is another one. */
  readonly isOutside: boolean;
}

export function judge(one: Case, outcome: Outcome): CaseJudgement {
  if (outcome.kind === "refused") {
    // A writer's slip is a good reason to refuse, too.
    const isNeedless = one.expected.kind === "applied" && one.slip === "none";
    return { verdict: isNeedless ? "refused needlessly" : "refused right", isLost: false, isOutside: false };
  }
  const result = parseFile(outcome.content);
  const { expected } = one;
  const mayApply = expected.kind !== "refused" && one.slip !== "abbreviated";
  const isRight = expected.kind !== "refused" && mayApply && isSameFile(result, expected.file, one.now);
  return {
    verdict: isRight ? "right" : "wrong",
    isLost: !isRight && hasLost(one, result),
    isOutside: !isRight && hasChangedOutside(one, result),
  };
}

function isSameFile(result: FileText, expected: FileText, now: FileText): boolean {
  if (result.hasMark !== expected.hasMark) return false;
  // In a file without a last line end, a blank line that comes to stand last is that end: nobody could tell the two apart.
  const isOpen = now.lines.at(-1)?.end === "" && expected.lines.at(-1)?.text === "";
  const missing = expected.lines.length - result.lines.length;
  if (missing !== 0 && !(isOpen && missing === 1)) return false;
  const lines = missing === 0 ? expected.lines : expected.lines.slice(0, -1);
  const kept = new Map(now.lines.map((line) => [line.id, line]));
  const ends = new Set(now.lines.map(({ end }) => end));
  const alike = endsOfAlike(now, expected);
  const besideNew = alikeBesideNew(now, expected);
  if (ends.size === 1 && ends.has("")) ends.add("\n");
  return lines.every((line, index) => {
    const found = result.lines[index];
    if (found === undefined || found.text !== line.text) return false;
    const isLast = index === lines.length - 1;
    const old = kept.get(line.id);
    // The end of the file: a line that was last gets an end when something follows, and the last may have one or not.
    if (old === undefined || isLast || old.end === "")
      return ends.has(found.end) || (isLast && found.end === "");
    if (besideNew.has(line.id)) return ends.has(found.end);
    return found.end === old.end || alike.get(line.id)?.has(found.end) === true;
  });
}

/**
 * Lines that go between lines that look the same could as well be the ones beside them: of two blank lines around a paragraph
 * that is deleted, nobody can tell by the text which one stays. In a file with mixed line ends either's end is right. For each
 * such line, the ends of those that it may be taken for.
 */
function endsOfAlike(now: FileText, expected: FileText): Map<number, Set<string>> {
  const places = new Map(expected.lines.map(({ id }, index) => [id, index]));
  const { lines } = now;
  const isGone = (at: number) => lines[at] !== undefined && !places.has(lines[at].id);
  const alike = new Map<number, Set<string>>();
  const pair = (one: number, other: number): boolean => {
    const [stays, goes] = [lines[one], lines[other]];
    if (stays === undefined || goes === undefined || isGone(one) || stays.text !== goes.text) return false;
    const ends = alike.get(stays.id) ?? new Set([stays.end]);
    for (const end of alike.get(goes.id) ?? [goes.end]) ends.add(end);
    alike.set(stays.id, ends);
    return true;
  };
  pairAlong(lines.length, isGone, pair);
  return alike;
}

/** Offers the lines at both sides of each run, going away from it, with those that they would be if the run were shifted there. */
function pairAlong(
  length: number,
  isInRun: (at: number) => boolean,
  pair: (beside: number, other: number) => boolean,
): void {
  for (let first = 0; first < length; first += 1) {
    if (!isInRun(first)) continue;
    let next = first;
    while (isInRun(next)) next += 1;
    const count = next - first;
    for (let at = first - 1; pair(at, at + count); at -= 1);
    for (let at = next; pair(at, at - count); at += 1);
    first = next;
  }
}

/** In the same way a line beside new ones that look the same could be one of those, whose end may be any that the file has. */
function alikeBesideNew(now: FileText, { lines }: FileText): Set<number> {
  const kept = new Set(now.lines.map(({ id }) => id));
  const isNew = (at: number) => lines[at] !== undefined && !kept.has(lines[at].id);
  const alike = new Set<number>();
  const pair = (one: number, other: number): boolean => {
    const stays = lines[one];
    if (stays === undefined || isNew(one) || stays.text !== lines[other]?.text) return false;
    alike.add(stays.id);
    return true;
  };
  pairAlong(lines.length, isNew, pair);
  return alike;
}

function hasLost(one: Case, result: FileText): boolean {
  const counts = new Map<string, number>();
  for (const { text } of result.lines) counts.set(text, (counts.get(text) ?? 0) + 1);
  return driftedLines(one).some((text) => {
    const left = (counts.get(text) ?? 0) - 1;
    counts.set(text, left);
    return left < 0;
  });
}

/** Whether lines that stand unchanged at the start or at the end of the file have another end, or the mark is another. */
function hasChangedOutside({ now }: Case, result: FileText): boolean {
  if (result.hasMark !== now.hasMark) return true;
  const differs = (one: Line | undefined, other: Line | undefined) =>
    one !== undefined && other !== undefined && one.text === other.text && one.end !== other.end;
  const last = Math.min(now.lines.length, result.lines.length) - 1;
  for (let at = 0; at < last; at += 1) {
    if (now.lines[at]?.text !== result.lines[at]?.text) break;
    if (differs(now.lines[at], result.lines[at])) return true;
  }
  for (let back = 2; back <= last; back += 1) {
    const one = now.lines.at(-back);
    const other = result.lines.at(-back);
    if (one?.text !== other?.text) break;
    if (differs(one, other)) return true;
  }
  return false;
}
