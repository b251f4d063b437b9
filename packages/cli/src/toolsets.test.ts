// Every tool of every toolset, called by a model over the wire, through the command.

import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { TurnEvent } from "@stet/host/turn/agent-turn";
import { environmentBelow, runStet } from "@stet/testkit/run-stet";
import { type SeenRequest, startScriptedModel } from "@stet/testkit/scripted-model";
import type { ScriptedReply } from "@stet/testkit/scripted-model-reply";
import { temporaryFolder } from "@stet/testkit/temporary";

const story = [
  "# Chapter 1",
  "",
  "John went to the harbour. John was late, and the sea was loud.",
  "",
  "# Chapter 2",
  "",
  "Mary waited for John. She knew that John would come.",
  "",
].join("\n");

type Call = readonly [tool: string, args: Record<string, unknown>];

interface Played {
  readonly code: number | null;
  readonly note: string;
  /** The results of the calls, in order. */
  readonly results: readonly { readonly tool: string; readonly isError: boolean; readonly content: string }[];
  readonly events: readonly TurnEvent[];
  readonly reviews: readonly { readonly files: readonly { readonly title: string }[] }[];
  readonly requests: readonly SeenRequest[];
}

/** One turn in which the model makes these calls, one a message, then answers. */
async function play(t: TestContext, toolset: string, calls: readonly Call[]): Promise<Played> {
  let next = 0;
  const server = await startScriptedModel((request): ScriptedReply => {
    if (request.toolNames.length === 1) return subagentReply(request);
    const call = calls[next++];
    if (call === undefined) return { text: "All tools were called." };
    return { text: `I call ${call[0]}.`, toolCalls: [{ name: call[0], arguments: call[1] }] };
  });
  t.after(() => server.close());
  const folder = temporaryFolder(t, { "project/story.md": story });
  const words = ["--mode", "json", "--toolset", toolset, "--tab", "story.md", "-p", "call all tools"];
  const environment = { OPENAI_COMPATIBLE_BASE_URL: `${server.url}/v1` };
  const named = ["--model", "openai-compatible/local", ...words];
  const { code, out, note } = await runStet(named, {
    cwd: join(folder, "project"),
    env: { ...environmentBelow(folder), ...environment },
  });
  const events: TurnEvent[] = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const results = events.flatMap((event) => {
    return event.type === "tool_end"
      ? [{ tool: event.name, isError: event.isError, content: event.content }]
      : [];
  });
  const reviews: Played["reviews"] = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter((event) => event.type === "review");
  return { code, note, results, events, reviews, requests: server.requests };
}

/** Subagents are asked over the wire, too: each with the one tool that takes its result. */
function subagentReply({ toolNames: [name = ""] }: SeenRequest): ScriptedReply {
  const result = name === "report_name_forms" ? { forms: [] } : { summary: "John is late.", key_points: [] };
  return { toolCalls: [{ name, arguments: result }] };
}

function assertAllCalled(played: Played, calls: readonly Call[]): void {
  assert.equal(played.code, 0, played.note);
  const failed = played.results.filter((result) => result.isError);
  assert.deepEqual(failed, []);
  assert.deepEqual(
    played.results.map((result) => result.tool),
    calls.map(([tool]) => tool),
  );
  const offered = played.requests.find((request) => request.toolNames.length > 1)?.toolNames ?? [];
  const called = new Set(calls.map(([tool]) => tool));
  assert.deepEqual(
    offered.filter((tool) => !called.has(tool)),
    [],
    "every tool that is offered was called",
  );
}

test("toolset tabs: all twelve tools", async (t) => {
  const calls: Call[] = [
    ["list_tabs", {}],
    ["read_document", {}],
    ["get_outline", {}],
    ["search_document", { query: "Mary waited", match_type: "exact" }],
    ["insert_lines", { version: "1", after_line: 2, content: "It rained." }],
    ["replace_lines", { version: "2", start_line: 3, end_line: 3, content: "It rained hard." }],
    ["delete_lines", { version: "3", start_line: 3, end_line: 3 }],
    ["find_and_replace", { version: "4", find: "loud", replace: "quiet" }],
    ["write_document", { version: "5", content: story.replace("late", "early") }],
    ["create_document", { title: "notes.md", content: "Notes\n" }],
    ["analyze_document", { task: "summary" }],
    [
      "transform_document",
      { transformation: "character_rename", params: { old_name: "John", new_name: "James" } },
    ],
  ];
  const played = await play(t, "tabs", calls);
  assertAllCalled(played, calls);
  const { changes_made } = JSON.parse(played.results.at(-1)?.content ?? "");
  assert.equal(changes_made, 4);
  const active = played.events.flatMap((event) => (event.type === "subagents" ? [event.active] : []));
  assert.ok(active.includes(1) && active.at(-1) === 0, `subagents were counted: ${active}`);
  const review = played.reviews[0];
  assert.equal(review?.files.length, 4, "the story, the notes, the summary and the renamed story");
});

test("toolset paper: all fourteen tools", async (t) => {
  const calls: Call[] = [
    ["search_paper", { query: "John" }],
    ["keep_search", { key: "john" }],
    ["search_paper", { query: "Mary" }],
    ["retrieve_search", { key: "john" }],
    ["get_kept_searches", {}],
    ["clear_kept_search", { key: "john" }],
    ["clear_all_kept_searches", {}],
    ["search_chat", { query: "tools" }],
    ["search_tools", { query: "replace a line" }],
    ["get_context_lines", { lineNumber: 3, before: 1, after: 1 }],
    ["write_replace_line", { lineNumber: 3, text: "James went to the harbour." }],
    ["write_append", { text: "The end.\n" }],
    ["verify", {}],
    ["clear_all", {}],
    ["set_text", { text: "A new text.\n" }],
  ];
  // The dialect allows fifteen requests in a turn, the last of which is the answer.
  const [first, second] = [calls.slice(0, 9), calls.slice(9)];
  const one = await play(t, "paper", first);
  const other = await play(t, "paper", second);
  assert.deepEqual([one.code, other.code], [0, 0], one.note + other.note);
  const results = [...one.results, ...other.results];
  assert.deepEqual(
    results.filter((result) => result.isError),
    [],
  );
  assert.deepEqual(
    results.map((result) => result.tool),
    calls.map(([tool]) => tool),
  );
  assert.equal(new Set(calls.map(([tool]) => tool)).size, 14);
  assert.equal(one.requests[0]?.toolNames.length, 14);
});

test("toolset project: all five tools, and search by exact text and by meaning", async (t) => {
  const calls: Call[] = [
    ["list_files", {}],
    ["search_project", { query: "Mary" }],
    ["search_project", { query: "someone waits for a friend", mode: "semantic" }],
    ["read_file", { file_path: "story.md" }],
    ["clarify_user", { question: "Which name?" }],
    [
      "edit_file",
      { file_path: "story.md", operation: "replace", start_line: 7, end_line: 7, new_text: "Mary left." },
    ],
  ];
  const played = await play(t, "project", calls);
  assertAllCalled(played, calls);
  const { results, embedding_status } = JSON.parse(played.results[2]?.content ?? "");
  assert.equal(embedding_status, "ready");
  assert.equal(results[0].file_path, "story.md");
  assert.match(results[0].snippet, /Mary waited/);
});
