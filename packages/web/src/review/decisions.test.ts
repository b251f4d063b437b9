import assert from "node:assert/strict";
import { test } from "node:test";
import type { Reply } from "@stet/protocol/api/route";
import type { Routes } from "@stet/protocol/api/routes";
import { Fault } from "@stet/protocol/fault";
import { Decisions } from "./decisions.ts";
import type { ReviewPort } from "./review-port.ts";

type Answer = Reply<Routes["decide"]> | Fault;

const hunk = (hunk_id: string, turn: string, origins = ["agent"]) => ({ hunk_id, turns: [turn], origins });

/** Three open hunks, and a server that answers as it is told. */
function reviewsWith(answer: (call: "decide" | "undoDecision") => Answer | Promise<Answer>) {
  const calls: string[] = [];
  const told: string[] = [];
  const offered: { readonly label: string; readonly run: () => unknown }[] = [];
  const port: ReviewPort = {
    async decide(body) {
      calls.push(`decide ${JSON.stringify(body)}`);
      return answer("decide");
    },
    async undoDecision(ids) {
      calls.push(`undoDecision ${JSON.stringify(ids)}`);
      return answer("undoDecision");
    },
    files: () => [
      { document: 1, hunks: [hunk("h_1_1", "t1"), hunk("h_1_2", "t2", ["agent", "user"])] },
      { document: 2, hunks: [hunk("h_2_1", "t1")] },
    ],
    loadReview: async () => undefined,
    documentInFront: () => undefined,
    dispatch: () => undefined,
    async saveAll() {
      calls.push("saveAll");
      return true;
    },
    tell({ text, action }) {
      told.push(text);
      if (action !== undefined) offered.push(action);
      return () => undefined;
    },
    dispatchLater: async () => undefined,
    rollback: async () => null,
    stepIn: async () => false,
    refuse({ message }) {
      told.push(message);
      return false;
    },
  };
  return { reviews: new Decisions(port), calls, told, offered };
}

test("what is decided leaves the screen at once, and everything is one request", async () => {
  const ids = ["h_1_1", "h_1_2", "h_2_1"];
  const { reviews, calls, told } = reviewsWith(() => ({ documents: [1, 2], hunk_ids: ids }));
  const deciding = reviews.decide({ everything: true }, "accept");
  assert.deepEqual([...reviews.hidden()], ids);
  assert.equal(await deciding, true);
  assert.deepEqual(calls, ['decide {"everything":true,"verdict":"accept"}']);
  assert.deepEqual(told, ["Accepted 3 changes in 2 documents."]);
});

test("whoever rejects a change in which they have written is told that their words went with it", async () => {
  const { reviews, told } = reviewsWith(() => ({ documents: [1], hunk_ids: ["h_1_2"] }));
  await reviews.decide({ hunk_ids: ["h_1_2"] }, "reject");
  const words = "Rejected a change. What you wrote inside went, too; the history keeps it.";
  assert.deepEqual(told.splice(0), [words]);
  await reviews.decide({ hunk_ids: ["h_1_2"] }, "accept");
  await reviews.decide({ hunk_ids: ["h_1_1"] }, "reject");
  assert.deepEqual(told.splice(0), []);
});

test("whoever decides what another window has just decided is told that, and no ids", async () => {
  const gone = new Fault("unknown_hunk", "The hunk h_1_1 is not open.", "List the open hunks.");
  const { reviews, told } = reviewsWith(() => gone);
  assert.equal(await reviews.decide({ hunk_ids: ["h_1_1"] }, "reject"), false);
  assert.deepEqual([...reviews.hidden()], []);
  assert.deepEqual(told, ["This change is not open any more. It may have been decided in another window."]);
});

test("where two requests cannot be told apart, the window says so, and offers to decide on both", async () => {
  const details = { turn: "t1", turns: [{ turn: "t2", summary: "The other." }] };
  const overlap = new Fault("turns_overlap", "They cannot be told apart.", "Name both.", details);
  let answer: Answer = overlap;
  const { reviews, calls, offered } = reviewsWith(() => answer);
  assert.equal(await reviews.decide({ turn: "t1" }, "reject"), false);
  assert.equal(reviews.hidden().size, 0);
  answer = { documents: [1], hunk_ids: ["h_1_1", "h_2_1"] };
  await offered.at(-1)?.run();
  assert.deepEqual(calls, [
    'decide {"turn":"t1","verdict":"reject"}',
    'decide {"turn":"t1","also_turns":["t2"],"verdict":"reject"}',
  ]);
  assert.equal(offered[0]?.label, "Reject together");
});

test("a refused decision comes back to the screen and says why", async () => {
  const refusal = new Fault("whole_turn_only", "They are decided as a whole.", "Accept or reject the turn.");
  const { reviews, told } = reviewsWith(() => refusal);
  const deciding = reviews.decide({ turn: "t1" }, "reject");
  assert.deepEqual([...reviews.hidden()], ["h_1_1", "h_2_1"]);
  assert.equal(await deciding, false);
  assert.equal(reviews.hidden().size, 0);
  assert.deepEqual(told, ["They are decided as a whole."]);
});

test("undo says so where there is nothing to undo, and is not asked for what was refused", async () => {
  const refusal = new Fault("nothing_to_undo", "There is no such decision.", "Roll back to a checkpoint.");
  const { reviews, calls, told } = reviewsWith(() => refusal);
  const ids = ["h_1_1"];
  assert.equal(await reviews.repeat({ ids, verdict: "accept", isMade: false }), false);
  assert.match(told.splice(0).join(), /^That decision cannot be undone any more/);
  await reviews.repeat({ ids, verdict: "accept", isMade: true });
  assert.deepEqual(told.splice(0), ["There is no such decision."]);
  calls.length = 0;
  assert.equal(await reviews.repeat({ ids, verdict: "accept", isMade: false }), true);
  assert.deepEqual([calls, told], [[], []]);
});

test("decisions are made in the order they were asked for", async () => {
  const done: string[] = [];
  const { reviews } = reviewsWith(async (call) => {
    await new Promise((later) => setTimeout(later, call === "decide" ? 20 : 0));
    done.push(call);
    return { documents: [1], hunk_ids: ["h_1_1"] };
  });
  await Promise.all([reviews.decide({ hunk_ids: ["h_1_1"] }, "accept"), reviews.undo(["h_1_1"])]);
  assert.deepEqual(done, ["decide", "undoDecision"]);
});

test("a save waits for the decisions that were asked for before it", async () => {
  const { reviews, calls } = reviewsWith(async () => {
    await new Promise((later) => setTimeout(later, 20));
    calls.push("answered");
    return { documents: [1], hunk_ids: ["h_1_1"] };
  });
  void reviews.decide({ hunk_ids: ["h_1_1"] }, "accept");
  assert.equal(await reviews.save(), true);
  assert.deepEqual(calls.slice(1), ["answered", "saveAll"]);
});
