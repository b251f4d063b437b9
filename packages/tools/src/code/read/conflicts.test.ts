import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { Text } from "@codemirror/state";
import { Fault } from "@stet/protocol/fault";
import { type CodeFixture, openCodeFixture } from "@stet/testkit/code-fixture";
import { write } from "../write/write.ts";
import { parseConflicts } from "./conflicts.ts";
import { read } from "./read.ts";

const simple = "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> topic\n";
const withBase = "<<<<<<< HEAD\nours 2\n||||||| 1234567\nbase 2\n=======\ntheirs 2\n>>>>>>> topic\n";
const both = `first\n${simple}middle\n${withBase}last\n`;

function onDisk(fixture: CodeFixture, path: string): string {
  return readFileSync(join(fixture.place.root, path), "utf8");
}

async function openFixture(t: Parameters<typeof openCodeFixture>[0], files: Record<string, string>) {
  const fixture = await openCodeFixture(t, [read, write], { files });
  const look = (path: string) => fixture.call("read", { path });
  const resolve = (path: string, content: string) => fixture.call("write", { path, content });
  return { fixture, look, resolve };
}

test("conflicts are found with two and three sides, and nothing else is taken for one", () => {
  const blocks = parseConflicts(Text.of(both.split("\n")));
  assert.deepEqual(
    blocks.map(({ from, to, ours, base, theirs }) => [from, to, ours.from, base?.from, theirs.from]),
    [
      [2, 6, 3, undefined, 5],
      [8, 14, 9, 11, 13],
    ],
  );
  for (const text of [
    "Title\n=======\ntext\n",
    "<<<<<<< HEAD\nno end\n",
    "<<<<<<<< HEAD\na\n=======\nb\n>>>>>>>> x\n",
    "<<<<<<< HEAD\na\n>>>>>>> x\n",
    " <<<<<<< HEAD\n=======\n>>>>>>> x\n",
  ]) {
    assert.deepEqual(parseConflicts(Text.of(text.split("\n"))), [], text);
  }
});

test("a file with conflicts says so, and each can be looked at whole and by its sides", async (t) => {
  const { look } = await openFixture(t, { "a.txt": both });
  assert.match((await look("a.txt")).text, /conflict:\/\/1 \(lines 2-6\), conflict:\/\/2 \(lines 8-14\)/);
  const one = await look("conflict://1");
  assert.match(one.text, /--- ours \(HEAD\)\n3[a-z]{2}\|ours\n--- theirs \(topic\)\n5[a-z]{2}\|theirs\n/);
  assert.match((await look("conflict://2")).text, /--- base \(1234567\)\n11[a-z]{2}\|base 2/);
  assert.equal((await look("conflict://2/base:raw")).text, "base 2");
  assert.equal((await look("conflict://1/theirs")).text, "1|theirs");
  assert.match((await look("conflict://")).text, /conflict:\/\/2 a\.txt:8-14/);
  assert.equal((await look("conflict://1/base")).error, "unknown_address");
});

