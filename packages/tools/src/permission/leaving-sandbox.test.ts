import assert from "node:assert/strict";
import { test } from "node:test";
import { optionTexts, questionText } from "@stet/protocol/question-text";
import { must, TestWorkspace } from "@stet/testkit/workspace";
import { Permissions } from "./permissions.ts";
import { SessionRules } from "./session-rules.ts";

test("a line leaves the sandbox only with parts that may, and else the person is asked for all of it, once", async (t) => {
  const asked: { question: string; options: readonly string[] }[] = [];
  const permissions = new Permissions({
    workspace: await new TestWorkspace(t, { ".env": "X=1\n" }).open(),
    mode: () => "auto-edit",
    rules: [{ tool: "read", target: ".env", effect: "allow" }],
    session: { id: "one", rules: new SessionRules() },
    ask: async (question) => {
      asked.push({ question: questionText(question), options: optionTexts(question) });
      return "Allow once";
    },
    isInteractive: true,
    hasSandbox: () => true,
    sandboxNetwork: false,
    programs: { shell: () => "bash", isWritable: () => false },
  });
  const isSandboxed = async (command: string) => {
    const { signal } = new AbortController();
    const call = { callId: "call", given: () => ({}), batch: command, signal, progress() {}, subagents() {} };
    return must(await permissions.permitCommand(call, { command, folder: ".", network: false })).isSandboxed;
  };
  assert.equal(await isSandboxed("cat .env | grep X"), false);
  assert.equal(await isSandboxed("node -e 'x'"), true);
  assert.equal(await isSandboxed("b=(['y[$(x)]']=1)"), true);
  assert.equal(asked.length, 0);
  assert.equal(await isSandboxed("cat .env >/dev/null; node -e 'x'"), false);
  const { question = "", options } = asked[0] ?? {};
  assert.match(question, /node -e 'x': .*takes it out of the sandbox[\s\S]*without a sandbox/);
  assert.deepEqual(options, ["Allow once", "Deny"], "no rule would allow it");
});
