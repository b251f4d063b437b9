// When the agent is told of what happened in the background, and when a turn begins by itself for that.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Background } from "@stet/agent/background/background";
import { type Delivery, maxLines } from "@stet/agent/background/deliveries";
import type { JobOutcome } from "@stet/agent/background/jobs";
import { Inbox } from "@stet/agent/inbox";
import { Fault } from "@stet/protocol/fault";
import { type MovableClock, movableClock } from "@stet/testkit/movable-clock";
import { type Autonomy, DeliveryPump } from "./delivery-pump.ts";

const hour = 3_600_000;
const day = 24 * hour;

interface Scene {
  readonly clock: MovableClock;
  readonly background: Background;
  readonly pump: DeliveryPump;
  /** What each turn that began by itself was told, and when. */
  readonly begun: { readonly texts: readonly string[]; readonly at: number }[];
  readonly settings: { -readonly [Name in keyof Autonomy]: Autonomy[Name] };
  isBusy: boolean;
  /** How often it was asked whether it is. */
  asked: number;
  refusal: Fault | undefined;
  /** Lets time pass in steps, and with each whatever follows from it. */
  pass(milliseconds: number, step?: number): Promise<void>;
}

function open(autonomy: Autonomy["autonomy"]): Scene {
  const clock = movableClock(day);
  const background = new Background({ isAsync: true, maxJobs: 100, clock });
  const settings = { autonomy, "autonomy.maxTurns": 12, "autonomy.maxCost": 1 };
  const begun: Scene["begun"] = [];
  const scene: Omit<Scene, "pump"> = {
    clock,
    background,
    begun,
    settings,
    isBusy: false,
    asked: 0,
    refusal: undefined,
    async pass(milliseconds, step = milliseconds) {
      for (let left = milliseconds; left > 0; left -= step) {
        clock.move(Math.min(step, left));
        await settled();
      }
    },
  };
  const pump = new DeliveryPump({
    background,
    clock,
    settings: () => settings,
    isBusy: async () => {
      scene.asked += 1;
      return scene.isBusy;
    },
    begin: async (deliveries) => {
      if (scene.refusal !== undefined) return scene.refusal;
      begun.push({ texts: deliveries.map(({ text }) => text), at: clock.now() });
      return { id: `job-${begun.length}` };
    },
  });
  return Object.assign(scene, { pump });
}

