import assert from "node:assert/strict";
import { test } from "node:test";
import { ChangeSet, Text } from "@codemirror/state";
import fc from "fast-check";
import { LiveDocument, type Made } from "./live-document.ts";

/** What the server does with a change: maps it over everything since the revision that it was made on. */
class Server {
  text: Text;
  readonly made: Made[] = [];
  private readonly known = new Map<string, number>();

  constructor(text: string) {
    this.text = Text.of(text.split("\n"));
  }

  change(revision: number, json: unknown, client: string, id: string): Made[] {
    if (!this.known.has(id)) {
      let change = ChangeSet.fromJSON(json);
      for (const { change: since } of this.made.slice(revision))
        change = change.map(ChangeSet.fromJSON(since));
      this.text = change.apply(this.text);
      this.made.push({ revision: this.made.length + 1, client, change: change.toJSON() });
      this.known.set(id, this.made.length);
    }
    return this.made.slice(revision);
  }
}

function typed(text: Text, place: number, removed: number, insert: string): ChangeSet {
  const from = place % (text.length + 1);
  const to = Math.min(text.length, from + removed);
  return ChangeSet.of({ from, to, insert }, text.length);
}

const step = fc.oneof(
  fc.record({
    kind: fc.constant("edit" as const),
    who: fc.nat(2),
    place: fc.nat(60),
    removed: fc.nat(4),
    insert: fc.constantFrom("", "a", "bc", "\n", "đ"),
  }),
  fc.record({ kind: fc.constant("send" as const), who: fc.nat(2), isLost: fc.boolean() }),
  fc.record({ kind: fc.constant("hear" as const), who: fc.nat(2), count: fc.nat(3) }),
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
        if (each.kind === "edit") window.edit(typed(live.text, each.place, each.removed, each.insert));
        if (each.kind === "hear") live.receive(server.made.slice(live.revision, live.revision + each.count));
        if (each.kind === "send") {
          const next = live.outgoing();
          if (next === undefined) continue;
          const reply = server.change(next.revision, next.change, live.client, next.changeId);
          // The answer may get lost; then the same change is sent again later.
          if (!each.isLost) live.receive(reply);
        }
      }
      for (const { live } of windows) {
        for (let next = live.outgoing(); next !== undefined; next = live.outgoing()) {
          live.receive(server.change(next.revision, next.change, live.client, next.changeId));
        }
      }
      for (const { live, mirrored } of windows) {
        live.receive(server.made.slice(live.revision));
        assert.equal(live.text.toString(), server.text.toString());
        assert.equal(mirrored().toString(), server.text.toString(), "an editor that follows sees the same");
        assert.ok(live.isSettled);
      }
    }),
    { numRuns: 300 },
  );
});

test("a change in between that was missed is noticed, and nothing is applied out of order", () => {
  const live = new LiveDocument("one", 0, "x");
  const change = ChangeSet.of({ from: 0, insert: "a" }, 3).toJSON();
  assert.equal(live.receive([{ revision: 2, client: "y", change }]), false);
  assert.equal(live.text.toString(), "one");
  assert.equal(live.revision, 0);
});
