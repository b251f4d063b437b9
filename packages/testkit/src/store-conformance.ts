// What every store must do, as tests: `storeConformance` registers them for one implementation.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { JobRecord, SessionRecord, Store } from "@stet/host/store/store";
import type { LogEvent } from "@stet/protocol/events/log-event";
import { newEvent } from "@stet/protocol/events/new-event";
import { isFault } from "@stet/protocol/fault";

export interface StoreUnderTest {
  readonly store: Store;
  /** The same data once more, as after a restart; the store before is closed. */
  reopen(): Promise<Store>;
}

const hour = 3_600_000;
const now = Date.UTC(2026, 0, 10);

export function storeConformance(name: string, open: (t: TestContext) => Promise<StoreUnderTest>): void {
  test(`${name}: what is put is read back, also after a restart`, async (t) => {
    const { store, reopen } = await open(t);
    const full = job("full", {
      question: {
        id: "q",
        asked: { kind: "clarification", text: "Which?", options: ["a", "b"] },
        callId: "call",
      },
      suspended: { id: "turn_x", startedAt: 1, staged: [], created: [] },
      turn: "turn_x",
      error: { error: "aborted", message: "m", suggestion: "s" },
      finishedAt: now,
    });
    await store.putSession(session("one"));
    await store.putJob(full);
    await store.keepEvents("job:full", [event(1), event(2)]);
    const again = await reopen();
    assert.deepEqual(await again.session("one"), session("one"));
    assert.deepEqual(await again.job("full"), full);
    assert.deepEqual(await again.jobByTurn("turn_x"), full);
    assert.deepEqual(await again.events("job:full", 0, 10), [event(1), event(2)]);
  });

  test(`${name}: what is not there is undefined, or a fault where it was to be changed`, async (t) => {
    const { store } = await open(t);
    assert.equal(await store.session("none"), undefined);
    assert.equal(await store.job("none"), undefined);
    assert.equal(await store.jobByTurn("turn_none"), undefined);
    assert.deepEqual(await store.events("job:none", 0, 10), []);
    assert.equal(await store.lastCursor("job:none"), 0);
    const changed = await store.updateJob("none", { status: "failed" });
    assert.equal(isFault(changed) && changed.error, "unknown_job");
  });

  test(`${name}: a change of a job keeps the rest of it`, async (t) => {
    const { store } = await open(t);
    await store.putJob(job("one"));
    const changed = await store.updateJob("one", { status: "awaiting_review", turn: "turn_1" });
    assert.deepEqual(changed, job("one", { status: "awaiting_review", turn: "turn_1" }));
    assert.deepEqual(await store.job("one"), changed);
    assert.equal((await store.jobByTurn("turn_1"))?.id, "one");
    await store.updateJob("one", { turn: null });
    assert.equal(await store.jobByTurn("turn_1"), undefined);
  });

  test(`${name}: lists begin with the newest, and keep to filter and limit`, async (t) => {
    const { store } = await open(t);
    for (const number of [1, 2, 3]) {
      await store.putSession(session(`s${number}`, { updatedAt: now + number }));
      await store.putJob(job(`a${number}`, { session: "s1", createdAt: now + number }));
      await store.putJob(
        job(`b${number}`, { session: "s2", createdAt: now + 10 + number, status: "completed" }),
      );
    }
    await store.putSession(session("s1", { updatedAt: now + 9 }));
    const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id);
    assert.deepEqual(ids(await store.sessions(2)), ["s1", "s3"]);
    assert.deepEqual(ids(await store.jobs({ limit: 4 })), ["b3", "b2", "b1", "a3"]);
    assert.deepEqual(ids(await store.jobs({ session: "s1", limit: 2 })), ["a3", "a2"]);
    assert.deepEqual(ids(await store.jobs({ status: "completed", limit: 9 })), ["b3", "b2", "b1"]);
    assert.deepEqual(ids(await store.jobs({ session: "s1", status: "completed", limit: 9 })), []);
  });

  test(`${name}: events come in order, after a cursor, log by log; the oldest can be dropped`, async (t) => {
    const { store } = await open(t);
    await store.keepEvents("workspace", [event(1)]);
    for (const cursor of [1, 2, 5, 9, 30]) await store.keepEvents("job:x", [event(cursor)]);
    const cursors = async (after: number, limit: number) =>
      (await store.events("job:x", after, limit)).map(({ cursor }) => cursor);
    assert.deepEqual(await cursors(0, 10), [1, 2, 5, 9, 30]);
    assert.deepEqual(await cursors(2, 2), [5, 9]);
    assert.deepEqual(await cursors(30, 2), []);
    await store.trimEvents("job:x", 2);
    assert.deepEqual(await cursors(0, 10), [9, 30]);
    await store.trimEvents("job:x", 2);
    assert.deepEqual(await cursors(0, 10), [9, 30]);
    assert.equal((await store.events("workspace", 0, 10)).length, 1);
  });

  test(`${name}: a cursor is kept once`, async (t) => {
    const { store } = await open(t);
    await store.keepEvents("job:x", [event(1)]);
    assert.ok(isFault(await store.keepEvents("job:x", [event(2), event(1)])));
    const kept = await store.events("job:x", 0, 10);
    assert.deepEqual(kept, [event(1)], "of events that are kept together, all are or none");
  });

  test(`${name}: reserved cursors are known after a restart`, async (t) => {
    const { store, reopen } = await open(t);
    await store.reserveCursors("job:x", 1000);
    await store.reserveCursors("job:x", 2000);
    await store.reserveCursors("workspace", 7);
    const again = await reopen();
    assert.equal(await again.lastCursor("job:x"), 2000);
    assert.equal(await again.lastCursor("workspace"), 7);
  });

  test(`${name}: only finished work is collected, and its events with it`, async (t) => {
    const { store } = await open(t);
    await store.putSession(session("s"));
    const statuses = ["queued", "running", "waiting_for_user", "awaiting_review"] as const;
    for (const status of statuses) await store.putJob(job(status, { status, createdAt: 1 }));
    await store.putJob(job("old", finished(now - 73 * hour)));
    await store.putJob(job("recent", { ...finished(now - 71 * hour), status: "failed" }));
    for (const id of ["old", "recent", "queued"]) {
      await store.reserveCursors(`job:${id}`, 1000);
      await store.keepEvents(`job:${id}`, [event(1)]);
    }
    await store.keepEvents("workspace", [event(1)]);
    const rules = { maxSessions: 25, maxJobsPerSession: 40, completedTtlHours: 72, now };
    assert.deepEqual(await store.collect(rules), { jobs: 1, sessions: 0 });
    const left = (await store.jobs({ limit: 100 })).map(({ id }) => id);
    assert.deepEqual(left.toSorted(), [...statuses, "recent"].toSorted());
    assert.deepEqual(await store.events("job:old", 0, 10), []);
    assert.equal(await store.lastCursor("job:old"), 0);
    for (const log of ["job:recent", "job:queued", "workspace"])
      assert.equal((await store.events(log, 0, 10)).length, 1, log);
  });

  test(`${name}: beyond so many jobs of a session the oldest finished ones go`, async (t) => {
    const { store } = await open(t);
    for (const number of [1, 2, 3, 4, 5]) {
      const state = number === 2 ? {} : finished(now);
      await store.putJob(job(`j${number}`, { createdAt: number, session: "s", ...state }));
      await store.putJob(job(`other${number}`, { createdAt: number, session: `s${number}`, ...state }));
    }
    const rules = { maxSessions: 25, maxJobsPerSession: 2, completedTtlHours: 72, now };
    assert.deepEqual(await store.collect(rules), { jobs: 2, sessions: 0 });
    const left = (await store.jobs({ session: "s", limit: 100 })).map(({ id }) => id);
    assert.deepEqual(left, ["j5", "j4", "j2"], "j2 is not finished");
  });

  test(`${name}: beyond so many sessions the oldest go with their jobs, unless one is not finished`, async (t) => {
    const { store } = await open(t);
    for (const number of [1, 2, 3, 4]) {
      await store.putSession(session(`s${number}`, { updatedAt: number }));
      const state = number === 1 ? { status: "awaiting_review" as const } : finished(now);
      await store.putJob(job(`j${number}`, { session: `s${number}`, ...state }));
      await store.keepEvents(`job:j${number}`, [event(1)]);
    }
    const rules = { maxSessions: 2, maxJobsPerSession: 40, completedTtlHours: 72, now };
    assert.deepEqual(await store.collect(rules), { jobs: 1, sessions: 1 });
    assert.deepEqual(
      (await store.sessions(9)).map(({ id }) => id),
      ["s4", "s3", "s1"],
    );
    assert.equal(await store.job("j2"), undefined);
    assert.deepEqual(await store.events("job:j2", 0, 9), []);
    assert.notEqual(await store.job("j1"), undefined);
  });

  test(`${name}: a session that is in use stays, however many there are`, async (t) => {
    const { store } = await open(t);
    for (const number of [1, 2, 3])
      await store.putSession(session(`s${number}`, { updatedAt: now + number }));
    await store.putSession(session("aside", { updatedAt: now, status: "archived" }));
    const rules = { maxSessions: 1, maxJobsPerSession: 40, completedTtlHours: 72, now: now + 10 };
    assert.deepEqual(await store.collect(rules), { jobs: 0, sessions: 1 });
    assert.equal(await store.session("aside"), undefined);
    assert.equal((await store.sessions(9)).length, 3);
  });
}

function finished(finishedAt: number): Partial<JobRecord> {
  return { status: "completed", finishedAt };
}

function session(id: string, changes: Partial<SessionRecord> = {}): SessionRecord {
  const contextRows = [
    { id: "c", kind: "selection" as const, file_path: "ä.md", start_line: 1, end_line: 2 },
  ];
  return { id, status: "active", title: "Ünïcode", contextRows, createdAt: now, updatedAt: now, ...changes };
}

function job(id: string, changes: Partial<JobRecord> = {}): JobRecord {
  return {
    id,
    session: "s",
    status: "running",
    instruction: "Do it.\u2028",
    toolset: "project",
    model: "",
    maxToolCalls: null,
    tab: null,
    context: "",
    createdAt: now,
    startedAt: null,
    finishedAt: null,
    question: null,
    suspended: null,
    suspendedEdits: [],
    edits: [],
    proposal: [{ document: 1, baseFileHash: null, edits: { h_1_1: ["e_1"] } }],
    turn: null,
    usage: null,
    error: null,
    ...changes,
  };
}

function event(cursor: number): LogEvent {
  return { cursor, ...newEvent("message.completed", { text: "ü\u0000" }), ts: new Date(now).toISOString() };
}
