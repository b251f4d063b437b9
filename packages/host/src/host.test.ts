import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { noUsage } from "@stet/protocol/message";
import { SessionStore } from "@stet/session/session-store";
import { replaceReply } from "@stet/testkit/line-hash";
import { modelOf, type PlayedReply } from "@stet/testkit/model-of";
import { TestService } from "@stet/testkit/test-service";
import { must, refused, TestWorkspace } from "@stet/testkit/workspace";
import { Host } from "./host.ts";

const replace = (file_path: string, start_line: number, new_text: string): PlayedReply =>
  replaceReply(files, file_path, start_line, new_text);

const noMessage = {
  role: "assistant",
  provider: "played",
  model: "played",
  usage: noUsage,
  stopReason: "stop",
  timestamp: 2,
} as const;

const files = { "a.md": "one\ntwo\nthree\nfour\nfive\n", "b.md": "eins\nzwei\n" };

test("a turn of toolset tabs locks all documents, is cancelled at once, and is accepted only as a whole", async (t) => {
  const place = new TestWorkspace(t, files);
  let replies: readonly PlayedReply[] = [{ text: "Thinking …", delayMs: 60_000 }];
  const api = await TestService.open(t, place, () => modelOf(replies));
  const tab = await api.ok("POST", "/api/tabs", { path: "a.md" });
  const session_id = await api.session();
  const slow = await api.run(session_id, "Slowly.", { toolset: "tabs" });
  const [locked] = await api
    .listen("/api/workspace/stream?cursor=0", ({ event }) => event === "lock.changed")
    .then((heard) => heard.filter(({ event }) => event === "lock.changed"));
  assert.deepEqual(locked?.data.data, { locked: true, job_id: slow, purpose: "Slowly." });
  const { lock, jobs_running } = await api.ok("GET", "/api/workspace");
  assert.deepEqual([lock.locked, lock.job_id, jobs_running], [true, slow, 1]);
  const change = { revision: 1, change: [[0, "x"], 24], client: "w" };
  assert.equal(await api.refusal("POST", `/api/documents/${tab.document}/changes`, change), "editing_locked");
  assert.equal(await api.refusal("POST", `/api/tabs/${tab.tab_id}/reload`, {}), "editing_locked");
  assert.equal((await api.ok("POST", `/api/agent/jobs/${slow}/cancel`, {})).status, "failed");
  assert.equal((await api.ok("GET", "/api/workspace")).lock.locked, false);
  await api.ok("POST", `/api/documents/${tab.document}/changes`, change);

  const edit = (line: number, content: string, version: string): PlayedReply => ({
    calls: [{ name: "replace_lines", arguments: { start_line: line, end_line: line, content, version } }],
  });
  replies = [
    { calls: [{ name: "read_document", arguments: {} }] },
    edit(0, "ONE", "2"),
    edit(4, "FIVE", "3"),
    { text: "Done." },
  ];
  const whole = await api.run(session_id, "Shout.", { toolset: "tabs" });
  const { job } = await api.until(whole, "awaiting_review");
  const [first, second] = job.diff_bundle.files[0].hunks.map((hunk: { hunk_id: string }) => hunk.hunk_id);
  const apply = (accepted_hunk_ids: string[]) => ({ session_id, job_id: whole, accepted_hunk_ids });
  assert.equal(await api.refusal("POST", "/api/agent/apply", apply([first])), "whole_turn_only");
  assert.equal((await api.ok("GET", `/api/agent/jobs/${whole}`)).status, "awaiting_review");
  await api.ok("POST", "/api/agent/apply", apply([first, second]));
  assert.match(readFileSync(place.path("a.md"), "utf8"), /^ONE\n(.*\n)*FIVE\n$/);
});

test("two jobs in one session run one after another, and share the conversation", async (t) => {
  const model = modelOf((request) => ({ text: `I have seen ${request.messages.length} messages.` }));
  const api = await TestService.open(t, new TestWorkspace(t, files), model);
  const session = await api.session();
  const [first, second] = [await api.run(session, "First."), await api.run(session, "Second.")];
  await api.until(second, "completed");
  await api.until(first, "completed");
  const { chat, title } = await api.ok("GET", `/api/agent/sessions/${session}`);
  assert.deepEqual(
    chat.map(({ text }: { text: string }) => text),
    ["First.", "I have seen 1 messages.", "Second.", "I have seen 3 messages."],
  );
  assert.equal(title, "First.");
  const { prompts } = await api.ok("GET", "/api/prompts?limit=5");
  assert.deepEqual(
    prompts.map(({ text }: { text: string }) => text),
    ["Second.", "First."],
  );
});

