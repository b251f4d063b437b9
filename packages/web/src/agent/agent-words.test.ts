import assert from "node:assert/strict";
import { test } from "node:test";
import { Drafts } from "./drafts.ts";
import { matchingAgents, matchingFiles, mentionAt } from "./mention.ts";
import { PromptRecall } from "./prompt-recall.ts";
import { timeText } from "./time-text.ts";
import { decisionWords, shownDuration, turnWords } from "./turn-words.ts";
import { cacheShare, cacheWords, useWords } from "./use-words.ts";

test("turns and decisions are counted as a person would", () => {
  assert.equal(
    turnWords({ files: 3, open: 14, decided: 0, rejected: 0, isOnDisk: false }),
    "Proposed 14 changes in 3 files",
  );
  assert.equal(
    turnWords({ files: 1, open: 1, decided: 0, rejected: 0, isOnDisk: false }),
    "Proposed 1 change in one file",
  );
  assert.equal(
    turnWords({ files: 3, open: 2, decided: 12, rejected: 0, isOnDisk: false }),
    "Proposed 14 changes in 3 files, 2 left to decide",
  );
  assert.equal(
    turnWords({ files: 3, open: 0, decided: 14, rejected: 0, isOnDisk: false }),
    "Changed 3 files. Everything is decided.",
  );
  assert.equal(
    turnWords({ files: 1, open: 1, decided: 0, rejected: 0, isOnDisk: true }),
    "Made 1 change in one file, on disk already",
  );
  assert.equal(
    turnWords({ files: 3, open: 2, decided: 1, rejected: 0, isOnDisk: true }),
    "Made 3 changes in 3 files, on disk already, 2 left to decide",
  );
  const all = { files: 1, open: 0, decided: 621, rejected: 621, isOnDisk: false };
  assert.equal(turnWords(all), "You rejected all of its 621 changes.");
  assert.equal(turnWords({ ...all, rejected: 620 }), "Changed one file. Everything is decided.");
  assert.equal(decisionWords("rejected", 1), "You rejected 1 change.");
  assert.equal(decisionWords("reopened", 2), "You undid your decision on 2 changes.");
});

test("a file is completed only after an @ that begins a word", () => {
  assert.deepEqual(mentionAt("look at @cha", 12), { from: 8, to: 12, word: "cha" });
  assert.deepEqual(mentionAt("@", 1), { from: 0, to: 1, word: "" });
  assert.equal(mentionAt("me@home", 7), undefined);
  assert.equal(mentionAt("@a b", 4), undefined);
  const files = ["notes/chapter.md", "chapters/one.md", "a/teach.md", "crash.md", "c/h/x.md"];
  assert.deepEqual(matchingFiles(files, "cha", 4), ["notes/chapter.md", "chapters/one.md"]);
  assert.deepEqual(matchingFiles(files, "ch", 9).slice(0, 2), ["notes/chapter.md", "a/teach.md"]);
  assert.equal(matchingFiles(files, "", 3).length, 3);
});

test("an agent whose name is written out is the first that is offered", () => {
  const agents = ["task-force", "quick_task", "task", "broken"].map((name) => ({
    name,
    problem: name === "broken" ? "It does not parse." : null,
  }));
  const names = (word: string) => matchingAgents(agents, word, 4).map(({ name }) => name);
  assert.deepEqual(names("task"), ["task", "task-force"]);
  assert.deepEqual(names("TASK-"), ["task-force"]);
  assert.deepEqual(names(""), ["task-force", "quick_task", "task"]);
});

test("earlier prompts come back one after another, and the empty field after the newest", () => {
  const recall = new PromptRecall();
  recall.begin(["newest", "newest", "older"]);
  assert.deepEqual([recall.older(), recall.older(), recall.older()], ["newest", "older", undefined]);
  assert.deepEqual([recall.newer(), recall.newer()], ["newest", ""]);
  assert.equal(recall.isBrowsing, false);
});

test("a draft belongs to its conversation and outlives the page", () => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  const drafts = new Drafts(storage);
  drafts.set("s1", "one");
  drafts.set(null, "new");
  assert.deepEqual(
    ["s1", null, "s2"].map((session) => new Drafts(storage).get(session)),
    ["one", "new", ""],
  );
  drafts.set("s1", "");
  assert.equal(new Drafts(storage).get("s1"), "");
  const full = new Drafts({ ...storage, setItem: () => assert.fail("full") });
  full.set("s1", "still here");
  assert.equal(full.get("s1"), "still here");
});

test("times and costs are short", () => {
  const now = Date.parse("2030-01-02T12:00:00.000Z");
  const times = ["2030-01-02T11:59:40.000Z", "2030-01-02T11:00:00.000Z", "2029-12-31T12:00:00.000Z"];
  assert.deepEqual(
    times.map((time) => timeText(time, now)),
    ["just now", "1 hour ago", "2 days ago"],
  );
  const use = {
    cost_usd: 0.5,
    cost_known: true,
    input: 1000,
    output: 20,
    context_tokens: 500,
    context_window: 1000,
  };
  assert.match(useWords(use), /500 of 1,000 tokens of context \(50 %\).*\$0\.50/);
  assert.match(
    useWords({ ...use, context_window: null, cost_usd: 0.001, cost_known: true }),
    /^500 tokens.*under \$0\.01/,
  );
});

test("a duration is as exact as one would say it", () => {
  assert.deepEqual([340, 2400, 80_000].map(shownDuration), ["340 ms", "2.4 s", "1 min 20 s"]);
});

test("the cache's share of what was read is told where there is one", () => {
  assert.equal(cacheShare({ input: 100, cache_read: 900, cache_write: 0 }), 90);
  assert.equal(cacheShare({ input: 100, cache_read: 0, cache_write: 900 }), undefined);
  assert.equal(cacheShare(null), undefined);
  assert.match(cacheWords({ input: 50, cache_read: 50, cache_write: 0 }), /^50 %/);
});
