// What is fetched with the person's sign-in, and what is sent in their name: which rules hold, and what they are asked.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { ToolContext } from "@stet/agent/tool";
import type { PermissionMode } from "@stet/protocol/permission-mode";
import { optionTexts, questionText } from "@stet/protocol/question-text";
import { TestWorkspace } from "@stet/testkit/workspace";
import type { PermissionRule, PermissionTarget } from "./permission-rule.ts";
import { Permissions } from "./permissions.ts";
import { SessionRules } from "./session-rules.ts";

const issue: PermissionTarget = {
  kind: "url",
  url: "https://github.com/acme/app/issues/5",
  scope: "https://github.com/acme/app/*",
  why: "it is fetched with your sign-in",
};

const comment: PermissionTarget = {
  kind: "send",
  action: "comment",
  what: "a comment as octocat",
  url: "https://github.com/acme/app/issues/5",
  content: "It works \u{1f468}\u200d\u{1f4bb}\u200b\n\u001b[2J- not a list of ours",
};

interface Given {
  readonly mode?: PermissionMode;
  readonly rules?: readonly PermissionRule[];
  readonly answer?: string;
}

async function fixture(t: TestContext, { mode = "ask", rules = [], answer = "deny" }: Given = {}) {
  const workspace = await new TestWorkspace(t, {}).open();
  const asked: { text: string; options: readonly string[] }[] = [];
  const permissions = new Permissions({
    workspace,
    mode: () => mode,
    rules,
    session: { id: "one", rules: new SessionRules() },
    async ask(question) {
      asked.push({ text: questionText(question), options: optionTexts(question) });
      return answer;
    },
    isInteractive: true,
    hasSandbox: () => true,
    sandboxNetwork: true,
    programs: { shell: () => "bash", isWritable: () => false },
  });
  const permit = async (target: PermissionTarget, tool = "github") => {
    const signal = new AbortController().signal;
    const call: ToolContext = {
      callId: "call",
      given: () => ({}),
      batch: `${Math.random()}`,
      signal,
      progress() {},
      subagents() {},
    };
    const refusal = await permissions.permit({ tool, targets: [target] }, call);
    return refusal?.error ?? "allowed";
  };
  return { asked, permit };
}

test("what would be sent is asked word for word, and once is all that can be allowed", async (t) => {
  const { asked, permit } = await fixture(t, { answer: "allow_once" });
  assert.equal(await permit(comment), "allowed");
  assert.deepEqual(asked[0]?.options, ["Allow once", "Deny"]);
  assert.equal(
    asked[0]?.text,
    [
      "github wants to send a comment as octocat to https://github.com/acme/app/issues/5:",
      "",
      "    It works \u{1f468}\u200d\u{1f4bb}⟨U+200B⟩",
      "    ␛[2J- not a list of ours",
      "",
      "What needs permission:",
      "- https://github.com/acme/app/issues/5: it is sent in your name",
    ].join("\n"),
  );
  assert.equal(await permit(comment), "allowed");
  assert.equal(asked.length, 2);
});

test("no mode but full sends without a question, and plan sends nothing", async (t) => {
  for (const [mode, questions, ended] of [
    ["plan", 0, "not_allowed"],
    ["ask", 1, "not_allowed"],
    ["auto-edit", 1, "not_allowed"],
    ["full", 0, "allowed"],
  ] as const) {
    const { asked, permit } = await fixture(t, { mode });
    assert.deepEqual([await permit(comment), asked.length], [ended, questions], mode);
  }
});

test("always is about reading one repository, and neither about another one nor about sending", async (t) => {
  const { asked, permit } = await fixture(t, { answer: "allow_session" });
  assert.equal(await permit(issue), "allowed");
  assert.equal(asked[0]?.options[1], "Allow in this session: read https://github.com/acme/app/* through gh");
  assert.equal(await permit({ ...issue, url: "https://github.com/acme/app/pull/6/files" }), "allowed");
  assert.equal(asked.length, 1);
  await permit({
    ...issue,
    url: "https://github.com/acme/other/issues/5",
    scope: "https://github.com/acme/other/*",
  });
  assert.equal(asked.length, 2);
  await permit(comment);
  assert.equal(asked.length, 3);
});

test("a rule names what it allows: pages, reading through gh, or a kind of sending", async (t) => {
  const rule = (tool: string, target: string, effect: PermissionRule["effect"] = "allow") => ({
    tool,
    target,
    effect,
  });
  for (const [rules, reading, sending] of [
    [[rule("read", "https://github.com/*")], "asked", "asked"],
    [[rule("github", "https://github.com/acme/*")], "allowed", "asked"],
    [[rule("github", "comment https://github.com/acme/*")], "asked", "allowed"],
    [[rule("github", "issue_create https://github.com/acme/*")], "asked", "asked"],
    [[rule("github", "* https://github.com/other/*")], "asked", "asked"],
    [[rule("github", "*")], "allowed", "allowed"],
    [[rule("github", "*"), rule("github", "https://github.com/acme/*", "deny")], "denied", "denied"],
    [[rule("github", "*"), rule("github", "comment *", "deny")], "allowed", "denied"],
    [[rule("github", "*"), rule("github", "comment https://*/*", "deny")], "allowed", "denied"],
    [[rule("github", "*"), rule("read", "https://github.com/*", "deny")], "denied", "allowed"],
    [[rule("*", "*", "deny")], "denied", "denied"],
  ] as const) {
    const { asked, permit } = await fixture(t, { rules });
    const effects = [];
    for (const target of [issue, comment]) {
      const before = asked.length;
      const ended = await permit(target);
      effects.push(asked.length > before ? "asked" : ended === "allowed" ? "allowed" : "denied");
    }
    assert.deepEqual(effects, [reading, sending], JSON.stringify(rules));
  }
});
