// Cases that once went wrong, and a sample of others, through our real tools.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as z from "zod";
import { type Case, caseAgain, caseAt, describeCase } from "./cases.ts";
import { judge } from "./judge.ts";
import { ourRuleSets } from "./ours/ours.ts";
import { collectSources, sourceNamed } from "./sources.ts";

// Without the books, which are not everywhere: these are the same cases on every machine.
const sources = collectSources({ hasBooks: false });
const regressions = z
  .array(
    z.object({
      rules: z.string(),
      source: z.string(),
      seed: z.number(),
      index: z.number(),
      attempt: z.number(),
      was: z.string(),
      /** Refused, and mended by a second try. */
      isMended: z.boolean().default(false),
    }),
  )
  .parse(JSON.parse(readFileSync(new URL("./regressions.json", import.meta.url), "utf8")));
/** Indexes of the sample; each is run by every rule set that can say it. */
const sampled = { seed: 4, from: 0, to: 240 };

for (const rules of ourRuleSets()) {
  test(`${rules.name} puts an edit elsewhere, or takes someone's text away`, async (t) => {
    t.after(() => rules.close?.());
    const cases = [...known(rules.name), ...sample()];
    let needless = 0;
    for (const { one, was, isMended } of cases) {
      const ran = await rules.run(one);
      if (ran === undefined) continue;
      const { verdict, isLost, isOutside } = judge(ran.judgedAs ?? one, ran.outcome);
      const about = `${describeCase(one)}; before: ${was}; written: ${ran.written.slice(0, 400)}`;
      assert.ok(verdict !== "wrong" && !isLost && !isOutside, `${about}: ${verdict}`);
      if (verdict === "refused needlessly") needless += 1;
      if (isMended && ran.outcome.kind === "refused") {
        const again = { ...(ran.judgedAs ?? one), slip: "none" as const };
        assert.equal(ran.retried && judge(again, ran.retried).verdict, "right", `${about}: the second try`);
      }
    }
    assert.ok(needless <= 4, `${needless} careful edits of lines that nobody touched were refused`);
  });
}

interface KnownCase {
  readonly one: Case;
  readonly was: string;
  readonly isMended: boolean;
}

/** Cases that this rule set once got wrong. A dependency that is gone or changed takes its cases along. */
function known(name: string): KnownCase[] {
  return regressions.flatMap(({ rules, source, was, isMended, ...made }) => {
    const file = rules === name ? sourceNamed(source) : undefined;
    const one = file === undefined ? undefined : caseAgain(file, made);
    return one === undefined ? [] : [{ one, was, isMended }];
  });
}

function sample(): KnownCase[] {
  return Array.from({ length: sampled.to - sampled.from }, (_, offset) => {
    return { one: caseAt(sources, sampled.seed, sampled.from + offset), was: "never wrong", isMended: false };
  });
}
