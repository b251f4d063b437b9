// Agents that do not do what they were sent for: each ends, and whoever sent it is told how.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import type { AgentView } from "@stet/protocol/api/agents";
import type { ModelRequest } from "@stet/protocol/model-stream";
import {
  type AgentsFixtureOptions,
  delegates,
  gate,
  newestResult,
  openAgentsFixture,
  type Part,
  send,
  yields,
} from "@stet/testkit/agents-fixture";

interface Ended {
  readonly agent: AgentView;
  /** What its sender was told. */
  readonly told: string;
  /** The requests of its own. */
  readonly requests: readonly ModelRequest[];
}

/** Sends one agent, and waits for its end. */
async function sent(
  t: TestContext,
  work: Part,
  { agent = "task", ...given }: Partial<AgentsFixtureOptions> & { readonly agent?: string } = {},
): Promise<Ended> {
  const fixture = await openAgentsFixture(t, {
    ...given,
    script: { "@task go": delegates(agent, [{ id: "One", assignment: "work" }]), work, ...given.script },
  });
  await fixture.api.until(await fixture.ask("@task go"), "completed", "awaiting_review");
  const [view] = await fixture.agents();
  assert.ok(view !== undefined);
  const { requests } = fixture.model;
  const own = requests.filter(({ system }) => system.includes("You were sent by another agent"));
  const told = requests.filter((request) => !own.includes(request)).map(newestResult);
  return { agent: view, told: told.join("\n"), requests: own };
}

const warning = "SYSTEM WARNING: Subagent exited without calling yield tool after 3 reminders.";

test("one that never yields is reminded three times, the last time it can do nothing else, and then it ends", async (t) => {
  const { agent, told, requests } = await sent(t, [{ text: "I have looked." }]);
  assert.equal(requests.length, 4);
  const reminders = requests.map(({ messages }) => JSON.stringify(messages.at(-1)));
  assert.deepEqual(
    reminders.map((text) => /Reminder (\d) of 3/.exec(text)?.[1]),
    [undefined, "1", "2", "3"],
  );
  assert.match(reminders[3] ?? "", /This is the last reminder/);
  assert.deepEqual(
    requests.map(({ toolChoice }) => toolChoice),
    [undefined, undefined, undefined, { tool: "yield" }],
  );
  assert.ok(told.includes(warning), told);
  assert.ok(told.includes("I have looked."), "its last words are its output");
  assert.equal(agent.status, "completed");
});

test("one that was to give back something of a form, and never does, has failed", async (t) => {
  const { agent, told } = await sent(t, [{ text: "I have looked." }], { agent: "explore" });
  assert.equal(agent.status, "failed");
  assert.ok(told.includes(warning), told);
});

test("one that yields twice has given back the first", async (t) => {
  const twice = { calls: [...(yields("first").calls ?? []), ...(yields("second").calls ?? [])] };
  const { agent, told } = await sent(t, [twice]);
  assert.equal(agent.status, "completed");
  assert.match(told, /first/);
  assert.doesNotMatch(told, /second/);
});

test("a result of another form is refused, and may be given again", async (t) => {
  const { agent, told, requests } = await sent(
    t,
    [yields("text"), yields({ summary: "All of it.", places: [] })],
    { agent: "explore" },
  );
  assert.equal(requests.length, 2);
  assert.equal(agent.status, "completed");
  assert.match(told, /"summary": "All of it\."/);
});

test("one that gives up has failed, with its reason", async (t) => {
  const { agent, told } = await sent(t, [
    { calls: [{ name: "yield", arguments: { error: "no such file" } }] },
  ]);
  assert.equal(agent.status, "failed");
  assert.match(told, /It gave up: no such file/);
});

test("one that talks nonsense ends by the limit of calls that cannot be carried out", async (t) => {
  const nonsense = { calls: [{ name: "dance", arguments: { wildly: true } }] };
  const { agent, told } = await sent(t, [nonsense]);
  assert.equal(agent.status, "failed", told);
  assert.match(told, /0-One \(task\) failed/);
});

const finding = {
  title: "It is wrong.",
  body: "Always.",
  priority: "P1",
  confidence: 0.9,
  file_path: "a.txt",
  line_start: 1,
  line_end: 2,
};
const reports = { calls: [{ name: "report_finding", arguments: finding }] };

