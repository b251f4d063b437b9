// The conversation of the terminal over a host of its own and over another process's, with a scripted model.

import assert from "node:assert/strict";
import { realpathSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import { type ModelScript, startScriptedModel } from "@stet/testkit/scripted-model";
import { serve } from "@stet/testkit/served";
import { StetProject } from "@stet/testkit/stet-project";
import { Connection } from "./connection.ts";
import { OpenConversation } from "./conversation.ts";
import { followWorkspace } from "./feed.ts";

const write = { toolCalls: [{ name: "write", arguments: { path: "new.txt", content: "one\n" } }] };

async function folder(t: TestContext, script: ModelScript) {
  const model = await startScriptedModel(script);
  t.after(() => model.close());
  const project = new StetProject(t, { "n.txt": "one\n" });
  const environment: NodeJS.ProcessEnv = {
    ...project.environment,
    OPENAI_COMPATIBLE_BASE_URL: `${model.url}/v1`,
    STET_MODEL: "openai-compatible/scripted",
  };
  const root = realpathSync(project.folder);
  const replaced: string[] = [];
  const connect = async () => {
    const connection = await Connection.open({
      root,
      environment,
      onFault: () => {},
      onReplaced: (kind) => replaced.push(kind),
    });
    assert.ok(!isFault(connection), String(connection));
    t.after(() => connection.close());
    return connection;
  };
  return { model, project, root, connect, environment, replaced };
}

/** Waits until something holds of a conversation, which tells when it changes. */
async function until(conversation: OpenConversation, holds: () => boolean): Promise<void> {
  const patience = AbortSignal.timeout(20_000);
  while (!holds()) {
    await new Promise<void>((resolve, reject) => {
      const end = conversation.onChange(done);
      function done() {
        end();
        resolve();
      }
      patience.addEventListener("abort", () => reject(new Error(JSON.stringify(conversation.items))), {
        once: true,
      });
    });
  }
}

const kinds = ({ items }: OpenConversation) => items.map(({ kind }) => kind);

test("a turn is asked, answered and kept: what it showed stays as it was, each item once", async (t) => {
  const { connect, project } = await folder(t, [write, { text: "It is written." }, { text: "Yes." }]);
  const connection = await connect();
  const ends: string[] = [];
  const conversation = new OpenConversation({
    connection,
    toolset: "code",
    onEnd: ({ end }) => ends.push(end?.kind ?? ""),
  });
  await conversation.open(undefined);
  assert.equal(conversation.id, "", "nothing is made before something is said");
  assert.equal(await conversation.send("Write it."), undefined);
  await until(conversation, () => conversation.question !== undefined);
  const { asked, questionId } = conversation.question ?? assert.fail();
  assert.equal(asked.kind, "permission");
  assert.equal(await conversation.answer(questionId ?? "", "allow_once"), undefined);
  await until(conversation, () => ends.length === 1);
  const before = conversation.items;
  assert.deepEqual(kinds(conversation), ["user", "tool", "question", "assistant", "turn"]);
  assert.equal(project.read("new.txt"), "one\n");
  await conversation.refresh();
  assert.deepEqual(conversation.items, before);
  assert.equal(conversation.choices.toolset, "code");
  await conversation.send("And?");
  await until(conversation, () => ends.length === 2);
  assert.deepEqual(kinds(conversation).slice(-2), ["user", "assistant"]);

  const again = new OpenConversation({ connection });
  await again.open(conversation.id);
  assert.deepEqual(
    kinds(again).filter((kind) => kind !== "question"),
    kinds(conversation).filter((kind) => kind !== "question"),
  );
});

test("what is typed while a turn runs is queued, taken back, or heard by it", async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { connect } = await folder(t, async (_request, index) => {
    if (index === 0) await promise;
    return { text: `Answer ${index}.` };
  });
  const conversation = new OpenConversation({ connection: await connect() });
  await conversation.open(undefined);
  await conversation.send("Begin.");
  await until(conversation, () => conversation.runningJob !== undefined);
  await conversation.send("One more.", { mode: "follow_up" });
  await conversation.send("Not this.");
  await until(conversation, () => conversation.queued.length === 2);
  const [, second] = conversation.queued;
  await conversation.withdraw(second?.id ?? "");
  await until(conversation, () => conversation.queued.length === 1);
  resolve();
  await until(conversation, () => conversation.runningJob === undefined);
  const said = conversation.items.flatMap((item) => (item.kind === "user" ? item.text : []));
  assert.deepEqual(said, ["Begin.", "One more."]);
});

