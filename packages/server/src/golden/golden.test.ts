// The API as its callers know it: the replies of every route, and the events of one job per toolset and of a chat, against
// golden files. They change only by fields that additions.json lists.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { routes } from "@stet/protocol/api/routes";
import { Golden } from "@stet/testkit/golden";
import { lineHash } from "@stet/testkit/line-hash";
import { modelOf, type PlayedReply } from "@stet/testkit/model-of";
import { TestService } from "@stet/testkit/test-service";
import { TestWorkspace } from "@stet/testkit/workspace";

const files = {
  "notes.md": "# Notes\n\none\ntwo\nthree\nfour\nfive\n",
  "story.md": "# Tale\n\nOnce upon a time\nthere was a whale.\n\n## End\n\nThe end.\n",
};
const settings = {
  "sandbox.enabled": false,
  "permission.mode": "ask",
  embeddings: "off",
};
/** Of all stories, as `GET /api/tabs`. */
const called: string[] = [];

/** Plays a story over a folder of its own, and compares what was written down. */
function story(
  name: string,
  replies: readonly PlayedReply[],
  play: (golden: Golden, api: TestService) => Promise<void>,
): void {
  test(`the API replies as before: ${name}`, async (t: TestContext) => {
    const workspace = new TestWorkspace(t, files);
    mkdirSync(join(workspace.folder, "stet"));
    writeFileSync(join(workspace.folder, "stet", "config.json"), JSON.stringify(settings));
    const api = await TestService.open(t, workspace, modelOf(replies));
    const golden = new Golden(api, import.meta.dirname, name);
    await play(golden, api);
    called.push(...golden.calls);
    golden.check(t);
  });
}

const call = (name: string, input: Record<string, unknown> = {}): PlayedReply => ({
  calls: [{ name, arguments: input }],
});

const edit = (start_line: number, new_text: string, file_path: "notes.md" | "story.md"): PlayedReply =>
  call("edit_file", {
    file_path,
    operation: "replace",
    start_line,
    end_line: start_line,
    new_text,
    expected_hash: lineHash(files, file_path, start_line),
    rationale: "It is louder.",
  });

const proposal: readonly PlayedReply[] = [
  { text: "I look first. ", ...call("search_project", { query: "one" }) },
  { text: "Now I edit. ", ...edit(3, "ONE", "notes.md") },
  edit(6, "FOUR", "notes.md"),
  edit(4, "there was a shark.", "story.md"),
  { text: "Three lines are changed.", usage: { input: 100, output: 20 } },
];

/** A job from its first event to the status that is named; the same events live and by polling. */
async function job(golden: Golden, api: TestService, body: object, ...statuses: string[]) {
  const session = (await golden.call("POST", "/api/agent/sessions", {})).session_id;
  const started = await golden.call("POST", "/api/agent/run", { session_id: session, ...body });
  const id: string = started.job_id;
  await api.until(id, ...statuses);
  await golden.call("GET", `/api/agent/jobs/${id}/events`);
  return { session, id };
}

/** The index of a tab of this path is its number: they are opened in this order. */
async function openTabs(golden: Golden): Promise<void> {
  await golden.call("POST", "/api/tabs", { path: "notes.md" });
  await golden.call("POST", "/api/tabs", { path: "story.md", with_text: true });
}

story("job-project", proposal, async (golden, api) => {
  const { session, id } = await job(golden, api, { instruction: "Shout." }, "awaiting_review");
  const { diff_bundle } = await golden.call("GET", `/api/agent/jobs/${id}`);
  await golden.call("GET", `/api/agent/sessions/${session}`);
  await golden.call("GET", `/api/agent/sessions/${session}/messages`);
  await golden.call("GET", "/api/review");
  const accepted_hunk_ids = [diff_bundle.files[0].hunks[0].hunk_id, diff_bundle.files[1].hunks[0].hunk_id];
  await golden.call("POST", "/api/agent/apply", { session_id: session, job_id: id, accepted_hunk_ids });
  await golden.stream(`/api/agent/jobs/${id}/stream?cursor=0`, "apply.completed");
  await golden.call("GET", `/api/agent/jobs/${id}`);
  await golden.call("GET", "/api/agent/jobs");
  await golden.call("GET", `/api/agent/sessions/${session}/messages`);
});

const asking: readonly PlayedReply[] = [
  call("clarify_user", { question: "Which one?", options: ["The first", "The second"] }),
  { text: "The second it is. ", ...call("read_file", { file_path: "notes.md" }) },
  { text: "Understood." },
  { text: "And done." },
];

