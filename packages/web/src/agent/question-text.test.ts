import assert from "node:assert/strict";
import { test } from "node:test";
import { announcedQuestion, asksPermission, isLongQuestion, questionParts } from "./question-text.ts";

const permission = [
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
  "",
].join("\n");

test("a command is told from the words around it, whatever it contains", () => {
  assert.deepEqual(questionParts(permission), [
    { kind: "words", text: "bash wants to run in app:" },
    { kind: "command", text: "npm test &&\n\n  - rm -rf build" },
    { kind: "words", text: "What needs permission:" },
    { kind: "items", items: ["npm test: it runs a script", "rm: it deletes"] },
    { kind: "words", text: "It would run in the sandbox, without the network." },
  ]);
  assert.deepEqual(questionParts("Which one?\nThis?\n\nOr that?"), [
    { kind: "words", text: "Which one?\nThis?" },
    { kind: "words", text: "Or that?" },
  ]);
  assert.deepEqual(questionParts(""), []);
});

test("what is long scrolls, and is not read out to its end", () => {
  assert.equal(isLongQuestion("Which one?"), false);
  assert.equal(isLongQuestion(permission), true);
  assert.equal(announcedQuestion("Which\n\n  one?"), "Which one?");
  assert.ok(announcedQuestion("x".repeat(5000)).length < 400);
});

test("a question for permission is known by its options", () => {
  assert.ok(asksPermission(["Allow once", "Allow in this session: x", "Deny"]));
  assert.ok(!asksPermission(["Deny", "Confirm"]));
});
