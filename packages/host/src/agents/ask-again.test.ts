// An agent that has ended is asked again: by its sender, and by the person in its own conversation. And what ends with whom.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import {
  delegates,
  edits,
  gate,
  newestResult,
  openAgentsFixture,
  reads,
  runs,
  type Script,
  send,
  serveAgents,
  yields,
} from "@stet/testkit/agents-fixture";
import { must } from "@stet/testkit/workspace";
import { newJob } from "../jobs/job-queue.ts";
import { noteAgent } from "./child-session.ts";

const files = { "a.txt": "one\ntwo\nthree\n" };

const again: Script = {
  "@task go": delegates("task", [{ id: "One", assignment: "work" }]),
  work: [reads("a.txt"), edits("a.txt", "one", "ONE"), yields("first")],
  "@task again": delegates("task", [{ id: "0-One", assignment: "more" }]),
  more: [edits("a.txt", "two", "TWO"), yields("second")],
  "and once more": [edits("a.txt", "three", "THREE"), yields("third")],
};

test("a sender asks an agent again, which goes on in its conversation", async (t) => {
  const fixture = await openAgentsFixture(t, { files, script: again });
  await fixture.api.until(await fixture.ask("@task go"), "completed", "awaiting_review");
  await fixture.api.until(await fixture.ask("@task again"), "completed", "awaiting_review");
  assert.equal(fixture.read("a.txt"), "ONE\nTWO\nthree\n");
  const agents = await fixture.agents();
  assert.deepEqual(
    agents.map(({ agent_id: id, summary, tool_calls: calls }) => [id, summary, calls]),
    [["0-One", "second", 5]],
  );
  const asked = fixture.model.requests.findLast(({ messages }) =>
    JSON.stringify(messages).includes('"more"'),
  );
  assert.match(JSON.stringify(asked?.messages), /"work"/, "it still knows what it was asked first");
});

test("after a restart its sender can ask it again, too", async (t) => {
  const fixture = await openAgentsFixture(t, { files, script: again });
  await fixture.api.until(await fixture.ask("@task go"), "completed", "awaiting_review");
  await fixture.api.service.close();
  const next = await serveAgents(t, fixture.place, { script: again });
  const job = await next.api.run(fixture.session, "@task again", { toolset: "code" });
  await next.api.until(job, "completed", "awaiting_review");
  assert.equal(next.read("a.txt"), "ONE\nTWO\nthree\n");
  const { agents } = await next.api.ok("GET", `/api/agent/sessions/${fixture.session}/agents`);
  assert.deepEqual(
    agents.map((agent: { agent_id: string; tool_calls: number }) => [agent.agent_id, agent.tool_calls]),
    [["0-One", 5]],
  );
});

test("the person asks an agent in its own conversation, and its change is its own in the review", async (t) => {
  const fixture = await openAgentsFixture(t, { files, script: again });
  const { api, session } = fixture;
  await api.until(await fixture.ask("@task go"), "completed", "awaiting_review");
  const job = await api.run(`${session}~0-One`, "and once more");
  const { job: done } = await api.until(job, "completed", "awaiting_review");
  assert.equal(done.status, "awaiting_review");
  assert.equal(fixture.read("a.txt"), "ONE\ntwo\nTHREE\n");
  const { turns } = await api.ok("GET", "/api/review");
  assert.deepEqual(
    turns.map(({ agent }: { agent: string }) => agent),
    ["0-One", "0-One"],
  );
  const [agent] = await fixture.agents();
  assert.deepEqual([agent?.summary, agent?.job_id], ["third", job]);
  const { messages } = await api.ok("GET", `/api/agent/sessions/${session}~0-One/messages`);
  assert.match(JSON.stringify(messages), /work.*and once more/s);
});

test("an agent whom the person has asked asks the person back, as the agent", async (t) => {
  const fixture = await openAgentsFixture(t, {
    files,
    script: {
      ...again,
      "which one?": [
        {
          calls: [
            {
              name: "ask",
              arguments: { questions: [{ id: "q", question: "Which?", options: [{ label: "left" }] }] },
            },
          ],
        },
        (request) => yields(newestResult(request)),
      ],
    },
  });
  const { api, session } = fixture;
  await api.until(await fixture.ask("@task go"), "completed", "awaiting_review");
  const job = await api.run(`${session}~0-One`, "which one?");
  const { question } = await fixture.until("0-One", (agent) => agent.question !== null);
  assert.equal(question?.asked.agent, "0-One");
  await api.ok("POST", `/api/agent/jobs/${job}/clarify`, {
    question_id: question?.question_id,
    answer: "left",
  });
  await api.until(job, "completed");
  assert.match((await fixture.agents())[0]?.summary ?? "", /left/);
});

test("while an agent works it is not asked again, but sent a message", async (t) => {
  const held = gate();
  const fixture = await openAgentsFixture(t, {
    files,
    script: {
      "@task go": [send("task", [{ id: "One", assignment: "work" }]), { text: "It is at it." }],
      work: [held.before(yields("done"))],
      "@task again": delegates("task", [{ id: "0-One", assignment: "more" }]),
    },
  });
  const { api, session } = fixture;
  await api.until(await fixture.ask("@task go"), "completed");
  await fixture.until("0-One", ({ status }) => status === "running");
  const { job } = await api.until(await api.run(`${session}~0-One`, "more"), "failed");
  assert.match(JSON.stringify(job), /0-One is at work/);
  await api.until(await fixture.ask("@task again"), "completed");
  const told = fixture.model.requests.map(newestResult).join("\n");
  assert.match(told, /0-One is still at work\. Say something to it with irc, or wait for it with job\./);
  held.open();
  await fixture.until("0-One", ({ status }) => status === "completed");
});

