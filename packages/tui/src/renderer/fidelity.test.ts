// Random scripts in a real emulator: after every step the history and the window are, row for row, what the ledger says.

import assert from "node:assert/strict";
import { test } from "node:test";
import { runs } from "@stet/testkit/depth";
import { simulateTerminal } from "@stet/testkit/terminal-simulation";

const scripts = runs(960);
const steps = 20;

test(`no row is lost, rewritten or shown twice over ${scripts} random scripts`, async () => {
  let rows = 0;
  for (let seed = 1; seed <= scripts; seed++) {
    const result = await simulateTerminal(seed, steps).catch((error: unknown) => {
      throw new Error(`seed ${seed}`, { cause: error });
    });
    rows += result.rows;
    if (!result.isClean || result.isResized) continue;
    assert.equal(result.repeats, 0, `seed ${seed}: rows twice in the history`);
    assert.equal(result.strays, 0, `seed ${seed}: rows of the window in the history`);
  }
  assert.ok(rows > scripts, "the scripts fill the history");
});