story("job-question", asking, async (golden, api) => {
  const { session, id } = await job(golden, api, { instruction: "Choose." }, "waiting_for_user");
  const { question } = await golden.call("GET", `/api/agent/jobs/${id}`);
  const message = { text: "Be brief.", mode: "follow_up" };
  const { message_id } = await golden.call("POST", `/api/agent/jobs/${id}/messages`, message);
  await golden.call("DELETE", `/api/agent/jobs/${id}/messages/${message_id}`);
  await golden.call("POST", `/api/agent/jobs/${id}/messages`, message);
  const answer = { question_id: question.question_id, answer: "The second" };
  await golden.call("POST", `/api/agent/jobs/${id}/clarify`, { ...answer, question_id: "q_none" });
  await golden.call("POST", `/api/agent/jobs/${id}/clarify`, answer);
  await api.until(id, "completed");
  await golden.stream(`/api/agent/jobs/${id}/stream?cursor=0`, "job.completed");
  await golden.call("GET", `/api/agent/sessions/${session}/messages`);
});

const inTabs: readonly PlayedReply[] = [
  call("list_tabs"),
  { text: "I read. ", ...call("read_document", { title: "story.md" }) },
  call("replace_lines", { title: "story.md", version: "1", start_line: 7, end_line: 7, content: "Fin." }),
  { text: "It ends otherwise." },
];

story("job-tabs", inTabs, async (golden, api) => {
  await openTabs(golden);
  const body = { instruction: "Another end.", toolset: "tabs" };
  const { id } = await job(golden, api, body, "awaiting_review");
  await golden.call("GET", `/api/agent/jobs/${id}`);
  await golden.call("GET", "/api/review");
});

const inPaper: readonly PlayedReply[] = [
  { text: "I look. ", ...call("get_context_lines", { lineNumber: 3 }) },
  call("search_paper", { query: "whale" }),
  call("write_replace_line", { lineNumber: 3, text: "There was a shark." }),
  call("verify", { action: "check the whale is gone" }),
  { text: "It is a shark now." },
];

story("job-paper", inPaper, async (golden, api) => {
  await openTabs(golden);
  const { id } = await job(golden, api, { instruction: "A shark.", toolset: "paper" }, "awaiting_review");
  await golden.call("GET", `/api/agent/jobs/${id}`);
});

story("chat", inPaper, async (golden) => {
  await openTabs(golden);
  const created = await golden.call("POST", "/api/chat/create", { message: "A shark.", tab_id: "tab_2" });
  await golden.stream(`/api/chat/stream?sid=${created.sessionId}`);
  await golden.call("GET", "/api/documents/2");
});

const inCode: readonly PlayedReply[] = [
  { text: "I look. ", ...call("read", { path: "notes.md" }) },
  call("bash", { command: "touch made.txt && echo made" }),
  call("edit", { input: "§notes.md\n»EOF\nsix" }),
  { text: "Six lines." },
];

story("job-code", inCode, async (golden, api) => {
  const body = { instruction: "Add a line.", toolset: "code" };
  const { id } = await job(golden, api, body, "waiting_for_user");
  const first = await golden.call("GET", `/api/agent/jobs/${id}`);
  const allow = { question_id: first.question.question_id, answer: "Allow once" };
  await golden.call("POST", `/api/agent/jobs/${id}/clarify`, allow);
  await api.until(id, "waiting_for_user");
  const second = await golden.call("GET", `/api/agent/jobs/${id}`);
  await golden.call("POST", `/api/agent/jobs/${id}/clarify`, allow);
  const answer = second.question.options[1];
  const question_id = second.question.question_id;
  await golden.call("POST", `/api/agent/jobs/${id}/clarify`, { question_id, answer });
  await api.until(id, "awaiting_review");
  await golden.stream(`/api/agent/jobs/${id}/stream?cursor=0`, "diff.generated");
  await golden.call("GET", "/api/review");
});

const failing: readonly PlayedReply[] = [
  {
    text: "I begin. ",
    failure: { kind: "authentication", message: "The key is not valid. Set another one." },
  },
  { text: "Waiting.", delayMs: 60_000 },
];

story("job-failed", failing, async (golden, api) => {
  const { session, id } = await job(golden, api, { instruction: "Try." }, "failed");
  await golden.call("GET", `/api/agent/jobs/${id}`);
  await golden.call("GET", `/api/agent/sessions/${session}/messages`);
  const run = { session_id: session, instruction: "Once more." };
  const { job_id } = await golden.call("POST", "/api/agent/run", run);
  await golden.stream(`/api/agent/jobs/${job_id}/stream?cursor=0`, "message.delta");
  await golden.call("POST", `/api/agent/jobs/${job_id}/cancel`, {});
  await api.until(job_id, "failed");
  await golden.call("GET", `/api/agent/jobs/${job_id}/events`);
});

