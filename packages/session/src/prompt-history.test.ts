import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { must } from "@stet/testkit/sample-session";
import { temporaryFolder } from "@stet/testkit/temporary";
import { PromptHistory } from "./prompt-history.ts";

function prompts(found: ReturnType<PromptHistory["search"]>): string[] {
  return must(found).map((stored) => stored.prompt);
}

test("prompts come back newest first, the same one twice in a row once", (t) => {
  const path = join(temporaryFolder(t), "deep/history.db");
  const history = must(PromptHistory.open(path));
  const other = must(PromptHistory.open(path));
  assert.equal(history.add("fix the typo", "/a"), true);
  assert.equal(other.add("fix the typo", "/a"), false, "also from another terminal");
  assert.equal(history.add("rename the hero", "/b"), true);
  assert.equal(history.add("fix the typo", "/a"), true);
  assert.equal(history.add("  \n", "/a"), false);
  assert.deepEqual(prompts(history.recent(10)), ["fix the typo", "rename the hero", "fix the typo"]);
  assert.deepEqual(prompts(history.recent(10, "/b")), ["rename the hero"]);
  assert.deepEqual(prompts(history.recent(1)), ["fix the typo"]);
  history.close();
  other.close();
  const reopened = must(PromptHistory.open(path));
  assert.equal(must(reopened.recent(10)).length, 3);
  reopened.close();
});

test("prompts are found by words, beginnings of words, and any text", (t) => {
  const history = must(PromptHistory.open(join(temporaryFolder(t), "history.db")));
  for (const prompt of [
    "Rename the hero to Ada",
    "Sửa tiêu đề",
    'what does "a->b" mean?',
    "数据库连接失败",
    "path/to/file.ts",
  ]) {
    must(history.add(prompt, "/"));
  }
  assert.deepEqual(prompts(history.search("ada hero", 5)), ["Rename the hero to Ada"]);
  assert.deepEqual(prompts(history.search("REN", 5)), ["Rename the hero to Ada"]);
  assert.deepEqual(prompts(history.search("tieu", 5)), ["Sửa tiêu đề"], "without its marks");
  assert.deepEqual(prompts(history.search("连接", 5)), ["数据库连接失败"]);
  assert.deepEqual(prompts(history.search("->", 5)), ['what does "a->b" mean?']);
  assert.deepEqual(prompts(history.search("ename", 5)), ["Rename the hero to Ada"]);
  for (const odd of ['"', "*", "AND", "NEAR(", "a OR", "'; DROP TABLE history", "^x", "-"])
    must(history.search(odd, 5));
  history.close();
});

test("the oldest prompts go when there are too many, from the search too", (t) => {
  const history = must(PromptHistory.open(join(temporaryFolder(t), "history.db"), { maxPrompts: 10 }));
  for (let number = 0; number < 50; number += 1) must(history.add(`prompt number${number} here`, "/"));
  assert.equal(must(history.recent(100)).length, 10);
  assert.deepEqual(prompts(history.search("number3", 100)), []);
  assert.equal(prompts(history.search("prompt", 100)).length, 10);
  assert.equal(history.add("x".repeat(200_000), "/"), false);
  history.close();
});

test("a history that cannot be read is kept under another name, and a new one begins", (t) => {
  const path = join(temporaryFolder(t), "history.db");
  writeFileSync(path, "this is not a database, but long enough to be looked at as one ".repeat(40));
  const history = must(PromptHistory.open(path));
  assert.equal(history.add("Shorten it", "/"), true);
  assert.deepEqual(prompts(history.recent(10)), ["Shorten it"]);
  history.close();
  assert.ok(readdirSync(dirname(path)).some((name) => name.startsWith("history.db.damaged-")));
});
