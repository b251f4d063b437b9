import assert from "node:assert/strict";
import { test } from "node:test";
import { ChangeSet, Text } from "@codemirror/state";
import { runs } from "@stet/testkit/depth";
import fc from "fast-check";
import { Client } from "./client.ts";
import { LiveDocument, type RemoteChange, sendAll } from "./live-document.ts";

/** What the server does with a change: maps it over everything since the revision that it was made on. */
class Server {
  text: Text;
  readonly made: RemoteChange[] = [];
  readonly #known = new Map<string, number>();

  constructor(text: string) {
    this.text = Text.of(text.split("\n"));
  }

  /** Changes up to here are no longer known. */
  forgotten = 0;

  /** Everything since, or whether the change was made where that is not known any more. */
  change(revision: number, json: unknown, client: string, id: string): RemoteChange[] | { wasMade: boolean } {
    if (revision < this.forgotten) return { wasMade: this.#known.has(id) };
    if (!this.#known.has(id)) {
      let change = ChangeSet.fromJSON(json);
      for (const { change: since } of this.made.slice(revision))
        change = change.map(ChangeSet.fromJSON(since));
      if (!change.empty) {
        this.text = change.apply(this.text);
        this.made.push({ revision: this.made.length + 1, client, change: change.toJSON() });
        this.#known.set(id, this.made.length);
      }
    }
    return this.made.slice(revision);
  }

  /** What a window does with what is on its way; `isLost` loses the answer. */
  exchange(live: LiveDocument, isLost: boolean): boolean {
    const next = live.outgoing();
    if (next === undefined) return false;
    const reply = this.change(next.revision, next.change, live.client, next.changeId);
    if (isLost) return true;
    if (Array.isArray(reply)) {
      live.receive(reply);
      live.confirm(next.changeId);
    } else live.restart(this.text.toString(), this.made.length, reply.wasMade, whole);
    return true;
  }

  hear(live: LiveDocument, count: number): void {
    if (live.revision >= this.forgotten) live.receive(this.made.slice(live.revision, live.revision + count));
    else if (!live.isSending) live.restart(this.text.toString(), this.made.length, false, whole);
  }
}

/** The coarsest change there is: everything in between the common ends. */
function whole(before: Text, after: Text): ChangeSet {
  const [one, other] = [before.toString(), after.toString()];
  let start = 0;
  while (start < Math.min(one.length, other.length) && one[start] === other[start]) start += 1;
  let end = 0;
  const most = Math.min(one.length, other.length) - start;
  while (end < most && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  if (start + end === one.length && start + end === other.length) return ChangeSet.empty(one.length);
  const insert = after.slice(start, other.length - end);
  return ChangeSet.of({ from: start, to: one.length - end, insert }, one.length);
}

function typed(text: Text, offset: number, removed: number, insert: string): ChangeSet {
  const from = offset % (text.length + 1);
  const to = Math.min(text.length, from + removed);
  return ChangeSet.of({ from, to, insert }, text.length);
}

const step = fc.oneof(
  fc.record({
    kind: fc.constant("edit" as const),
    who: fc.nat(2),
    offset: fc.nat(60),
    removed: fc.nat(4),
    insert: fc.constantFrom("", "a", "bc", "\n", "đ"),
  }),
  fc.record({ kind: fc.constant("send" as const), who: fc.nat(2), isLost: fc.boolean() }),
  fc.record({ kind: fc.constant("hear" as const), who: fc.nat(2), count: fc.nat(3) }),
  fc.record({ kind: fc.constant("forget" as const), who: fc.constant(0) }),
);

test("windows that edit one document at the same time arrive at the same text, whatever gets lost", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const start = "one two\nthree\n";
      const server = new Server(start);
      const windows = ["x", "y", "z"].map((name) => {
        let mirrored = Text.of(start.split("\n"));
        const live = new LiveDocument(start, 0, name, (change) => {
          mirrored = change.apply(mirrored);
        });
        const edit = (change: ChangeSet) => {
          live.edit(change);
          mirrored = change.apply(mirrored);
        };
        return { live, edit, mirrored: () => mirrored };
      });
      for (const each of steps) {
        const window = windows[each.who];
        if (window === undefined) continue;
        const { live } = window;
        if (each.kind === "edit") window.edit(typed(live.text, each.offset, each.removed, each.insert));
        if (each.kind === "hear") server.hear(live, each.count);
        if (each.kind === "forget") server.forgotten = server.made.length;
        // The answer may get lost; then the same change is sent again later.
        if (each.kind === "send") server.exchange(live, each.isLost);
      }
      for (const { live } of windows) {
        let rounds = 0;
        while (server.exchange(live, false)) {
          rounds += 1;
          assert.ok(rounds < 10, "what is sent comes to an end");
        }
      }
      for (const { live, mirrored } of windows) {
        server.hear(live, Number.POSITIVE_INFINITY);
        assert.equal(live.text.toString(), server.text.toString());
        assert.equal(mirrored().toString(), server.text.toString(), "an editor that follows sees the same");
        assert.equal(live.serverText.toString(), server.text.toString());
        assert.ok(live.isSettled);
      }
    }),
    { numRuns: runs(300) },
  );
});

