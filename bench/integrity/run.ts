// `npm run bench -- integrity [--json] [--seed N] [--cases N] [--only NAME] [--write]`: how often an edit lands wrong, and how
// often someone loses text, for our formats and for others, on the same cases. No model takes part.
//
// --json prints one row for each rule set. --write makes docs/integrity.md and its picture. `--only` takes a part of a name.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { progressLine } from "../../scripts/progress-line.ts";
import { caseAt } from "./cases.ts";
import { otherRuleSets } from "./others/others.ts";
import { ourRuleSets } from "./ours/ours.ts";
import { integrityPage } from "./page.ts";
import { integrityPlot } from "./plot.ts";
import type { RuleSet } from "./rule-set.ts";
import { emptyScore, type Score, scoreCase } from "./score.ts";
import { collectSources } from "./sources.ts";

const docs = join(import.meta.dirname, "..", "..", "docs");

/** Returns the exit code: 1 where one of ours landed wrong, lost text or changed something outside. */
export async function runIntegrity(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      json: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
      seed: { type: "string", default: "1" },
      cases: { type: "string", default: "2300" },
      only: { type: "string", default: "" },
    },
  });
  const seed = Number(values.seed);
  const cases = Number(values.cases);
  if (!Number.isInteger(seed) || !Number.isInteger(cases) || cases < 1) {
    process.stderr.write("--seed and --cases are whole numbers, and there is at least one case.\n");
    return 2;
  }
  const rules = [...ourRuleSets(), ...otherRuleSets()].filter(({ name }) => name.includes(values.only));
  if (rules.length === 0) {
    process.stderr.write(`No rule set has ${values.only} in its name.\n`);
    return 2;
  }
  const scores = await measure(rules, seed, cases);
  if (values.json) for (const score of scores) console.log(JSON.stringify(rowOf(score)));
  else console.log(tableOf(scores));
  if (values.write) {
    mkdirSync(join(docs, "images"), { recursive: true });
    writeFileSync(join(docs, "images", "integrity.svg"), integrityPlot(scores));
    writeFileSync(join(docs, "integrity.md"), integrityPage(rules, scores, { seed, cases }));
  }
  return scores.some(({ isOurs, wrong, lost, outside }) => isOurs && wrong + lost + outside > 0) ? 1 : 0;
}

async function measure(rules: readonly RuleSet[], seed: number, cases: number): Promise<Score[]> {
  const sources = collectSources();
  const scores: Score[] = [];
  const progress = progressLine();
  for (const each of rules) {
    const score = emptyScore(each);
    for (let index = 0; index < cases; index += 1) {
      await scoreCase(score, each, caseAt(sources, seed, index));
      if (index % 100 === 0) progress.show(`${each.name}: ${index} of ${cases} cases`);
    }
    await each.close?.();
    progress.clear();
    for (const wrong of score.wrongCases) if (score.isOurs) console.error(`wrong: ${wrong}`);
    scores.push(score);
  }
  return scores;
}

/** As numbers. */
function rowOf(score: Score): Record<string, string | number | boolean> {
  return {
    name: `integrity/${score.name}`,
    ours: score.isOurs,
    cases: score.cases,
    right: score.right,
    wrong: score.wrong,
    refused_right: score.refusedRight,
    refused_needlessly: score.refusedNeedlessly,
    lost: score.lost,
    outside: score.outside,
    mended: score.mendable === 0 ? 1 : score.mended / score.mendable,
    tokens: score.cases === 0 ? 0 : Math.round(score.tokens / score.cases),
  };
}

function tableOf(scores: readonly Score[]): string {
  const head = [
    "rule set",
    "cases",
    "right",
    "wrong",
    "refused right",
    "needlessly",
    "lost",
    "outside",
    "mended",
    "tokens",
  ];
  const rows = scores.map((score) => {
    const { cases, right, wrong, refused_right, refused_needlessly, lost, outside, mended, tokens } =
      rowOf(score);
    const share = score.retried === 0 ? "-" : `${Math.round(Number(mended) * 100)} %`;
    return [
      score.name,
      cases,
      right,
      wrong,
      refused_right,
      refused_needlessly,
      lost,
      outside,
      share,
      tokens,
    ].map(String);
  });
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  ");
  return [line(head), ...rows.map(line)].join("\n");
}
