import assert from "node:assert/strict";
import { test } from "node:test";
import { ChangeSet, Text } from "@codemirror/state";
import { Fault } from "@stet/protocol/fault";
import { nothingPending, type Pending } from "@stet/text/pending";
import { type PendingStep, takeStep } from "@stet/text/pending-step";
import { storePieces } from "@stet/text/stored-pieces";
import { LiveReview, type ReviewEvent, type ReviewReply } from "./live-review.ts";

type Step = NonNullable<ReviewEvent["pending"]>;

const turn = {
  turn: "t1",
  job_id: null,
  session_id: null,
  summary: "",
  is_whole: false,
  is_on_disk: false,
  hunks: 1,
};

/** A server with one document, and a window that has its text up to a revision. */
class Scene {
  pending: Pending = nothingPending(Text.of(["one", "two", "three", ""]));
  revision = 1;
  readonly texts = new Map<number, Text>();
  visibleRevision = 1;
  changes = 0;
  readonly asked: ((reply: ReviewReply | Fault) => void)[] = [];
  readonly review = new LiveReview({
    ask: () => new Promise<ReviewReply | Fault>((resolve) => this.asked.push(resolve)),
    server: () => ({
      revision: this.visibleRevision,
      text: this.texts.get(this.visibleRevision) ?? Text.empty,
    }),
    onChange: () => {
      this.changes += 1;
    },
  });

  constructor() {
    this.texts.set(1, this.pending.current);
    this.edit(1, "TWO", "agent");
    this.visibleRevision = this.revision;
  }

  /** Rewrites a line, and returns the event of that. */
  edit(line: number, insert: string, origin: "agent" | "user" = "user"): ReviewEvent {
    const { from, to } = this.pending.current.line(line + 1);
    const change = ChangeSet.of({ from, to, insert }, this.pending.current.length);
    const made = { kind: "change", change, origin, ...(origin === "agent" ? { turn: "t1" } : {}) } as const;
    this.#take(made);
    const step = origin === "agent" ? null : ({ kind: "change" } as const);
    return { origin, change: change.toJSON(), pending: this.#named(step) };
  }

  accept(...ids: number[]): ReviewEvent {
    const decision = { kind: "decision", verdict: "accepted", hunks: ids.map((id) => ({ id })) } as const;
    this.#take(decision);
    return { pending: this.#named({ ...decision, hunks: [...decision.hunks] }) };
  }

  #take(step: PendingStep): void {
    const { pending, change } = takeStep(this.pending, step);
    this.pending = pending;
    if (!change.empty) this.revision += 1;
    this.texts.set(this.revision, pending.current);
  }

  #named(step: Step["step"]): Step {
    return { revision: this.revision, next_id: this.pending.nextId, is_on_disk: false, step };
  }

  snapshot(): ReviewReply {
    const pending = { next_id: this.pending.nextId, pieces: storePieces(this.pending) };
    const { revision } = this;
    return { document: 4, revision, is_on_disk: false, hunks: [], decided: [], turns: [turn], pending };
  }

  async answer(reply: ReviewReply | Fault = this.snapshot()): Promise<void> {
    this.asked.shift()?.(reply);
    await new Promise(setImmediate);
  }

  hunks(): unknown {
    return this.review.view()?.hunks.map(({ hunk_id, removed, added }) => [hunk_id, removed, added]);
  }
}

const open = ["h_4_1", ["two"], ["TWO"]];

test("typing and decisions are folded, and nothing is asked for", async () => {
  const scene = new Scene();
  scene.review.refresh();
  await scene.answer();
  assert.deepEqual(scene.hunks(), [open]);
  scene.review.hear(scene.edit(0, "ONE"));
  assert.deepEqual(scene.hunks(), [open]);
  scene.review.hear(scene.edit(1, "TWO!"));
  assert.deepEqual(scene.hunks(), [["h_4_1", ["two"], ["TWO!"]]]);
  scene.review.hear(scene.accept(1));
  assert.deepEqual(scene.hunks(), []);
  assert.equal(scene.review.view()?.decided.length, 1);
  assert.deepEqual([scene.changes, scene.asked.length], [4, 0]);
});

test("what is heard while the answer is on its way counts once, whether the answer holds it or not", async () => {
  const scene = new Scene();
  scene.review.refresh();
  const before = scene.snapshot();
  const accepted = scene.accept(1);
  scene.review.hear(accepted);
  await scene.answer(before);
  assert.deepEqual(scene.hunks(), []);
  scene.review.refresh();
  await scene.answer();
  scene.review.hear(accepted);
  assert.deepEqual(scene.hunks(), []);
  assert.equal(scene.asked.length, 0);
});

test("an answer about a newer text waits for it, and one about an older text is asked for again", async () => {
  const scene = new Scene();
  scene.review.refresh();
  scene.edit(0, "ONE");
  await scene.answer();
  assert.equal(scene.review.view(), undefined);
  scene.visibleRevision = scene.revision;
  scene.review.textMoved();
  assert.deepEqual(scene.hunks(), [open]);
  scene.review.refresh();
  const old = scene.snapshot();
  scene.review.hear(scene.edit(0, "One"));
  scene.visibleRevision = scene.revision;
  await scene.answer(old);
  assert.equal(scene.asked.length, 1);
  await scene.answer();
  assert.equal(scene.review.revision, scene.revision);
});

test("what cannot be folded, and a missed event, are read again", async () => {
  const scene = new Scene();
  scene.review.refresh();
  await scene.answer();
  scene.review.hear(scene.edit(2, "THREE", "agent"));
  scene.visibleRevision = scene.revision;
  await scene.answer();
  assert.deepEqual(scene.hunks(), [["h_4_1", ["two", "three"], ["TWO", "THREE"]]]);
  scene.edit(0, "missed");
  scene.review.hear(scene.edit(0, "heard"));
  scene.visibleRevision = scene.revision;
  assert.equal(scene.asked.length, 1);
  await scene.answer(new Fault("internal_error", "It broke.", "Try again."));
  assert.equal(scene.asked.length, 0);
  scene.review.hear(scene.edit(0, "next"));
  scene.visibleRevision = scene.revision;
  await scene.answer();
  assert.equal(scene.review.revision, scene.revision);
});

test("pieces that are rebased without another text are read again", async () => {
  const scene = new Scene();
  scene.review.refresh();
  await scene.answer();
  const { revision, pending } = scene;
  scene.review.hear({ pending: { revision, next_id: pending.nextId, is_on_disk: false, step: null } });
  assert.equal(scene.asked.length, 1);
});