test("two terminals on one folder show the same turn, and either answers its question", async (t) => {
  const { connect } = await folder(t, [write, { text: "It is written." }]);
  const [first, second] = [await connect(), await connect()];
  assert.deepEqual([await first.kind(), await second.kind()], ["own", "attached"]);
  const conversation = new OpenConversation({ connection: first, toolset: "code" });
  await conversation.open(undefined);
  const id = await conversation.ensure();
  assert.ok(!isFault(id));
  const other = new OpenConversation({ connection: second });
  const stop = new AbortController();
  t.after(() => stop.abort());
  const { promise: isFollowing, resolve } = Promise.withResolvers<number>();
  void followWorkspace({
    connection: second,
    signal: stop.signal,
    onOpenHunks: resolve,
    onFault: () => {},
    onEvent: ({ type, data }) => {
      if (type === "job.status" && data.status === "running") other.hearJob(data.job_id);
    },
  });
  await isFollowing;
  await other.open(id);
  await conversation.send("Write it.");
  await until(other, () => other.question !== undefined);
  await other.answer(other.question?.questionId ?? "", "allow_once");
  await until(conversation, () => conversation.items.some(({ kind }) => kind === "turn"));
  await until(other, () => other.items.some(({ kind }) => kind === "turn"));
  assert.deepEqual(kinds(other), kinds(conversation));
});

test("a server that is killed is replaced by a host of one's own, and the conversation goes on", async (t) => {
  const { connect, root, environment, model, replaced } = await folder(t, [
    { text: "One." },
    { text: "Two." },
  ]);
  const { HOME = "", STET_DATA_DIR: dataFolder = "" } = environment;
  const served = await serve({ root, dataFolder, modelUrl: model.url, environment: { HOME } });
  t.after(() => served.kill());
  const connection = await connect();
  assert.equal(await connection.kind(), "attached");
  const conversation = new OpenConversation({ connection });
  await conversation.open(undefined);
  await conversation.send("First.");
  await until(
    conversation,
    () => conversation.runningJob === undefined && conversation.settled.items.length > 0,
  );
  await served.kill();
  const refused = await conversation.send("Second.");
  if (refused !== undefined) assert.equal(await conversation.send("Second."), undefined);
  await until(conversation, () =>
    conversation.items.some((item) => item.kind === "assistant" && item.text === "Two."),
  );
  assert.deepEqual([await connection.kind(), replaced], ["own", ["own"]]);
});

test("a session that is opened while its turn runs shows each item once", async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { connect } = await folder(t, async (_request, index) => {
    if (index === 0) return { text: "The first answer." };
    if (index === 1) return { toolCalls: [{ name: "read", arguments: { path: "n.txt" } }] };
    await promise;
    return { text: "The second answer." };
  });
  const connection = await connect();
  const ends: string[] = [];
  const one = new OpenConversation({
    connection,
    toolset: "code",
    onEnd: ({ end }) => ends.push(end?.kind ?? ""),
  });
  await one.open(undefined);
  await one.send("Before.");
  await until(one, () => ends.length === 1);
  await one.send("Look at it.");
  await until(one, () => one.items.some((item) => item.kind === "tool" && item.status === "ok"));
  const other = new OpenConversation({ connection });
  await other.open(one.id);
  await until(other, () => other.live.some(({ kind }) => kind === "tool"));
  const seen = ["user", "assistant", "user", "tool"];
  assert.deepEqual(
    kinds(other)
      .slice(0, seen.length + 1)
      .filter((kind) => kind !== "waiting"),
    seen,
  );
  resolve();
  await until(other, () => other.runningJob === undefined);
  assert.deepEqual(kinds(other), [...seen, "assistant"]);
});

test("a session that is read as its turn begins keeps what was said before, and shows each item once", async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { connect } = await folder(t, async (_request, index) => {
    if (index === 1) return { toolCalls: [{ name: "read", arguments: { path: "n.txt" } }] };
    if (index === 2) await promise;
    return { text: `Answer ${index}.` };
  });
  const connection = await connect();
  const one = new OpenConversation({ connection, toolset: "code" });
  await one.open(undefined);
  await one.send("Before.");
  await until(one, () => one.hasAnswers && one.runningJob === undefined);
  await one.send("Look at it.");
  await until(one, () => one.items.some((item) => item.kind === "tool" && item.status === "ok"));
  const seen = ["user", "assistant", "user", "tool"];
  // The turn is heard of while the session is read, and began after the list of jobs was.
  const heard = new OpenConversation({ connection });
  const opening = heard.open(one.id);
  heard.hearJob(one.runningJob ?? "");
  await opening;
  const { api } = connection;
  const call: typeof api.call = async (name, ...given) => {
    const reply = await api.call(name, ...given);
    return name === "listJobs" && !isFault(reply) ? { ...reply, jobs: [] } : reply;
  };
  const early = new OpenConversation({
    connection: { api: { ...api, call }, follow: (options) => connection.follow(options) },
  });
  await early.open(one.id);
  for (const conversation of [heard, early]) {
    await until(conversation, () => conversation.live.some(({ kind }) => kind === "tool"));
    assert.deepEqual(
      kinds(conversation).filter((kind) => kind !== "waiting"),
      seen,
    );
  }
  resolve();
  for (const conversation of [heard, early]) {
    await until(conversation, () => conversation.runningJob === undefined);
    assert.deepEqual(kinds(conversation), [...seen, "assistant"]);
  }
});