story("sessions", [{ text: "Hello." }, { text: "Hello again." }], async (golden, api) => {
  const { session, id } = await job(golden, api, { instruction: "Say hello." }, "completed");
  await golden.call("GET", `/api/agent/jobs/${id}`);
  const at = `/api/agent/sessions/${session}`;
  await golden.call("PUT", `${at}/choices`, { thinking: "high", permission: "plan" });
  await golden.call("POST", `${at}/notes`, { text: "I ran the tests." });
  await golden.call("PUT", `${at}/context_rows`, {
    context_rows: [{ id: "r1", kind: "file", file_path: "notes.md", start_line: 1, end_line: 3 }],
  });
  await api.until(await api.run(session, "Once more."), "completed");
  const { messages } = await golden.call("GET", `${at}/messages`);
  await golden.call("GET", `${at}/tree`);
  await golden.call("POST", `${at}/labels`, { entry_id: messages[0].entry_id, label: "Here" });
  await golden.call("POST", `${at}/branch`, { entry_id: messages[0].entry_id });
  await golden.call("GET", `${at}/tree?filter=all`);
  await golden.call("POST", `${at}/rename`, { title: "Greetings" });
  await golden.call("GET", at);
  await golden.call("POST", `${at}/branch_off`, { entry_id: messages[2].entry_id });
  await golden.call("POST", "/api/agent/sessions/none/compact", {});
  await golden.call("GET", `${at}/export`);
  await golden.call("POST", `${at}/notes`, { text: "I renamed it." });
  await golden.call("GET", `${at}/context`);
  await golden.call("GET", `${at}/cost`);
  await golden.call("GET", `/api/permissions?session_id=${session}`);
  const rule = { tool: "bash", target: "npm test", effect: "allow" };
  await golden.call("POST", "/api/permissions/remove", { source: "project", ...rule });
  await golden.call("PUT", `${at}/todo`, { markdown: "# Work\n- [x] Greet\n- [ ] Leave\n" });
  await golden.call("GET", `${at}/todo`);
  await golden.call("GET", "/api/sessions?query=nothing%20like%20this");
  await golden.call("POST", "/api/agent/sessions/none/fork", {});
  await golden.call("POST", `${at}/archive`, {});
  await golden.call("GET", "/api/agent/sessions");
  await golden.call("GET", "/api/agent/sessions/none");
  await golden.call("GET", "/api/prompts");
});

const timing: readonly PlayedReply[] = [
  call("search_tool_bm25", { query: "be asked at set times, with a cron expression" }),
  call("CronCreate", { cron_expression: "0 9 1 1 *", prompt: "Wish a happy new year", recurring: true }),
  { text: "It is set." },
];

story("background", timing, async (golden, api) => {
  await golden.call("GET", "/api/agents");
  const session = (await golden.call("POST", "/api/agent/sessions", {})).session_id;
  const at = `/api/agent/sessions/${session}`;
  await golden.call("GET", `${at}/background`);
  const run = { session_id: session, instruction: "Greet me each year.", toolset: "code" };
  const { job_id } = await golden.call("POST", "/api/agent/run", run);
  await api.until(job_id, "completed");
  await golden.call("GET", `${at}/background`);
  await golden.call("GET", "/api/background");
  await golden.call("GET", `${at}/agents`);
  await golden.call("POST", `${at}/background`, {});
  await golden.call("POST", `${at}/deliveries`, {});
  await golden.call("POST", `${at}/deliveries/dismiss`, { delivery_ids: ["delivery-1"] });
  await golden.call("POST", `${at}/background/cancel`, { ids: ["bash-1"] });
  await golden.call("POST", `${at}/background/cancel`, {});
  await golden.call("GET", `${at}/background`);
  await golden.call("GET", "/api/agent/sessions/none/background");
});

story("review", proposal, async (golden, api) => {
  const { session } = await job(golden, api, { instruction: "Shout." }, "awaiting_review");
  const { files: open, turns } = await golden.call("GET", "/api/review");
  const [first, second] = open[0].hunks;
  await golden.call("GET", `/api/documents/${open[0].document}/review`);
  await golden.call("POST", "/api/review/decide", { hunk_ids: [first.hunk_id], verdict: "accept" });
  await golden.call("POST", "/api/review/decide", { hunk_ids: [second.hunk_id], verdict: "reject" });
  await golden.call("GET", "/api/review/decided");
  await golden.call("POST", "/api/review/undo", {});
  await golden.call("POST", "/api/review/decide", { turn: turns[0].turn, verdict: "accept" });
  await golden.call("POST", "/api/review/save", {});
  await golden.call("POST", "/api/review/decide", { hunk_ids: ["h_9_9"], verdict: "accept" });
  const { checkpoints } = await golden.call("GET", "/api/agent/checkpoints");
  const at = `/api/agent/checkpoints/${checkpoints[0].checkpoint_id}`;
  await golden.call("GET", at);
  await golden.call("GET", `${at}/diff3?file_path=notes.md`);
  await golden.call("POST", `${at}/rollback`, { mode: "hard_all", dry_run: true });
  await golden.call("POST", `${at}/rollback`, { mode: "scoped_selected", hunk_ids: [first.hunk_id] });
  await golden.call("GET", `/api/agent/sessions/${session}/messages`);
});

