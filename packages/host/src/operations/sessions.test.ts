import assert from "node:assert/strict";
import { test } from "node:test";
import { invalidCallFailure } from "@stet/model/adapter/invalid-call";
import type { SessionMessage, SessionTreeNode } from "@stet/protocol/api/sessions";
import { noUsage } from "@stet/protocol/message";
import { SessionStore } from "@stet/session/session-store";
import { runs } from "@stet/testkit/depth";
import { replaceReply } from "@stet/testkit/line-hash";
import { modelOf, type PlayedReply } from "@stet/testkit/model-of";
import { TestService } from "@stet/testkit/test-service";
import { must, TestWorkspace } from "@stet/testkit/workspace";

const files = { "a.md": "one\ntwo\nthree\nfour\nfive\n" };
const replace = (start_line: number, new_text: string): PlayedReply =>
  replaceReply(files, "a.md", start_line, new_text);

/** A service whose model plays these replies, whoever asks. */
async function serve(t: Parameters<typeof TestService.open>[0], replies: readonly PlayedReply[]) {
  let index = 0;
  const model = modelOf(() => replies[index++] ?? { text: "?" });
  const api = await TestService.open(t, new TestWorkspace(t, files), model);
  const session = await api.session();
  const at = `/api/agent/sessions/${session}`;
  const read = async (query = ""): Promise<SessionMessage[]> =>
    (await api.ok("GET", `${at}/messages${query}`)).messages;
  const ask = async (text: string, status = "completed") => {
    const job = await api.run(session, text);
    await api.until(job, status);
    return job;
  };
  return { api, session, at, read, ask, model };
}

const shortly = (messages: readonly SessionMessage[]) => messages.map(({ kind, text }) => `${kind} ${text}`);

test("a conversation is read as it was held, without what Stet told the model, a page at a time", async (t) => {
  const failure = invalidCallFailure(
    { id: "c", name: "edit_file", argumentsText: "{" },
    "it breaks off",
    false,
  );
  const { api, session, at, read, ask } = await serve(t, [
    { failure },
    replace(1, "ONE"),
    { text: "It is loud now.", usage: { cost: { ...noUsage.cost, total: 0.5 } } },
    { text: "Sorry." },
  ]);
  await api.ok("PUT", `${at}/context_rows`, {
    context_rows: [{ id: "r", kind: "pinned", content: "Be brief." }],
  });
  const job = await ask("Shout.", "awaiting_review");
  const reject = { session_id: session, job_id: job, accepted_hunk_ids: [] };
  await api.ok("POST", "/api/agent/apply", reject);
  await ask("Why?");
  const messages = await read();
  const kinds = messages.map(({ kind }) => kind);
  assert.deepEqual(kinds, [
    "user",
    "assistant",
    "tool",
    "assistant",
    "turn",
    "decision",
    "user",
    "assistant",
  ]);
  const [, call, result, answer, turn, decision, why] = messages;
  assert.ok(call?.kind === "assistant" && result?.kind === "tool" && answer?.kind === "assistant");
  assert.ok(turn?.kind === "turn" && decision?.kind === "decision");
  assert.equal(call.text, "");
  assert.equal(call.calls?.[0]?.tool, "edit_file");
  assert.equal(result.tool_call_id, call.calls?.[0]?.tool_call_id);
  assert.deepEqual([answer.model, answer.cost_usd, answer.siblings], ["played/played", 0.5, 0]);
  assert.deepEqual([turn.files, decision.verdict, decision.hunks], [["a.md"], "rejected", 1]);
  assert.equal(why?.text, "Why?", "what was rejected is told to the model only");

  const paged: SessionMessage[] = [];
  for (let before = ""; ; before = `&before=${paged[0]?.entry_id}`) {
    const page = await api.ok("GET", `${at}/messages?limit=3${before}`);
    paged.unshift(...page.messages);
    if (!page.has_more) break;
  }
  assert.deepEqual(paged, messages);
  assert.equal(await api.refusal("GET", `${at}/messages?before=none`), "unknown_entry");
});

