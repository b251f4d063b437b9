import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

const script = `
  import { runs, sample } from ${JSON.stringify(import.meta.resolve("./depth.ts"))};
  const all = Array.from({ length: 95 }, (_, index) => index);
  console.log(JSON.stringify([sample({ diagnostic() {} }, all, 10), runs(1000)]));
`;

function sampled(env: Record<string, string>): [number[], number] {
  const args = ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", script];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8", env }));
}

test("a sample has one of every stretch, the seed repeats it, and full depth takes all", () => {
  const [one, quarter] = sampled({ STET_TEST_SEED: "7" });
  assert.deepEqual(
    one.map((step) => Math.floor((step + 0.5) / 9.5)),
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  );
  assert.equal(quarter, 250);
  assert.deepEqual(sampled({ STET_TEST_SEED: "7" })[0], one);
  assert.notDeepEqual(sampled({ STET_TEST_SEED: "8" })[0], one);
  const [all, whole] = sampled({ STET_TEST_DEPTH: "full", STET_TEST_SEED: "7" });
  assert.deepEqual([all.length, whole], [95, 1000]);
});
