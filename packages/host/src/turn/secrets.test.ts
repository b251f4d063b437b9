// Secrets in whole turns of every toolset: what the person says, what documents and tools hold, what the model says and calls.
// None of it is in what is sent to the model, in the session, in events, in what is kept; all of it stays on the disk.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import type { ToolsetName } from "@stet/protocol/toolset";
import { SessionStore } from "@stet/session/session-store";
import { modelOf, type PlayedReply } from "@stet/testkit/model-of";
import { must, TestWorkspace } from "@stet/testkit/workspace";
import { SessionRules } from "@stet/tools/permission/session-rules";
import { loadConfiguration } from "../settings/configuration.ts";
import { runAgentTurn, type TurnEvent } from "./agent-turn.ts";

const letters = "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1bC2dE3f";
const token = (seed: number) => `ghp_${letters.slice(seed)}${letters.slice(0, seed)}`;
const [inPrompt, inFile, inWords, inCall, inPath] = [token(1), token(2), token(3), token(4), token(5)];
const inEnvironment = "correct-horse-battery";
const secrets = new RegExp([inPrompt, inFile, inWords, inCall, inPath, inEnvironment].join("|"));

const document = `# Keys\n\nThe token is ${inFile}.\nThe phrase is ${inEnvironment}.\nThe end.\n`;

/** What a model calls in each toolset to read the document and to name secrets itself. */
const calls: Readonly<Record<ToolsetName, NonNullable<PlayedReply["calls"]>>> = {
  code: [
    { name: "read", arguments: { path: "keys.md" } },
    { name: "read", arguments: { path: `gone/${inPath}.md` } },
    { name: "search", arguments: { pattern: "token" } },
    { name: "bash", arguments: { command: `cat keys.md; echo ${inCall}` } },
  ],
  project: [
    { name: "read_file", arguments: { file_path: "keys.md" } },
    { name: "read_file", arguments: { file_path: `gone/${inPath}.md` } },
    { name: "search_project", arguments: { query: "token" } },
    { name: "search_project", arguments: { query: inCall } },
  ],
  tabs: [
    { name: "read_document", arguments: {} },
    { name: "search_document", arguments: { query: "token" } },
    { name: "search_document", arguments: { query: inCall } },
  ],
  paper: [
    { name: "get_context_lines", arguments: { line: 2, before: 2, after: 2 } },
    { name: "search_paper", arguments: { query: inCall } },
  ],
};

async function turn(t: TestContext, toolset: ToolsetName, replies: readonly PlayedReply[], text: string) {
  const place = new TestWorkspace(t, { "keys.md": document });
  const workspace = await place.open();
  must(workspace.tabs.open("keys.md"));
  const store = new SessionStore({ dataFolder: place.dataFolder });
  const session = store.create(place.root);
  const environment = { ...process.env, XDG_CONFIG_HOME: place.folder, MY_API_TOKEN: inEnvironment };
  const { settings } = must(loadConfiguration({ folder: place.root, environment, isTrusted: false }));
  const model = modelOf(replies);
  const events: TurnEvent[] = [];
  const running = runAgentTurn({
    workspace,
    session,
    model,
    settings: { ...settings, toolset, "permission.mode": "full" },
    instructions: [],
    text,
    ask: async () => "",
    signal: new AbortController().signal,
    artifacts: store.artifacts(session),
    code: {
      sessionRules: new SessionRules(),
      environment,
      isInteractive: true,
      configFolders: { project: undefined, user: undefined },
    },
  });
  let step = await running.next();
  for (; step.done !== true; step = await running.next()) events.push(step.value);
  assert.ok(!isFault(step.value), JSON.stringify(step.value));
  return { place, workspace, model, events };
}

function keptIn(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1")).join("\n");
}

for (const toolset of ["code", "project", "tabs", "paper"] as const) {
  test(`toolset ${toolset}: no secret is sent, told or kept, and the file stays as it is`, async (t) => {
    const { place, model, events } = await turn(
      t,
      toolset,
      [{ text: `I know ${inWords}.`, calls: calls[toolset] }, { text: `It was ${inWords} and\n${inFile}.` }],
      `Use ${inPrompt} for it.`,
    );
    assert.doesNotMatch(JSON.stringify(model.requests), secrets, "sent");
    assert.doesNotMatch(JSON.stringify(events), secrets, "told");
    assert.doesNotMatch(keptIn(join(place.dataFolder, "sessions")), secrets, "kept");
    const told = events.flatMap((event) => {
      return event.type === "model" && event.event.type === "text_delta" ? [event.event.delta] : [];
    });
    const answer =
      "I know [redacted:github-token].It was [redacted:github-token] and\n[redacted:github-token].";
    assert.equal(told.join(""), answer, "what is streamed is all of it");
    assert.match(JSON.stringify(model.requests.at(-1)?.messages), /redacted:github-token/);
    assert.equal(readFileSync(place.path("keys.md"), "utf8"), document);
  });
}

test("an edit that would write a mark over a secret is refused, and one beside it is made", async (t) => {
  const edit = (line: number, content: string) => {
    const arguments_ = { file_path: "keys.md", operation: "replace", start_line: line, end_line: line };
    return { name: "edit_file", arguments: { ...arguments_, new_text: content } };
  };
  const { workspace, events } = await turn(
    t,
    "project",
    [
      { calls: [{ name: "read_file", arguments: { file_path: "keys.md" } }] },
      { calls: [edit(3, "The token is now [redacted:github-token].")] },
      { calls: [edit(5, `A new one: ${inCall}.`)] },
      { text: "Done." },
    ],
    "Edit it.",
  );
  const answers = events.flatMap((event) => (event.type === "tool_end" ? [event.content] : []));
  assert.match(answers[1] ?? "", /redacted_text/);
  const { id } = must(workspace.documents.open("keys.md"));
  const text = must(workspace.documents.state(id)).history.text.toString();
  assert.equal(
    text,
    document.replace("The end.", `A new one: ${inCall}.`),
    "what is written is what was called with",
  );
});

test("a document with a key is transformed by subagents that never see the key", async () => {
  const { withRedactedRequests } = await import("@stet/agent/redacted-requests");
  const asked = modelOf((request) => {
    const said = JSON.stringify(request.messages);
    assert.doesNotMatch(said, secrets);
    assert.match(said, /redacted:github-token\].*redacted:github-token-2\]/);
    return {
      calls: [
        {
          name: "rewrite",
          arguments: { text: "second [redacted:github-token-2], first [redacted:github-token]" },
        },
      ],
    };
  });
  const model = withRedactedRequests(asked, []);
  const request = {
    system: "Rewrite.",
    messages: [
      { role: "user", content: `first ${inFile}, second ${inWords}, first ${inFile}`, timestamp: 0 },
    ],
    tools: [],
  } as const;
  for await (const event of model.stream(request, new AbortController().signal)) {
    if (event.type !== "done") continue;
    const [call] = event.message.content.filter((part) => part.type === "toolCall");
    assert.deepEqual(call?.arguments, { text: `second ${inWords}, first ${inFile}` });
  }
});
