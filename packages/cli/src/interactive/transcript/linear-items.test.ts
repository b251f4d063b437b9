import assert from "node:assert/strict";
import { test } from "node:test";
import { type Item, startedCall, type ToolItem } from "@stet/client/items";
import { LinearItems } from "./linear-items.ts";
import { steering } from "./test-theme.ts";

function reader(thinking: "shown" | "folded" | "hidden" = "folded") {
  const lines: string[] = [];
  const linear = new LinearItems({ thinking, write: (line) => lines.push(line) });
  return { lines, show: (...items: Item[]) => linear.update(items) };
}

function says(text: string, isStreaming: boolean): Item {
  return { kind: "assistant", key: "a", text, isStreaming };
}

function call(changes: Partial<ToolItem>): ToolItem {
  const words = "Run npm test";
  return { ...startedCall("c", { tool_call_id: "c", tool: "bash", arguments: {}, words }), ...changes };
}

test("what the model says is read sentence by sentence, each once and without marks", () => {
  const text = `# Done

I **changed** \`a.ts\`. See [the docs](https://example.com). It works!

- [x] one
- two *words*

| a | b |
|---|---|
| 1 | 2 |

\`\`\`ts
const a = "**";
\`\`\`
The end`;
  const { lines, show } = reader();
  for (let end = 5; end < text.length; end += 5) show(says(text.slice(0, end), true));
  assert.deepEqual(lines.slice(0, 3), [
    "Agent: Heading: Done",
    "I changed a.ts.",
    "See the docs (https://example.com).",
  ]);
  show(says(text, false));
  show(says(text, false));
  assert.deepEqual(lines.slice(3), [
    "It works!",
    "Item: done: one",
    "Item: two words",
    "a, b",
    "1, 2",
    "Code, ts:",
    'const a = "**";',
    "End of code.",
    "The end",
  ]);
});

test("a call is written when it is done, and what takes long when it begins, too", () => {
  const { lines, show } = reader();
  show(call({ traits: ["runs"] }));
  show(call({ traits: ["runs"], progress: "1 of 2" }));
  const command = { exitCode: 1, timedOut: false, output: "not ok", hiddenLines: 3 };
  show(call({ traits: ["runs"], status: "failed", durationMs: 2000, command }));
  assert.deepEqual(lines, [
    "Begun: Run npm test",
    "Failed: Run npm test, exit code 1, 2.0 s",
    "Output:",
    "not ok",
  ]);
});

test("an edit says which lines it added and removed", () => {
  const { lines, show } = reader();
  const diff = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n same\n-old\n+new\n";
  show(call({ traits: ["edits"], words: "Edit x", status: "ok", diff }));
  assert.deepEqual(lines, [
    "Done: Edit x, 1 line added, 1 removed",
    "In x:",
    "Removed line 2: old",
    "Added line 2: new",
  ]);
});

test("a question is read with its answers, then what was answered", () => {
  const { lines, show } = reader();
  const item: Item = {
    kind: "question",
    key: "q",
    questionId: "id",
    asked: { kind: "clarification", text: "Which?", options: ["a", "b"] },
    answer: null,
  };
  show(item);
  show({ ...item, questionId: null, answer: "b" });
  assert.deepEqual(lines, ["Question: Which?", "1: a", "2: b", "3: Other (type your own)", "Answer: b"]);
});

test("notes and errors say what they are, and nothing steers the terminal", () => {
  const { lines, show } = reader();
  show(
    { kind: "user", key: "u", text: "Hi\u001b[2J", entry: null, siblings: 0 },
    { kind: "thinking", key: "t", text: "one two", isStreaming: false },
    { kind: "stop", key: "s", text: "The limit is reached." },
    { kind: "turn", key: "r", turn: "t", files: 1, hunks: 2, decided: 0, rejected: 0 },
    {
      kind: "error",
      key: "e",
      message: "No.",
      suggestion: "Try.",
      isStopped: false,
      isKept: false,
      instruction: "",
      retries: 0,
    },
  );
  assert.deepEqual(lines, [
    "You: Hi␛[2J",
    "Thought: 2 words.",
    "Warning: The limit is reached.",
    "Note: 1 file, 2 changes wait for review: /review",
    "Error: No.",
    "Try.",
  ]);
  for (const line of lines) assert.doesNotMatch(line, steering);
});
