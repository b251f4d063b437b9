import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { ChangeSet, type Text } from "@codemirror/state";
import { isFault } from "@stet/protocol/fault";
import { Random } from "@stet/testkit/random";
import { must, personEdits, refused, TestWorkspace, textOf } from "@stet/testkit/workspace";
import type { Workspace } from "@stet/workspace/workspace";
import { type ChangesReply, LiveDocuments } from "./live-documents.ts";

/** A window: its own text, what it has sent and not heard of, and what it has not sent yet. */
class Window {
  readonly name: string;
  readonly #live: LiveDocuments;
  readonly #document: number;
  text: Text;
  #revision: number;
  #sent: { change: ChangeSet; asSent: unknown; revision: number; id: string } | undefined;
  #unsent: ChangeSet | undefined;
  #count = 0;

  constructor(name: string, live: LiveDocuments, document: number) {
    const { history } = must(live.state(document));
    this.name = name;
    this.#live = live;
    this.#document = document;
    this.text = history.text;
    this.#revision = history.revision;
  }

  type(random: Random): void {
    const from = random.below(this.text.length + 1);
    const to = Math.min(this.text.length, from + (random.chance(0.4) ? random.below(30) : 0));
    const insert = random.chance(0.8) ? random.pick(["x", "zwei\nZeilen\n", "\n", "ein Wort ", "é"]) : "";
    const change = ChangeSet.of({ from, to, insert }, this.text.length);
    this.text = change.apply(this.text);
    this.#unsent = this.#unsent === undefined ? change : this.#unsent.compose(change);
  }

  /** Sends what it has; with a lost answer, it is sent again under the same name. */
  send(isAnswerLost: boolean): void {
    if (this.#sent === undefined) {
      if (this.#unsent === undefined) return;
      this.#count += 1;
      const change = this.#unsent;
      const revision = this.#revision;
      this.#sent = { change, asSent: change.toJSON(), revision, id: String(this.#count) };
      this.#unsent = undefined;
    }
    const { asSent, revision, id } = this.#sent;
    const reply = this.#live.change(this.#document, {
      revision,
      change: asSent,
      client: this.name,
      change_id: id,
    });
    if (!isAnswerLost) this.#take(must(reply), true);
  }

  pull(): void {
    this.#take(must(this.#live.since(this.#document, this.#revision)), false);
  }

  #take({ revision, changes }: ChangesReply, isConfirmed: boolean): void {
    for (const made of changes) {
      if (made.revision <= this.#revision) continue;
      this.#revision = made.revision;
      const theirs = ChangeSet.fromJSON(made.change);
      if (made.client === this.name) {
        assert.deepEqual(
          made.change,
          this.#sent?.change.toJSON(),
          "the own change, as everyone else mapped it",
        );
        this.#sent = undefined;
      } else this.#follow(theirs);
    }
    assert.equal(this.#revision, revision);
    // What others had deleted already became no change at all.
    if (isConfirmed) this.#sent = undefined;
  }

  #follow(theirs: ChangeSet): void {
    let change = theirs;
    if (this.#sent !== undefined) {
      const sent = this.#sent;
      change = theirs.map(sent.change, true);
      this.#sent = { ...sent, change: sent.change.map(theirs) };
    }
    if (this.#unsent !== undefined) {
      const unsent = this.#unsent;
      this.#unsent = unsent.map(change);
      change = change.map(unsent, true);
    }
    this.text = change.apply(this.text);
  }
}

function agentTurn(workspace: Workspace, document: number, random: Random): () => void {
  const turn = workspace.beginTurn({});
  const history = must(turn.read(document));
  const from = random.between(1, Math.max(1, history.text.lines - 1));
  turn.edit(document, {
    revision: history.revision,
    policy: { kind: "rebase" },
    edits: [{ op: "replace", from, to: Math.min(from + 1, history.text.lines), content: "agent's\nlines\n" }],
  });
  return () => void turn.commit();
}

for (const seed of Array.from({ length: 60 }, (_, index) => index + 1)) {
  test(`two windows, an agent, the disk and decisions end in one text (${seed})`, async (t) => {
    const random = new Random(seed);
    const start = Array.from({ length: 12 }, (_, line) => `line ${line}`).join("\n");
    const place = new TestWorkspace(t, { "a.md": `${start}\n` });
    const workspace = await place.open();
    const { id } = must(workspace.documents.open("a.md"));
    const live = new LiveDocuments(workspace);
    const windows = ["left", "right"].map((name) => new Window(name, live, id));
    let commit: (() => void) | undefined;
    for (let step = 0; step < 80; step += 1) {
      const window = random.pick(windows);
      const action = random.below(10);
      if (action < 4) window.type(random);
      else if (action < 6) window.send(random.chance(0.3));
      else if (action === 6) window.pull();
      else if (action === 7) {
        if (commit === undefined) commit = agentTurn(workspace, id, random);
        else {
          commit();
          commit = undefined;
        }
      } else if (action === 8) {
        const [hunk] = workspace.review.file(id)?.hunks ?? [];
        if (hunk === undefined) continue;
        if (random.chance(0.5)) workspace.review.accept({ hunks: [hunk.id] });
        else workspace.review.reject({ hunks: [hunk.id] });
      } else if (random.chance(0.5)) await workspace.saving.save([id]);
      else {
        writeFileSync(place.path("a.md"), `from outside ${step}\n${start}\n`);
        // Where it meets what is open, it is a conflict, and nothing happens.
        workspace.saving.refresh(id);
      }
    }
    commit?.();
    for (const window of [...windows, ...windows, ...windows]) window.send(false);
    for (const window of windows) window.pull();
    const [left, right] = windows.map(({ text }) => text.toString());
    assert.equal(left, textOf(workspace, id));
    assert.equal(right, left);
  });
}

