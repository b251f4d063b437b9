import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { SessionStore } from "@stet/session/session-store";
import { modelOf, type PlayedReply } from "@stet/testkit/model-of";
import { answered, said } from "@stet/testkit/sample-session";
import { TestService } from "@stet/testkit/test-service";
import { must, TestWorkspace } from "@stet/testkit/workspace";

async function serve(t: TestContext, replies: readonly PlayedReply[]) {
  let index = 0;
  const model = modelOf(() => replies[index++] ?? { text: "?" });
  const workspace = new TestWorkspace(t, { "a.md": "one\n" });
  const api = await TestService.open(t, workspace, model);
  const session = await api.session();
  const at = `/api/agent/sessions/${session}`;
  const ask = async (text: string, where = session) => api.until(await api.run(where, text), "completed");
  const read = async (where = session) =>
    (await api.ok("GET", `/api/agent/sessions/${where}/messages`)).messages;
  const texts = async (where = session) => (await read(where)).map(({ text }: { text: string }) => text);
  return { api, model, workspace, session, at, ask, read, texts };
}

test("a fork is the whole conversation in a session of its own; the first one stays as it is", async (t) => {
  const { api, at, ask, texts } = await serve(t, [{ text: "Hello." }, { text: "Fine." }, { text: "Else." }]);
  await ask("Hi.");
  await ask("How are you?");
  const { session_id: fork } = await api.ok("POST", `${at}/fork`, {});
  assert.deepEqual(await texts(fork), ["Hi.", "Hello.", "How are you?", "Fine."]);
  await ask("And now?", fork);
  assert.deepEqual(await texts(), ["Hi.", "Hello.", "How are you?", "Fine."]);
  assert.equal((await texts(fork)).length, 6);
});

test("a session of another folder is found, and forked into this one", async (t) => {
  const { api, workspace, texts } = await serve(t, []);
  const store = new SessionStore({ dataFolder: workspace.dataFolder });
  const other = store.create("/elsewhere/book");
  must(other.appendMessage(said("Where is the lighthouse?")));
  must(other.appendMessage(answered("By the sea, with a keeper called Ismael.")));
  const { id } = other.header;
  assert.deepEqual((await api.ok("GET", "/api/sessions")).sessions, []);
  for (const query of ["", "lighthouse sea", "ISMAEL", "lghthouse", "elsewhere book", id.slice(0, 6)]) {
    const found = await api.ok("GET", `/api/sessions?folders=all&query=${encodeURIComponent(query)}`);
    assert.deepEqual(
      found.sessions.map((one: { session_id: string; is_here: boolean }) => [one.session_id, one.is_here]),
      [[id, false]],
      query,
    );
  }
  const none = await api.ok("GET", "/api/sessions?folders=all&query=lighthouse%20submarine");
  assert.deepEqual(none.sessions, []);
  const { session_id: fork } = await api.ok("POST", `/api/agent/sessions/${id}/fork`, {});
  assert.equal((await texts(fork)).length, 2);
  assert.equal((await api.ok("GET", "/api/sessions")).sessions[0]?.session_id, fork);
  assert.equal(
    await api.refusal("POST", `/api/agent/sessions/${encodeURIComponent("../x")}/fork`, {}),
    "session_not_found",
  );
});

