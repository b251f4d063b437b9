import assert from "node:assert/strict";
import { test } from "node:test";
import type { Permission } from "./question.ts";
import { optionOf, optionTexts, questionParts, questionText } from "./question-text.ts";

const scope = "change made.txt";
const permission: Permission = {
  kind: "permission",
  tool: "bash",
  tool_call_id: "call",
  arguments: {},
  targets: [{ kind: "command", command: "npm test &&\n\n  - rm -rf build", folder: "app" }],
  reasons: [
    { source: "npm test", reason: "it runs a script" },
    { source: "rm", reason: "it deletes" },
  ],
  running: { sandbox: true, network: false },
  options: [
    { id: "allow_once", kind: "allow_once", scope: null },
    { id: "allow_session", kind: "allow_session", scope },
    { id: "deny", kind: "deny", scope: null },
  ],
};

test("a command is told from the words around it, whatever it contains", () => {
  assert.deepEqual(questionParts(permission), [
    { kind: "words", text: "bash wants to run in app:" },
    { kind: "command", text: "npm test &&\n\n  - rm -rf build" },
    { kind: "words", text: "What needs permission:" },
    { kind: "items", items: ["npm test: it runs a script", "rm: it deletes"] },
    { kind: "words", text: "It would run in the sandbox, without the network." },
  ]);
  assert.equal(
    questionText(permission),
    [
      "bash wants to run in app:",
      "",
      "    npm test &&",
      "    ",
      "      - rm -rf build",
      "",
      "What needs permission:",
      "- npm test: it runs a script",
      "- rm: it deletes",
      "It would run in the sandbox, without the network.",
    ].join("\n"),
  );
});

test("what would be sent is told word for word, and is no command", () => {
  const url = "https://github.com/acme/app/issues/5";
  const content = 'title: It\'s "odd"\n\n- rm -rf build';
  const question: Permission = {
    ...permission,
    tool: "github",
    targets: [{ kind: "send", what: "a new issue", url, content }],
    reasons: [],
    running: null,
  };
  assert.deepEqual(questionParts(question), [
    { kind: "words", text: `github wants to send a new issue to ${url}:` },
    { kind: "text", text: content },
  ]);
  assert.match(questionText(question), /:\n\n {4}title: It's "odd"\n {4}\n {4}- rm -rf build\n$/);
});

test("an option is chosen by its id or its text, of its own question only", () => {
  assert.deepEqual(optionTexts(permission), ["Allow once", "Allow in this session: change made.txt", "Deny"]);
  assert.equal(optionOf(permission, "allow_session")?.kind, "allow_session");
  assert.equal(optionOf(permission, "Allow in this session: change made.txt")?.kind, "allow_session");
  for (const other of ["Allow in this session: change other.txt", "allow once", "allow_project", "yes", ""])
    assert.equal(optionOf(permission, other), undefined, other);
  const clarification = { kind: "clarification", text: "May I?", options: ["Allow once", "Deny"] } as const;
  assert.equal(optionOf({ ...clarification, options: [...clarification.options] }, "Allow once"), undefined);
});
