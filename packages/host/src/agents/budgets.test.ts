// What a tree of agents may spend: each below whoever sent it, and nobody beyond the cap but by the requests that were running.

import assert from "node:assert/strict";
import { test } from "node:test";
import { noCost } from "@stet/protocol/message";
import {
  delegates,
  edits,
  gate,
  openAgentsFixture,
  reads,
  type Script,
  send,
  yields,
} from "@stet/testkit/agents-fixture";
import { TestService } from "@stet/testkit/test-service";

const perRequest = 100;
const usage = { input: 60, output: 40, cost: { ...noCost, total: 0.01 } };
const files = { "a.txt": "a\n" };

test("a cap of the whole turn is never passed by more than one request of each agent that runs", async (t) => {
  const count = 8;
  const cap = 2000;
  const tasks = Array.from({ length: count }, (_, index) => ({
    id: `T${index}`,
    assignment: `work ${index}`,
  }));
  const looping: Script = Object.fromEntries(
    tasks.map(({ assignment }) => [assignment, [{ ...reads("a.txt"), usage }]]),
  );
  const fixture = await openAgentsFixture(t, {
    files,
    settings: { maxTokens: cap, "async.enabled": false },
    script: {
      "@task go": [
        { ...send("task", tasks), usage },
        { text: "Done.", usage },
      ],
      ...looping,
    },
  });
  const job = await fixture.ask("@task go");
  await fixture.api.until(job, "failed", "completed");
  const spent = perRequest * fixture.model.requests.filter(({ tools }) => tools.length > 0).length;
  assert.ok(spent >= cap, `${spent} of ${cap}`);
  assert.ok(spent < cap + count * perRequest, `${spent} of ${cap}`);
  const agents = await fixture.agents();
  assert.ok(agents.every(({ status }) => status === "failed"));
  assert.match(agents[0]?.summary ?? "", /The budget of this turn is spent/);
});

test("an agent's own cap holds for all whom it sends, too", async (t) => {
  const fixture = await openAgentsFixture(t, {
    files,
    settings: { "task.maxTokens": 500 },
    script: {
      "@task go": delegates("task", [{ id: "One", assignment: "work" }]),
      work: [
        { ...send("plan", [{ id: "Deep", assignment: "deeper" }]), usage },
        { ...reads("a.txt"), usage },
      ],
      deeper: [{ ...reads("a.txt"), usage }],
    },
  });
  await fixture.api.until(await fixture.ask("@task go"), "completed");
  const [one, deep] = await fixture.agents();
  assert.deepEqual([one?.agent_id, deep?.agent_id], ["0-One", "0-One.0-Deep"]);
  assert.deepEqual([one?.tokens, deep?.tokens], [500, 400]);
  assert.deepEqual([one?.status, deep?.status], ["failed", "failed"]);
});

test("an agent that the person asks again has the cap of a turn, too", async (t) => {
  const fixture = await openAgentsFixture(t, {
    files,
    settings: { maxTokens: 2000 },
    script: {
      "@task go": delegates("task", [{ id: "One", assignment: "work" }]),
      work: [yields("done")],
      more: [{ ...reads("a.txt"), usage: { ...usage, input: 960 } }],
    },
  });
  await fixture.api.until(await fixture.ask("@task go"), "completed");
  const job = await fixture.api.run(`${fixture.session}~0-One`, "more");
  await fixture.api.until(job, "failed", "completed");
  const [one] = await fixture.agents();
  assert.match(one?.summary ?? "", /The budget of this turn is spent: 2000 of 2000 tokens are used/);
});

test("the cost of the tree counts each request once, and is the same after a restart", async (t) => {
  const fixture = await openAgentsFixture(t, {
    files,
    script: {
      "@task go": delegates("task", [
        { id: "One", assignment: "work" },
        { id: "Two", assignment: "more" },
      ]),
      work: [
        { ...send("plan", [{ id: "Deep", assignment: "deeper" }]), usage },
        { ...yields("done"), usage },
      ],
      deeper: [{ ...yields("deep"), usage }],
      more: [{ ...yields("more"), usage }],
    },
  });
  await fixture.api.until(await fixture.ask("@task go"), "completed");
  const path = `/api/agent/sessions/${fixture.session}/agents`;
  const before = await fixture.api.ok("GET", path);
  assert.deepEqual([before.tokens, Math.round(before.cost_usd * 100)], [4 * perRequest, 4]);
  await fixture.api.service.close();
  const again = await TestService.open(t, fixture.place, fixture.model);
  const after = await again.ok("GET", path);
  assert.deepEqual([after.tokens, after.cost_usd], [before.tokens, before.cost_usd]);
  assert.deepEqual(
    after.agents.map(({ agent_id: id, status }: { agent_id: string; status: string }) => [id, status]).sort(),
    [
      ["0-One", "completed"],
      ["0-One.0-Deep", "completed"],
      ["1-Two", "completed"],
    ],
  );
});

test("agents wait for their turn where as many work as may, and none of those who wait for others holds them up", async (t) => {
  let atOnce = 0;
  let most = 0;
  const tasks = Array.from({ length: 5 }, (_, index) => ({ id: `T${index}`, assignment: `work ${index}` }));
  const counted: Script = Object.fromEntries(
    tasks.map(({ assignment }, index) => [
      assignment,
      [send("plan", [{ id: "Deep", assignment: `deep ${index}` }]), yields("done")],
    ]),
  );
  const deep: Script = Object.fromEntries(
    tasks.map((_, index) => [
      `deep ${index}`,
      [
        () => {
          atOnce += 1;
          most = Math.max(most, atOnce);
          return reads("a.txt");
        },
        () => {
          atOnce -= 1;
          return yields("deep");
        },
      ],
    ]),
  );
  const fixture = await openAgentsFixture(t, {
    files,
    settings: { "task.maxConcurrency": 1 },
    script: { "@task go": delegates("task", tasks), ...counted, ...deep },
  });
  await fixture.api.until(await fixture.ask("@task go"), "completed");
  const agents = await fixture.agents();
  assert.equal(agents.length, 10);
  assert.ok(agents.every(({ status }) => status === "completed"));
  assert.equal(most, 1);
});

test("an agent that begins after its sender has ended works all the same", async (t) => {
  const held = gate();
  const fixture = await openAgentsFixture(t, {
    files,
    settings: { "task.maxConcurrency": 1 },
    script: {
      "@task go": [
        send("task", [
          { id: "One", assignment: "work" },
          { id: "Two", assignment: "more" },
        ]),
        { text: "They are at it." },
      ],
      work: [held.before(yields("one"))],
      more: [reads("a.txt"), edits("a.txt", "a", "b"), yields("two")],
    },
  });
  const { api } = fixture;
  await api.until(await fixture.ask("@task go", { toolset: "project" }), "completed");
  held.open();
  const two = await fixture.until("1-Two", ({ status }) => status !== "pending" && status !== "running");
  assert.equal(two.status, "completed", two.summary);
  const { turns } = await api.ok("GET", "/api/review");
  assert.deepEqual(
    turns.map(({ agent }: { agent: string }) => agent),
    ["1-Two"],
  );
});
