// STET_DISABLE_CRON switches off the timers that an agent may set.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { newestResult, openAgentsFixture } from "@stet/testkit/agents-fixture";

/** What an agent is answered that sets a timer. */
async function answerIn(t: TestContext, environment: NodeJS.ProcessEnv): Promise<string> {
  let answer = "";
  const timer = { cron_expression: "0 9 1 1 *", prompt: "Look", recurring: false };
  const fixture = await openAgentsFixture(t, {
    host: { environment: { PATH: process.env.PATH, ...environment } },
    script: {
      go: [
        { calls: [{ name: "search_tool_bm25", arguments: { query: "timer CronCreate" } }] },
        { calls: [{ name: "CronCreate", arguments: timer }] },
        (request) => {
          answer = newestResult(request);
          return { text: "Done." };
        },
      ],
    },
  });
  await fixture.api.until(await fixture.ask("go"), "completed");
  return answer;
}

test("with STET_DISABLE_CRON=1 a timer is refused, with the reason", async (t) => {
  assert.match(await answerIn(t, { STET_DISABLE_CRON: "1" }), /Cron is disabled by STET_DISABLE_CRON=1\./);
});

test("with STET_DISABLE_CRON=0 a timer is set", async (t) => {
  assert.match(
    await answerIn(t, { STET_DISABLE_CRON: "0" }),
    /^Scheduled [0-9a-f]{8} \(at 09:00, on 1 January\)/,
  );
});
