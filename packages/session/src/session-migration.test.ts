import assert from "node:assert/strict";
import { readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import { must, openSession, said } from "@stet/testkit/sample-session";
import { temporaryFolder } from "@stet/testkit/temporary";
import { contentText } from "./entry-text.ts";
import { buildContext } from "./session-context.ts";
import type { Session } from "./session-tree.ts";

const timestamp = "2025-11-02T08:00:00.000Z";
const answer = {
  role: "assistant",
  content: [{ type: "text", text: "Done." }],
  provider: "anthropic",
  model: "sonnet",
  api: "messages",
  usage: {
    input: 1,
    output: 1,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 2,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  },
  stopReason: "stop",
  timestamp: 1,
};

function written(t: TestContext, lines: readonly unknown[]): string {
  const path = join(temporaryFolder(t), "old_0123456789abcdef.jsonl");
  const texts = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  writeFileSync(path, `${texts.join("\n")}\n`);
  return path;
}

function texts(session: Session): string[] {
  return buildContext(session).messages.map((message) => contentText(message.content));
}

const versionOne = [
  { type: "session", id: "0123456789abcdef", timestamp, cwd: "/home/ada/pi" },
  { type: "message", timestamp, message: { role: "user", content: "old", timestamp: 1 } },
  { type: "message", timestamp, message: answer },
  { type: "thinking_level_change", timestamp, thinkingLevel: "high" },
  {
    type: "message",
    timestamp,
    message: { role: "hookMessage", customType: "h", content: "hook", display: true, timestamp: 1 },
  },
  { type: "compaction", timestamp, summary: "Before.", firstKeptEntryIndex: 4, tokensBefore: 10 },
  { type: "message", timestamp, message: { role: "user", content: "new", timestamp: 1 } },
];

test("a file of version 1 becomes a chain, is rewritten once, and goes on", (t) => {
  const path = written(t, versionOne);
  utimesSync(path, 1000, 1000);
  const session = openSession(path);
  assert.deepEqual(session.damage, []);
  assert.equal(session.header.version, 3);
  assert.equal(session.path().length, 6);
  assert.deepEqual(texts(session).slice(1), ["hook", "new"]);
  assert.match(texts(session)[0] ?? "", /Before\./);
  assert.equal(buildContext(session).thinkingLevel, "high");
  assert.equal(statSync(path).mtimeMs, 1_000_000, "opening does not make it the latest session");
  const content = readFileSync(path, "utf8");
  assert.match(content, /^\{"type":"session","id":"0123456789abcdef".*"version":3/);
  assert.ok(!content.includes("hookMessage") && !content.includes("firstKeptEntryIndex"));
  must(session.appendMessage(said("and on")));
  const again = openSession(path);
  assert.equal(readFileSync(path, "utf8").startsWith(content), true);
  assert.deepEqual(texts(again).slice(1), ["hook", "new", "and on"]);
});

test("a file of version 2 keeps its tree", (t) => {
  const path = written(t, [
    { type: "session", version: 2, id: "0123456789abcdef", timestamp, cwd: "/home/ada/pi" },
    {
      type: "message",
      id: "aaaaaaaa",
      parentId: null,
      timestamp,
      message: { role: "user", content: "one", timestamp: 1 },
    },
    { type: "message", id: "bbbbbbbb", parentId: "aaaaaaaa", timestamp, message: answer },
    {
      type: "message",
      id: "cccccccc",
      parentId: "aaaaaaaa",
      timestamp,
      message: { role: "hookMessage", content: "hook", timestamp: 1 },
    },
  ]);
  const session = openSession(path);
  assert.equal(session.header.version, 3);
  assert.equal(session.children("aaaaaaaa").length, 2);
  assert.deepEqual(texts(session), ["one", "hook"]);
});

test("a file of version 3 opens as it is, whatever the order of its fields, with kinds that are not known here", (t) => {
  const path = written(t, [
    { id: "0123456789abcdef", version: 3, cwd: "/home/ada/pi", type: "session", timestamp },
    {
      message: { content: "one", role: "user", timestamp: 1 },
      parentId: null,
      timestamp,
      id: "aaaaaaaa",
      type: "message",
    },
    { type: "message", id: "bbbbbbbb", parentId: "aaaaaaaa", timestamp, message: answer },
    { type: "from_the_future", id: "cccccccc", parentId: "bbbbbbbb", timestamp, anything: 1 },
    {
      type: "message",
      id: "dddddddd",
      parentId: "cccccccc",
      timestamp,
      message: { role: "bashExecution", command: "ls" },
    },
    {
      type: "message",
      id: "eeeeeeee",
      parentId: "dddddddd",
      timestamp,
      message: { role: "user", content: "two", timestamp: 1 },
    },
  ]);
  const before = readFileSync(path);
  const session = openSession(path);
  assert.deepEqual(session.damage, []);
  assert.deepEqual(texts(session), ["one", "Done.", "two"]);
  assert.equal(buildContext(session).models.default, "anthropic/sonnet");
  const foreign = must(session.entry("cccccccc"));
  assert.ok(foreign.type === "custom" && foreign.customType === "foreign:from_the_future");
  assert.ok(readFileSync(path).equals(before));
});

test("thoughts keep their signature under the name that is used here", (t) => {
  const content = [{ type: "thinking", thinking: "hm", thinkingSignature: "signed" }];
  const path = written(t, [
    { type: "session", version: 3, id: "0123456789abcdef", timestamp, cwd: "/home/ada/pi" },
    { type: "message", id: "aaaaaaaa", parentId: null, timestamp, message: { ...answer, content } },
  ]);
  const [message] = buildContext(openSession(path)).messages;
  assert.deepEqual(message?.content, [{ type: "thinking", thinking: "hm", signature: "signed" }]);
});

test("damaged lines of an old file survive its migration and are reported", (t) => {
  const lines: unknown[] = [...versionOne];
  lines[2] = '{"type":"message","broken';
  const path = written(t, lines);
  const session = openSession(path);
  assert.deepEqual(
    session.damage.map((damage) => damage.line),
    [3],
  );
  assert.equal(session.path().length, 5);
  assert.deepEqual(texts(session).slice(1), ["hook", "new"]);
  assert.ok(readFileSync(path, "utf8").includes('{"type":"message","broken\n'));
});

test("a torn end of an old file is set aside before it is migrated", (t) => {
  const path = written(t, versionOne);
  writeFileSync(path, `${readFileSync(path, "utf8")}{"type":"mess`);
  const session = openSession(path);
  assert.equal(session.path().length, 6);
  assert.equal(readFileSync(`${path}.torn`, "utf8"), '{"type":"mess\n');
  assert.ok(!isFault(session.appendMessage(said("on"))));
});
