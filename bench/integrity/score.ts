// Counting: what came of many cases, for each rule set.

import { loadTokenCounter } from "../../packages/tools/src/count-tokens.ts";
import { type Case, describeCase } from "./cases.ts";
import { judge } from "./judge.ts";
import type { RuleSet } from "./rule-set.ts";

export interface Score {
  readonly name: string;
  readonly isOurs: boolean;
  cases: number;
  right: number;
  wrong: number;
  refusedRight: number;
  refusedNeedlessly: number;
  lost: number;
  outside: number;
  /** Refusals of edits that still make sense, and how many of them a second try mended. */
  mendable: number;
  mended: number;
  /** Second tries that were made at all. */
  retried: number;
  /** Of these, the ones that landed wrong. */
  retriedWrong: number;
  tokens: number;
  /** Cases of careful writers whose lines nobody touched, and how many of them landed. */
  untouched: number;
  untouchedRight: number;
  /** The first cases that went wrong, for looking into. */
  readonly wrongCases: string[];
  readonly needlessCases: string[];
}

const maxKept = 20;

export function emptyScore({ name, isOurs }: Pick<RuleSet, "name" | "isOurs">): Score {
  return {
    name,
    isOurs,
    cases: 0,
    right: 0,
    wrong: 0,
    refusedRight: 0,
    refusedNeedlessly: 0,
    lost: 0,
    outside: 0,
    mendable: 0,
    mended: 0,
    retried: 0,
    retriedWrong: 0,
    tokens: 0,
    untouched: 0,
    untouchedRight: 0,
    wrongCases: [],
    needlessCases: [],
  };
}

/** Runs one case; false where the format cannot say it. */
export async function scoreCase(score: Score, rules: RuleSet, given: Case): Promise<boolean> {
  const ran = await rules.run(given);
  if (ran === undefined) return false;
  const one = ran.judgedAs ?? given;
  const { verdict, isLost, isOutside } = judge(one, ran.outcome);
  score.cases += 1;
  score.tokens += (await loadTokenCounter())(ran.written);
  if (verdict === "right") score.right += 1;
  if (verdict === "wrong") score.wrong += 1;
  if (verdict === "refused right") score.refusedRight += 1;
  if (verdict === "refused needlessly") score.refusedNeedlessly += 1;
  if (isLost) score.lost += 1;
  if (isOutside) score.outside += 1;
  if (verdict === "wrong" && score.wrongCases.length < maxKept) score.wrongCases.push(describeCase(one));
  if (verdict === "refused needlessly" && score.needlessCases.length < maxKept)
    score.needlessCases.push(describeCase(one));
  if (one.expected.kind === "applied" && one.slip === "none") {
    score.untouched += 1;
    if (verdict === "right") score.untouchedRight += 1;
  }
  if (ran.outcome.kind === "refused" && one.expected.kind === "applied") {
    score.mendable += 1;
    if (ran.retried !== undefined) score.retried += 1;
    const again =
      ran.retried === undefined ? undefined : judge({ ...one, slip: "none" }, ran.retried).verdict;
    if (again === "right") score.mended += 1;
    if (again === "wrong") score.retriedWrong += 1;
  }
  return true;
}
