// Cases that once went wrong, and a sample of others, through our real tools.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as z from "zod";
import { caseAt, describeCase } from "./cases.ts";
import { judge } from "./judge.ts";
import { ourRuleSets } from "./ours/ours.ts";
import { collectSources } from "./sources.ts";

const sources = collectSources();
const regressions = z
  .array(z.object({ rules: z.string(), seed: z.number(), index: z.number(), was: z.string() }))
  .parse(JSON.parse(readFileSync(new URL("./regressions.json", import.meta.url), "utf8")));
/** Indexes of the sample; each is run by every rule set that can say it. */
const sampled = { seed: 4, from: 0, to: 200 };

for (const rules of ourRuleSets()) {
  test(`${rules.name} puts an edit elsewhere, or takes someone's text away`, async (t) => {
    t.after(() => rules.close?.());
    const known = regressions.filter((one) => one.rules === rules.name);
    const sample = Array.from({ length: sampled.to - sampled.from }, (_, offset) => ({
      seed: sampled.seed,
      index: sampled.from + offset,
      was: "never wrong",
    }));
    let needless = 0;
    for (const { seed, index, was } of [...known, ...sample]) {
      const one = caseAt(sources, seed, index);
      const ran = await rules.run(one);
      if (ran === undefined) continue;
      const { verdict, isLost, isOutside } = judge(ran.judgedAs ?? one, ran.outcome);
      const about = `${describeCase(one)}; before: ${was}; written: ${ran.written.slice(0, 400)}`;
      assert.ok(verdict !== "wrong" && !isLost && !isOutside, `${about}: ${verdict}`);
      if (verdict === "refused needlessly") needless += 1;
    }
    assert.ok(needless <= 4, `${needless} careful edits of lines that nobody touched were refused`);
  });
}
