// What is kept of GitHub: for whom, for how long, and what becomes of a file that broke.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { onNotice } from "@stet/storage/notices";
import { openGithubTools } from "@stet/testkit/github/github-tools";
import { temporaryFolder } from "@stet/testkit/temporary";
import { read } from "../read/read.ts";
import { type CacheKey, GithubCache } from "./github-cache.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

const key: CacheKey = {
  account: "octocat",
  host: "github.com",
  owner: "acme",
  name: "app",
  kind: "issue",
  number: 5,
};

/** Looks until what is fetched in the background has arrived. */
async function becomes(look: () => Promise<string>, isSo: (text: string) => boolean): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) if (isSo(await look())) return;
  assert.fail("It was never fetched anew");
}

test("an answer is fresh, then stale and fetched anew, then not shown any more", async (t) => {
  let now = Date.parse("2026-03-01T12:00:00Z");
  const { hub, fixture, repository } = await openGithubTools(t, [read], { now: () => now });
  const issue = { number: 5, title: "First" };
  repository.issues.push(issue);
  const look = async () => (await fixture.call("read", { path: "issue://5" })).text;
  assert.match(await look(), /# First/);
  issue.title = "Second";
  now += 4 * minute;
  assert.match(await look(), /, as of 4 minutes ago\)\n.*# First/s);
  assert.equal(hub.asked.length, 1);
  now += 2 * minute;
  assert.match(await look(), /as of 6 minutes ago; it is being fetched anew.*# First/s);
  await becomes(look, (text) => /# Second/.test(text));
  issue.title = "Third";
  now += 7 * day;
  assert.match(await look(), /# Third/);
  // Offline, what is stale is still shown.
  now += day;
  hub.data.trouble = "server_error";
  assert.match(await look(), /as of 24 hours ago.*# Third/s);
  now += 7 * day;
  assert.match(await look(), /page_failed/);
});

test("what another account may see is not shown, and what nobody may see any more is forgotten", async (t) => {
  let now = Date.now();
  const { hub, fixture, repository } = await openGithubTools(t, [read], { now: () => now });
  Object.assign(repository, { isPrivate: true, issues: [{ number: 5, title: "Secret plan" }] });
  hub.data.add("acme/other", { issues: [{ number: 5, title: "Public" }] });
  const look = async (path = "issue://5") => (await fixture.call("read", { path })).text;
  assert.match(await look(), /Secret plan/);
  assert.match(await look("issue://acme/other/5"), /# Public/);
  assert.match(await look("issue://ACME/App/5"), /Secret plan/);
  hub.signIn("mallory");
  assert.match(await look(), /this account may not see it/);
  hub.signIn(undefined);
  assert.match(await look(), /not signed in/);
  hub.signIn("octocat");
  assert.match(await look(), /Secret plan/);
  assert.equal(hub.asked.filter((words) => words.includes("acme/app")).length, 3, hub.asked.join("\n"));
  // Octocat leaves: the stale answer is the last.
  hub.data.members.clear();
  now += 6 * minute;
  assert.match(await look(), /Secret plan/);
  await becomes(look, (text) => !/Secret plan/.test(text));
  assert.match(await look(), /this account may not see it/);
  const file = readFileSync(join(fixture.workspace.stateFolder, "github.sqlite"), "latin1");
  assert.ok(!file.includes("mallory"), "a name that got nothing is nowhere");
});

test("a token of the environment is an account of its own, and is nowhere in the file", async (t) => {
  const { hub, fixture, repository } = await openGithubTools(t, [read]);
  Object.assign(repository, { isPrivate: true, issues: [{ number: 5, title: "Secret plan" }] });
  const look = async () => (await fixture.call("read", { path: "issue://5" })).text;
  hub.environment.GH_TOKEN = "gho_octocat";
  assert.match(await look(), /Secret plan/);
  hub.data.tokens.set("narrow", "nobody");
  hub.environment.GH_TOKEN = "narrow";
  assert.match(await look(), /this account may not see it/);
  const file = readFileSync(join(fixture.workspace.stateFolder, "github.sqlite"), "latin1");
  assert.doesNotMatch(file, /gho_octocat/);
});

test("a file that broke is begun anew, and people are told", async (t) => {
  const notices: string[] = [];
  const unsubscribe = onNotice(({ message }) => notices.push(message));
  t.after(unsubscribe);
  const path = join(temporaryFolder(t), "github.sqlite");
  const times = { soft: minute, hard: day };
  const open = () => {
    const cache = new GithubCache(path, { times });
    t.after(() => cache.close());
    return cache;
  };
  writeFileSync(path, "no database at all".repeat(500));
  const first = open();
  first.put(key, "one");
  assert.equal(first.get(key)?.text, "one");
  first.close();
  truncateSync(path, Math.floor(statSync(path).size / 2));
  const second = open();
  second.put(key, "two");
  assert.equal(second.get(key)?.text, "two");
  second.close();
  const other = new DatabaseSync(path);
  other.exec("PRAGMA user_version = 99");
  other.close();
  const third = open();
  assert.equal(third.get(key), undefined);
  third.put(key, "three");
  assert.equal(third.get(key)?.text, "three");
  assert.ok(notices.length >= 2, notices.join("\n"));
  for (const notice of notices)
    assert.match(notice, /The file of answers from GitHub .*They are fetched again/);
});

test("a file that somebody else writes, or that may not be written, keeps nobody from reading GitHub", async (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, "github.sqlite");
  const times = { soft: minute, hard: day };
  const cache = new GithubCache(path, { times });
  t.after(() => cache.close());
  cache.put(key, "one");
  const other = new DatabaseSync(path);
  t.after(() => other.close());
  other.exec("BEGIN IMMEDIATE");
  cache.put(key, "two");
  assert.equal(cache.get(key)?.text, "one");
  other.exec("ROLLBACK");
  const nowhere = new GithubCache(join(folder, "missing", "github.sqlite"), { times });
  nowhere.put(key, "one");
  assert.equal(nowhere.get(key), undefined);
  const never = new GithubCache(join(folder, "never.sqlite"), { times: { soft: 0, hard: 0 } });
  never.put(key, "one");
  assert.equal(never.get(key), undefined);
  assert.equal(statSync(join(folder, "never.sqlite"), { throwIfNoEntry: false }), undefined);
});

test("the oldest goes when there is too much, and a clock that was set back shows nothing of the future", (t) => {
  let now = 1_000_000_000;
  const path = join(temporaryFolder(t), "github.sqlite");
  const cache = new GithubCache(path, { times: { soft: minute, hard: day }, now: () => now, limit: 1000 });
  t.after(() => cache.close());
  for (let number = 1; number <= 10; number += 1) {
    now += 1000;
    cache.put({ ...key, number }, "x".repeat(200));
  }
  const left = [...Array(10).keys()].filter(
    (index) => cache.get({ ...key, number: index + 1 }) !== undefined,
  );
  assert.deepEqual(left, [5, 6, 7, 8, 9]);
  cache.put({ ...key, number: 11 }, "x".repeat(500));
  assert.equal(cache.get({ ...key, number: 11 }), undefined, "too large for it");
  now -= day / 2;
  assert.equal(cache.get({ ...key, number: 10 }), undefined);
});

test("several processes keep their answers in one file", async (t) => {
  const path = join(temporaryFolder(t), "github.sqlite");
  const program = `
    const { GithubCache } = await import(${JSON.stringify(new URL("github-cache.ts", import.meta.url).href)});
    const cache = new GithubCache(${JSON.stringify(path)}, { times: { soft: 60000, hard: 86400000 } });
    for (let number = 1; number <= 100; number += 1)
      cache.put({ ...${JSON.stringify(key)}, account: process.argv[1], number }, process.argv[1] + number);
    cache.close();`;
  const accounts = ["one", "two"];
  const children = accounts.map((account) =>
    spawn(process.execPath, ["--input-type=module", "-e", program, account], { stdio: "inherit" }),
  );
  const ends = await Promise.all(children.map((child) => once(child, "exit")));
  assert.deepEqual(ends, [
    [0, null],
    [0, null],
  ]);
  const cache = new GithubCache(path, { times: { soft: minute, hard: day } });
  t.after(() => cache.close());
  for (const account of accounts) {
    const texts = Array.from(
      { length: 100 },
      (_, index) => cache.get({ ...key, account, number: index + 1 })?.text,
    );
    assert.deepEqual(
      new Set(texts.filter((text) => text !== undefined && !text.startsWith(account))),
      new Set(),
    );
    assert.equal(texts.at(-1), `${account}100`);
  }
});