test("a resolution replaces exactly its block", async (t) => {
  const { fixture, look, resolve } = await openFixture(t, { "a.txt": both });
  await look("a.txt");
  const answer = await resolve("conflict://1", "chosen\nby hand\n");
  assert.match(answer.text, /^\[a\.txt#[0-9A-F]{4}\]\nResolved conflict 1 in a\.txt:2-6/);
  assert.equal(onDisk(fixture, "a.txt"), `first\nchosen\nby hand\nmiddle\n${withBase}last\n`);
  await resolve("conflict://2", "");
  assert.equal(onDisk(fixture, "a.txt"), "first\nchosen\nby hand\nmiddle\nlast\n");
});

for (const [shorthand, wanted] of [
  ["@ours", "ours 2\n"],
  ["@theirs\n", "theirs 2\n"],
  ["@base", "base 2\n"],
  ["@both", "ours 2\ntheirs 2\n"],
  ["@theirs\n@ours", "theirs 2\nours 2\n"],
] as const) {
  test(`${JSON.stringify(shorthand)} takes that side`, async (t) => {
    const { fixture, look, resolve } = await openFixture(t, { "a.txt": `x\n${withBase}y\n` });
    await look("a.txt");
    await resolve("conflict://1", shorthand);
    assert.equal(onDisk(fixture, "a.txt"), `x\n${wanted}y\n`);
  });
}

test("line ends and a missing last line break stay as they were", async (t) => {
  const { fixture, look, resolve } = await openFixture(t, {
    "a.txt": `x\n${simple}y`.replaceAll("\n", "\r\n"),
  });
  await look("a.txt");
  await resolve("conflict://1", "@both");
  assert.equal(onDisk(fixture, "a.txt"), "x\r\nours\r\ntheirs\r\ny");
});

test("all conflicts of all files are resolved at once", async (t) => {
  const { fixture, look, resolve } = await openFixture(t, { "a.txt": both, "b.txt": simple });
  await look("a.txt");
  await look("b.txt");
  const answer = await resolve("conflict://*", "@theirs");
  assert.match(answer.text, /^Resolved 3 conflicts in 2 files/);
  assert.match(answer.text, /Snapshots:\n\[a\.txt#[0-9A-F]{4}\]\n\[b\.txt#[0-9A-F]{4}\]$/);
  assert.equal(onDisk(fixture, "a.txt"), "first\ntheirs\nmiddle\ntheirs 2\nlast\n");
  assert.equal(onDisk(fixture, "b.txt"), "theirs\n");
  assert.match((await look("conflict://*")).text, /No conflicts are known/);
});

test("where one conflict has no base, none is resolved by it", async (t) => {
  const { fixture, look, resolve } = await openFixture(t, { "a.txt": both });
  await look("a.txt");
  assert.equal((await resolve("conflict://*", "@base")).error, "unknown_address");
  assert.equal(onDisk(fixture, "a.txt"), both);
});

test("where one file cannot be changed any more, no conflict of any file is resolved", async (t) => {
  const { fixture, look, resolve } = await openFixture(t, { "a.txt": both, "b.txt": simple });
  await look("a.txt");
  await look("b.txt");
  writeFileSync(join(fixture.place.root, "b.txt"), Buffer.from([0, 1, 2]));
  assert.notEqual((await resolve("conflict://*", "@ours")).error, undefined);
  assert.equal(onDisk(fixture, "a.txt"), both);
});

test("one text for all conflicts is refused, and so is one that still holds markers", async (t) => {
  const { fixture, look, resolve } = await openFixture(t, { "a.txt": both });
  await look("a.txt");
  assert.equal((await resolve("conflict://*", "same\n")).error, "invalid_arguments");
  assert.equal((await resolve("conflict://1", simple)).error, "invalid_arguments");
  assert.equal(onDisk(fixture, "a.txt"), both);
});

test("a side can only be read", async (t) => {
  const { fixture, look, resolve } = await openFixture(t, { "a.txt": both });
  await look("a.txt");
  const answer = await resolve("conflict://1/ours", "x");
  assert.equal(answer.error, "not_allowed");
  assert.match(answer.text, /can only be read/);
  assert.equal(onDisk(fixture, "a.txt"), both);
});

test("unknown numbers are refused with what there is", async (t) => {
  const { look, resolve } = await openFixture(t, { "a.txt": both });
  assert.match((await resolve("conflict://1", "x")).text, /No conflicts are known/);
  assert.equal((await resolve("conflict://*", "@ours")).error, "unknown_address");
  await look("a.txt");
  assert.equal((await resolve("conflict://", "@ours")).error, "unknown_address");
  const answer = await resolve("conflict://9", "x");
  assert.equal(answer.error, "unknown_address");
  assert.match(answer.text, /conflict:\/\/1 a\.txt:2-6/);
  for (const path of ["conflict://x", "conflict://1/mine"]) {
    assert.equal((await look(path)).error, "unknown_address", path);
  }
});

test("a conflict that moved is resolved where it is, and one that changed is refused", async (t) => {
  const { fixture, look, resolve } = await openFixture(t, { "a.txt": both });
  await look("a.txt");
  writeFileSync(
    join(fixture.place.root, "a.txt"),
    `new\nlines\n${both.replace("theirs 2", "theirs, edited")}`,
  );
  const stale = await resolve("conflict://2", "@ours");
  assert.equal(stale.error, "conflict");
  assert.match(stale.text, /Read a\.txt again/);
  assert.equal((await resolve("conflict://*", "@ours")).error, "conflict");
  await resolve("conflict://1", "@ours");
  const edited = withBase.replace("theirs 2", "theirs, edited");
  assert.equal(onDisk(fixture, "a.txt"), `new\nlines\nfirst\nours\nmiddle\n${edited}last\n`);
});

test("two conflicts with the same text are told apart by where they are", async (t) => {
  const { fixture, look, resolve } = await openFixture(t, { "a.txt": `${simple}between\n${simple}` });
  await look("a.txt");
  await resolve("conflict://2", "second\n");
  assert.equal(onDisk(fixture, "a.txt"), `${simple}between\nsecond\n`);
  assert.equal((await resolve("conflict://2", "again\n")).error, "unknown_address");
  await resolve("conflict://1", "first\n");
  assert.equal(onDisk(fixture, "a.txt"), "first\nbetween\nsecond\n");
});

test("a conflict keeps its number when its file is read again", async (t) => {
  const { fixture, look } = await openFixture(t, { "a.txt": both });
  await look("a.txt");
  writeFileSync(join(fixture.place.root, "a.txt"), both.replace(simple, "solved\n"));
  const again = await look("a.txt");
  assert.match(again.text, /Merge conflicts: conflict:\/\/2 \(lines 4-10\)\./);
});

test("a conflict that was resolved by an edit does not keep the others from being resolved", async (t) => {
  const { fixture, look, resolve } = await openFixture(t, { "a.txt": both });
  await look("a.txt");
  writeFileSync(join(fixture.place.root, "a.txt"), both.replace(simple, "solved\n"));
  await resolve("conflict://*", "@ours");
  assert.equal(onDisk(fixture, "a.txt"), "first\nsolved\nmiddle\nours 2\nlast\n");
});

test("a resolution needs the permission to write its file", async (t) => {
  const fixture = await openCodeFixture(t, [read, write], {
    files: { "a.txt": both },
    permit: async ({ targets }) => {
      const isWrite = targets.some((target) => target.kind === "path" && target.access === "write");
      return isWrite ? new Fault("not_allowed", "no", "no") : undefined;
    },
  });
  await fixture.call("read", { path: "a.txt" });
  for (const path of ["conflict://1", "conflict://*"]) {
    assert.equal((await fixture.call("write", { path, content: "@ours" })).error, "not_allowed");
  }
  assert.equal(onDisk(fixture, "a.txt"), both);
});