/** Everything here waits for promises only, and all of those are over by then. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

const note = ({ background }: Scene, text: string) => background.deliveries.note(text, text, text);
const waiting = ({ background }: Scene) => background.deliveries.waiting().map(({ text }) => text);
const texts = (deliveries: readonly Delivery[]) => deliveries.map(({ text }) => text);

test("with autonomy ask nothing begins by itself, however long it waits, and the person can tell it", async () => {
  const scene = open("ask");
  note(scene, "one");
  note(scene, "two");
  await scene.pass(day, hour);
  assert.deepEqual([scene.begun.length, waiting(scene)], [0, ["one", "two"]]);
  assert.equal(scene.pump.held(), null, "it is not held: it was never allowed");
  const [first] = scene.background.deliveries.waiting();
  assert.deepEqual(await scene.pump.deliverNow([first?.id ?? ""]), { count: 1, job: "job-1" });
  assert.deepEqual([scene.begun[0]?.texts, waiting(scene)], [["one"], ["two"]]);
  assert.deepEqual([scene.pump.turns, scene.pump.cost], [0, 0], "a person's turn is not counted");
});

test("what happens at the same time is told in one turn", async () => {
  const scene = open("allowed");
  note(scene, "one");
  note(scene, "two");
  await scene.pass(1000);
  assert.deepEqual(
    scene.begun.map(({ texts: told }) => told),
    [["one", "two"]],
  );
  assert.deepEqual(waiting(scene), []);
});

test("a turn begins only when the session is idle, and whether it is, is asked ever less often", async () => {
  const scene = open("allowed");
  scene.isBusy = true;
  note(scene, "one");
  await scene.pass(10_000, 100);
  const early = scene.asked;
  assert.ok(early >= 3 && early <= 6, `${early} times in 10 s`);
  await scene.pass(300_000, 1000);
  const late = scene.asked - early;
  assert.ok(late >= 9 && late <= 20, `${late} times in 5 minutes`);
  assert.deepEqual([scene.begun.length, waiting(scene)], [0, ["one"]]);
  scene.isBusy = false;
  await scene.pass(31_000, 1000);
  assert.deepEqual(scene.begun[0]?.texts, ["one"]);
});

test("where a turn cannot be begun, what it was to tell waits, in its order, and is tried again", async () => {
  const scene = open("allowed");
  scene.refusal = new Fault("too_many_jobs", "Full.", "Wait.");
  note(scene, "one");
  await scene.pass(60_000, 1000);
  note(scene, "two");
  await scene.pass(60_000, 1000);
  assert.deepEqual(waiting(scene), ["one", "two"]);
  scene.refusal = undefined;
  await scene.pass(31_000, 1000);
  assert.deepEqual(
    scene.begun.map(({ texts: told }) => told),
    [["one", "two"]],
  );
  assert.equal(scene.pump.turns, 1, "what was refused is not counted");
  // The next pause is a short one again.
  scene.isBusy = true;
  note(scene, "three");
  await scene.pass(100);
  scene.isBusy = false;
  await scene.pass(800);
  assert.deepEqual(scene.begun[1]?.texts, ["three"]);
});

test("at most 12 turns an hour begin by themselves; the rest waits, says why, and is told when the hour is over", async () => {
  const scene = open("allowed");
  for (let at = 0; at < 20; at += 1) {
    note(scene, `${at}`);
    await scene.pass(1000);
  }
  assert.equal(scene.begun.length, 12);
  assert.match(scene.pump.held() ?? "", /^12 turns .* \(autonomy\.maxTurns\)\.$/);
  assert.deepEqual(waiting(scene), ["12", "13", "14", "15", "16", "17", "18", "19"]);
  await scene.pass(hour - 21_000, 60_000);
  assert.equal(scene.begun.length, 12);
  await scene.pass(3000, 1000);
  assert.equal(scene.begun.length, 13);
  assert.equal(scene.begun[12]?.texts.length, 8);
});

test("turns that began by themselves cost at most what is set an hour", async () => {
  const scene = open("allowed");
  note(scene, "one");
  await scene.pass(1000);
  scene.pump.noteCost("job-1", 0.6);
  note(scene, "two");
  await scene.pass(1000);
  scene.pump.noteCost("job-2", 0.5);
  scene.pump.noteCost("job of the person", 10);
  note(scene, "three");
  await scene.pass(60_000, 1000);
  assert.equal(scene.begun.length, 2);
  assert.match(scene.pump.held() ?? "", /have cost \$1\.10 .* limit is \$1\.00 \(autonomy\.maxCost\)/);
  await scene.pass(hour, 60_000);
  assert.equal(scene.begun.length, 3);
});

test("a limit that is set higher meanwhile holds for what waits from the next delivery on", async () => {
  const scene = open("allowed");
  scene.settings["autonomy.maxTurns"] = 1;
  for (const text of ["one", "two"]) {
    note(scene, text);
    await scene.pass(1000);
  }
  assert.deepEqual(waiting(scene), ["two"]);
  scene.settings["autonomy.maxTurns"] = 9;
  note(scene, "three");
  await scene.pass(1000);
  assert.deepEqual(scene.begun[1]?.texts, ["two", "three"]);
});

test("a clock that is set back makes the hour no longer, and one that is set forward loses nothing", async () => {
  const scene = open("allowed");
  scene.settings["autonomy.maxTurns"] = 1;
  note(scene, "one");
  await scene.pass(1000);
  scene.clock.jump(-7 * day);
  note(scene, "two");
  await scene.pass(1000);
  assert.deepEqual(waiting(scene), ["two"]);
  await scene.pass(hour + 2000, 60_000);
  assert.deepEqual(scene.begun[1]?.texts, ["two"]);
  note(scene, "three");
  await scene.pass(1000);
  scene.clock.jump(30 * day);
  await scene.pass(hour + 2000, 60_000);
  assert.deepEqual(scene.begun[2]?.texts, ["three"]);
});

test("a turn at work hears at its end what happened, but not what it has seen by then", async () => {
  const scene = open("ask");
  const { background, pump } = scene;
  const { promise: ended, resolve: end } = Promise.withResolvers<JobOutcome>();
  const controller = new AbortController();
  const work = { started: performance.now(), ended, controller, output: () => "" };
  const { id } = background.of("main").jobs.add({ type: "bash", label: "make" }, work);
  const inbox = new Inbox();
  const detach = pump.attach(inbox);
  end({ isFailed: false, text: "made" });
  note(scene, "one");
  await background.jobs.allEnded();
  await scene.pass(1000);
  assert.deepEqual(inbox.takeDeliveries(false), [], "it interrupts nothing");
  background.of("main").acknowledge([id]);
  assert.deepEqual(texts(inbox.takeDeliveries(true)), ["one"]);
  detach();
  assert.deepEqual(waiting(scene), []);
});

test("with autonomy ask a monitor that never falls silent makes a turn longer once, and is bounded meanwhile", async () => {
  const scene = open("ask");
  const { background, pump } = scene;
  const inbox = new Inbox();
  const detach = pump.attach(inbox);
  const flood = async () => {
    for (let line = 0; line < 5000; line += 1)
      background.deliveries.monitorLine("monitor-1", "log", `${line}`);
    await scene.pass(1000, 100);
  };
  await flood();
  const [heard, ...others] = inbox.takeDeliveries(true);
  assert.deepEqual(others, []);
  assert.equal(heard?.text.split("\n").length, maxLines + 1);
  assert.match(heard?.text ?? "", /\[4950 earlier lines were dropped\]/);
  await flood();
  assert.deepEqual(inbox.takeDeliveries(true), [], "the turn comes to its end");
  detach();
  await flood();
  assert.equal(background.deliveries.waiting().length, 1);
  assert.match(background.deliveries.waiting()[0]?.text ?? "", /\[9950 earlier lines were dropped\]/);
  assert.equal(scene.begun.length, 0);
});

test("with autonomy allowed a flood has a dozen turns an hour, whether they are turns of their own or longer ones", async () => {
  const scene = open("allowed");
  const { background, pump } = scene;
  const inbox = new Inbox();
  const detach = pump.attach(inbox);
  let heard = 0;
  for (let round = 0; round < 40; round += 1) {
    background.deliveries.monitorLine("monitor-1", "log", `${round}`);
    heard += inbox.takeDeliveries(true).length;
  }
  assert.equal(heard, 1 + 12, "the turn's own, and as many as may begin");
  detach();
  await scene.pass(hour - 1000, 60_000);
  assert.equal(scene.begun.length, 0);
  await scene.pass(3000, 1000);
  assert.equal(scene.begun.length, 1);
});

test("what a turn was given and has not heard waits again, but not what an agent said to it", async () => {
  const scene = open("ask");
  const inbox = new Inbox();
  const detach = scene.pump.attach(inbox);
  note(scene, "one");
  assert.deepEqual(await scene.pump.deliverNow(), { count: 1, job: null });
  const source = { kind: "agent", id: "0-One", label: "hello" } as const;
  inbox.deliver({ id: "irc-1", source, text: "hello", at: 0 });
  assert.deepEqual(waiting(scene), []);
  detach();
  assert.deepEqual(waiting(scene), ["one"]);
});

test("nothing is told any more once it is closed", async () => {
  const scene = open("allowed");
  note(scene, "one");
  scene.pump.close();
  note(scene, "two");
  await scene.pass(day, hour);
  assert.deepEqual([scene.begun.length, waiting(scene)], [0, ["one", "two"]]);
});