test("going back leaves the tree whole, gives the words back, and survives a restart", async (t) => {
  const place = new TestWorkspace(t, files);
  const replies = [replace(1, "ONE"), { text: "Done." }, { text: "Quietly done." }];
  let index = 0;
  const model = modelOf(() => replies[index++] ?? { text: "?" });
  const api = await TestService.open(t, place, model);
  const session = await api.session();
  const at = `/api/agent/sessions/${session}`;
  const job = await api.run(session, "Shout.");
  const { job: proposed } = await api.until(job, "awaiting_review");
  const [first] = (await api.ok("GET", `${at}/messages`)).messages;
  const back = await api.ok("POST", `${at}/branch`, { entry_id: first.entry_id });
  assert.deepEqual([back.leaf_id, back.prefill], [null, "Shout."]);
  assert.deepEqual(
    back.left_turns.map(({ checkpoint_id, summary }: Record<string, string>) => [checkpoint_id, summary]),
    [[proposed.checkpoint_id, "Shout."]],
  );
  assert.deepEqual((await api.ok("GET", `${at}/messages`)).messages, []);
  await api.service.close();

  const again = await TestService.open(t, place, model);
  const next = await again.run(session, "Whisper.");
  await again.until(next, "completed");
  const { messages } = await again.ok("GET", `${at}/messages`);
  assert.deepEqual(shortly(messages), ["user Whisper.", "assistant Quietly done."]);
  assert.deepEqual(
    messages.map(({ siblings }: SessionMessage) => siblings),
    [1, 0],
  );
  const { nodes, leaf_id } = await again.ok("GET", `${at}/tree?filter=no-tools`);
  assert.equal(leaf_id, messages[1].entry_id);
  assert.deepEqual(
    nodes.map(({ text, depth, is_on_path }: SessionTreeNode) => [text, depth, is_on_path]),
    [
      ["Shout.", 1, false],
      ["Done.", 1, false],
      ["Shout.", 1, false],
      ["Whisper.", 1, true],
      ["Quietly done.", 1, true],
    ],
  );
  const answer = await again.ok("POST", `${at}/branch`, { entry_id: messages[1].entry_id });
  assert.deepEqual([answer.leaf_id, answer.prefill, answer.left_turns], [messages[1].entry_id, null, []]);
  assert.equal(await again.refusal("POST", `${at}/branch`, { entry_id: "none" }), "unknown_entry");
});

test("the tree is filtered by kind, by label and by words; a label stays where it is and leaves the leaf alone", async (t) => {
  const { api, at, read, ask } = await serve(t, [
    replace(1, "ONE"),
    { text: "Loud." },
    { text: "You are welcome." },
  ]);
  await ask("Shout.", "awaiting_review");
  await ask("Thank you.");
  const before = await read();
  const [first, , , loud] = before;
  const label = (entry_id: string | undefined, text: string) =>
    api.ok("POST", `${at}/labels`, { entry_id, label: text });
  assert.deepEqual(await label(loud?.entry_id, " loud "), { entry_id: loud?.entry_id, label: "loud" });
  await label(first?.entry_id, "gone");
  assert.equal((await label(first?.entry_id, "")).label, null);
  assert.deepEqual(
    await read(),
    [...before].map((one) => (one === loud ? { ...one, label: "loud" } : one)),
  );
  const texts = async (query: string) =>
    (await api.ok("GET", `${at}/tree?${query}`)).nodes.map(({ text }: SessionTreeNode) => text);
  const kinds = async (query: string) =>
    (await api.ok("GET", `${at}/tree?${query}`)).nodes.map(({ kind }: SessionTreeNode) => kind);
  assert.deepEqual(await kinds(""), ["user", "tool", "assistant", "turn", "user", "assistant"]);
  assert.deepEqual(await texts("filter=no-tools"), [
    "Shout.",
    "Loud.",
    "Shout.",
    "Thank you.",
    "You are welcome.",
  ]);
  assert.deepEqual(await texts("filter=user-only"), ["Shout.", "Thank you."]);
  assert.deepEqual(await texts("filter=labeled-only"), ["Loud."]);
  assert.deepEqual(await texts("query=YOU%20welcome"), ["You are welcome."]);
  assert.deepEqual(await texts("query=LOUD%20assistant"), ["Loud."], "by label and kind");
  assert.equal((await texts("filter=all&query=edit_file")).length, 1, "a call without words, by its tool");
  const notes = await api.ok("GET", `${at}/tree?filter=all&query=note%20label`);
  assert.deepEqual(
    notes.nodes.map(({ text }: SessionTreeNode) => text),
    ["label loud", "label gone", "label taken away"],
  );
  const cut = await api.ok("GET", `${at}/tree?limit=2`);
  assert.deepEqual([cut.nodes.length, cut.truncated], [2, true]);
  assert.equal(await api.refusal("POST", `${at}/labels`, { entry_id: "none", label: "x" }), "unknown_entry");
});

test("a session in which a job works says so, and cannot go on from elsewhere", async (t) => {
  const { api, session, at, read, ask } = await serve(t, [
    { text: "Hello." },
    { text: "Wait …", delayMs: 60_000 },
  ]);
  await ask("Hi.");
  const [first] = await read();
  const job = await api.run(session, "Slowly.");
  assert.equal((await api.ok("GET", at)).running_job_id, job);
  assert.equal(await api.refusal("POST", `${at}/branch`, { entry_id: first?.entry_id }), "session_busy");
  await api.ok("POST", `/api/agent/jobs/${job}/cancel`, {});
  assert.equal((await api.ok("GET", at)).running_job_id, null);
  await api.ok("POST", `${at}/branch`, { entry_id: first?.entry_id });
});