story("tabs", [], async (golden) => {
  await openTabs(golden);
  await golden.call("POST", "/api/tabs", { title: "draft.md", content: "new\n" });
  await golden.call("POST", "/api/tabs", { path: "none.md" });
  await golden.call("POST", "/api/tabs/tab_1/activate", {});
  await golden.call("POST", "/api/tabs/tab_3/move", { position: 0 });
  await golden.call("GET", "/api/tabs");
  await golden.call("GET", "/api/tabs/tab_1/lines?start_line=2&end_line=4");
  await golden.call("GET", "/api/tabs/tab_1/lines?start_line=99");
  await golden.call("GET", "/api/tabs/tab_2/outline");
  await golden.call("GET", "/api/tabs/tab_2/search?query=whale&match_type=exact");
  await golden.call("POST", "/api/tabs/tab_3/save", { path: "draft.md" });
  await golden.call("POST", "/api/tabs/tab_3/reload", {});
  await golden.call("DELETE", "/api/tabs/tab_3");
  const change = { revision: 1, change: [[0, "Zero", ""], files["notes.md"].length], client: "w" };
  await golden.call("POST", "/api/documents/1/changes", change);
  await golden.call("GET", "/api/documents/1/changes?revision=1");
  await golden.call("GET", "/api/documents/1");
  await golden.call("GET", "/api/documents/1/disk");
  await golden.call("POST", "/api/documents/1/disk", { choice: "reload" });
  await golden.call("GET", "/api/documents/99");
});

story("turns-of-a-tab", proposal, async (golden, api) => {
  await openTabs(golden);
  await job(golden, api, { instruction: "Shout." }, "awaiting_review");
  const { turns } = await golden.call("GET", "/api/tabs/tab_1/turns");
  const { checkpoint_id } = turns[0];
  await golden.call("POST", "/api/tabs/tab_1/restore", { checkpoint_id });
  await golden.call("GET", "/api/tabs/tab_1/lines");
});

story("files", [], async (golden) => {
  await golden.call("GET", "/api/files");
  await golden.call("POST", "/api/files", { path: "new/a.md", content: "neu\n" });
  await golden.call("POST", "/api/files", { path: "new/a.md" });
  await golden.call("POST", "/api/files/rename", { from: "new/a.md", to: "old/a.md" });
  const { deletion_id } = await golden.call("POST", "/api/files/delete", { path: "old/a.md" });
  await golden.call("GET", "/api/files/deleted");
  await golden.call("POST", "/api/files/restore", { deletion_id });
  await golden.call("GET", "/api/search?query=whale");
  await golden.call("POST", "/api/files", {});
});

story("workspace", proposal, async (golden, api) => {
  await golden.call("GET", "/api/workspace");
  await golden.call("GET", "/api/health");
  await golden.call("GET", "/api/config");
  await golden.call("PUT", "/api/config", { name: "symbolPreset", value: "ascii" });
  await golden.call("GET", "/api/models");
  await golden.call("POST", "/api/models/connect", {
    provider: "gateway",
    values: { address: "http://127.0.0.1:1/v1" },
  });
  await golden.call("DELETE", "/api/models/connect/openai");
  await golden.call("POST", "/api/models/device-login", { provider: "openai" });
  await golden.call("POST", "/api/models/device-login/none");
  await golden.call("POST", "/api/models/test", { model: "practice" });
  await golden.call("GET", "/api/index");
  await golden.call("POST", "/api/index", { paused: true });
  await api.ok("POST", "/api/tabs", { path: "notes.md" });
  const change = { revision: 1, change: [[0, "Zero", ""], files["notes.md"].length], client: "w" };
  await api.ok("POST", "/api/documents/1/changes", change);
  await api.until(await api.run(await api.session(), "Shout."), "awaiting_review");
  await golden.call("GET", "/api/workspace/events");
  await golden.stream("/api/workspace/stream?cursor=0", "tabs.changed");
  await golden.call("GET", "/api/none");
});

test("every route has a golden reply", () => {
  const isCalled = ({ method, path }: { method: string; path: string }) => {
    const pattern = new RegExp(`^${method} ${path.replace(/:\w+/g, "[^/]+")}$`);
    return called.some((one) => pattern.test(one));
  };
  const missing = Object.entries(routes).filter(([, route]) => !isCalled(route));
  assert.deepEqual(
    missing.map(([name]) => name),
    [],
  );
});
