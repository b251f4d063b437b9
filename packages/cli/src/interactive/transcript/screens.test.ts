// What one sees of each kind of item, written down in screens/*.txt: to be looked at, and compared with what is drawn now.
// STET_RECORD_GOLDEN=1 records them anew.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Item, ToolItem } from "@stet/client/items";
import { ConversationBlocks } from "./blocks.ts";
import { plainTheme } from "./test-theme.ts";

const folder = join(import.meta.dirname, "screens");

const call: ToolItem = {
  kind: "tool",
  key: "call",
  callId: "1",
  tool: "tool",
  traits: [],
  words: "Do something",
  arguments: {},
  status: "ok",
  durationMs: 340,
  progress: "",
  preview: "",
  subagents: 0,
  result: "",
  reason: "",
  diff: "",
  command: undefined,
  todo: undefined,
};

let count = 0;
function tool(changes: Partial<ToolItem>): ToolItem {
  count += 1;
  return { ...call, key: `call:${count}`, callId: String(count), ...changes };
}

const diff = `--- a/src/total.ts
+++ b/src/total.ts
@@ -1,5 +1,6 @@
 export function total(prices: number[]): number {
-  let sum = 0;
-  for (const price of prices) sum += price;
+  let sum = 0.0;
+  for (const price of prices) sum += price * 1.19;
+  // With tax.
   return sum;
 }
@@ -40,2 +41,2 @@
-const last = "the end"
+const last = "an end"
 done();
`;

const longDiff = `--- a/long.md\n+++ b/long.md\n@@ -0,0 +1,60 @@\n${Array.from({ length: 60 }, (_, line) => `+Line ${line + 1}\n`).join("")}`;

const markdown = `# What I did

I changed **two** files; see \`src/total.ts\` and [the docs](https://example.com/docs).

1. First, the *tax*:
   - [x] computed
   - [ ] shown
2. Then the tests.

> It was never there.

| file | lines | why |
|:-----|------:|-----|
| src/total.ts | 3 | prices had no tax, and nobody noticed that for a long time |
| test.ts | 12 | |

\`\`\`ts
const sum = total([1, 2]); // 3.57
\`\`\`

---
Done.`;

const reads = ["Read package.json", "Read src/total.ts", "Read src/very/long/path/to/a/file/with/a/name.ts"];

