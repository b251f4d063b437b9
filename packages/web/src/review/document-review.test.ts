import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { Fault } from "@stet/protocol/fault";
import { ReviewLoader, type ReviewReply } from "./document-review.ts";

const times = { changedMs: 15, firstRetryMs: 5, longestRetryMs: 20 };

class FakeSource {
  revisionShown = 1;
  settled = true;
  something = true;
  readonly asked: ((reply: ReviewReply | Fault) => void)[] = [];
  readonly shown: number[] = [];
  ask = () => new Promise<ReviewReply | Fault>((resolve) => this.asked.push(resolve));
  revision = () => this.revisionShown;
  isSettled = () => this.settled;
  hasSomething = () => this.something;
  show = ({ revision }: ReviewReply) => void this.shown.push(revision);

  async answer(index: number, revision: number): Promise<void> {
    this.asked[index]?.({ document: 1, revision, is_on_disk: false, hunks: [], decided: [], turns: [] });
    await pause(0);
  }
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let waited = 0; !isTrue() && waited < 1000; waited += 5) await pause(5);
  assert.ok(isTrue());
}

test("an answer about an older text than the one on the screen is not drawn, but asked for again", async (t) => {
  const source = new FakeSource();
  const loader = new ReviewLoader(source, times);
  t.after(() => loader.close());
  loader.refresh();
  await until(() => source.asked.length === 1);
  source.revisionShown = 2;
  await source.answer(0, 1);
  assert.deepEqual(source.shown, []);
  await until(() => source.asked.length === 2);
  await source.answer(1, 2);
  assert.deepEqual(source.shown, [2]);
});

test("while something typed is on its way no answer is drawn", async (t) => {
  const source = new FakeSource();
  const loader = new ReviewLoader(source, times);
  t.after(() => loader.close());
  source.settled = false;
  loader.refresh();
  await until(() => source.asked.length === 1);
  await source.answer(0, 1);
  assert.deepEqual(source.shown, []);
  source.settled = true;
  await until(() => source.asked.length === 2);
  await source.answer(1, 1);
  assert.deepEqual(source.shown, [1]);
});

test("typing asks once it pauses, and not at all where nothing is open", async (t) => {
  const source = new FakeSource();
  const loader = new ReviewLoader(source, times);
  t.after(() => loader.close());
  for (let key = 0; key < 5; key += 1) {
    loader.changed();
    await pause(4);
  }
  assert.equal(source.asked.length, 0);
  await until(() => source.asked.length === 1);
  await source.answer(0, 1);
  source.something = false;
  loader.changed();
  await pause(40);
  assert.equal(source.asked.length, 1);
});

test("news during a question lead to one more question, and a server that is away is asked again", async (t) => {
  const source = new FakeSource();
  const loader = new ReviewLoader(source, times);
  t.after(() => loader.close());
  loader.refresh();
  await until(() => source.asked.length === 1);
  loader.refresh();
  loader.refresh();
  await source.answer(0, 1);
  await until(() => source.asked.length === 2);
  source.asked[1]?.(new Fault("io_failed", "The server cannot be reached.", "Start it again."));
  await until(() => source.asked.length === 3);
  await source.answer(2, 1);
  await pause(40);
  assert.deepEqual([source.asked.length, source.shown], [3, [1, 1]]);
});