test("a change in between that was missed is noticed, and nothing is applied out of order", () => {
  const live = new LiveDocument("one", 0, "x");
  const change = ChangeSet.of({ from: 0, insert: "a" }, 3).toJSON();
  assert.equal(live.receive([{ revision: 2, client: "y", change }]), false);
  assert.equal(live.text.toString(), "one");
  assert.equal(live.revision, 0);
});

test("what others had removed already is not sent for ever", () => {
  const live = new LiveDocument("one", 0, "x");
  live.edit(ChangeSet.of({ from: 0, to: 3 }, 3));
  const sent = live.outgoing();
  const change = ChangeSet.of({ from: 0, to: 3 }, 3).toJSON();
  assert.ok(live.receive([{ revision: 1, client: "y", change }]));
  live.confirm(sent?.changeId ?? "");
  assert.equal(live.outgoing(), undefined);
  assert.ok(live.isSettled);
});

test("what was typed while the server forgot is kept, and what had arrived is not there twice", () => {
  for (const wasMade of [true, false]) {
    const live = new LiveDocument("one two", 0, "x");
    live.edit(ChangeSet.of({ from: 0, insert: "A" }, 7));
    live.outgoing();
    live.edit(ChangeSet.of({ from: 8, insert: "Z" }, 8));
    live.restart(wasMade ? "Aone and two" : "one and two", 90, wasMade, whole);
    assert.equal(live.text.toString(), "Aone and twoZ");
    assert.equal(live.revision, 90);
    const next = live.outgoing();
    assert.equal(next?.revision, 90);
    const onServer = ChangeSet.fromJSON(next?.change).apply(live.serverText);
    assert.equal(onServer.toString(), "Aone and twoZ");
  }
});

test("a server that counts on from another text is noticed", () => {
  const live = new LiveDocument("one", 0, "x");
  const change = ChangeSet.of({ from: 0, insert: "a" }, 9).toJSON();
  assert.equal(live.receive([{ revision: 1, client: "y", change }]), false);
  assert.equal(live.text.toString(), "one");
});

test("a server that answers without having made the change is not asked without end", async () => {
  let requests = 0;
  const answer = async () => {
    requests += 1;
    return Response.json({ revision: 0, changes: [] });
  };
  const client = new Client({ url: "http://localhost", fetch: answer });
  const live = new LiveDocument("one", 0, "x");
  live.edit(ChangeSet.of({ from: 0, insert: "a" }, 3));
  assert.equal((await sendAll(client, 1, live))?.error, "unknown_revision");
  assert.equal(requests, 1);
  assert.equal(live.isSettled, false, "it is kept");
});
