import assert from "node:assert/strict";
import { mock, test } from "node:test";
import type { QuestionItem } from "@stet/client/items";
import type { Question } from "@stet/protocol/question";
import type { Input } from "@stet/tui/input/input";
import { stripAnsi } from "@stet/tui/text/ansi";
import { QuestionPanel, type QuestionPanelOptions } from "./question-panel.ts";
import { colouredTheme, plainTheme, steering } from "./test-theme.ts";

const permission: Question = {
  kind: "permission",
  tool: "bash",
  tool_call_id: "call",
  arguments: {},
  targets: [{ kind: "command", command: "rm -rf build\nnpm test", folder: "packages/cli" }],
  reasons: [{ source: "rm -rf build", reason: "removes files" }],
  running: { sandbox: false, network: true },
  options: [
    { id: "once", kind: "allow_once", scope: null },
    { id: "session", kind: "allow_session", scope: "commands that begin with npm test" },
    { id: "no", kind: "deny", scope: null },
  ],
};

const clarification: Question = {
  kind: "clarification",
  text: "Which **database**?",
  options: ["SQLite", "PostgreSQL (Recommended)"],
};

function key(id: string): Input {
  return { kind: "key", id, text: [...id].length === 1 ? id : undefined, isRelease: false };
}

function asked(question: Question, options: Partial<QuestionPanelOptions> = {}) {
  const item: QuestionItem = { kind: "question", key: "q", questionId: "id", asked: question, answer: null };
  const answers: string[] = [];
  let cancelled = 0;
  let now = 0;
  const panel = new QuestionPanel({
    item,
    theme: plainTheme(),
    screenRows: () => 30,
    timeout: 30,
    now: () => now,
    onAnswer: (answer) => answers.push(answer),
    onCancel: () => {
      cancelled += 1;
    },
    requestRender: () => {},
    ...options,
  });
  panel.render(80);
  now = 1000;
  const type = (...ids: string[]) => {
    for (const id of ids) panel.handleInput(key(id));
  };
  return { panel, answers, type, cancelled: () => cancelled, at: (time: number) => (now = time) };
}

test("a permission shows all of the command, why it is asked, where it would run, and what each answer grants", () => {
  const { panel } = asked(permission);
  assert.equal(
    panel.render(80).join("\n"),
    [
      `── Permission ${"─".repeat(66)}`,
      "bash wants to run in packages/cli:",
      "  rm -rf build",
      "  npm test",
      "What needs permission:",
      "• rm -rf build: removes files",
      "It would run without a sandbox, with the network.",
      "",
      "❯ 1. Allow once",
      "  2. Allow in this session: commands that begin with npm test",
      "  3. Deny",
      "  4. Deny, and say what to do instead",
      "y allows once, n or Esc denies; a number or Enter chooses; other words deny and…",
      "─".repeat(80),
    ].join("\n"),
  );
});

test("a permission for an edit shows its diff, and scrolls where that is longer than the screen", () => {
  const added = Array.from({ length: 40 }, (_, index) => `+line ${index + 1}`).join("\n");
  const preview = `--- a/x\n+++ b/x\n@@ -0,0 +1,40 @@\n${added}\n`;
  const { panel, type } = asked(
    { ...permission, targets: [{ kind: "path", path: "x", access: "write" }] },
    { preview, screenRows: () => 24 },
  );
  assert.ok(panel.render(60).length <= 24);
  assert.match(panel.render(60).join("\n"), /1 \+ line 1\n/);
  assert.doesNotMatch(panel.render(60).join("\n"), /line 40/);
  type("pageDown", "pageDown", "pageDown", "pageDown");
  assert.match(panel.render(60).join("\n"), /line 40/);
});

