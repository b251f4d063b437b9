// The practice model runs commands with the real toolset code: the whole of it, in a shell, in a folder of its own.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { runTurn } from "@stet/agent/turn-loop";
import { practiceModel } from "@stet/model/practice/practice-model";
import type { Message } from "@stet/protocol/message";
import { redactionFor } from "@stet/protocol/redact";
import { must, TestWorkspace } from "@stet/testkit/workspace";
import { type CodeSettings, defaultCodeSettings } from "@stet/tools/code/code-settings";
import { codeToolset } from "@stet/tools/code/code-toolset";
import { SessionRules } from "@stet/tools/permission/session-rules";
import { Sight } from "@stet/tools/sight/sight";

interface Played {
  readonly answer: string;
  /** Names and arguments. */
  readonly calls: readonly (readonly [string, Readonly<Record<string, unknown>>])[];
}

async function play(
  t: TestContext,
  request: string,
  files: Record<string, string>,
  settings: Partial<CodeSettings> = {},
): Promise<Played> {
  const workspace = await new TestWorkspace(t, files).open();
  const turn = workspace.beginTurn({ summary: request, isImmediate: true });
  const messages: Message[] = [{ role: "user", content: request, timestamp: 0 }];
  const toolset = await codeToolset({
    workspace,
    turn,
    ask: async () => "Deny",
    messages: () => messages,
    readArtifact: undefined,
    sight: new Sight(),
    ports: {
      settings: { ...defaultCodeSettings, permissionMode: "full", sandbox: false, ...settings },
      session: "s",
      sessionRules: new SessionRules(),
      environment: process.env,
      isInteractive: true,
      configFolders: { project: undefined, user: undefined },
      keepArtifact: undefined,
    },
  });
  const conversation = {
    messages: () => messages,
    append: (message: Message) => void messages.push(message),
    compact: () => {},
  };
  const { tools, unfinished, state } = toolset;
  const redact = redactionFor(process.env);
  const model = practiceModel({ wordDelayMs: 0 });
  try {
    const running = runTurn({
      model,
      system: toolset.system,
      conversation,
      tools,
      unfinished,
      redact,
      state,
    });
    for await (const _ of running) {
      // The messages are what is looked at.
    }
  } finally {
    await toolset.close?.();
  }
  must(turn.commit());
  const said = messages.flatMap((message) => (message.role === "assistant" ? message.content : []));
  const calls = said.flatMap((part) =>
    part.type === "toolCall" ? [[part.name, part.arguments] as const] : [],
  );
  const last = said.at(-1);
  return { answer: last?.type === "text" ? last.text : "", calls };
}

test("a command is run once, and its exit code and last lines are told", async (t) => {
  const files = { "count.sh": "for n in $(seq 1 30); do echo line $n; done\nexit 3\n" };
  const { answer, calls } = await play(t, "run `sh count.sh`", files);
  assert.deepEqual(calls, [["bash", { command: "sh count.sh" }]]);
  assert.match(answer, /^`sh count\.sh` ended with exit code 3\. Its last 12 of 30 lines:\n\n```\nline 19\n/);
  assert.match(answer, /line 30\n```$/);
  const silent = await play(t, "execute true", files);
  assert.equal(silent.answer, "`true` ended with exit code 0. It printed nothing.");
  const json = await play(t, `run echo '{"error": "no fault"}'`, files);
  assert.match(json.answer, /exit code 0\. It printed:\n\n```\n\{"error": "no fault"\}\n```/);
});

test("files that a command changed are named, and the next wish sees them", async (t) => {
  const { answer } = await play(
    t,
    "run `printf 'Mara\\n' > new.md` then replace Mara with Nora in new.md",
    {},
  );
  assert.match(answer, /exit code 0\. Changed on disk: new\.md\./);
  assert.match(answer, /replaced “Mara” with “Nora” 1 time in 1 file: new\.md/);
});

test("the tests are run as the project runs them, in its folder", async (t) => {
  const files = { "app/package.json": '{"private": true, "scripts": {"test": "echo all good"}}' };
  const { answer, calls } = await play(t, "Run the tests.", files);
  assert.deepEqual(calls.at(-1), ["bash", { command: "npm test", cwd: "app" }]);
  assert.match(answer, /^`npm test` in app ended with exit code 0\..*all good/s);
  const none = await play(t, "run the tests", { "a.md": "" });
  assert.deepEqual(
    none.calls.map(([name]) => name),
    ["find"],
  );
  assert.match(none.answer, /Name the command, such as: run `npm test`/);
});

test("a command that goes on as a job is waited for", async (t) => {
  const settings = { bashBackgroundAfter: 200 };
  const { answer, calls } = await play(t, "run `sleep 1.5; echo late; exit 4`", {}, settings);
  assert.deepEqual(calls.map(([name]) => name).slice(0, 2), ["bash", "job"]);
  assert.match(answer, /ended with exit code 4\. It printed:\n\n```\nlate\n```/);
});

test("a command that is not allowed is not run, and nothing else is begun", async (t) => {
  const settings = { permissionMode: "ask" as const };
  const { answer, calls } = await play(t, "run `touch x.md`, then create y.md", {}, settings);
  assert.equal(calls.length, 1);
  assert.match(
    answer,
    /did not run `touch x\.md`: You did not allow the tool bash to do this.* So I stop here\.$/s,
  );
});

test("in a mode of editing that it does not know, it says which ones it knows", async (t) => {
  for (const editMode of ["patch", "apply_patch", "symbol"] as const) {
    const { answer, calls } = await play(
      t,
      "replace Mara with Nora in a.md",
      { "a.md": "Mara\n" },
      { editMode },
    );
    assert.match(answer, /edits in the modes hashline and replace only/, editMode);
    assert.ok(!calls.some(([name]) => name === "edit"));
  }
});
