import assert from "node:assert/strict";
import { test } from "node:test";
import { fuzzJudge } from "@stet/testkit/judge-fuzz/judge-fuzz";
import { cannotRun } from "@stet/testkit/judge-fuzz/line-runner";
import cases from "./cases.json" with { type: "json" };
import { judge } from "./judge.ts";

const missing = cannotRun();

test("no line that plan allows without a question changes anything in a real bash, or runs what was not judged", {
  skip: missing ?? false,
}, () => {
  const known = cases.map((entry) => entry.command);
  const { failures, ran } = fuzzJudge({ judge, known, seed: Date.now() % 1e9, lines: 2500 });
  assert.deepEqual(failures, []);
  assert.ok(ran > 50, `only ${ran} lines were run`);
});