test("a branch begins with what came before a message, whose words come back to be said otherwise", async (t) => {
  const { api, at, ask, read, texts } = await serve(t, [
    { text: "Hello." },
    { text: "Fine." },
    { text: "Anew." },
  ]);
  await ask("Hi.");
  await ask("How are you?");
  const [first, answer, second] = await read();
  await api.ok("POST", `${at}/labels`, { entry_id: answer.entry_id, label: "greeting" });
  const branch = await api.ok("POST", `${at}/branch_off`, { entry_id: second.entry_id });
  assert.equal(branch.prefill, "How are you?");
  assert.deepEqual(await texts(branch.session_id), ["Hi.", "Hello."]);
  assert.equal((await read(branch.session_id))[1].label, "greeting");
  const root = await api.ok("POST", `${at}/branch_off`, { entry_id: first.entry_id });
  assert.deepEqual([root.prefill, await texts(root.session_id)], ["Hi.", []]);
  await ask("Good morning.", root.session_id);
  assert.deepEqual(await texts(root.session_id), ["Good morning.", "Anew."]);
  const lines = (await api.ok("GET", `/api/agent/sessions/${root.session_id}/export?format=jsonl`)).text;
  assert.match(JSON.parse(lines.split("\n")[0]).parentSession, /\.jsonl$/, "where it came from");
});

test("compacting sums up what is old, by the person's wish, and tells the windows", async (t) => {
  const { api, model, at, ask, read } = await serve(t, [
    { text: `Hello. ${"word ".repeat(500)}` },
    { text: "Fine." },
    { text: "The person greeted.\n\n## Goal\nTalk." },
  ]);
  await ask("Hi.");
  await ask("How are you?");
  const reply = await api.ok("POST", `${at}/compact`, { instructions: "Keep the greeting." });
  assert.equal(reply.short_summary, "The person greeted.");
  assert.ok(reply.tokens_after < reply.tokens_before);
  assert.match(JSON.stringify(model.requests.at(-1)?.messages.at(-1)?.content), /Keep the greeting\./);
  assert.equal((await read()).at(-1).kind, "summary");
  const { events } = await api.ok("GET", "/api/workspace/events");
  const told = events.filter(({ type }: { type: string }) => type === "session.compacting");
  assert.deepEqual(
    told.map(({ data }: { data: { is_running: boolean } }) => data.is_running),
    [true, false],
  );
});

test("a compaction that is stopped changes nothing; nobody speaks in the session meanwhile", async (t) => {
  const { api, session, at, ask, texts } = await serve(t, [
    { text: `Hello. ${"word ".repeat(500)}` },
    { text: "Summary …", delayMs: 60_000 },
    { text: "Still here." },
  ]);
  await ask("Hi.");
  await api.ok("GET", at);
  const stop = new AbortController();
  const received = { params: { session_id: session }, query: {}, body: {} };
  const compacting = api.service.operations.compactSession(received, {
    signal: stop.signal,
    lastEventId: undefined,
  });
  const isBusy = async () => {
    const body = { session_id: session, instruction: "And?" };
    return api.refusal("POST", "/api/agent/run", body);
  };
  while (!api.service.sessions.isSummed(session)) await new Promise((resolve) => setTimeout(resolve, 2));
  assert.equal(await isBusy(), "session_busy");
  stop.abort();
  const ended = await compacting;
  assert.equal("error" in ended && ended.error, "aborted");
  await ask("And?");
  assert.deepEqual((await texts()).slice(1).at(-1), "Still here.");
  assert.equal((await texts()).length, 4);
});

test("a conversation is exported as Markdown, as lines, and as a page in the colours of a theme", async (t) => {
  const { api, at, ask } = await serve(t, [{ text: "Hello." }]);
  await ask("Hi <b>.");
  await api.ok("POST", `${at}/rename`, { title: "Two: greetings/again" });
  const markdown = await api.ok("GET", `${at}/export`);
  assert.equal(markdown.name, "Two-greetings-again.md");
  assert.match(markdown.text, /## User\n\nHi <b>\.\n\n## Assistant\n\nHello\./);
  const page = await api.ok("GET", `${at}/export?format=html&page_colour=%23101010&card_colour=%23202020`);
  assert.match(page.text, /<html lang="en" data-scheme="dark" style="--ground:#101010;--user:#202020">/);
  assert.match(page.text, /Hi &lt;b&gt;\./);
  assert.equal(await api.refusal("GET", `${at}/export?page_colour=red`), "invalid_arguments");
});
