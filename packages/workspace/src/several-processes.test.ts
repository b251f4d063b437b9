import assert from "node:assert/strict";
import { test } from "node:test";
import { rejectAfterProcesses } from "@stet/testkit/processes-law";

// Each of these came out with an agent's edit as decided text while files were read before the transaction that entered
// what they had become. `npm run fuzz -- processes` does it for hundreds of seeds.
test("after two processes have run commands on the same files, rejecting restores every byte", async () => {
  const done = await rejectAfterProcesses({ seed: 203, editors: 0, commanders: 2, readers: 1, steps: 10 });
  assert.equal(done, 20);
});

for (const { seed, editors } of [
  { seed: 2, editors: 2 },
  { seed: 3, editors: 3 },
]) {
  test(`after ${editors} processes have edited the same files while another looks on, rejecting restores every byte`, async () => {
    const edits = await rejectAfterProcesses({ seed, editors, readers: 1, steps: 20 });
    assert.ok(edits > editors * 10, `${edits} edits went through`);
  });
}
