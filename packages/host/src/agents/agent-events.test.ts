// What the log of a job says of the agents that it has sent, while they work and for good.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentView } from "@stet/protocol/api/agents";
import type { LogEvent } from "@stet/protocol/events/log-event";
import {
  type AgentsFixture,
  delegates,
  gate,
  openAgentsFixture,
  reads,
  send,
  yields,
} from "@stet/testkit/agents-fixture";

const files = { "a.txt": "a\n" };

/** Each status that an agent came to, in the order of the log. */
function statuses(events: readonly LogEvent[]): string[] {
  return events.flatMap((event) =>
    event.type === "task:subagent:lifecycle" ? [`${event.agent} ${event.data.status}`] : [],
  );
}

const eventsOf = async ({ api }: AgentsFixture, job: string): Promise<LogEvent[]> =>
  (await api.ok("GET", `/api/agent/jobs/${job}/events?limit=3000`)).events;

test("the sender's log has how each of its agents began and ended, under its id, and a child's that of those below it", async (t) => {
  const fixture = await openAgentsFixture(t, {
    files,
    script: {
      "@task go": delegates("task", [
        { id: "One", assignment: "work" },
        { id: "Two", assignment: "fail" },
      ]),
      work: [send("plan", [{ id: "Deep", assignment: "deeper" }]), yields("done")],
      deeper: [reads("a.txt"), yields("deep")],
      fail: [{ failure: { kind: "invalid_request", message: "No such model." } }],
    },
  });
  const job = await fixture.ask("@task go");
  const { events } = await fixture.api.until(job, "completed");
  const own = statuses(events);
  for (const [id, end] of [
    ["0-One", "completed"],
    ["1-Two", "failed"],
    ["0-One.0-Deep", "completed"],
  ])
    assert.deepEqual(
      own.filter((status) => status.startsWith(`${id} `)),
      [`${id} pending`, `${id} running`, `${id} ${end}`],
    );
  const ended = events.findLast(
    (event) => event.type === "task:subagent:lifecycle" && event.agent === "0-One",
  );
  const view: Partial<AgentView> = ended?.type === "task:subagent:lifecycle" ? ended.data : {};
  const { agent_id, parent, agent, summary, job_id: child } = view;
  assert.deepEqual([agent_id, parent, agent, summary], ["0-One", "main", "task", "done"]);
  assert.deepEqual(
    statuses(await eventsOf(fixture, child ?? "")),
    ["pending", "running", "completed"].map((status) => `0-One.0-Deep ${status}`),
  );
});

test("what an agent does now is told while it works, and is not kept", async (t) => {
  const [begin, end] = [gate(), gate()];
  const fixture = await openAgentsFixture(t, {
    files,
    script: {
      "@task go": delegates("task", [{ id: "One", assignment: "work" }]),
      work: [begin.before(reads("a.txt")), end.before(yields("done"))],
    },
  });
  const job = await fixture.ask("@task go");
  await fixture.until("0-One", ({ status }) => status === "running");
  const heard = await fixture.api.listen(`/api/agent/jobs/${job}/stream`, ({ event, data }) => {
    // Only now is it certain that nothing is missed.
    begin.open();
    if (event !== "task:subagent:progress" || data.data.tool_calls !== 1) return event === "job.completed";
    end.open();
    return false;
  });
  const progress = heard.filter(({ event }) => event === "task:subagent:progress");
  assert.ok(progress.length > 0);
  assert.deepEqual([...new Set(progress.map(({ data }) => data.agent))], ["0-One"]);
  const steps = progress.map(({ data }) => String(data.data.step));
  assert.ok(
    steps.some((step) => /a\.txt/.test(step)),
    steps.join(" | "),
  );
  const kept = await eventsOf(fixture, job);
  assert.ok(kept.every(({ type }) => type !== "task:subagent:progress"));
});

test("the log of a turn that has ended says nothing more of an agent that goes on; the session does", async (t) => {
  const held = gate();
  const fixture = await openAgentsFixture(t, {
    files,
    script: {
      "@task go": [send("task", [{ id: "One", assignment: "work" }]), { text: "It is at it." }],
      work: [held.before(yields("done"))],
    },
  });
  const job = await fixture.ask("@task go");
  await fixture.api.until(job, "completed");
  const before = await eventsOf(fixture, job);
  held.open();
  await fixture.until("0-One", ({ status }) => status === "completed");
  assert.deepEqual(await eventsOf(fixture, job), before);
  const { events } = await fixture.api.ok("GET", "/api/workspace/events?limit=3000");
  const changed = events.filter(({ type }: LogEvent) => type === "agent.changed");
  assert.equal(changed.at(-1)?.data.agent.status, "completed");
});
