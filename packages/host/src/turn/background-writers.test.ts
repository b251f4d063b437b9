// What commands write late, in the background, or though they were thought to read: it is in the review, and rejecting it
// takes it back.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { isFault } from "@stet/protocol/fault";
import { noSandbox } from "@stet/testkit/commands-fixture";
import { openTurnFixture } from "@stet/testkit/turn-fixture";
import { ledgerRows, must, refused } from "@stet/testkit/workspace";
import { CommandChanges } from "@stet/tools/code/command-changes";
import type { Settings } from "../settings/configuration.ts";

const bash = (command: string, more: Record<string, unknown> = {}) => ({
  calls: [{ name: "bash", arguments: { command, ...more } }],
});
const late = "(sleep 0.3; sed -i s/one/EVIL/ f.txt) & echo started";
const daemon = "setsid sh -c 'sleep 0.2; sed -i s/one/EVIL/ f.txt' >/dev/null 2>&1 & echo started";

const auto: Partial<Settings> = { "permission.mode": "auto-edit" };
const open: Partial<Settings> = { "permission.mode": "full", "sandbox.enabled": false };

const cases: readonly [name: string, settings: Partial<Settings>, replies: ReturnType<typeof bash>[]][] = [
  ["a late process, while another command runs", auto, [bash(late), bash("sleep 0.5")]],
  [
    "a late process, while nothing but reading is done",
    auto,
    [bash(late), bash("sleep 0.6; cat f.txt | wc -l")],
  ],
  ["a daemonised child", auto, [bash(daemon), bash("sleep 0.4")]],
  [
    "a job that goes on",
    auto,
    [bash("sleep 0.2; sed -i s/one/EVIL/ f.txt; sleep 30", { async: true }), bash("sleep 0.4")],
  ],
  ["a late process outside the sandbox", open, [bash(late), bash("sleep 0.5")]],
];

for (const [name, settings, replies] of cases) {
  const skip = settings === auto && noSandbox();
  test(`what ${name} writes is in the review and is rejected`, { skip }, async (t) => {
    const fixture = await openTurnFixture(t, { files: { "f.txt": "one\n" }, settings });
    const read = () => readFileSync(fixture.place.path("f.txt"), "utf8");
    const { finished } = await fixture.turn([...replies, { text: "Done." }]);
    assert.ok(!isFault(finished));
    assert.equal(read(), "EVIL\n");
    const { workspace } = fixture;
    assert.deepEqual(
      workspace.review.list().map(({ path }) => path),
      ["f.txt"],
    );
    must(await workspace.decide(() => workspace.review.reject("everything")));
    assert.equal(read(), "one\n");
  });
}

test("without a sandbox, what a command wrote that was thought to read is in the review", async (t) => {
  const fixture = await openTurnFixture(t, { files: { "f.txt": "one\n" } });
  const { workspace, place } = fixture;
  const turn = workspace.beginTurn({ summary: "reads", isImmediate: true });
  const changes = new CommandChanges(workspace, turn, () => false);
  await changes.around("unlikely", async () => writeFileSync(place.path("f.txt"), "EVIL\n"));
  await changes.finish();
  must(await workspace.commitTurn(turn));
  must(await workspace.decide(() => workspace.review.reject("everything")));
  assert.equal(readFileSync(place.path("f.txt"), "utf8"), "one\n");
});

test("what somebody saves while nothing of the turn is running is theirs", async (t) => {
  const fixture = await openTurnFixture(t, { files: { "f.txt": "one\n", "g.txt": "two\n" }, settings: auto });
  const { finished } = await fixture.turn((_, index) => {
    if (index === 0) return bash("echo more >> f.txt");
    if (index === 1) {
      writeFileSync(fixture.place.path("g.txt"), "the person's\n");
      return bash("echo more >> f.txt");
    }
    return { text: "Done." };
  });
  assert.ok(!isFault(finished));
  assert.deepEqual(
    fixture.workspace.review.list().map(({ path }) => path),
    ["f.txt"],
  );
});

