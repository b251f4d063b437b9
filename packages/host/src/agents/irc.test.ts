// Agents of a session speak with each other.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelRequest } from "@stet/protocol/model-stream";
import {
  delegates,
  gate,
  newestResult,
  openAgentsFixture,
  type Step,
  textOf,
  yields,
} from "@stet/testkit/agents-fixture";

const irc = (input: Record<string, unknown>) => ({ calls: [{ name: "irc", arguments: input }] });

const two = delegates("task", [
  { id: "One", assignment: "first" },
  { id: "Two", assignment: "second" },
]);

/** Two agents: one says these things, one after another, while the other one works. Returns what it was told each time. */
async function saying(
  t: Parameters<typeof openAgentsFixture>[0],
  messages: readonly Record<string, unknown>[],
  reply: Parameters<typeof openAgentsFixture>[1]["irc"] = () => ({ text: "Blue." }),
) {
  const [begun, said] = [gate(), gate()];
  const answers: string[] = [];
  const heard: ModelRequest[] = [];
  const steps: Step[] = messages.map((message, index) => async (request) => {
    if (index === 0) await begun.passed;
    else answers.push(newestResult(request));
    return irc(message);
  });
  const fixture = await openAgentsFixture(t, {
    irc: reply,
    script: {
      "@task go": two,
      first: [
        ...steps,
        (request) => {
          answers.push(newestResult(request));
          said.open();
          return yields("said");
        },
      ],
      second: [
        async () => {
          begun.open();
          await said.passed;
          return irc({ op: "list" });
        },
        (request) => {
          heard.push(request);
          return yields("heard");
        },
      ],
    },
  });
  await fixture.api.until(await fixture.ask("@task go"), "completed");
  return { answers, heard, fixture };
}

test("an agent lists the others, says something to one and gets its reply, and that one knows what was said", async (t) => {
  const { answers, heard, fixture } = await saying(t, [
    { op: "list" },
    { op: "send", to: "1-Two", message: "Which colour?" },
  ]);
  assert.equal(
    answers[0],
    "2 peer(s):\n- main (main, running): the session's own agent\n- 1-Two (task, running): does Two",
  );
  assert.equal(answers[1], "Delivered to 1-Two.\n## Replies\n1-Two: Blue.");
  const beside = fixture.model.requests.find(({ toolChoice }) => toolChoice === "none");
  assert.match(
    JSON.stringify(beside?.messages.at(-1)),
    /0-One, another agent of this session.*Which colour\?/,
  );
  const known = heard.flatMap(({ messages }) => messages.map((message) => textOf(message)));
  assert.ok(
    known.includes('<irc from="0-One">\nWhich colour?\n</irc>\n[You answered: Blue.]'),
    known.join("\n---\n"),
  );
});

test("to all nobody is waited for, and to nobody nothing is said", async (t) => {
  const { answers } = await saying(t, [
    { op: "send", to: "all", message: "I rename it." },
    { op: "send", to: "9-Nobody", message: "Hello?" },
    { op: "send", message: "Hello?" },
    { op: "send", to: "1-Two" },
    { op: "dance" },
    { op: "send", to: "1-Two", message: "Go on.", awaitReply: false },
  ]);
  assert.deepEqual(answers, [
    "Delivered to main, 1-Two.",
    "No recipients received the message.\nUnknown / unavailable peers: 9-Nobody",
    '`to` is required for op="send".',
    '`message` is required for op="send".',
    "Unknown irc op.",
    "Delivered to 1-Two.",
  ]);
});

test("one that cannot answer is told as failed, with why", async (t) => {
  const failure = { kind: "invalid_request", message: "No such model." } as const;
  const { answers } = await saying(t, [{ op: "send", to: "1-Two", message: "Which?" }], () => ({ failure }));
  assert.equal(
    answers[0],
    "No recipients received the message.\n## Failed\n1-Two: It could not answer: No such model.",
  );
});

test("what another agent says comes to the sender's conversation, and in the event log, with who said it", async (t) => {
  const { fixture } = await saying(t, [
    { op: "send", to: "main", message: "I found it.", awaitReply: false },
  ]);
  const { messages } = await fixture.api.ok("GET", `/api/agent/sessions/${fixture.session}/messages`);
  assert.match(JSON.stringify(messages), /<irc from=\\"0-One\\">\\nI found it/);
  const { jobs } = await fixture.api.ok("GET", `/api/agent/jobs?session_id=${fixture.session}`);
  const { events } = await fixture.api.until(jobs[0].job_id, "completed");
  const received = events.filter(({ type }) => type === "delivery.received");
  assert.ok(
    received.some(({ data }) => JSON.stringify(data).includes('"kind":"agent","id":"0-One"')),
    JSON.stringify(received),
  );
});

test("the session's own agent is alone until it has sent somebody", async (t) => {
  let answer = "";
  const fixture = await openAgentsFixture(t, {
    script: {
      "@task go": [
        irc({ op: "list" }),
        (request) => {
          answer = newestResult(request);
          return { text: "Nobody is there." };
        },
      ],
    },
  });
  await fixture.api.until(await fixture.ask("@task go"), "completed");
  assert.equal(answer, "No other live agents.");
});

test("irc can be switched off, and one who waits for those that it has sent has none", async (t) => {
  for (const [enabled, isAsync] of [
    [true, true],
    [true, false],
    [false, true],
  ]) {
    const names: string[] = [];
    const fixture = await openAgentsFixture(t, {
      settings: { "irc.enabled": enabled, "async.enabled": isAsync },
      script: {
        "@task go": delegates("task", [{ id: "One", assignment: "work" }]),
        work: [yields("done")],
      },
    });
    await fixture.api.until(await fixture.ask("@task go"), "completed");
    const isChild = ({ system }: ModelRequest) => system.includes("You were sent by another agent");
    for (const request of [
      fixture.model.requests.find((one) => !isChild(one)),
      fixture.model.requests.find(isChild),
    ])
      names.push((request?.tools ?? []).some(({ name }) => name === "irc") ? "irc" : "none");
    assert.deepEqual(names, [enabled && isAsync ? "irc" : "none", enabled ? "irc" : "none"]);
  }
});
