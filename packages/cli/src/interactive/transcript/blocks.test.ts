import assert from "node:assert/strict";
import { test } from "node:test";
import type { Item, ToolItem } from "@stet/client/items";
import { startedCall } from "@stet/client/items";
import { Transcript } from "@stet/tui/transcript/transcript";
import { ConversationBlocks } from "./blocks.ts";
import { plainTheme } from "./test-theme.ts";

const theme = plainTheme();

function call(key: string, traits: ToolItem["traits"], changes: Partial<ToolItem> = {}): ToolItem {
  const words = `Read ${key}.ts`;
  return {
    ...startedCall(key, { tool_call_id: key, tool: "read", arguments: {}, words }),
    traits,
    ...changes,
  };
}

function says(text: string, isStreaming: boolean): Item {
  return { kind: "assistant", key: "a", text, isStreaming };
}

function conversation(): ConversationBlocks {
  return new ConversationBlocks(theme, { thinking: "folded" });
}

function screen(blocks: ConversationBlocks): string[] {
  return blocks.blocks().flatMap((block) => [...block.render(60)]);
}

test("rows of an answer that is still written scroll into the history only when nothing can change them", () => {
  const text = [
    "Some **words that are bold** at last, in a paragraph that is longer than one row.",
    ...Array.from(
      { length: 30 },
      (_, at) => `- item ${at} with \`code\` and words that wrap around the edge`,
    ),
    "",
    "| a | b |",
    "|---|---|",
    ...Array.from({ length: 80 }, (_, at) => `| ${"x".repeat(at % 30)} | ${at} |`),
    "",
    "```ts",
    ...Array.from({ length: 30 }, (_, at) => `const a${at} = "${"y".repeat(at)}";`),
    "```",
    "The end.",
  ].join("\n");
  const blocks = conversation();
  const transcript = new Transcript();
  let history: readonly string[] = [];
  let most = 0;
  for (let end = 7; end < text.length + 7; end += 7) {
    const isNew = blocks.update([says(text.slice(0, end), end < text.length)]) < blocks.length;
    if (isNew) for (const block of blocks.blocks()) transcript.add(block);
    const rows = transcript.render(40);
    assert.ok(
      history.every((row, index) => row === rows[index]),
      JSON.stringify(text.slice(0, end)),
    );
    const safe =
      transcript.getNativeScrollbackCommitSafeEnd() ?? transcript.getNativeScrollbackLiveRegionStart();
    history = rows.slice(0, safe);
    most = Math.max(most, rows.length - safe);
  }
  assert.equal(transcript.getNativeScrollbackLiveRegionStart(), transcript.render(40).length);
  // The first rows of a table decide how wide its columns are; they are all that is held back for long.
  assert.ok(most < 60, String(most));
});

test("reads that follow each other are one block until something else comes", () => {
  const blocks = conversation();
  const running = call("a", ["reads"]);
  blocks.update([says("Hm.", false), running]);
  const group = blocks.blocks()[1];
  assert.deepEqual(screen(blocks), ["Hm.", "", "○ Read a.ts"]);
  const done = { ...running, status: "ok" } as const;
  const failed = call("b", ["reads"], { status: "failed", reason: "There is no b.ts." });
  assert.equal(blocks.update([says("Hm.", false), done, failed]), 2);
  assert.equal(blocks.blocks()[1], group);
  assert.deepEqual(screen(blocks).slice(2), [
    "✗ Read 2 files",
    "  • a.ts",
    "  ✗ b.ts",
    "    There is no b.ts.",
  ]);
  assert.equal(group?.isTranscriptBlockFinalized(), false);
  blocks.update([says("Hm.", false), done, failed, call("c", ["edits"], { words: "Edit c.ts" })]);
  assert.equal(group?.isTranscriptBlockFinalized(), true);
  assert.equal(blocks.length, 3);
});

test("blocks stay the same objects while their items change, and go with them", () => {
  const blocks = conversation();
  const user: Item = { kind: "user", key: "u", text: "Hi", entry: null, siblings: 0 };
  const retry: Item = { kind: "retry", key: "r", reason: "Busy.", delayMs: 1000, attempt: undefined };
  assert.equal(blocks.update([user, retry]), 0);
  const [first, second] = blocks.blocks();
  assert.equal(second?.isTranscriptBlockFinalized(), false);
  // An answer came: the retry goes.
  assert.equal(blocks.update([user, says("H", true)], 1), 1);
  const [same, answer] = blocks.blocks();
  assert.equal(same, first);
  assert.notEqual(answer, second);
  assert.equal(blocks.update([user, says("Hello", true)], 1), 2);
  assert.equal(blocks.blocks()[1], answer);
  assert.deepEqual(screen(blocks).at(-1), "Hello");
  assert.equal(blocks.update([]), 0);
  assert.equal(blocks.length, 0);
});

test("a block that did not change gives the same rows again", () => {
  const blocks = conversation();
  blocks.update([says("Hello", true)]);
  const [block] = blocks.blocks();
  assert.equal(block?.render(40), block?.render(40));
});