test("a document that is shown while a command writes its file gets that as the turn's change", async (t) => {
  const fixture = await openTurnFixture(t, { files: { "f.txt": "one\n" }, settings: auto });
  const { workspace } = fixture;
  const { id } = must(workspace.documents.open("f.txt"));
  const { finished } = await fixture.turn((_, index) => {
    if (index === 0) return bash(late);
    if (index === 1) return bash("sleep 0.5", { async: true });
    if (index === 2) return { calls: [{ name: "job", arguments: {} }] };
    // The window, or another process, looks at the file before the witness does.
    must(workspace.documents.current(id));
    return { text: "Done." };
  });
  assert.ok(!isFault(finished));
  assert.deepEqual(finished.documents, [id]);
  must(await workspace.decide(() => workspace.review.reject("everything")));
  assert.equal(readFileSync(fixture.place.path("f.txt"), "utf8"), "one\n");
});

test("what is changed while two turns are at work is in doubt: rejecting everything leaves it until that is confirmed", async (t) => {
  const fixture = await openTurnFixture(t, { files: { "f.txt": "one\n" } });
  const { workspace, place } = fixture;
  const turns = [1, 2].map((number) => workspace.beginTurn({ summary: `turn ${number}`, isImmediate: true }));
  for (const turn of turns) await workspace.witness.begin(turn);
  await pause(20);
  writeFileSync(place.path("f.txt"), "somebody's\n");
  for (const turn of turns) {
    await workspace.witness.finish(turn);
    must(await workspace.commitTurn(turn));
  }
  const [file] = workspace.review.list();
  const [by] = file?.hunks[0]?.turns ?? [];
  assert.equal(workspace.review.turn(by ?? "")?.isInDoubt, true);
  assert.equal(workspace.review.turn(by ?? "")?.summary, "During “turn 1”");
  must(await workspace.decide(() => workspace.review.reject("everything")));
  assert.equal(readFileSync(place.path("f.txt"), "utf8"), "somebody's\n");
  must(await workspace.decide(() => workspace.review.reject("everything and what is in doubt")));
  assert.equal(readFileSync(place.path("f.txt"), "utf8"), "one\n");
});

test("what is changed of a file that an editor had open is in doubt", async (t) => {
  const fixture = await openTurnFixture(t, {
    files: { "f.txt": "one\n", ".f.txt.swp": "vim" },
    settings: auto,
  });
  await pause(20);
  const { finished } = await fixture.turn([bash("echo two >> f.txt; echo new > g.txt"), { text: "Done." }]);
  assert.ok(!isFault(finished));
  const { review } = fixture.workspace;
  const isInDoubt = (turn: string) => review.turn(turn)?.isInDoubt === true;
  const hunks = review.list().flatMap((file) => file.hunks);
  assert.equal(hunks.filter(({ turns }) => turns.some(isInDoubt)).length, 1);
  must(await fixture.workspace.decide(() => review.reject("everything")));
  assert.equal(readFileSync(fixture.place.path("f.txt"), "utf8"), "one\ntwo\n");
});

test("what a command changed before Stet was killed is found by the next opening, as during that turn", async (t) => {
  const fixture = await openTurnFixture(t, { files: { "f.txt": "one\n" } });
  const { workspace, place } = fixture;
  const turn = workspace.beginTurn({ summary: "cut short", isImmediate: true });
  await workspace.witness.begin(turn);
  await pause(20);
  writeFileSync(place.path("f.txt"), "EVIL\n");
  mkdirSync(place.path("made"));
  // As a process that was killed leaves it: no process has this number.
  ledgerRows(workspace, "UPDATE at_work SET pid = 4194304");
  workspace.close();
  const next = await place.open();
  const files = next.review.list();
  assert.deepEqual(
    files.map(({ path, title }) => path ?? title),
    ["f.txt", "made"],
  );
  const [by] = files[0]?.hunks[0]?.turns ?? [];
  assert.equal(next.review.turn(by ?? "")?.summary, "During “cut short”");
  must(await next.decide(() => next.review.reject({ turn: by ?? "" })));
  assert.equal(readFileSync(place.path("f.txt"), "utf8"), "one\n");
  assert.ok(!existsSync(place.path("made")));
});

test("nobody types into the line that stands for a folder", async (t) => {
  const fixture = await openTurnFixture(t, { files: { "f.txt": "one\n" }, settings: auto });
  const { finished } = await fixture.turn([bash("mkdir d"), { text: "Done." }]);
  assert.ok(!isFault(finished));
  const [document = 0] = finished.documents;
  const { revision } = must(fixture.workspace.documents.state(document)).history;
  const edits = [{ op: "append", content: "more" } as const];
  const request = { revision, policy: { kind: "rebase" } as const, edits, origin: "user" as const };
  assert.equal(refused(fixture.workspace.documents.edit(document, request)).error, "not_allowed");
});
