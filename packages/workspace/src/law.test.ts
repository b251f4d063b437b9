import { test } from "node:test";
import { simulate } from "@stet/testkit/workspace-simulation";

// Thousands of seeds run in `npm run fuzz`. A seed that fails here fails there, and the other way round.
const seeds = 80;
const steps = 30;

test("agent, person, disk, decisions, saves and restarts never break the law or lose a character", async () => {
  for (let seed = 1; seed <= seeds; seed += 1) await simulate(seed, steps);
});
