import { test } from "node:test";
import { noSandbox } from "@stet/testkit/commands-fixture";
import { simulateScripts } from "@stet/testkit/script-simulation";

test("whatever random scripts with background writers do is in the review, rejected and brought again", {
  skip: noSandbox(),
}, async () => {
  for (const seed of [1, 2, 3, 4]) await simulateScripts(seed, 4);
});