test("what an agent's edit would change is shown once it is known, by its diff, else by what the call says", () => {
  const targets = [{ kind: "path", path: "x", access: "write" }] as const;
  const { panel } = asked({ ...permission, agent: "0-Edit", targets: [...targets] });
  panel.showChange(undefined);
  assert.doesNotMatch(panel.render(60).join("\n"), /content/);
  panel.showChange({ preview: "", call: { path: "x", content: "one\n\u001b[2Jtwo\n", count: 2 } });
  const shown = panel.render(60).join("\n");
  assert.match(shown, /Permission of 0-Edit/);
  assert.match(shown, /\n {2}path: x\n {2}content:\n {2}one\n {2}␛\[2Jtwo\n {2}count: 2\n/);
  panel.showChange({ preview: "--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+one\n", call: { content: "one" } });
  assert.match(panel.render(60).join("\n"), /1 \+ one/);
  assert.doesNotMatch(panel.render(60).join("\n"), /content: /);
});

test("keys that were typed for the prompt answer nothing", () => {
  const { panel, answers, type, at } = asked(permission);
  at(299);
  type("y", "enter", "escape", "1");
  assert.deepEqual(answers, []);
  assert.doesNotMatch(panel.render(80).join("\n"), /> /);
  at(300);
  type("y");
  assert.deepEqual(answers, ["once"]);
});

test("y, n, numbers, arrows and Esc answer a permission, and only once", () => {
  for (const [keys, answer] of [
    [["y", "y"], "once"],
    [["n"], "no"],
    [["2", "escape"], "session"],
    [["down", "enter"], "session"],
    [["escape"], "no"],
  ] as const) {
    const { answers, type, cancelled } = asked(permission);
    type(...keys);
    assert.deepEqual([answers, cancelled()], [[answer], 0]);
  }
});

test("other words deny a permission and are told to the agent", () => {
  const { panel, answers, type } = asked(permission);
  type(..."use make");
  assert.match(panel.render(80).join("\n"), /> use make/);
  type("enter");
  assert.deepEqual(answers, ["use make"]);
});

test("nothing typed is no answer to a permission, and Esc goes back to the choices", () => {
  const { answers, type } = asked(permission);
  type("4", "enter", "escape", "n");
  assert.deepEqual(answers, ["no"]);
});

test("time answers a question with what is recommended, but never a permission, and not while a person is there", () => {
  mock.timers.enable({ apis: ["setInterval"] });
  try {
    const waits = asked(clarification);
    assert.match(waits.panel.render(80).join("\n"), /in 30 s number 2 is taken/);
    const permitted = asked(permission);
    const typing = asked(clarification);
    typing.type("x");
    const off = asked(clarification, { timeout: 0 });
    mock.timers.tick(31_000);
    assert.deepEqual(waits.answers, ["PostgreSQL (Recommended)"]);
    assert.deepEqual([permitted.answers, typing.answers, off.answers], [[], [], []]);
  } finally {
    mock.timers.reset();
  }
});

test("a question can be answered in other words, and Esc stops the turn", () => {
  const own = asked(clarification);
  assert.match(own.panel.render(80).join("\n"), /3\. Other \(type your own\)/);
  own.type("3", ..."MySQL", "enter");
  assert.deepEqual(own.answers, ["MySQL"]);
  const stopped = asked(clarification);
  stopped.type("escape", "escape");
  assert.deepEqual([stopped.answers, stopped.cancelled()], [[], 1]);
});

test("several answers are chosen one by one", () => {
  const { panel, answers, type } = asked({ ...clarification, options: ["a", "b", "c"], multi: true });
  type("1", "down", "down", " ");
  assert.match(panel.render(80).join("\n"), /☑ a\n.*☐ b\n.*☑ c\n.*Done selecting/);
  type("down", "enter");
  assert.deepEqual(answers, ["a, c"]);
});

test("how many questions wait is in the title", () => {
  const { panel } = asked(clarification, { waiting: () => 3 });
  assert.match(panel.render(80)[0] ?? "", /Question, 1 of 3 that wait/);
});

test("a question that tries to steer the terminal is shown, at every width", () => {
  const evil = "\u001b[2J\u009b31m\u202eevil\r";
  const { panel } = asked(
    {
      ...permission,
      targets: [{ kind: "command", command: evil, folder: evil }],
      reasons: [{ source: evil, reason: evil }],
    },
    { theme: colouredTheme(), preview: `+++ b/${evil}\n@@ -1 +1 @@\n-${evil}\n+${evil}x\n` },
  );
  for (let width = 1; width < 60; width += 1)
    for (const row of panel.render(width)) assert.doesNotMatch(stripAnsi(row), steering);
});

test("on a screen of ten rows, or of one, what is asked is in view with the answer that Enter gives", () => {
  for (const rows of [10, 7, 5, 4]) {
    const { panel, answers, type } = asked(permission, { screenRows: () => rows });
    const seen = () => panel.render(40).map(stripAnsi);
    assert.ok(seen().length < rows, seen().join("\n"));
    assert.match(seen()[rows > 4 ? 1 : 0] ?? "", /bash wants to run/);
    assert.match(seen().join("\n"), /❯ 1\. Allow once/);
    type("down", "down");
    assert.match(seen().join("\n"), /❯ 3\. Deny/);
    type("enter");
    assert.deepEqual(answers, ["no"]);
  }
  const { panel } = asked(permission, { screenRows: () => 1 });
  assert.ok(panel.render(1).every((row) => stripAnsi(row).length <= 1));
});
