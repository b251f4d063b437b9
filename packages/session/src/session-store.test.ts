import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import { answered, must, said, sampleHeader } from "@stet/testkit/sample-session";
import { temporaryFolder } from "@stet/testkit/temporary";
import { currentTerminalId } from "./breadcrumbs.ts";
import { formatEntry } from "./entry-line.ts";
import { buildContext } from "./session-context.ts";
import { timeAgo } from "./session-listing.ts";
import { projectFolderName } from "./session-paths.ts";
import { SessionStore } from "./session-store.ts";
import type { Session } from "./session-tree.ts";

const cwd = "/home/ada/book";

function storeOf(t: TestContext, terminalId?: string): SessionStore {
  return new SessionStore({ dataFolder: temporaryFolder(t), terminalId });
}

function talked(store: SessionStore, question: string, folder = cwd): { session: Session; path: string } {
  const session = store.create(folder);
  must(session.appendMessage(said(question)));
  must(session.appendMessage(answered("answer")));
  return { session, path: session.log.path ?? "" };
}

function age(path: string, seconds: number): void {
  const time = Date.now() / 1000 - seconds;
  utimesSync(path, time, time);
}

test("folders are named after the working directory, also a very long one", () => {
  assert.equal(projectFolderName("/home/ada/book"), "--home-ada-book--");
  assert.equal(projectFolderName("/tmp/a:b"), "--tmp-a-b--");
  const long = projectFolderName(`/${"é".repeat(150)}/${"é".repeat(150)}`);
  assert.ok(Buffer.byteLength(long) < 255);
  assert.notEqual(long, projectFolderName(`/${"é".repeat(150)}/${"é".repeat(149)}`));
});

test("a session is listed with what is needed to recognise it", (t) => {
  const store = storeOf(t);
  assert.deepEqual(store.list(cwd), []);
  const { session, path } = talked(store, "Rename the\nhero, \u001b[31mplease, everywhere in the whole book");
  const [info] = store.list(cwd);
  assert.equal(info?.path, path);
  assert.equal(info?.id, session.header.id);
  assert.equal(info?.name, "Rename the hero, [31mplease, everywhere…");
  assert.equal(info?.firstMessage, "Rename the\nhero, \u001b[31mplease, everywhere in the whole book");
  assert.equal(info?.messageCount, 2);
  assert.equal(info?.title, undefined);
  must(store.rename(path, "The hero"));
  assert.equal(store.list(cwd)[0]?.name, "The hero");
});

test("without a title the short summary of the last compaction is the title", (t) => {
  const store = storeOf(t);
  const { session } = talked(store, "x".repeat(30_000));
  const base = { type: "compaction" as const, summary: "s", firstKeptEntryId: "x", tokensBefore: 1 };
  must(session.append({ ...base, shortSummary: "First part" }));
  must(session.append({ ...base, shortSummary: "Both parts" }));
  assert.equal(store.list(cwd)[0]?.title, "Both parts");
});

