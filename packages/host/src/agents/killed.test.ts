// A process that is killed while its agents and their commands are at work.

import assert from "node:assert/strict";
import { test } from "node:test";
import { AgentsCrash, commandCount, endingAgents } from "@stet/testkit/agents-crash";
import { uniqueName } from "@stet/testkit/living-processes";
import { temporaryFolder } from "@stet/testkit/temporary";

test("after kill -9 no process of a command is left, no file is half written, and what was given back is kept", {
  skip: process.platform === "linux" ? false : "looks at /proc",
}, async (t) => {
  const folder = temporaryFolder(t, {});
  const slowness = () => Math.floor(Math.random() * 200);
  const crash = await AgentsCrash.open({ folder, name: uniqueName(), slowness });
  t.after(() => crash.close());
  // In the middle of their work, and when all have ended that ever do; each time with every command at work.
  for (const wanted of [2, endingAgents]) {
    const { ended, problems } = await crash.round((agents, commands) => {
      return (
        commands >= commandCount && agents.filter(({ status }) => status === "completed").length >= wanted
      );
    });
    assert.deepEqual(problems, []);
    assert.ok(ended >= wanted);
  }
});