test("a change that is no change set, or would put a line break into a line, is refused", async (t) => {
  const workspace = await new TestWorkspace(t, { "a.md": "one\ntwo\n" }).open();
  const { id, history } = must(workspace.documents.open("a.md"));
  const live = new LiveDocuments(workspace);
  const send = (change: unknown, revision = history.revision) =>
    refused(live.change(id, { revision, change, client: "w" })).error;
  assert.equal(send([-1]), "invalid_arguments");
  assert.equal(send([[0, "a\nb"], 8]), "invalid_arguments");
  assert.equal(send([[0, "a\u0000"], 8]), "invalid_arguments");
  assert.equal(send([[-1, "a"], 9]), "invalid_arguments");
  assert.equal(send([7]), "version_mismatch", "made on another text");
  assert.equal(send([8], history.revision + 5), "unknown_revision");
  assert.equal(refused(live.change(99, { revision: 1, change: [8], client: "w" })).error, "file_not_found");
  assert.equal(textOf(workspace, id), "one\ntwo\n");
});

test("parts of a change that are nothing are left out, also where it is mapped over another change", async (t) => {
  const workspace = await new TestWorkspace(t, { "a.md": "one\ntwo\n" }).open();
  const { id, history } = must(workspace.documents.open("a.md"));
  const live = new LiveDocuments(workspace);
  const { revision } = history;
  must(live.change(id, { revision, change: [[0, "x"], 8], client: "w" }));
  must(live.change(id, { revision, change: [8, [0, "y"], 0, [0]], client: "v" }));
  assert.equal(textOf(workspace, id), "xone\ntwo\ny");
});

test("what another process did is not taken for the window's own change", async (t) => {
  const place = new TestWorkspace(t, { "a.md": "one\ntwo\n" });
  const workspace = await place.open();
  const { id, history } = must(workspace.documents.open("a.md"));
  const live = new LiveDocuments(workspace);
  const told: unknown[] = [];
  workspace.ledger.listen(({ body }) => {
    const { revision } = must(live.state(id)).history;
    if (body.kind === "change") told.push([revision, live.makerOf(id, revision)]);
  });
  const other = await place.open();
  personEdits(other, must(other.documents.open("a.md")).id, { op: "append", content: "three" });
  const { changes } = must(
    live.change(id, { revision: history.revision, change: [[0, "x"], 8], client: "w" }),
  );
  assert.deepEqual(
    changes.map(({ revision, client }) => [revision, client]),
    [
      [2, null],
      [3, "w"],
    ],
  );
  assert.deepEqual(told, [
    [2, null],
    [3, "w"],
  ]);
});

test("half of a character cannot be taken away, since what is left could not be saved", async (t) => {
  const workspace = await new TestWorkspace(t, { "a.md": "a🙂b\n" }).open();
  const { id, history } = must(workspace.documents.open("a.md"));
  const live = new LiveDocuments(workspace);
  const send = (change: unknown) => live.change(id, { revision: history.revision, change, client: "w" });
  assert.equal(refused(send([1, [1], 3])).error, "invalid_arguments");
  assert.equal(refused(send([2, [0, "x"], 3])).error, "invalid_arguments");
  must(send([1, [2], 2]));
  assert.equal(textOf(workspace, id), "ab\n");
});

test("nobody types while an agent's turn holds all documents; reading goes on", async (t) => {
  const workspace = await new TestWorkspace(t, { "a.md": "one\n" }).open();
  const { id, history } = must(workspace.documents.open("a.md"));
  const live = new LiveDocuments(workspace);
  const turn = must(workspace.beginLockedTurn({ summary: "Rename" }));
  const change = { revision: history.revision, change: [[0, "x"], 4], client: "w" };
  assert.equal(refused(live.change(id, change)).error, "editing_locked");
  assert.equal(isFault(live.since(id, history.revision)), false);
  turn.discard();
  assert.equal(must(live.change(id, change)).changes.length, 1);
});
