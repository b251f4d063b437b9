import assert from "node:assert/strict";
import { test } from "node:test";
import type { Message } from "@stet/protocol/message";
import { openCodeFixture } from "@stet/testkit/code-fixture";
import { activeCheckpoint, checkpoint, checkpointReminder, rewind } from "./checkpoint.ts";

function answer(toolName: string, details: unknown, isError = false): Message {
  return {
    role: "toolResult",
    toolCallId: `call of ${toolName}`,
    toolName,
    content: [],
    details,
    isError,
    timestamp: 0,
  };
}

const begun = answer("checkpoint", { goal: "find the leak" });

test("a checkpoint is active until it is rewound to, also in a conversation that was read back", () => {
  assert.deepEqual(activeCheckpoint([begun]), { callId: "call of checkpoint", goal: "find the leak" });
  assert.equal(activeCheckpoint([begun, answer("rewind", {})]), undefined);
  const report =
    "[Report of the investigation since the checkpoint. Goal: find the leak]\nIt is in the cache.";
  assert.equal(activeCheckpoint([begun, { role: "user", content: report, timestamp: 0 }]), undefined);
  assert.equal(activeCheckpoint([answer("checkpoint", {}, true)]), undefined);
});

test("a second checkpoint is refused while one is active", async (t) => {
  const fixture = await openCodeFixture(t, [checkpoint], { messages: () => [begun] });
  const refused = await fixture.call("checkpoint", { goal: "another" });
  assert.match(refused.text, /Checkpoint already active.*find the leak.*rewind/s);
});

test("a rewind without a checkpoint is refused", async (t) => {
  const fixture = await openCodeFixture(t, [rewind]);
  assert.match((await fixture.call("rewind", { report: "x" })).text, /no active checkpoint/);
});

test("whoever would end the turn at an active checkpoint is reminded", () => {
  assert.match(checkpointReminder([begun]) ?? "", /find the leak.*rewind/);
  assert.equal(checkpointReminder([]), undefined);
});