test("a sender that is cancelled takes all whom it has sent along, and whom they have sent", async (t) => {
  const held = gate();
  for (const isAsync of [true, false]) {
    const fixture = await openAgentsFixture(t, {
      files,
      settings: { "async.enabled": isAsync },
      script: {
        "@task go": [
          send("task", [{ id: "One", assignment: "work" }]),
          { calls: [{ name: "job", arguments: { poll: ["0-One"] } }] },
        ],
        work: [send("plan", [{ id: "Deep", assignment: "deeper" }]), yields("done")],
        deeper: [held.before(yields("deep"))],
      },
    });
    const job = await fixture.ask("@task go");
    await fixture.until("0-One.0-Deep", ({ status }) => status === "running");
    await fixture.api.ok("POST", `/api/agent/jobs/${job}/cancel`, {});
    for (const id of ["0-One", "0-One.0-Deep"]) await fixture.until(id, ({ status }) => status === "aborted");
    assert.equal(fixture.api.service.open.get(fixture.session)?.tree.isAtWork, false);
  }
});

test("an agent that is cancelled takes those along that it has sent, and nobody else", async (t) => {
  const held = gate();
  const fixture = await openAgentsFixture(t, {
    files,
    script: {
      "@task go": delegates("task", [
        { id: "One", assignment: "work" },
        { id: "Two", assignment: "beside" },
      ]),
      work: [send("plan", [{ id: "Deep", assignment: "deeper" }]), yields("done")],
      deeper: [gate().before(yields("deep"))],
      beside: [held.before(yields("done"))],
    },
  });
  const { api, session } = fixture;
  const job = await fixture.ask("@task go");
  await fixture.until("0-One.0-Deep", ({ status }) => status === "running");
  const path = `/api/agent/sessions/${session}/background/cancel`;
  assert.deepEqual(await api.ok("POST", path, { ids: ["0-One"] }), { cancelled: ["0-One"] });
  for (const id of ["0-One", "0-One.0-Deep"]) await fixture.until(id, ({ status }) => status === "aborted");
  held.open();
  await api.until(job, "completed");
  const agents = await fixture.agents();
  assert.equal(agents.find(({ agent_id: id }) => id === "1-Two")?.status, "completed");
});

test("when the host closes, nothing of its agents goes on, and the session knows how each ended", async (t) => {
  const never = gate();
  const fixture = await openAgentsFixture(t, {
    files,
    settings: { "permission.mode": "full" },
    script: {
      "@task go": [
        send("task", [
          { id: "One", assignment: "work" },
          { id: "Two", assignment: "command" },
        ]),
        { text: "They are at it." },
      ],
      work: [reads("a.txt"), edits("a.txt", "one", "ONE"), never.before(yields("done"))],
      command: [runs("sleep 300")],
    },
  });
  const { api, session } = fixture;
  await api.until(await fixture.ask("@task go"), "completed");
  await fixture.until("0-One", ({ tool_calls: calls }) => calls === 2);
  await fixture.until("1-Two", ({ tool_calls: calls }) => calls === 1);
  const begun = performance.now();
  await api.service.close();
  assert.ok(performance.now() - begun < 5000, "a command that sleeps is not waited for");
  assert.equal(fixture.read("a.txt"), files["a.txt"]);
  const next = await serveAgents(t, fixture.place, { script: {} });
  const { agents } = await next.api.ok("GET", `/api/agent/sessions/${session}/agents`);
  assert.deepEqual(
    agents.map(({ agent_id: id, status }: { agent_id: string; status: string }) => [id, status]).sort(),
    [
      ["0-One", "aborted"],
      ["1-Two", "aborted"],
    ],
  );
  const kept = readdirSync(fixture.place.dataFolder, { recursive: true }).map(String);
  assert.ok(
    kept.some((path) => path.endsWith("0-One.patch")),
    "what it had staged is kept",
  );
});

test("an agent whose process was lost is said to be so, does not begin anew by itself, and can be asked again", async (t) => {
  const script: Script = {
    "@task go": delegates("task", [{ id: "One", assignment: "work" }]),
    work: [yields("done")],
    "go on": [yields("done after all")],
  };
  const fixture = await openAgentsFixture(t, { files, script });
  const { api, session } = fixture;
  await api.until(await fixture.ask("@task go"), "completed");
  const [one] = await fixture.agents();
  assert.ok(one !== undefined);
  // As a process that is killed leaves it: the session knows that it began, and its job was just written down.
  const { service } = api;
  noteAgent(must(await service.sessions.find(session)), { ...one, status: "running", summary: "" });
  const lost = newJob({
    session: one.session_id,
    instruction: "work",
    toolset: "code",
    model: "",
    maxToolCalls: null,
    tab: null,
    context: "",
    agent: "0-One",
  });
  must((await service.store.putJob(lost)) ?? lost);
  await service.close();
  const next = await serveAgents(t, fixture.place, { script });
  const { agents } = await next.api.ok("GET", `/api/agent/sessions/${session}/agents`);
  assert.deepEqual(
    agents.map(({ status, summary }: { status: string; summary: string }) => [status, summary]),
    [
      [
        "aborted",
        "The process in which it worked was lost. Its conversation is kept: it can be asked again.",
      ],
    ],
  );
  assert.equal((await next.api.ok("GET", `/api/agent/jobs/${lost.id}`)).status, "failed");
  assert.equal(next.model.requests.length, 0);
  await next.api.until(await next.api.run(one.session_id, "go on"), "completed");
  const after = await next.api.ok("GET", `/api/agent/sessions/${session}/agents`);
  assert.deepEqual([after.agents[0].status, after.agents[0].summary], ["completed", "done after all"]);
});