test("what was rejected is told to the model with the next request of that session", async (t) => {
  const model = modelOf([replace("a.md", 1, "ONE"), { text: "Done." }, { text: "I see." }]);
  const api = await TestService.open(t, new TestWorkspace(t, files), model);
  const session_id = await api.session();
  const job_id = await api.run(session_id, "Shout.");
  await api.until(job_id, "awaiting_review");
  await api.ok("POST", "/api/agent/apply", { session_id, job_id, accepted_hunk_ids: [] });
  await api.until(await api.run(session_id, "And now?"), "completed");
  assert.match(
    JSON.stringify(model.requests.at(-1)?.messages.at(-1)),
    /And now\?.*rejected 1 of your changes.*ONE/,
  );
});

test("a conversation of the terminal is a session here, and goes on where it was", async (t) => {
  const place = new TestWorkspace(t, files);
  const store = new SessionStore({ dataFolder: place.dataFolder });
  const session = store.create(place.root);
  must(session.appendMessage({ role: "user", content: "Hello from the terminal.", timestamp: 1 }));
  must(session.appendMessage({ ...noMessage, content: [{ type: "text", text: "Hello." }] }));
  const model = modelOf([{ text: "Good to see you again." }]);
  const api = await TestService.open(t, place, model);
  const { sessions } = await api.ok("GET", "/api/agent/sessions");
  assert.deepEqual(
    sessions.map(({ session_id }: { session_id: string }) => session_id),
    [session.header.id],
  );
  await api.until(await api.run(session.header.id, "Hello from the browser."), "completed");
  assert.equal(model.requests[0]?.messages.length, 3);
  const { chat } = await api.ok("GET", `/api/agent/sessions/${session.header.id}`);
  assert.equal(chat.length, 4);
  assert.equal(must(store.open(session.log.path ?? "")).entries().length > 3, true, "in the same file");
  assert.equal(await api.refusal("GET", "/api/agent/sessions/..%2Fa.md"), "session_not_found");
  assert.equal(
    await api.refusal("POST", "/api/agent/run", { session_id: "none", instruction: "x" }),
    "session_not_found",
  );
});