test("findings that were reported are part of the result, beside its verdict", async (t) => {
  const verdict = yields({ verdict: "incorrect", explanation: "See the finding." });
  let details: unknown;
  let output: unknown;
  const fixture = await openAgentsFixture(t, {
    settings: { "async.enabled": false },
    script: {
      "@task go": [
        send("reviewer", [{ id: "One", assignment: "work" }]),
        ({ messages }) => {
          const last = messages.at(-1);
          details = last?.role === "toolResult" ? last.details : undefined;
          return { calls: [{ name: "read", arguments: { path: "agent://0-One:raw" } }] };
        },
        (request) => {
          output = JSON.parse(newestResult(request));
          return { text: "Done." };
        },
      ],
      work: [reports, verdict],
    },
  });
  await fixture.api.until(await fixture.ask("@task go"), "completed");
  assert.match(JSON.stringify(details), /"extractedToolData":\{"report_finding":\[\{"title":"It is wrong\."/);
  assert.deepEqual(output, { verdict: "incorrect", explanation: "See the finding.", findings: [finding] });
});

test("whoever sent a reviewer is told what it found, also where it gave up", async (t) => {
  const { told } = await sent(t, [reports, yields({ verdict: "incorrect", explanation: "So." })], {
    agent: "reviewer",
  });
  assert.match(told, /"findings": \[\s+\{\s+"title": "It is wrong\."/);
  const gaveUp = { calls: [{ name: "yield", arguments: { error: "no such file" } }] };
  const failed = await sent(t, [reports, gaveUp], { agent: "reviewer" });
  assert.equal(failed.agent.status, "failed");
  assert.match(failed.told, /P1 a\.txt:1-2 \(confidence 0\.9\): It is wrong\.\nAlways\./);
});

test("of an output beyond its bounds the whole is kept, and the result says that it is a part", async (t) => {
  const outputs = ["line\n".repeat(6000), "ü".repeat(300_000)];
  for (const output of outputs) {
    // biome-ignore lint/suspicious/noExplicitAny: details are whatever the tool says
    let details: any;
    const fixture = await openAgentsFixture(t, {
      settings: { "async.enabled": false },
      script: {
        "@task go": [
          send("task", [{ id: "One", assignment: "work" }]),
          ({ messages }) => {
            details = messages.findLast((message) => message.role === "toolResult")?.details;
            return { text: "Done." };
          },
        ],
        work: [yields(output)],
      },
    });
    await fixture.api.until(await fixture.ask("@task go"), "completed");
    const [result] = details.results;
    assert.equal(result.truncated, true);
    assert.ok(result.output.split("\n").length <= 5000 && Buffer.byteLength(result.output) <= 500_000);
    assert.ok(result.output.isWellFormed() && output.startsWith(result.output));
    assert.equal(readFileSync(result.outputPath, "utf8"), output);
  }
});

test("one whose model fails has failed, and its reason is told", async (t) => {
  const failure = { kind: "invalid_request", message: "The key is of somebody else." } as const;
  const { agent, told } = await sent(t, [{ failure }]);
  assert.equal(agent.status, "failed");
  assert.match(told, /The key is of somebody else\./);
});

test("at its cap of tokens an agent ends before the next request, and what it said is its output", async (t) => {
  const looks = {
    text: "So far.",
    calls: [{ name: "read", arguments: { path: "a.txt" } }],
    usage: { input: 600 },
  };
  const { agent, told, requests } = await sent(t, [looks], {
    files: { "a.txt": "a\n" },
    settings: { "task.maxTokens": 1000 },
  });
  assert.equal(requests.length, 2, "600, then 1200: the third request does not begin");
  assert.deepEqual([agent.status, agent.tokens], ["failed", 1200]);
  assert.match(told, /The budget of 0-One is spent: 1200 of 1000 tokens are used/);
  assert.match(told, /So far\./);
});

test("at its cap of time an agent is stopped, and its sender is told that the time is over", async (t) => {
  const never = gate();
  const { agent, told } = await sent(t, [never.before(yields("late"))], {
    settings: { "task.maxMinutes": 0.002 },
  });
  assert.equal(agent.status, "aborted");
  assert.match(told, /Its time of 0\.002 minutes is over/);
});

test("an agent cannot send its own kind, nor deeper than is allowed", async (t) => {
  const answers: string[] = [];
  const noting = (request: ModelRequest) => {
    answers.push(newestResult(request));
  };
  const { agent } = await sent(
    t,
    [
      send("task", [{ id: "Self", assignment: "deeper" }]),
      (request) => {
        noting(request);
        return send("plan", [{ id: "Plan", assignment: "deeper" }]);
      },
      (request) => {
        noting(request);
        return yields("done");
      },
    ],
    {
      script: {
        deeper: [
          (request) => {
            answers.push(request.tools.map(({ name }) => name).join(" "));
            return yields("deep");
          },
        ],
      },
    },
  );
  assert.equal(agent.status, "completed");
  assert.match(answers[0] ?? "", /task cannot send itself\./);
  assert.doesNotMatch(answers[1] ?? "", /\btask\b/, "at the depth of 2 nobody is sent any more");
  assert.match(answers[2] ?? "", /0-One\.0-Plan \(plan\) completed/);
});

test("an agent's question reaches the person with its name, and its answer goes to it", async (t) => {
  const fixture = await openAgentsFixture(t, {
    script: {
      "@task go": delegates("task", [{ id: "One", assignment: "work" }]),
      work: [
        {
          calls: [
            {
              name: "ask",
              arguments: {
                questions: [
                  { id: "q", question: "Which one?", options: [{ label: "left" }, { label: "right" }] },
                ],
              },
            },
          ],
        },
        (request) => yields(newestResult(request)),
      ],
    },
  });
  const job = await fixture.ask("@task go");
  const asking = await fixture.until("0-One", ({ question }) => question !== null);
  const { question, job_id: id } = asking;
  assert.deepEqual([question?.question.includes("Which one?"), question?.asked.agent], [true, "0-One"]);
  const { events } = await fixture.api.until(id ?? "", "waiting_for_user");
  const requested = events.find(({ type }) => type === "clarification.requested");
  assert.match(JSON.stringify(requested), /"agent":"0-One"/);
  await fixture.api.ok("POST", `/api/agent/jobs/${id}/clarify`, {
    question_id: question?.question_id,
    answer: "right",
  });
  await fixture.api.until(job, "completed");
  const [agent] = await fixture.agents();
  assert.deepEqual([agent?.status, agent?.question], ["completed", null]);
  assert.match(agent?.summary ?? "", /right/);
});