test("what a session has used is told with it and after each reply, and pinned rows say what they take", async (t) => {
  const usage = {
    ...noUsage,
    input: 100,
    cacheRead: 900,
    output: 20,
    cost: { ...noUsage.cost, total: 0.25 },
  };
  const { api, at, session, ask } = await serve(t, [
    { ...replace(1, "ONE"), usage },
    { text: "Done.", usage },
  ]);
  const fresh = (await api.ok("GET", at)).use;
  assert.deepEqual([fresh.cost_usd, fresh.context_tokens, fresh.context_window], [0, 0, 1_000_000]);
  const job = await ask("Shout.", "awaiting_review");
  const { use } = await api.ok("GET", at);
  const all = {
    cost_usd: 0.5,
    cost_known: true,
    input: 2000,
    cache_read: 1800,
    output: 40,
    context_tokens: 1020,
    context_window: 100_000,
  };
  assert.deepEqual(use, all);
  const { events } = await api.until(job, "awaiting_review");
  const updates = events.filter(({ type }) => type === "usage.updated");
  assert.equal(updates.length, 2);
  assert.deepEqual(updates[1]?.data, all);

  const rows = [
    { id: "f", kind: "file", file_path: "a.md" },
    { id: "s", kind: "selection", file_path: "a.md", start_line: 2, end_line: 3 },
    { id: "p", kind: "pinned", content: "x".repeat(4000) },
    ...[1, 2, 3, 4].map((number) => ({ id: `${number}`, kind: "pinned", content: "y".repeat(60_000) })),
  ];
  const { context_rows } = await api.ok("PUT", `${at}/context_rows`, { context_rows: rows });
  const tokens = context_rows.map((row: { tokens: number }) => row.tokens);
  assert.ok(tokens[0] < 15 && tokens[1] < 15 && tokens[0] > 0 && tokens[1] > 0, `${tokens}`);
  assert.ok(tokens[2] > 1000 && tokens[2] < 1010);
  assert.deepEqual(
    tokens.map((count: number) => count > 0),
    [true, true, true, true, true, true, false],
  );
  assert.deepEqual((await api.ok("GET", `/api/agent/sessions/${session}`)).context_rows, context_rows);
});

test("words and thoughts can be followed as they stream, each before the call or the end that comes after it", async (t) => {
  const { api, session } = await serve(t, [
    { text: "I look at it.", ...replace(1, "ONE") },
    { text: "It is done." },
  ]);
  const job = await api.run(session, "Shout.");
  const heard = await api.listen(
    `/api/agent/jobs/${job}/stream?cursor=0`,
    ({ event }) => event === "diff.generated",
  );
  const lines: string[] = [];
  let words = "";
  for (const { event, data } of heard) {
    if (event === "message.delta") words += data.data.text;
    if (event === "message.completed") {
      assert.equal(data.data.text, words || data.data.text);
      lines.push(data.data.text);
      words = "";
    }
    if (event === "tool.call.requested" || event === "tool.call.completed") {
      assert.equal(data.data.tool_call_id, "call_0_0");
      lines.push(event);
    }
  }
  assert.deepEqual(lines, ["I look at it.", "tool.call.requested", "tool.call.completed", "It is done."]);
});

test("a session gets another title, in the terminal too, and is found by words of it", async (t) => {
  const { api, at, ask, session } = await serve(t, [{ text: "Hello." }]);
  await ask("Hi.");
  await api.session();
  assert.equal(
    (await api.ok("POST", `${at}/rename`, { title: " The Lighthouse at Dawn " })).title,
    "The Lighthouse at Dawn",
  );
  const found = await api.ok("GET", "/api/agent/sessions?query=dawn%20LIGHT");
  assert.deepEqual(
    found.sessions.map((one: { session_id: string }) => one.session_id),
    [session],
  );
  assert.deepEqual((await api.ok("GET", "/api/agent/sessions?query=dusk")).sessions, []);
  const { dataFolder, root } = api.place;
  const [listed] = new SessionStore({ dataFolder }).list(root);
  assert.equal(listed?.title, "The Lighthouse at Dawn");
  assert.equal(
    await api.refusal("POST", "/api/agent/sessions/none/rename", { title: "x" }),
    "session_not_found",
  );
  const { is_practice, toolset } = await api.ok("GET", "/api/models");
  assert.deepEqual([is_practice, toolset], [true, "project"]);
});