test("pinned context is told before the request, once, and within bounds", async (t) => {
  const model = modelOf(() => ({ text: "Seen." }));
  const api = await TestService.open(t, new TestWorkspace(t, files), model);
  const session = await api.session();
  const rows = [
    { id: "1", kind: "selection", file_path: "a.md", start_line: 2, end_line: 3 },
    { id: "2", kind: "file", file_path: "b.md" },
    { id: "3", kind: "pinned", content: "x".repeat(120_000) },
  ];
  await api.ok("PUT", `/api/agent/sessions/${session}/context_rows`, { context_rows: rows });
  await api.until(await api.run(session, "First."), "completed");
  await api.until(await api.run(session, "Second."), "completed");
  const [context, first] = model.requests[0]?.messages ?? [];
  assert.match(String(context?.content), /a\.md, lines 2-3:\ntwo\nthree\n\nb\.md \(the file/);
  assert.ok(String(context?.content).length < 60_000);
  assert.equal(first?.content, "First.");
  assert.equal(model.requests[1]?.messages.length, 4, "what has not changed is not told again");
  const { chat } = await api.ok("GET", `/api/agent/sessions/${session}`);
  assert.equal(chat.length, 4, "the person sees what was said");
});

test("a reader that reconnects misses nothing: streams go on after Last-Event-ID", async (t) => {
  const api = await TestService.open(t, new TestWorkspace(t, files), modelOf([{ text: "One two three." }]));
  const id = await api.run(await api.session(), "Count.");
  const stream = `/api/agent/jobs/${id}/stream`;
  const heard = await api.listen(stream, ({ event }) => event === "job.completed");
  const last = heard.findIndex(({ event }) => event === "job.started");
  const again = await api.listen(stream, ({ event }) => event === "job.completed", {
    "Last-Event-ID": heard[last]?.id ?? "",
  });
  assert.equal(again.at(-1)?.event, "job.completed");
  assert.ok(!again.some(({ event }) => event === "job.started"));
  assert.equal(await api.refusal("GET", "/api/agent/jobs/job_none/stream"), "unknown_job");
});

test("changes on disk reach the windows", async (t) => {
  const place = new TestWorkspace(t, files);
  const api = await TestService.open(t, place, modelOf([]));
  const tab = await api.ok("POST", "/api/tabs", { path: "a.md" });
  const before = await api.ok("GET", `/api/documents/${tab.document}`);
  writeFileSync(place.path("a.md"), "zero\none\ntwo\nthree\nfour\nfive\n");
  const heard = await api.listen(
    `/api/workspace/stream?cursor=${before.cursor}`,
    ({ event }) => event === "document.changed",
  );
  const { data } = heard.at(-1)?.data ?? {};
  assert.deepEqual(
    [data.document, data.path, data.revision, data.origin, data.client],
    [tab.document, "a.md", before.revision + 1, "disk", null],
  );
  assert.deepEqual(data.change, [[0, "zero", ""], 24]);
});

test("finished work beyond the limits is forgotten, what waits is kept, and conversations stay", async (t) => {
  const place = new TestWorkspace(t, files);
  let edits = true;
  const model = () => modelOf(edits ? [replace("a.md", 1, "ONE"), { text: "Done." }] : [{ text: "Hello." }]);
  const api = await TestService.open(t, place, model, { max_sessions: 2, max_jobs_per_session: 2 });
  const waiting = await api.session();
  const review = await api.run(waiting, "Edit.");
  await api.until(review, "awaiting_review");
  edits = false;
  const busy = await api.session();
  const jobs: string[] = [];
  for (const name of ["1", "2", "3", "4"]) {
    jobs.push(await api.run(busy, name));
    await api.until(jobs.at(-1) ?? "", "completed");
  }
  assert.equal(await api.refusal("GET", `/api/agent/jobs/${jobs[0]}`), "unknown_job");
  assert.equal(await api.refusal("GET", `/api/agent/jobs/${jobs[0]}/events`), "unknown_job");
  assert.equal((await api.ok("GET", `/api/agent/jobs/${jobs[3]}`)).status, "completed");
  await api.ok("POST", `/api/agent/sessions/${busy}/archive`, {});
  for (const name of ["x", "y"]) await api.until(await api.run(await api.session(), name), "completed");
  assert.equal((await api.ok("GET", `/api/agent/jobs/${review}`)).status, "awaiting_review");
  assert.equal(
    await api.refusal("GET", `/api/agent/jobs/${jobs[3]}`),
    "unknown_job",
    "its session was forgotten",
  );
  const { chat } = await api.ok("GET", `/api/agent/sessions/${busy}`);
  assert.equal(chat.length, 8, "but what was said is in its file");
});

test("no key and no header of the configuration is told, and servers of the same folder do not meet", async (t) => {
  const place = new TestWorkspace(t, files);
  const secret = {
    openai: { apiKey: "sk-secret", headers: { "x-key": "sk-secret" }, baseURL: "http://sk-secret" },
  };
  const { mkdirSync } = await import("node:fs");
  mkdirSync(join(place.folder, "stet"), { recursive: true });
  writeFileSync(join(place.folder, "stet", "config.json"), JSON.stringify({ providers: secret }));
  const api = await TestService.open(t, place, modelOf([]));
  const config = await api.ok("GET", "/api/config");
  assert.ok(!JSON.stringify(config).includes("sk-secret"));
  assert.deepEqual(config.settings.find(({ name }: { name: string }) => name === "providers").value, [
    "openai",
  ]);
  assert.equal(config.limits.max_tool_calls_per_job, 12);
  const second = await Host.open(place.root, { environment: {}, dataFolder: place.dataFolder });
  assert.equal(refused(second).error, "workspace_busy");
  assert.equal((await api.ok("GET", "/api/health")).status, "ok");
});

test("damage to a store is told in the workspace's state and as an event", async (t) => {
  const place = new TestWorkspace(t, files);
  const options = { environment: {}, dataFolder: place.dataFolder, watches: false };
  const first = must(await Host.open(place.root, options));
  const path = join(first.workspace.stateFolder, "server.sqlite");
  await first.close();
  writeFileSync(path, "Dear diary, ".repeat(1000));
  const api = await TestService.open(t, place, modelOf([]));
  const { notices } = await api.ok("GET", "/api/workspace");
  const told = notices.filter(({ message }: { message: string }) => message.includes(path));
  assert.equal(told.length, 1, JSON.stringify(notices));
  assert.match(told[0].message, /damaged-.*\.$/);
  assert.notEqual(told[0].suggestion, "");
  const { events } = await api.ok("GET", "/api/workspace/events");
  const heard = events.filter(({ type }: { type: string }) => type === "storage.notice");
  assert.ok(heard.some(({ data }: { data: { message: string } }) => data.message === told[0].message));
});
