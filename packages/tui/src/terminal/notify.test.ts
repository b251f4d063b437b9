import assert from "node:assert/strict";
import { test } from "node:test";
import { notificationSequence } from "./notify.ts";
import { titleSequence } from "./title.ts";

test("each protocol gets its bytes", () => {
  const notification = { title: "Stet; ready", body: "The turn ended" };
  assert.equal(notificationSequence("osc9", notification), "\u001b]9;Stet; ready: The turn ended\u0007");
  assert.equal(
    notificationSequence("osc777", notification),
    "\u001b]777;notify;Stet, ready;The turn ended\u0007",
  );
  assert.equal(
    notificationSequence("osc99", notification),
    "\u001b]99;i=stet:d=0:p=title;Stet; ready\u001b\\\u001b]99;i=stet:d=1:p=body;The turn ended\u001b\\",
  );
  assert.equal(notificationSequence("bell", notification), "\u0007");
  assert.equal(notificationSequence("none", notification), "");
});

test("a title or a message cannot end its sequence and steer the terminal", () => {
  const hostile = "a\u001b\\\u001b[2J\u0007b\u009cc\nd";
  for (const protocol of ["osc9", "osc99", "osc777"] as const) {
    const inner = notificationSequence(protocol, { title: hostile, body: hostile });
    assert.ok(!inner.includes("[2J\u0007"), protocol);
    assert.ok(!inner.includes("\u001b[2J") && !inner.includes("\u009c"), protocol);
  }
  assert.equal(titleSequence(hostile), "\u001b]2;a \\ [2J b c d\u001b\\");
  assert.equal(titleSequence("x".repeat(1000)).length, 200 + 6);
});
