// Texts at local://, between an agent and those whom it sends.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelRequest } from "@stet/protocol/model-stream";
import { newestResult, openAgentsFixture, yields } from "@stet/testkit/agents-fixture";

test("what an agent writes at local:// those whom it sends read, and the next turn, too; no file of the project has it", async (t) => {
  const seen: string[] = [];
  const looked = (request: ModelRequest) => seen.push(newestResult(request));
  const task = { id: "One", description: "one", assignment: "work by local://plan.md" };
  const fixture = await openAgentsFixture(t, {
    script: {
      "@task go": [
        { calls: [{ name: "write", arguments: { path: "local://plan.md", content: "first this\n" } }] },
        { calls: [{ name: "task", arguments: { agent: "task", tasks: [task] } }] },
        { calls: [{ name: "job", arguments: {} }] },
        { text: "Sent." },
      ],
      "work by local://plan.md": [
        { calls: [{ name: "read", arguments: { path: "local://plan.md" } }] },
        (request) => {
          looked(request);
          return { calls: [{ name: "write", arguments: { path: "local://found.md", content: "here" } }] };
        },
        yields("done"),
      ],
      "What was found?": [
        { calls: [{ name: "read", arguments: { path: "local://" } }] },
        (request) => {
          looked(request);
          return { text: "That." };
        },
      ],
    },
    // What is written there changes nothing of the person's, so nobody is asked.
    settings: { "permission.mode": "ask" },
  });
  await fixture.api.until(await fixture.ask("@task go"), "completed");
  await fixture.until("0-One", ({ status }) => status === "completed");
  await fixture.api.until(await fixture.ask("What was found?"), "completed");
  assert.deepEqual(seen, ["1|first this", "local://found.md\nlocal://plan.md"]);
  assert.throws(() => fixture.read("plan.md"));
});
