import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "@stet/protocol/fault";
import { toolAnswer } from "@stet/testkit/tool-answer";
import type { AgentMessages, Peer } from "./delegation.ts";
import { ircTool } from "./irc.ts";

const look: Peer = { id: "0-Look", agent: "explore", status: "running", description: "look around" };
const fix: Peer = { id: "1-Fix", agent: "task", status: "idle", description: "fix it" };

type Say = AgentMessages["say"];

function irc(peers: readonly Peer[], say: Say = async () => ({ reply: undefined })) {
  const said: [string, string, boolean][] = [];
  const tool = ircTool({
    self: "main",
    peers: () => peers,
    say(to, message, awaitReply, signal) {
      said.push([to, message, awaitReply]);
      return say(to, message, awaitReply, signal);
    },
  });
  return {
    said,
    call: (input: Record<string, unknown>, signal?: AbortSignal) => toolAnswer(tool, input, signal),
  };
}

test("those that live here are listed, and whom one may speak to", async () => {
  const { call } = irc([look, fix]);
  const { text, details } = await call({ op: "list" });
  assert.equal(text, "2 peer(s):\n- 0-Look (explore, running): look around\n- 1-Fix (task, idle): fix it");
  assert.deepEqual(details, {
    op: "list",
    from: "main",
    peers: [look, fix],
    channels: ["all", "0-Look", "1-Fix"],
  });
});

test("an agent that is alone is told so", async () => {
  const { call } = irc([]);
  assert.equal((await call({ op: "list" })).text, "No other live agents.");
  const { text, details } = await call({ op: "send", to: "all", message: "hello" });
  assert.equal(text, "No recipients received the message.");
  assert.deepEqual(details, { op: "send", from: "main", to: "all", delivered: [] });
});

const refusals: readonly [Record<string, unknown>, string][] = [
  [{ op: "send", message: "hello" }, '`to` is required for op="send".'],
  [{ op: "send", to: "  ", message: "hello" }, '`to` is required for op="send".'],
  [{ op: "send", to: "0-Look" }, '`message` is required for op="send".'],
  [{ op: "send", to: "0-Look", message: " \n" }, '`message` is required for op="send".'],
  [{ op: "join", to: "0-Look" }, "Unknown irc op."],
];

for (const [input, text] of refusals) {
  test(`${JSON.stringify(input)} is refused in words`, async () => {
    const { said, call } = irc([look]);
    const answer = await call(input);
    assert.deepEqual([answer.text, answer.isError, answer.error, said], [text, true, undefined, []]);
  });
}

test("one agent is asked and its reply is waited for; all are told without waiting", async () => {
  const { said, call } = irc([look, fix], async (to, _, awaitReply) => ({
    reply: awaitReply ? `I am ${to}` : undefined,
  }));
  const direct = await call({ op: "send", to: " 0-Look ", message: " Who? " });
  assert.equal(direct.text, "Delivered to 0-Look.\n## Replies\n0-Look: I am 0-Look");
  assert.deepEqual(direct.details, {
    op: "send",
    from: "main",
    to: "0-Look",
    delivered: ["0-Look"],
    replies: [{ from: "0-Look", text: "I am 0-Look" }],
  });
  assert.equal((await call({ op: "send", to: "all", message: "Stop" })).text, "Delivered to 0-Look, 1-Fix.");
  assert.equal(
    (await call({ op: "send", to: "all", message: "Who?", awaitReply: true })).text,
    "Delivered to 0-Look, 1-Fix.\n## Replies\n0-Look: I am 0-Look\n1-Fix: I am 1-Fix",
  );
  await call({ op: "send", to: "1-Fix", message: "Just so you know", awaitReply: false });
  assert.deepEqual(said, [
    ["0-Look", "Who?", true],
    ["0-Look", "Stop", false],
    ["1-Fix", "Stop", false],
    ["0-Look", "Who?", true],
    ["1-Fix", "Who?", true],
    ["1-Fix", "Just so you know", false],
  ]);
});

test("an unknown agent, oneself and a name in other capitals are not there", async () => {
  const { said, call } = irc([look]);
  for (const to of ["2-Gone", "main", "0-look"]) {
    const { text, details, isError } = await call({ op: "send", to, message: "hello" });
    assert.equal(text, `No recipients received the message.\nUnknown / unavailable peers: ${to}`);
    assert.deepEqual([details.notFound, isError], [[to], true]);
  }
  assert.deepEqual(said, []);
});

test("one agent that cannot answer keeps the others from nothing", async () => {
  const broken = new Fault("model_failed", "The model did not answer.", "Try again.");
  const { call } = irc([look, fix], async (to) => (to === "0-Look" ? broken : { reply: "yes" }));
  const { text, details, isError } = await call({
    op: "send",
    to: "all",
    message: "Ready?",
    awaitReply: true,
  });
  assert.equal(
    text,
    "Delivered to 1-Fix.\n## Replies\n1-Fix: yes\n## Failed\n0-Look: The model did not answer.",
  );
  assert.deepEqual(
    [details.failed, isError],
    [[{ id: "0-Look", error: "The model did not answer." }], false],
  );
  const alone = irc([look], async () => broken);
  const failed = await alone.call({ op: "send", to: "0-Look", message: "Ready?" });
  assert.equal(
    failed.text,
    "No recipients received the message.\n## Failed\n0-Look: The model did not answer.",
  );
});

test("whoever stops the call stops the replies that it waits for", async () => {
  const stop = new AbortController();
  const heard = Promise.withResolvers<AbortSignal>();
  const { call } = irc([look], async (_to, _message, _awaitReply, signal) => {
    heard.resolve(signal);
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    return new Fault("aborted", "It was stopped.", "Wait.");
  });
  const answer = call({ op: "send", to: "0-Look", message: "Ready?" }, stop.signal);
  await heard.promise;
  stop.abort();
  assert.match((await answer).text, /0-Look: It was stopped\./);
});