test("the first question is found behind a long system prompt, and the beginning of a long one is shown", (t) => {
  const store = storeOf(t);
  const session = store.create(cwd);
  must(session.append({ type: "session_init", systemPrompt: "p".repeat(20_000), task: "t", tools: [] }));
  must(session.appendMessage(said(`Question "é\\ ${"é\n".repeat(40_000)}`)));
  must(session.appendMessage(answered("answer")));
  assert.match(store.list(cwd)[0]?.firstMessage ?? "", /^Question "é\\ é\né\n/);
});

test("the latest comes first; other projects and broken files are left out", (t) => {
  const store = storeOf(t);
  const one = talked(store, "one");
  const two = talked(store, "two");
  talked(store, "three", "/home/ada-book");
  talked(store, "four", "/home/ada/other");
  age(one.path, 10);
  age(two.path, 100);
  writeFileSync(join(store.projectFolder(cwd), "notes.jsonl"), "not a session\n");
  writeFileSync(join(store.projectFolder(cwd), "empty.jsonl"), "");
  const header = JSON.stringify(sampleHeader());
  writeFileSync(join(store.projectFolder(cwd), "silent_1.jsonl"), `${header}\n`);
  assert.deepEqual(
    store.list(cwd).map((info) => info.firstMessage),
    ["one", "two"],
  );
  assert.equal(store.recent(cwd, 1).length, 1);
  assert.equal(store.listAll().length, 4);
});

test("an old session that goes on is the latest again, however many were begun since", (t) => {
  const store = storeOf(t);
  const old = talked(store, "old");
  for (let number = 0; number < 12; number += 1) age(talked(store, `later ${number}`).path, 100 - number);
  age(old.path, 1000);
  assert.equal(store.recent(cwd, 1)[0]?.firstMessage, "later 11");
  const again = must(store.open(old.path));
  must(again.appendMessage(said("and now?")));
  assert.equal(store.recent(cwd, 1)[0]?.firstMessage, "old");
  for (const limit of [1, 3, 13, 50]) {
    assert.deepEqual(store.recent(cwd, limit), store.list(cwd).slice(0, limit));
  }
});

test("the directory /a-b does not see the sessions of /a/b, though they share a folder", (t) => {
  const store = storeOf(t);
  talked(store, "one", "/a/b");
  talked(store, "two", "/a-b");
  assert.equal(store.projectFolder("/a/b"), store.projectFolder("/a-b"));
  assert.equal(store.list("/a/b").length, 1);
});

test("continue goes on with this terminal's session, else the latest, else a new one", (t) => {
  const dataFolder = temporaryFolder(t);
  const left = new SessionStore({ dataFolder, terminalId: "dev-pts-1" });
  const right = new SessionStore({ dataFolder, terminalId: "dev-pts-2" });
  const none = new SessionStore({ dataFolder });
  assert.equal(left.continueRecent(cwd).log.isOnDisk, false);
  const mine = talked(left, "left");
  const other = talked(right, "right");
  age(mine.path, 50);
  left.create(cwd);
  assert.equal(
    left.continueRecent(cwd).header.id,
    mine.session.header.id,
    "a session without an answer is not one",
  );
  assert.equal(none.continueRecent(cwd).header.id, other.session.header.id);
  assert.equal(left.continueRecent("/elsewhere").log.isOnDisk, false);
  must(left.remove(mine.path));
  assert.equal(left.continueRecent(cwd).header.id, other.session.header.id);
  writeFileSync(other.path, "broken\n");
  assert.equal(
    left.continueRecent(cwd).log.isOnDisk,
    false,
    "one that cannot be opened does not stand in the way",
  );
});

test("the terminal is known by its device or by what it says of itself", () => {
  assert.equal(currentTerminalId({ TMUX_PANE: "%3" })?.includes("/"), false);
  const id = currentTerminalId({ WT_SESSION: "../../etc/passwd" });
  assert.ok(id !== undefined && !id.includes("/") && !id.includes("."));
});

test("the beginning of an id finds a session here, or tells that it is elsewhere", (t) => {
  const store = storeOf(t);
  const here = talked(store, "here");
  const there = talked(store, "there", "/home/ada/other");
  const id = here.session.header.id;
  const found = must(store.find(id.slice(0, 8), cwd));
  assert.deepEqual([found.where, found.info.id], ["here", id]);
  const elsewhere = must(store.find(there.session.header.id, cwd));
  assert.deepEqual([elsewhere.where, elsewhere.info.cwd], ["elsewhere", "/home/ada/other"]);
  assert.equal(must(store.find(here.path, cwd)).where, "here");
  for (const unknown of ["zzzz", "", "no/such.jsonl"]) assert.ok(isFault(store.find(unknown, cwd)));
});

test("a beginning that fits several sessions asks for more of it", (t) => {
  const store = storeOf(t);
  for (let number = 0; number < 20; number += 1) talked(store, `question ${number}`);
  const digits = store.list(cwd).map((info) => info.id.charAt(0));
  const shared = digits.find((digit, position) => digits.indexOf(digit) !== position) ?? "";
  const fault = store.find(shared, cwd);
  assert.ok(isFault(fault));
  assert.equal(fault.error, "ambiguous_session");
});

test("a fork has everything, belongs to its project, and leaves the original alone", (t) => {
  const store = storeOf(t);
  const { session, path } = talked(store, "question");
  store.artifacts(session)?.write("output");
  const before = readFileSync(path);
  const fork = must(store.fork(path, "/home/ada/other"));
  assert.equal(fork.header.cwd, "/home/ada/other");
  assert.equal(fork.header.parentSession, path);
  assert.notEqual(fork.header.id, session.header.id);
  assert.deepEqual(fork.entries(), session.entries());
  const page = store.artifacts(fork)?.read(0);
  assert.ok(page !== undefined && !isFault(page));
  assert.equal(page.text, "output");
  must(fork.appendMessage(said("more")));
  assert.ok(readFileSync(path).equals(before));
  assert.equal(store.list("/home/ada/other").length, 1);
});

test("a file of an older version is imported without being changed", (t) => {
  const store = storeOf(t);
  const path = join(temporaryFolder(t), "old.jsonl");
  const content = [
    { type: "session", id: "abc", timestamp: "2025-01-01T00:00:00.000Z", cwd: "/x" },
    { type: "message", timestamp: "2025-01-01T00:00:00.000Z", message: said("hello") },
  ];
  const text = content.map((line) => `${JSON.stringify(line)}\n`).join("");
  writeFileSync(path, text);
  const session = must(store.fork(path, cwd));
  assert.equal(buildContext(session).messages.length, 1);
  assert.equal(readFileSync(path, "utf8"), text);
  assert.ok(isFault(store.fork(join(path, "..", "missing.jsonl"), cwd)));
});

test("a folder that happens to lie beside a session file elsewhere is neither copied nor removed", (t) => {
  const store = storeOf(t);
  const folder = temporaryFolder(t, { "novel/chapter.md": "Once", "novel.jsonl": "" });
  const { path } = talked(store, "question");
  writeFileSync(join(folder, "novel.jsonl"), readFileSync(path));
  const fork = must(store.fork(join(folder, "novel.jsonl"), cwd));
  assert.equal(existsSync(store.artifacts(fork)?.folder ?? ""), false);
  must(store.remove(join(folder, "novel.jsonl")));
  assert.ok(existsSync(join(folder, "novel/chapter.md")));
});

test("a branch in a new session has the path without later entries, and its labels", (t) => {
  const store = storeOf(t);
  const { session } = talked(store, "one");
  const [first, second] = session.log.index.slots.map((slot) => slot.head.id);
  must(session.setLabel(first ?? "", "start"));
  const third = must(session.appendMessage(said("three")));
  must(session.appendMessage(said("four")));
  const branched = must(store.branchOff(session, third.id));
  assert.equal(branched.log.isOnDisk, true);
  assert.equal(branched.label(first ?? ""), "start");
  assert.deepEqual(
    branched.path().map((entry) => !isFault(entry) && entry.type),
    ["message", "message", "message", "label"],
  );
  assert.equal(must(branched.entry(third.id)).parentId, second, "the label in between is gone");
  assert.equal(buildContext(branched).messages.length, 3);
  assert.equal(must(store.branchOff(session, first ?? "")).log.isOnDisk, false, "it has no answer yet");
  assert.ok(isFault(store.branchOff(session, "deadbeef")));
});

test("a removed session is gone with its artifacts, and writing to it says so", (t) => {
  const store = storeOf(t);
  const { session, path } = talked(store, "one");
  store.artifacts(session)?.write("output");
  must(store.remove(path));
  assert.deepEqual(
    readdirSync(store.projectFolder(cwd)).filter((name) => !name.startsWith(".")),
    [],
  );
  const fault = session.appendMessage(said("still there?"));
  assert.ok(isFault(fault));
  assert.equal(fault.error, "file_not_found");
  assert.ok(isFault(store.remove(path)));
  const foreign = join(temporaryFolder(t, { "notes.md": "mine" }), "notes.md");
  assert.ok(isFault(store.remove(foreign)));
  assert.ok(existsSync(foreign));
});

test("a session in memory leaves nothing", (t) => {
  const dataFolder = temporaryFolder(t);
  const session = new SessionStore({ dataFolder, terminalId: "x" }).inMemory(cwd);
  must(session.appendMessage(said("one")));
  must(session.appendMessage(answered("two")));
  must(session.rename("Title", "user"));
  assert.equal(session.header.title, "Title");
  assert.equal(buildContext(session).messages.length, 2);
  assert.deepEqual(readdirSync(dataFolder), []);
});

test("artifacts that nobody touched for long are removed, the conversation stays", (t) => {
  const store = storeOf(t);
  const { session, path } = talked(store, "one");
  store.artifacts(session)?.write("output");
  assert.equal(store.removeOldArtifacts(), 0);
  age(store.artifacts(session)?.folder ?? "", 31 * 86_400);
  assert.equal(store.removeOldArtifacts(), 1);
  assert.deepEqual(store.artifacts(session)?.numbers(), []);
  assert.ok(existsSync(path));
});

test("blobs are collected once no session refers to them", (t) => {
  const store = storeOf(t);
  const { session, path } = talked(store, "one");
  must(session.appendMessage(said("long ".repeat(150_000))));
  store.blobs.put(Buffer.from("left over"));
  assert.equal(store.collectBlobs(0), 1);
  assert.match(String(buildContext(must(store.open(path))).messages.at(-1)?.content), /^long long/);
  must(store.remove(path));
  assert.equal(store.collectBlobs(0), 1);
});

test("1,000 sessions are listed", (t) => {
  const store = storeOf(t);
  const folder = store.projectFolder(cwd);
  mkdirSync(folder, { recursive: true });
  for (let number = 0; number < 1000; number += 1) {
    const header = sampleHeader(cwd);
    const base = { parentId: null, timestamp: header.timestamp, type: "message" as const };
    const lines = [formatEntry({ ...base, id: "00000000", message: said(`question ${number}`) })];
    for (let line = 1; line < 20; line += 1) {
      lines.push(formatEntry({ ...base, id: `0000000${line}`, message: answered("answer ".repeat(300)) }));
    }
    writeFileSync(join(folder, `t_${header.id}.jsonl`), `${JSON.stringify(header)}\n${lines.join("\n")}\n`);
  }
  const start = performance.now();
  const infos = store.list(cwd);
  t.diagnostic(`listed in ${Math.round(performance.now() - start)} ms`);
  assert.equal(infos.length, 1000);
  assert.match(infos[0]?.firstMessage ?? "", /^question \d+$/);
});

test("times are told as people do", () => {
  const now = 1_000_000_000_000;
  assert.equal(timeAgo(now - 10_000, now), "just now");
  assert.equal(timeAgo(now - 60_000, now), "1 minute ago");
  assert.equal(timeAgo(now - 7_200_000, now), "2 hours ago");
  assert.equal(timeAgo(now - 86_400_000 * 3, now), "3 days ago");
});