test("other windows are told when a conversation gets another name, label, place or context, and not when it was refused", async (t) => {
  const { api, session, at, ask } = await serve(t, [{ text: "Yes." }]);
  await ask("Is it?");
  const { cursor } = await api.ok("GET", "/api/workspace");
  const [node] = (await api.ok("GET", `${at}/tree`)).nodes as SessionTreeNode[];
  const entry_id = node?.entry_id ?? "";
  await api.ok("POST", `${at}/rename`, { title: "Another" });
  await api.ok("PUT", `${at}/context_rows`, { context_rows: [{ id: "r", kind: "file", file_path: "a.md" }] });
  await api.ok("POST", `${at}/labels`, { entry_id, label: "here" });
  await api.ok("POST", `${at}/branch`, { entry_id });
  await api.ok("POST", `${at}/archive`, { archived: true });
  await api.refusal("POST", `${at}/branch`, { entry_id: "nowhere" });
  const { events } = await api.ok("GET", `/api/workspace/events?cursor=${cursor}`);
  const told = events.filter(({ type }: { type: string }) => type === "session.changed");
  assert.deepEqual(
    told.map(({ data }: { data: unknown }) => data),
    Array.from({ length: 5 }, () => ({ session_id: session })),
  );
});

test("a conversation of 20,000 entries is shown, paged and drawn as a tree without making anyone wait", async (t) => {
  const place = new TestWorkspace(t, files);
  const store = new SessionStore({ dataFolder: place.dataFolder });
  const session = store.create(place.root);
  const said = { role: "user", content: "A question of some length. ".repeat(10), timestamp: 1 } as const;
  const text = "An answer of some length. ".repeat(40);
  const answer = {
    role: "assistant",
    content: [{ type: "text", text }],
    provider: "played",
    model: "played",
    usage: { ...noUsage, input: 10, output: 1 },
    stopReason: "stop",
    timestamp: 2,
  } as const;
  const drafts = Array.from({ length: 200 }, (_, index) => {
    return { type: "message", message: index % 2 === 0 ? said : answer } as const;
  });
  const entries = runs(20_000);
  for (let count = 0; count < entries; count += drafts.length) must(session.appendAll(drafts));
  const api = await TestService.open(t, place, modelOf([]));
  const at = `/api/agent/sessions/${session.header.id}`;
  const timed = async (path: string) => {
    // Of the processor: others may be at work on the machine.
    const before = process.cpuUsage();
    const body = await api.ok("GET", path);
    const { user, system } = process.cpuUsage(before);
    return { body, ms: Math.round((user + system) / 1000) };
  };
  const first = await timed(at);
  const second = await timed(at);
  const page = await timed(`${at}/messages`);
  const tree = await timed(`${at}/tree?limit=${entries}`);
  t.diagnostic(`session ${first.ms} then ${second.ms} ms, page ${page.ms} ms, tree ${tree.ms} ms`);
  assert.deepEqual([second.body.use.input, second.body.use.context_tokens], [5 * entries, 11]);
  assert.deepEqual([page.body.messages.length, page.body.has_more], [200, true]);
  assert.deepEqual([tree.body.nodes.length, tree.body.nodes.at(-1).depth], [entries, 0]);
  assert.ok(page.ms < 2000 && second.ms < 2000 && tree.ms < 10_000);
});

test("going back with a summary tells the model on the new way what was found out on the one that is left", async (t) => {
  const place = new TestWorkspace(t, files);
  const model = modelOf((request) => {
    const words = JSON.stringify(request.messages);
    if (request.toolChoice === "none") return { text: "Shouting was tried, and is too loud." };
    return { text: words.includes("too loud") ? "I know." : "SHOUTED." };
  });
  const api = await TestService.open(t, place, model);
  const session = await api.session();
  const at = `/api/agent/sessions/${session}`;
  await api.until(await api.run(session, "Hello."), "completed");
  await api.until(await api.run(session, "Shout."), "completed");
  const before: SessionMessage[] = (await api.ok("GET", `${at}/messages`)).messages;
  const shout = before.find(({ text }) => text === "Shout.")?.entry_id;
  await api.ok("POST", `${at}/branch`, { entry_id: shout, summarise: true });
  await api.until(await api.run(session, "Whisper."), "completed");
  const { messages } = await api.ok("GET", `${at}/messages`);
  assert.deepEqual(shortly(messages), [
    "user Hello.",
    "assistant SHOUTED.",
    "summary Shouting was tried, and is too loud.",
    "user Whisper.",
    "assistant I know.",
  ]);
  const asked = model.requests.find(({ toolChoice }) => toolChoice === "none");
  assert.doesNotMatch(JSON.stringify(asked?.messages), /Hello/, "only what is left is summarised");
});