const screens: Readonly<Record<string, readonly Item[]>> = {
  conversation: [
    { kind: "user", key: "u1", text: "Add the tax.\nAnd test it.", entry: "e1", siblings: 2 },
    { kind: "thinking", key: "t1", text: "The person wants tax.\nWhere is it computed?", isStreaming: false },
    { kind: "assistant", key: "a1", text: "I will look at it first.", isStreaming: false },
    ...reads.map((words) => tool({ words, traits: ["reads"], durationMs: 20 })),
    tool({ words: "Search for “tax”", traits: ["reads"], result: "12 results", durationMs: 1500 }),
    tool({ words: "Edit src/total.ts", traits: ["edits", "exclusive"], diff }),
    tool({
      words: "Run npm test",
      traits: ["runs"],
      status: "failed",
      durationMs: 61_300,
      command: {
        exitCode: 1,
        timedOut: false,
        output: Array.from({ length: 12 }, (_, at) => `not ok ${at + 1}`).join("\n"),
        hiddenLines: 30,
      },
    }),
    { kind: "assistant", key: "a2", text: markdown, isStreaming: false },
    { kind: "turn", key: "r1", turn: "t", files: 3, hunks: 5, decided: 0, rejected: 0 },
    { kind: "decision", key: "d1", verdict: "accepted", hunks: 4 },
    { kind: "decision", key: "d2", verdict: "rejected", hunks: 1 },
  ],
  calls: [
    tool({
      words: "Edit notes.md",
      traits: ["edits"],
      status: "running",
      preview: longDiff,
      durationMs: null,
    }),
    tool({ words: "Edit long.md", traits: ["edits"], diff: longDiff }),
    tool({
      words: "Run make",
      traits: ["runs"],
      status: "running",
      progress: "cc a.c\ncc b.c",
      durationMs: null,
    }),
    tool({
      words: "Run sleep 100",
      traits: ["runs"],
      status: "failed",
      command: { exitCode: null, timedOut: true, output: "", hiddenLines: 0 },
    }),
    tool({
      words: "Run true",
      traits: ["runs"],
      command: { exitCode: 0, timedOut: false, output: "", hiddenLines: 0 },
    }),
    tool({
      words: "Look for contradictions",
      status: "running",
      subagents: 3,
      progress: "chapter 4",
      durationMs: null,
    }),
    tool({ words: "Edit gone.md", traits: ["edits"], status: "failed", reason: "There is no file gone.md." }),
    tool({ words: "Compute 6 × 7", result: "42" }),
    tool({
      words: "Keep the list of tasks",
      todo: [
        {
          name: "All",
          tasks: [
            { content: "write", status: "in_progress" },
            { content: "test", status: "pending" },
          ],
        },
      ],
    }),
    tool({ words: "Edit a.md", traits: ["edits"], status: "stopped", durationMs: null }),
    tool({
      words: "Read missing.md",
      traits: ["reads"],
      status: "failed",
      reason: "There is no file missing.md.",
    }),
  ],
  notes: [
    { kind: "model", key: "m", model: "big-model", reason: "the small one broke off" },
    {
      kind: "retry",
      key: "rt",
      reason: "The model is overloaded.",
      delayMs: 2000,
      attempt: { number: 2, of: 5 },
    },
    { kind: "compacted", key: "c", by: "summary", before: 120_000, after: 30_000 },
    { kind: "stop", key: "s", text: "The turn took 50 steps, which is the limit." },
    { kind: "waiting", key: "w", since: null },
    { kind: "summary", key: "su", text: "They spoke about tax.\nIt was added." },
    {
      kind: "delivery",
      key: "de",
      source: { kind: "job", id: "bash-1", label: "npm test", type: "bash" },
      text: '<job-result id="bash-1" type="bash" status="failed" seconds="1.2">\nnpm test\nno\n\nCommand exited with code 1\n</job-result>',
    },
    {
      kind: "delivery",
      key: "de2",
      source: { kind: "timer", id: "t", label: "look at the pull request again" },
      text: '<timer id="t" schedule="every hour">\nlook at the pull request again\n</timer>',
    },
    { kind: "turn", key: "t1", turn: "t", files: 1, hunks: null, decided: 2, rejected: 1 },
    { kind: "turn", key: "t2", turn: "t", files: 1, hunks: 1, decided: 0, rejected: 0 },
    {
      kind: "error",
      key: "e",
      message: "The key is refused.",
      suggestion: "Set ANTHROPIC_API_KEY to another one.",
      isStopped: false,
      isKept: true,
      instruction: "x",
      retries: 3,
    },
    {
      kind: "error",
      key: "e2",
      message: "You stopped it.",
      suggestion: "",
      isStopped: true,
      isKept: false,
      instruction: "x",
      retries: 1,
    },
    {
      kind: "question",
      key: "q",
      questionId: null,
      asked: { kind: "clarification", text: "Which one?", options: ["a", "b"] },
      answer: "a",
    },
    {
      kind: "question",
      key: "q2",
      questionId: "open",
      asked: { kind: "clarification", text: "And now?", options: [] },
      answer: null,
    },
  ],
};

for (const [name, items] of Object.entries(screens)) {
  for (const width of [80, 32]) {
    test(`the screen ${name} looks as it is written down, ${width} cells wide`, () => {
      const blocks = new ConversationBlocks(plainTheme(), { thinking: "folded" });
      blocks.update(items);
      const rows = blocks.blocks().flatMap((block) => block.render(width));
      compare(`${name}-${width}`, rows);
    });
  }
}

test("thinking is shown, folded or hidden as the setting says", () => {
  const rows = (["shown", "folded", "hidden"] as const).flatMap((thinking) => {
    const blocks = new ConversationBlocks(plainTheme(), { thinking });
    blocks.update(screens.conversation?.slice(0, 3) ?? []);
    return [`[${thinking}]`, ...blocks.blocks().flatMap((block) => block.render(60))];
  });
  compare("thinking", rows);
});

test("an expanded block has everything", () => {
  const blocks = new ConversationBlocks(plainTheme(), { thinking: "folded" });
  blocks.update(screens.conversation ?? []);
  compare(
    "expanded",
    blocks.blocks().flatMap((block) => [...block.expanded(60), "=".repeat(60)]),
  );
});

function compare(name: string, rows: readonly string[]): void {
  const file = join(folder, `${name}.txt`);
  const now = `${rows.map((row) => row.trimEnd()).join("\n")}\n`;
  if (process.env.STET_RECORD_GOLDEN === "1") {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, now);
    return;
  }
  assert.ok(existsSync(file), `${file} is not recorded`);
  assert.equal(now, readFileSync(file, "utf8"));
}
