import assert from "node:assert/strict";
import { test } from "node:test";
import type { DeliverySource } from "./api/background.ts";
import { deliveryText, deliveryTitle } from "./delivery-words.ts";

const command: DeliverySource = { kind: "job", id: "bash-1", label: "npm test", type: "bash" };
const result = (status: string, text: string) =>
  `<job-result id="bash-1" type="bash" status="${status}" seconds="1.2">\nnpm test\n${text}\n</job-result>`;

test("a command that ended says how, and one that was stopped does not look as if it had failed", () => {
  const title = (status: string, text: string) =>
    deliveryTitle({ source: command, text: result(status, text) });
  assert.equal(title("completed", "ok"), "Command ended: npm test (exit 0)");
  assert.equal(title("failed", "no\nCommand exited with code 3"), "Command ended: npm test (exit 3)");
  assert.equal(title("failed", "no"), "Command ended: npm test (failed)");
  assert.equal(title("cancelled", "no"), "Command was stopped: npm test");
});

test("an agent, a monitor, a timer, a note and what an agent says each name who it was", () => {
  const agent: DeliverySource = { kind: "job", id: "0-Look", label: "explore: find routes", type: "task" };
  assert.equal(
    deliveryTitle({ source: agent, text: result("failed", "") }),
    "Agent 0-Look (failed): explore: find routes",
  );
  assert.equal(
    deliveryTitle({ source: agent, text: result("completed", "") }),
    "Agent 0-Look: explore: find routes",
  );
  const line = (text: string) => `<task-notification task="monitor-1">${text}</task-notification>`;
  const monitor: DeliverySource = { kind: "monitor", id: "monitor-1", label: "errors" };
  assert.equal(deliveryTitle({ source: monitor, text: line("boom") }), "Monitor: errors: boom");
  const two = `${line("boom")}\n${line("bang")}`;
  assert.equal(deliveryTitle({ source: monitor, text: two }), "Monitor: errors: bang (2 lines)");
  const timer: DeliverySource = { kind: "timer", id: "abc", label: "look again" };
  assert.equal(deliveryTitle({ source: timer, text: "" }), "Timer: look again");
  const note: DeliverySource = { kind: "note", id: "idle", label: "x" };
  assert.equal(deliveryTitle({ source: note, text: "Nobody looked." }), "Nobody looked.");
  const said: DeliverySource = { kind: "agent", id: "0-Look", label: "" };
  const text = '<irc from="0-Look">\nWhich one?\n</irc>';
  assert.equal(deliveryTitle({ source: said, text }), "Agent 0-Look says: Which one?");
});

test("the whole text has no tags of ours, and keeps those of others", () => {
  const text = result("completed", "<b>bold</b>\n</job-result> in a line");
  assert.equal(
    deliveryText({ source: command, text }),
    "npm test\n<b>bold</b>\n</job-result> in a line".trim(),
  );
});
