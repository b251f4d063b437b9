import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client } from "@stet/client/client";
import { Fault } from "@stet/protocol/fault";
import type { Desk } from "../workspace/desk.ts";
import { ReviewDesk } from "./review-desk.ts";

const hunk = (hunk_id: string, turn: string) => ({ hunk_id, turns: [turn] });

/** A desk with three open hunks, of which only what the decisions use is there. */
function deskWith(answer: (route: string, body: unknown) => unknown) {
  const calls: string[] = [];
  const told: string[] = [];
  const client = {
    async call(route: string, { body }: { body: unknown }) {
      calls.push(`${route} ${JSON.stringify(body)}`);
      return answer(route, body);
    },
  } as unknown as Client;
  const desk = {
    client,
    state: {
      review: {
        files: [
          { document: 1, hunks: [hunk("h_1_1", "t1"), hunk("h_1_2", "t2")] },
          { document: 2, hunks: [hunk("h_2_1", "t1")] },
        ],
      },
    },
    documents: { known: () => undefined },
    notices: { tell: ({ text }: { text: string }) => told.push(text) },
    activeTab: () => undefined,
    loadReview: async () => undefined,
    refuse: ({ message }: Fault) => {
      told.push(message);
      return false;
    },
  } as unknown as Desk;
  return { reviews: new ReviewDesk(desk), calls, told };
}

test("what is decided leaves the screen at once, and everything is one request", async () => {
  const ids = ["h_1_1", "h_1_2", "h_2_1"];
  const { reviews, calls, told } = deskWith(() => ({ documents: [1, 2], hunk_ids: ids }));
  const deciding = reviews.decide({ everything: true }, "accept");
  assert.deepEqual([...reviews.hidden()], ids);
  assert.equal(await deciding, true);
  assert.deepEqual(calls, ['decide {"everything":true,"verdict":"accept"}']);
  assert.deepEqual(told, ["Accepted 3 changes in 2 documents."]);
});

test("a refused decision comes back to the screen and says why", async () => {
  const refusal = new Fault("whole_turn_only", "They are decided as a whole.", "Accept or reject the turn.");
  const { reviews, told } = deskWith(() => refusal);
  const deciding = reviews.decide({ turn: "t1" }, "reject");
  assert.deepEqual([...reviews.hidden()], ["h_1_1", "h_2_1"]);
  assert.equal(await deciding, false);
  assert.equal(reviews.hidden().size, 0);
  assert.deepEqual(told, ["They are decided as a whole."]);
});

test("undo says so where there is nothing to undo, and is not asked for what was refused", async () => {
  const refusal = new Fault("nothing_to_undo", "There is no such decision.", "Roll back to a checkpoint.");
  const { reviews, calls, told } = deskWith(() => refusal);
  const ids = ["h_1_1"];
  assert.equal(await reviews.repeat({ ids, verdict: "accept", isMade: false }), false);
  assert.deepEqual(told.splice(0), ["There is no such decision."]);
  await reviews.repeat({ ids, verdict: "accept", isMade: true });
  assert.deepEqual(told.splice(0), ["There is no such decision."]);
  calls.length = 0;
  assert.equal(await reviews.repeat({ ids, verdict: "accept", isMade: false }), true);
  assert.deepEqual([calls, told], [[], []]);
});

test("decisions are made in the order they were asked for", async () => {
  const done: string[] = [];
  const { reviews } = deskWith(async (route) => {
    await new Promise((later) => setTimeout(later, route === "decide" ? 20 : 0));
    done.push(route);
    return { documents: [1], hunk_ids: ["h_1_1"] };
  });
  await Promise.all([reviews.decide({ hunk_ids: ["h_1_1"] }, "accept"), reviews.undo(["h_1_1"])]);
  assert.deepEqual(done, ["decide", "undoDecision"]);
});
